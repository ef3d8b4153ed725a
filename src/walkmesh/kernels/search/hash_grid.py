"""A hash grid: items in the square cells of a plane, or the cubic ones of space.

Cells are told by their whole numbers along each axis, which may be negative. Different cells may
share a bucket, so whoever looks into a cell measures, too. The items of a bucket come in the order
in which they were entered, the last one first::

    item = first_in(grid, column, row)
    while item >= 0:
        ...
        item = grid.links[item]
"""

from typing import NamedTuple

import numpy as np

from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.hashing import hash_pair, table_size


class HashGrid(NamedTuple):
    """Items by the buckets of their cells."""

    heads: np.ndarray  # (b,) int32: the last item of each bucket, -1 for none
    links: np.ndarray  # (n,) int32: the item before each in its bucket, -1 for none


@kernel
def make_hash_grid(count):
    """Return an empty grid with room for the items 0 to count - 1."""
    return HashGrid(np.full(table_size(count), -1, np.int32), np.empty(count, np.int32))


@borrowing
def first_in(grid, column, row):
    """Return the first item to look at in a cell; -1 if there is none."""
    return grid.heads[hash_cell(column, row, len(grid.heads) - 1)]


@borrowing
def enter(grid, item, column, row):
    """Enter an item into a cell."""
    _enter(grid, item, hash_cell(column, row, len(grid.heads) - 1))


@borrowing
def first_in_cube(grid, x, y, z):
    """Return the first item to look at in a cubic cell; -1 if there is none."""
    return grid.heads[_hash_cube(x, y, z, len(grid.heads) - 1)]


@borrowing
def enter_cube(grid, item, x, y, z):
    """Enter an item into a cubic cell."""
    _enter(grid, item, _hash_cube(x, y, z, len(grid.heads) - 1))


@borrowing
def hash_cell(column, row, mask):
    """Return the bucket of a cell, in 0..mask."""
    return hash_pair(column & 0x7FFFFFFF, row & 0x7FFFFFFF, mask)


@borrowing
def _hash_cube(x, y, z, mask):
    """Return the bucket of a cubic cell, in 0..mask.

    With a hash of all 64 bits of each number, welding took half as long again.
    """
    h = (x & 0xFFFFFFFF) * 73856093 ^ (y & 0xFFFFFFFF) * 19349663 ^ (z & 0xFFFFFFFF) * 83492791
    h ^= h >> 17
    return (h ^ (h >> 9)) & mask


@borrowing
def _enter(grid, item, bucket):
    grid.links[item] = grid.heads[bucket]
    grid.heads[bucket] = item
