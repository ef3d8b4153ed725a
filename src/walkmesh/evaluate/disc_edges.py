"""Discs that overlap, and what they join."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.evaluate.kernels.forest import grow_forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


class DiscEdges(NamedTuple):
    """Discs that overlap, and the room on the way between their centres. [m]."""

    firsts: Ids
    seconds: Ids
    rooms: Floats

    @classmethod
    def joined(cls, parts: Sequence[DiscEdges]) -> DiscEdges:
        """Return the edges of all parts."""
        none = cls(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0))
        all_parts = [none, *parts]
        return cls(
            np.concatenate([part.firsts for part in all_parts]),
            np.concatenate([part.seconds for part in all_parts]),
            np.concatenate([part.rooms for part in all_parts]),
        )

    def of(self, order: NDArray[np.intp]) -> DiscEdges:
        """Return the edges in another order."""
        return DiscEdges(self.firsts[order], self.seconds[order], self.rooms[order])

    def forest(self, count: int) -> tuple[Ids, Ids]:
        """Return the parents and links of `count` discs that the edges join, the first ones first.

        See :func:`~walkmesh.evaluate.kernels.forest.grow_forest`.
        """
        parents, links = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        grow_forest(self.firsts, self.seconds, parents, links)
        return parents, links


def room_between(first: Floats, second: Floats, away: Floats) -> Floats:
    """Return how much room there is at least on the straight ways between (n,) pairs of places.

    Nothing stands in the circles around them, as wide as the `first` and the `second` room, so
    nothing is closer to the way than the point where they cross. 0 where the circles do not cross
    and neither is in the other. [Unit: m]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (away**2 + first**2 - second**2) / (2.0 * away)
    between = (along > 0.0) & (along < away)
    crossing = np.sqrt(np.maximum(first**2 - along**2, 0.0))
    ends = np.minimum(first, second)
    return np.where(between, np.minimum(ends, crossing), ends)
