"""What stands beyond the edges that cutting has made.

Just beyond such an edge, in the plane of its polygon, the agent would reach into something: that is
what blocks it. Often several faces begin at the same place, such as the side and the top of a box;
then the one that faces the edge most is taken, since that is the one to walk on to.
"""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.packs import EDGES
from walkmesh.builder.surface.kernels.regions import (
    HEIGHT,
    MOST_SIDES,
    RADIUS,
    STEP,
    clip_to_band,
    widest_reach,
    write_body,
)
from walkmesh.builder.surface.kernels.tangent import along, write_frame
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import dot
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_sweep import gather_along
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT

# What stands beyond an edge: nothing, or from LOW down a face that can be stepped on.
NOTHING = -1
LOW = -2


@kernel(EDGES, kt.TRIANGLES, kt.TREE, kt.FLOATS, kt.OUT_INTS)
def find_blockers(edges, faces, tree, limits, blockers):
    """Find what stands beyond edges.

    Parameters
    ----------
    edges : EDGES
        Of the boundary.
    faces, tree : TRIANGLES and TREE
        The faces of the scene with their normals, and a tree over them.
    limits : (6,) float64
        See :func:`walkmesh.builder.surface.kernels.cut_sides.cut_sides`.
    blockers : (b,) int32, output
        The face; NOTHING; or LOW - face for one no higher than a step.
    """
    starts, ends, edge_normals = edges
    points, triangles, normals = faces
    _, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box, way = np.empty(6, np.float64), np.empty(3, np.float64)
    frame = np.empty((3, 3), np.float64)
    place = np.empty((1, 3), np.float64)
    outwards = np.empty((1, 3), np.float64)
    other = np.empty((3, 3), np.float64)
    shadow = np.empty((2, 8, 4), np.float64)
    lines = np.empty((1, MOST_SIDES, 3), np.float64)
    height, radius, step = limits[HEIGHT], limits[RADIUS], limits[STEP]
    high = height - tol.HEIGHT_SLACK
    widest = widest_reach(limits)
    for e in range(len(starts)):
        write_frame(edge_normals, e, frame)
        _look_beyond(starts, ends, edge_normals, e, outwards, place)
        level = along(frame, 2, place, 0)
        u, v = along(frame, 0, place, 0), along(frame, 1, place, 0)
        for k in range(3):
            way[k] = height * frame[2, k]
            reach = widest * np.sqrt(max(1.0 - frame[2, k] * frame[2, k], 0.0))
            box[k], box[k + 3] = place[0, k] - reach, place[0, k] + reach
        blockers[e] = NOTHING
        facing = np.inf
        for item in range(gather_along(nodes, order, box, way, stack, near)):
            o = near[item]
            least, most = np.inf, -np.inf
            for corner in range(3):
                vertex = triangles[o, corner]
                other[corner, 0] = along(frame, 0, points, vertex) - u
                other[corner, 1] = along(frame, 1, points, vertex) - v
                other[corner, 2] = along(frame, 2, points, vertex) - level
                least, most = min(least, other[corner, 2]), max(most, other[corner, 2])
            # Slivers have large boxes, and few of those found are near.
            if most <= tol.PART_OF_FACE or least >= high or not _is_close(other, widest):
                continue
            hard = most > step + tol.HEIGHT_SLACK
            over = _height_at(other)
            blocks = tol.PART_OF_FACE < over < high
            if hard and not blocks:
                size = clip_to_band(other, step + tol.HEIGHT_SLACK, high, shadow)
                blocks = size > 0 and _is_within(shadow[0], size, radius, limits, lines)
            if not blocks:
                continue
            if hard:
                towards = dot(outwards, 0, normals, o)
                if blockers[e] < 0 or towards < facing - tol.SAME_FACING:
                    blockers[e], facing = o, towards
            elif blockers[e] == NOTHING:
                blockers[e] = LOW - o


@kernel
def _look_beyond(starts, ends, normals, e, outwards, place):
    """Write the direction away from an edge's polygon, and a place a little that way."""
    length = 0.0
    for k in range(3):
        length += (ends[e, k] - starts[e, k]) ** 2
    length = np.sqrt(length)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        a = (ends[e, i] - starts[e, i]) * normals[e, j]
        b = (ends[e, j] - starts[e, j]) * normals[e, i]
        outwards[0, k] = (a - b) / length
        place[0, k] = 0.5 * (starts[e, k] + ends[e, k]) + tol.BEYOND_EDGE * outwards[0, k]


@kernel
def _is_close(corners, distance):
    """Tell whether no side of a face has the origin beyond it by more than a distance."""
    au, av = corners[1, 0] - corners[0, 0], corners[1, 1] - corners[0, 1]
    bu, bv = corners[2, 0] - corners[0, 0], corners[2, 1] - corners[0, 1]
    sign = 1.0 if au * bv - av * bu > 0.0 else -1.0
    for i in range(3):
        j = i + 1 if i < 2 else 0
        du, dv = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        inwards = sign * (corners[i, 0] * dv - corners[i, 1] * du)
        if inwards < 0.0 and inwards * inwards > distance * distance * (du * du + dv * dv):
            return False
    left, right, near, far = np.inf, -np.inf, np.inf, -np.inf
    for i in range(3):
        left, right = min(left, corners[i, 0]), max(right, corners[i, 0])
        near, far = min(near, corners[i, 1]), max(far, corners[i, 1])
    return left <= distance and right >= -distance and near <= distance and far >= -distance


@kernel
def _height_at(corners):
    """Return how high a face is over the origin; NaN beside it."""
    a = corners[1, 0] * corners[2, 1] - corners[1, 1] * corners[2, 0]
    b = corners[2, 0] * corners[0, 1] - corners[2, 1] * corners[0, 0]
    c = corners[0, 0] * corners[1, 1] - corners[0, 1] * corners[1, 0]
    if not ((a > 0.0 and b > 0.0 and c > 0.0) or (a < 0.0 and b < 0.0 and c < 0.0)):
        return np.nan
    return (a * corners[0, 2] + b * corners[1, 2] + c * corners[2, 2]) / (a + b + c)


@kernel
def _is_within(shadow, size, radius, limits, lines):
    """Tell whether the origin is in the region that a shadow made wider by the radius blocks."""
    for side in range(write_body(shadow, size, radius, limits, lines, 0)):
        if lines[0, side, 2] <= 0.0:
            return False
    return True
