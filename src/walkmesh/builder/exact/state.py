"""What a build by the exact method keeps from stage to stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from walkmesh.builder.bridges import GapLimits
from walkmesh.builder.stage import Build

if TYPE_CHECKING:
    from walkmesh.arrays import Bools
    from walkmesh.builder.exact import Exact
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import Ground, Pieces
    from walkmesh.builder.losses import Losses
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.regions import Regions
    from walkmesh.scene import Scene


@dataclass
class ExactBuild(Build):
    """A build by the exact method."""

    method: Exact
    scene: Scene
    faces: Faces = field(init=False)  # the faces of the scene
    rubble: Bools = field(init=False)  # (f,): which of them are rubble
    losses: Losses = field(init=False)
    pieces: Pieces = field(init=False)  # the latest stage's polygons where these share nothing
    ground: Ground = field(init=False)  # the latest stage's polygons where these share edges
    # Where the ground may not be walked on, for what is too high beside it.
    barred: Regions = field(init=False)
    # The latest stage's triangles, with one height at every place.
    mesh: TriangleMesh = field(init=False)

    @property
    def reach(self) -> tuple[float, float]:
        """How far what a slit or a bridge may join can be apart, in plan and in height. [m]."""
        method, agent = self.method, self.agent
        rise = agent.max_step
        if method.bridge_distance:
            rise = GapLimits.of(agent, method.bridge_distance).rise
        return max(method.gap_distance, method.bridge_distance), rise
