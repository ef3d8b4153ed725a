"""Borders between patches, which leave no trace once their triangles are merged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids, Integers, Longs
    from walkmesh.builder.voxel.stages.regions import JoinedRegions


@dataclass(frozen=True)
class PatchBorders:
    """Edges between patches, each in both directions."""

    keys: Longs  # (e, 2): the vertices from and to which they run
    heights: Floats  # (e,): the height of the first one [m]
    # The patches to both sides.
    left: Ids  # (e,)
    right: Ids  # (e,)

    @classmethod
    def of(cls, regions: JoinedRegions) -> PatchBorders:
        """Return the borders of the patches that regions belong to."""
        return cls(
            regions.inner_keys,
            regions.inner_points[:, 2],
            regions.patches[regions.inner_left],
            regions.patches[regions.inner_right],
        )

    @cached_property
    def ends(self) -> Longs:
        """All vertices, ascending."""
        return np.unique(self.keys)

    def straighten(
        self, points: Longs, ids: Ids, outer: int, stepwise: Ids
    ) -> tuple[Ids, Ids, Ids]:
        """Pass over vertices inside straight borders.

        Parameters
        ----------
        points : (n, 2) int64
            Where vertices lie.
        ids : (e, 2) int32
            The vertices of each edge.
        outer : int
            How many vertices lie at the edge of the ground; these come first, and stay.
        stepwise : (p,) int32
            Patches whose borders stay as they are.

        Returns
        -------
        starts, ends, kept : (k,) int32
            The vertices of the edges that are left, and which these are.
        """
        starts, ends = ids[:, 0], ids[:, 1]
        inside = starts >= outer
        leaving = np.bincount(starts[inside] - outer, minlength=len(points) - outer)
        middle = np.zeros((len(leaving), 2), dtype=np.int64)
        np.add.at(middle, starts[inside] - outer, points[ends[inside]])
        straight = np.zeros(len(points), dtype=bool)
        straight[outer:] = (leaving == 2) & (middle == 2 * points[outer:]).all(axis=1)
        straight[starts[np.isin(self.left, stepwise)]] = False
        # The edge after each along the same border: same patches, and it starts where this ends.
        leaving_it, reaching_it = np.flatnonzero(straight[starts]), np.flatnonzero(straight[ends])
        by_start = np.lexsort((self.right[leaving_it], self.left[leaving_it], starts[leaving_it]))
        by_end = np.lexsort((self.right[reaching_it], self.left[reaching_it], ends[reaching_it]))
        following = np.arange(len(starts))
        following[reaching_it[by_end]] = leaving_it[by_start]
        kept = np.flatnonzero(~straight[starts]).astype(np.int32)
        return starts[kept], ends[last_of_each(following)[kept]], kept


def last_of_each(following: Integers) -> Integers:
    """(e,) int: what is reached from each by following on, up to what follows itself."""
    while True:
        further: Integers = following[following]  # twice as far as before
        if np.array_equal(further, following):
            return further
        following = further
