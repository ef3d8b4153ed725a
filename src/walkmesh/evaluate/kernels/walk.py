"""Walking straight over the triangles of a scene, as an agent would.

Along one direction the scene is cut by a vertical half plane, which makes a line drawing of every
triangle that the way meets::

        h                    |  blocked: crosses the band from max_step to height
        |   - - - - - - - - -|- - -   last ground + height
        |                    |
        |   - - - - - - - - - - - -   last ground + max_step
        |            /------          ground again, after a low thing
        p-----------/                 ground
        +---------------------- s     distance walked from p

and the walk goes along s in strides of a centimetre. The places where the ground ends and begins
again are found by bisection.
"""

import math
from collections import namedtuple

import numpy as np

from walkmesh.evaluate.kernels.soup import GROUND_FACE, UPRIGHT_FACE, gather
from walkmesh.kernels.kernel import kernel, shared

# Directions that things are looked for in.
DIRECTIONS = 72
# Directions, within half a turn, and steps in each, in which the width of a slit is measured.
NARROW_DIRECTIONS = 18
NARROW_STEPS = 30
# One stride of a walk. [m]
STRIDE = 0.01
# Gaps without any face that can be stepped over, unless told otherwise. [m]
SLIT = 0.03
# How far beyond the radius the ground may begin again behind what is stepped over. [m]
BEYOND = 0.5
# How wide a thing may be that a walk ends on, such as a kerb that the walk goes along. [m]
ACROSS = 0.3
# Layers of ground closer than this are one, and the upper one counts. [m]
LAYER = 0.01
# Slack of everything that is compared with the agent's height and step. [m]
SLACK = 1e-3
# Slack of a rise or a drop, for scenes in single precision. [m]
STEP_SLACK = 1e-4
# The rise over one stride, on top of the steepest slope, that is a step. [m]
LEVEL_RISE = 0.01

# What there is at one place of a walk.
GROUND, LOW, VOID, BLOCKED = 0, 1, 2, 3
# How a walk ends. It is undecided when what is stepped over goes on at the end of the drawing.
ENDED, REACHED, UNDECIDED = 0, 1, 2

# The agent: its height and step in metres, the tangent of its steepest slope, and the widest slit
# that it steps over, in metres.
Walker = namedtuple("Walker", "height step tangent slit")

# Room for two drawings, each large enough for all triangles. lines, near_lines: (t, 4) float64,
# each (s, h, s, h) with the smaller s first. kinds, near_kinds: (t,) uint8, of the triangles that
# the lines are from. hit, near_hit: (t,) bool, which triangles were cut. heights
# and grounds: (t,) float64 and bool, the faces over one place, and which of them are ground. [m]
Scratch = namedtuple("Scratch", "lines kinds hit near_lines near_kinds near_hit heights grounds")


@kernel
def make_scratch(size):
    """Make room for drawings of `size` triangles."""
    return Scratch(
        np.empty((size, 4)),
        np.empty(size, np.uint8),
        np.empty(size, np.bool_),
        np.empty((size, 4)),
        np.empty(size, np.uint8),
        np.empty(size, np.bool_),
        np.empty(size),
        np.empty(size, np.bool_),
    )


@kernel
def standable(heights, grounds, count, near, within, height):
    """Return the standable ground nearest to a height, or NaN where there is none within reach."""
    best = math.nan
    distance = within
    for i in range(count):
        if grounds[i] and abs(heights[i] - near) <= distance:
            clear = True
            for j in range(count):
                above = heights[j] - heights[i]
                if above > LAYER and above < height - SLACK:
                    clear = False
                    break
            if clear:
                best = heights[i]
                distance = abs(heights[i] - near)
    upper = best
    for i in range(count):
        if grounds[i] and heights[i] > upper and heights[i] <= best + LAYER:
            upper = heights[i]
    return upper


