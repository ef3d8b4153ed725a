"""Cells as meshes to look at: a square for every span."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.build.mesh import TriangleMesh
from walkmesh.build.voxel.kernels.window import Window  # noqa: TC001 - a NamedTuple's annotation
from walkmesh.ragged import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.frame import Frame

_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


class Shown(NamedTuple):
    """The spans of a tile that are looked at."""

    window: Window
    chosen: Bools  # (n,): which of its spans are wanted; those of margins are not
    values: Floats  # (n,): what there is to show about each span; NaN for nothing


def cell_mesh(shown: Iterable[Shown], cell: float, frame: Frame) -> tuple[TriangleMesh, Floats]:
    """Return two triangles for every chosen span of all tiles, and the value of each triangle.

    Parameters
    ----------
    cell : float
        The side of a cell. [Unit: m]
    """
    points: list[Floats] = [np.empty((0, 3))]
    values: list[Floats] = [np.empty(0)]
    for window, chosen, spans in shown:
        row0, col0, _, cols, low_row, high_row, low_col, high_col = window.extent
        column = owners_of(window.first)
        row, col = column // cols + row0, column % cols + col0
        inside = (row >= low_row) & (row < high_row) & (col >= low_col) & (col < high_col)
        taken = np.flatnonzero(chosen & inside)
        places = np.stack([row[taken], col[taken]], axis=1)[:, None] + _CORNERS
        heights = np.repeat(window.heights[taken], 4).reshape(-1, 4, 1)
        points.append(np.concatenate([places * cell, heights], axis=2).reshape(-1, 3))
        values.append(np.repeat(spans[taken], 2))
    vertices = np.concatenate(points)
    squares = np.arange(len(vertices), dtype=np.int32).reshape(-1, 4)
    triangles: Ids = squares[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    mesh = TriangleMesh(vertices, np.ascontiguousarray(triangles), frame)
    return mesh, np.concatenate(values)
