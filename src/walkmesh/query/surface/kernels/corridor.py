"""The corridor: which triangles a way leads through (A*), and the shortest way through them."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.kernels.jumps import COST, END, START
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import ends_of, unpack_mesh, unpack_owners
from walkmesh.query.surface.kernels.sleeve import pull_leg

# How a triangle was entered: through one of its halves; `_BY_JUMP` - j; or as the start.
_AT_START, _BY_JUMP = -1, -2


@kernel(
    kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.FLOATS, kt.FLOATS, kt.INT, kt.FLOATS, kt.INT, kt.FLOAT,
    kt.OUT_POINTS, kt.OUT_INTS,
)  # fmt: skip
def find_corridor(
    floats, ints, layout, prices, start, start_triangle, goal, goal_triangle, thrift, line, ways
):
    """Find the way from triangle to triangle that is cheapest through the middles of edges.

    To a goal, or to the boundary.

    Then it is pulled tight: between links, the triangles are laid into one plane.

    Parameters
    ----------
    floats, ints, layout
        The mesh, packed, see :mod:`walkmesh.query.surface.kernels.mesh`.
    prices : (p,) float64
        What a metre costs on each polygon.
    start, start_triangle, goal, goal_triangle : (3,) float64 and int
        From where to where, and the triangles that these lie on; triangle -1 for the boundary,
        wherever that is. [Unit: m]
    thrift : float
        The least that any metre costs, on foot or by link; 0 on the way to the boundary.
    line, ways : (2 t + 4, 3) float64 and (2 t + 4,) int32, output
        As of :func:`~walkmesh.query.surface.kernels.trace.trace_windows`.

    Returns
    -------
    int
        How many places there are; 0 if there is no way.
    """
    mesh, owners = unpack_mesh(floats, ints, layout), unpack_owners(ints, layout)
    halves, jumps, targets = mesh.halves, mesh.jumps, mesh.targets
    entries, aim = np.empty(len(mesh.triangles), np.int32), goal.copy()
    goal_triangle = _search(
        mesh, owners, prices, start, start_triangle, aim, goal_triangle, thrift, entries
    )
    if goal_triangle < 0:
        return 0
    # The steps from the goal back to the start, and then leg by leg forwards.
    steps = np.empty(len(mesh.triangles), np.int32)
    count, triangle = 0, goal_triangle
    while entries[triangle] != _AT_START:
        step = entries[triangle]
        steps[count] = step
        count += 1
        if step >= 0:
            triangle = halves[step, col.MATE] // 3
        else:
            triangle = targets[_BY_JUMP - step, col.FROM]
    rights, lefts = np.empty((count + 2, 3), np.float64), np.empty((count + 2, 3), np.float64)
    tight, ends = np.empty((count + 2, 3), np.float64), np.empty((2, 3), np.float64)
    for k in range(3):
        ends[0, k] = start[k]
    written, stop = 0, count
    while True:
        begin = stop
        while begin > 0 and steps[begin - 1] >= 0:
            begin -= 1
        for k in range(3):
            ends[1, k] = aim[k] if begin == 0 else jumps[_BY_JUMP - steps[begin - 1], START + k]
        written = pull_leg(
            mesh, steps, begin, stop, triangle, ends, rights, lefts, tight, line, ways, written
        )
        if begin == 0:
            return written
        jump = _BY_JUMP - steps[begin - 1]
        ways[written - 1] = -1 - jump
        triangle = targets[jump, col.TO]
        for k in range(3):
            ends[0, k] = jumps[jump, END + k]
        stop = begin - 1


@kernel
def _search(mesh, owners, prices, start, start_triangle, goal, goal_triangle, thrift, entries):
    """Search the goal's triangle, and return it, or -1 if there is no way.

    `entries` say how the way leads. If there is no goal's triangle, the boundary is searched, and
    the place of it that was found written to `goal`.
    """
    halves, jumps, departures = mesh.halves, mesh.jumps, mesh.departures
    gone = np.full(len(mesh.triangles), np.inf)
    final = np.zeros(len(mesh.triangles), np.uint8)
    keys = np.empty(len(halves) + len(jumps) + 1, np.float64)
    items = np.empty(len(halves) + len(jumps) + 1, np.int32)
    here, there = np.empty(3, np.float64), np.empty(3, np.float64)
    gone[start_triangle], entries[start_triangle] = 0.0, _AT_START
    triangle, waiting, shore, nearest = start_triangle, 0, -1, np.inf
    while triangle != goal_triangle:
        if final[triangle] == 0:
            final[triangle] = 1
            entry = entries[triangle]
            for k in range(3):
                here[k] = start[k]
                if entry <= _BY_JUMP:
                    here[k] = jumps[_BY_JUMP - entry, END + k]
            if entry >= 0:
                _middle(mesh, entry, here)
            price = prices[owners[triangle]]
            for half in range(3 * triangle, 3 * triangle + 3):
                mate = halves[half, col.MATE]
                if mate < 0 and goal_triangle < 0:
                    _nearest_on(mesh, half, here, there)
                    whole = gone[triangle] + price * _away(here, there)
                    if whole < nearest:
                        nearest, shore = whole, triangle
                        for k in range(3):
                            goal[k] = there[k]
                if mate < 0 or final[mate // 3]:
                    continue
                _middle(mesh, half, there)
                whole = gone[triangle] + price * _away(here, there)
                if whole < gone[mate // 3]:
                    gone[mate // 3], entries[mate // 3] = whole, mate
                    key = whole + thrift * _away(there, goal)
                    heap_push(keys, items, waiting, key, mate // 3)
                    waiting += 1
            for j in range(departures[triangle], departures[triangle + 1]):
                target = mesh.targets[j, col.TO]
                for k in range(3):
                    there[k] = jumps[j, START + k]
                whole = gone[triangle] + price * _away(here, there) + jumps[j, COST]
                if not final[target] and whole < gone[target]:
                    gone[target], entries[target] = whole, _BY_JUMP - j
                    for k in range(3):
                        there[k] = jumps[j, END + k]
                    key = whole + thrift * _away(there, goal)
                    heap_push(keys, items, waiting, key, target)
                    waiting += 1
        if waiting == 0:
            return shore
        key, triangle = heap_pop(keys, items, waiting)
        waiting -= 1
        if key >= nearest:
            return shore
    return triangle


@borrowing
def _middle(mesh, half, place):
    """Write the middle of a half."""
    a, b = ends_of(mesh, half)
    for k in range(3):
        place[k] = 0.5 * (mesh.points[a, k] + mesh.points[b, k])


@borrowing
def _nearest_on(mesh, half, here, place):
    """Write the place on a half that is nearest to another."""
    a, b = ends_of(mesh, half)
    along, square = 0.0, 0.0
    for k in range(3):
        edge = mesh.points[b, k] - mesh.points[a, k]
        along += (here[k] - mesh.points[a, k]) * edge
        square += edge * edge
    part = min(max(along / square, 0.0), 1.0) if square > 0.0 else 0.0
    for k in range(3):
        place[k] = mesh.points[a, k] + part * (mesh.points[b, k] - mesh.points[a, k])


@borrowing
def _away(a, b):
    return math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
