"""How the free ground hangs together, and how wide the passages are between its parts.

The ground is covered with discs, from given points outwards, large ones first: around a place with
more room than is needed, the agent can stand anywhere in a disc as large as what is left over. From
the rim of each disc the search goes on, in rounds of ever smaller discs, so that it comes through
any passage. Discs that overlap make an edge, whose weight is the room that there
is at least on the way from one centre to the other; of all ways between two places, the widest is
the one in the maximum spanning forest of these edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.evaluate.joined import label_joined
from walkmesh.evaluate.kernels.discs import explore, settle
from walkmesh.evaluate.kernels.forest import find_joints, grow_forest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.evaluate.truth import Truth

# Places on the rim of a new disc from which the search goes on.
_RIM = 8
# The discs of each round are so many times smaller than those of the last one.
_SHRINKING = 3.0
# Discs of this radius and more are looked for everywhere; smaller ones only where ground is not
# connected yet. [m]
_COARSE = 0.1
# With so many discs the search is given up.
_MOST_DISCS = 150_000


class Ways(NamedTuple):
    """What the ways between pairs of points are like.

    Attributes
    ----------
    joined : (n,) bool
        Whether there is a way at all.
    rooms : (n,) float64
        How far it is to the nearest obstacle at the narrowest place of the widest way, with both
        ends moved to where there is the most room around them: half the width of the narrowest
        passage. Never more than `Passages.most`; 0 without a way. [Unit: m]
    decided : (n,) bool
        Whether the search went on until it was certain that there is no way.
    """

    joined: NDArray[np.bool_]
    rooms: Floats
    decided: NDArray[np.bool_]


@dataclass
class Passages:
    """Discs of free ground, and how they are connected.

    Attributes
    ----------
    truth : Truth
    least : float
        How much room an agent needs. [Unit: m]
    most : float
        More room than this is not measured. [Unit: m]
    finest : float
        Radius of the smallest discs. [Unit: m]
    """

    truth: Truth
    least: float
    most: float
    finest: float
    _discs: _Discs = field(init=False)
    _edges: list[_Edges] = field(init=False, default_factory=list)
    _homes: Ids = field(init=False)
    _decided: bool = field(init=False, default=True)

    def search(self, points: Floats, progress: Callable[[float], None]) -> None:
        """Find how points are connected.

        Parameters
        ----------
        points : (n, 3) float64
            On the ground, in the plan. [Unit: m]
        progress : callable
            Called with the share of the work that is done.
        """
        levels = 1 + max(0, math.ceil(math.log2((self.most - self.least) / self.finest)))
        self._discs = _Discs(self.finest, levels)
        nowhere = np.zeros(len(points))
        found = self._explore(points, nowhere, nowhere, self.most, self.least)
        free = np.flatnonzero(found.centre_rooms > 0.0)
        order = free[np.argsort(-found.centre_rooms[free], kind="stable")]
        self._homes = np.full(len(points), -1, dtype=np.int32)
        self._homes[order] = self._settle(found.places[order], found.centre_rooms[order])
        rims = _Rims.around(np.arange(self._discs.count))
        rounds = math.ceil(math.log(self.most / self.finest, _SHRINKING))
        for nth, size in enumerate(self.finest * _SHRINKING ** np.arange(rounds - 1.0, -1.0, -1.0)):
            progress(nth / rounds)
            if self._is_connected() or not self._decided:
                break
            rims = self._spread(rims, float(size))

    def ways(self, pairs: Ids) -> Ways:
        """Return the widest way between the points of each pair, (n, 2) indices of points."""
        edges = self._all_edges()
        parents, links = self._forest(edges)
        ends = np.ascontiguousarray(self._tops(edges)[self._homes[pairs]])
        joints = np.empty(len(pairs), dtype=np.int32)
        find_joints(ends, parents, links, joints)
        known = (self._homes[pairs] >= 0).all(axis=1)
        joined = known & (joints != -1)
        rooms = np.where(joined, self.most, 0.0)
        passing = joined & (joints >= 0)
        narrowest, ways = np.unique(joints[passing], return_inverse=True)
        rooms[passing] = self._passage_rooms(edges, narrowest)[ways]
        return Ways(joined, rooms, joined | (known & self._decided))

    def _passage_rooms(self, edges: _Edges, chosen: Ids) -> Floats:
        """Return the room in the middle of the passages that edges lead through.

        An edge leads through somewhere in the passage, and so tells only that there is no less.
        """
        firsts, seconds = edges.firsts[chosen], edges.seconds[chosen]
        places, rooms = self._discs.places, self._discs.radii + self.least
        ways = places[seconds] - places[firsts]
        lengths = np.linalg.norm(ways[:, :2], axis=1)
        narrowest = np.clip(crossing_of(rooms[firsts], rooms[seconds], lengths), 0.0, lengths)
        angles = np.arctan2(ways[:, 1], ways[:, 0])
        found = self._explore(places[firsts], angles, narrowest, self.most, self.least, anew=True)
        return np.maximum(found.centre_rooms, edges.rooms[chosen])

    def _spread(self, rims: _Rims, size: float) -> _Rims:
        """Cover the ground with discs of at least this radius, and return the rims that are left.

        Below `_COARSE` that is done only for ground that is not connected with most points.
        """
        new = rims.of(self._is_apart(rims.discs)) if size < _COARSE else rims
        new = new.finer(self._discs.radii, size)
        left = [_Rims.around(np.empty(0, dtype=np.int64))]
        while len(new.discs):
            waiting, open_rims = self._step_out(new, size)
            left.append(open_rims)
            if self._discs.count > _MOST_DISCS:
                self._decided = False
                break
            waiting = waiting.of(np.argsort(-waiting.rooms, kind="stable"))
            before = self._discs.count
            homes = self._settle(waiting.places, waiting.rooms)
            # What was known of the way holds only for places that became discs themselves.
            known = np.where(homes >= before, waiting.links, 0.0)
            self._connect(waiting.origins, homes, known)
            new = _Rims.around(np.arange(before, self._discs.count))
        return _Rims(*(np.concatenate(parts) for parts in zip(*left, strict=True)))

    def _step_out(self, rims: _Rims, size: float) -> tuple[_Waiting, _Rims]:
        """Look at places on rims: connect those in other discs, return the others.

        Returns
        -------
        _Waiting
            Places with room for a disc of at least `size`.
        _Rims
            All places that are in no disc.
        """
        centres, own = self._discs.places[rims.discs], self._discs.radii[rims.discs] + self.least
        lengths = own - self.least
        # Larger discs than that have been found before.
        mosts = np.minimum(min(self.most, self.least + 2.0 * _SHRINKING * size), own + lengths)
        found = self._explore(centres, rims.angles, lengths, mosts, self.least + size)
        inside = found.homes >= 0
        self._connect(rims.discs[inside], found.homes[inside])
        away = np.linalg.norm(found.places - centres, axis=1)
        # Either straight to the middle of the passage, or by the place it was found from.
        links = np.maximum(
            room_between(own, found.centre_rooms, away),
            np.minimum(room_between(own, found.rooms, lengths), found.rooms),
        )
        waiting = _Waiting(found.places, found.centre_rooms, rims.discs, links)
        return waiting.of(found.centre_rooms > 0.0), rims.of(~inside)

    def _connect(self, firsts: Ids, seconds: Ids, links: Floats | None = None) -> None:
        """Note edges between discs; `links` are rooms that are known already, at least."""
        places, radii = self._discs.places, self._discs.radii
        away = np.linalg.norm(places[firsts] - places[seconds], axis=1)
        between = room_between(radii[firsts] + self.least, radii[seconds] + self.least, away)
        if links is not None:
            between = np.maximum(between, links)
        self._edges.append(_Edges(firsts.astype(np.int32), seconds.astype(np.int32), between))

    def _explore(
        self,
        origins: Floats,
        angles: Floats,
        lengths: Floats,
        mosts: Floats | float,
        least: float,
        *,
        anew: bool = False,
    ) -> _Found:
        """Run the kernel of that name over all cores.

        With `anew` as if there were no discs, and looking for the middle across the way.
        """
        count = len(origins)
        found = _Found.empty(count)
        limits = np.broadcast_to(np.asarray(mosts, dtype=np.float64), count).copy()
        discs = _Discs(self.finest, 0) if anew else self._discs

        def run(start: int, stop: int) -> None:
            part = slice(start, stop)
            explore(
                *self.truth.soup, *self.truth.walker,
                origins[part], angles[part], lengths[part], limits[part], least, int(anew),
                *discs.arrays, *(values[part] for values in found),
            )  # fmt: skip

        for _ in in_chunks(count, run):
            pass
        return found

    def _settle(self, places: Floats, rooms: Floats) -> Ids:
        """Make discs of places in their order, and return the disc of each."""
        homes = np.empty(len(places), dtype=np.int32)
        self._discs.make_room(len(places))
        self._discs.count = settle(
            *self.truth.soup, *self.truth.walker, np.ascontiguousarray(places),
            rooms - self.least, self._discs.count, *self._discs.arrays, homes,
        )  # fmt: skip
        return homes

    def _all_edges(self) -> _Edges:
        """Return all edges, those with the most room first."""
        none = _Edges(*(np.empty(0, dtype=d) for d in (np.int32, np.int32, np.float64)))
        edges = [np.concatenate(parts) for parts in zip(none, *self._edges, strict=True)]
        order = np.argsort(-edges[2], kind="stable")
        return _Edges(*(np.ascontiguousarray(values[order]) for values in edges))

    def _forest(self, edges: _Edges) -> tuple[Ids, Ids]:
        parents = np.empty(self._discs.count, dtype=np.int32)
        links = np.empty(self._discs.count, dtype=np.int32)
        grow_forest(edges.firsts, edges.seconds, parents, links)
        return parents, links

    def _tops(self, edges: _Edges) -> Ids:
        """Return the disc that each leads to by going to the neighbour with the most room."""
        rooms = self._discs.radii[: self._discs.count]
        ends = np.concatenate([edges.firsts, edges.seconds])
        others = np.concatenate([edges.seconds, edges.firsts])
        order = np.argsort(rooms[others], kind="stable")
        tops = np.arange(self._discs.count, dtype=np.int32)
        tops[ends[order]] = others[order]  # of several, the last one counts
        stay = rooms[tops] <= rooms
        tops[stay] = np.flatnonzero(stay)
        while not np.array_equal(tops, tops[tops]):
            tops = tops[tops]
        return tops

    def _components(self) -> Ids:
        edges = self._all_edges()
        return label_joined(edges.firsts, edges.seconds, self._discs.count)

    def _is_apart(self, discs: Ids) -> NDArray[np.bool_]:
        """Tell which discs are not connected with most of the points."""
        components = self._components()
        points = components[self._homes[self._homes >= 0]]
        return np.asarray(components[discs] != np.bincount(points).argmax())

    def _is_connected(self) -> bool:
        """Tell whether all points are connected."""
        return len(np.unique(self._components()[self._homes[self._homes >= 0]])) <= 1


class _Edges(NamedTuple):
    firsts: Ids
    seconds: Ids
    rooms: Floats


class _Found(NamedTuple):
    """The outputs of :func:`~walkmesh.evaluate.kernels.discs.explore`."""

    homes: Ids
    places: Floats
    rooms: Floats
    centre_rooms: Floats

    @classmethod
    def empty(cls, count: int) -> _Found:
        return cls(
            np.empty(count, dtype=np.int32),
            np.empty((count, 3)),
            np.empty(count),
            np.empty(count),
        )


class _Rims(NamedTuple):
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
    def around(cls, discs: NDArray[np.int64]) -> _Rims:
        """Return places on the whole rims of discs."""
        places = np.tile(np.arange(_RIM), len(discs))
        return cls(np.repeat(discs, _RIM), places, np.full(len(places), _RIM))

    @property
    def angles(self) -> Floats:
        """In which directions of the plan they lie. [Unit: radians]."""
        # Turned by the golden ratio from disc to disc, so that no direction is favoured.
        return np.asarray(2.0 * np.pi * (self.places / self.counts + self.discs * 0.618034 % 1.0))

    def of(self, chosen: NDArray[np.bool_]) -> _Rims:
        return _Rims(*(values[chosen] for values in self))

    def finer(self, radii: Floats, size: float) -> _Rims:
        """Put places half way to the next ones, on both sides, where these are too far."""
        far = 2.0 * np.pi * radii[self.discs] > size * self.counts
        discs, places, counts = self.of(far)
        counts = 2 * counts
        around = (2 * places + np.array([[-1], [0], [1]])) % counts
        split = np.tile(discs, 3), around.ravel(), np.tile(counts, 3)
        _, first = np.unique(split[0] << 32 | split[1], return_index=True)
        near = self.of(~far)
        return _Rims(*(np.append(a, b[first]) for a, b in zip(near, split, strict=True)))


class _Waiting(NamedTuple):
    """Places that may become discs: the disc that each was found from, and the room on the way."""

    places: Floats
    rooms: Floats
    origins: Ids
    links: Floats

    def of(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> _Waiting:
        return _Waiting(*(values[chosen] for values in self))


class _Discs:
    """Discs in grids, as kernels take them; see :data:`~walkmesh.evaluate.kernels.discs.Discs`."""

    def __init__(self, smallest: float, levels: int) -> None:
        self.count = 0
        self.places = np.empty((0, 3))
        self.radii = np.empty(0)
        self._firsts = np.full(1, -1, dtype=np.int32)
        self._nexts = np.empty(0, dtype=np.int32)
        self._smallest, self._levels = smallest, levels

    @property
    def arrays(self) -> tuple[Floats, Floats, Ids, Ids, float, int]:
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


def room_between(first: Floats, second: Floats, away: Floats) -> Floats:
    """Return how much room there is at least on the straight way between two places.

    Nothing stands in the circles around them, so nothing is closer to the way than the point
    where they cross.

    Parameters
    ----------
    first, second : (n,) float64
        The room around the places. [Unit: m]
    away : (n,) float64
        How far they are apart. [Unit: m]

    Returns
    -------
    (n,) float64
        0 where the circles do not cross and neither is in the other. [Unit: m]
    """
    along = crossing_of(first, second, away)
    crossing = np.sqrt(np.maximum(first**2 - along**2, 0.0))
    between = (along > 0.0) & (along < away)
    ends = np.minimum(first, second)
    return np.where(between, np.minimum(ends, crossing), ends)


def crossing_of(first: Floats, second: Floats, away: Floats) -> Floats:
    """Return how far along the way between their centres two circles cross; infinite if never."""
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (away**2 + first**2 - second**2) / (2.0 * away)
    return np.where(away > 0.0, along, np.inf)
