"""Rays along the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.kernels.walk import cast_rays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.ask import Ends
    from walkmesh.query.search_mesh import SearchMesh


@dataclass(frozen=True, eq=False)
class Rays:
    """How far one can walk straight on.

    Attributes
    ----------
    hits : (n,) bool
        Whether each walk is stopped by a wall, or could not start.
    points : (n, 3) float64
        Where it ends, on the ground, in world coordinates. [Unit: m]
    polygons : (n,) int32
        The polygon where it ends; -1 if its start is not on the navmesh.
    edges : (n,) int32
        The edge, by its corner's place in `polygon_vertices`, that stops it; -1 for none.
    distances : (n,) float64
        How far it leads, seen from above. [Unit: m]
    """

    hits: NDArray[np.bool_]
    points: Floats
    polygons: Ids
    edges: Ids
    distances: Floats


def cast(search: SearchMesh, ends: Ends) -> Rays:
    """Walk from located starts straight towards goals."""
    count = len(ends.starts)
    points, hits = np.empty((count, 3)), np.empty(count, dtype=np.uint8)
    polygons, edges = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    mesh = search.mesh
    cast_rays(
        ends.starts, ends.start_polygons, ends.goals, mesh.points, mesh.polygons, mesh.sides,
        search.ground.triangles, search.axes, points, polygons, edges, hits,
    )  # fmt: skip
    distances = np.linalg.norm((points - ends.starts) @ search.axes[:2].T, axis=1)
    return Rays(hits.astype(np.bool_), points, polygons, edges, distances)
