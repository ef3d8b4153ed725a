"""The heightfield: columns of solid spans, and what of them one can stand on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from walkmesh.builder.faces import filter_slope
from walkmesh.builder.losses import Losses
from walkmesh.builder.smallest_part import SmallestPart
from walkmesh.builder.voxel.kernels.tolerances import (
    CLEAR_PART,
    LEAST_CLEARANCE,
    OFF_LINE,
    OVERHANG,
)
from walkmesh.builder.voxel.slices.contours import slice_tile
from walkmesh.builder.voxel.tiles import TiledStages, cell_mesh
from walkmesh.builder.voxel.watershed import flood_tile

if TYPE_CHECKING:
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.voxel.kernels.distance import GroundLimits
    from walkmesh.builder.voxel.kernels.window import Window
    from walkmesh.builder.voxel.state import VoxelBuild


def run(build: VoxelBuild) -> Stage:
    """Take every tile from its triangles to its regions."""
    method, agent, scene = build.method, build.agent, build.scene
    faces = filter_slope(scene, agent, method.sides)
    least = SmallestPart.of(method.min_patch_area, agent)
    build.losses = Losses(scene, faces, agent, least=least)
    clearance, spread = agent.radius, 0.0
    if build.is_sliced:
        clearance = max(agent.radius, LEAST_CLEARANCE)
        spread = max(CLEAR_PART, 0.5 - OVERHANG * agent.radius / method.cell_size)
    build.tiles = tiles = TiledStages(build, clearance, spread)

    def part(window: Window, limits: GroundLimits) -> Any:
        if build.is_sliced:
            return slice_tile(window, method.cell_height)
        radius = max(agent.radius, OFF_LINE * method.cell_size)
        return flood_tile(window, limits, method.cell_size, radius, method.height_tolerance)

    build.parts = tiles.run(part, build.on_part)
    solid, opened, _ = (int(count) for count in tiles.spans)
    rows, cols = tiles.lattice.shape
    stage = build.made(
        lambda: cell_mesh(tiles.opened(), method.cell_size, scene.frame)[0],
        tiles=rows * cols,
        solid_spans=solid,
        open_spans=opened,
    )
    return replace(stage, seconds=tiles.seconds_of(0))
