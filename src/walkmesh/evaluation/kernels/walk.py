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

from walkmesh.evaluation.kernels import drawing
from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.soup import GROUND_FACE, gather
from walkmesh.kernels.kernel import kernel, shared

# Directions that things are looked for in.
DIRECTIONS = 72
# Directions, within half a turn, and steps in each, in which the width of a slit is measured.
NARROW_DIRECTIONS = 18
NARROW_STEPS = 30

# How a walk ends. It is undecided when what is stepped over goes on at the end of the drawing.
ENDED, REACHED, UNDECIDED = 0, 1, 2


@kernel
def _stride(lines, kinds, count, s, last, limit, walker):
    """Return how far the ground goes on with nothing over it, and its height there.

    Only a faster way to walk: as long as no line begins or ends, nothing can change but by lines
    that come close, and where there are any of those the walk goes in steps.
    """
    base = -1
    for k in range(count):
        if kinds[k] == GROUND_FACE and lines[k, 0] <= s < lines[k, 2] - tol.BEFORE_END:
            share = (s - lines[k, 0]) / (lines[k, 2] - lines[k, 0])
            if abs(lines[k, 1] + share * (lines[k, 3] - lines[k, 1]) - last) <= tol.ON_LINE:
                base = k
                break
    if base < 0:
        return s, last
    low = min(lines[base, 1], lines[base, 3]) - tol.LAYER
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
    end = min(end - tol.BEFORE_END, limit)
    if end <= s:
        return s, last
    share = (end - lines[base, 0]) / (lines[base, 2] - lines[base, 0])
    return end, lines[base, 1] + share * (lines[base, 3] - lines[base, 1])


@kernel
def _narrow(soup, found, count, u, v, last, walker, scratch):
    """Return whether a place without ground has it on opposite sides, no more than a slit apart."""
    widest = walker.slit + tol.SLACK
    for k in range(NARROW_DIRECTIONS):
        apart = 0.0
        for side in range(2):
            angle = (k + side * NARROW_DIRECTIONS) * math.pi / NARROW_DIRECTIONS
            ray = drawing.Ray(u, v, last, math.cos(angle), math.sin(angle))
            drawn = drawing.draw(
                soup, found, count, ray, widest, scratch.near_lines, scratch.near_kinds,
                scratch.near_hit,
            )  # fmt: skip
            near, far = 0.0, 0.0
            for i in range(NARROW_STEPS + 1):
                near, far = far, i * widest / NARROW_STEPS
                seen, _ = drawing.look(
                    scratch.near_lines, scratch.near_kinds, drawn, far, last, walker,
                    scratch.heights, scratch.grounds,
                )  # fmt: skip
                if seen == drawing.GROUND:
                    break
            # Both sides of a slit together would be wider by two steps.
            while seen == drawing.GROUND and far - near > tol.BISECTED:
                middle = (near + far) / 2
                there, _ = drawing.look(
                    scratch.near_lines, scratch.near_kinds, drawn, middle, last, walker,
                    scratch.heights, scratch.grounds,
                )  # fmt: skip
                if there == drawing.GROUND:
                    far = middle
                else:
                    near = middle
            apart += far
            if seen != drawing.GROUND or apart > widest:
                apart = math.inf
                break
        if apart <= widest:
            return True
    return False


