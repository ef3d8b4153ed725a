"""Soundness: triangles that lie over others, by a hair, are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.patches import NO_PATCH
from walkmesh.build.mesh import TriangleMesh, match_triangles
from walkmesh.kernels.adjacency import label_components
from walkmesh.overlaps import overlapping_pairs
from walkmesh.validate import NO_WIDTH, TOUCHING
from walkmesh.validate.tolerances import headroom

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids


def make_sound(
    mesh: TriangleMesh, agent: Agent, min_patch_area: float
) -> tuple[TriangleMesh, dict[str, int]]:
    """Leave out triangles without area, and the smaller of two that lie over each other.

    Stitching moves vertices by less than a millimetre, which can turn a sliver over or push it
    under its neighbour. What is lost by this is next to nothing in area; specks that come apart
    by it are left out too.

    Returns
    -------
    TriangleMesh
        Without them.
    dict of str to int
        Counts: triangles without area, triangles over others, and in specks.
    """
    area, width = _plan_area(mesh)
    solid = width > 2.0 * NO_WIDTH
    triangles = np.ascontiguousarray(mesh.triangles[solid])
    owners = np.arange(len(triangles), dtype=np.int32)
    pairs = overlapping_pairs(mesh.points, triangles, owners, headroom(agent), TOUCHING / 2.0)
    area = area[solid]
    smaller = np.where(area[pairs[:, 0]] < area[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
    kept = np.ones(len(triangles), dtype=bool)
    kept[smaller] = False
    triangles, area = triangles[kept], area[kept]
    patches = _components(triangles)
    large = (np.bincount(patches, weights=area) >= max(min_patch_area, NO_PATCH))[patches]
    counts = {
        "triangles_without_area": int(np.count_nonzero(~solid)),
        "triangles_over_others": int(np.count_nonzero(~kept)),
        "triangles_in_specks": int(np.count_nonzero(~large)),
    }
    return TriangleMesh(mesh.points, np.ascontiguousarray(triangles[large]), mesh.frame), counts


def _components(triangles: Ids) -> Ids:
    """(t,) int32: which triangles hang together by edges."""
    offsets = np.arange(0, triangles.size + 1, 3, dtype=np.int32)
    mates = match_triangles(triangles)
    labels = np.empty(len(triangles), dtype=np.int32)
    label_components(offsets, np.where(mates >= 0, mates // 3, -1).astype(np.int32), labels)
    return labels


def _plan_area(mesh: TriangleMesh) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the area of each triangle in plan, and its width: the area by half the outline."""
    a, b, c = (mesh.points[mesh.triangles[:, k], :2] for k in range(3))
    ab, ac, bc = b - a, c - a, c - b
    area = (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]) / 2.0
    outline = sum(np.hypot(side[:, 0], side[:, 1]) for side in (ab, ac, bc))
    return area, 2.0 * area / np.maximum(outline, np.finfo(np.float64).tiny)
