"""The levels of a navmesh: the heights that get a floor plan of their own.

Heights alone do not tell storeys apart, because stairs and ramps fill the gap between two floors.
Area does: a floor is a height at which much of the flat ground lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

BIN = 0.25
"""Heights that differ by less than this belong to one floor. [Unit: m]"""

FLAT = 0.08
"""Ground that rises by less than this per metre is flat; about 5 degrees."""

SMALLEST_SHARE = 0.05
"""A level holds at least this part of the navmesh's area."""

MOST_LEVELS = 4


def level_heights(navmesh: NavMesh) -> Floats:
    """Return the heights of the levels, ascending, (k,) float64 in metres along up; k >= 1.

    The height with the most flat area becomes a level, then the next most that is at least an
    agent's height away from all levels so far, and so on. Hilly ground, of which less than half is
    flat, is a single level at its lowest point.
    """
    corners = navmesh.plan_points[navmesh.triangles]
    if len(corners) == 0:
        return np.zeros(1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1) / 2.0
    rise = np.hypot(normals[:, 0], normals[:, 1])
    flat = rise <= FLAT * np.abs(normals[:, 2])
    if areas[flat].sum() < areas.sum() / 2.0:
        return np.array([corners[:, :, 2].min()])

    heights = corners[flat].mean(axis=1)[:, 2]
    _, members = np.unique(np.round(heights / BIN), return_inverse=True)
    weights = np.bincount(members, areas[flat])
    centers = np.bincount(members, areas[flat] * heights) / weights
    levels: list[float] = []
    for candidate in np.argsort(-weights, kind="stable"):
        if weights[candidate] < SMALLEST_SHARE * areas.sum() or len(levels) == MOST_LEVELS:
            break
        if all(abs(centers[candidate] - level) >= navmesh.agent.height for level in levels):
            levels.append(float(centers[candidate]))
    # Flat ground may be spread over so many heights that none of them stands out.
    return np.array(sorted(levels) or [corners[:, :, 2].min()])


def levels_of(heights: Floats, levels: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return the level that each height belongs to: the highest one below it, else the lowest."""
    found = np.searchsorted(levels - BIN, heights, side="right") - 1
    return np.maximum(found, 0)
