"""The shapes of polygons: wound the right way, with an area, convex.

Ragged polygons: polygon p has the corners from offsets[p] up to offsets[p + 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.ragged import following_corners, offsets_of
from walkmesh.tolerances import NO_WIDTH, STRAIGHT
from walkmesh.topology import corner_polygons
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Shapes:
    """What is wrong with the shapes of polygons.

    Attributes
    ----------
    areas : (p,) float64
        Their areas, negative for those that are clockwise. [Unit: m2]
    clockwise, narrow, bent, twisted : (p,) bool
        Which are clockwise, have no area, are not convex, and wind around more than once.
    reflex : (p,) int
        The first reflex corner of each; -1 for none.
    """

    areas: Floats
    clockwise: NDArray[np.bool_]
    narrow: NDArray[np.bool_]
    bent: NDArray[np.bool_]
    twisted: NDArray[np.bool_]
    reflex: NDArray[np.intp]

    @classmethod
    def of(cls, offsets: Ids, here: Floats) -> Shapes:
        """Look at ragged polygons with (c, 2) corners, each polygon's in one plane. [Unit: m]."""
        starts, counts = offsets[:-1], np.diff(offsets)
        if len(here) == 0:
            none = np.zeros(len(counts), dtype=bool)
            return cls(np.zeros(len(counts)), none, none, none, none, np.full(len(counts), -1))
        local = here - np.repeat(here[starts], counts, axis=0)
        following = following_corners(offsets)
        preceding = np.empty_like(following)
        preceding[following] = np.arange(len(here))
        after, before = here[following] - here, here - here[preceding]
        area = np.add.reduceat(plan_cross(local, local[following]), starts) / 2.0
        outline = np.add.reduceat(np.hypot(*after.T), starts)
        width = np.divide(area, outline / 2.0, out=np.zeros_like(area), where=outline > 0.0)
        turn, forward = plan_cross(before, after), (before * after).sum(axis=1)
        reflex = (turn < 0.0) | ((turn == 0.0) & (forward <= 0.0))
        angle = np.arctan2(turn, forward)
        rounds = np.add.reduceat(angle, starts) / (2.0 * np.pi)
        # Half the outline is more than a polygon is wide, so with all its reflex turns together
        # this is more than it falls short of its hull; only where that is much is it worth a
        # closer look.
        bend = np.add.reduceat(np.where(reflex, np.abs(angle), 0.0), starts)
        bent = bend * outline / 2.0 > STRAIGHT
        for p in np.flatnonzero(bent & (width >= NO_WIDTH)):
            bent[p] = _misses_hull(local[offsets[p] : offsets[p + 1]], area[p], outline[p])
        owner = np.repeat(np.arange(len(counts)), counts)
        first_reflex = np.full(len(counts), -1)
        first_reflex[owner[reflex][::-1]] = np.flatnonzero(reflex)[::-1]
        return cls(area, width <= -NO_WIDTH, width < NO_WIDTH, bent, rounds > 1.5, first_reflex)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """(p,) bool: the polygons with anything wrong."""
        return self.narrow | self.bent | self.twisted


def _misses_hull(corners: NDArray[np.float64], area: float, outline: float) -> bool:
    """Tell whether a polygon of (k, 2) corners falls short of its convex hull."""
    import shapely

    hull = shapely.MultiPoint(corners).convex_hull
    # Of the smallest numbers that there are, the distance may be none.
    with np.errstate(divide="ignore", invalid="ignore"):
        deepest = shapely.distance(hull.boundary, shapely.points(corners)).max()
    # A polygon that crosses itself may have all corners on its hull, but not all of its area.
    return bool(not deepest <= STRAIGHT or hull.area - area > STRAIGHT * outline / 2.0)


def finite_vertices(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which vertices are at finite places, near enough for areas to be finite, too."""
    # Comparing what is not a number is False.
    return np.asarray((np.abs(navmesh.vertices) <= LARGEST).all(axis=1))


def finite_points(navmesh: NavMesh) -> Floats:
    """Return the vertices, (n, 3) float64, with zeros for those that are not finite."""
    return np.where(finite_vertices(navmesh)[:, None], navmesh.vertices, 0.0)


def subset(navmesh: NavMesh, chosen: NDArray[np.bool_]) -> tuple[Ids, Ids, Ids]:
    """Return offsets and corners of the chosen polygons, and the place of each corner."""
    places = np.flatnonzero(chosen[corner_polygons(navmesh)]).astype(np.int32)
    counts = np.diff(navmesh.polygon_offsets)[chosen]
    return offsets_of(counts), navmesh.polygon_vertices[places], places
