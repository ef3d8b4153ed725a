"""What a build by the surface method keeps from stage to stage."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.kernels.tolerances import ANGLE_ROUNDING
from walkmesh.builder.stage import Build

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.surface import Surface
    from walkmesh.builder.surface.sheet import Sheet, SheetPieces
    from walkmesh.builder.surface.stages.faces import Sides
    from walkmesh.scene import Scene


class Turns(NamedTuple):
    """The largest turns at an edge, around it (convex) and into a corner (concave), in degrees."""

    convex: float
    concave: float

    @property
    def limits(self) -> Floats:
        """(2,) float64: convex and concave, in radians."""
        return np.array([math.radians(turn) + ANGLE_ROUNDING for turn in self])


@dataclass
class SurfaceBuild(Build):
    """A build by the surface method."""

    method: Surface
    scene: Scene
    faces: Sides = field(init=False)  # the sides of the scene's triangles
    # (3 f,): the edge across each edge of walkable faces; negative where there is none
    mates: Ids = field(init=False)
    pieces: SheetPieces = field(init=False)  # what of the faces has headroom
    sheet: Sheet = field(init=False)  # the latest stage's polygons, which know their neighbours
    mesh: TriangleMesh = field(init=False)  # the simplified surface

    @property
    def turns(self) -> Turns:
        """The largest turns around edges and into corners."""
        return Turns(self.method.max_turn_convex, self.method.max_turn_concave)
