"""Rises that no agent climbs are left out before polygons are made of the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.kernels.meshes.rises import measure_rises
from walkmesh.tolerances import RISE_SLACK, steepest_ramp
from walkmesh.triangles import label_parts, match_triangles, twice_plan_areas

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.builder.smallest_part import SmallestPart

# How much of the slack that rises have is left to the stages that follow, which move heights by the
# height tolerance. [1]
_LEFT = 0.5
# How often the highest rises are left out before all that remain too high are.
_ROUNDS = 16


def are_climbed(points: Floats, triangles: Ids, agent: Agent) -> Bools:
    """(t,) bool: triangles that are no part of a steep rise higher than a step.

    The highest ones are left out first. A rise ends where a triangle is gone, so those beside it
    may be climbed then: along a step that grows they reach to where it is low enough.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids, counter-clockwise from above.
    """
    climbed = np.ones(len(triangles), dtype=bool)
    limit = agent.max_step + _LEFT * RISE_SLACK
    for turn in range(_ROUNDS):
        kept = np.flatnonzero(climbed)
        left = np.ascontiguousarray(triangles[kept])
        mates = match_triangles(left)
        rises = np.empty(len(left), dtype=np.float64)
        # Polygons will cut triangles, and with them the places where validation measures rises.
        measure_rises(points, left, mates, steepest_ramp(agent), 1, rises)
        too_high = rises > limit
        if not too_high.any():
            break
        if turn < _ROUNDS - 1:
            too_high &= _are_highest(rises, mates)
        climbed[kept[too_high]] = False
    return climbed


def _are_highest(rises: Floats, mates: Ids) -> Bools:
    """(t,) bool: triangles that no neighbour rises higher than; of equal ones, the first."""
    own = np.arange(len(rises))[:, None]
    others = np.where(mates >= 0, mates // 3, np.repeat(own, 3)).reshape(-1, 3)
    lower = (rises[others] < rises[own]) | ((rises[others] == rises[own]) & (others >= own))
    return np.asarray(lower.all(axis=1))


def drop_rises(
    mesh: TriangleMesh, agent: Agent, least: SmallestPart
) -> tuple[TriangleMesh, dict[str, int]]:
    """Leave out the triangles of impossible rises, and specks that come apart by it.

    Where a step along an edge grows higher than the agent climbs, cells on both sides of it are
    connected up to there, and the last triangle beside them rises higher than they do. The ground
    ends at that triangle and goes on around it.

    Returns
    -------
    TriangleMesh
        Without them; the same one if there are none.
    dict of str to int
        Counts: triangles that rise too high, and those in specks.
    """
    climbed = are_climbed(mesh.points, mesh.triangles, agent)
    counts = {"triangles_too_high": int(np.count_nonzero(~climbed)), "triangles_in_specks": 0}
    if climbed.all():
        return mesh, counts
    beside = match_triangles(mesh.triangles)[np.repeat(~climbed, 3)]
    apart = np.zeros(len(climbed), dtype=bool)
    apart[beside[beside >= 0] // 3] = True
    left = mesh.triangles[climbed]
    parts = label_parts(left)
    areas = np.bincount(parts, weights=twice_plan_areas(mesh.points[left]) / 2.0)
    large = least.hold(areas, mesh.points[left.ravel(), :2], np.repeat(parts, 3))
    came_apart = np.bincount(parts, weights=apart[climbed]) > 0
    stays = (large | ~came_apart)[parts]
    counts["triangles_in_specks"] = int(np.count_nonzero(~stays))
    kept = np.flatnonzero(climbed)[stays]
    bands = None if mesh.bands is None else mesh.bands[kept]
    return TriangleMesh(mesh.points, mesh.triangles[kept], mesh.frame, bands=bands), counts
