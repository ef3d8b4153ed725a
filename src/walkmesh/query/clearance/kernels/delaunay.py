"""The constrained Delaunay triangulation of the boundary: no vertices but those on it."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import borrowing, kernel, shared
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import flip, stack_edges_around, stack_inner_edges, wants_flip

# A star that is cut down has at most this many corners; one with more keeps its centre.
_LARGEST_STAR = 4096


@kernel(kt.POINTS, kt.OUT_INTS, kt.OUT_INTS)
def strip_to_boundary(points, corners, mates):
    """Take the vertices inside away, and make the triangles that are left Delaunay in plan.

    Boundary sides stay. A vertex inside is no obstacle, so the triangles need not meet there. Its
    sides are flipped away until three are left, whose triangles become one.

    Parameters
    ----------
    points : (n, 2) float64
        Positions in plan. [Unit: m]
    corners, mates : (3 t,) int32, changed
        The triangles; -1 for those that are gone.

    Returns
    -------
    int
        The number of vertices inside that could not be taken away.
    """
    start = np.full(len(points), -1, np.int32)
    for side in range(len(corners)):
        start[corners[side]] = side
    inside = np.ones(len(points), np.uint8)
    for side in range(len(corners)):
        if mates[side] < 0:
            inside[corners[side]] = 0
            inside[corners[next_of(side)]] = 0
    _flip_to_delaunay(points, corners, mates, start)
    left = 0
    for vertex in range(len(points)):
        if (
            inside[vertex]
            and start[vertex] >= 0
            and not _remove(points, corners, mates, start, vertex)
        ):
            left += 1
    _flip_to_delaunay(points, corners, mates, start)
    return left


@kernel(kt.POINTS, kt.INTS, kt.FLOATS, kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS)
def split_sides(points, split, places, grown, corners, mates):
    """Insert vertices on boundary sides, and make the triangles Delaunay again.

    Parameters
    ----------
    points : (n, 2) float64
        Positions in plan. [Unit: m]
    split : (k,) int32
        The boundary side that each new vertex lies on.
    places : (k,) float64
        Where on it: 0 at its start, 1 at its end; ascending on each side.
    grown : (n + k, 2) float64, output
        The positions, new ones at the end.
    corners, mates : (3 (t + k),) int32, changed
        The triangles, with room for one more for each new vertex.
    """
    count = len(points)
    for i in range(count):
        grown[i, 0], grown[i, 1] = points[i, 0], points[i, 1]
    first = np.full(len(corners), -1, np.int32)
    following = np.full(len(split), -1, np.int32)
    for i in range(len(split)):
        a, b = corners[split[i]], corners[next_of(split[i])]
        for axis in range(2):
            grown[count + i, axis] = points[a, axis] + places[i] * (
                points[b, axis] - points[a, axis]
            )
        following[i] = first[split[i]]
        first[split[i]] = i
    # From a side's end to its start, so that what is left of it keeps its number.
    triangles = len(corners) // 3 - len(split)
    side = 0
    while side < 3 * triangles:
        i = first[side]
        if i < 0:
            side += 1
            continue
        first[side] = following[i]
        new, after, last = 3 * triangles, next_of(side), last_of(side)
        triangles += 1
        corners[new], corners[new + 1], corners[new + 2] = count + i, corners[after], corners[last]
        mates[new], mates[new + 1], mates[new + 2] = -1, mates[after], after
        if mates[after] >= 0:
            mates[mates[after]] = new + 1
        first[new + 1] = first[after]
        first[after] = -1
        corners[after], mates[after] = count + i, new + 2
    start = np.full(len(grown), -1, np.int32)
    _flip_to_delaunay(grown, corners, mates, start)


@shared
def _flip_to_delaunay(points, corners, mates, start):
    """Flip sides until none has a vertex of the next triangle in its circle (Lawson)."""
    stack = np.empty(len(corners), np.int32)
    on_stack = np.zeros(len(corners), np.uint8)
    waiting = stack_inner_edges(corners, mates, stack, on_stack)
    left = 50 * len(corners)  # rounding must not make it go round in circles
    while waiting > 0 and left > 0:
        left -= 1
        waiting -= 1
        e = np.int64(stack[waiting])
        on_stack[e] = 0
        m = np.int64(mates[e])
        if m < 0 or not wants_flip(points, corners, e, m):
            continue
        flip(corners, mates, start, e, m)
        waiting = stack_edges_around(mates, e, m, stack, on_stack, waiting)


@borrowing
def _remove(points, corners, mates, start, vertex):
    """Take a vertex inside away; False if rounding does not allow it."""
    while True:
        degree = 0
        best, most = -1, -np.inf
        side = start[vertex]
        while True:
            degree += 1
            # Flipping this side cuts its end off the star: the triangle before, end, after.
            before, end = corners[last_of(mates[side])], corners[next_of(side)]
            after = corners[last_of(side)]
            off = turn(points, before, end, after)
            # What stays of the star must keep the vertex.
            kept = turn(points, before, after, vertex)
            worth = min(off, kept)
            if off > 0.0 and worth > most:
                best, most = side, worth
            side = mates[last_of(side)]
            if side == start[vertex]:
                break
            if degree > _LARGEST_STAR:
                return False
        if degree <= 3:
            break
        # A vertex on the line between two others may lie on the side that is made, for a moment.
        if best < 0 or (most < 0.0 and degree > 4):
            return False
        flip(corners, mates, start, best, mates[best])
    if degree < 3:
        return False
    a = start[vertex]
    b = mates[last_of(a)]
    c = mates[last_of(b)]
    kept = a // 3
    x, y, z = corners[next_of(a)], corners[next_of(b)], corners[next_of(c)]
    across_a, across_b, across_c = mates[next_of(a)], mates[next_of(b)], mates[next_of(c)]
    for gone in (b // 3, c // 3):
        for k in range(3):
            corners[3 * gone + k], mates[3 * gone + k] = -1, -1
    corners[3 * kept], corners[3 * kept + 1], corners[3 * kept + 2] = x, y, z
    mates[3 * kept], mates[3 * kept + 1], mates[3 * kept + 2] = across_a, across_b, across_c
    for k in range(3):
        side = 3 * kept + k
        start[corners[side]] = side
        if mates[side] >= 0:
            mates[mates[side]] = side
    start[vertex] = -1
    return True
