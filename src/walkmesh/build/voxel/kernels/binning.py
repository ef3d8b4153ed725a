"""Binning: which triangles reach into which tiles.

Tiles are only known by their keys, row times columns plus column, and looked up in a table: one
triangle far away makes billions of tiles, nearly all of them empty.
"""

import math

import numpy as np

from walkmesh.kernels.kernel import (
    FLOAT,
    INT,
    OUT_INTS,
    OUT_LONGS,
    OUT_TRIPLES,
    POINTS,
    TRIPLES,
    borrowing,
    kernel,
)
from walkmesh.kernels.search.hashing import hash_pair, table_size

# Of a triangle's ranges: its first and last tile along u and v.
_FIRST_ROW = 0
_LAST_ROW = 1
_FIRST_COL = 2
_LAST_COL = 3
RANGE_FIELDS = 4


@kernel(POINTS, TRIPLES, FLOAT, INT, INT, INT, INT, INT, INT, OUT_TRIPLES)
def find_ranges(points, triangles, cell, low_row, low_col, rows, cols, tile, margin, ranges):
    """Find the tiles that the boxes of triangles reach into, and return how many in all.

    Parameters
    ----------
    points : (n, 3) float64
        Positions as (u, v, h). [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    cell : float
        The side of a cell. [Unit: m]
    low_row, low_col : int
        The first row and column of cells of the first tile.
    rows, cols : int
        How many tiles there are along u and v.
    tile, margin : int
        The side of a tile, and how far around it one belongs to it as well. [Unit: cells]
    ranges : (m, RANGE_FIELDS) int32, output
        The first and last tile of each triangle, along u and v.
    """
    total = 0
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for axis in range(2):
            low = min(points[a, axis], points[b, axis], points[c, axis])
            high = max(points[a, axis], points[b, axis], points[c, axis])
            start, count = (low_row, rows) if axis == 0 else (low_col, cols)
            first = (math.floor(low / cell) - start - margin) // tile
            last = (math.floor(high / cell) - start + margin) // tile
            ranges[t, 2 * axis] = max(first, 0)
            ranges[t, 2 * axis + 1] = min(last, count - 1)
        total += (ranges[t, _LAST_ROW] - ranges[t, _FIRST_ROW] + 1) * (
            ranges[t, _LAST_COL] - ranges[t, _FIRST_COL] + 1
        )
    return total


@kernel(TRIPLES, INT, OUT_LONGS, OUT_INTS, OUT_INTS)
def fill_tiles(ranges, cols, keys, starts, items):
    """Sort triangles by tile, and return how many tiles have any.

    Parameters
    ----------
    ranges : (m, RANGE_FIELDS) int32
        The tiles of each triangle.
    cols : int
        How many tiles there are along v.
    keys : (k,) int64, output
        The tiles that have triangles, ascending.
    starts : (k + 1,) int32, output
        Where the triangles of each start.
    items : (i,) int32, output
        The triangles, ascending in each tile.
    """
    size = table_size(len(keys))
    table = np.full(size, -1, np.int32)
    counts = np.zeros(len(keys), np.int32)
    found = 0
    for t in range(len(ranges)):
        for row in range(ranges[t, _FIRST_ROW], ranges[t, _LAST_ROW] + 1):
            for col in range(ranges[t, _FIRST_COL], ranges[t, _LAST_COL] + 1):
                at = _place_of(table, keys, row, col, cols)
                if table[at] < 0:
                    table[at] = found
                    keys[found] = np.int64(row) * cols + col
                    found += 1
                counts[table[at]] += 1
    order = np.argsort(keys[:found])
    ends = np.empty(found, np.int32)
    starts[0] = 0
    for i in range(found):
        ends[order[i]] = starts[i]
        starts[i + 1] = starts[i] + counts[order[i]]
    for t in range(len(ranges)):
        for row in range(ranges[t, _FIRST_ROW], ranges[t, _LAST_ROW] + 1):
            for col in range(ranges[t, _FIRST_COL], ranges[t, _LAST_COL] + 1):
                here = table[_place_of(table, keys, row, col, cols)]
                items[ends[here]] = t
                ends[here] += 1
    keys[:found] = keys[:found][order]
    return found


@borrowing
def _place_of(table, keys, row, col, cols):
    """Return a tile's place in the table, or the free one where it belongs."""
    key = np.int64(row) * cols + col
    mask = len(table) - 1
    at = hash_pair(row, col, mask)
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + 1) & mask
    return at
