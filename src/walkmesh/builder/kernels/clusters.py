"""Clusters: parts of edges that are near each other, on one level, and what else is near them."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.union_find import find_root, unite
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(kt.BYTES, kt.POINTS, kt.INTS, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.OUT_INTS)
def join_parts(active, boxes, order, nodes, distance, rise, firsts):
    """Put active parts that are near each other into one cluster.

    Parameters
    ----------
    active : (m,) uint8
        1 for the parts that have a gap in front of them.
    boxes, order, nodes : arrays
        A tree of boxes over the parts.
    distance, rise : float
        What is near, in plan and in height. [Unit: m]
    firsts : (m,) int32, output
        The first part of the cluster that each active part belongs to; -1 for the others.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    for part in range(len(active)):
        firsts[part] = part if active[part] else -1
    for part in range(len(active)):
        if not active[part]:
            continue
        _widen(boxes, part, distance, rise, box)
        near = gather_items(nodes, order, box, stack, found)
        for i in range(near):
            other = found[i]
            if other < part and active[other] and touches(boxes, other, box):
                unite(firsts, part, other)
    for part in range(len(active)):
        if active[part]:
            firsts[part] = find_root(firsts, part)


@kernel(kt.INTS, kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.OUT_TRIPLES)
def gather_members(parts, homes, boxes, order, nodes, distance, rise, members):
    """Find all parts near those of each cluster.

    Parameters
    ----------
    parts : (a,) int32
        Parts cluster by cluster.
    homes : (m,) int32
        The cluster of each.
    boxes, order, nodes, distance, rise
        As for :func:`join_parts`.
    members : (capacity, 2) int32, output
        A cluster and a part near it, once each; clusters in the order of `parts`.

    Returns
    -------
    int
        The number of rows of `members`; if it is more than the capacity, the rest is missing.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    seen = np.full(len(homes), -1, np.int32)
    count = 0
    for i in range(len(parts)):
        part = parts[i]
        _widen(boxes, part, distance, rise, box)
        near = gather_items(nodes, order, box, stack, found)
        for k in range(near):
            other = found[k]
            if seen[other] == homes[part] or not touches(boxes, other, box):
                continue
            seen[other] = homes[part]
            if count < len(members):
                members[count, 0], members[count, 1] = homes[part], other
            count += 1
    return count


@borrowing
def _widen(boxes, part, width, height, box):
    """Write the box of a part, larger by a width in plan and a height."""
    for k in range(3):
        margin = width if k < 2 else height
        box[k], box[k + 3] = boxes[part, k] - margin, boxes[part, k + 3] + margin
