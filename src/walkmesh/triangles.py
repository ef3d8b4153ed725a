"""Meshes of triangles: which edges are shared, what hangs together, which vertices are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.meshes.adjacency import label_components, match_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

# A triangle of which less than this part is seen from above is upright.
_UPRIGHT = 0.02


def match_triangles(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(3 t,) int32: the edge across each edge of (t, 3) triangles; negative where there is none."""
    corners = np.ascontiguousarray(triangles.ravel())
    mates = np.empty(len(corners), dtype=np.int32)
    match_edges(np.arange(0, len(corners) + 1, 3, dtype=np.int32), corners, mates)
    return mates


def label_parts(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(t,) int32: the connected part of each triangle, from 0 up in the order of their first."""
    mates = match_triangles(triangles)
    neighbors = np.where(mates >= 0, mates // 3, -1).astype(np.int32)
    labels = np.empty(len(triangles), dtype=np.int32)
    label_components(np.arange(0, triangles.size + 1, 3, dtype=np.int32), neighbors, labels)
    return labels


def compact(points: Floats, corners: NDArray[np.int32]) -> tuple[Floats, NDArray[np.int32]]:
    """Drop the points that no corner uses, and renumber the corners; the order stays."""
    used = np.zeros(len(points), dtype=bool)
    used[corners.ravel()] = True
    if used.all():
        return points, corners
    renumbered = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return points[used], renumbered[corners]


def at_any_angle(triangles: Floats) -> bool:
    """Tell whether more than a hundredth of (n, 3, 3) triangles is upright or faces down."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    return bool(areas[normals[:, 2] < _UPRIGHT * areas].sum() > 0.01 * areas.sum())