@kernel
def draw(soup, found, count, u, v, du, dv, reach, lines, kinds, hit):
    """Cut triangles by the vertical half plane along (du, dv); return the number of lines.

    A line is (s, h, s, h) with the smaller s first. Triangles that are cut are marked in `hit`.
    """
    drawn = 0
    corners = soup.corners
    for k in range(count):
        t = found[k]
        cu = soup.circles[t, 0] - u
        cv = soup.circles[t, 1] - v
        r = soup.circles[t, 2]
        along = cu * du + cv * dv
        if abs(cu * dv - cv * du) > r or along < -r or along > reach + r:
            continue
        ends = 0
        s, g, end_s, end_g = 0.0, 0.0, 0.0, 0.0
        for i in range(3):
            p, q = i, (i + 1) % 3
            p_side = (corners[t, p, 0] - u) * dv - (corners[t, p, 1] - v) * du
            q_side = (corners[t, q, 0] - u) * dv - (corners[t, q, 1] - v) * du
            if (p_side < 0.0) == (q_side < 0.0):
                continue
            # From the same end always, so that two triangles which share an edge are cut in the
            # same point to the last bit.
            if q_side < 0.0:
                p, q = q, p
                p_side, q_side = q_side, p_side
            share = p_side / (p_side - q_side)
            p_along = (corners[t, p, 0] - u) * du + (corners[t, p, 1] - v) * dv
            q_along = (corners[t, q, 0] - u) * du + (corners[t, q, 1] - v) * dv
            s, end_s = p_along + share * (q_along - p_along), s
            g, end_g = corners[t, p, 2] + share * (corners[t, q, 2] - corners[t, p, 2]), g
            ends += 1
        if ends < 2:
            continue
        if s > end_s:
            s, g, end_s, end_g = end_s, end_g, s, g
        if end_s < 0.0 or s > reach:
            continue
        lines[drawn, 0] = s
        lines[drawn, 1] = g
        lines[drawn, 2] = end_s
        lines[drawn, 3] = end_g
        kinds[drawn] = soup.kinds[t]
        drawn += 1
        hit[t] = True
    return drawn


@kernel
def first_crossing(lines, count, start, end, low, high):
    """Return where a line first runs through the rectangle from `start` to `end`, or infinity.

    The rectangle reaches from `low` to `high`.
    """
    first = math.inf
    for k in range(count):
        s, t = lines[k, 0], lines[k, 2]
        if s > end or t < start:
            continue
        g, h = lines[k, 1], lines[k, 3]
        if max(g, h) < low or min(g, h) > high:
            continue
        if t - s > 1e-12:
            rise = (h - g) / (t - s)
            g, h = g + rise * (max(s, start) - s), h - rise * (t - min(t, end))
        if max(g, h) >= low and min(g, h) <= high:
            first = min(first, max(s, start))
    return first


@kernel
def look(lines, kinds, count, s, last, walker, heights, grounds):
    """Return what there is at a place of a walk, and the height of the ground if it goes on."""
    piled = 0
    for k in range(count):
        if lines[k, 0] - 1e-9 <= s <= lines[k, 2] + 1e-9 and kinds[k] != UPRIGHT_FACE:
            length = lines[k, 2] - lines[k, 0]
            share = (s - lines[k, 0]) / length if length > 1e-12 else 0.0
            heights[piled] = lines[k, 1] + share * (lines[k, 3] - lines[k, 1])
            grounds[piled] = kinds[k] == GROUND_FACE
            piled += 1
    ground = standable(heights, grounds, piled, last, walker.step + STEP_SLACK, walker.height)
    if ground == ground:
        return GROUND, ground
    top = -math.inf
    for k in range(piled):
        if heights[k] < last + walker.height - SLACK:
            top = max(top, heights[k])
    if top > last + walker.step + SLACK:
        return BLOCKED, last
    # On top of a low thing the agent needs its whole height again.
    for k in range(piled):
        if top + LAYER < heights[k] < top + walker.height - SLACK:
            return BLOCKED, last
    if top >= last - walker.step - STEP_SLACK:
        return LOW, last
    return VOID, last


