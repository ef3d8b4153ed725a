"""Covering the ground with discs, from given points outwards, large ones first.

From the rim of each disc the search goes on, in rounds of ever smaller discs, so that it comes
through any passage.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.evaluation.discs import (
    DiscEdges,
    GrowingDiscs,
    Rims,
    Waiting,
    label_joined,
    room_between,
)
from walkmesh.evaluation.kernels.discs import Found, explore, settle
from walkmesh.evaluation.kernels.tolerances import COARSE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.evaluation.discs import Indices
    from walkmesh.evaluation.truth import Truth

# The discs of each round are so many times smaller than those of the last one.
_SHRINKING = 3.0
# So many places are looked at before the search is given up. A floor of any size takes 52,000 for
# the first round with 2000 points.
_MOST_PLACES = 140_000


class Cover:
    """Discs of free ground, and how they are connected.

    Parameters
    ----------
    truth : Truth
    least : float
        How much room an agent needs. [Unit: m]
    most : float
        More room than this is not measured. [Unit: m]
    finest : float
        Radius of the smallest discs. [Unit: m]
    points : (n, 3) float64
        On the ground, in the plan: where the search starts. [Unit: m]
    tell : callable
        Called now and then, so that whoever waits can stop the search.

    Attributes
    ----------
    discs : GrowingDiscs
    homes : (n,) int32
        The disc of each point; -1 where there was no room around it.
    rounds, coarse_rounds : int
        How many rounds there are, and in how many of them discs are large.
    """

    def __init__(
        self,
        truth: Truth,
        least: float,
        most: float,
        finest: float,
        points: Floats,
        tell: Callable[[], None],
    ) -> None:
        self.least, self.most, self.finest = least, most, finest
        self._scene = tuple(truth.soup), tuple(truth.walker)
        self._tell = tell
        levels = 1 + max(0, math.ceil(math.log2((most - least) / finest)))
        self.discs = GrowingDiscs(finest, levels)
        self._edges: list[DiscEdges] = []
        self._affordable = 0
        nowhere = np.zeros(len(points))
        found = self.explore(points, nowhere, nowhere, most, least)
        free = np.flatnonzero(found.centre_rooms > 0.0)
        order = free[np.argsort(-found.centre_rooms[free], kind="stable")]
        self.homes = np.full(len(points), -1, dtype=np.int32)
        self.homes[order] = self._settle(found.places[order], found.centre_rooms[order])
        self.rounds = math.ceil(math.log(most / finest, _SHRINKING))
        self._sizes = (finest * _SHRINKING ** np.arange(self.rounds - 1.0, -1.0, -1.0)).tolist()
        self.coarse_rounds = sum(size >= COARSE for size in self._sizes)
        # What each round has to look at, and what is left when the last one is over.
        self._left = [
            Rims.around(np.arange(self.discs.count)),
            *[Rims.joined([])] * self.rounds,
        ]

    @property
    def rooms(self) -> Floats:
        """(d,) float64: how much room there is around each disc's centre. [Unit: m]."""
        return np.asarray(self.discs.radii[: self.discs.count] + self.least)

    def cover(self, rounds: int, pairs: Ids, share: float, *, everywhere: bool = False) -> bool:
        """Cover the ground with discs until (n, 2) pairs of discs are connected or it is given up.

        It takes the `rounds` with the largest discs, and from now on a `share` of all places that
        may be looked at; with `everywhere`, also where that cannot connect any of the pairs.
        Returns whether the search went on to its end.
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
        """Cover the ground with discs of at least the size of the `nth` round.

        The search goes on only where it may connect any of (n, 2) pairs of discs, if there are any.
        """
        size = self._sizes[nth]
        while self._affordable > 0:
            rims = self._left[nth]
            chosen = np.ones(len(rims.discs), dtype=np.bool_)
            if pairs is not None:
                chosen = self._may_connect(rims.discs, pairs)
            if not chosen.any():
                break
            new = rims.of(chosen).finer(self.discs.radii, size)
            now = np.arange(len(new.discs)) < self._affordable
            self._left[nth] = Rims.joined([rims.of(~chosen), new.of(~now)])
            new = new.of(now)
            self._affordable -= len(new.discs)
            waiting, open_rims = self.step_out(new, size)
            self._leave(open_rims, nth + 1)
            if pairs is not None:
                # All discs are connected with others, but not all make further ones.
                waiting = waiting.of(self._may_connect(waiting.origins, pairs))
            waiting = waiting.of(np.argsort(-waiting.rooms, kind="stable"))
            before = self.discs.count
            homes = self._settle(waiting.places, waiting.rooms)
            # What was known of the way holds only for places that became discs themselves.
            known = np.where(homes >= before, waiting.links, 0.0)
            self._connect(waiting.origins, homes, known)
            self._leave(Rims.around(np.arange(before, self.discs.count)), nth)

    def _leave(self, rims: Rims, nth: int) -> None:
        """Leave places for a round to look at."""
        self._left[nth] = Rims.joined([self._left[nth], rims])

    def step_out(self, rims: Rims, size: float) -> tuple[Waiting, Rims]:
        """Look at places on rims: connect those in other discs, return the others.

        These are the places with room for a disc of at least `size`, and all that are in no disc.
        """
        centres, own = self.discs.places[rims.discs], self.discs.radii[rims.discs] + self.least
        lengths = own - self.least
        # Larger discs than that have been found before.
        mosts = np.minimum(min(self.most, self.least + 2.0 * _SHRINKING * size), own + lengths)
        found = self.explore(centres, rims.angles, lengths, mosts, self.least + size)
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
        places, radii = self.discs.places, self.discs.radii
        away = np.linalg.norm(places[firsts] - places[seconds], axis=1)
        between = room_between(radii[firsts] + self.least, radii[seconds] + self.least, away)
        if links is not None:
            between = np.maximum(between, links)
        self._edges.append(DiscEdges(firsts.astype(np.int32), seconds.astype(np.int32), between))

    def explore(
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
        found = Found(
            np.empty(count, dtype=np.int32), np.empty((count, 3)), np.empty(count), np.empty(count)
        )
        limits = np.broadcast_to(np.asarray(mosts, dtype=np.float64), count).copy()
        discs = GrowingDiscs(self.finest, 0) if anew else self.discs

        def run(start: int, stop: int) -> None:
            part = slice(start, stop)
            explore(
                *self._scene, discs.arrays, origins[part], angles[part], lengths[part],
                limits[part], least, int(anew),
                tuple(values[part] for values in found),
            )  # fmt: skip

        for _ in in_chunks(count, run):
            self._tell()
        return found

    def _settle(self, places: Floats, rooms: Floats) -> Ids:
        """Make discs of places in their order, and return the disc of each."""
        homes = np.empty(len(places), dtype=np.int32)
        self.discs.make_room(len(places))
        self.discs.count = settle(
            *self._scene, self.discs.arrays, self.discs.count,
            np.ascontiguousarray(places), rooms - self.least, homes,
        )  # fmt: skip
        return homes

    def edges(self) -> DiscEdges:
        """Return all edges, those with the most room first."""
        edges = DiscEdges.joined(self._edges)
        return edges.of(np.argsort(-edges.rooms, kind="stable"))

    def _may_connect(
        self, discs: Indices, pairs: Ids, *, everywhere: bool = False
    ) -> NDArray[np.bool_]:
        """Tell from which discs a search may connect any of (n, 2) pairs of discs.

        It is enough to come through a passage from one side: not from the ground that most points
        are on.

        With `everywhere` from all discs, as long as there is anything to connect.
        """
        edges = self.edges()
        components = label_joined(edges.firsts, edges.seconds, self.discs.count)
        ends = components[pairs]
        ends = ends[ends[:, 0] != ends[:, 1]]
        if everywhere or not len(ends):
            return np.full(len(discs), bool(len(ends)))
        largest = np.bincount(components[self.homes[self.homes >= 0]]).argmax()
        return np.asarray(np.isin(components[discs], ends) & (components[discs] != largest))
