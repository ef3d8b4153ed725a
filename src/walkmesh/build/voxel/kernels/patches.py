"""Patches: regions that hang together and lie nowhere above each other."""

import numpy as np

from walkmesh.kernels.adjacency import find_root
from walkmesh.kernels.kernel import INTS, OUT_INTS, TRIPLES, borrowing, kernel


@kernel(TRIPLES, INTS, INTS, OUT_INTS)
def unite_regions(borders, starts, above, patches):
    """Unite regions across their borders, unless parts of both lie above each other.

    Parameters
    ----------
    borders : (b, 2) int32
        Regions next to each other, in the order in which they are united.
    starts, above : (r + 1,) and (p,) int32
        The regions that lie above or below each.
    patches : (r,) int32, output
        One region of its patch, for each.
    """
    count = len(patches)
    # All regions of a patch as a linked list, so that its overlaps can be gone through.
    following = np.empty(count, np.int32)
    last = np.empty(count, np.int32)
    weight = np.empty(count, np.int32)
    for r in range(count):
        patches[r] = r
        following[r] = -1
        last[r] = r
        weight[r] = starts[r + 1] - starts[r]
    for i in range(len(borders)):
        a, b = find_root(patches, borders[i, 0]), find_root(patches, borders[i, 1])
        if a == b:
            continue
        if weight[a] > weight[b]:
            a, b = b, a
        if _overlap(patches, following, starts, above, a, b):
            continue
        root, other = min(a, b), max(a, b)
        patches[other] = root
        following[last[root]] = other
        last[root] = last[other]
        weight[root] += weight[other]
    for r in range(count):
        patches[r] = find_root(patches, r)


@borrowing
def _overlap(patches, following, starts, above, a, b):
    """Tell whether a region of patch a lies above or below one of patch b."""
    r = a
    while r >= 0:
        for i in range(starts[r], starts[r + 1]):
            if find_root(patches, above[i]) == b:
                return True
        r = following[r]
    return False
