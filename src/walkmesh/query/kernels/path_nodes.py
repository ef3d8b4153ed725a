"""Path nodes: how high they lie, how long the lines between them are, and the cheapest way."""

import math

import numpy as np

from walkmesh.kernels.kernel import (
    FLOAT,
    FLOATS,
    INTS,
    OUT_FLOATS,
    OUT_INTS,
    POINTS,
    TRIPLES,
    borrowing,
    kernel,
)
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.kernels.drape import ground_at, lay_down
from walkmesh.query.kernels.mesh import GROUND
from walkmesh.query.kernels.trace import measure


@kernel(POINTS, INTS, POINTS, TRIPLES, TRIPLES, OUT_FLOATS)
def find_heights(places, owners, points, triangles, polygons, heights):
    """Find how high the ground of given polygons is.

    Parameters
    ----------
    places : (n, 3) float64
        In the plan frame. [Unit: m]
    owners : (n,) int32
        The polygon on whose ground each of them is.
    points, triangles, polygons : (v, 3) float64, (t, 3) and (p + 1, 7) int32
        See :mod:`walkmesh.query.kernels.mesh`.
    heights : (n,) float64, output
        The height of the place itself where there is no ground. [Unit: m]
    """
    for i in range(len(places)):
        first, stop = polygons[owners[i], GROUND], polygons[owners[i] + 1, GROUND]
        heights[i] = ground_at(places, i, points, triangles, first, stop)


@kernel(POINTS, INTS, POINTS, TRIPLES, TRIPLES, TRIPLES, FLOAT, OUT_FLOATS)
def measure_lines(lines, owners, points, triangles, polygons, diagonals, tolerance, lengths):
    """Measure lines that are straight in plan along the ground.

    Parameters
    ----------
    lines : (n, 6) float64
        Where each starts and ends, in the plan frame. [Unit: m]
    owners : (n,) int32
        The polygon that each of them crosses.
    points, triangles, polygons, diagonals, tolerance
        As for :func:`~walkmesh.query.kernels.drape.lay_down`.
    lengths : (n,) float64, output
        [Unit: m]
    """
    largest = 0
    for i in range(len(lines)):
        largest = max(largest, polygons[owners[i] + 1, GROUND] - polygons[owners[i], GROUND])
    line, way = np.empty((2, 3), np.float64), np.empty(1, np.int32)
    relief, cuts = np.empty((1, 3), np.float64), np.empty((largest, 3), np.float64)
    profile = np.empty((4 * largest + 8, 3), np.float64)
    stack = np.empty((4 * largest + 8, 2), np.int32)
    draped = np.empty((4 * largest + 8, 3), np.float64)
    for i in range(len(lines)):
        way[0] = owners[i]
        for k in range(3):
            line[0, k], line[1, k] = lines[i, k], lines[i, 3 + k]
        count = lay_down(
            line, way, 1, points, triangles, polygons, diagonals, tolerance, relief, cuts, profile,
            stack, draped, 0,
        )  # fmt: skip
        lengths[i] = measure(draped, 0, count)


@kernel(POINTS, INTS, INTS, INTS, FLOATS, POINTS, INTS, INTS, FLOAT, FLOAT, OUT_INTS, OUT_INTS)
def search_nodes(
    places, offsets, targets, edges, costs, ends, starts, goals, direct, price, way, taken
):
    """Find the cheapest way over nodes (A*, Hart, Nilsson and Raphael 1968).

    Parameters
    ----------
    places : (n, 3) float64
        The nodes, in coordinates in which the straight way costs its length. [Unit: m]
    offsets : (n + 1,) int32
        Where the arcs from each node start.
    targets, edges, costs : (a,) int32, int32 and float64
        Of each arc, the node that it leads to, the edge that it is, and what it costs. [Unit: m]
    ends : (2, 3) float64
        Start and goal, likewise in coordinates. [Unit: m]
    starts, goals : (s,) and (g,) int32
        The nodes to which straight ways lead from the start, and from which to the goal.
    direct : float
        What the straight way from start to goal costs; infinite if there is none. [Unit: m]
    price : float
        The least that any arc costs for each metre that it leads on.
    way, taken : (n,) int32, output
        The nodes of the way, and for each of them the edge that leads there, -1 for the first.

    Returns
    -------
    count : int
        How many nodes there are on the way; -1 if there is none.
    cost : float
        What it costs. [Unit: m]
    """
    nodes = len(places)
    goal = nodes  # one more than there are nodes
    gone = np.full(nodes + 1, np.inf)
    before = np.full(nodes + 1, -1, np.int32)
    arrived = np.full(nodes + 1, -1, np.int32)
    settled = np.zeros(nodes + 1, np.uint8)
    at_goal = np.zeros(nodes, np.uint8)
    for node in goals:
        at_goal[node] = 1
    # Each arc is taken once at most, and so is each straight way.
    room = len(targets) + len(starts) + len(goals) + 1
    keys, items = np.empty(room, np.float64), np.empty(room, np.int32)
    waiting = 0
    if direct < np.inf:
        gone[goal] = direct
        heap_push(keys, items, waiting, direct, goal)
        waiting += 1
    for node in starts:
        gone[node] = _distance(places, node, ends, 0)
        key = gone[node] + price * _distance(places, node, ends, 1)
        heap_push(keys, items, waiting, key, node)
        waiting += 1
    while waiting > 0:
        _, here = heap_pop(keys, items, waiting)
        waiting -= 1
        if here == goal:
            break
        if settled[here]:
            continue
        settled[here] = 1
        if at_goal[here]:
            cost = gone[here] + _distance(places, here, ends, 1)
            if cost < gone[goal]:
                gone[goal], before[goal] = cost, here
                heap_push(keys, items, waiting, cost, goal)
                waiting += 1
        for arc in range(offsets[here], offsets[here + 1]):
            there = targets[arc]
            cost = gone[here] + costs[arc]
            if cost < gone[there] and not settled[there]:
                gone[there], before[there], arrived[there] = cost, here, edges[arc]
                key = cost + price * _distance(places, there, ends, 1)
                heap_push(keys, items, waiting, key, there)
                waiting += 1
    if gone[goal] == np.inf:
        return -1, np.inf
    count = 0
    node = before[goal]
    while node >= 0:
        count += 1
        node = before[node]
    node = before[goal]
    for place in range(count - 1, -1, -1):
        way[place], taken[place] = node, arrived[node]
        node = before[node]
    return count, gone[goal]


@borrowing
def _distance(places, node, ends, end):
    du, dv = places[node, 0] - ends[end, 0], places[node, 1] - ends[end, 1]
    dh = places[node, 2] - ends[end, 2]
    return math.sqrt(du * du + dv * dv + dh * dh)
