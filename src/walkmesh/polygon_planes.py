"""The planes of polygons that lie at any angle.

Ragged polygons: polygon p has the corners from offsets[p] up to offsets[p + 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.ragged import following_corners, owners_of
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


def normals_of(offsets: Ids, corners: Floats) -> Floats:
    """Return (p, 3) float64: unit vectors that polygons are counter-clockwise around.

    They are sums over all of the (c, 3) corners (Newell), so that nearly straight ones do no harm,
    and what corners are off the plane is halved. Zero for polygons without area.
    """
    starts = offsets[:-1]
    if len(starts) == 0:
        return np.empty((0, 3))
    # From the first corner, so that a polygon far from the origin loses no digits.
    local = corners - np.repeat(corners[starts], np.diff(offsets), axis=0)
    sums = np.add.reduceat(np.cross(local, local[following_corners(offsets)]), starts, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0.0))


def frames_of(normals: Floats) -> tuple[Floats, Floats]:
    """Return unit vectors u and v, (p, 3) each, that span the plane of each (p, 3) normal.

    They follow from the normal alone, so that polygons of one plane have one frame; together with
    it they are right-handed.
    """
    # The world's axis after the one nearest to the normal is never parallel to it.
    rows, seed = np.arange(len(normals)), (np.abs(normals).argmax(axis=1) + 1) % 3
    u = -normals[rows, seed][:, None] * normals
    u[rows, seed] += 1.0
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    return u, np.cross(normals, u)


def in_own_planes(offsets: Ids, corners: Floats, normals: Floats) -> Floats:
    """Return (c, 3) float64: corners as (u, v, h) in the frame of their polygon's (p, 3) normal.

    The origin is the polygon's first corner.
    """
    sizes = np.diff(offsets)
    away = corners - np.repeat(corners[offsets[:-1]], sizes, axis=0)
    return _in_frames(away, sizes, normals)


def _in_frames(away: Floats, sizes: NDArray[np.integer], normals: Floats) -> Floats:
    """Return (c, 3) vectors in the frames of polygons that have so many corners each."""
    axes = np.stack([*frames_of(normals), normals], axis=1)
    return np.ascontiguousarray(np.einsum("ck,cjk->cj", away, np.repeat(axes, sizes, axis=0)))


@dataclass(frozen=True)
class Planes:
    """The plane of each of some polygons.

    Attributes
    ----------
    normals : (p, 3) float64
        Unit vectors that polygons are counter-clockwise around; zeros for one without area.
    middles : (p, 3) float64
        The mean of the corners, which is in the plane. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        The ragged polygons.
    owners : (c,) int32
        The polygon that each corner belongs to.
    """

    normals: Floats
    middles: Floats
    offsets: Ids
    corners: Ids
    owners: Ids

    @classmethod
    def of(cls, points: Floats, offsets: Ids, corners: Ids) -> Planes:
        """Return the planes of ragged polygons of at least 3 corners each."""
        counts, places = np.diff(offsets), points[corners]
        owners = owners_of(offsets)
        normals = normals_of(offsets, places)
        if len(counts) == 0:
            return cls(normals, np.empty((0, 3)), offsets, corners, owners)
        first = places[offsets[:-1]]
        away = np.add.reduceat(places - first[owners], offsets[:-1], axis=0)
        return cls(normals, first + away / counts[:, None], offsets, corners, owners)

    def local(self, points: Floats) -> Floats:
        """Return the corners as (c, 3) float64: u, v and height in the frame of their polygons.

        The origin is the middle.
        """
        away = points[self.corners] - self.middles[self.owners]
        return _in_frames(away, np.diff(self.offsets), self.normals)

    def bends(self, local: Floats) -> Floats:
        """Return (p,) float64: how far corners are off the plane at most; `local` is theirs."""
        return self._largest(np.abs(local[:, 2]))

    def radii(self, local: Floats) -> Floats:
        """Return (p,) float64: how far corners are from the middle at most; `local` is theirs."""
        return self._largest(np.linalg.norm(local, axis=1))

    def widths(self, local: Floats) -> Floats:
        """Return (p,) float64: area over half the outline, which for a strip is its width."""
        if len(local) == 0:
            return np.empty(0)
        ahead, starts = local[following_corners(self.offsets)], self.offsets[:-1]
        twice = np.add.reduceat(plan_cross(local, ahead), starts)
        outline = np.add.reduceat(np.linalg.norm(ahead - local, axis=1), starts)
        return np.asarray(np.divide(twice, outline, out=np.zeros_like(twice), where=outline > 0.0))

    def _largest(self, values: Floats) -> Floats:
        if len(values) == 0:
            return np.empty(0)
        largest: Floats = np.maximum.reduceat(values, self.offsets[:-1])
        return largest
