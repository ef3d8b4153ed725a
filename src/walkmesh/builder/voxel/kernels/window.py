"""Tile windows: what the parts of the voxel method hand on to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import types

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of an extent: the first row and column of a window on the lattice, and its size; then the tile's
# own rows and columns, from and to.
ROW0, COL0, ROWS, COLS, ROW_START, ROW_STOP, COL_START, COL_STOP = range(8)


class Window(NamedTuple):
    """The open spans of one tile and of the columns around it.

    The lattice cell (row, col) covers u from row to row + 1 and v from col to col + 1, in cells.
    There is at least one ring of columns around the tile, with the same spans as in the tiles they
    belong to; columns beyond the scene are empty.

    Attributes
    ----------
    extent : (8,) int64
        ROW0 to COL_STOP: where the window and the tile lie on the lattice.
    first : (rows * cols + 1,) int32
        Where each column's spans start, columns row by row.
    heights : (n,) float32
        Height of the ground at the middle of the cell, lowest first in a column. [m]
    neighbors : (n, 4) int32
        The span walked onto towards +row, +col, -row and -col; -1 where there is none.
    kept : (n,) uint8
        1 for spans of the navmesh: an agent's centre may be there.
    """

    extent: NDArray[np.int64]
    first: NDArray[np.int32]
    heights: NDArray[np.float32]
    neighbors: NDArray[np.int32]
    kept: NDArray[np.uint8]


# Declared writable, as they are made: arrays in a tuple are not taken for read-only ones.
WINDOW = types.NamedTuple(
    [kt.OUT_LONGS, kt.OUT_INTS, kt.OUT_SINGLES, kt.OUT_TRIPLES, kt.OUT_BYTES], Window
)


@borrowing
def tile_within(extent):
    """Return the tile's rows and columns, from and to, counted from the window's first ones."""
    return (
        extent[ROW_START] - extent[ROW0],
        extent[ROW_STOP] - extent[ROW0],
        extent[COL_START] - extent[COL0],
        extent[COL_STOP] - extent[COL0],
    )
