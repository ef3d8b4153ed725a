"""Cells as meshes to look at: a square for every span."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.voxel.window import Window
    from walkmesh.frame import Frame

_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


def cell_mesh(
    windows: Iterable[tuple[Window, NDArray[np.bool_]]], cell: float, frame: Frame
) -> TriangleMesh:
    """Return two triangles for every chosen span of tiles.

    Parameters
    ----------
    windows : iterable of Window and (n,) bool
        The windows of all tiles, and which of their spans are wanted; those of margins are not.
    cell : float
        The side of a cell. [Unit: m]
    """
    points: list[Floats] = [np.empty((0, 3))]
    for window, chosen in windows:
        column = np.repeat(np.arange(window.rows * window.cols), np.diff(window.first))
        row, col = column // window.cols + window.row0, column % window.cols + window.col0
        low_row, high_row, low_col, high_col = window.core
        inside = (row >= low_row) & (row < high_row) & (col >= low_col) & (col < high_col)
        taken = np.flatnonzero(chosen & inside)
        places = np.stack([row[taken], col[taken]], axis=1)[:, None] + _CORNERS
        heights = np.repeat(window.heights[taken], 4).reshape(-1, 4, 1)
        points.append(np.concatenate([places * cell, heights], axis=2).reshape(-1, 3))
    vertices = np.concatenate(points)
    squares = np.arange(len(vertices), dtype=np.int32).reshape(-1, 4)
    triangles: Ids = squares[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return TriangleMesh(vertices, np.ascontiguousarray(triangles), frame)
