"""Discs of free ground, the places around them that the search goes on from, and what they join."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.evaluation.kernels.forest import grow_forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids

    Indices = NDArray[np.int32] | NDArray[np.int64]

# Places on the rim of a new disc from which the search goes on.
_RIM = 8


class Rims(NamedTuple):
    """Places on the rims of discs.

    Attributes
    ----------
    discs : (n,) int64
    places : (n,) int64
        Their places around the disc, of which there are `counts`.
    counts : (n,) int64
        The same for all places of one disc.
    """

    discs: NDArray[np.int64]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def around(cls, discs: NDArray[np.int64]) -> Rims:
        """Return places on the whole rims of discs."""
        places = np.tile(np.arange(_RIM), len(discs))
        return cls(np.repeat(discs, _RIM), places, np.full(len(places), _RIM))

    @classmethod
    def joined(cls, parts: Sequence[Rims]) -> Rims:
        """Return the places of all parts."""
        none = cls.around(np.empty(0, dtype=np.int64))
        return cls(*(np.concatenate(values) for values in zip(none, *parts, strict=True)))

    @property
    def angles(self) -> Floats:
        """In which directions of the plan they lie. [Unit: radians]."""
        # Turned by the golden ratio from disc to disc, so that no direction is favoured.
        return np.asarray(2.0 * np.pi * (self.places / self.counts + self.discs * 0.618034 % 1.0))

    def of(self, chosen: NDArray[np.bool_]) -> Rims:
        """Return those that are chosen."""
        return Rims(*(values[chosen] for values in self))

    def finer(self, radii: Floats, size: float) -> Rims:
        """Put places half way to the next ones, on both sides, where these are too far."""
        far = 2.0 * np.pi * radii[self.discs] > size * self.counts
        discs, places, counts = self.of(far)
        counts = 2 * counts
        around = (2 * places + np.array([[-1], [0], [1]])) % counts
        split = np.tile(discs, 3), around.ravel(), np.tile(counts, 3)
        _, first = np.unique(split[0] << 32 | split[1], return_index=True)
        near = self.of(~far)
        return Rims(*(np.append(a, b[first]) for a, b in zip(near, split, strict=True)))


class Waiting(NamedTuple):
    """Places that may become discs: the disc that each was found from, and the room on the way."""

    places: Floats
    rooms: Floats
    origins: Indices
    links: Floats

    def of(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Waiting:
        """Return those that are chosen, in that order."""
        return Waiting(
            self.places[chosen], self.rooms[chosen], self.origins[chosen], self.links[chosen]
        )


class GrowingDiscs:
    """Discs in grids, of which there are more and more."""

    def __init__(self, smallest: float, levels: int) -> None:
        self.count = 0
        self.places = np.empty((0, 3))
        self.radii = np.empty(0)
        self._firsts = np.full(1, -1, dtype=np.int32)
        self._nexts = np.empty(0, dtype=np.int32)
        self._smallest, self._levels = smallest, levels

    @property
    def arrays(self) -> tuple[Floats, Floats, Ids, Ids, float, int]:
        """What kernels take, see :data:`~walkmesh.evaluation.kernels.discs.Discs`."""
        return (
            self.places, self.radii, self._firsts, self._nexts, self._smallest, self._levels
        )  # fmt: skip

    def make_room(self, more: int) -> None:
        """Make the arrays large enough for more discs."""
        size = self.count + more
        if size > len(self.radii):
            size = max(size, 2 * len(self.radii))
            self.places = np.concatenate([self.places, np.empty((size - len(self.places), 3))])
            self.radii = np.concatenate([self.radii, np.empty(size - len(self.radii))])
            spare = np.full(size - len(self._nexts), -1, dtype=np.int32)
            self._nexts = np.concatenate([self._nexts, spare])
        if len(self._firsts) == 1:
            self._firsts = np.full(2**18, -1, dtype=np.int32)


class DiscEdges(NamedTuple):
    """Discs that overlap, and the room on the way between their centres. [m]."""

    firsts: Ids
    seconds: Ids
    rooms: Floats

    @classmethod
    def joined(cls, parts: Sequence[DiscEdges]) -> DiscEdges:
        """Return the edges of all parts."""
        none = cls(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0))
        return cls(*(np.concatenate(values) for values in zip(none, *parts, strict=True)))

    def of(self, order: NDArray[np.intp]) -> DiscEdges:
        """Return the edges in another order."""
        return DiscEdges(self.firsts[order], self.seconds[order], self.rooms[order])

    def forest(self, count: int) -> tuple[Ids, Ids]:
        """Return the parents and links of `count` discs that the edges join, the first ones first.

        See :func:`~walkmesh.evaluation.kernels.forest.grow_forest`.
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


def label_joined(firsts: Ids, seconds: Ids, count: int) -> Ids:
    """(count,) int32: the same label, the id of one of them, for nodes that are joined by edges."""
    labels = np.empty(count, dtype=np.int32)
    grow_forest(firsts, seconds, labels, np.empty_like(labels))
    while not np.array_equal(labels, labels[labels]):
        labels = labels[labels]
    return labels
