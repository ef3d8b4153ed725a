"""Path nodes: the cheapest way over them."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.heap import heap_pop, heap_push


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.FLOATS, kt.POINTS, kt.INTS, kt.INTS, kt.FLOAT,
    kt.FLOAT, kt.OUT_INTS, kt.OUT_INTS,
)  # fmt: skip
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
