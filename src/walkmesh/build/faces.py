"""The slope filter: what each face of the scene can be to an agent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.kernels.faces import BACK, BOTH, FRONT, GROUND, WALL, classify_faces
from walkmesh.build.kernels.tolerances import ANGLE_ROUNDING, COSINE_ROUNDING
from walkmesh.build.leaning import slice_leaning
from walkmesh.build.mesh import TriangleMesh
from walkmesh.build.slivers import lay_out_slivers
from walkmesh.errors import BuildError
from walkmesh.triangles import compact

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.scene import Scene


SIDES = {"front": FRONT, "back": BACK, "both": BOTH}
"""Which sides of triangles can be stood on, by the words of the setting."""


@dataclass(frozen=True)
class Faces:
    """The faces of a scene in the plan frame."""

    points: Floats  # (n, 3): positions as (u, v, h) in `frame` [m]
    triangles: Ids  # (m, 3): vertex ids, of ground counter-clockwise from above
    roles: Bytes  # (m,): WALL, LOW or GROUND, see :mod:`walkmesh.build.kernels.faces`
    planes: Floats  # (m, 3): h = planes[0] u + planes[1] v + planes[2]; zeros for walls
    steepest: float  # tangent of the steepest slope that can be stood on
    frame: Frame  # the plan frame
    side: int  # which sides can be stood on, one of `SIDES`

    @property
    def arrays(self) -> tuple[Floats, Ids, Floats, Bytes]:
        """Points, triangles, planes and roles, as kernels take them."""
        return self.points, self.triangles, self.planes, self.roles

    @cached_property
    def tree(self) -> BoxTree:
        """A tree of boxes over all faces."""
        return BoxTree.over(self.points, self.triangles)

    @cached_property
    def sheets(self) -> Ids:
        """(k,) int32: all faces but walls."""
        return np.flatnonzero(self.roles != WALL).astype(np.int32)

    @cached_property
    def sheet_tree(self) -> BoxTree:
        """A tree of boxes over all faces but walls."""
        return BoxTree.over(self.points, self.triangles[self.sheets])

    @property
    def ground(self) -> TriangleMesh:
        """The faces that can be stood on."""
        points, triangles = compact(self.points, self.triangles[self.roles == GROUND])
        return TriangleMesh(points, triangles, self.frame)


def filter_slope(scene: Scene, agent: Agent, sides: str = "front") -> Faces:
    """Tell which faces are ground, and which are walls.

    Normals come from the positions; those that a file may hold are never looked at.

    Parameters
    ----------
    scene : Scene
    agent : Agent
    sides : {"front", "back", "both"}
        Which sides of triangles can be stood on.

    Raises
    ------
    BuildError
        When there is no ground, which mostly means that `up` or the winding is wrong.
    """
    # Vertices that are not finite are left out here, since no face uses them.
    vertices, triangles = compact(scene.vertices, scene.faces)
    # Rounded to micrometres, so that a scene far away, whose coordinates have fewer digits, gives
    # the same navmesh as one at the origin.
    points = np.round(scene.frame.to_plan(vertices), 6)
    roles = np.empty(len(triangles), dtype=np.uint8)
    planes = np.empty((len(triangles), 3), dtype=np.float64)
    steepest = math.radians(agent.max_slope) + ANGLE_ROUNDING
    lowest_cosine = math.cos(steepest) - COSINE_ROUNDING
    classify_faces(points, triangles, lowest_cosine, SIDES[sides], roles, planes)
    laid = lay_out_slivers(points, triangles, roles)
    if laid is not triangles:
        triangles, roles, planes = laid, roles[: len(laid)], planes[: len(laid)]
        classify_faces(points, triangles, lowest_cosine, SIDES[sides], roles, planes)
    sliced = slice_leaning(points, triangles, roles, planes, agent.height)
    if sliced[1] is not triangles:
        points, triangles = sliced
        roles, planes = np.empty(len(triangles), dtype=np.uint8), np.empty((len(triangles), 3))
        classify_faces(points, triangles, lowest_cosine, SIDES[sides], roles, planes)
    if sides != "front":
        turned = (roles == GROUND) & _clockwise(points, triangles)
        triangles = triangles.copy()
        triangles[turned] = triangles[turned][:, ::-1]
    if not (roles == GROUND).any():
        level = planes[:, 0] ** 2 + planes[:, 1] ** 2 <= math.tan(steepest) ** 2
        if (level & (roles != WALL)).any():
            raise BuildError(
                f"none of the {len(triangles)} triangles is walkable: all level faces face down, "
                f'away from up = {scene.up}; sides="back" walks on them, if that is the right up'
            )
        raise BuildError(
            f"none of the {len(triangles)} triangles is walkable: no face lies within "
            f"{agent.max_slope:g} degrees of up = {scene.up}; is that the right up for this scene?"
        )
    return Faces(points, triangles, roles, planes, math.tan(steepest), scene.frame, SIDES[sides])


def _clockwise(points: Floats, triangles: Ids) -> Bools:
    """(m,) bool: which triangles are clockwise in plan."""
    (au, av), (bu, bv), (cu, cv) = (points[triangles[:, k], :2].T for k in range(3))
    return np.asarray((bu - au) * (cv - av) < (bv - av) * (cu - au))
