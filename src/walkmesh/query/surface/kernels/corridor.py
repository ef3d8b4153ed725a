"""The corridor: which triangles a way leads through (A*), and the shortest way through them."""

import math

import numpy as np

from walkmesh.kernels.funnel import pull_tight
from walkmesh.kernels.heap import heap_pop, heap_push
from walkmesh.kernels.kernel import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    OUT_INTS,
    OUT_POINTS,
    POINTS,
    TRIPLES,
    borrowing,
    kernel,
    shared_borrowing,
)
from walkmesh.query.surface.kernels.mesh import (
    APEX_X,
    APEX_Y,
    COST,
    END,
    FROM,
    LENGTH,
    MATE,
    START,
    TO,
    Mesh,
    ends_of,
    following,
    in_frame,
)

# How a triangle was entered: through one of its halves; `_BY_JUMP` - j; or as the start.
_AT_START, _BY_JUMP = -1, -2


@kernel(
    POINTS, TRIPLES, TRIPLES, POINTS, TRIPLES, FLOATS, POINTS, TRIPLES, INTS, INTS, FLOATS, FLOATS,
    INT, FLOATS, INT, FLOAT, OUT_POINTS, OUT_INTS,
)  # fmt: skip
def find_corridor(
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures, owners, prices,
    start, start_triangle, goal, goal_triangle, thrift, line, ways,
):  # fmt: skip
    """Find the way from triangle to triangle that is cheapest through the middles of edges.

    Then it is pulled tight: between links, the triangles are laid into one plane.

    Parameters
    ----------
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures
        The mesh, see :mod:`walkmesh.query.surface.kernels.mesh`.
    owners, prices : (t,) int32 and (p,) float64
        The polygon of each triangle, and what a metre costs on each polygon.
    start, start_triangle, goal, goal_triangle : (3,) float64 and int
        From where to where, and the triangles that these lie on. [Unit: m]
    thrift : float
        The least that any metre costs, on foot or by link.
    line, ways : (2 t + 4, 3) float64 and (2 t + 4,) int32, output
        As of :func:`~walkmesh.query.surface.kernels.trace.trace_windows`.

    Returns
    -------
    int
        How many places there are; 0 if there is no way.
    """
    mesh = Mesh(points, triangles, halves, shapes, fans, turns, jumps, targets, departures)
    entries = np.empty(len(triangles), np.int32)
    if not _search(
        mesh, owners, prices, start, start_triangle, goal, goal_triangle, thrift, entries
    ):
        return 0
    # The steps from the goal back to the start, and then leg by leg forwards.
    steps = np.empty(len(triangles), np.int32)
    count, triangle = 0, goal_triangle
    while entries[triangle] != _AT_START:
        step = entries[triangle]
        steps[count] = step
        count += 1
        if step >= 0:
            triangle = halves[step, MATE] // 3
        else:
            triangle = targets[_BY_JUMP - step, FROM]
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
            ends[1, k] = goal[k] if begin == 0 else jumps[_BY_JUMP - steps[begin - 1], START + k]
        written = _pull_leg(
            mesh, steps, begin, stop, triangle, ends, rights, lefts, tight, line, ways, written
        )
        if begin == 0:
            return written
        jump = _BY_JUMP - steps[begin - 1]
        ways[written - 1] = -1 - jump
        triangle = targets[jump, TO]
        for k in range(3):
            ends[0, k] = jumps[jump, END + k]
        stop = begin - 1


@kernel
def _search(mesh, owners, prices, start, start_triangle, goal, goal_triangle, thrift, entries):
    """Search the goal's triangle, and tell whether there is a way; `entries` say how it leads."""
    halves, jumps, departures = mesh.halves, mesh.jumps, mesh.departures
    gone = np.full(len(mesh.triangles), np.inf)
    final = np.zeros(len(mesh.triangles), np.uint8)
    keys = np.empty(len(halves) + len(jumps) + 1, np.float64)
    items = np.empty(len(halves) + len(jumps) + 1, np.int32)
    here, there = np.empty(3, np.float64), np.empty(3, np.float64)
    gone[start_triangle], entries[start_triangle] = 0.0, _AT_START
    triangle, waiting = start_triangle, 0
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
                mate = halves[half, MATE]
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
                target = mesh.targets[j, TO]
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
            return False
        _, triangle = heap_pop(keys, items, waiting)
        waiting -= 1
    return True


