"""The planes of polygons that lie at any angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids


@dataclass(frozen=True)
class Planes:
    """The plane of each of some polygons, and a frame in it.

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
        """Return the planes of ragged polygons of at least 3 corners each.

        The normal is that of Newell: it halves what corners are off the plane, and its length is
        twice the area.
        """
        counts = np.diff(offsets)
        owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        if len(counts) == 0:
            return cls(np.empty((0, 3)), np.empty((0, 3)), offsets, corners, owners)
        starts = offsets[:-1]
        # From the first corner, so that a polygon far from the origin loses no digits.
        first = points[corners[starts]]
        local = points[corners] - first[owners]
        following = np.arange(1, len(corners) + 1)
        following[offsets[1:] - 1] = starts
        sums = np.add.reduceat(np.cross(local, local[following]), starts, axis=0)
        lengths = np.linalg.norm(sums, axis=1)[:, None]
        normals = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0.0)
        middles = first + np.add.reduceat(local, starts, axis=0) / counts[:, None]
        return cls(normals, middles, offsets, corners, owners)

    @property
    def axes(self) -> tuple[Floats, Floats]:
        """Two (p, 3) float64 of unit vectors u and v, with u x v the normal."""
        # The world's axis farthest from the normal is never parallel to it.
        seed = np.zeros_like(self.normals)
        farthest = np.abs(self.normals).argmin(axis=1)
        seed[np.arange(len(seed)), farthest] = 1.0
        u = np.cross(seed, self.normals)
        u /= np.maximum(np.linalg.norm(u, axis=1), np.finfo(float).tiny)[:, None]
        return u, np.cross(self.normals, u)

    def local(self, points: Floats) -> Floats:
        """Return the corners as (c, 3) float64: u, v and height in the frame of their polygons."""
        away = points[self.corners] - self.middles[self.owners]
        u, v = self.axes
        return np.column_stack(
            [np.einsum("ij,ij->i", away, axis[self.owners]) for axis in (u, v, self.normals)]
        )

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
        following = np.arange(1, len(local) + 1)
        following[self.offsets[1:] - 1] = self.offsets[:-1]
        ahead, starts = local[following], self.offsets[:-1]
        twice = np.add.reduceat(local[:, 0] * ahead[:, 1] - local[:, 1] * ahead[:, 0], starts)
        outline = np.add.reduceat(np.linalg.norm(ahead - local, axis=1), starts)
        return np.asarray(np.divide(twice, outline, out=np.zeros_like(twice), where=outline > 0.0))

    def _largest(self, values: Floats) -> Floats:
        if len(values) == 0:
            return np.empty(0)
        largest: Floats = np.maximum.reduceat(values, self.offsets[:-1])
        return largest
