"""The levels of a navmesh: the heights that get a floor plan of their own.

Heights alone do not tell storeys apart, because stairs and ramps fill the gap between two floors.
Area does: a floor is a height at which much of the flat ground lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.topology import plan_points
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

BIN = 0.25
"""Heights that differ by less than this belong to one floor. [Unit: m]"""

FLAT = 0.08
"""Ground that rises by less than this per metre is flat; about 5 degrees."""

SMALLEST_SHARE = 0.05
"""A level holds at least this part of the navmesh's area."""

MOST_LEVELS = 4

MISSED_COUNTS = 5.0
"""How many times its area missed ground counts: a lost storey of a hundredth is still a level."""


class Missed(NamedTuple):
    """Ground that a navmesh lacks, as samples.

    Attributes
    ----------
    heights : (n,) float64
        Of the samples. [Unit: m]
    flat : (n,) bool
        Whether they are on flat ground.
    area : float
        What each of them stands for. [Unit: m2]
    """

    heights: Floats
    flat: NDArray[np.bool_]
    area: float


NOTHING_MISSED = Missed(np.empty(0), np.empty(0, dtype=np.bool_), 0.0)


def level_heights(navmesh: NavMesh, missed: Missed = NOTHING_MISSED) -> Floats:
    """Return the heights of the levels, ascending, (k,) float64 in metres along up; k >= 1.

    The height with the most flat area becomes a level, then the next most that is at least an
    agent's height away from all levels so far, and so on. Hilly ground, of which less than half is
    flat, is a single level at its lowest point. Ground that the navmesh lacks counts as if it were
    there; where there are too many levels, those that lack the most come first. Of a surface, only
    what faces up is ground.
    """
    corners = plan_points(navmesh)[navmesh.triangles]
    if navmesh.surface:
        corners = corners[facing_up(corners)]
    if len(corners) + len(missed.heights) == 0:
        return np.zeros(1)
    normals = area_vectors(corners)
    lacking = np.repeat([0.0, missed.area], [len(corners), len(missed.heights)])
    areas = lacking.copy()
    areas[: len(corners)] = np.linalg.norm(normals, axis=1) / 2.0
    flat = np.concatenate([is_flat(normals), missed.flat]) & (areas > 0.0)
    lowest = min(corners[:, :, 2].min(initial=np.inf), missed.heights.min(initial=np.inf))
    if areas[flat].sum() < areas.sum() / 2.0:
        return np.array([lowest])

    heights = np.concatenate([corners.mean(axis=1)[:, 2], missed.heights])[flat]
    _, members = np.unique(np.round(heights / BIN), return_inverse=True)
    weights = np.bincount(members, areas[flat])
    centers = np.bincount(members, areas[flat] * heights) / weights
    absent = np.bincount(members, lacking[flat])
    large = weights + (MISSED_COUNTS - 1.0) * absent >= SMALLEST_SHARE * areas.sum()
    found: list[int] = []
    for candidate in np.argsort(-weights, kind="stable"):
        apart = np.abs(centers[candidate] - centers[found]) >= navmesh.agent.height
        if large[candidate] and apart.all():
            found.append(int(candidate))
    found.sort(key=lambda level: -absent[level])
    levels = sorted(float(centers[level]) for level in found[:MOST_LEVELS])
    # Flat ground may be spread over so many heights that none of them stands out.
    return np.array(levels or [lowest])


def facing_up(triangles: Floats) -> NDArray[np.bool_]:
    """Tell which (n, 3, 3) triangles in plan coordinates face up, by less than 60 degrees."""
    normals = area_vectors(triangles)
    up: NDArray[np.bool_] = normals[:, 2] > 0.5 * np.linalg.norm(normals, axis=1)
    return up


def is_flat(normals: Floats) -> NDArray[np.bool_]:
    """Tell which (n, 3) normals of any length, in plan coordinates, are those of flat ground."""
    flat: NDArray[np.bool_] = np.hypot(normals[:, 0], normals[:, 1]) <= FLAT * np.abs(normals[:, 2])
    return flat


def levels_of(heights: Floats, levels: Floats) -> NDArray[np.intp]:
    """Return the level that each height belongs to: the highest one below it, else the lowest."""
    found = np.searchsorted(levels - BIN, heights, side="right") - 1
    return np.maximum(found, 0)
