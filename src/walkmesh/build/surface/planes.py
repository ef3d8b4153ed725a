"""Polygons in their own planes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.ragged import following_corners

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids


def frames_of(normals: Floats) -> tuple[Floats, Floats]:
    """Return unit vectors u and v, (p, 3) each, that span the plane of each (p, 3) normal.

    They follow from the normal alone; together with it they are right-handed.
    """
    largest = np.abs(normals).argmax(axis=1)
    rows = np.arange(len(normals))
    u = -normals[rows, (largest + 1) % 3][:, None] * normals
    u[rows, (largest + 1) % 3] += 1.0
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    return u, np.cross(normals, u)


def in_own_planes(offsets: Ids, corners: Floats, normals: Floats) -> Floats:
    """(c, 3) float64: corners as (u, v, h) in the frame of their polygon, from its first corner."""
    sizes = np.diff(offsets)
    local = corners - np.repeat(corners[offsets[:-1]], sizes, axis=0)
    axes = np.stack([*frames_of(normals), normals], axis=1)
    return np.ascontiguousarray(np.einsum("ck,cjk->cj", local, np.repeat(axes, sizes, axis=0)))


def normals_of(offsets: Ids, corners: Floats) -> Floats:
    """(p, 3) float64: unit normals of polygons, by Newell's sums; zero where there is no area."""
    starts = offsets[:-1]
    local = corners - np.repeat(corners[starts], np.diff(offsets), axis=0)
    sums = np.add.reduceat(np.cross(local, local[following_corners(offsets)]), starts, axis=0)
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, length, out=np.zeros_like(sums), where=length > 0.0))
