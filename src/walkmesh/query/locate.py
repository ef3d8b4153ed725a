"""Where on the navmesh a point is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.kernels.locate import locate_points, measure_heights

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.search_mesh import SearchMesh

# Ground more than a step above a point counts as farther away by so many of the agent's heights.
STOREY_HEIGHTS = 2.0


@dataclass(frozen=True)
class Located:
    """Where on a navmesh points are.

    Attributes
    ----------
    polygons : (n,) int32
        The polygon that is nearest to each point; -1 where none is near enough.
    points : (n, 3) float64
        The nearest place on it, in world coordinates, or the point itself. [Unit: m]
    distances : (n,) float64
        How far that is away; infinite where no polygon is near enough. [Unit: m]
    """

    polygons: Ids
    points: Floats
    distances: Floats


def locate(search: SearchMesh, agent: Agent, points: Floats, max_snap: float) -> Located:
    """Find the ground that each of (n, 3) points in world coordinates stands on."""
    found = Located(
        np.empty(len(points), dtype=np.int32), np.empty((len(points), 3)), np.empty(len(points))
    )
    storey = STOREY_HEIGHTS * agent.height
    locate_points(
        points, search.mesh.points, *search.ground, search.axes, agent.max_step, storey, max_snap,
        found.polygons, found.points, found.distances,
    )  # fmt: skip
    return found


def heights_over(search: SearchMesh, points: Floats) -> tuple[Ids, Floats]:
    """Measure how high (n, 3) points are over the ground straight below or above them.

    Returns
    -------
    polygons : (n,) int32
        The polygon whose ground is nearest in height; -1 where there is none.
    heights : (n,) float64
        How high the point is over it, negative below; infinite where there is none. [Unit: m]
    """
    polygons, heights = np.empty(len(points), dtype=np.int32), np.empty(len(points))
    ground = search.ground
    measure_heights(
        points, search.mesh.points, ground.triangles, ground.owners, ground.grid, ground.starts,
        ground.members, search.axes, polygons, heights,
    )  # fmt: skip
    return polygons, heights
