"""What points are: without ground, not free, free, or in what can be stepped over."""

import math
from collections import namedtuple

import numpy as np

from walkmesh.evaluate.kernels.soup import Soup, gather, pile
from walkmesh.evaluate.kernels.walk import (
    BEYOND,
    DIRECTIONS,
    REACHED,
    SLACK,
    SLIT,
    UNDECIDED,
    Walker,
    lies_between,
    make_scratch,
    standable,
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
    OUT_BYTES,
    OUT_FLOATS,
    OUT_INTS,
    POINTS,
    kernel,
)

# Every point is walked from in all DIRECTIONS; what stands between two of them at 0.3 m and has a
# right angle reaches in by 1.3 cm at most, which is less than the band of doubt. Things that are
# thinner, and so missed by all of them, get directions of their own, one in each of so many parts
# of the full turn.
FINE_PARTS = 360
# Within how much of standable ground, on both sides, a navmesh may bridge a slit. [m]
BRIDGE = 0.05
# How far around a sample the ground must be without steps for its height to be compared. [m]
LEVEL_REACH = 0.6

# What a point is.
NO_GROUND, NOT_FREE, FREE, IN_DOUBT = 0, 1, 2, 3

# Lists of triangles: found around a point and others around a second one, (t,) int32; seen and
# others_seen, (t,) int64, the stamp of the last list that each is in; kept_hit, (t,) bool, and
# aimed, (FINE_PARTS,) float64, to work in.
_Lists = namedtuple("_Lists", "found others seen others_seen kept_hit aimed")


@kernel(
    CUBES, BYTES, POINTS, POINTS, FLOATS, LONGS, INTS,
    POINTS, FLOATS, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, INT, OUT_BYTES, OUT_FLOATS, OUT_BYTES,
)  # fmt: skip
def judge_points(
    corners, kinds, circles, heights, grid, starts, members,
    points, phases, radius, height, max_step, tangent, within, of_navmesh, states, grounds, level,
):  # fmt: skip
    """Decide what points are.

    Parameters
    ----------
    corners, kinds, circles, heights, grid, starts, members : arrays
        The scene, see :data:`~walkmesh.evaluate.kernels.soup.Soup`.
    points : (n, 3) float64
        In the plan. [Unit: m]
    phases : (n,) float64
        By how much each point's directions are turned. [Unit: radians]
    radius : float
        How far to walk. [Unit: m]
    height, max_step, tangent : float
        The agent's height and step, and the tangent of its steepest slope. [Unit: m, m, 1]
    within : float
        How far above or below a point its ground is looked for. [Unit: m]
    of_navmesh : int
        Whether to ask, of a point that has no ground, if it lies in what can be stepped over, and
        of a free one, if there are steps around it.
    states : (n,) uint8, output
        NO_GROUND, NOT_FREE, FREE or, in what can be stepped over, IN_DOUBT.
    grounds : (n,) float64, output
        Height of the ground; NaN without any. [Unit: m]
    level : (n,) uint8, output
        1 where there are no steps around a free point of a navmesh.
    """
    soup = Soup(corners, kinds, circles, heights, grid, starts, members)
    walker = Walker(height, max_step, tangent)
    size = len(corners)
    scratch = make_scratch(size)
    lists = _Lists(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.full(size, -1, np.int64),
        np.full(size, -1, np.int64),
        np.empty(size, np.bool_),
        np.empty(FINE_PARTS),
    )
    stamp = 0
    for n in range(len(points)):
        u, v, h = points[n, 0], points[n, 1], points[n, 2]
        level[n] = 0
        piled = pile(soup, u, v, scratch.heights, scratch.grounds)
        ground = standable(scratch.heights, scratch.grounds, piled, h, within, height)
        grounds[n] = ground
        if ground != ground:
            states[n] = NO_GROUND
            stamp += 1
            if of_navmesh and lies_between(
                soup, u, v, h, BRIDGE, lists.others, lists.others_seen, stamp, walker, scratch
            ):
                states[n] = IN_DOUBT
            continue
        free, stamp = _is_free(soup, u, v, ground, phases[n], radius, walker, lists, stamp, scratch)
        states[n] = FREE if free else NOT_FREE
        if of_navmesh and free:
            stamp += 1
            if _is_level(soup, u, v, ground, phases[n], walker, lists, stamp, scratch):
                level[n] = 1


@kernel
def _height_range(ground, reach, walker):
    """Return between which heights triangles matter to a walk of length `reach`."""
    spread = 2 * walker.step + reach * max(1.0, walker.tangent)
    return ground - spread, ground + spread + walker.height


