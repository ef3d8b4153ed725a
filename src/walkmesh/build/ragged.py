"""Ragged polygons: polygon p has the corners from offsets[p] up to offsets[p + 1]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


def offsets_of(counts: NDArray[np.integer]) -> Ids:
    """(p + 1,) int32: where each polygon's corners start, from their numbers."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def following_corners(offsets: Ids) -> Ids:
    """(c,) int32: the corner after each in its polygon."""
    following = np.arange(1, offsets[-1] + 1, dtype=np.int32)
    following[offsets[1:] - 1] = offsets[:-1]
    return following


def fit_planes(offsets: Ids, corners: Floats) -> Floats:
    """(p, 3) float64: the plane h = a u + b v + c of each polygon, by Newell's normals."""
    following = following_corners(offsets)
    local = corners - np.repeat(corners[offsets[:-1]], np.diff(offsets), axis=0)
    normals = np.add.reduceat(np.cross(local, local[following]), offsets[:-1], axis=0)
    middles = np.add.reduceat(corners, offsets[:-1], axis=0) / np.diff(offsets)[:, None]
    planes = np.zeros((len(offsets) - 1, 3))
    solid = normals[:, 2] > 0.0
    planes[solid, :2] = -normals[solid, :2] / normals[solid, 2:]
    planes[:, 2] = middles[:, 2] - (planes[:, :2] * middles[:, :2]).sum(axis=1)
    return planes
