"""A tree of boxes for finding what is near: items in Morton order under a complete binary tree.

Items are sorted along a Morton curve and cut into leaves of `LEAF` items; the leaves, their number
rounded up to a power of two, are the bottom row of a complete binary tree in heap order: node i
has the children 2 i + 1 and 2 i + 2. Nothing but boxes is stored, and neither a stray item far
away nor very unequal sizes make it slow, as they would a grid.

A box is six numbers: lowest u, v, h and highest u, v, h.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

LEAF = 4
DEPTH_LIMIT = 64


@kernel(kt.POINTS, kt.INTS, kt.OUT_POINTS)
def fit_nodes(boxes, order, nodes):
    """Fit the box of every node around its items; a node without items is empty.

    Parameters
    ----------
    boxes : (n, 6) float64
        One box for each item.
    order : (n,) int32
        Items in the order of the leaves.
    nodes : (2 l - 1, 6) float64, output
        Boxes of the nodes, for l leaves.
    """
    leaves = (len(nodes) + 1) // 2
    for node in range(len(nodes) - 1, -1, -1):
        for k in range(3):
            nodes[node, k], nodes[node, k + 3] = np.inf, -np.inf
        if node >= leaves - 1:
            start = (node - leaves + 1) * LEAF
            for i in range(start, min(start + LEAF, len(order))):
                _enclose(nodes, node, boxes, order[i])
        else:
            _enclose(nodes, node, nodes, 2 * node + 1)
            _enclose(nodes, node, nodes, 2 * node + 2)


@kernel
def _enclose(nodes, node, boxes, box):
    for k in range(3):
        nodes[node, k] = min(nodes[node, k], boxes[box, k])
        nodes[node, k + 3] = max(nodes[node, k + 3], boxes[box, k + 3])


@kernel
def gather_items(nodes, order, box, stack, items):
    """Find the items of all leaves that a box touches, and return how many there are.

    They are in the first places of `items`; their own boxes need not touch the box. `stack` is
    scratch, (DEPTH_LIMIT,) int32.
    """
    count = 0
    start, depth = _first_leaf(nodes, box, stack)
    while start >= 0:
        for place in range(start, min(start + LEAF, len(order))):
            items[count] = order[place]
            count += 1
        start, depth = _next_leaf(nodes, box, stack, depth)
    return count


@kernel
def _first_leaf(nodes, box, stack):
    """Find the first leaf that a box touches, see :func:`_next_leaf`."""
    stack[0] = 0
    return _next_leaf(nodes, box, stack, 1)


@kernel
def _next_leaf(nodes, box, stack, depth):
    """Find the next leaf that a box touches.

    Returns the place of its first item, -1 if there is no such leaf; and how many nodes are still
    on the stack.
    """
    leaves = (len(nodes) + 1) // 2
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not touches(nodes, node, box):
            continue
        if node >= leaves - 1:
            return (node - leaves + 1) * LEAF, depth
        stack[depth] = 2 * node + 1
        stack[depth + 1] = 2 * node + 2
        depth += 2
    return -1, depth


@kernel(kt.POINTS, kt.POINTS, kt.INTS, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES)
def find_close(queries, boxes, order, nodes, width, height, close):
    """Tell which boxes are close to any box of a tree.

    Parameters
    ----------
    queries : (n, 6) float64
        The boxes to look from. [Unit: m]
    boxes, order, nodes
        The tree.
    width, height : float
        How far away is close, in plan and in height. [Unit: m]
    close : (n,) uint8, output
        1 for those that are.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    box = np.empty(6, np.float64)
    for i in range(len(queries)):
        for k in range(3):
            margin = width if k < 2 else height
            box[k], box[k + 3] = queries[i, k] - margin, queries[i, k + 3] + margin
        close[i] = 1 if _touches_any(boxes, order, nodes, box, stack) else 0


@kernel
def _touches_any(boxes, order, nodes, box, stack):
    """Tell whether a box touches any of a tree's."""
    start, depth = _first_leaf(nodes, box, stack)
    while start >= 0:
        for place in range(start, min(start + LEAF, len(order))):
            if touches(boxes, order[place], box):
                return True
        start, depth = _next_leaf(nodes, box, stack, depth)
    return False


@kernel
def touches(boxes, item, box):
    """Tell whether one of many boxes touches a box."""
    touching = True
    for k in range(3):
        touching = touching and boxes[item, k] <= box[k + 3] and boxes[item, k + 3] >= box[k]
    return touching


@kernel
def box_distance(boxes, box, u, v, h):
    """Return the square of the distance from a point to a box; infinite for an empty one."""
    du = max(boxes[box, 0] - u, u - boxes[box, 3], 0.0)
    dv = max(boxes[box, 1] - v, v - boxes[box, 4], 0.0)
    dh = max(boxes[box, 2] - h, h - boxes[box, 5], 0.0)
    return du * du + dv * dv + dh * dh
