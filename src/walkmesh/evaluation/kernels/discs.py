"""Discs of free ground: where one can walk to from a place, and which disc a place lies in.

A place with more room around it than an agent needs is the centre of a disc, as large as what is
left over, in which the agent can stand anywhere. Discs that overlap are connected.
"""

import math
from collections import namedtuple

from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.drawing import WALKER, Ray, Walker, make_scratch
from walkmesh.evaluation.kernels.room import height_range, make_lists, measure_room, next_stamp
from walkmesh.evaluation.kernels.soup import SOUP, Soup, gather
from walkmesh.evaluation.kernels.walk import REACHED, walk
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# places: (n, 3) float64. radii: (n,) float64. firsts: (2 ** k,) int32, the last disc of each
# bucket of cells; nexts: (n,) int32, the one before it in the same bucket; -1 for none. smallest:
# float, the radius of discs on the lowest level; on each further one of `levels` they are twice as
# large. Each level has a grid of its own, whose cells are as large as its discs' radii. [m]
Discs = namedtuple("Discs", "places radii firsts nexts smallest levels")
DISCS = kt.packed(kt.OUT_POINTS, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_INTS, kt.FLOAT, kt.INT)

# Where walks lead. homes: (n,) int32, the disc that each place lies in, or -1. places: (n, 3)
# float64, where the walks led to, or the middle of the passage there. rooms: (n,) float64, how much
# room there is where the walk led to; 0 where it did not get there, the place lies in a disc, or it
# is less than asked for. centre_rooms: (n,) float64, the same for the middle. [m]
Found = namedtuple("Found", "homes places rooms centre_rooms")
FOUND = kt.packed(kt.OUT_INTS, kt.OUT_POINTS, kt.OUT_FLOATS, kt.OUT_FLOATS)


@kernel
def _bucket(i, j, level, firsts):
    return (i * 73856093 ^ j * 19349663 ^ level * 83492791) & (len(firsts) - 1)


@kernel
def _find_disc(soup, discs, u, v, h, walker, lists, scratch):
    """Return the largest disc that a place of the ground lies in; -1 for none."""
    for below in range(discs.levels):
        level = discs.levels - 1 - below
        cell = discs.smallest * 2.0**level
        i, j = math.floor(u / cell), math.floor(v / cell)
        best = -1
        for di in range(-1, 2):
            for dj in range(-1, 2):
                disc = discs.firsts[_bucket(i + di, j + dj, level, discs.firsts)]
                while disc >= 0:
                    x, y, z = discs.places[disc, 0], discs.places[disc, 1], discs.places[disc, 2]
                    away = math.hypot(u - x, v - y)
                    if (
                        away <= tol.IN_DISC * discs.radii[disc]
                        and (best < 0 or discs.radii[disc] > discs.radii[best])
                        and _leads_to(soup, x, y, z, u, v, h, away, walker, lists, scratch)
                    ):
                        best = disc
                    disc = discs.nexts[disc]
        if best >= 0:
            return best
    return -1


@kernel
def _leads_to(soup, x, y, z, u, v, h, away, walker, lists, scratch):
    """Tell whether the straight way from (x, y, z) to (u, v) comes out at the height h."""
    if away < tol.SLACK:
        return abs(h - z) <= tol.SAME_GROUND
    low, high = height_range(z, away, walker)
    if h < low or h > high:
        return False
    count = gather(
        soup, x, y, away + tol.BEYOND, low, high, lists.found, 0, lists.seen, next_stamp(lists)
    )
    ray = Ray(x, y, z, (u - x) / away, (v - y) / away)
    outcome, _, _, _, last, _, _ = walk(
        soup, lists.found, count, lists.found[:count], ray, away, away, away, walker.slit, False,
        walker, scratch,
    )  # fmt: skip
    return outcome == REACHED and abs(last - h) <= tol.SAME_GROUND


