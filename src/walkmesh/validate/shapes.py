"""The shapes of polygons: wound the right way, with an area, convex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.ragged import following_corners
from walkmesh.validate.polygons import subset
from walkmesh.validate.tolerances import NO_WIDTH, STRAIGHT
from walkmesh.validate.violation import Violation, at_corner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh


def bad_shapes(navmesh: NavMesh, usable: NDArray[np.bool_], here: Floats) -> Iterator[Violation]:
    """Find polygons that are wound the wrong way, have no area, or are not convex.

    Parameters
    ----------
    navmesh : NavMesh
    usable : (p,) bool
        The polygons to look at.
    here : (c, 2) float64
        Their corners, each polygon's in one plane. [Unit: m]
    """
    offsets, corners, places = subset(navmesh, usable)
    if len(corners) == 0:
        return
    polygons = np.flatnonzero(usable)
    starts, counts = offsets[:-1], np.diff(offsets)
    local = here - np.repeat(here[starts], counts, axis=0)
    following = following_corners(offsets)
    preceding = np.empty_like(following)
    preceding[following] = np.arange(len(corners))
    after, before = here[following] - here, here - here[preceding]
    area = np.add.reduceat(cross(local, local[following]), starts) / 2.0
    outline = np.add.reduceat(np.hypot(*after.T), starts)
    width = np.divide(area, outline / 2.0, out=np.zeros_like(area), where=outline > 0.0)
    turn, forward = cross(before, after), (before * after).sum(axis=1)
    reflex = (turn < 0.0) | ((turn == 0.0) & (forward <= 0.0))
    angle = np.arctan2(turn, forward)
    rounds = np.add.reduceat(angle, starts) / (2.0 * np.pi)
    # Half the outline is more than a polygon is wide, so with all its reflex turns together this
    # is more than it falls short of its hull; only where that is much is it worth a closer look.
    bend = np.add.reduceat(np.where(reflex, np.abs(angle), 0.0), starts)
    bent = bend * outline / 2.0 > STRAIGHT
    for p in np.flatnonzero(bent & (width >= NO_WIDTH)):
        bent[p] = _misses_hull(local[offsets[p] : offsets[p + 1]], area[p], outline[p])
    owner = np.repeat(np.arange(len(polygons)), counts)
    first_reflex = np.full(len(polygons), -1)
    first_reflex[owner[reflex][::-1]] = np.flatnonzero(reflex)[::-1]
    for p in np.flatnonzero((width < NO_WIDTH) | bent | (rounds > 1.5)):
        polygon = int(polygons[p])
        if width[p] <= -NO_WIDTH:
            yield Violation("winding", f"polygon {polygon} is clockwise seen from above", polygon)
        elif width[p] < NO_WIDTH:
            yield Violation(
                "no area", f"polygon {polygon} has an area of {abs(area[p]):.3g} m2", polygon
            )
        elif bent[p]:
            corner = places[first_reflex[p]]
            yield at_corner(navmesh, "not convex", corner, "starts at a reflex corner")
        else:
            yield Violation("not convex", f"polygon {polygon} winds around more than once", polygon)


def without(usable: NDArray[np.bool_], wrong: list[Violation]) -> NDArray[np.bool_]:
    """Return (p,) bool: the usable polygons that no violation is about."""
    sound = usable.copy()
    sound[[v.polygon for v in wrong if v.polygon is not None]] = False
    return sound


def _misses_hull(corners: NDArray[np.float64], area: float, outline: float) -> bool:
    """Tell whether a polygon of (k, 2) corners falls short of its convex hull."""
    import shapely

    hull = shapely.MultiPoint(corners).convex_hull
    # Of the smallest numbers that there are, the distance may be none.
    with np.errstate(divide="ignore", invalid="ignore"):
        deepest = shapely.distance(hull.boundary, shapely.points(corners)).max()
    # A polygon that crosses itself may have all corners on its hull, but not all of its area.
    return bool(not deepest <= STRAIGHT or hull.area - area > STRAIGHT * outline / 2.0)


def cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n,) cross products of (n, 2) vectors."""
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
