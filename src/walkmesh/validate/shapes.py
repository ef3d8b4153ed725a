"""Which polygons can be looked at, and which are wound the wrong way, flat or not convex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.polygon_shapes import finite_vertices
from walkmesh.topology import corner_polygons
from walkmesh.validate.violation import Violation, at_corner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.polygon_shapes import Shapes


def usable_polygons(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which polygons have all their corners at finite places."""
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    bad = (corners < 0) | (corners >= count)
    bad[~bad] = ~finite_vertices(navmesh)[corners[~bad]]
    usable = np.ones(navmesh.polygon_count, dtype=bool)
    usable[corner_polygons(navmesh)[bad]] = False
    return usable


def bad_shapes(
    navmesh: NavMesh, usable: NDArray[np.bool_], shapes: Shapes, places: Ids
) -> Iterator[Violation]:
    """Find polygons with a wrong shape among the usable ones, (p,), which have these `shapes`.

    `places`, (c,), are where their corners are among those of the navmesh.
    """
    polygons = np.flatnonzero(usable)
    for p in np.flatnonzero(shapes.wrong):
        polygon = int(polygons[p])
        if shapes.clockwise[p]:
            yield Violation("winding", f"polygon {polygon} is clockwise seen from above", polygon)
        elif shapes.narrow[p]:
            area = abs(shapes.areas[p])
            yield Violation("no area", f"polygon {polygon} has an area of {area:.3g} m2", polygon)
        elif shapes.bent[p]:
            corner = places[shapes.reflex[p]]
            yield at_corner(navmesh, "not convex", corner, "starts at a reflex corner")
        else:
            yield Violation("not convex", f"polygon {polygon} winds around more than once", polygon)


def without(usable: NDArray[np.bool_], wrong: list[Violation]) -> NDArray[np.bool_]:
    """Return (p,) bool: the usable polygons that no violation is about."""
    sound = usable.copy()
    sound[[v.polygon for v in wrong if v.polygon is not None]] = False
    return sound


def polygon_at(navmesh: NavMesh, corner: int) -> Ids:
    """Return the vertices of the polygon that a corner belongs to."""
    polygon = corner_polygons(navmesh)[corner]
    start, stop = navmesh.polygon_offsets[polygon], navmesh.polygon_offsets[polygon + 1]
    return navmesh.polygon_vertices[start:stop]
