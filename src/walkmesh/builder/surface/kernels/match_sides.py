r"""Who lies across an edge that any number of faces share.

Around the edge, seen along it, faces stand out like the pages of an open book. Who walks on the
front of page A over the edge comes out on the page that is met first when A is turned towards its
own front, if that shows its front too::

          B  front to the left         from A by the angle to B: a turn into a corner (concave)
          |                            if that is less than half a turn, around an edge (convex)
      ____|____                        if it is more
       A     C
"""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.POINTS, kt.BYTES, kt.INTS, kt.INTS, kt.FLOATS,
    kt.OUT_INTS,
)  # fmt: skip
def match_sides(points, starts, ends, owners, normals, joints, order, groups, limits, mates):
    """Find the edge across each edge.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    starts, ends, owners : (c,) int32
        Vertices of each edge, and the face to its left.
    normals : (p, 3) float64
        Unit normals of the faces.
    joints : (p,) uint8
        1 for faces that were made to be walked over, whatever the turn.
    order, groups : (c,) and (g + 1,) int32
        Edges ordered by their two vertices, and where each pair of vertices starts.
    limits : (2,) float64
        The largest turns, convex and concave. [radians]
    mates : (c,) int32, output
        The edge across, -1 for none.
    """
    for i in range(len(mates)):
        mates[i] = -1
    for group in range(len(groups) - 1):
        first, last = groups[group], groups[group + 1]
        for place in range(first, last):
            mates[order[place]] = _first_page(
                points, starts, ends, owners, normals, joints, order, first, last, order[place],
                limits,
            )  # fmt: skip
        for place in range(first, last):
            edge = order[place]
            if mates[edge] >= 0 and mates[mates[edge]] != edge:
                mates[edge] = -1


@kernel
def _first_page(points, starts, ends, owners, normals, joints, order, first, last, edge, limits):
    """Return the edge on whose face one comes out, -1 if there is none that can be walked on."""
    best, nearest = -1, 3.0 * np.pi
    for place in range(first, last):
        other = order[place]
        if other == edge:
            continue
        angle = page_angle(points, starts, ends, owners, normals, edge, other)
        opposite = starts[other] == ends[edge]
        # Of pages that lie on each other the one that shows its front.
        if angle < nearest - tol.SAME_PAGE or (angle < nearest + tol.SAME_PAGE and opposite):
            if angle >= nearest - tol.SAME_PAGE and best >= 0 and starts[best] == ends[edge]:
                continue
            best, nearest = other, angle
    if best < 0 or starts[best] != ends[edge]:
        return -1
    if joints[owners[edge]] or joints[owners[best]]:
        return best
    if nearest >= np.pi:
        return best if nearest - np.pi <= limits[0] else -1
    return best if np.pi - nearest <= limits[1] else -1


@kernel
def page_angle(points, starts, ends, owners, normals, edge, other):
    """Return by how much the face of an edge is turned towards its front to meet another's.

    From just above 0 to a full turn. [radians]
    """
    length = 0.0
    for k in range(3):
        length += (points[ends[edge], k] - points[starts[edge], k]) ** 2
    length = np.sqrt(length)
    same = 1.0 if starts[other] == starts[edge] else -1.0
    up, inwards = 0.0, 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        ei = (points[ends[edge], i] - points[starts[edge], i]) / length
        ej = (points[ends[edge], j] - points[starts[edge], j]) / length
        a, b = owners[edge], owners[other]
        into = normals[a, i] * ej - normals[a, j] * ei
        into_other = same * (normals[b, i] * ej - normals[b, j] * ei)
        inwards += into * into_other
        up += into_other * normals[a, k]
    angle = np.arctan2(up, inwards)
    if angle < tol.SAME_PAGE:
        angle += 2.0 * np.pi
    return angle
