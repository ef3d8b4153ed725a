"""Contours: the outlines of regions, straightened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.voxel.contours import outline_patches
from walkmesh.builder.voxel.ground import lay_ground
from walkmesh.builder.voxel.kernels.tolerances import CONTOUR_ERROR, CONTOUR_SHARE, WHOLE_LEVELS
from walkmesh.builder.voxel.slices.join import join_slices
from walkmesh.builder.voxel.slices.steps import drop_small_slices, lay_slices

if TYPE_CHECKING:
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.voxel.state import VoxelBuild

# Steps along a common edge get a link in every so many metres.
_LINK_SPACING = 1.0


def run(build: VoxelBuild) -> Stage:
    """Outline patches, or slices."""
    return _outline_slices(build) if build.is_sliced else _outline_watersheds(build)


def _outline_watersheds(build: VoxelBuild) -> Stage:
    method, agent, cell = build.method, build.agent, build.method.cell_size
    contours, counts = outline_patches(
        build.regions,
        cell,
        min(min(CONTOUR_ERROR, method.boundary_tolerance) * cell, CONTOUR_SHARE * agent.radius),
        method.height_tolerance / 2.0,
        agent.max_step / 2.0,
        agent.height,
    )
    build.contours = contours
    del build.regions  # which takes more memory than anything else
    bare = replace(
        contours,
        samples=contours.samples[:0].copy(),
        sample_heights=contours.sample_heights[:0].copy(),
        patch_samples=np.zeros_like(contours.patch_samples),
    )
    way, frame, workers = method.triangulation, build.scene.frame, build.workers
    return build.made(
        lambda: lay_ground(bare, cell, way, np.inf, frame, workers, _unheard)[0],
        clearance=agent.radius,
        **counts,
    )


def _outline_slices(build: VoxelBuild) -> Stage:
    method, agent, cell = build.method, build.agent, build.method.cell_size
    slices, losses = build.slices, build.losses
    joined = join_slices(
        slices,
        int(agent.max_step / method.cell_height + WHOLE_LEVELS),
        cell=cell,
        cell_height=method.cell_height,
        spacing=_LINK_SPACING,
        radius=agent.radius,
    )
    stays, dropped = drop_small_slices(joined, slices, cell, losses.least)
    losses.check_any(np.flatnonzero(stays), after_patches=True)
    cells = slices.cells * cell**2
    losses.free, losses.small = float(cells.sum()), float(cells[~stays].sum())
    build.joined_slices, build.stays = joined, stays
    way, frame, workers = method.triangulation, build.scene.frame, build.workers
    return build.made(
        lambda: lay_slices(joined, stays, cell, way, frame, workers, _unheard),
        clearance=agent.radius,
        vertices=len(joined.points),
        rings=len(joined.ring_offsets) - 1,
        **dropped,
    )


def _unheard(_: float) -> None:
    """Progress of what is only made to be looked at."""
