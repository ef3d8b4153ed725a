"""Regions: what tiles have found is put together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.voxel.cells import cell_mesh
from walkmesh.build.voxel.regions import join_tiles
from walkmesh.build.voxel.slices.contours import merge_slices
from walkmesh.build.voxel.watershed import label_spans

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.mesh import TriangleMesh
    from walkmesh.build.stage import Stage
    from walkmesh.build.voxel.kernels.window import Window
    from walkmesh.build.voxel.state import VoxelBuild


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
    """Join watershed regions.

    Returns
    -------
    (r,) int32
        What the regions of all tiles, one after the other, became together.
    dict of str to int
        Counts.
    """
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
