"""Moving patches apart in plan, so that many can be triangulated at once.

Storeys lie above each other, so each patch is a map of its own. Most are small, and a call for each
takes longer than the work. On the integer grid they can be moved without losing a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Ids, Longs

# How many patches are triangulated at once. Which ones must not depend on threads: where several
# triangulations are as good, the others decide.
BATCH = 64
# What a triangulation can take from side to side. [grid units]
_WIDEST = 1 << 29
# Between one patch and the next. [grid units]
_BETWEEN = 16


@dataclass(frozen=True)
class Apart:
    """Rings of several patches, side by side along u."""

    names: Ids  # (n,): the vertex each vertex here stands for
    points: Longs  # (n, 2): where they are now
    rings: Ids  # (c,): the rings, in vertices here
    # Where each patch begins and ends along u.
    starts: Longs  # (p,)
    ends: Longs  # (p,)
    shifts: Longs  # (p, 2): how far each was moved

    @classmethod
    def of(cls, points: NDArray[np.integer], corners: Ids, owners: Ids) -> Apart | None:
        """Move patches apart; None if they are too wide for that together.

        Parameters
        ----------
        points : (m, 2) int
            Vertices on a grid.
        corners : (c,) int32
            Vertices of rings.
        owners : (c,) int32
            The patch of each, from 0 up, ascending.
        """
        keys = owners.astype(np.int64) * len(points) + corners
        unique, rings = np.unique(keys, return_inverse=True)
        patch, names = unique // len(points), (unique % len(points)).astype(np.int32)
        places = points[names].astype(np.int64)
        first = np.flatnonzero(np.diff(patch, prepend=-1))
        low, high = np.minimum.reduceat(places, first), np.maximum.reduceat(places, first)
        widths = high - low + _BETWEEN
        starts = np.concatenate([[0], np.cumsum(widths[:, 0])])
        if len(first) > 1 and max(starts[-1], widths[:, 1].max()) >= _WIDEST:
            return None
        shifts = np.stack([starts[:-1], np.zeros(len(first), dtype=np.int64)], axis=1) - low
        moved = places + np.repeat(shifts, np.diff(first, append=len(patch)), axis=0)
        ends = starts[1:] - _BETWEEN
        return cls(names, moved, rings.astype(np.int32).reshape(-1), starts[:-1], ends, shifts)

    def back(self, points: NDArray[np.integer]) -> Longs:
        """Return points here as they were, each with the patch that it is in."""
        patch = np.searchsorted(self.starts, points[:, 0], side="right") - 1
        return points - self.shifts[patch]
