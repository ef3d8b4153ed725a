"""Rooms: the ground of a tile in connected parts that are large enough to count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.voxel.kernels.spans import COVER, WALKABLE
from walkmesh.kernels.adjacency import label_components

if TYPE_CHECKING:
    from walkmesh.build.losses import Losses
    from walkmesh.build.voxel.heightfield import Columns


def room_area(columns: Columns, cell: float, losses: Losses) -> float:
    """Return the area of a tile's ground in connected parts of the window that are large enough.

    Parameters
    ----------
    cell : float
        The side of a cell. [Unit: m]
    losses : Losses
        Which say what is large enough.
    """
    window = columns.window
    walkable = columns.kinds == WALKABLE
    area = np.where(walkable, columns.opened[:, COVER], np.float32(0.0)).astype(np.float64)
    area *= cell * cell
    labels = np.empty(len(walkable), dtype=np.int32)
    offsets = np.arange(0, 4 * len(walkable) + 1, 4, dtype=np.int32)
    label_components(offsets, np.ascontiguousarray(window.neighbors.ravel()), labels)
    total = np.bincount(labels, weights=area)
    sides = np.bincount(labels, weights=np.count_nonzero(window.neighbors < 0, axis=1))
    large = losses.are_rooms(total, sides * cell)[labels]
    low_row, high_row, low_col, high_col = window.core
    rows = (np.arange(window.rows) + window.row0)[:, None]
    cols = (np.arange(window.cols) + window.col0)[None, :]
    inside = (rows >= low_row) & (rows < high_row) & (cols >= low_col) & (cols < high_col)
    of_tile = np.repeat(inside.ravel(), np.diff(window.first))
    return float(area[large & of_tile].sum())
