"""Welding: corners at the same place become one vertex, so that faces become neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh, compact
from walkmesh.errors import BuildError
from walkmesh.kernels.soup import mark_repeats, weld_points
from walkmesh.validate import NO_WIDTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Corners up to a tenth of a millimetre apart are one: coordinates in single precision are that far
# off a kilometre from their origin. At 2**-50 of the scene's size float64 has no more digits.
_WELD_DISTANCE = 1e-4
_WELD_PART_OF_SIZE = 2.0**-50


def weld(mesh: TriangleMesh) -> tuple[TriangleMesh, dict[str, int]]:
    """Make one vertex of corners at the same place.

    Returns
    -------
    TriangleMesh
        With welded vertices and without the triangles that lost their area by it.
    dict of str to int
        Counts: vertices welded, triangles collapsed and triangles that repeat another.

    Raises
    ------
    BuildError
        When nothing is left.
    """
    distance = max(_WELD_DISTANCE, float(np.abs(mesh.points).max()) * _WELD_PART_OF_SIZE)
    representative = np.empty(len(mesh.points), dtype=np.int32)
    staying = weld_points(mesh.points, distance, representative)
    triangles = representative[mesh.triangles]
    solid = _has_plan_area(mesh.points, triangles)
    repeated = np.empty(len(triangles), dtype=np.uint8)
    mark_repeats(triangles, repeated)
    kept = solid & (repeated == 0)
    if not kept.any():
        raise BuildError(
            f"all {len(triangles)} walkable triangles are smaller than the {distance:g} m at which "
            "corners become one; is the scale right for this scene?"
        )
    points, triangles = compact(mesh.points, triangles[kept])
    counts = {
        "vertices_welded": len(mesh.points) - int(staying),
        "triangles_collapsed": int(np.count_nonzero(~solid)),
        "triangles_repeated": int(np.count_nonzero(solid & (repeated == 1))),
    }
    return TriangleMesh(points, triangles, mesh.frame), counts


def _has_plan_area(points: NDArray[np.float64], triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Tell which triangles still have an area in plan, counter-clockwise."""
    a, b, c = (points[triangles[:, k], :2] for k in range(3))
    ab, ac, bc = b - a, c - a, c - b
    twice_area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    outline = sum(np.hypot(side[:, 0], side[:, 1]) for side in (ab, ac, bc))
    # Twice what a polygon needs, so that rounding in world coordinates cannot make it a violation.
    return np.asarray(twice_area > 2.0 * NO_WIDTH * outline)
