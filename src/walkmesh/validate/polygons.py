"""Which polygons of a navmesh can be looked at, and where their corners are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.polygon_shapes import finite_points, finite_vertices
from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def usable_polygons(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which polygons have all their corners at finite places."""
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    bad = (corners < 0) | (corners >= count)
    bad[~bad] = ~finite_vertices(navmesh)[corners[~bad]]
    usable = np.ones(navmesh.polygon_count, dtype=bool)
    usable[corner_polygons(navmesh)[bad]] = False
    return usable


def finite_plan_points(navmesh: NavMesh) -> Floats:
    """Return the plan points, (n, 3) float64, with zeros for vertices that are not finite."""
    return navmesh.frame.to_plan(finite_points(navmesh))


def polygon_at(navmesh: NavMesh, corner: int) -> Ids:
    """Return the vertices of the polygon that a corner belongs to."""
    polygon = corner_polygons(navmesh)[corner]
    start, stop = navmesh.polygon_offsets[polygon], navmesh.polygon_offsets[polygon + 1]
    return navmesh.polygon_vertices[start:stop]
