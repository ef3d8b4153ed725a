"""How far one can walk from a point in every direction."""

import math
from collections import namedtuple

import numpy as np

from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.drawing import Ray
from walkmesh.evaluation.kernels.soup import gather
from walkmesh.evaluation.kernels.walk import DIRECTIONS, REACHED, UNDECIDED, lies_between, walk
from walkmesh.kernels.kernel import kernel, shared

# Every point is walked from in all DIRECTIONS; what stands between two of them at 0.3 m and has a
# right angle reaches in by 1.3 cm at most, which is less than the band of doubt. Things that are
# thinner, and so missed by all of them, get directions of their own, one in each of so many parts
# of the full turn.
FINE_PARTS = 360
# How often the direction of the shortest way is looked for between two directions.
HALVINGS = 5

# Lists of triangles: found around a point and others around a second one, (t,) int32; seen and
# others_seen, (t,) int64, the stamp of the last list that each is in. firsts, lasts: (t,) int32,
# between which directions each of those found lies. starts: (DIRECTIONS + 1,) int32, where the
# triangles of each direction begin. aimed: (FINE_PARTS,) float64, to work in. stamps: (1,) int64,
# the last stamp used.
Lists = namedtuple("Lists", "found others seen others_seen firsts lasts starts aimed stamps")


