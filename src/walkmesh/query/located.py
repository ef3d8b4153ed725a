"""Where on the navmesh a point is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids

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
