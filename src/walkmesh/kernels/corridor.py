"""The corridor: which polygons a path leads through (A*), and the path pulled tight in it."""

import numpy as np

from walkmesh.kernels.adjacency import next_corner
from walkmesh.kernels.heap import heap_pop, heap_push
from walkmesh.kernels.kernel import INT, INTS, OUT_INTS, OUT_POINTS, POINTS, kernel


@kernel(POINTS, INTS, INTS, INTS, INT, INT, POINTS, OUT_INTS)
def find_corridor(points, offsets, corners, neighbors, start, goal, ends, corridor):
    """Find the way from polygon to polygon that is shortest through the middles of shared edges.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    offsets, corners, neighbors
        The navmesh.
    start, goal : int
        The polygons to go from and to.
    ends : (2, 3) float64
        The points to go from and to. [Unit: m]
    corridor : (p,) int32, output
        The edges (corners that start them) that are crossed, in order, in its first places.

    Returns
    -------
    int
        How many edges are crossed; -1 if there is no way.
    """
    polygons = len(offsets) - 1
    cost = np.full(polygons, np.inf)
    entry = np.full(polygons, -1, np.int32)  # the edge through which a polygon is entered
    came_from = np.full(polygons, -1, np.int32)
    closed = np.zeros(polygons, np.uint8)
    # A polygon may wait in the heap once for each of its edges.
    keys = np.empty(len(corners) + 1, np.float64)
    items = np.empty(len(corners) + 1, np.int32)
    cost[start] = 0.0
    heap_push(keys, items, 0, _distance(ends, 0, ends, 1), start)
    waiting = 1
    while waiting > 0:
        _, polygon = heap_pop(keys, items, waiting)
        waiting -= 1
        if closed[polygon]:
            continue
        closed[polygon] = 1
        if polygon == goal:
            break
        au, av, ah = ends[0, 0], ends[0, 1], ends[0, 2]
        if entry[polygon] >= 0:
            au, av, ah = _middle(points, offsets, corners, came_from[polygon], entry[polygon])
        for i in range(offsets[polygon], offsets[polygon + 1]):
            neighbor = neighbors[i]
            if neighbor < 0 or closed[neighbor]:
                continue
            mu, mv, mh = _middle(points, offsets, corners, polygon, i)
            reached = cost[polygon] + np.sqrt((mu - au) ** 2 + (mv - av) ** 2 + (mh - ah) ** 2)
            if reached < cost[neighbor]:
                cost[neighbor] = reached
                entry[neighbor] = i
                came_from[neighbor] = polygon
                rest = np.sqrt(
                    (mu - ends[1, 0]) ** 2 + (mv - ends[1, 1]) ** 2 + (mh - ends[1, 2]) ** 2
                )
                heap_push(keys, items, waiting, reached + rest, neighbor)
                waiting += 1
    if not closed[goal]:
        return -1
    count = 0
    polygon = goal
    while polygon != start:
        corridor[count] = entry[polygon]
        count += 1
        polygon = came_from[polygon]
    for i in range(count // 2):
        corridor[i], corridor[count - 1 - i] = corridor[count - 1 - i], corridor[i]
    return count


@kernel
def _middle(points, offsets, corners, polygon, i):
    """Return the middle of the edge of `polygon` that starts at corner i."""
    a, b = corners[i], corners[next_corner(offsets, polygon, i)]
    return (
        0.5 * (points[a, 0] + points[b, 0]),
        0.5 * (points[a, 1] + points[b, 1]),
        0.5 * (points[a, 2] + points[b, 2]),
    )


@kernel
def _distance(a, i, b, j):
    return np.sqrt((a[i, 0] - b[j, 0]) ** 2 + (a[i, 1] - b[j, 1]) ** 2 + (a[i, 2] - b[j, 2]) ** 2)


@kernel(POINTS, POINTS, OUT_POINTS)
def pull_tight(rights, lefts, path):
    """Find the shortest path through a row of gates (the funnel algorithm), on the ground.

    Parameters
    ----------
    rights, lefts : (g, 3) float64
        The ends of the gates in the plan frame, as seen when walking through. The first and the
        last gate are the start and the goal, their ends the same point.
    path : (g, 3) float64, output
        One point for each gate: where the path crosses it.
    """
    gates = len(rights)
    _copy(path, 0, rights, 0)
    apex = 0  # the gate up to which the path is known
    left, right = 0, 0  # the gates whose ends make the sides of the funnel; none at the apex
    gate = 1
    while gate < gates:
        # A side whose end is the apex itself (gates around one vertex share it) is no side either.
        no_right = right == apex or _same_place(path, apex, rights, right)
        no_left = left == apex or _same_place(path, apex, lefts, left)
        if no_right or _turn(path, apex, rights, right, rights, gate) >= 0.0:
            # The right side moves in; where it meets the left side, the path turns left there.
            if no_left or no_right or _turn(path, apex, lefts, left, rights, gate) < 0.0:
                right = gate
                no_right = _same_place(path, apex, rights, right)
            else:
                _walk_to(rights, lefts, path, apex, lefts, left)
                apex, right, gate = left, left, left + 1
                continue
        if no_left or _turn(path, apex, lefts, left, lefts, gate) <= 0.0:
            if no_left or no_right or _turn(path, apex, rights, right, lefts, gate) > 0.0:
                left = gate
            else:
                _walk_to(rights, lefts, path, apex, rights, right)
                apex, left, gate = right, right, right + 1
                continue
        gate += 1
    _walk_to(rights, lefts, path, apex, rights, gates - 1)


@kernel
def _copy(target, i, source, j):
    for k in range(3):
        target[i, k] = source[j, k]


@kernel
def _same_place(a, i, b, j):
    """Tell whether two points have the same place in plan."""
    return a[i, 0] == b[j, 0] and a[i, 1] == b[j, 1]


@kernel
def _turn(a, i, b, j, c, k):
    """Return twice the area of the plan triangle a, b, c: positive for a turn to the left."""
    return (b[j, 0] - a[i, 0]) * (c[k, 1] - a[i, 1]) - (b[j, 1] - a[i, 1]) * (c[k, 0] - a[i, 0])


@kernel
def _walk_to(rights, lefts, path, apex, ends, gate):
    """Write the path from the apex straight to the end of a gate, crossing those between."""
    _copy(path, gate, ends, gate)
    for k in range(apex + 1, gate):
        before = _turn(path, apex, path, gate, rights, k)
        after = _turn(path, apex, path, gate, lefts, k)
        part = 0.5
        if after != before:
            part = min(max(-before / (after - before), 0.0), 1.0)
        for axis in range(3):
            path[k, axis] = rights[k, axis] + part * (lefts[k, axis] - rights[k, axis])
