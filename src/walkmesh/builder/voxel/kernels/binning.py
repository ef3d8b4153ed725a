"""Binning: which triangles reach into which tiles.

Tiles are only known by their keys, row times columns plus column, and looked up in a table: one
triangle far away makes billions of tiles, nearly all of them empty.
"""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.hashing import hash_pair, table_size

# Of the ranges of a triangle: its first and last tile along u and v.
_FIRST_ROW, _LAST_ROW, _FIRST_COL, _LAST_COL = range(4)


@kernel(
    kt.POINTS, kt.TRIPLES, kt.FLOAT, kt.LONGS, kt.OUT_TRIPLES, kt.OUT_LONGS, kt.OUT_INTS,
    kt.OUT_INTS, kt.OUT_LONGS,
)  # fmt: skip
def bin_triangles(points, triangles, cell, tiling, ranges, keys, starts, items, counts):
    """Sort triangles by the tiles that their boxes reach into.

    Parameters
    ----------
    points : (n, 3) float64
        Positions as (u, v, h). [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    cell : float
        The side of a cell. [Unit: m]
    tiling : (6,) int64
        The first row and column of cells of the first tile; how many tiles there are along u and
        v; the side of a tile, and how far around it one belongs to it as well. [Unit: cells]
    ranges : (m, 4) int32, in and out
        The tiles of each triangle, once they are counted.
    keys : (k,) int64, output
        The tiles that have triangles, ascending.
    starts : (k + 1,) int32, output
        Where the triangles of each start.
    items : (i,) int32, output
        The triangles, ascending in each tile.
    counts : (2,) int64, in and out
        How many triangles there are in all tiles together, 0 for them to be counted; and how many
        tiles have any.

    Returns
    -------
    bool
        Whether there was room for all items; otherwise only these are counted.
    """
    if counts[0] == 0:
        counts[0] = _find_ranges(points, triangles, cell, tiling, ranges)
    if counts[0] > len(items):
        return False
    cols = tiling[3]
    size = table_size(len(keys))
    table = np.full(size, -1, np.int32)
    amounts = np.zeros(len(keys), np.int32)
    found = 0
    for t in range(len(ranges)):
        for row in range(ranges[t, _FIRST_ROW], ranges[t, _LAST_ROW] + 1):
            for col in range(ranges[t, _FIRST_COL], ranges[t, _LAST_COL] + 1):
                at = _place_of(table, keys, row, col, cols)
                if table[at] < 0:
                    table[at] = found
                    keys[found] = np.int64(row) * cols + col
                    found += 1
                amounts[table[at]] += 1
    order = np.argsort(keys[:found])
    ends = np.empty(found, np.int32)
    starts[0] = 0
    for i in range(found):
        ends[order[i]] = starts[i]
        starts[i + 1] = starts[i] + amounts[order[i]]
    for t in range(len(ranges)):
        for row in range(ranges[t, _FIRST_ROW], ranges[t, _LAST_ROW] + 1):
            for col in range(ranges[t, _FIRST_COL], ranges[t, _LAST_COL] + 1):
                here = table[_place_of(table, keys, row, col, cols)]
                items[ends[here]] = t
                ends[here] += 1
    keys[:found] = keys[:found][order]
    counts[1] = found
    return True


@borrowing
def _find_ranges(points, triangles, cell, tiling, ranges):
    """Find the tiles that the boxes of triangles reach into, and return how many in all."""
    tile, margin = tiling[4], tiling[5]
    total = 0
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for axis in range(2):
            low = min(points[a, axis], points[b, axis], points[c, axis])
            high = max(points[a, axis], points[b, axis], points[c, axis])
            start, count = tiling[axis], tiling[2 + axis]
            first = (math.floor(low / cell) - start - margin) // tile
            last = (math.floor(high / cell) - start + margin) // tile
            ranges[t, 2 * axis] = max(first, 0)
            ranges[t, 2 * axis + 1] = min(last, count - 1)
        total += (ranges[t, _LAST_ROW] - ranges[t, _FIRST_ROW] + 1) * (
            ranges[t, _LAST_COL] - ranges[t, _FIRST_COL] + 1
        )
    return total


@borrowing
def _place_of(table, keys, row, col, cols):
    """Return a tile's place in the table, or the free one where it belongs."""
    key = np.int64(row) * cols + col
    mask = len(table) - 1
    at = hash_pair(row, col, mask)
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + 1) & mask
    return at
