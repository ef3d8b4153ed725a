"""Paths on the ground: between its turning points, a path follows the height of the triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.query.kernels.drape import drape
from walkmesh.topology import plan_points

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

# How far in height a path may leave the ground.
GROUND_TOLERANCE = 1e-3  # m


def on_ground(navmesh: NavMesh, points: Floats, polygons: ArrayLike) -> Floats:
    """Return a path with its heights from the navmesh's triangles, and further points as needed.

    Parameters
    ----------
    navmesh : NavMesh
        What to walk on.
    points : (g, 3) float64
        Start, one point on each edge that is crossed, and goal, in the plan frame. [Unit: m]
    polygons : (g - 1,) array_like of int
        The polygon from each point to the next.

    Returns
    -------
    (k, 3) float64
        In the plan frame. No point of the line through them is farther than `GROUND_TOLERANCE`
        from the ground in height.
    """
    ways = read_only(polygons, np.int32)
    draped = np.empty((2 * len(points) + 64, 3), dtype=np.float64)
    while True:
        count = drape(
            points,
            ways,
            plan_points(navmesh),
            navmesh.triangles,
            navmesh.search_mesh.mesh.polygons,
            navmesh.search_mesh.mesh.diagonals,
            GROUND_TOLERANCE,
            draped,
        )
        if count <= len(draped):
            return draped[:count]
        draped = np.empty((count, 3), dtype=np.float64)