@kernel(SOUP, WALKER, DISCS, kt.POINTS, kt.FLOATS, kt.FLOATS, kt.FLOATS, kt.FLOAT, kt.INT, FOUND)
def explore(scene, agent, in_grids, origins, angles, lengths, mosts, least, across, found):
    """Walk to places, and measure how much room there is around those that lie in no disc yet.

    In a passage, the place is then moved to its middle.

    Parameters
    ----------
    scene : Soup
    agent : Walker
    in_grids : Discs
        Without any, their `levels` is 0.
    origins : (n, 3) float64
        Where the walks start, on the ground. [Unit: m]
    angles, lengths : (n,) float64
        In which direction of the plan they go, and how far. [Unit: radians, m]
    mosts : (n,) float64
        More room than this is not measured. [Unit: m]
    least : float
        Nor is less than this. [Unit: m]
    across : int
        Whether the passage is the one that is walked along; it is what the nearest obstacle makes
        with the one on the opposite side otherwise.
    found : Found, output
    """
    soup, walker, discs = Soup(*scene), Walker(*agent), Discs(*in_grids)
    homes, places, rooms, centre_rooms = found
    scratch = make_scratch(len(soup.corners))
    lists = make_lists(len(soup.corners))
    for n in range(len(origins)):
        homes[n] = -1
        rooms[n] = 0.0
        centre_rooms[n] = 0.0
        u, v, h, reached = _go(
            soup, origins[n, 0], origins[n, 1], origins[n, 2], angles[n], lengths[n], walker,
            lists, scratch,
        )  # fmt: skip
        places[n, 0], places[n, 1], places[n, 2] = u, v, h
        if not reached:
            continue
        homes[n] = _find_disc(soup, discs, u, v, h, walker, lists, scratch)
        if homes[n] >= 0:
            continue
        # Twice: where the walk led to, and in the middle between what is nearest there and what
        # is on the other side.
        for centring in range(2):
            room, shortest = measure_room(
                soup, u, v, h, angles[n], least, mosts[n], walker, lists, scratch
            )
            if room > centre_rooms[n]:
                centre_rooms[n] = room
                places[n, 0], places[n, 1], places[n, 2] = u, v, h
            if centring == 1:
                break
            rooms[n] = room
            if room == 0.0 or room == mosts[n]:
                break
            away = (angles[n] + math.pi / 2.0) if across else (shortest + math.pi)
            most = 2.0 * mosts[n] - room
            ahead = _free_way(soup, u, v, h, away, most, walker, lists, scratch)
            behind = room
            if across:
                behind = _free_way(soup, u, v, h, away + math.pi, most, walker, lists, scratch)
            shift = (ahead - behind) / 2.0
            if abs(shift) <= tol.OFF_CENTRE or max(ahead, behind) >= most:
                break
            if shift < 0.0:
                away += math.pi
            u, v, h, reached = _go(soup, u, v, h, away, abs(shift), walker, lists, scratch)
            if not reached:
                break


@kernel
def _go(soup, u, v, h, angle, length, walker, lists, scratch):
    """Return the place that a walk leads to, and whether it gets there."""
    if length == 0.0:
        return u, v, h, True
    ray = Ray(u, v, h, math.cos(angle), math.sin(angle))
    reach = length + tol.BEYOND
    low, high = height_range(h, reach, walker)
    count = gather(soup, u, v, reach, low, high, lists.found, 0, lists.seen, next_stamp(lists))
    outcome, _, _, _, last, way, _ = walk(
        soup, lists.found, count, lists.found[:count], ray, length, reach, reach,
        walker.slit, False, walker, scratch,
    )  # fmt: skip
    # It ends behind what is being stepped over at `length`.
    return u + way * ray.du, v + way * ray.dv, last, outcome == REACHED


@kernel
def _free_way(soup, u, v, h, angle, length, walker, lists, scratch):
    """Return how far one can walk in a direction, up to `length`."""
    low, high = height_range(h, length, walker)
    count = gather(soup, u, v, length, low, high, lists.found, 0, lists.seen, next_stamp(lists))
    ray = Ray(u, v, h, math.cos(angle), math.sin(angle))
    _, _, _, _, _, way, _ = walk(
        soup, lists.found, count, lists.found[:count], ray, length, length, length, walker.slit,
        False, walker, scratch,
    )  # fmt: skip
    return way


@kernel(SOUP, WALKER, DISCS, kt.INT, kt.POINTS, kt.FLOATS, kt.OUT_INTS)
def settle(scene, agent, in_grids, count, places, radii, homes):
    """Make discs of places one by one, except for those that lie in a disc by then.

    Parameters
    ----------
    scene : Soup
    agent : Walker
    in_grids : Discs
        Changed.
    count : int
        How many discs there are already; there is room for n more.
    places : (n, 3) float64
        [Unit: m]
    radii : (n,) float64
        [Unit: m]
    homes : (n,) int32, output
        The disc that each place is the centre of, or lies in.

    Returns
    -------
    int
        How many discs there are then.
    """
    soup, walker, discs = Soup(*scene), Walker(*agent), Discs(*in_grids)
    scratch = make_scratch(len(soup.corners))
    lists = make_lists(len(soup.corners))
    for n in range(len(places)):
        u, v, h = places[n, 0], places[n, 1], places[n, 2]
        homes[n] = _find_disc(soup, discs, u, v, h, walker, lists, scratch)
        if homes[n] >= 0:
            continue
        level = 0
        while level < discs.levels - 1 and discs.smallest * 2.0**level < radii[n]:
            level += 1
        cell = discs.smallest * 2.0**level
        bucket = _bucket(math.floor(u / cell), math.floor(v / cell), level, discs.firsts)
        for k in range(3):
            discs.places[count, k] = places[n, k]
        discs.radii[count] = radii[n]
        discs.nexts[count] = discs.firsts[bucket]
        discs.firsts[bucket] = count
        homes[n] = count
        count += 1
    return count
