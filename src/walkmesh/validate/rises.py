"""Rises that no agent climbs: too steep to walk up, and higher than a step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.meshes.adjacency import match_edges
from walkmesh.kernels.meshes.rises import measure_rises
from walkmesh.validate.tolerances import RISE_SLACK, SHORTEST_TREAD, STEEPEST_RAMP
from walkmesh.validate.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def steepest_ramp(agent: Agent) -> float:
    """Return the rise over run of the steepest ground that an agent climbs.

    Flights of stairs are ramps from edge to edge, and steeper than the agent walks.
    """
    return max(
        math.tan(math.radians(max(agent.max_slope, STEEPEST_RAMP))),
        agent.max_step / SHORTEST_TREAD,
    )


def impossible_rises(
    navmesh: NavMesh, points: Floats, triangles: Ids, owners: Ids
) -> Iterator[Violation]:
    """Find polygons whose ground rises by more than a step where it is steeper than any stairs.

    Parameters
    ----------
    navmesh : NavMesh
    points : (n, 3) float64
        The vertices in the plan frame. [Unit: m]
    triangles, owners : (t, 3) and (t,) int32
        The triangles of the ground, and the polygons they belong to.
    """
    if len(triangles) == 0:
        return
    agent = navmesh.agent
    triangles = np.ascontiguousarray(triangles, dtype=np.int32)
    mates = np.empty(triangles.size, dtype=np.int32)
    offsets = np.arange(0, triangles.size + 1, 3, dtype=np.int32)
    match_edges(offsets, triangles.ravel(), mates)
    rises = np.empty(len(triangles), dtype=np.float64)
    measure_rises(points, triangles, mates, steepest_ramp(agent), 0, rises)
    highest = np.zeros(navmesh.polygon_count)
    np.maximum.at(highest, owners, rises)
    for polygon in np.flatnonzero(highest > agent.max_step + RISE_SLACK):
        yield Violation(
            "rise",
            f"polygon {polygon} rises by {highest[polygon]:.3g} m where it is steeper than any "
            f"stairs; the agent's highest step is {agent.max_step:g} m",
            int(polygon),
        )
