"""Tile windows: what the parts of the voxel method hand on to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkmesh.arrays import Ids


@dataclass(frozen=True)
class Window:
    """The open spans of one tile and of the columns around it.

    The lattice cell (row, col) covers u from row to row + 1 and v from col to col + 1, in cells.
    There is at least one ring of columns around the tile, with the same spans as in the tiles they
    belong to; columns beyond the scene are empty.

    Parameters
    ----------
    row0, col0 : int
        Global lattice row and column of the window's first column.
    rows, cols : int
        Its size, margin included.
    core : tuple of int
        Row start, row stop, column start and column stop of the tile itself, on the global lattice.
    first : (rows * cols + 1,) int32
        Where each column's spans start, columns row by row.
    heights : (n,) float32
        Height of the ground at the middle of the cell, lowest first in a column. [m]
    neighbors : (n, 4) int32
        The span walked onto towards +row, +col, -row and -col; -1 where there is none.
    kept : (n,) uint8
        1 for spans of the navmesh: an agent's centre may be there.
    """

    row0: int
    col0: int
    rows: int
    cols: int
    core: tuple[int, int, int, int]
    first: Ids
    heights: NDArray[np.float32]
    neighbors: Ids
    kept: NDArray[np.uint8]