@borrowing
def _middle(mesh, half, place):
    """Write the middle of a half."""
    a, b = ends_of(mesh, half)
    for k in range(3):
        place[k] = 0.5 * (mesh.points[a, k] + mesh.points[b, k])


@borrowing
def _away(a, b):
    return math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)


@shared_borrowing
def _pull_leg(
    mesh, steps, begin, stop, triangle, ends, rights, lefts, tight, line, ways, written
):  # fmt: skip
    """Write the shortest way on foot through a row of triangles, from one of `ends` to the other.

    Its steps are those from `stop` - 1 down to `begin`. Returns how many places are written.
    """
    shapes, gates = mesh.shapes, stop - begin
    for k in range(3):
        line[written, k] = ends[0, k]
    ways[written] = triangle
    if gates > 0:
        first = steps[stop - 1]
        length = shapes[first, LENGTH]
        x, y = in_frame(mesh, mesh.halves[first, MATE], ends[0, 0], ends[0, 1], ends[0, 2])
        _set(rights, 0, length - x, -y)
        _set(lefts, 0, length - x, -y)
        _set(lefts, 1, 0.0, 0.0)
        _set(rights, 1, length, 0.0)
        for gate in range(2, gates + 1):
            half, entry = steps[stop - gate], steps[stop - gate + 1]
            x, y = _unfold(
                mesh, entry, lefts, rights, gate - 1, shapes[entry, APEX_X], shapes[entry, APEX_Y]
            )
            _set(lefts, gate, lefts[gate - 1, 0], lefts[gate - 1, 1])
            _set(rights, gate, rights[gate - 1, 0], rights[gate - 1, 1])
            # It leads on to the right of the apex, or to the left.
            _set(lefts if mesh.halves[half, MATE] == following(entry) else rights, gate, x, y)
        last = steps[begin]
        x, y = in_frame(mesh, last, ends[1, 0], ends[1, 1], ends[1, 2])
        x, y = _unfold(mesh, last, lefts, rights, gates, x, y)
        _set(rights, gates + 1, x, y)
        _set(lefts, gates + 1, x, y)
        pull_tight(rights, lefts, gates + 2, tight)
        for gate in range(1, gates + 1):
            half = steps[stop - gate]
            a, b = ends_of(mesh, half)
            ex, ey = rights[gate, 0] - lefts[gate, 0], rights[gate, 1] - lefts[gate, 1]
            part = (tight[gate, 0] - lefts[gate, 0]) * ex + (tight[gate, 1] - lefts[gate, 1]) * ey
            square = ex * ex + ey * ey
            part = part / square if square > 0.0 else 0.0
            for k in range(3):
                line[written + gate, k] = mesh.points[a, k] + part * (
                    mesh.points[b, k] - mesh.points[a, k]
                )
            ways[written + gate] = half // 3
            triangle = half // 3
    for k in range(3):
        line[written + gates + 1, k] = ends[1, k]
    ways[written + gates + 1] = triangle
    return written + gates + 2


@borrowing
def _set(gates, gate, x, y):
    gates[gate, 0], gates[gate, 1], gates[gate, 2] = x, y, 0.0


@borrowing
def _unfold(mesh, half, lefts, rights, gate, x, y):
    """Return where a place in a half's frame is in the plane that its ends are laid into."""
    length = mesh.shapes[half, LENGTH]
    if length == 0.0:
        return lefts[gate, 0] + x, lefts[gate, 1] + y
    ux = (rights[gate, 0] - lefts[gate, 0]) / length
    uy = (rights[gate, 1] - lefts[gate, 1]) / length
    return lefts[gate, 0] + x * ux - y * uy, lefts[gate, 1] + x * uy + y * ux
