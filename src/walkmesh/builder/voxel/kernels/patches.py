"""Patches: regions that hang together and lie nowhere above each other."""

import numpy as np

from walkmesh.builder.voxel.kernels.window import COLS, WINDOW, tile_within
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.union_find import find_root, point_at_roots, separate
from walkmesh.kernels.search.hashing import hash_pair, table_size


@kernel(WINDOW, kt.INTS, kt.OUT_TRIPLES)
def collect_overlaps(window, labels, pairs):
    """Collect regions that lie above each other, each pair once, and return how many there are.

    Parameters
    ----------
    window : Window
        The open spans.
    labels : (n,) int32
        The region of each span.
    pairs : (p, 2) int32, output
        The pairs, the lower region first.

    Returns
    -------
    int
        The number of pairs, or one more than there is room for.
    """
    table = np.full(table_size(len(pairs) + 1), -1, np.int32)
    mask = len(table) - 1
    count = 0
    last_low, last_high = -1, -1
    first, kept, cols = window.first, window.kept, window.extent[COLS]
    low_row, high_row, low_col, high_col = tile_within(window.extent)
    for row in range(low_row, high_row):
        for col in range(low_col, high_col):
            column = row * cols + col
            for s in range(first[column], first[column + 1]):
                if kept[s] == 0:
                    continue
                for other in range(s + 1, first[column + 1]):
                    if kept[other] == 0:
                        continue
                    low = min(labels[s], labels[other])
                    high = max(labels[s], labels[other])
                    if low == last_low and high == last_high:
                        continue
                    last_low, last_high = low, high
                    at = hash_pair(low, high, mask)
                    while table[at] >= 0 and (
                        pairs[table[at], 0] != low or pairs[table[at], 1] != high
                    ):
                        at = (at + 1) & mask
                    if table[at] < 0:
                        if count == len(pairs):
                            return count + 1
                        pairs[count, 0], pairs[count, 1] = low, high
                        table[at] = count
                        count += 1
    return count


@kernel(kt.TRIPLES, kt.INTS, kt.INTS, kt.OUT_INTS)
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
    separate(patches)
    for r in range(count):
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
    point_at_roots(patches)


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
