"""Where points are on a navmesh, and where straight walks from there end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class Footing(NamedTuple):
    """Where points stand, as searches have it.

    Attributes
    ----------
    points : (n, 3) float64
        World coordinates. [Unit: m]
    cells : (n,) int32
        What they stand on, -1 for nothing: polygons of a navmesh of ground, triangles of one of a
        surface.
    distances : (n,) float64
        How far what was looked for is away; infinite for nothing. [Unit: m]
    """

    points: Floats
    cells: Ids
    distances: Floats

    def chosen(self, which: NDArray[np.intp] | slice) -> Footing:
        """Return some of them."""
        return Footing(self.points[which], self.cells[which], self.distances[which])


@dataclass(frozen=True, eq=False)
class Rays:
    """How far one can walk straight on.

    Attributes
    ----------
    hits : (n,) bool
        Whether each walk is stopped by a wall, or could not start.
    points : (n, 3) float64
        Where it ends, on the ground, in world coordinates. [Unit: m]
    polygons : (n,) int32
        The polygon where it ends; -1 if its start is not on the navmesh.
    edges : (n,) int32
        The edge, by its corner's place in `polygon_vertices`, that stops it; -1 for none.
    distances : (n,) float64
        How far it leads, seen from above. [Unit: m]
    """

    hits: NDArray[np.bool_]
    points: Floats
    polygons: Ids
    edges: Ids
    distances: Floats