@kernel
def _stride(lines, kinds, count, s, last, limit, walker):
    """Return how far the ground goes on with nothing over it, and its height there.

    Only a faster way to walk: as long as no line begins or ends, nothing can change but by lines
    that come close, and where there are any of those the walk goes in steps.
    """
    base = -1
    for k in range(count):
        if kinds[k] == GROUND_FACE and lines[k, 0] <= s < lines[k, 2] - 1e-6:
            share = (s - lines[k, 0]) / (lines[k, 2] - lines[k, 0])
            if abs(lines[k, 1] + share * (lines[k, 3] - lines[k, 1]) - last) <= 1e-9:
                base = k
                break
    if base < 0:
        return s, last
    low = min(lines[base, 1], lines[base, 3]) - LAYER
    high = max(lines[base, 1], lines[base, 3]) + walker.height
    end = lines[base, 2]
    for k in range(count):
        if k == base or lines[k, 0] >= end or lines[k, 2] < s:
            continue
        if max(lines[k, 1], lines[k, 3]) < low or min(lines[k, 1], lines[k, 3]) > high:
            continue
        end = lines[k, 0]
        if end <= s:
            return s, last
    end = min(end - 1e-6, limit)
    if end <= s:
        return s, last
    share = (end - lines[base, 0]) / (lines[base, 2] - lines[base, 0])
    return end, lines[base, 1] + share * (lines[base, 3] - lines[base, 1])


@kernel
def _narrow(soup, found, count, u, v, last, walker, scratch):
    """Return whether a place without ground has it on opposite sides, no more than a slit apart."""
    widest = walker.slit + SLACK
    for k in range(NARROW_DIRECTIONS):
        apart = 0.0
        for side in range(2):
            angle = (k + side * NARROW_DIRECTIONS) * math.pi / NARROW_DIRECTIONS
            du, dv = math.cos(angle), math.sin(angle)
            drawn = draw(
                soup, found, count, u, v, du, dv, widest, scratch.near_lines, scratch.near_kinds,
                scratch.near_hit,
            )  # fmt: skip
            near, far = 0.0, 0.0
            for i in range(NARROW_STEPS + 1):
                near, far = far, i * widest / NARROW_STEPS
                seen, _ = look(
                    scratch.near_lines, scratch.near_kinds, drawn, far, last, walker,
                    scratch.heights, scratch.grounds,
                )  # fmt: skip
                if seen == GROUND:
                    break
            # Both sides of a slit together would be wider by two steps.
            while seen == GROUND and far - near > 1e-5:
                middle = (near + far) / 2
                there, _ = look(
                    scratch.near_lines, scratch.near_kinds, drawn, middle, last, walker,
                    scratch.heights, scratch.grounds,
                )  # fmt: skip
                if there == GROUND:
                    far = middle
                else:
                    near = middle
            apart += far
            if seen != GROUND or apart > widest:
                apart = math.inf
                break
        if apart <= widest:
            return True
    return False