@kernel
def make_lists(size):
    """Make empty lists for `size` triangles."""
    return Lists(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.full(size, -1, np.int64),
        np.full(size, -1, np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(DIRECTIONS + 1, np.int32),
        np.empty(FINE_PARTS),
        np.zeros(1, np.int64),
    )


@kernel
def next_stamp(lists):
    """Return a stamp that was not used before."""
    lists.stamps[0] += 1
    return lists.stamps[0]


@kernel
def height_range(ground, reach, walker):
    """Return between which heights triangles matter to a walk of length `reach`."""
    spread = 2 * walker.step + reach * max(1.0, walker.tangent)
    return ground - spread, ground + spread + walker.height


@shared
def measure_room(soup, u, v, ground, phase, least, most, walker, lists, scratch):
    """Return how far one can walk in every direction, and in which one it is the shortest.

    It is `most` where one can walk further, and 0 where one cannot walk more than `least`.
    """
    found, hit = lists.found, scratch.hit
    limit = most + tol.BEYOND
    low, high = height_range(ground, limit, walker)
    stamp = next_stamp(lists)
    count = gather(soup, u, v, most, low, high, found, 0, lists.seen, stamp)
    far_count = -1
    for k in range(count):
        hit[found[k]] = False
    by_direction = _sort_by_direction(soup, found, count, u, v, phase, lists)
    lowest, highest = ground, ground
    room = most
    shortest = 0.0
    # First all directions, then those of what they missed, then around that of the shortest way.
    aimed_end = DIRECTIONS + FINE_PARTS
    for k in range(aimed_end + 2 * HALVINGS):
        if k == DIRECTIONS:
            band_low = lowest + walker.step + tol.SLACK
            band_high = highest + walker.height - tol.SLACK
            _aim(soup, found, count, hit, u, v, room, band_low, band_high, lists.aimed)
        ahead = found[:count]
        if k < DIRECTIONS:
            # To both sides by turns, as who asks may know where to expect something.
            turn = (k + 1) // 2 if k % 2 == 1 else -(k // 2)
            angle = phase + turn * 2 * math.pi / DIRECTIONS
            nth = turn % DIRECTIONS
            ahead = by_direction[lists.starts[nth] : lists.starts[nth + 1]]
        elif k < aimed_end:
            angle = lists.aimed[k - DIRECTIONS]
        elif room == most or least == most:
            break
        else:
            halving, side = divmod(k - aimed_end, 2)
            angle = shortest + (side - 0.5) * 2 * math.pi / DIRECTIONS / 2**halving
        if angle != angle:
            continue
        du, dv = math.cos(angle), math.sin(angle)
        ray = Ray(u, v, ground, du, dv)
        outcome, _, low_ground, high_ground, last, way, low_way = walk(
            soup, found, count, ahead, ray, room, room, room + tol.BEYOND, walker.slit, False,
            walker, scratch,
        )  # fmt: skip
        if outcome == UNDECIDED:
            # What is being stepped over goes on at the end: ground must follow straight on, or
            # lie on both sides if the way runs along it.
            if far_count < 0:
                far_count = gather(soup, u, v, limit, low, high, found, count, lists.seen, stamp)
            outcome, _, _, _, _, way, low_way = walk(
                soup, found, far_count, found[:far_count], ray, room, room + tol.BEYOND,
                room + tol.BEYOND, walker.slit, False, walker, scratch,
            )  # fmt: skip
            if outcome != REACHED and lies_between(
                soup, u + room * du, v + room * dv, last, tol.ACROSS, walker.slit,
                lists.others, lists.others_seen, next_stamp(lists), walker, scratch,
            ):  # fmt: skip
                outcome = REACHED
        lowest = min(lowest, low_ground)
        highest = max(highest, high_ground)
        if outcome != REACHED:
            # A way that runs along a low thing, and off its end, was good as far as that.
            beside = low_way - tol.SLACK
            if beside > max(way, least) and lies_between(
                soup, u + beside * du, v + beside * dv, last, tol.ACROSS, walker.slit,
                lists.others, lists.others_seen, next_stamp(lists), walker, scratch,
            ):  # fmt: skip
                way = beside
            room = min(room, way)
            shortest = angle
            if room <= least:
                return 0.0, shortest
    return room, shortest


@kernel
def _sort_by_direction(soup, found, count, u, v, phase, lists):
    """Return triangles by the directions that they lie in; `lists.starts` has where each begins."""
    starts = lists.starts
    for k in range(DIRECTIONS + 1):
        starts[k] = 0
    for k in range(count):
        t = found[k]
        base = math.atan2(soup.corners[t, 0, 1] - v, soup.corners[t, 0, 0] - u)
        low, high = 0.0, 0.0
        for i in range(1, 3):
            turn = math.atan2(soup.corners[t, i, 1] - v, soup.corners[t, i, 0] - u) - base
            turn -= 2 * math.pi * math.floor(turn / (2 * math.pi) + 0.5)
            low, high = min(low, turn), max(high, turn)
        first, last = 0, DIRECTIONS - 1
        # What spans half a turn or more has the place in it, or at its edge.
        if high - low < math.pi - tol.AIM_SLACK:
            per_radian = DIRECTIONS / (2 * math.pi)
            first = math.ceil((base + low - phase - tol.AIM_SLACK) * per_radian)
            last = math.floor((base + high - phase + tol.AIM_SLACK) * per_radian)
        lists.firsts[k], lists.lasts[k] = first, last
        for nth in range(first, last + 1):
            starts[nth % DIRECTIONS + 1] += 1
    for k in range(DIRECTIONS):
        starts[k + 1] += starts[k]
    members = np.empty(starts[DIRECTIONS], np.int32)
    for k in range(count):
        for nth in range(lists.firsts[k], lists.lasts[k] + 1):
            members[starts[nth % DIRECTIONS]] = found[k]
            starts[nth % DIRECTIONS] += 1
    for k in range(DIRECTIONS, 0, -1):
        starts[k] = starts[k - 1]
    starts[0] = 0
    return members


@kernel
def _aim(soup, found, count, hit, u, v, radius, low, high, aimed):
    """Write a direction to what stands between `low` and `high` and was never hit, or NaN.

    At most one in each of the equal parts of the full turn.
    """
    for k in range(len(aimed)):
        aimed[k] = math.nan
    for k in range(count):
        t = found[k]
        if hit[t] or soup.heights[t, 1] < low or soup.heights[t, 0] > high:
            continue
        nearest = 0
        distance = math.inf
        for i in range(3):
            away = math.hypot(soup.corners[t, i, 0] - u, soup.corners[t, i, 1] - v)
            if away < distance:
                distance = away
                nearest = i
        if distance > radius:
            continue
        # A bit inwards from the corner, as a direction through a corner may hit or miss.
        middle_u = (soup.corners[t, 0, 0] + soup.corners[t, 1, 0] + soup.corners[t, 2, 0]) / 3
        middle_v = (soup.corners[t, 0, 1] + soup.corners[t, 1, 1] + soup.corners[t, 2, 1]) / 3
        to_u = 0.9 * soup.corners[t, nearest, 0] + 0.1 * middle_u - u
        to_v = 0.9 * soup.corners[t, nearest, 1] + 0.1 * middle_v - v
        angle = math.atan2(to_v, to_u)
        part = int((angle + math.pi) / (2 * math.pi) * len(aimed)) % len(aimed)
        if aimed[part] != aimed[part]:
            aimed[part] = angle
