"""Unnecessary detail: pieces of one plane become one, as far as they stay convex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.ground import Ground, Pieces
from walkmesh.build.mesh import TriangleMesh
from walkmesh.build.polygons import merge_triangles
from walkmesh.build.ragged import following_corners, offsets_of
from walkmesh.kernels.fragments import MOST_CORNERS
from walkmesh.kernels.stitch import number_fans
from walkmesh.kernels.triangulate import triangulate_convex

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame

# Corners at heights closer than this are at one height. [m]
_SAME_HEIGHT = 1e-4
# How far merged pieces may leave the ground, in height. [m]
_FLAT = 1e-3
# A corner this close to the line through its neighbours is none. [m]
_STRAIGHT = 1e-7


def triangulate(ground: Ground) -> Ids:
    """(t, 3) int32: triangles of all polygons, as corners of the ground."""
    corners = np.arange(len(ground.vertices), dtype=np.int32)
    triangles = np.empty((len(corners) - 2 * len(ground.sources), 3), dtype=np.int32)
    triangulate_convex(ground.corners, ground.offsets, corners, triangles)
    return triangles


def level_mesh(ground: Ground, frame: Frame) -> TriangleMesh:
    """Return the triangles of the ground, with vertices of their own on either side of a step."""
    ahead = ground.following
    across = np.maximum(ground.mates, 0)
    level = (
        (ground.mates >= 0)
        & (np.abs(ground.heights - ground.heights[ahead[across]]) <= _SAME_HEIGHT)
        & (np.abs(ground.heights[ahead] - ground.heights[across]) <= _SAME_HEIGHT)
    )
    mates = np.where(level, ground.mates, -1).astype(np.int32)
    vertices = np.empty(len(mates), dtype=np.int32)
    count = number_fans(ground.offsets, mates, vertices)
    points = np.empty((count, 3), dtype=np.float64)
    points[vertices[::-1]] = ground.corners[::-1]
    triangles = triangulate(ground)
    return TriangleMesh(points, np.ascontiguousarray(vertices[triangles]), frame)


def piece_mesh(pieces: Pieces, frame: Frame) -> TriangleMesh:
    """Return the triangles of pieces, which share no vertices."""
    corners = np.arange(len(pieces.corners), dtype=np.int32)
    triangles = np.empty((len(corners) - 2 * len(pieces.sources), 3), dtype=np.int32)
    triangulate_convex(pieces.corners, pieces.offsets, corners, triangles)
    return TriangleMesh(pieces.corners, triangles, frame)


def merge_level(mesh: TriangleMesh) -> Pieces:
    """Merge triangles of one plane into convex pieces of few corners.

    Corners on straight sides are left out; stitching puts back those that are needed.
    """
    offsets, corners = merge_triangles(mesh, _FLAT)
    offsets, positions = _without_straight_corners(offsets, mesh.points[corners])
    offsets, positions = _halved(offsets, positions)
    return Pieces(offsets, positions, np.arange(len(offsets) - 1, dtype=np.int32))


def _without_straight_corners(offsets: Ids, corners: Floats) -> tuple[Ids, Floats]:
    """Drop corners that lie on the line through their neighbours in plan."""
    after = corners[following_corners(offsets), :2] - corners[:, :2]
    before = np.empty_like(after)
    before[following_corners(offsets)] = after
    cross = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
    bent = cross > _STRAIGHT * (np.hypot(*before.T) + np.hypot(*after.T))
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    left = np.bincount(owners[bent], minlength=len(offsets) - 1)
    bent |= (left < 3)[owners]
    return offsets_of(np.bincount(owners[bent], minlength=len(offsets) - 1)), corners[bent]


def _halved(offsets: Ids, corners: Floats) -> tuple[Ids, Floats]:
    """Cut polygons of too many corners in two, until none has."""
    while (large := np.diff(offsets) > MOST_CORNERS).any():
        polygons = []
        for start, stop, too_large in zip(offsets, offsets[1:], large, strict=False):
            polygon = corners[start:stop]
            half = len(polygon) // 2
            if too_large:
                polygons += [polygon[: half + 1], np.concatenate([polygon[half:], polygon[:1]])]
            else:
                polygons.append(polygon)
        offsets = offsets_of(np.array([len(polygon) for polygon in polygons]))
        corners = np.concatenate(polygons)
    return offsets, np.ascontiguousarray(corners)
