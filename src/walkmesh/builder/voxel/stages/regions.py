"""Regions: what tiles have found is put together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.voxel.chains import Chains, renumbered
from walkmesh.builder.voxel.kernels.patches import unite_regions
from walkmesh.builder.voxel.kernels.tolerances import GRID
from walkmesh.builder.voxel.slices.contours import merge_slices
from walkmesh.builder.voxel.tiles import cell_mesh
from walkmesh.builder.voxel.watershed import label_spans
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Bools, Floats, Ids, Integers, Longs, Singles
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.smallest_part import SmallestPart
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.voxel.kernels.window import Window
    from walkmesh.builder.voxel.state import VoxelBuild
    from walkmesh.builder.voxel.watershed import TileRegions


def run(build: VoxelBuild) -> Stage:
    """Join watersheds, or slices, across the borders of tiles."""
    tiles, method = build.tiles, build.method
    joined, counts = _join_slices(build) if build.is_sliced else _join_watersheds(build)
    build.parts = []  # what is joined is not needed twice

    def label(window: Window) -> tuple[Floats, int]:
        if build.is_sliced:  # levels, which tiles share
            levels = np.floor(window.heights.astype(np.float64) / method.cell_height)
            return np.where(window.kept == 1, levels, 0.0), 0
        found = label_spans(window)
        return found.labels.astype(np.float64), found.regions

    def make_mesh() -> TriangleMesh:
        mesh, values = cell_mesh(tiles.labelled(label), method.cell_size, build.scene.frame)
        regions = values.astype(np.int32)
        return replace(mesh, regions=regions if joined is None else joined[regions])

    stage = build.made(make_mesh, clearance=tiles.clearance, **counts)
    return replace(stage, seconds=tiles.seconds_of(2))


def _join_watersheds(build: VoxelBuild) -> tuple[Ids | None, dict[str, int]]:
    """Join watershed regions; return what those of all tiles, in order, became, and counts."""
    losses = build.losses
    regions, counts, losses.free, losses.small = join_tiles(
        build.parts, build.method.cell_size, losses.least
    )
    build.regions, build.small_parts = regions, counts["small_components"]
    losses.check_any(regions.patches)
    losses.check_any(regions.loops.ends, after_patches=True)
    return regions.patches, counts


def _join_slices(build: VoxelBuild) -> tuple[Ids | None, dict[str, int]]:
    """Join slices, whose levels are the same in all tiles."""
    build.slices = merge_slices(build.parts)
    build.losses.check_any(build.slices.levels)
    return None, {"regions": len(build.slices.levels)}


@dataclass(frozen=True)
class JoinedRegions:
    """The regions of all tiles together."""

    # (r,): the patch of each: regions that hang together and lie nowhere above each other
    patches: Ids
    loops: Chains  # edges at the edge of the ground, loop by loop, the ground to their left
    # Edges between regions of different patches, each in both directions.
    inner_keys: Longs
    inner_points: Floats
    inner_left: Ids
    inner_right: Ids
    samples: Ids  # (m, 3): row, column and region of cells that the height has to be known at
    sample_heights: Singles  # (m,): the ground's height there [m]


def join_tiles(
    tiles: Sequence[TileRegions], cell: float, least: SmallestPart
) -> tuple[JoinedRegions, dict[str, int], float, float]:
    """Put the regions of all tiles together, without those that hang together with too few others.

    Parameters
    ----------
    cell : float
        The side of a cell. [Unit: m]
    least : SmallestPart
        What connected regions must measure together.

    Returns
    -------
    JoinedRegions
        Those that are left; numbers of others are not used.
    dict of str to int
        Counts: regions of all tiles, patches, connected parts, and those of them that were
        dropped.
    float
        The area of all regions. [Unit: m2]
    float
        That of those that were dropped. [Unit: m2]
    """
    bases = offsets_of(np.array([len(tile.cells) for tile in tiles]))[:-1]
    cells = np.concatenate([tile.cells for tile in tiles])
    keys = np.concatenate([tile.inner.keys for tile in tiles])
    points = np.concatenate([tile.inner.points for tile in tiles])
    left = renumbered([tile.inner.labels for tile in tiles], bases)
    overlaps = renumbered([tile.overlaps for tile in tiles], bases)
    inside = np.concatenate([tile.rights >= 0 for tile in tiles])
    right = np.where(inside, renumbered([tile.rights for tile in tiles], bases), np.int32(-1))
    # Between tiles, the edge the other way round has the same two vertices.
    between = np.flatnonzero(right < 0)
    forward = np.lexsort((keys[between, 1], keys[between, 0]))
    backward = np.lexsort((keys[between, 0], keys[between, 1]))
    right[between[forward]] = left[between[backward]]

    once = left < right
    borders, lengths = _distinct_pairs(np.column_stack([left[once], right[once]]))
    patches = _unite(len(cells), borders, lengths, overlaps)
    components = _unite(len(cells), borders, lengths, np.empty((0, 2), dtype=np.int32))
    area = np.bincount(components, cells, minlength=len(cells)) * (cell * cell)
    edges = renumbered([tile.outer.labels for tile in tiles], bases)
    corners = np.concatenate([tile.outer.points[:, :2] for tile in tiles]) * (cell / GRID)
    stays = least.hold(area, corners, components[edges])[components]

    # Only edges between patches are needed from here on.
    inner = np.flatnonzero(stays[left] & (patches[left] != patches[right]))
    samples, sample_heights = _join_samples(tiles, bases, stays)
    regions = JoinedRegions(
        patches,
        Chains.joined([tile.outer for tile in tiles], bases, stays),
        keys[inner],
        points[inner],
        left[inner],
        right[inner],
        samples,
        sample_heights,
    )
    counts = {
        "regions": len(cells),
        "patches": len(np.unique(patches[stays])),
        "components": len(np.unique(components[stays])),
        "small_components": len(np.unique(components[~stays])),
    }
    areas = cells * (cell * cell)
    return regions, counts, float(areas.sum()), float(areas[~stays].sum())


def _join_samples(tiles: Sequence[TileRegions], bases: Ids, stays: Bools) -> tuple[Ids, Singles]:
    """Return the samples of all tiles in regions that stay, and their heights.

    On rough ground there are more of them than of anything else, so none is copied twice.
    """
    sampled = [stays[tile.samples[:, 2] + base] for tile, base in zip(tiles, bases, strict=True)]
    count = sum(int(np.count_nonzero(chosen)) for chosen in sampled)
    samples, heights = np.empty((count, 3), dtype=np.int32), np.empty(count, dtype=np.float32)
    start = 0
    for tile, base, chosen in zip(tiles, bases, sampled, strict=True):
        stop = start + int(np.count_nonzero(chosen))
        samples[start:stop] = tile.samples[chosen]
        samples[start:stop, 2] += base
        heights[start:stop] = tile.sample_heights[chosen]
        start = stop
    return samples, heights


def _distinct_pairs(pairs: Ids) -> tuple[Ids, Longs]:
    """Return each pair of numbers once, in order, and how often it is there."""
    # As one number, which sorts many times faster than two.
    keys, counts = np.unique(pairs[:, 0] * np.int64(1 << 32) + pairs[:, 1], return_counts=True)
    return np.column_stack([keys >> 32, keys & 0xFFFFFFFF]).astype(np.int32), counts


def _unite(count: int, pairs: Ids, lengths: Integers, overlaps: Ids) -> Ids:
    """Unite regions across their borders, the longest border first; (count,) int32."""
    borders = np.ascontiguousarray(pairs[np.argsort(-lengths, kind="stable")], dtype=np.int32)
    both = np.concatenate([overlaps, overlaps[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    starts = np.searchsorted(both[:, 0], np.arange(count + 1)).astype(np.int32)
    patches = np.empty(count, dtype=np.int32)
    unite_regions(borders, starts, np.ascontiguousarray(both[:, 1]), patches)
    return patches
