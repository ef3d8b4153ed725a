"""Watershed regions: tile by tile, and put together so that no tile can be seen any more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.ragged import offsets_of
from walkmesh.build.voxel.kernels.edges import (
    collect_edges,
    collect_overlaps,
    collect_samples,
)
from walkmesh.build.voxel.kernels.loops import trace_loops
from walkmesh.build.voxel.kernels.patches import unite_regions
from walkmesh.build.voxel.kernels.watershed import flood_regions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.voxel.heightfield import Limits
    from walkmesh.build.voxel.window import Window

# Heights are looked at in every so many rows and columns at least. Between two of them the ground
# bends by less than the tolerance if its slope changes by less than the tolerance divided by this
# at each cell: a chord over n cells is n * n / 8 such changes from the ground.
_STRIDE = 8


@dataclass(frozen=True)
class TileRegions:
    """What is left of a tile once its regions are known.

    Attributes
    ----------
    cells : (r,) int64
        How many cells each region has.
    outer_keys, outer_labels, outer_points : (e, 2) int64, (e,) int32 and (e, 3) float64
        Edges at the edge of the ground, by their vertices; the region to the left of each, and
        where it starts, as (u, v, h). [Unit: m]
    inner_keys, inner_labels, inner_points : arrays
        The same for edges between regions, also to those of other tiles.
    overlaps : (o, 2) int32
        Regions that lie above each other.
    samples : (m, 3) int32
        Row, column and region of cells that the height has to be known at.
    sample_heights : (m,) float32
        The ground's height there. [Unit: m]
    """

    cells: NDArray[np.int64]
    outer_keys: NDArray[np.int64]
    outer_labels: Ids
    outer_points: Floats
    inner_keys: NDArray[np.int64]
    inner_labels: Ids
    inner_points: Floats
    overlaps: Ids
    samples: Ids
    sample_heights: NDArray[np.float32]


def flood_tile(
    window: Window, limits: Limits, cell: float, radius: float, height_tolerance: float
) -> TileRegions:
    """Find the regions of a tile, and collect their edges."""
    core = np.array(window.core, dtype=np.int32)
    core[:2] -= window.row0
    core[2:] -= window.col0
    count = len(window.kept)
    depth = np.empty(count, dtype=np.int32)
    labels = np.empty(count, dtype=np.int32)
    regions = flood_regions(
        window.first, window.neighbors, window.kept, window.rows, window.cols, core, depth, labels
    )
    size = (window.row0, window.col0, window.cols)
    room = np.array([8192, 8192])
    while True:
        outer_keys = np.empty((room[0], 2), dtype=np.int64)
        outer_labels = np.empty(room[0], dtype=np.int32)
        outer_points = np.empty((room[0], 3))
        inner_keys = np.empty((room[1], 2), dtype=np.int64)
        inner_labels = np.empty(room[1], dtype=np.int32)
        inner_points = np.empty((room[1], 3))
        filled = np.empty(2, dtype=np.int64)
        collect_edges(
            window.first, window.heights, window.neighbors, window.kept, limits.places,
            limits.lines, limits.nearest, *size, core, cell, radius, labels, outer_keys,
            outer_labels, outer_points, inner_keys, inner_labels, inner_points, filled,
        )  # fmt: skip
        if (filled <= room).all():
            break
        room = filled
    outer, inner = filled
    samples, sample_heights = _samples(window, core, labels, height_tolerance)
    return TileRegions(
        np.bincount(labels[labels >= 0], minlength=regions),
        outer_keys[:outer].copy(),
        outer_labels[:outer].copy(),
        outer_points[:outer].copy(),
        inner_keys[:inner].copy(),
        inner_labels[:inner].copy(),
        inner_points[:inner].copy(),
        _overlaps(window, core, labels),
        samples,
        sample_heights,
    )


def _samples(
    window: Window, core: Ids, labels: Ids, tolerance: float
) -> tuple[Ids, NDArray[np.float32]]:
    room = 4096
    while True:
        cells = np.empty((room, 3), dtype=np.int32)
        heights = np.empty(room, dtype=np.float32)
        count = collect_samples(
            window.first, window.heights, window.neighbors, window.kept, window.row0, window.col0,
            window.cols, core, tolerance / _STRIDE, _STRIDE, labels, cells.ravel(),
            heights,
        )  # fmt: skip
        if count <= room:
            return cells[:count].copy(), heights[:count].copy()
        room = int(count)


def _overlaps(window: Window, core: Ids, labels: Ids) -> Ids:
    room = 1024
    while True:
        pairs = np.empty((room, 2), dtype=np.int32)
        count = collect_overlaps(window.first, window.kept, window.cols, core, labels, pairs)
        if count <= room:
            return pairs[:count].copy()
        room *= 4


def _distinct(pairs: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """Return each pair of numbers once, in order, and how often it is there."""
    # As one number, which sorts many times faster than two.
    keys, counts = np.unique(pairs[:, 0] * np.int64(1 << 32) + pairs[:, 1], return_counts=True)
    return np.column_stack([keys >> 32, keys & 0xFFFFFFFF]).astype(np.int32), counts


@dataclass(frozen=True)
class Regions:
    """The regions of all tiles together.

    Attributes
    ----------
    cells : (r,) int64
        How many cells each has.
    patches : (r,) int32
        The patch of each: regions that hang together and lie nowhere above each other.
    components : (r,) int32
        Which of them hang together at all.
    loops : (l + 1,) int32
        Where each loop around the ground starts in the arrays of outer edges.
    outer_labels, outer_points, outer_keys : arrays
        The outer edges, loop by loop, the ground to their left.
    inner_keys, inner_points, inner_left, inner_right : arrays
        Edges between regions, each in both directions.
    samples, sample_heights : arrays
        Places to know the height at, with their regions.
    """

    cells: NDArray[np.int64]
    patches: Ids
    components: Ids
    loops: Ids
    outer_keys: NDArray[np.int64]
    outer_labels: Ids
    outer_points: Floats
    inner_keys: NDArray[np.int64]
    inner_points: Floats
    inner_left: Ids
    inner_right: Ids
    samples: Ids
    sample_heights: NDArray[np.float32]


def join_tiles(tiles: Sequence[TileRegions]) -> Regions:
    """Put the regions of all tiles together."""
    counts = [len(tile.cells) for tile in tiles]
    bases = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    cells = np.concatenate([tile.cells for tile in tiles])
    outer_keys = np.concatenate([tile.outer_keys for tile in tiles])
    outer_points = np.concatenate([tile.outer_points for tile in tiles])
    outer_labels = np.concatenate(
        [tile.outer_labels + base for tile, base in zip(tiles, bases, strict=False)]
    )
    inner_keys = np.concatenate([tile.inner_keys for tile in tiles])
    inner_points = np.concatenate([tile.inner_points for tile in tiles])
    inner_left = np.concatenate(
        [tile.inner_labels + base for tile, base in zip(tiles, bases, strict=False)]
    )
    overlaps = np.concatenate(
        [tile.overlaps + base for tile, base in zip(tiles, bases, strict=False)]
    )
    samples = np.concatenate([tile.samples for tile in tiles])
    samples[:, 2] += np.repeat(bases[:-1], [len(tile.samples) for tile in tiles])

    # The edge the other way round has the same two vertices.
    forward = np.lexsort((inner_keys[:, 1], inner_keys[:, 0]))
    backward = np.lexsort((inner_keys[:, 0], inner_keys[:, 1]))
    inner_right = np.empty_like(inner_left)
    inner_right[forward] = inner_left[backward]
    inner = forward[inner_left[forward] != inner_right[forward]]
    inner_keys, inner_points = inner_keys[inner], inner_points[inner]
    inner_left, inner_right = inner_left[inner], inner_right[inner]

    patches, components = _patches(len(cells), inner_left, inner_right, overlaps)

    order = np.argsort(outer_keys[:, 0], kind="stable")
    outer_keys, outer_points = outer_keys[order], outer_points[order]
    outer_labels = outer_labels[order]
    following = np.searchsorted(outer_keys[:, 0], outer_keys[:, 1]).astype(np.int32)
    chained = np.empty(len(order), dtype=np.int32)
    loops = np.empty(len(order) + 1, dtype=np.int32)
    count = trace_loops(following, chained, loops)
    return Regions(
        cells,
        patches,
        components,
        loops[: count + 1].copy(),
        outer_keys[chained],
        outer_labels[chained],
        outer_points[chained],
        inner_keys,
        inner_points,
        inner_left,
        inner_right,
        samples,
        np.concatenate([tile.sample_heights for tile in tiles]),
    )


def drop_small(regions: Regions, cell: float, min_area: float) -> tuple[Regions, dict[str, int]]:
    """Leave out regions that hang together with too few others.

    Parameters
    ----------
    cell : float
        The side of a cell. [Unit: m]
    min_area : float
        The area that connected regions must have together. [Unit: m2]

    Returns
    -------
    Regions
        Without the edges and samples of those.
    dict of str to int
        Counts: patches, and regions that were dropped.
    """
    area = np.bincount(regions.components, regions.cells, minlength=len(regions.cells))
    stays = area[regions.components] * (cell * cell) >= min_area
    sizes = np.diff(regions.loops)
    # All regions along a loop hang together.
    loops = stays[regions.outer_labels[regions.loops[:-1]]]
    outer = np.repeat(loops, sizes)
    inner, samples = stays[regions.inner_left], stays[regions.samples[:, 2]]
    counts = {
        "patches": len(np.unique(regions.patches[stays])),
        "small_regions": int(np.count_nonzero(~stays)),
    }
    left = replace(
        regions,
        loops=offsets_of(sizes[loops]),
        outer_keys=regions.outer_keys[outer],
        outer_labels=regions.outer_labels[outer],
        outer_points=regions.outer_points[outer],
        inner_keys=regions.inner_keys[inner],
        inner_points=regions.inner_points[inner],
        inner_left=regions.inner_left[inner],
        inner_right=regions.inner_right[inner],
        samples=regions.samples[samples],
        sample_heights=regions.sample_heights[samples],
    )
    return left, counts


def _patches(count: int, left: Ids, right: Ids, overlaps: Ids) -> tuple[Ids, Ids]:
    """Unite regions across their borders, the longest border first."""
    once = left < right
    pairs, lengths = _distinct(np.column_stack([left[once], right[once]]))
    borders = np.ascontiguousarray(pairs[np.argsort(-lengths, kind="stable")], dtype=np.int32)
    both = np.concatenate([overlaps, overlaps[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    starts = np.searchsorted(both[:, 0], np.arange(count + 1)).astype(np.int32)
    patches = np.empty(count, dtype=np.int32)
    unite_regions(borders, starts, np.ascontiguousarray(both[:, 1]), patches)
    components = np.empty(count, dtype=np.int32)
    nothing = np.zeros(count + 1, dtype=np.int32)
    unite_regions(borders, nothing, np.empty(0, dtype=np.int32), components)
    return patches, components
