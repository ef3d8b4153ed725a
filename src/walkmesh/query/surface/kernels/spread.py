r"""Shortest ways along a surface, by unfolding it (Chen and Han 1990; Xin and Wang 2009).

A *window* is a piece of a half, all of which is seen in a straight line from one *root*: the start,
a vertex that the way turns at, or the end of a link. What lies between is laid into the plane of
the half's frame, where the root is below the half and the triangle that is looked into above. What
is seen of the triangle's other two sides are windows again::

                 apex
                 / \
                /   \
        left   /  .  \   right
              / .   . \
            b0 ------- b1      the piece of the half
               \     /
                \   /
                root

Shortest ways only turn at vertices with more than a full turn of ground around them (saddles), or
more than half a turn at the boundary; those become roots once the way there is known.

Windows would be too many, but most of them have no use. A way that leads over a vertex of the last
two triangles is often shorter for all of a window, and of all windows that see an apex through the
same half, only the nearest has to go on at both sides of it. With links that holds only where the
nearest has a vertex as root: around a root inside a triangle, others see something at both sides.

A search is in these files, each of which imports those before it: `search` (what it keeps in mind),
`bounds` (which windows have no use), `goals`, `windows`, `roots`, and this one. What was found,
:mod:`walkmesh.query.surface.kernels.trace` lists.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.heap import heap_pop
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.goals import place_goals
from walkmesh.query.surface.kernels.mesh import HalfMesh
from walkmesh.query.surface.kernels.roots import look_around
from walkmesh.query.surface.kernels.search import Search, add_root, release
from walkmesh.query.surface.kernels.windows import look_through

# How many windows are looked at between two looks at how far the farthest goal is.
_LOOKS_BETWEEN = 256


@kernel(
    kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.POINTS, kt.TRIPLES, kt.FLOATS, kt.POINTS, kt.TRIPLES,
    kt.INTS, kt.FLOATS, kt.INT, kt.POINTS, kt.INTS, kt.INT, kt.OUT_POINTS, kt.OUT_INTS,
    kt.OUT_POINTS, kt.OUT_TRIPLES, kt.OUT_TRIPLES, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_POINTS,
    kt.OUT_POINTS, kt.OUT_POINTS, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_FLOATS,
)  # fmt: skip
def spread_windows(
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures, start, triangle,
    goals, goal_triangles, aim, spans, holders, roots, kinds, nodes, keys, items, nearest, splits,
    wanted, best, arrivals, state,
):  # fmt: skip
    """Search the shortest ways from a place to others, or to the boundary.

    Mesh and scratch come array by array: packed into few, the search takes half as long again.

    Parameters
    ----------
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures
        The mesh, see :mod:`walkmesh.query.surface.kernels.mesh`.
    start, triangle : (3,) float64 and int
        Where to start, and the triangle that it lies on. [Unit: m]
    goals, goal_triangles : (g, 3) float64 and (g,) int32
        Likewise; -1 for a goal that cannot be reached.
    aim : int
        What is searched.
    spans, holders, roots, kinds, nodes, keys, items, nearest, splits, wanted : scratch
    best, arrivals : (g,) float64 and int32, output
        How far each goal is, infinite if it was not reached, and the node that leads there. For the
        boundary, one for it; where there is not enough room, the shortest way so far. [Unit: m]
    state : (STATE_SIZE,) float64
        With the stamp of the last search, the tolerance and the thrift filled in.

    Returns
    -------
    int
        How it ended.
    """
    mesh = HalfMesh(points, triangles, halves, shapes, fans, turns, jumps, targets, departures)
    chain = np.empty(len(goals), np.int32)
    search = Search(
        spans, holders, roots, kinds, nodes, keys, items, nearest, splits, wanted, goals, chain,
        best, arrivals, state, aim,
    )  # fmt: skip
    state[col.STAMP] += 1.0
    for k in range(col.NODES, col.WAITING + 1):
        state[k] = 0.0
    state[col.FREE_NODE], state[col.FREE_WINDOW] = -1.0, -1.0
    state[col.BOUND], state[col.MISSING] = np.inf, 0.0
    place_goals(mesh, search, goal_triangles)
    if aim != col.BOUNDARY and state[col.MISSING] == 0.0:
        return col.DONE
    add_root(
        search, col.FROM_POINT, -1, triangle, triangle, start[0], start[1], start[2], 0.0, np.nan,
        0.0,
    )  # fmt: skip
    looked = 0
    while state[col.WAITING] > 0.0:
        key, item = heap_pop(keys, items, int(state[col.WAITING]))
        state[col.WAITING] -= 1.0
        if aim == col.MANY_GOALS and state[col.MISSING] == 0.0:
            if looked % _LOOKS_BETWEEN == 0:
                farthest = 0.0
                for k in range(len(goals)):
                    if arrivals[k] >= 0:
                        farthest = max(farthest, best[k])
                state[col.BOUND] = farthest
            looked += 1
        if key >= state[col.BOUND]:
            break
        if item >= 0:
            node = holders[item]
            look_through(mesh, search, item, node, key)
            holders[item] = int(state[col.FREE_WINDOW])
            state[col.FREE_WINDOW] = item
        else:
            node = kinds[-1 - item, col.NODE]
            look_around(mesh, search, -1 - item, node, key)
        if state[col.NODES] < 0.0:
            if aim == col.BOUNDARY:
                best[0] = state[col.BOUND]
            return col.NO_ROOM
        nodes[node, col.USERS] -= 1
        release(search, node)
    if aim == col.BOUNDARY:
        best[0] = state[col.BOUND]
    return col.DONE
