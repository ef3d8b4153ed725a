"""How the free ground hangs together, and how wide the passages are between its parts.

The ground is covered with discs, from given points outwards, large ones first: around a place with
more room than is needed, the agent can stand anywhere in a disc as large as what is left over. From
the rim of each disc the search goes on, in rounds of ever smaller discs, so that it comes through
any passage. Discs that overlap make an edge, whose weight is the room that there is at least on the
way from one centre to the other; of all ways between two places, the widest is the one in the
maximum spanning forest of these edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.evaluate.discs import Discs, Found, Rims, Waiting
from walkmesh.evaluate.joined import label_joined
from walkmesh.evaluate.kernels.discs import explore, settle
from walkmesh.evaluate.kernels.forest import find_joints, grow_forest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.evaluate.discs import Indices
    from walkmesh.evaluate.truth import Truth

# The discs of each round are so many times smaller than those of the last one.
_SHRINKING = 3.0
# Discs of this radius and more are looked for everywhere; smaller ones only where ground is not
# connected yet. [m]
_COARSE = 0.1
# Where there is less than this share of the room on both sides, there is a passage.
_NARROW = 0.9
# How often the edges that are passages are measured, and at how many places.
_MEASUREMENTS = 8
_MEASURED_PLACES = 17
# So many places are looked at for discs of one size, before the search is given up.
_MOST_PLACES = 80_000


class Ways(NamedTuple):
    """What the ways between pairs of points are like.

    Attributes
    ----------
    joined : (n,) bool
        Whether there is a way at all.
    rooms : (n,) float64
        How far it is to the nearest obstacle at the narrowest place of the widest way, with both
        ends moved to where there is the most room around them. Never more than `Passages.most`; 0
        without a way. [Unit: m]
    narrow : (n,) bool
        Whether that place is a passage: there is more room somewhere on either side of it.
    decided : (n,) bool
        Whether the search went on until it was certain that there is no way.
    known : (n,) bool
        Whether there was room around both points to search from.
    """

    joined: NDArray[np.bool_]
    rooms: Floats
    narrow: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    known: NDArray[np.bool_]


class Edges(NamedTuple):
    """Discs that overlap, and the room on the way between their centres. [m]."""

    firsts: Ids
    seconds: Ids
    rooms: Floats

    def of(self, order: NDArray[np.intp]) -> Edges:
        """Return the edges in another order."""
        return Edges(self.firsts[order], self.seconds[order], self.rooms[order])


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
    _discs: Discs = field(init=False)
    _edges: list[Edges] = field(init=False)
    _homes: Ids = field(init=False)

    def search(
        self,
        points: Floats,
        pairs: Ids,
        asked: NDArray[np.bool_],
        progress: Callable[[float], None],
    ) -> Ways:
        """Find the widest ways between points.

        Parameters
        ----------
        points : (n, 3) float64
            On the ground, in the plan. [Unit: m]
        pairs : (m, 2) int32
            The points to find ways between.
        asked : (m,) bool
            Which pairs are said to be connected. These are looked into first.
        progress : callable
            Called with the share of the work that is done.
        """
        levels = 1 + max(0, math.ceil(math.log2((self.most - self.least) / self.finest)))
        self._discs, self._edges = Discs(self.finest, levels), []
        nowhere = np.zeros(len(points))
        found = self._explore(points, nowhere, nowhere, self.most, self.least)
        free = np.flatnonzero(found.centre_rooms > 0.0)
        order = free[np.argsort(-found.centre_rooms[free], kind="stable")]
        self._homes = np.full(len(points), -1, dtype=np.int32)
        self._homes[order] = self._settle(found.places[order], found.centre_rooms[order])
        known = np.asarray((self._homes[pairs] >= 0).all(axis=1))
        rims = Rims.around(np.arange(self._discs.count))
        rounds = math.ceil(math.log(self.most / self.finest, _SHRINKING))
        sizes = (self.finest * _SHRINKING ** np.arange(rounds - 1.0, -1.0, -1.0)).tolist()
        finished = []
        for size in sizes:
            if size >= _COARSE:
                rims, all_covered = self._spread(rims, size, None)
                finished.append(all_covered)
        decided = np.zeros(len(pairs), dtype=np.bool_)
        for nth, chosen in enumerate((known & asked, known)):
            progress((nth + 1) / 3)
            left, finer = rims, list(finished)
            for size in sizes:
                if size < _COARSE and all(finer):
                    left, all_covered = self._spread(left, size, self._homes[pairs[chosen]])
                    finer.append(all_covered)
            decided |= chosen & all(finer)
        return self._ways(pairs, decided)

    def _ways(self, pairs: Ids, decided: NDArray[np.bool_]) -> Ways:
        known = np.asarray((self._homes[pairs] >= 0).all(axis=1))
        # The last discs were not looked around from, when there was nothing to connect any more.
        last = np.setdiff1d(np.arange(self._discs.count), self._all_edges().firsts)
        self._step_out(Rims.around(last), self.most)
        edges = self._all_edges()
        measured = np.zeros(len(edges.rooms), dtype=np.bool_)
        tops = self._tops(edges)
        joints = np.empty(len(pairs), dtype=np.int32)
        for _ in range(_MEASUREMENTS):
            parents, links = self._forest(edges)
            find_joints(np.ascontiguousarray(tops[self._homes[pairs]]), parents, links, joints)
            chosen = np.unique(joints[known & (joints >= 0)])
            chosen = chosen[~measured[chosen]]
            if not len(chosen):
                break
            # Edges only tell that there is no less room on the way.
            edges.rooms[chosen] = np.maximum(edges.rooms[chosen], self._room_along(edges, chosen))
            measured[chosen] = True
            order = np.argsort(-edges.rooms, kind="stable")
            edges, measured = edges.of(order), measured[order]
        joined = known & (joints != -1)
        passing = joined & (joints >= 0)
        rooms = np.where(joined, self.most, 0.0)
        rooms[passing] = edges.rooms[joints[passing]]
        narrow = np.zeros(len(pairs), dtype=np.bool_)
        narrow[passing] = rooms[passing] < _NARROW * self._beside(parents, links)[joints[passing]]
        return Ways(joined, rooms, narrow, joined | decided, known)

    def _room_along(self, edges: Edges, chosen: Ids) -> Floats:
        """Return the least room on the straight ways of edges, in the middle of any passages."""
        firsts, seconds = edges.firsts[chosen], edges.seconds[chosen]
        places, radii = self._discs.places, self._discs.radii
        ways = places[seconds] - places[firsts]
        lengths = np.linalg.norm(ways[:, :2], axis=1)
        angles = np.arctan2(ways[:, 1], ways[:, 0])
        least = np.minimum(radii[firsts], radii[seconds]) + self.least
        for share in np.linspace(0.0, 1.0, _MEASURED_PLACES):
            found = self._explore(
                places[firsts], angles, share * lengths, self.most, self.least, anew=True
            )
            least = np.minimum(least, found.centre_rooms)
        return least

    def _beside(self, parents: Ids, links: Ids) -> Floats:
        """Return the most room on that side of each edge of the forest where there is less."""
        peaks = self._discs.radii[: self._discs.count] + self.least
        beside = np.zeros(links.max(initial=0) + 1)
        for disc in np.argsort(links, kind="stable").tolist():
            other = parents[disc]
            if other != disc:
                beside[links[disc]] = min(peaks[disc], peaks[other])
                peaks[other] = max(peaks[disc], peaks[other])
        return beside

    def _spread(self, rims: Rims, size: float, pairs: Ids | None) -> tuple[Rims, bool]:
        """Cover the ground with discs of at least this radius.

        Parameters
        ----------
        rims : Rims
            Where to go on from.
        size : float
            [Unit: m]
        pairs : (n, 2) int32, optional
            Discs; the search goes on only where it may connect any of these pairs.

        Returns
        -------
        Rims
            What is left to go on from with smaller discs.
        bool
            Whether all was covered.
        """
        left = [Rims.around(np.empty(0, dtype=np.int64))]
        new = rims.finer(self._discs.radii, size)
        if pairs is not None:
            new = new.of(self._may_connect(new.discs, pairs))
        affordable = _MOST_PLACES
        while len(new.discs) and affordable >= 0:
            new = new.of(np.arange(len(new.discs)) <= affordable)
            affordable -= len(new.discs)
            waiting, open_rims = self._step_out(new, size)
            left.append(open_rims)
            if pairs is not None:
                # All discs are connected with others, but not all make further ones.
                waiting = waiting.of(self._may_connect(waiting.origins, pairs))
            waiting = waiting.of(np.argsort(-waiting.rooms, kind="stable"))
            before = self._discs.count
            homes = self._settle(waiting.places, waiting.rooms)
            # What was known of the way holds only for places that became discs themselves.
            known = np.where(homes >= before, waiting.links, 0.0)
            self._connect(waiting.origins, homes, known)
            new = Rims.around(np.arange(before, self._discs.count)).finer(self._discs.radii, size)
        rest = Rims(*(np.concatenate(parts) for parts in zip(*left, strict=True)))
        return rest, affordable >= 0

    def _step_out(self, rims: Rims, size: float) -> tuple[Waiting, Rims]:
        """Look at places on rims: connect those in other discs, return the others.

        Returns
        -------
        Waiting
            Places with room for a disc of at least `size`.
        Rims
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
        waiting = Waiting(found.places, found.centre_rooms, rims.discs, links)
        return waiting.of(found.centre_rooms > 0.0), rims.of(~inside)

    def _connect(self, firsts: Indices, seconds: Ids, links: Floats | None = None) -> None:
        """Note edges between discs; `links` are rooms that are known already, at least."""
        places, radii = self._discs.places, self._discs.radii
        away = np.linalg.norm(places[firsts] - places[seconds], axis=1)
        between = room_between(radii[firsts] + self.least, radii[seconds] + self.least, away)
        if links is not None:
            between = np.maximum(between, links)
        self._edges.append(Edges(firsts.astype(np.int32), seconds.astype(np.int32), between))

    def _explore(
        self,
        origins: Floats,
        angles: Floats,
        lengths: Floats,
        mosts: Floats | float,
        least: float,
        *,
        anew: bool = False,
    ) -> Found:
        """Run the kernel of that name over all cores.

        With `anew` as if there were no discs, and looking for the middle across the way.
        """
        count = len(origins)
        found = Found.empty(count)
        limits = np.broadcast_to(np.asarray(mosts, dtype=np.float64), count).copy()
        discs = Discs(self.finest, 0) if anew else self._discs

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

    def _all_edges(self) -> Edges:
        """Return all edges, those with the most room first."""
        rooms = np.concatenate([np.empty(0), *(edges.rooms for edges in self._edges)])
        order = np.argsort(-rooms, kind="stable")
        none = np.empty(0, dtype=np.int32)
        firsts = np.concatenate([none, *(edges.firsts for edges in self._edges)])
        seconds = np.concatenate([none, *(edges.seconds for edges in self._edges)])
        return Edges(firsts, seconds, rooms).of(order)

    def _forest(self, edges: Edges) -> tuple[Ids, Ids]:
        parents = np.empty(self._discs.count, dtype=np.int32)
        links = np.empty(self._discs.count, dtype=np.int32)
        grow_forest(edges.firsts, edges.seconds, parents, links)
        return parents, links

    def _tops(self, edges: Edges) -> Ids:
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

    def _may_connect(self, discs: Indices, pairs: Ids) -> NDArray[np.bool_]:
        """Tell from which discs a search may connect any of (n, 2) pairs of discs.

        It is enough to come through a passage from one side: not from the ground that most points
        are on.
        """
        components = self._components()
        ends = components[pairs]
        ends = ends[ends[:, 0] != ends[:, 1]]
        if not len(ends):
            return np.zeros(len(discs), dtype=np.bool_)
        largest = np.bincount(components[self._homes[self._homes >= 0]]).argmax()
        return np.asarray(np.isin(components[discs], ends) & (components[discs] != largest))


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
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (away**2 + first**2 - second**2) / (2.0 * away)
    between = (along > 0.0) & (along < away)
    crossing = np.sqrt(np.maximum(first**2 - along**2, 0.0))
    ends = np.minimum(first, second)
    return np.where(between, np.minimum(ends, crossing), ends)
