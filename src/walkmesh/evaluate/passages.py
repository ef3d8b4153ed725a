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
# So many ways around each of them are measured as well.
_BYPASSES = 8
# So many places are looked at before the search is given up, and which shares of them everywhere,
# for the pairs that are asked about, and for all others. What one leaves over is for the next. A
# floor of any size takes 52,000 for the first round with 2000 points.
_MOST_PLACES = 140_000
_EVERYWHERE, _ASKED, _OTHERS = 3 / 7, 2 / 7, 2 / 7


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

    def joined(self, more: Edges) -> Edges:
        """Return these edges and more of them."""
        return Edges(
            np.concatenate([self.firsts, more.firsts]),
            np.concatenate([self.seconds, more.seconds]),
            np.concatenate([self.rooms, more.rooms]),
        )


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
    _sizes: list[float] = field(init=False)
    _left: list[Rims] = field(init=False)
    _affordable: int = field(init=False)
    _discs: Discs = field(init=False)
    _edges: list[Edges] = field(init=False)
    _homes: Ids = field(init=False)
    _progress: Callable[[float], None] = field(init=False)
    _done: float = field(init=False)

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
        self._progress, self._done = progress, 0.0
        levels = 1 + max(0, math.ceil(math.log2((self.most - self.least) / self.finest)))
        self._discs, self._edges, self._affordable = Discs(self.finest, levels), [], 0
        nowhere = np.zeros(len(points))
        found = self._explore(points, nowhere, nowhere, self.most, self.least)
        free = np.flatnonzero(found.centre_rooms > 0.0)
        order = free[np.argsort(-found.centre_rooms[free], kind="stable")]
        self._homes = np.full(len(points), -1, dtype=np.int32)
        self._homes[order] = self._settle(found.places[order], found.centre_rooms[order])
        known = np.asarray((self._homes[pairs] >= 0).all(axis=1))
        rounds = math.ceil(math.log(self.most / self.finest, _SHRINKING))
        self._sizes = (self.finest * _SHRINKING ** np.arange(rounds - 1.0, -1.0, -1.0)).tolist()
        # What each round has to look at, and what is left when the last one is over.
        self._left = [Rims.around(np.arange(self._discs.count)), *[Rims.joined([])] * rounds]
        coarse = sum(size >= _COARSE for size in self._sizes)
        self._cover(coarse, self._homes[pairs[known]], _EVERYWHERE, everywhere=True)
        decided = np.zeros(len(pairs), dtype=np.bool_)
        for nth, (chosen, share) in enumerate(((known & asked, _ASKED), (known, _OTHERS))):
            self._done = (nth + 1) / 3
            decided |= chosen & self._cover(rounds, self._homes[pairs[chosen]], share)
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
        for nth in range(_MEASUREMENTS + 1):
            parents, links = self._forest(edges)
            find_joints(np.ascontiguousarray(tops[self._homes[pairs]]), parents, links, joints)
            chosen = np.unique(joints[known & (joints >= 0)])
            chosen = chosen[~measured[chosen]]
            if nth == _MEASUREMENTS or not len(chosen):
                break
            # Edges only tell that there is no less room on the way.
            edges.rooms[chosen] = np.maximum(edges.rooms[chosen], self._room_along(edges, chosen))
            measured[chosen] = True
            more = self._around(edges, chosen, parents, links)
            edges = edges.joined(more)
            measured = np.append(measured, np.zeros(len(more.rooms), dtype=np.bool_))
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

    def _around(self, edges: Edges, chosen: Ids, parents: Ids, links: Ids) -> Edges:
        """Return edges that lead around the narrowest ones, between discs on both sides.

        A disc at the corner of a passage has less room than its middle, and covers it all the same,
        so that the discs in front of the passage and behind it came upon that disc and not upon
        each other.

        Parameters
        ----------
        edges : Edges
            Those with the most room first, except that `chosen` have been measured since.
        chosen : (n,) int32
            The narrowest edges.
        parents, links : (d,) int32
            The forest of these edges.
        """
        places = self._discs.places
        rooms = self._discs.radii[: self._discs.count] + self.least
        ends = np.concatenate([edges.firsts, edges.seconds])
        order = np.argsort(ends, kind="stable")
        others = np.concatenate([edges.seconds, edges.firsts])[order]
        starts = np.searchsorted(ends[order], np.arange(len(rooms) + 1))
        pairs = [np.empty((0, 2), dtype=np.int32)]
        for edge in chosen.tolist():
            sides = []
            for end in (int(edges.firsts[edge]), int(edges.seconds[edge])):
                side = np.unique(np.append(others[starts[end] : starts[end + 1]], end))
                sides.append(side[rooms[side] > edges.rooms[edge]])
            across = np.stack(np.meshgrid(*sides), axis=2).reshape(-1, 2).astype(np.int32)
            joints = np.empty(len(across), dtype=np.int32)
            find_joints(across, parents, links, joints)
            # Of use are those that may be wider than the widest way there is.
            known = np.where(joints >= 0, edges.rooms[joints], 0.0)
            useful = (joints != -2) & (rooms[across].min(axis=1) > known)
            between = np.where(useful, self._between(across), 0.0)
            best = np.argsort(-between, kind="stable")[:_BYPASSES]
            pairs.append(np.asarray(across[best[between[best] > 0.0]]))
        firsts, seconds = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0).T
        ways = places[seconds] - places[firsts]
        lengths = np.linalg.norm(ways[:, :2], axis=1)
        angles = np.arctan2(ways[:, 1], ways[:, 0])
        found = self._explore(places[firsts], angles, lengths, self.most, self.least)
        reached = found.homes >= 0
        ends = np.column_stack([firsts, found.homes])[reached]
        more = Edges(ends[:, 0].copy(), ends[:, 1].copy(), self._between(ends))
        more.rooms[:] = np.maximum(
            more.rooms, self._room_along(more, np.arange(len(ends), dtype=np.int32))
        )
        return more

    def _between(self, pairs: Ids) -> Floats:
        """Return the room that there is at least on the straight ways between (n, 2) discs."""
        places = self._discs.places[pairs]
        first, second = (self._discs.radii[pairs] + self.least).T
        return room_between(first, second, np.linalg.norm(places[:, 0] - places[:, 1], axis=1))

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

    def _cover(self, rounds: int, pairs: Ids, share: float, *, everywhere: bool = False) -> bool:
        """Cover the ground with discs until pairs are connected or the search is given up.

        Parameters
        ----------
        rounds : int
            How many of the rounds there may be, those with the largest discs.
        pairs : (n, 2) int32
            Discs.
        share : float
            Of all places that may be looked at, how many more from now on.
        everywhere : bool
            Whether to go on also where that cannot connect any of the pairs.

        Returns
        -------
        bool
            Whether the search went on to its end.
        """
        self._affordable += round(share * _MOST_PLACES)
        while True:
            # Ground that is connected by now may have been left in an earlier round.
            useful = (
                nth
                for nth, rims in enumerate(self._left)
                if self._may_connect(rims.discs, pairs, everywhere=everywhere).any()
            )
            nth = next(useful, rounds)
            if nth >= rounds:
                return True
            if self._affordable <= 0:
                return False
            self._spread(nth, None if everywhere else pairs)

    def _spread(self, nth: int, pairs: Ids | None) -> None:
        """Cover the ground with discs of at least the size of a round.

        Parameters
        ----------
        nth : int
            The round.
        pairs : (n, 2) int32, optional
            Discs; the search goes on only where it may connect any of these pairs.
        """
        size = self._sizes[nth]
        while self._affordable > 0:
            rims = self._left[nth]
            chosen = np.ones(len(rims.discs), dtype=np.bool_)
            if pairs is not None:
                chosen = self._may_connect(rims.discs, pairs)
            if not chosen.any():
                break
            new = rims.of(chosen).finer(self._discs.radii, size)
            now = np.arange(len(new.discs)) < self._affordable
            self._left[nth] = Rims.joined([rims.of(~chosen), new.of(~now)])
            new = new.of(now)
            self._affordable -= len(new.discs)
            waiting, open_rims = self._step_out(new, size)
            self._leave(open_rims, nth + 1)
            if pairs is not None:
                # All discs are connected with others, but not all make further ones.
                waiting = waiting.of(self._may_connect(waiting.origins, pairs))
            waiting = waiting.of(np.argsort(-waiting.rooms, kind="stable"))
            before = self._discs.count
            homes = self._settle(waiting.places, waiting.rooms)
            # What was known of the way holds only for places that became discs themselves.
            known = np.where(homes >= before, waiting.links, 0.0)
            self._connect(waiting.origins, homes, known)
            self._leave(Rims.around(np.arange(before, self._discs.count)), nth)

    def _leave(self, rims: Rims, nth: int) -> None:
        """Leave places for a round to look at."""
        self._left[nth] = Rims.joined([self._left[nth], rims])

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
            self._progress(self._done)  # also so that whoever waits can stop it
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

    def _may_connect(
        self, discs: Indices, pairs: Ids, *, everywhere: bool = False
    ) -> NDArray[np.bool_]:
        """Tell from which discs a search may connect any of (n, 2) pairs of discs.

        It is enough to come through a passage from one side: not from the ground that most points
        are on.

        With `everywhere` from all discs, as long as there is anything to connect.
        """
        components = self._components()
        ends = components[pairs]
        ends = ends[ends[:, 0] != ends[:, 1]]
        if everywhere or not len(ends):
            return np.full(len(discs), bool(len(ends)))
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
