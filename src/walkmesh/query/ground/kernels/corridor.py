"""The corridor: which polygons a path leads through (A*), measured through the middles of sides."""

import math

from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.steps import FROM_START, NO_ROOM, NO_WAY, reverse
from walkmesh.query.kernels.jumps import COST, END_U, END_V, START_U, START_V


@shared_borrowing
def find_corridor(mesh, scratch, stamp, start, u, v, goal, goal_u, goal_v, thrift, pruned):
    """Find the way from polygon to polygon that is cheapest through the middles of their sides.

    The arguments are those of :func:`~walkmesh.query.ground.kernels.polyanya.find_shortest`, where
    `thrift` is the least that any metre costs, on foot or by link. The steps to each polygon are
    left in `entries`. Returns the goal, or a code.
    """
    keys, items, gone, entries = scratch.keys, scratch.items, scratch.gone, scratch.entries
    gone[start, 0], gone[start, 1] = 0.0, stamp
    entries[start] = FROM_START
    polygon, waiting = start, 0
    while polygon != goal:
        if gone[polygon, 2] != stamp:
            gone[polygon, 2] = stamp
            here_u, here_v = u, v
            entry = entries[polygon]
            if entry >= 0:
                here_u, here_v = _middle(mesh, entry)
            elif entry != FROM_START:
                jump = FROM_START - 1 - entry
                here_u, here_v = mesh.jumps[jump, END_U], mesh.jumps[jump, END_V]
            first, stop = mesh.polygons[polygon, col.FIRST], mesh.polygons[polygon + 1, col.FIRST]
            jump, last = mesh.polygons[polygon, col.JUMPS], mesh.polygons[polygon + 1, col.JUMPS]
            if waiting + (stop - first) + (last - jump) > len(keys):
                return NO_ROOM
            price = mesh.costs[polygon]
            for side in range(first, stop):
                there = mesh.sides[side, col.NEIGHBOR]
                if there < 0 or gone[there, 2] == stamp:
                    continue
                if pruned and scratch.marks[mesh.sides[side, col.BLOCK]] != stamp:
                    continue
                mu, mv = _middle(mesh, side)
                way = price * math.sqrt((mu - here_u) ** 2 + (mv - here_v) ** 2)
                whole = gone[polygon, 0] + way
                if gone[there, 1] != stamp or whole < gone[there, 0]:
                    gone[there, 0], gone[there, 1] = whole, stamp
                    entries[there] = side
                    rest = math.sqrt((goal_u - mu) ** 2 + (goal_v - mv) ** 2)
                    heap_push(keys, items, waiting, whole + thrift * rest, there)
                    waiting += 1
            while jump < last:
                there = mesh.targets[jump, col.POLYGON]
                if not pruned or scratch.marks[mesh.targets[jump, col.JUMP_BLOCK]] == stamp:
                    mu, mv = mesh.jumps[jump, START_U], mesh.jumps[jump, START_V]
                    way = price * math.sqrt((mu - here_u) ** 2 + (mv - here_v) ** 2)
                    whole = gone[polygon, 0] + way + mesh.jumps[jump, COST]
                    if gone[there, 2] != stamp and (
                        gone[there, 1] != stamp or whole < gone[there, 0]
                    ):
                        gone[there, 0], gone[there, 1] = whole, stamp
                        entries[there] = FROM_START - 1 - jump
                        mu, mv = mesh.jumps[jump, END_U], mesh.jumps[jump, END_V]
                        rest = math.sqrt((goal_u - mu) ** 2 + (goal_v - mv) ** 2)
                        heap_push(keys, items, waiting, whole + thrift * rest, there)
                        waiting += 1
                jump += 1
        if waiting == 0:
            return NO_WAY
        _, polygon = heap_pop(keys, items, waiting)
        waiting -= 1
    return goal


@borrowing
def list_corridor(mesh, entries, goal, steps):
    """Write the steps (sides and jumps) that lead to a polygon, in order, and return how many."""
    count = 0
    polygon = goal
    while entries[polygon] != FROM_START:
        step = entries[polygon]
        if count == len(steps):
            return NO_ROOM
        steps[count] = step
        count += 1
        if step >= 0:
            polygon = mesh.sides[mesh.sides[step, col.MATE], col.NEIGHBOR]
        else:
            polygon = mesh.targets[FROM_START - 1 - step, col.ORIGIN]
    reverse(steps, count)
    return count


@borrowing
def _middle(mesh, side):
    """Return the middle of a side that two polygons share."""
    a, b = mesh.sides[side, col.VERTEX], mesh.sides[mesh.sides[side, col.MATE], col.VERTEX]
    points = mesh.points
    return 0.5 * (points[a, 0] + points[b, 0]), 0.5 * (points[a, 1] + points[b, 1])
