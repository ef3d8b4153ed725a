"""Loops of edges around the ground, and the vertices of them that matter."""

import numpy as np

from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    FLOATS,
    INTS,
    OUT_BYTES,
    OUT_INTS,
    POINTS,
    borrowing,
    kernel,
)


@kernel(INTS, OUT_INTS, OUT_INTS)
def trace_loops(following, order, offsets):
    """Put edges in the order in which they follow each other, and return how many loops there are.

    Parameters
    ----------
    following : (e,) int32
        The edge after each.
    order : (e,) int32, output
        The edges, loop by loop; each begins with its lowest edge, and loops come by that.
    offsets : (e + 1,) int32, output
        Where each loop starts.
    """
    seen = np.zeros(len(following), np.uint8)
    loops, filled = 0, 0
    offsets[0] = 0
    for edge in range(len(following)):
        if seen[edge] == 1:
            continue
        here = edge
        while seen[here] == 0:
            seen[here] = 1
            order[filled] = here
            filled += 1
            here = following[here]
        loops += 1
        offsets[loops] = filled
    return loops


@kernel(INTS, POINTS, FLOAT, OUT_BYTES)
def simplify_loops(offsets, points, tolerance, chosen):
    """Choose the vertices of loops that their shape needs, after Douglas and Peucker.

    Each loop starts from its first vertex and the one furthest from it in plan, and takes the one
    that is furthest from the line so far until all are within the tolerance.

    Parameters
    ----------
    offsets : (l + 1,) int32
        Where each loop starts.
    points : (n, 3) float64
        Positions as (u, v, h). [Unit: m]
    tolerance : float
        How far a loop may be from its vertices in plan. [Unit: m]
    chosen : (n,) uint8, in and out
        1 for the vertices that stay; those that are 1 already do.
    """
    longest = 0
    for loop in range(len(offsets) - 1):
        longest = max(longest, offsets[loop + 1] - offsets[loop])
    stack = np.empty(2 * longest + 4, np.int32)
    for loop in range(len(offsets) - 1):
        start, stop = offsets[loop], offsets[loop + 1]
        far = _furthest(points, start, start, start, stop)
        chosen[start] = 1
        chosen[far] = 1
        _split(points, start, stop, start, far, tolerance, stack, chosen)
        _split(points, start, stop, far, stop, tolerance, stack, chosen)
        size = 0
        for i in range(start, stop):
            size += chosen[i]
        if size < 3:  # a loop thinner than the tolerance stays a triangle
            chosen[_furthest(points, start, far, start, stop)] = 1


@borrowing
def _furthest(points, a, b, start, stop):
    """Return the vertex furthest from the line between two others, or from a if they are one."""
    best, found = -1.0, start
    for i in range(start, stop):
        away = _away(points, i, a, b)
        if away > best:
            best, found = away, i
    return found


@borrowing
def _away(points, i, a, b):
    """Return the squared distance in plan of a vertex from the line between two others."""
    du, dv = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    pu, pv = points[i, 0] - points[a, 0], points[i, 1] - points[a, 1]
    square = du * du + dv * dv
    t = 0.0
    if square > 0.0:
        t = max(0.0, min(1.0, (pu * du + pv * dv) / square))
    pu -= t * du
    pv -= t * dv
    return pu * pu + pv * pv


@borrowing
def _split(points, start, stop, low, high, tolerance, stack, chosen):
    """Choose the vertices between two of a loop; `high` may be `stop`, which stands for `start`."""
    stack[0], stack[1] = low, high
    filled = 2
    while filled > 0:
        a, b = stack[filled - 2], stack[filled - 1]
        filled -= 2
        end = b if b < stop else start
        best, found = tolerance * tolerance, -1
        for i in range(a + 1, b):
            away = _away(points, i, a, end)
            if chosen[i] == 1:  # it stays anyway, so it may as well be where the line is cut
                best, found = np.inf, i
                break
            if away > best:
                best, found = away, i
        if found >= 0:
            chosen[found] = 1
            stack[filled], stack[filled + 1] = a, found
            stack[filled + 2], stack[filled + 3] = found, b
            filled += 4


@kernel(INTS, FLOATS, BYTES, FLOAT, OUT_BYTES)
def choose_heights(offsets, heights, chosen, tolerance, needed):
    """Choose the vertices between those of simplified loops that their heights need.

    Parameters
    ----------
    offsets : (l + 1,) int32
        Where each loop starts; its first vertex is chosen.
    heights : (n,) float64
        The height of each vertex. [Unit: m]
    chosen : (n,) uint8
        1 for the vertices of the simplified loops.
    tolerance : float
        How far heights along a line may be from those between its ends. [Unit: m]
    needed : (n,) uint8, output
        1 for those that are needed besides.
    """
    longest = 0
    for loop in range(len(offsets) - 1):
        longest = max(longest, offsets[loop + 1] - offsets[loop])
    stack = np.empty(2 * longest + 4, np.int32)
    for loop in range(len(offsets) - 1):
        start, stop = offsets[loop], offsets[loop + 1]
        low = start
        for i in range(start, stop):
            needed[i] = 0
        for i in range(start + 1, stop + 1):
            if i < stop and chosen[i] == 0:
                continue
            stack[0], stack[1] = low, i
            low = i
            filled = 2
            while filled > 0:
                a, b = stack[filled - 2], stack[filled - 1]
                filled -= 2
                from_height, to_height = heights[a], heights[b if b < stop else start]
                best, found = tolerance, -1
                for k in range(a + 1, b):
                    between = from_height + (k - a) / (b - a) * (to_height - from_height)
                    if abs(heights[k] - between) > best:
                        best, found = abs(heights[k] - between), k
                if found >= 0:
                    needed[found] = 1
                    stack[filled], stack[filled + 1] = a, found
                    stack[filled + 2], stack[filled + 3] = found, b
                    filled += 4


@kernel(INTS, INTS, INTS, OUT_INTS)
def skip_straight(ends, following, straight, reached):
    """Find where edges end when vertices in the middle of straight lines are passed over.

    Parameters
    ----------
    ends : (e,) int32
        The vertex each edge ends in.
    following : (e,) int32
        The edge after each along the same border.
    straight : (n,) int32
        1 for vertices to pass over.
    reached : (e,) int32, output
        The first vertex that stays.
    """
    for edge in range(len(ends)):
        here = edge
        while straight[ends[here]] == 1:
            here = following[here]
        reached[edge] = ends[here]
