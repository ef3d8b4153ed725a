"""Searching a tree of boxes along a line: for what a box touches on its straight way.

Where the line runs askew, one box around all of the way would be nearly empty.
"""

from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import LEAF


@kernel
def gather_along(nodes, order, box, way, stack, items):
    """Find the items of all leaves that a box touches on its way, and return how many there are.

    The tree is one of :mod:`walkmesh.kernels.search.box_tree`. `box` is the box where it starts,
    `way`, (3,) float64, how far it is moved. The own boxes of items need not touch it.
    """
    leaves = (len(nodes) + 1) // 2
    stack[0], depth, count = 0, 1, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not touches_along(nodes, node, box, way):
            continue
        if node < leaves - 1:
            stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
            depth += 2
            continue
        first = (node - leaves + 1) * LEAF
        for place in range(first, min(first + LEAF, len(order))):
            items[count] = order[place]
            count += 1
    return count


@kernel
def touches_along(boxes, item, box, way):
    """Tell whether a box touches one of many on its way; it never touches an empty one.

    It does unless an axis separates them, or a direction across an axis and the way.
    """
    for k in range(3):
        low, high = box[k] + min(way[k], 0.0), box[k + 3] + max(way[k], 0.0)
        if not (boxes[item, k] <= high and boxes[item, k + 3] >= low):
            return False
    for k in range(3):
        x, y = (k + 1) % 3, (k + 2) % 3
        # Twice how far the middles are apart, and how wide both boxes are.
        off_x = boxes[item, x] + boxes[item, x + 3] - box[x] - box[x + 3]
        off_y = boxes[item, y] + boxes[item, y + 3] - box[y] - box[y + 3]
        wide_x = boxes[item, x + 3] - boxes[item, x] + box[x + 3] - box[x]
        wide_y = boxes[item, y + 3] - boxes[item, y] + box[y + 3] - box[y]
        if abs(off_x * way[y] - off_y * way[x]) > wide_x * abs(way[y]) + wide_y * abs(way[x]):
            return False
    return True
