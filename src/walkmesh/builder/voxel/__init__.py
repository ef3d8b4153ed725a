"""The voxel method: a navmesh from columns of solid spans, for any input and any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from walkmesh.builder.stage import Stage, StagedMethod, part_setting, sides_setting
from walkmesh.builder.voxel.stages import STAGES
from walkmesh.builder.voxel.state import VoxelBuild
from walkmesh.errors import SettingsError
from walkmesh.settings import choice, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.progress import Progress
    from walkmesh.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Voxel(StagedMethod):
    """Settings of the voxel method, which works on columns of cells, tile by tile.

    It takes any input, however dirty, and any size. What is solid in each column is found by
    clipping the triangles to it. Where the ground ends is known better than to a cell, and the
    agent's radius is kept from there, not from the cells.

    Parameters
    ----------
    sides : {"front", "back", "both"}, default "front"
        Which sides of the scene's triangles are walked on, as long as they lie on top. The front is
        where a triangle is counter-clockwise. With "back", a scene that is wound the other way is
        walked on; with "both", every level face that has headroom above it is, and so is the inside
        of solids higher than the agent.
    cell_size : float, default 0.1
        The side of a cell in plan. [Limit: >= 0.001, <= 100] [Unit: m]
    cell_height : float, default 0.05
        The height of a voxel. Solids closer than this are one, and slices are this high.
        [Limit: >= 0.001, <= 100] [Unit: m]
    partition : {"watershed", "slices"}
        How the ground is parted. With watersheds it follows the heights, and boundaries lie
        where they are. Slices are level and have vertices at the corners of cells alone, with
        links where there are steps.
    tile_voxels : int, default 256
        The side of the tiles that are worked on one by one; 0 for one tile. Tiles change memory
        and time, and leave no trace in the navmesh. [Limit: 0, or >= 16] [Unit: voxels]
    triangulation : {"delaunay", "ears", "min_area"}
        How contours are cut into triangles before these are merged to convex polygons.
    boundary_tolerance : float, default 0.5
        How far the boundary may be moved inwards to make it simpler, at most a tenth of the width
        that a passage has. Slices stay as they are. [Limit: >= 0, <= 10] [Unit: cells]
    height_tolerance : float, default 0.05
        How far the navmesh may leave the heights of the cells. [Limit: >= 0] [Unit: m]
    min_patch_area : float, optional
        Connected parts with less area in plan are left out. By default twice the square of the
        radius, 0.18 m2 for 0.3 m, but parts four radii long stay. [Limit: >= 0] [Unit: m2]

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    sides: Literal["front", "back", "both"] = sides_setting()
    cell_size: float = setting(0.1, "The side of a cell in plan", "m", minimum=0.001, maximum=100.0)
    cell_height: float = setting(0.05, "The height of a voxel", "m", minimum=0.001, maximum=100.0)
    partition: Literal["watershed", "slices"] = choice(
        "watershed", "How the ground is parted", "slices"
    )
    tile_voxels: int = setting(256, "The side of a tile, 0 for one tile", "voxels", whole=True)
    triangulation: Literal["delaunay", "ears", "min_area"] = choice(
        "delaunay", "How contours are cut into triangles", "ears", "min_area"
    )
    boundary_tolerance: float = setting(
        0.5, "How far the boundary may be moved inwards to make it simpler", "cells", maximum=10.0
    )
    height_tolerance: float = setting(
        0.05, "How far the navmesh may leave the heights of the cells", "m"
    )
    min_patch_area: float | None = part_setting()

    stages: ClassVar = STAGES
    state: ClassVar = VoxelBuild

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.tile_voxels < 16:
            raise SettingsError(
                f"Voxel.tile_voxels is {self.tile_voxels}; it must be 0 or at least 16 voxels"
            )

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules a build runs."""
        packages = ["walkmesh.builder.voxel", "walkmesh.builder.triangulation"]
        if self.partition == "slices":
            packages.append("walkmesh.builder.voxel.slices")
        if self.triangulation != "delaunay":
            packages.append("walkmesh.builder.triangulation.discs")
        return tuple(packages)

    def run(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        if self.partition == "slices" and 3.0 * self.cell_height > agent.height:
            raise SettingsError(
                f"Voxel.cell_height is {self.cell_height:g}; slices need it to be at most a third "
                f"of the agent's height, {agent.height / 3.0:g} m"
            )
        return super().run(scene, agent, progress, workers)
