"""Rays along a surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.rays import Rays
from walkmesh.query.surface.kernels.straight import walk_straight

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.query.surface.locate import Places
    from walkmesh.query.surface.mesh import SurfaceMesh


def cast(surface: SurfaceMesh, starts: Places, ends: Floats) -> Rays:
    """Walk from places straight on towards (n, 3) ends, see :meth:`NavMesh.raycast`."""
    count = len(ends)
    points, distances = np.empty((count, 3)), np.empty(count)
    triangles, edges = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    hits = np.empty(count, dtype=np.uint8)
    walk_straight(
        *surface.mesh, surface.normals, starts.points, starts.triangles, ends, points, triangles,
        edges, hits, distances,
    )  # fmt: skip
    polygons = surface.polygons_of(triangles)
    return Rays(hits.astype(np.bool_), points, polygons, edges, distances)
