"""What a search for shortest ways along a surface keeps in mind: windows, roots and nodes.

See :mod:`walkmesh.query.surface.kernels.spread`.
"""

from collections import namedtuple

import numpy as np

from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.search.heap import heap_push

# Columns of `spans`: a window's piece of its half, the root in the half's frame, how far the root
# is from the start, and whether no other root can be seen to both sides of it.
B0, B1, ROOT_X, ROOT_Y, GONE, FIRM = range(6)
# Columns of `roots`: where it is in the world, how far from the start, and the direction in its fan
# that it was reached from, NaN for a start in all directions.
PLACE, FAR, CAME_FROM = 0, 3, 4
# Columns of `kinds`: what a root is; its triangle, fan or jump; the triangle that the way to it
# leads through; and its node.
KIND, WHERE, THROUGH, NODE = range(4)
FROM_POINT, FROM_FAN, FROM_JUMP = range(3)
# Columns of `nodes`, which tell how a search came where it is: the half that a window looks
# through, or -1 - r for root r; the node before, or of one that is free, the next free one; and how
# many use it: nodes and goals that it leads to, and its window or root while that waits.
STEP, PARENT, USERS = range(3)

# What a search ends with: all there is to find, or not enough room.
DONE, NO_ROOM = 0, -1

# Places of `state`: how many nodes, windows and roots there are, -1 nodes if there is no room for
# more, and how many windows and roots wait; the first free node and the first free window; the
# search's stamp; what counts as the same length [m]; the least that a metre costs, on foot or by
# link; how long ways may be that are still of use; and how many goals have not been seen.
NODES, WINDOWS, ROOTS, WAITING, FREE_NODE, FREE_WINDOW = range(6)
STAMP, TOLERANCE, THRIFT, BOUND, MISSING, STATE_SIZE = range(6, 12)
# What a search is for: one goal, which it heads for; many goals; or the boundary.
ONE_GOAL, MANY_GOALS, BOUNDARY = range(3)

# What a search keeps in mind. spans, holders: (w, 6) float64 and (w,) int32, the windows that wait
# and their nodes; those that were looked at are free for others.
# roots, kinds: (r, 5) float64 and (r, 4) int32.
# nodes: (m, 3) int32.
# keys, items: (w + r,) float64 and int32, a heap of windows and, as -1 - r, roots.
# nearest: (f + j, 3) float64, the shortest known way to each fan or over each jump, its stamp, and
# the stamp if a goal or a jump starts in a triangle of the fan.
# splits: (3 t, 3) float64, of the window that sees an apex from nearest: how far that is, where its
# ray crosses the half, and the stamp.
# wanted: (t, 2) float64, the first goal in each triangle, and the stamp.
# goals, chain, best, arrivals: (g, 3) float64, (g,) int32, (g,) float64 and (g,) int32: places, the
# next goal in the same triangle, the shortest known way and the node that leads there.
# state: (STATE_SIZE,) float64.
Search = namedtuple(
    "Search",
    "spans holders roots kinds nodes keys items nearest splits wanted goals chain best arrivals "
    "state aim",
)


@borrowing
def new_node(search, step, parent):
    """Return a new node after another, or -1 and leave the mark of a search that has no room."""
    nodes, state = search.nodes, search.state
    node = int(state[FREE_NODE])
    if node >= 0:
        state[FREE_NODE] = nodes[node, PARENT]
    else:
        node = int(state[NODES])
        if node < 0 or node >= len(nodes):
            state[NODES] = -1.0
            return -1
        state[NODES] = node + 1.0
    nodes[node, STEP], nodes[node, PARENT], nodes[node, USERS] = step, parent, 1
    if parent >= 0:
        nodes[parent, USERS] += 1
    return node


@borrowing
def release(search, node):
    """Free a node that nothing uses any more, and those before it likewise."""
    nodes = search.nodes
    while node >= 0 and nodes[node, USERS] == 0:
        parent = nodes[node, PARENT]
        nodes[node, PARENT] = int(search.state[FREE_NODE])
        search.state[FREE_NODE] = node
        node = parent
        if node >= 0:
            nodes[node, USERS] -= 1


@shared_borrowing
def add_root(search, kind, parent, where, through, x, y, z, far, came_from, key):
    """Add a root that waits to be looked around from."""
    root, roots, kinds = int(search.state[ROOTS]), search.roots, search.kinds
    if root >= len(roots):
        search.state[NODES] = -1.0
        return
    node = new_node(search, -1 - root, parent)
    if node < 0:
        return
    search.state[ROOTS] += 1.0
    roots[root, PLACE], roots[root, PLACE + 1], roots[root, PLACE + 2] = x, y, z
    roots[root, FAR], roots[root, CAME_FROM] = far, came_from
    kinds[root, KIND], kinds[root, WHERE] = kind, where
    kinds[root, THROUGH], kinds[root, NODE] = through, node
    push(search, key, -1 - root)


@borrowing
def push(search, key, item):
    """Let a window, or as -1 - r a root, wait."""
    heap_push(search.keys, search.items, int(search.state[WAITING]), key, item)
    search.state[WAITING] += 1.0


@borrowing
def known_way(search, fan):
    """Return how far a fan is known to be."""
    return search.nearest[fan, 0] if search.nearest[fan, 1] == search.state[STAMP] else np.inf
