"""Violations of polygons that are wound the wrong way, have no area, or are not convex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.validate.violation import Violation, at_corner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.polygon_shapes import Shapes


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
