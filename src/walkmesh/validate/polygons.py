"""Which polygons of a navmesh can be looked at, and where their corners are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.ragged import offsets_of
from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def finite_vertices(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which vertices are at finite places, near enough for areas to be finite, too."""
    # Comparing what is not a number is False.
    return np.asarray((np.abs(navmesh.vertices) <= LARGEST).all(axis=1))


def usable_polygons(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which polygons have all their corners at finite places."""
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    bad = (corners < 0) | (corners >= count)
    bad[~bad] = ~finite_vertices(navmesh)[corners[~bad]]
    usable = np.ones(navmesh.polygon_count, dtype=bool)
    usable[corner_polygons(navmesh)[bad]] = False
    return usable


def subset(navmesh: NavMesh, chosen: NDArray[np.bool_]) -> tuple[Ids, Ids, Ids]:
    """Return offsets and corners of the chosen polygons, and the place of each corner."""
    places = np.flatnonzero(chosen[corner_polygons(navmesh)]).astype(np.int32)
    counts = np.diff(navmesh.polygon_offsets)[chosen]
    return offsets_of(counts), navmesh.polygon_vertices[places], places


def finite_points(navmesh: NavMesh) -> Floats:
    """Return the vertices, (n, 3) float64, with zeros for those that are not finite."""
    return np.where(finite_vertices(navmesh)[:, None], navmesh.vertices, 0.0)


def finite_plan_points(navmesh: NavMesh) -> Floats:
    """Return the plan points, (n, 3) float64, with zeros for vertices that are not finite."""
    return navmesh.frame.to_plan(finite_points(navmesh))


def polygon_at(navmesh: NavMesh, corner: int) -> Ids:
    """Return the vertices of the polygon that a corner belongs to."""
    polygon = corner_polygons(navmesh)[corner]
    start, stop = navmesh.polygon_offsets[polygon], navmesh.polygon_offsets[polygon + 1]
    return navmesh.polygon_vertices[start:stop]
