"""Meshes of triangles: which edges are shared, what hangs together, which vertices are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.kernels.meshes.soup import match_positions
from walkmesh.ragged import label_polygons, match_polygons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

# A triangle of which less than this part is seen from above is upright.
_UPRIGHT = 0.02


def match_triangles(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(3 t,) int32: the edge across each edge of (t, 3) triangles; negative where there is none."""
    corners = np.ascontiguousarray(triangles.ravel())
    return match_polygons(np.arange(0, len(corners) + 1, 3, dtype=np.int32), corners)


def label_parts(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(t,) int32: the connected part of each triangle, from 0 up in the order of their first."""
    mates = match_triangles(triangles)
    neighbors = np.where(mates >= 0, mates // 3, -1).astype(np.int32)
    return label_polygons(np.arange(0, triangles.size + 1, 3, dtype=np.int32), neighbors)


def first_at_place(points: Floats) -> NDArray[np.int32]:
    """(n,) int32: the first of the points (n, 3) at the very place of each; 0.0 is not -0.0."""
    first = np.empty(len(points), dtype=np.int32)
    match_positions(np.ascontiguousarray(points).view(np.int64), first)
    return first


def compact(points: Floats, corners: NDArray[np.int32]) -> tuple[Floats, NDArray[np.int32]]:
    """Drop the points that no corner uses, and renumber the corners; the order stays."""
    used = np.zeros(len(points), dtype=bool)
    used[corners.ravel()] = True
    if used.all():
        return points, corners
    renumbered = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return points[used], renumbered[corners]


def area_vectors(triangles: Floats) -> Floats:
    """(t, 3) float64: normals of triangles (t, 3, 3), as long as twice their areas."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    return np.cross(b - a, c - a)


def plan_cross(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """(...,) float64: the cross products of vectors (..., 2 or 3), seen from above."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def twice_plan_areas(triangles: Floats) -> Floats:
    """(t,) float64: twice the plan areas of triangles (t, 3, 2 or 3)."""
    a, b, c = triangles[:, 0, :2], triangles[:, 1, :2], triangles[:, 2, :2]
    return plan_cross(b - a, c - a)


def plan_measures(triangles: Floats) -> tuple[Floats, Floats]:
    """(t,) float64 each: twice the plan areas of triangles (t, 3, 2 or 3), and their outlines."""
    a, b, c = triangles[:, 0, :2], triangles[:, 1, :2], triangles[:, 2, :2]
    ab, ac, bc = b - a, c - a, c - b
    outlines: Floats = np.hypot(*ab.T) + np.hypot(*ac.T) + np.hypot(*bc.T)
    return plan_cross(ab, ac), outlines


def at_any_angle(triangles: Floats) -> bool:
    """Tell whether more than a hundredth of (n, 3, 3) triangles is upright or faces down."""
    normals = area_vectors(triangles)
    areas = np.linalg.norm(normals, axis=1)
    return bool(areas[normals[:, 2] < _UPRIGHT * areas].sum() > 0.01 * areas.sum())
