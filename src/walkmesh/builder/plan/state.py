"""What a build of a floor plan or building keeps from stage to stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from walkmesh.builder.stage import Build

if TYPE_CHECKING:
    from walkmesh.arrays import Ids
    from walkmesh.builder.plan import Planar
    from walkmesh.builder.plan.sheet import Layout
    from walkmesh.building import Building


@dataclass
class PlanBuild(Build):
    """A build of a floor plan or building."""

    method: Planar
    scene: Building
    layout: Layout = field(init=False)  # the latest stage's rings
    triangles: Ids = field(init=False)  # (t, 3): the triangles between them
