"""How the free ground hangs together, and how wide the passages are between its parts.

The ground is covered with discs, from given points outwards, large ones first: around a place with
more room than is needed, the agent can stand anywhere in a disc as large as what is left over. From
the rim of each disc the search goes on, in rounds of ever smaller discs, so that it comes through
any passage. Discs that overlap make an edge, whose weight is the room that there is at least on the
way from one centre to the other; of all ways between two places, the widest is the one in the
maximum spanning forest of these edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.evaluation.cover import Cover
from walkmesh.evaluation.discs import DiscEdges, Rims, room_between
from walkmesh.evaluation.kernels.forest import find_joints
from walkmesh.evaluation.kernels.tolerances import NARROW

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.evaluation.truth import Truth

# How often the edges that are passages are measured, and at how many places.
_MEASUREMENTS = 8
_MEASURED_PLACES = 17
# So many ways around each of them are measured as well.
_BYPASSES = 8
# Which shares of all places that may be looked at are for covering the ground everywhere, for the
# pairs that are asked about, and for all others. What one leaves over is for the next.
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


def find_ways(
    truth: Truth,
    points: Floats,
    pairs: Ids,
    asked: NDArray[np.bool_],
    rooms: tuple[float, float, float],
    progress: Callable[[float], None],
) -> Ways:
    """Find the widest ways between (m, 2) pairs of (n, 3) points on the ground, in the plan.

    Pairs that are `asked` about, (m,), are looked into first. The `rooms` are how much an agent
    needs, more than how much is not measured, and the radius of the smallest discs. [Unit: m]
    """
    done = 0.0
    cover = Cover(truth, *rooms, points, lambda: progress(done))
    known = np.asarray((cover.homes[pairs] >= 0).all(axis=1))
    cover.cover(cover.coarse_rounds, cover.homes[pairs[known]], _EVERYWHERE, everywhere=True)
    decided = np.zeros(len(pairs), dtype=np.bool_)
    for nth, (chosen, share) in enumerate(((known & asked, _ASKED), (known, _OTHERS))):
        done = (nth + 1) / 3
        decided |= chosen & cover.cover(cover.rounds, cover.homes[pairs[chosen]], share)
    return _widest_ways(cover, cover.homes[pairs], decided)


def _widest_ways(cover: Cover, pairs: Ids, decided: NDArray[np.bool_]) -> Ways:
    """Return what the ways between (n, 2) discs are like, -1 for points without one."""
    known = np.asarray((pairs >= 0).all(axis=1))
    # The last discs were not looked around from, when there was nothing to connect any more.
    last = np.setdiff1d(np.arange(cover.discs.count), cover.edges().firsts)
    cover.step_out(Rims.around(last), cover.most)
    edges = cover.edges()
    measured = np.zeros(len(edges.rooms), dtype=np.bool_)
    tops = _tops(cover, edges)
    joints = np.empty(len(pairs), dtype=np.int32)
    for nth in range(_MEASUREMENTS + 1):
        parents, links = edges.forest(cover.discs.count)
        find_joints(np.ascontiguousarray(tops[pairs]), parents, links, joints)
        chosen = np.unique(joints[known & (joints >= 0)])
        chosen = chosen[~measured[chosen]]
        if nth == _MEASUREMENTS or not len(chosen):
            break
        # Edges only tell that there is no less room on the way.
        edges.rooms[chosen] = np.maximum(edges.rooms[chosen], _room_along(cover, edges, chosen))
        measured[chosen] = True
        more = _around(cover, edges, chosen, parents, links)
        edges = DiscEdges.joined([edges, more])
        measured = np.append(measured, np.zeros(len(more.rooms), dtype=np.bool_))
        order = np.argsort(-edges.rooms, kind="stable")
        edges, measured = edges.of(order), measured[order]
    joined = known & (joints != -1)
    passing = joined & (joints >= 0)
    rooms = np.where(joined, cover.most, 0.0)
    rooms[passing] = edges.rooms[joints[passing]]
    narrow = np.zeros(len(pairs), dtype=np.bool_)
    narrow[passing] = rooms[passing] < NARROW * _beside(cover, parents, links)[joints[passing]]
    return Ways(joined, rooms, narrow, joined | decided, known)


def _tops(cover: Cover, edges: DiscEdges) -> Ids:
    """Return the disc that each leads to by going to the neighbour with the most room."""
    rooms = cover.discs.radii[: cover.discs.count]
    ends = np.concatenate([edges.firsts, edges.seconds])
    others = np.concatenate([edges.seconds, edges.firsts])
    order = np.argsort(rooms[others], kind="stable")
    tops = np.arange(cover.discs.count, dtype=np.int32)
    tops[ends[order]] = others[order]  # of several, the last one counts
    stay = rooms[tops] <= rooms
    tops[stay] = np.flatnonzero(stay)
    while not np.array_equal(tops, tops[tops]):
        tops = tops[tops]
    return tops


def _room_along(cover: Cover, edges: DiscEdges, chosen: Ids) -> Floats:
    """Return the least room on the straight ways of edges, in the middle of any passages."""
    firsts, seconds = edges.firsts[chosen], edges.seconds[chosen]
    places, radii = cover.discs.places, cover.discs.radii
    angles, lengths = _straight(cover, firsts, seconds)
    least = np.minimum(radii[firsts], radii[seconds]) + cover.least
    for share in np.linspace(0.0, 1.0, _MEASURED_PLACES):
        found = cover.explore(
            places[firsts], angles, share * lengths, cover.most, cover.least, anew=True
        )
        least = np.minimum(least, found.centre_rooms)
    return least


def _around(cover: Cover, edges: DiscEdges, chosen: Ids, parents: Ids, links: Ids) -> DiscEdges:
    """Return edges that lead around the narrowest ones, between discs on both sides.

    A disc at the corner of a passage has less room than its middle, and covers it all the same, so
    that the discs in front of the passage and behind it came upon that disc and not upon each
    other. Edges with the most room come first, except that the `chosen` have been measured since;
    `parents` and `links` are their forest.
    """
    places = cover.discs.places
    rooms = cover.rooms
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
        between = np.where(useful, _between(cover, across), 0.0)
        best = np.argsort(-between, kind="stable")[:_BYPASSES]
        pairs.append(np.asarray(across[best[between[best] > 0.0]]))
    firsts, seconds = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0).T
    angles, lengths = _straight(cover, firsts, seconds)
    found = cover.explore(places[firsts], angles, lengths, cover.most, cover.least)
    reached = found.homes >= 0
    ends = np.column_stack([firsts, found.homes])[reached]
    more = DiscEdges(ends[:, 0].copy(), ends[:, 1].copy(), _between(cover, ends))
    more.rooms[:] = np.maximum(
        more.rooms, _room_along(cover, more, np.arange(len(ends), dtype=np.int32))
    )
    return more


def _straight(cover: Cover, firsts: Ids, seconds: Ids) -> tuple[Floats, Floats]:
    """Return in which directions the straight ways from discs to others lead, and how far."""
    ways = cover.discs.places[seconds] - cover.discs.places[firsts]
    return np.arctan2(ways[:, 1], ways[:, 0]), np.linalg.norm(ways[:, :2], axis=1)


def _between(cover: Cover, pairs: Ids) -> Floats:
    """Return the room that there is at least on the straight ways between (n, 2) discs."""
    places = cover.discs.places[pairs]
    first, second = (cover.discs.radii[pairs] + cover.least).T
    return room_between(first, second, np.linalg.norm(places[:, 0] - places[:, 1], axis=1))


def _beside(cover: Cover, parents: Ids, links: Ids) -> Floats:
    """Return the most room on that side of each edge of the forest where there is less."""
    peaks = cover.rooms
    beside = np.zeros(links.max(initial=0) + 1)
    for disc in np.argsort(links, kind="stable").tolist():
        other = parents[disc]
        if other != disc:
            beside[links[disc]] = min(peaks[disc], peaks[other])
            peaks[other] = max(peaks[disc], peaks[other])
    return beside
