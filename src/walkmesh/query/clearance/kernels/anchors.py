"""Where the polygons of a navmesh are among the triangles."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.query.clearance.kernels.sides import Mesh, end_of, start_of, walk


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.INTS, kt.OUT_POINTS,
    kt.OUT_INTS,
)  # fmt: skip
def anchor_polygons(
    points, corners, mates, plan, offsets, vertices, neighbors, walls, centers, anchors
):
    """Find the triangle that holds the middle of each polygon.

    A polygon is convex, so whoever walks straight from its middle to any place in it comes to
    the right triangle, whatever floors lie above and below. Walls are known to begin with; from
    there one polygon after another is walked to.

    Parameters
    ----------
    points, corners, mates
        The triangles.
    plan : (m, 3) float64
        The navmesh's vertices in the plan frame. [Unit: m]
    offsets, vertices, neighbors : (p + 1,), (c,) and (c,) int32
        The navmesh's polygons.
    walls : (c,) int32
        The triangles' side that starts where each boundary edge of the polygons starts; -1 for
        edges inside.
    centers : (p, 2) float64, output
        The middle of each polygon. [Unit: m]
    anchors : (p,) int32, output
        Its triangle; -1 if it has none.
    """
    mesh = Mesh(points, corners, mates)
    polygons = len(offsets) - 1
    queue = np.empty(polygons, np.int32)
    count = 0
    for polygon in range(polygons):
        anchors[polygon] = -1
        size = offsets[polygon + 1] - offsets[polygon]
        u, v = 0.0, 0.0
        for i in range(offsets[polygon], offsets[polygon + 1]):
            u += plan[vertices[i], 0] / size
            v += plan[vertices[i], 1] / size
        centers[polygon, 0], centers[polygon, 1] = u, v
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if anchors[polygon] < 0 and walls[i] >= 0:
                au, av = start_of(mesh, walls[i])
                bu, bv = end_of(mesh, walls[i])
                anchors[polygon], _ = walk(
                    mesh, walls[i] // 3, 0.5 * (au + bu), 0.5 * (av + bv), u, v
                )
                queue[count] = polygon
                count += 1
    done = 0
    while done < count:
        polygon = queue[done]
        done += 1
        for i in range(offsets[polygon], offsets[polygon + 1]):
            other = neighbors[i]
            if other < 0 or anchors[other] >= 0:
                continue
            a, b = vertices[i], vertices[next_corner(offsets, polygon, i)]
            u, v = 0.5 * (plan[a, 0] + plan[b, 0]), 0.5 * (plan[a, 1] + plan[b, 1])
            triangle, _ = walk(
                mesh, anchors[polygon], centers[polygon, 0], centers[polygon, 1], u, v
            )
            anchors[other], _ = walk(mesh, triangle, u, v, centers[other, 0], centers[other, 1])
            queue[count] = other
            count += 1


@borrowing
def triangle_at(mesh, places, polygon, u, v):
    """Return the triangle that holds a place in a polygon."""
    centers, anchors = places
    triangle, _ = walk(mesh, anchors[polygon], centers[polygon, 0], centers[polygon, 1], u, v)
    return triangle
