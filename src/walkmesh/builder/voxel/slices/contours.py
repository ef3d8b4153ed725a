"""Slices: the open spans partitioned into level regions, tile by tile, with their contours.

A region is a set of kept spans of one level that touch, if only at a point. Tiles are worked on
alone; what is kept of each are the corner points of its contours and the cells that go on in other
tiles. The contours of the merged regions do not tell how the scene was tiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.voxel.slices.kernels.merge import (
    chain_rings,
    find_first_corners,
    sort_stable,
    unite_border,
)
from walkmesh.builder.voxel.slices.kernels.tile import slice_spans
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from walkmesh.arrays import Bytes, Ids, Longs, Scalar
    from walkmesh.builder.voxel.kernels.window import Window

# Corner points where two cells of a region touch at a point only, by the cells around them.
_SLASH, _ANTISLASH = 6, 9


@dataclass(frozen=True)
class TileSlices:
    """What is left of a tile once its regions are known: no more than their corners and borders."""

    levels: Ids  # (t,): the level of each region [cell heights]
    cells: Longs  # (t,): how many cells of the tile each region has
    corners: Ids  # (k, 3): row, column and region of each corner point that this tile tells of
    # (k,): which of the cells around the corner point are of the region: 1, 2, 4 and 8 for those
    # towards (-row, -col), (-row, +col), (+row, -col) and (+row, +col)
    masks: Bytes
    # (b, 4): row, column, level and region of cells that touch their level in other tiles
    border: Ids


@dataclass(frozen=True)
class SliceContours:
    """The contours of level regions, on the lattice.

    Outer rings are counter-clockwise and holes clockwise seen from above, so that the region is to
    the left. Rings never cross. They may touch at points, others and themselves: cells that touch
    at a point only are not joined there, so a region can have several outer rings.

    Regions come by level, and then by their first corner point; a region's rings by their first
    points, so that the first one is an outer ring. A ring starts at its first point: that of the
    smallest row, and of the smallest column in it.
    """

    levels: Ids  # (r,): the level of each region [cell heights]
    region_rings: Ids  # (r + 1,): where each region's rings start
    ring_offsets: Ids  # (k + 1,): where each ring's points start
    points: Ids  # (c, 2): lattice points (row, col). No three in line follow each other
    cells: Longs  # (r,): how many cells each region has, which is the sum of the areas of its rings


def slice_tile(window: Window, cell_height: float) -> TileSlices:
    """Find the level regions of a tile; runs without the interpreter lock.

    Parameters
    ----------
    window : Window
        The open spans of the tile, and of one ring of columns around it at least.
    cell_height : float
        A span's level is its height in these, rounded. [m]
    """
    count = len(window.heights)
    levels = np.empty(count, dtype=np.int32)
    cells = np.empty(count, dtype=np.int64)
    corners = np.empty((4 * count, 3), dtype=np.int32)
    masks = np.empty(4 * count, dtype=np.uint8)
    border = np.empty((count, 4), dtype=np.int32)
    filled = np.empty(3, dtype=np.int64)
    slice_spans(window, float(cell_height), levels, cells, corners, masks, border, filled)
    regions, points, borders = (int(n) for n in filled)
    return TileSlices(
        levels[:regions].copy(),
        cells[:regions].copy(),
        corners[:points].copy(),
        masks[:points].copy(),
        border[:borders].copy(),
    )


def merge_slices(tiles: Iterable[TileSlices]) -> SliceContours:
    """Merge the regions of all tiles, and find their contours.

    Parameters
    ----------
    tiles : iterable of TileSlices
        In any order; their tiles cover the scene without overlap.

    Returns
    -------
    SliceContours
        The same, bit by bit, for any tiles.

    Raises
    ------
    ValueError
        When the corner points of all tiles do not pair up.
    """
    levels, cells, corners, masks = _merge_regions(list(tiles))
    corners, masks = _duplicate(corners, masks)
    # At a point that is there twice, the one with an edge towards +col is second in its row, and
    # the one with an edge towards +row in its column.
    rows, cols, regions = corners.T
    by_row = order_by(2 * cols + ((masks == 2) | (masks == 8)), rows, regions)
    by_col = order_by(2 * rows + ((masks == 4) | (masks == 8)), cols, regions)
    ring_offsets = np.empty(len(corners) + 1, dtype=np.int32)
    ring_regions = np.empty(len(corners), dtype=np.int32)
    points = np.empty((len(corners), 2), dtype=np.int32)
    rings = chain_rings(corners, masks, by_row, by_col, ring_offsets, ring_regions, points)
    if rings < 0:
        raise ValueError(
            "the tiles do not fit together: one is missing, or was made from other spans"
        )
    return SliceContours(
        levels,
        offsets_of(np.bincount(ring_regions[:rings], minlength=len(levels))),
        ring_offsets[: rings + 1].copy(),
        points,
        cells,
    )


def _merge_regions(tiles: list[TileSlices]) -> tuple[Ids, Longs, Ids, Bytes]:
    """Return levels and cells of the merged regions, in their order, and all corner points."""
    starts = offsets_of(np.array([len(tile.levels) for tile in tiles], dtype=np.int64))
    levels = _joined([tile.levels for tile in tiles], (0,), np.int32)
    cells = _joined([tile.cells for tile in tiles], (0,), np.int64)
    masks = _joined([tile.masks for tile in tiles], (0,), np.uint8)
    corners = _joined([tile.corners for tile in tiles], (0, 3), np.int32)
    corners[:, 2] += np.repeat(starts[:-1], [len(tile.corners) for tile in tiles])
    border = _joined([tile.border for tile in tiles], (0, 4), np.int32)
    border[:, 3] += np.repeat(starts[:-1], [len(tile.border) for tile in tiles])
    parents = np.empty(len(levels), dtype=np.int32)
    unite_border(border, parents)
    roots, merged = np.unique(parents, return_inverse=True)
    corners[:, 2] = merged[corners[:, 2]]

    first = np.empty((len(roots), 2), dtype=np.int32)
    find_first_corners(corners, first)
    order = np.lexsort((first[:, 1], first[:, 0], levels[roots]))
    ranks = np.empty(len(roots), dtype=np.int32)
    ranks[order] = np.arange(len(roots), dtype=np.int32)
    corners[:, 2] = ranks[corners[:, 2]]
    merged_cells = np.zeros(len(roots), dtype=np.int64)
    np.add.at(merged_cells, ranks[merged], cells)
    return levels[roots][order], merged_cells, corners, masks


def _joined(
    parts: list[NDArray[Scalar]], empty: tuple[int, ...], dtype: type[Scalar]
) -> NDArray[Scalar]:
    """Concatenate parts, of which there may be none."""
    return np.concatenate([np.empty(empty, dtype=dtype), *parts])


def order_by(*keys: Ids) -> Ids:
    """(n,) int32: the order by keys, of which the last one is the most important."""
    order = np.arange(len(keys[0]), dtype=np.int32)
    for key in keys:
        lowest = key.min(initial=0)
        sorted_order = np.empty_like(order)
        size = int(key.max(initial=0)) - int(lowest) + 1
        sort_stable(np.ascontiguousarray(key - lowest, dtype=np.int32), size, order, sorted_order)
        order = sorted_order
    return order


def _duplicate(corners: Ids, masks: Bytes) -> tuple[Ids, Bytes]:
    """Give each of two cells that touch at a point only a corner point of its own."""
    double = (masks == _SLASH) | (masks == _ANTISLASH)
    copies = np.repeat(np.arange(len(masks)), 1 + double)
    masks = masks[copies]
    second = np.flatnonzero(np.diff(copies, prepend=-1) == 0)
    slash = masks[second] == _SLASH
    masks[second] = np.where(slash, 4, 8)
    masks[second - 1] = np.where(slash, 2, 1)
    return corners[copies], masks
