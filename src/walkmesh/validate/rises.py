"""Rises that no agent climbs: too steep to walk up, and higher than a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.meshes.rises import measure_rises
from walkmesh.tolerances import RISE_SLACK, steepest_ramp
from walkmesh.triangles import match_triangles
from walkmesh.validate.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


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
    mates = match_triangles(triangles)
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
