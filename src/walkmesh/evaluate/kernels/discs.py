"""Discs of free ground: where one can walk to from a place, and which disc a place lies in.

A place with more room around it than an agent needs is the centre of a disc, as large as what is
left over, in which the agent can stand anywhere. Discs that overlap are connected.
"""

import math
from collections import namedtuple

from walkmesh.evaluate.kernels.room import height_range, make_lists, measure_room, next_stamp
from walkmesh.evaluate.kernels.soup import Soup, gather
from walkmesh.evaluate.kernels.walk import (
    BEYOND,
    REACHED,
    SLACK,
    Walker,
    make_scratch,
    walk,
)
from walkmesh.kernels.kernel import (
    BYTES,
    CUBES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LONGS,
    OUT_FLOATS,
    OUT_INTS,
    OUT_POINTS,
    POINTS,
    kernel,
)

# Heights of a place that is reached from two sides differ by less. [m]
SAME_GROUND = 0.02
# Only what is closer to its centre than this share of the radius lies in a disc: the next disc in a
# passage, moved to its middle, may have its centre a little inside the last one.
INSIDE = 0.9
# A place is moved to the middle of a passage if it is further off than this. [m]
OFF_CENTRE = 1e-3

# places: (n, 3) float64. radii: (n,) float64. firsts: (2 ** k,) int32, the last disc of each
# bucket of cells; nexts: (n,) int32, the one before it in the same bucket; -1 for none. smallest:
# float, the radius of discs on the lowest level; on each further one of `levels` they are twice as
# large. Each level has a grid of its own, whose cells are as large as its discs' radii. [m]
Discs = namedtuple("Discs", "places radii firsts nexts smallest levels")


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
                        away <= INSIDE * discs.radii[disc]
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
    if away < SLACK:
        return abs(h - z) <= SAME_GROUND
    low, high = height_range(z, away, walker)
    if h < low or h > high:
        return False
    count = gather(
        soup, x, y, away + BEYOND, low, high, lists.found, 0, lists.seen, next_stamp(lists)
    )
    outcome, _, _, _, last, _, _ = walk(
        soup, lists.found, count, lists.found[:count], x, y, (u - x) / away, (v - y) / away, z,
        away, away, away, walker.slit, False, walker, scratch,
    )  # fmt: skip
    return outcome == REACHED and abs(last - h) <= SAME_GROUND


@kernel(
    CUBES, BYTES, POINTS, POINTS, FLOATS, LONGS, INTS, FLOAT, FLOAT, FLOAT, FLOAT,
    POINTS, FLOATS, FLOATS, FLOATS, FLOAT, INT, POINTS, FLOATS, INTS, INTS, FLOAT, INT,
    OUT_INTS, OUT_POINTS, OUT_FLOATS, OUT_FLOATS,
)  # fmt: skip
def explore(
    corners, kinds, circles, heights, grid, starts, members, height, max_step, tangent, slit,
    origins, angles, lengths, mosts, least, across, disc_places, disc_radii, firsts, nexts,
    smallest, levels, homes, places, rooms, centre_rooms,
):  # fmt: skip
    """Walk to places, and measure how much room there is around those that lie in no disc yet.

    In a passage, the place is then moved to its middle.

    Parameters
    ----------
    corners, kinds, circles, heights, grid, starts, members : arrays
        The scene, see :data:`~walkmesh.evaluate.kernels.soup.Soup`.
    height, max_step, tangent, slit : float
        See :data:`~walkmesh.evaluate.kernels.walk.Walker`.
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
    disc_places, disc_radii, firsts, nexts, smallest, levels
        See `Discs`. Without any, `levels` is 0.
    homes : (n,) int32, output
        The disc that each place lies in, or -1.
    places : (n, 3) float64, output
        Where the walks led to, or the middle of the passage there. [Unit: m]
    rooms : (n,) float64, output
        How much room there is where the walk led to; 0 where it did not get there, the place lies
        in a disc, or it is less than `least`. [Unit: m]
    centre_rooms : (n,) float64, output
        The same for the middle. [Unit: m]
    """
    soup = Soup(corners, kinds, circles, heights, grid, starts, members)
    discs = Discs(disc_places, disc_radii, firsts, nexts, smallest, levels)
    walker = Walker(height, max_step, tangent, slit)
    scratch = make_scratch(len(corners))
    lists = make_lists(len(corners))
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
            if abs(shift) <= OFF_CENTRE or max(ahead, behind) >= most:
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
    du, dv = math.cos(angle), math.sin(angle)
    reach = length + BEYOND
    low, high = height_range(h, reach, walker)
    count = gather(soup, u, v, reach, low, high, lists.found, 0, lists.seen, next_stamp(lists))
    outcome, _, _, _, last, way, _ = walk(
        soup, lists.found, count, lists.found[:count], u, v, du, dv, h, length, reach, reach,
        walker.slit, False, walker, scratch,
    )  # fmt: skip
    # It ends behind what is being stepped over at `length`.
    return u + way * du, v + way * dv, last, outcome == REACHED


