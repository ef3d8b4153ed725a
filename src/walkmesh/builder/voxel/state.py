"""What a build by the voxel method keeps from stage to stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from walkmesh.builder.stage import Build

if TYPE_CHECKING:
    from walkmesh.arrays import Bools
    from walkmesh.builder.losses import Losses
    from walkmesh.builder.voxel import Voxel
    from walkmesh.builder.voxel.contours import Contours
    from walkmesh.builder.voxel.slices.contours import SliceContours
    from walkmesh.builder.voxel.slices.join import JoinedSlices
    from walkmesh.builder.voxel.stages.regions import JoinedRegions
    from walkmesh.builder.voxel.tiles import TiledStages
    from walkmesh.scene import Scene


@dataclass
class VoxelBuild(Build):
    """A build by the voxel method."""

    method: Voxel
    scene: Scene
    losses: Losses = field(init=False)
    tiles: TiledStages = field(init=False)  # the work on tiles
    parts: list[Any] = field(init=False)  # what is left of each tile: its regions, or its slices
    # The watersheds of all tiles, and their outlines.
    regions: JoinedRegions = field(init=False)
    contours: Contours = field(init=False)
    # How many connected parts of these were too small.
    small_parts: int = field(default=0, init=False)
    # The slices of all tiles, and what they have in common.
    slices: SliceContours = field(init=False)
    joined_slices: JoinedSlices = field(init=False)
    stays: Bools = field(init=False)  # (r,): which slices are in parts large enough to stay

    @property
    def is_sliced(self) -> bool:
        """Whether the ground is parted into slices, and not into watersheds."""
        return self.method.partition == "slices"
