"""Meshes on their way through the stages of a build."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.errors import BuildError
from walkmesh.kernels.meshes.kinds import INNER, OPEN
from walkmesh.navmesh import NavMesh
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Integers
    from walkmesh.builder.edge_kinds import Surroundings
    from walkmesh.builder.smallest_part import SmallestPart
    from walkmesh.frame import Frame


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles between two stages.

    Attributes
    ----------
    points : (n, 3) float64
        Positions as (u, v, h) in `frame`. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids, counter-clockwise seen from above.
    frame : Frame
        The plan frame of `points`.
    surroundings : Surroundings or None
        What its edges end at; None for a mesh that no one looks at.
    clearance : float
        How far the boundary keeps from what stands there. [Unit: m]
    distances : (m,) float64 or None
        How far each triangle is from the boundary, for the stage that measures it. [Unit: m]
    regions : (m,) int32 or None
        The region of each triangle, for the stage that makes them.
    bands : (m, 2) float64 or None
        Where the ground lies above each triangle that stands for it, at least and at most; None
        where the triangles are the ground. [Unit: m]
    """

    points: Floats
    triangles: Ids
    frame: Frame
    surroundings: Surroundings | None = None
    clearance: float = 0.0
    distances: Floats | None = None
    regions: Ids | None = None
    bands: Floats | None = None

    @property
    def vertices(self) -> Floats:
        """(n, 3) float64: the positions in world coordinates, in metres."""
        return self.frame.to_world(self.points)

    @cached_property
    def edge_kinds(self) -> Bytes:
        """(m, 3) uint8: what lies beyond each triangle's edge, from its first corner on.

        0 inner: ground; 1 open: a ledge; 2 blocked: something higher than a step; 3 inner wall: a
        wall seen from behind. It is found when it is first asked for. A mesh that comes from no
        build has nothing around it.
        """
        if self.surroundings is not None:
            return self.surroundings.kinds_of(self, self.clearance)
        alone = match_triangles(self.triangles).reshape(-1, 3) < 0
        return np.where(alone, OPEN, INNER).astype(np.uint8)


class PolygonMesh(NavMesh):
    """The navmesh that the last stage made, whose edges can be told apart by what they end at.

    It keeps the scene alive, which the navmesh that a build returns does not.
    """

    surroundings: Surroundings

    @classmethod
    def of(cls, navmesh: NavMesh, surroundings: Surroundings) -> PolygonMesh:
        """Return a navmesh with what is around it; its arrays are shared."""
        mesh = cls.__new__(cls)
        mesh.__setstate__(navmesh.__getstate__() | {"surroundings": surroundings})
        return mesh

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept when it is pickled or copied."""
        return super().__getstate__() | {"surroundings": self.surroundings}

    @cached_property
    def edge_kinds(self) -> Bytes:
        """(t, 3) uint8: what lies beyond the edges of `triangles`, as in `TriangleMesh`."""
        mesh = TriangleMesh(self.frame.to_plan(self.vertices), self.triangles, self.frame)
        return self.surroundings.kinds_of(mesh, self.agent.radius)


def check_any(
    left: Integers,
    agent: Agent,
    least: SmallestPart | None = None,
    likely_cause: str = "",
) -> None:
    """Raise unless anything is left: pieces, polygons, triangles or whatever they are.

    Parameters
    ----------
    least : SmallestPart, optional
        Connected parts that are smaller were left out just before.
    likely_cause : str, optional
        The most likely reason, if it is known.

    Raises
    ------
    BuildError
        Naming the most likely reason.
    """
    if len(left) == 0 and least is not None and not least.any_stays:
        raise BuildError(
            f"no part of the ground where the agent can stand has {least.words}; "
            f"{likely_cause or 'is that, or the scale, right? min_patch_area=0 keeps all parts'}"
        )
    if len(left) == 0:
        raise BuildError(
            f"an agent {agent.height:g} m high and {2.0 * agent.radius:g} m wide can stand nowhere "
            f"in this scene; {likely_cause or 'is the scale right?'}"
        )