@kernel
def _free_way(soup, u, v, h, angle, length, walker, lists, scratch):
    """Return how far one can walk in a direction, up to `length`."""
    low, high = height_range(h, length, walker)
    count = gather(soup, u, v, length, low, high, lists.found, 0, lists.seen, next_stamp(lists))
    _, _, _, _, _, way, _ = walk(
        soup, lists.found, count, lists.found[:count], u, v, math.cos(angle), math.sin(angle), h,
        length, length, length, walker.slit, False, walker, scratch,
    )  # fmt: skip
    return way


@kernel(
    CUBES, BYTES, POINTS, POINTS, FLOATS, LONGS, INTS, FLOAT, FLOAT, FLOAT, FLOAT,
    POINTS, FLOATS, INT, OUT_POINTS, OUT_FLOATS, OUT_INTS, OUT_INTS, FLOAT, INT, OUT_INTS,
)  # fmt: skip
def settle(
    corners, kinds, circles, heights, grid, starts, members, height, max_step, tangent, slit,
    places, radii, count, disc_places, disc_radii, firsts, nexts, smallest, levels, homes,
):  # fmt: skip
    """Make discs of places one by one, except for those that lie in a disc by then.

    Parameters
    ----------
    corners, kinds, circles, heights, grid, starts, members, height, max_step, tangent,
    slit
        As for :func:`explore`.
    places : (n, 3) float64
        [Unit: m]
    radii : (n,) float64
        [Unit: m]
    count : int
        How many discs there are already; there is room for n more.
    disc_places, disc_radii, firsts, nexts, smallest, levels
        See `Discs`; changed.
    homes : (n,) int32, output
        The disc that each place is the centre of, or lies in.

    Returns
    -------
    int
        How many discs there are then.
    """
    soup = Soup(corners, kinds, circles, heights, grid, starts, members)
    discs = Discs(disc_places, disc_radii, firsts, nexts, smallest, levels)
    walker = Walker(height, max_step, tangent, slit)
    scratch = make_scratch(len(corners))
    lists = make_lists(len(corners))
    for n in range(len(places)):
        u, v, h = places[n, 0], places[n, 1], places[n, 2]
        homes[n] = _find_disc(soup, discs, u, v, h, walker, lists, scratch)
        if homes[n] >= 0:
            continue
        level = 0
        while level < levels - 1 and smallest * 2.0**level < radii[n]:
            level += 1
        cell = smallest * 2.0**level
        bucket = _bucket(math.floor(u / cell), math.floor(v / cell), level, firsts)
        for k in range(3):
            disc_places[count, k] = places[n, k]
        disc_radii[count] = radii[n]
        nexts[count] = firsts[bucket]
        firsts[bucket] = count
        homes[n] = count
        count += 1
    return count
