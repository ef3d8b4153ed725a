"""A plan grid over edges that are split and joined, but stay where they are.

Every edge is entered, by its number, into all cells it runs through. Cells are hashed, and edges of
different cells may share a bucket: whoever looks measures the distance anyway. Nothing is ever
taken out: an edge that is no longer there is passed over, and one that was split is entered as two,
the longer part keeping the number. So only the shorter part is entered anew, and splitting a long
edge n times costs n log n entries instead of n squared.
"""

from collections import namedtuple

import numpy as np

from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.hashing import hash_pair, table_size

# buckets: the first entry of each, -1 if there is none. edges, after: the entries.
# filled: (1,) int64, the number of entries. origin_u, origin_v, cell: in metres.
EdgeGrid = namedtuple("EdgeGrid", "buckets edges after filled origin_u origin_v cell")


@kernel
def make_grid(entries, room, origin_u, origin_v, cell):
    """Make an empty grid for about `entries` entries, with `room` for more."""
    return EdgeGrid(
        np.full(table_size(entries), -1, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.zeros(1, np.int64),
        origin_u,
        origin_v,
        cell,
    )


@borrowing
def column_of(grid, u):
    """Return the column of cells that u is in; u must not lie before the origin."""
    return int((u - grid.origin_u) / grid.cell)


@borrowing
def row_of(grid, v):
    """Return the row of cells that v is in; v must not lie before the origin."""
    return int((v - grid.origin_v) / grid.cell)


@borrowing
def bucket_of(grid, column, row):
    """Return the bucket of a cell."""
    return hash_pair(column, row, len(grid.buckets) - 1)


@borrowing
def most_cells(au, av, bu, bv, cell):
    """Return how many cells a segment can touch at most."""
    return 3 + 2 * int(abs(bu - au) / cell) + int(abs(bv - av) / cell)


@borrowing
def insert_edge(grid, edge, au, av, bu, bv):
    """Enter an edge that runs from (au, av) to (bu, bv); False if there is no room."""
    if grid.filled[0] + most_cells(au, av, bu, bv, grid.cell) > len(grid.edges):
        return False
    if bu < au:
        au, av, bu, bv = bu, bv, au, av
    first, last = column_of(grid, au), column_of(grid, bu)
    for column in range(first, last + 1):
        # The rows that the part of the segment inside this column runs through.
        low, high = av, bv
        if column > first:
            start = grid.origin_u + column * grid.cell
            low = av + (bv - av) * min(max((start - au) / (bu - au), 0.0), 1.0)
        if column < last:
            end = grid.origin_u + (column + 1) * grid.cell
            high = av + (bv - av) * min(max((end - au) / (bu - au), 0.0), 1.0)
        for row in range(row_of(grid, min(low, high)), row_of(grid, max(low, high)) + 1):
            bucket = bucket_of(grid, column, row)
            entry = grid.filled[0]
            if entry == len(grid.edges):  # rounding made it touch one cell more
                return False
            grid.edges[entry], grid.after[entry] = edge, grid.buckets[bucket]
            grid.buckets[bucket] = entry
            grid.filled[0] += 1
    return True
