"""The slope filter: what each face of the scene can be to an agent."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.kernels.faces import BACK, BOTH, FRONT, GROUND, LOW, WALL, classify_faces
from walkmesh.builder.kernels.slivers import find_sheets, find_slivers, shorten_edges
from walkmesh.builder.kernels.tolerances import (
    ANGLE_ROUNDING,
    COSINE_ROUNDING,
    LEANING_PART,
    NARROW_CUT,
    SHEET_FLAT,
    SHEET_STRAIGHT,
)
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.errors import BuildError
from walkmesh.triangles import compact, first_at_place, match_triangles

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.scene import Scene

SIDES = {"front": FRONT, "back": BACK, "both": BOTH}
"""Which sides of triangles can be stood on, by the words of the setting."""

# Triangles this long, and this many times longer than wide, cross many others. [m, 1]
_LONG = 1.0
_THIN = 10.0
# Fewer of them in one plane are not worth it.
_MANY = 24
# What is less steep is never all but upright, however low the agent is. [1]
_STEEP = 50.0


@dataclass(frozen=True)
class Faces:
    """The faces of a scene in the plan frame."""

    points: Floats  # (n, 3): positions as (u, v, h) in `frame` [m]
    triangles: Ids  # (m, 3): vertex ids, of ground counter-clockwise from above
    roles: Bytes  # (m,): WALL, LOW or GROUND, see :mod:`walkmesh.builder.kernels.faces`
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
    steepest = math.radians(agent.max_slope) + ANGLE_ROUNDING
    lowest_cosine = math.cos(steepest) - COSINE_ROUNDING

    def classify() -> tuple[Bytes, Floats]:
        roles, planes = np.empty(len(triangles), dtype=np.uint8), np.empty((len(triangles), 3))
        classify_faces(points, triangles, lowest_cosine, SIDES[sides], roles, planes)
        return roles, planes

    roles, planes = classify()
    laid = lay_out_slivers(points, triangles, roles)
    if laid is not triangles:
        triangles = laid
        roles, planes = classify()
    sliced = slice_leaning(points, triangles, roles, planes, agent.height)
    if sliced[1] is not triangles:
        points, triangles = sliced
        roles, planes = classify()
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


def lay_out_slivers(points: Floats, triangles: Ids, roles: Bytes) -> Ids:
    """Replace slivers that lie in one plane by triangles with short edges.

    Parameters
    ----------
    points : (n, 3) float64
        Positions as (u, v, h) in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    roles : (m,) uint8
        WALL, LOW or GROUND. Walls stay as they are.

    Returns
    -------
    (k, 3) int32
        The same surface, up to rounding, in no more triangles; the others keep their order.
    """
    slivers = np.empty(len(triangles), dtype=np.int32)
    turns = np.empty(len(triangles), dtype=np.float64)
    count = find_slivers(points, triangles, roles, _LONG, _THIN, slivers, turns)
    if count < _MANY:
        return triangles
    slivers, turns = slivers[:count], turns[:count]
    chosen = triangles[slivers]
    # Backs are turned over, so that all are counter-clockwise in plan.
    back = turns < 0.0
    chosen[back] = chosen[back][:, ::-1]
    # Vertices at one place are one, but only among faces that are the same to an agent.
    kind = 2 * roles[slivers] + back
    used, ids = np.unique(chosen, return_inverse=True)
    first = first_at_place(points[used] + 0.0)
    ids = first[ids].reshape(-1, 3) + np.int32(len(used)) * kind[:, None]
    mates = match_triangles(ids.astype(np.int32))
    corners = np.ascontiguousarray(chosen.ravel())
    sheets = np.empty(len(slivers), dtype=np.int32)
    find_sheets(points, corners, mates, SHEET_FLAT, sheets)
    own = np.repeat(sheets, 3)
    few = np.bincount(sheets)[own] < _MANY
    mates[few | (sheets[np.maximum(mates, 0) // 3] != own)] = -1
    changed = np.empty(len(slivers), dtype=np.uint8)
    shorten_edges(points, SHEET_STRAIGHT, corners, mates, changed)
    laid = corners.reshape(-1, 3)
    laid[back] = laid[back][:, ::-1]
    result = triangles.copy()
    result[slivers[changed == 1]] = laid[changed == 1]
    return result[result[:, 0] >= 0]


def slice_leaning(
    points: Floats, triangles: Ids, roles: Bytes, planes: Floats, height: float
) -> tuple[Floats, Ids]:
    """Cut tall faces that are all but upright into level parts, each as narrow as a wall in plan.

    Over the agent's height, a facade of 30 m that leans by 4 mm moves sideways by a quarter of a
    millimetre. What it takes from the ground is too narrow to be seen, and seen as a whole the
    facade is too wide in plan to be a wall.

    Parameters
    ----------
    points, triangles : (n, 3) float64 and (m, 3) int32
        The faces.
    roles, planes : (m,) uint8 and (m, 3) float64
        What they are, see :mod:`walkmesh.builder.kernels.faces`.
    height : float
        Of the agent. [Unit: m]

    Returns
    -------
    (k, 3) float64 and (l, 3) int32
        With the parts at the end, and without the faces that they are made from; what was given
        if there is none.
    """
    gradients = np.hypot(planes[:, 0], planes[:, 1])
    leaning = (roles == LOW) & (gradients > max(height / NARROW_CUT, _STEEP))
    if not leaning.any():
        return points, triangles
    chosen = np.flatnonzero(leaning)
    parts = [_sliced(points[triangles[i]], LEANING_PART * gradients[i]) for i in chosen]
    added = np.concatenate(parts)
    numbers = len(points) + np.arange(3 * len(added), dtype=np.int32).reshape(-1, 3)
    return (
        np.concatenate([points, added.reshape(-1, 3)]),
        np.concatenate([triangles[~leaning], numbers.astype(np.int32)]),
    )


def _sliced(triangle: Floats, tallest: float) -> Floats:
    """(k, 3, 3) float64: a triangle cut at levels, into parts no taller than a height."""
    low, high = triangle[:, 2].min(), triangle[:, 2].max()
    levels = np.linspace(low, high, int(np.ceil((high - low) / tallest)) + 1)
    parts = []
    for bottom, top in itertools.pairwise(levels):
        part = _below(_below(triangle, top, 1.0), -bottom, -1.0)
        parts += [part[[0, k, k + 1]] for k in range(1, len(part) - 1)]
    return np.array(parts)


def _below(polygon: Floats, level: float, sign: float) -> Floats:
    """Return the part of a convex polygon whose height times a sign is no more than a level."""
    over = sign * polygon[:, 2] - level
    kept = []
    for k in range(len(polygon)):
        j = (k + 1) % len(polygon)
        if over[k] <= 0.0:
            kept.append(polygon[k])
        if over[k] * over[j] < 0.0:
            kept.append(polygon[k] + over[k] / (over[k] - over[j]) * (polygon[j] - polygon[k]))
    return np.array(kept)
