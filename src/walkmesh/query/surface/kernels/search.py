"""What a search for shortest ways along a surface keeps in mind: windows, roots and nodes.

See :mod:`walkmesh.query.surface.kernels.spread`.
"""

from collections import namedtuple

import numpy as np

from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.search.heap import heap_push
from walkmesh.query.surface.kernels import columns as col

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
    node = int(state[col.FREE_NODE])
    if node >= 0:
        state[col.FREE_NODE] = nodes[node, col.PARENT]
    else:
        node = int(state[col.NODES])
        if node < 0 or node >= len(nodes):
            state[col.NODES] = -1.0
            return -1
        state[col.NODES] = node + 1.0
    nodes[node, col.STEP], nodes[node, col.PARENT], nodes[node, col.USERS] = step, parent, 1
    if parent >= 0:
        nodes[parent, col.USERS] += 1
    return node


@borrowing
def release(search, node):
    """Free a node that nothing uses any more, and those before it likewise."""
    nodes = search.nodes
    while node >= 0 and nodes[node, col.USERS] == 0:
        parent = nodes[node, col.PARENT]
        nodes[node, col.PARENT] = int(search.state[col.FREE_NODE])
        search.state[col.FREE_NODE] = node
        node = parent
        if node >= 0:
            nodes[node, col.USERS] -= 1


@shared_borrowing
def add_root(search, kind, parent, where, through, x, y, z, far, came_from, key):
    """Add a root that waits to be looked around from."""
    root, roots, kinds = int(search.state[col.ROOTS]), search.roots, search.kinds
    if root >= len(roots):
        search.state[col.NODES] = -1.0
        return
    node = new_node(search, -1 - root, parent)
    if node < 0:
        return
    search.state[col.ROOTS] += 1.0
    roots[root, col.PLACE], roots[root, col.PLACE + 1], roots[root, col.PLACE + 2] = x, y, z
    roots[root, col.FAR], roots[root, col.CAME_FROM] = far, came_from
    kinds[root, col.KIND], kinds[root, col.WHERE] = kind, where
    kinds[root, col.THROUGH], kinds[root, col.NODE] = through, node
    push(search, key, -1 - root)


@borrowing
def push(search, key, item):
    """Let a window, or as -1 - r a root, wait."""
    heap_push(search.keys, search.items, int(search.state[col.WAITING]), key, item)
    search.state[col.WAITING] += 1.0


@borrowing
def known_way(search, fan):
    """Return how far a fan is known to be."""
    return search.nearest[fan, 0] if search.nearest[fan, 1] == search.state[col.STAMP] else np.inf
