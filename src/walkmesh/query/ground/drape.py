"""Paths on the ground: between its turning points, a path follows the height of the triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.query.ground.kernels.drape import drape
from walkmesh.query.kernels.tolerances import GROUND_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.query.ground.mesh import GroundMesh


def on_ground(mesh: GroundMesh, points: Floats, polygons: ArrayLike) -> Floats:
    """Return a path with its heights from the navmesh's triangles, and further points as needed.

    Given are its start, one point on each edge that is crossed, and its goal, (g, 3), and the
    polygon from each point to the next. No point of the line through those returned, (k, 3), is
    farther than `GROUND_TOLERANCE` from the ground in height. All are in the plan frame. [Unit: m]
    """
    ways = read_only(polygons, np.int32)
    draped = np.empty((2 * len(points) + 64, 3), dtype=np.float64)
    while True:
        count = drape(
            points, ways, mesh.points, mesh.triangles, mesh.polygons, mesh.diagonals,
            GROUND_TOLERANCE, draped,
        )  # fmt: skip
        if count <= len(draped):
            return draped[:count]
        draped = np.empty((count, 3), dtype=np.float64)
