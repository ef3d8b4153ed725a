"""How far triangles reach out of the polygons that they belong to."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner


@kernel(kt.POINTS, kt.TRIPLES, kt.INTS, kt.INTS, kt.INTS, kt.OUT_FLOATS)
def measure_reach(points, triangles, owners, offsets, corners, reach):
    """Measure how far each triangle reaches out of its polygon in plan.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame; only u and v count. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids.
    owners : (t,) int32
        The polygon of each triangle.
    offsets, corners : (p + 1,) and (c,) int32
        Ragged convex polygons.
    reach : (t,) float64, output
        How far outside the triangle's farthest corner is; 0 for none outside. [Unit: m]
    """
    for i in range(len(triangles)):
        reach[i] = 0.0
        for k in range(3):
            vertex = triangles[i, k]
            u, v = points[vertex, 0], points[vertex, 1]
            if not _left_of_all(offsets, corners, points, owners[i], u, v):
                distance = _distance_to_polygon(offsets, corners, points, owners[i], u, v)
                reach[i] = max(reach[i], distance)


@kernel
def _left_of_all(offsets, corners, points, polygon, u, v):
    """Tell whether a place is to the left of all sides of a polygon, and so inside it."""
    start, stop = offsets[polygon], offsets[polygon + 1]
    a = corners[stop - 1]
    for i in range(start, stop):
        b = corners[i]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        if eu * (v - points[a, 1]) < ev * (u - points[a, 0]):
            return False
        a = b
    return True


@kernel
def _distance_to_polygon(offsets, corners, points, polygon, u, v):
    """Return how far a place is outside a polygon; 0 inside.

    What is inside is told by the sides that a ray crosses: a polygon that is convex but for some
    micrometres may have short sides whose lines cut off much of it.
    """
    inside = False
    nearest = np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        a, b = corners[i], corners[next_corner(offsets, polygon, i)]
        au, av = points[a, 0] - u, points[a, 1] - v
        bu, bv = points[b, 0] - u, points[b, 1] - v
        if (av > 0.0) != (bv > 0.0):
            turn = au * bv - av * bu
            if (turn > 0.0) == (bv > av):
                inside = not inside
        nearest = min(nearest, to_segment(0.0, 0.0, au, av, bu, bv)[0])
    return 0.0 if inside else np.sqrt(nearest)
