"""Meshes on their way through the stages of a build."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import BuildError
from walkmesh.kernels.adjacency import label_components, match_edges
from walkmesh.kernels.kinds import INNER, OPEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.edge_kinds import Surroundings
    from walkmesh.build.losses import Losses
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh


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
    def edge_kinds(self) -> NDArray[np.uint8]:
        """(m, 3) uint8: what lies beyond each triangle's edge, from its first corner on.

        0 inner: ground; 1 open: a ledge; 2 blocked: something higher than a step; 3 inner wall: a
        wall seen from behind. It is found when it is first asked for. A mesh that comes from no
        build has nothing around it.
        """
        if self.surroundings is not None:
            return self.surroundings.kinds_of(self, self.clearance)
        alone = match_triangles(self.triangles).reshape(-1, 3) < 0
        return np.where(alone, OPEN, INNER).astype(np.uint8)


@dataclass(frozen=True)
class Stage:
    """What one stage of a build made.

    Attributes
    ----------
    name : str
        The stage's name.
    make_mesh : callable
        Returns its result as a mesh to look at, which is only made when someone does.
    counts : dict of str to int
        Sizes in and out, and how much was discarded and why; they go into the report.
    seconds : float or None
        What it took, for stages that are worked on together; None for the time since the last.
    losses : Losses or None
        With the last stage: what was lost by all of them.
    clearance : float
        How far its boundary keeps from what stands there. [Unit: m]
    """

    name: str
    make_mesh: Callable[[], TriangleMesh | NavMesh]
    counts: dict[str, int]
    seconds: float | None = None
    losses: Losses | None = None
    clearance: float = 0.0

    @classmethod
    def of(
        cls,
        name: str,
        make_mesh: Callable[[], TriangleMesh | NavMesh],
        *,
        clearance: float = 0.0,
        **counts: int,
    ) -> Stage:
        """Return a stage with its counts given by name."""
        return cls(name, make_mesh, counts, clearance=clearance)

    @property
    def mesh(self) -> TriangleMesh | NavMesh:
        """Its result; the last stage's is the navmesh."""
        return self.make_mesh()

    def mesh_in(self, surroundings: Surroundings) -> TriangleMesh | NavMesh:
        """Return its result, whose edges can be told apart by what they end at."""
        mesh = self.mesh
        if not isinstance(mesh, TriangleMesh):
            return mesh
        return replace(mesh, surroundings=surroundings, clearance=self.clearance)


def match_triangles(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(3 t,) int32: the edge across each edge of (t, 3) triangles; negative where there is none."""
    corners = np.ascontiguousarray(triangles.ravel())
    mates = np.empty(len(corners), dtype=np.int32)
    match_edges(np.arange(0, len(corners) + 1, 3, dtype=np.int32), corners, mates)
    return mates


def label_parts(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(t,) int32: the connected part of each triangle, from 0 up in the order of their first."""
    mates = match_triangles(triangles)
    neighbors = np.where(mates >= 0, mates // 3, -1).astype(np.int32)
    labels = np.empty(len(triangles), dtype=np.int32)
    label_components(np.arange(0, triangles.size + 1, 3, dtype=np.int32), neighbors, labels)
    return labels


def compact(points: Floats, corners: NDArray[np.int32]) -> tuple[Floats, NDArray[np.int32]]:
    """Drop the points that no corner uses, and renumber the corners; the order stays."""
    used = np.zeros(len(points), dtype=bool)
    used[corners.ravel()] = True
    if used.all():
        return points, corners
    renumbered = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return points[used], renumbered[corners]


def check_any(
    left: NDArray[np.integer], agent: Agent, min_area: float = 0.0, likely_cause: str = ""
) -> None:
    """Raise unless anything is left: pieces, polygons, triangles or whatever they are.

    Parameters
    ----------
    min_area : float, default 0
        Connected parts smaller than this were left out just before. [Unit: m2]
    likely_cause : str, optional
        The most likely reason, if it is known.

    Raises
    ------
    BuildError
        Naming the most likely reason.
    """
    if len(left) == 0 and min_area > 0.0:
        raise BuildError(
            "no part of the ground where the agent can stand is as large as min_patch_area, "
            f"{min_area:.3g} m2; {likely_cause or 'is that, or the scale, right?'}"
        )
    if len(left) == 0:
        raise BuildError(
            f"an agent {agent.height:g} m high and {2.0 * agent.radius:g} m wide can stand nowhere "
            f"in this scene; {likely_cause or 'is the scale right?'}"
        )


# Agents without a radius are taken to have this one, or less if they are low: so much of their
# height. [m, 1]
_POLE, _SLIM = 0.05, 0.05


def patch_area(min_patch_area: float | None, agent: Agent) -> float:
    """Return the area that a connected part of the ground must have to be of use. [Unit: m2].

    By default it is the footprint of the agent: where its centre has less room than that it cannot
    go as far as it is wide, so there is nowhere to go.

    Examples
    --------
    >>> from walkmesh import Agent
    >>> [round(patch_area(None, Agent(radius=radius)), 3) for radius in (0.0, 0.3, 2.0)]
    [0.008, 0.283, 12.566]
    """
    if min_patch_area is not None:
        return min_patch_area
    return math.pi * max(agent.radius, min(_POLE, _SLIM * agent.height)) ** 2