@kernel
def _is_free(soup, u, v, ground, phase, radius, walker, lists, stamp, scratch):
    """Tell whether one can walk out to `radius` everywhere, and return the last stamp used."""
    found, hit = lists.found, scratch.hit
    reach = radius + BEYOND
    low, high = _height_range(ground, reach, walker)
    stamp += 1
    here = stamp
    count = gather(soup, u, v, radius, low, high, found, 0, lists.seen, here)
    far_count = -1
    for k in range(count):
        hit[k] = False
    lowest, highest = ground, ground
    # First all directions, then those of what they missed.
    for k in range(DIRECTIONS + FINE_PARTS):
        if k == DIRECTIONS:
            band_low = lowest + walker.step + SLACK
            band_high = highest + walker.height - SLACK
            _aim(soup, found, count, hit, u, v, radius, band_low, band_high, lists.aimed)
        angle = phase + k * 2 * math.pi / DIRECTIONS
        if k >= DIRECTIONS:
            angle = lists.aimed[k - DIRECTIONS]
        if angle != angle:
            continue
        du, dv = math.cos(angle), math.sin(angle)
        outcome, _, low_ground, high_ground, last, _ = walk(
            soup, found, count, u, v, du, dv, ground, radius, radius, reach, SLIT, False, walker,
            scratch,
        )  # fmt: skip
        if outcome == UNDECIDED:
            # What is being stepped over goes on at the radius: ground must follow straight on, or
            # lie on both sides if the way runs along it.
            if far_count < 0:
                far_count = gather(soup, u, v, reach, low, high, found, count, lists.seen, here)
                for i in range(count, far_count):
                    hit[i] = False
            outcome, _, _, _, _, _ = walk(
                soup, found, far_count, u, v, du, dv, ground, radius, reach, reach, SLIT, False,
                walker, scratch,
            )  # fmt: skip
            if outcome != REACHED:
                stamp += 1
                for i in range(far_count):
                    lists.kept_hit[i] = hit[i]
                if lies_between(
                    soup, u + radius * du, v + radius * dv, last, SLIT, lists.others,
                    lists.others_seen, stamp, walker, scratch,
                ):  # fmt: skip
                    outcome = REACHED
                for i in range(far_count):
                    hit[i] = lists.kept_hit[i]
        lowest = min(lowest, low_ground)
        highest = max(highest, high_ground)
        if outcome != REACHED:
            return False, stamp
    return True, stamp


@kernel
def _is_level(soup, u, v, ground, phase, walker, lists, stamp, scratch):
    """Tell whether there are no steps around a point."""
    low, high = _height_range(ground, LEVEL_REACH + BEYOND, walker)
    count = gather(soup, u, v, LEVEL_REACH, low, high, lists.found, 0, lists.seen, stamp)
    for k in range(0, DIRECTIONS, DIRECTIONS // 8):
        angle = phase + k * 2 * math.pi / DIRECTIONS
        _, stepped, _, _, _, _ = walk(
            soup, lists.found, count, u, v, math.cos(angle), math.sin(angle), ground, LEVEL_REACH,
            LEVEL_REACH, LEVEL_REACH, SLIT, False, walker, scratch,
        )  # fmt: skip
        if stepped:
            return False
    return True


@kernel
def _aim(soup, found, count, hit, u, v, radius, low, high, aimed):
    """Write a direction to what stands between `low` and `high` and was never hit, or NaN.

    At most one in each of the equal parts of the full turn.
    """
    for k in range(len(aimed)):
        aimed[k] = math.nan
    for k in range(count):
        t = found[k]
        if hit[k] or soup.heights[t, 1] < low or soup.heights[t, 0] > high:
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


@kernel(CUBES, BYTES, POINTS, POINTS, FLOATS, LONGS, INTS, POINTS, FLOAT, OUT_INTS)
def count_layers(
    corners, kinds, circles, heights, grid, starts, members, points, within, layers
):  # fmt: skip
    """Count the triangles over each point, no further than `within` above or below it.

    Parameters
    ----------
    corners, kinds, circles, heights, grid, starts, members : arrays
        The triangles, see :data:`~walkmesh.evaluate.kernels.soup.Soup`.
    points : (n, 3) float64
        In the plan. [Unit: m]
    within : float
        [Unit: m]
    layers : (n,) int32, output
    """
    soup = Soup(corners, kinds, circles, heights, grid, starts, members)
    piled_heights = np.empty(len(corners))
    grounds = np.empty(len(corners), np.bool_)
    for n in range(len(points)):
        layers[n] = 0
        for k in range(pile(soup, points[n, 0], points[n, 1], piled_heights, grounds)):
            if abs(piled_heights[k] - points[n, 2]) <= within:
                layers[n] += 1
