"""Where on the navmesh a point is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.locate import find_nearest

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


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


def locate(navmesh: NavMesh, points: Floats, max_snap: float) -> Located:
    """Find the nearest place on the navmesh for each of (n, 3) points in world coordinates."""
    queries = navmesh.frame.to_plan(points)
    triangles = np.empty(len(points), dtype=np.int32)
    places = np.empty((len(points), 3), dtype=np.float64)
    tree = navmesh.triangle_tree
    find_nearest(
        queries,
        navmesh.plan_points,
        navmesh.triangles,
        tree.boxes,
        tree.order,
        tree.nodes,
        max_snap,
        triangles,
        places,
    )
    found = triangles >= 0
    polygons = np.full(len(points), -1, dtype=np.int32)
    polygons[found] = navmesh.triangle_polygons[triangles[found]]
    distances = np.linalg.norm(places - queries, axis=1)
    distances[~found] = np.inf
    return Located(polygons, navmesh.frame.to_world(places), distances)
