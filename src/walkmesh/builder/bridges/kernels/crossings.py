"""Lines that meet others anywhere but in their ends, on an integer grid, where that is exact."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.segments import meet_of
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(kt.LONGS_2D, kt.TRIPLES, kt.TREE, kt.OUT_BYTES)
def find_crossings(points, lines, tree, crossing):
    """Mark the lines that cross others, run along them, or have the end of another inside.

    Parameters
    ----------
    points : (n, 2) int64
        Places on the grid, all different.
    lines : (k, 2) int32
        The ends of each line; no two lines have both in common.
    tree : TREE
        Over the lines.
    crossing : (k,) uint8, output
        1 for those that do.
    """
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    for i in range(len(lines)):
        crossing[i] = 0
    for i in range(len(lines)):
        for k in range(6):
            box[k] = boxes[i, k]
        near = gather_items(nodes, order, box, stack, found)
        for place in range(near):
            j = found[place]
            if j > i and touches(boxes, j, box) and _meet(points, lines, i, j):
                crossing[i] = 1
                crossing[j] = 1


@borrowing
def _meet(points, lines, i, j):
    """Tell whether two lines meet anywhere but where both end."""
    p, q, r, s = lines[i, 0], lines[i, 1], lines[j, 0], lines[j, 1]
    return meet_of(
        points[p, 0], points[p, 1], points[q, 0], points[q, 1],
        points[r, 0], points[r, 1], points[s, 0], points[s, 1],
    )  # fmt: skip