@shared
def walk(soup, found, count, ahead, ray, radius, reach, limit, slit, arriving, walker, scratch):
    """Walk in a straight line.

    Parameters
    ----------
    soup, found, count
        The triangles up to `reach` around the start.
    ahead : (n,) int32
        Those of them that matter to this direction, at least.
    ray : Ray
        Where the walk starts, on the ground, and the direction.
    radius, reach, limit : float
        How far to walk, how far to look for ground that begins again, and how far that may be made
        to go. [Unit: m]
    slit : float
        Longest way over nothing. [Unit: m]
    arriving : bool
        Whether the walk starts off the ground and ends where that begins.

    Returns
    -------
    outcome, stepped : int and bool
        `ENDED`, `REACHED` or `UNDECIDED`; and whether there was a step on the way.
    lowest, highest, last : float
        Of the ground walked on, and the height of the ground that was walked on last. [Unit: m]
    way, low_way : float
        How far the ground goes, or when arriving, how far away it begins; and how far the ground
        and low things go. [Unit: m]
    """
    lines, kinds = scratch.lines, scratch.kinds
    heights, grounds = scratch.heights, scratch.grounds
    drawn = drawing.draw(soup, ahead, len(ahead), ray, reach, lines, kinds, scratch.hit)
    s = 0.0
    last = ray.h
    lowest = ray.h
    highest = ray.h
    here = drawing.GROUND
    void_start = 0.0
    stepped = False
    way, low_way = 0.0, 0.0
    outcome = ENDED
    if arriving:
        here, last = drawing.look(lines, kinds, drawn, s, ray.h, walker, heights, grounds)
    # Blocked is only where a walk that arrives may start.
    while here != drawing.BLOCKED:
        if here == drawing.GROUND and s < radius and not arriving:
            s, last = _stride(lines, kinds, drawn, s, last, radius, walker)
            lowest = min(lowest, last)
            highest = max(highest, last)
        if here in (drawing.GROUND, drawing.LOW):
            low_way = s
        if here == drawing.GROUND:
            way = s
            if arriving or s >= radius - tol.LINE_ROUNDING:
                outcome = REACHED
                break
        if s >= reach - tol.LINE_ROUNDING:
            if reach < limit - tol.LINE_ROUNDING:
                outcome = UNDECIDED
            break
        end = min(s + tol.STRIDE, reach)
        if s < radius - tol.LINE_ROUNDING and end > radius:
            end = radius
        there, ground = drawing.look(lines, kinds, drawn, end, last, walker, heights, grounds)
        behind = last
        if there != here:
            # Past the change, so that the next stride does not begin on it.
            end, last, risen = _find_change(
                lines, kinds, drawn, s, end, here, last, walker, scratch
            )
            stepped = stepped or risen
            end = max(end, min(s + tol.LEAST_ADVANCE, reach))
            there, ground = drawing.look(lines, kinds, drawn, end, last, walker, heights, grounds)
        # Between heights of the ground only what is in the way of both: what is in the way of
        # the later one alone is met in the next step, unless it is the riser itself. On the way to
        # where the ground changes a slope may have fallen by more than a low step.
        low = max(behind, last, ground) + walker.step + tol.SLACK
        high = max(low, min(behind, last, ground) + walker.height - tol.SLACK)
        crossing = drawing.first_crossing(lines, drawn, s, end, low, high)
        if there == drawing.BLOCKED or crossing <= end:
            if here == drawing.GROUND:
                way = min(end, crossing)
            break
        if here == drawing.VOID and end - void_start > slit + tol.STEP_ROUNDING:
            # A slit that is crossed at an angle makes a long way, but is none the wider.
            middle = (s + end) / 2
            u, v = ray.u + middle * ray.du, ray.v + middle * ray.dv
            if arriving or not _narrow(soup, found, count, u, v, last, walker, scratch):
                break
        if there == drawing.VOID and here != drawing.VOID:
            void_start = end
        if there == drawing.GROUND:
            rise = abs(ground - last)
            if here == drawing.GROUND:
                stepped = stepped or rise > tol.LEVEL_RISE + tol.STRIDE * walker.tangent
            else:
                stepped = stepped or rise > 2 * tol.LEVEL_RISE
            last = ground
            lowest = min(lowest, ground)
            highest = max(highest, ground)
        s = end
        here = there
    return outcome, stepped, lowest, highest, last, way, low_way


@kernel
def _find_change(lines, kinds, count, s, end, here, last, walker, scratch):
    """Return up to where a stride sees what is `here`, the last ground there, and if it stepped.

    The ground may rise on the way there, and whether it goes on beyond is to be asked from its
    very end.
    """
    stepped = False
    while end - s > tol.BISECTED:
        middle = (s + end) / 2
        between, ground = drawing.look(
            lines, kinds, count, middle, last, walker, scratch.heights, scratch.grounds
        )
        if between == here:
            s = middle
            if here == drawing.GROUND:
                if abs(ground - last) > tol.LEVEL_RISE + tol.STRIDE * walker.tangent:
                    stepped = True
                last = ground
        else:
            end = middle
    return end, last, stepped


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
    aside = drawing.Scratch(
        scratch.lines, scratch.kinds, scratch.near_hit, scratch.near_lines, scratch.near_kinds,
        scratch.near_hit, scratch.heights, scratch.grounds,
    )  # fmt: skip
    for k in range(DIRECTIONS // 2):
        angle = k * 2 * math.pi / DIRECTIONS
        du, dv = math.cos(angle), math.sin(angle)
        apart = 0.0
        low_side, high_side = math.inf, -math.inf
        for sign in (1.0, -1.0):
            ray = drawing.Ray(u, v, h, sign * du, sign * dv)
            outcome, _, _, _, last, way, _ = walk(
                soup, found, count, found[:count], ray, across, across, across, slit, True, walker,
                aside,
            )  # fmt: skip
            apart += way if outcome == REACHED else math.inf
            low_side, high_side = min(low_side, last), max(high_side, last)
            if apart > across:
                break
        if apart <= across and high_side - low_side <= walker.step + tol.STEP_ROUNDING:
            return True
    return False
