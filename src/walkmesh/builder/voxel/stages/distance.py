"""The distance field: what is closer than the radius to where the ground ends is taken away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from walkmesh.builder.voxel.tiles import cell_mesh

if TYPE_CHECKING:
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.voxel.state import VoxelBuild


def run(build: VoxelBuild) -> Stage:
    """Tell what tiles have kept."""
    tiles, cell = build.tiles, build.method.cell_size

    def make_mesh() -> TriangleMesh:
        mesh, halves = cell_mesh(tiles.kept(), cell, build.scene.frame)
        return replace(mesh, distances=tiles.clearance + halves * cell / 2.0)

    stage = build.made(make_mesh, clearance=tiles.clearance, kept_spans=int(tiles.spans[2]))
    return replace(stage, seconds=tiles.seconds_of(1))