@shared
def walk(
    soup, found, count, ahead, u, v, du, dv, start, radius, reach, limit, slit, arriving, walker,
    scratch,
):  # fmt: skip
    """Walk in a straight line.

    Parameters
    ----------
    soup, found, count
        The triangles up to `reach` around the start.
    ahead : (n,) int32
        Those of them that matter to this direction, at least.
    u, v, du, dv : float
        Where the walk starts in the plan, and the direction, of length 1. [Unit: m]
    start : float
        Height of the ground there. [Unit: m]
    radius, reach, limit : float
        How far to walk, how far to look for ground that begins again, and how far that may be made
        to go. [Unit: m]
    slit : float
        Longest way over nothing. [Unit: m]
    arriving : bool
        Whether the walk starts off the ground and ends where that begins.
    walker : Walker
    scratch : Scratch

    Returns
    -------
    outcome : int
        `ENDED`, `REACHED` or `UNDECIDED`.
    stepped : bool
        Whether there was a step on the way.
    lowest, highest : float
        Of the ground walked on. [Unit: m]
    last : float
        Height of the ground that was walked on last. [Unit: m]
    way : float
        How far the ground goes; when arriving, how far away it begins. [Unit: m]
    low_way : float
        How far the ground and low things go. [Unit: m]
    """
    lines, kinds = scratch.lines, scratch.kinds
    heights, grounds = scratch.heights, scratch.grounds
    drawn = draw(soup, ahead, len(ahead), u, v, du, dv, reach, lines, kinds, scratch.hit)
    s = 0.0
    last = start
    lowest = start
    highest = start
    here = GROUND
    void_start = 0.0
    stepped = False
    way, low_way = 0.0, 0.0
    if arriving:
        here, last = look(lines, kinds, drawn, s, start, walker, heights, grounds)
        if here == BLOCKED:
            return ENDED, stepped, lowest, highest, last, way, low_way
    while True:
        if here == GROUND and s < radius and not arriving:
            s, last = _stride(lines, kinds, drawn, s, last, radius, walker)
            lowest = min(lowest, last)
            highest = max(highest, last)
        if here in (GROUND, LOW):
            low_way = s
        if here == GROUND:
            way = s
            if arriving or s >= radius - 1e-12:
                return REACHED, stepped, lowest, highest, last, way, low_way
        if s >= reach - 1e-12:
            outcome = UNDECIDED if reach < limit - 1e-12 else ENDED
            return outcome, stepped, lowest, highest, last, way, low_way
        end = min(s + STRIDE, reach)
        if s < radius - 1e-12 and end > radius:
            end = radius
        there, ground = look(lines, kinds, drawn, end, last, walker, heights, grounds)
        behind = last
        if there != here:
            # Find where it changes. The ground may rise on the way there, and whether it goes on
            # beyond is to be asked from its very end.
            before = s
            while end - before > 1e-5:
                middle = (before + end) / 2
                between, h = look(lines, kinds, drawn, middle, last, walker, heights, grounds)
                if between == here:
                    before = middle
                    if here == GROUND:
                        if abs(h - last) > LEVEL_RISE + STRIDE * walker.tangent:
                            stepped = True
                        last = h
                else:
                    end = middle
            end = max(end, min(s + 1e-4, reach))
            there, ground = look(lines, kinds, drawn, end, last, walker, heights, grounds)
        # Between heights of the ground only what is in the way of both: what is in the way of
        # the later one alone is met in the next step, unless it is the riser itself. On the way to
        # where the ground changes a slope may have fallen by more than a low step.
        low = max(behind, last, ground) + walker.step + SLACK
        high = max(low, min(behind, last, ground) + walker.height - SLACK)
        crossing = first_crossing(lines, drawn, s, end, low, high)
        if there == BLOCKED or crossing <= end:
            if here == GROUND:
                way = min(end, crossing)
            return ENDED, stepped, lowest, highest, last, way, low_way
        if here == VOID and end - void_start > slit + STEP_SLACK:
            # A slit that is crossed at an angle makes a long way, but is none the wider.
            middle = (s + end) / 2
            if arriving or not _narrow(
                soup, found, count, u + middle * du, v + middle * dv, last, walker, scratch
            ):
                return ENDED, stepped, lowest, highest, last, way, low_way
        if there == VOID and here != VOID:
            void_start = end
        if there == GROUND:
            rise = abs(ground - last)
            if here == GROUND:
                stepped = stepped or rise > LEVEL_RISE + STRIDE * walker.tangent
            else:
                stepped = stepped or rise > 2 * LEVEL_RISE
            last = ground
            lowest = min(lowest, ground)
            highest = max(highest, ground)
        s = end
        here = there


@shared
def lies_between(soup, u, v, h, across, slit, found, seen, stamp, walker, scratch):
    """Return whether a place off the ground has ground on opposite sides, at most `across` apart.

    Or at most `slit`, if that is wider. Both sides must be within a step of each other, and nothing
    but low things and gaps up to `slit` may lie in between.
    """
    across = max(across, slit)
    spread = 2 * walker.step + across * max(1.0, walker.tangent)
    low, high = h - spread, h + spread + walker.height
    count = gather(soup, u, v, across, low, high, found, 0, seen, stamp)
    # What these walks hit is of no concern to who asks.
    aside = Scratch(
        scratch.lines, scratch.kinds, scratch.near_hit, scratch.near_lines, scratch.near_kinds,
        scratch.near_hit, scratch.heights, scratch.grounds,
    )  # fmt: skip
    for k in range(DIRECTIONS // 2):
        angle = k * 2 * math.pi / DIRECTIONS
        du, dv = math.cos(angle), math.sin(angle)
        apart = 0.0
        low_side, high_side = math.inf, -math.inf
        for sign in (1.0, -1.0):
            outcome, _, _, _, last, way, _ = walk(
                soup, found, count, found[:count], u, v, sign * du, sign * dv, h, across, across,
                across, slit, True, walker, aside,
            )  # fmt: skip
            apart += way if outcome == REACHED else math.inf
            low_side, high_side = min(low_side, last), max(high_side, last)
            if apart > across:
                break
        if apart <= across and high_side - low_side <= walker.step + STEP_SLACK:
            return True
    return False
