"""Places between pieces of ground that an agent can step across.

From a place over a gap one looks for ground in all directions::

      ground  |<-- r(a + pi) -->p<----- r(a) ----->|  ground

It can be stepped across if the ground on two opposite sides is no further apart than the distance,
or if no empty disc with the distance as diameter holds the place, as where several gaps meet. A
disc that holds the place is empty if none of the nearest ground in any direction lies in it.
"""

import math

import numpy as np

from walkmesh.evaluation.kernels import drawing
from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.room import make_lists, next_stamp
from walkmesh.evaluation.kernels.soup import GROUND_FACE, SOUP, UPRIGHT_FACE, Soup, gather, pile
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# Directions in which ground is looked for: the width of a gap is known to 0.2 %.
_RAYS = 48
# Where empty discs are tried: on so many rings around the place, at so many places of each.
_RINGS, _AROUND = 4, 24


@kernel(SOUP, drawing.WALKER, kt.FLOAT, kt.FLOAT, kt.INT, kt.POINTS, kt.OUT_BYTES, kt.OUT_FLOATS)
def find_crossable(scene, agent, radius, distance, straight, places, crossable, levels):
    """Decide which places lie over a gap that can be stepped across.

    Parameters
    ----------
    scene : Soup
    agent : Walker
    radius : float
        Of the agent. [Unit: m]
    distance : float
        The widest gap that can be stepped across. [Unit: m]
    straight : int
        Whether ground on two opposite sides is enough.
    places : (n, 3) float64
        In the plan, at the height of the ground beside the gap. [Unit: m]
    crossable : (n,) uint8, output
        1 for places over a gap; 0 for those on ground, too.
    levels : (n,) float64, output
        How high someone would stand there. [Unit: m]
    """
    soup, walker = Soup(*scene), drawing.Walker(*agent)
    height, max_step, tangent, _ = agent
    scratch = drawing.make_scratch(len(soup.corners))
    lists = make_lists(len(soup.corners))
    hits = np.empty((_RAYS, 2), np.float64)
    over, is_ground = np.empty(len(soup.corners)), np.empty(len(soup.corners), np.bool_)
    rise = max(max_step, tangent * distance) + tol.STEP_ROUNDING
    for n in range(len(places)):
        u, v, h = places[n, 0], places[n, 1], places[n, 2]
        crossable[n], levels[n] = 0, h
        piled = pile(soup, u, v, over, is_ground)
        ground = drawing.standable(over, is_ground, piled, h, max_step + tol.STEP_ROUNDING, height)
        if ground == ground:
            continue
        low, high = h - rise - distance * tangent, h + rise + distance * tangent + height
        stamp = next_stamp(lists)
        count = gather(soup, u, v, distance, low, high, lists.found, 0, lists.seen, stamp)
        for k in range(_RAYS):
            angle = k * 2.0 * math.pi / _RAYS
            ray = drawing.Ray(u, v, h, math.cos(angle), math.sin(angle))
            hits[k, 0], hits[k, 1] = _nearest_ground(
                soup, lists.found, count, ray, distance, rise, walker, scratch
            )
        width, level = math.inf, math.nan
        if straight:
            width, level = _narrowest(hits, distance, walker)
        if width == math.inf and not _holds_empty_disc(hits, distance):
            width, level = distance, _mean_level(hits, rise)
        if width == math.inf or level != level:
            continue
        if _is_clear(over, is_ground, piled, level, width, walker, radius):
            crossable[n], levels[n] = 1, level


@kernel
def _nearest_ground(soup, found, count, ray, distance, rise, walker, scratch):
    """Return how far away ground begins in a direction, and its height; infinite if it does not.

    Nor does it behind something that stands in the way.
    """
    lines, kinds = scratch.near_lines, scratch.near_kinds
    heights, grounds = scratch.heights, scratch.grounds
    drawn = drawing.draw(soup, found, count, ray, distance, lines, kinds, scratch.near_hit)
    h = ray.h
    nearest, level = math.inf, math.nan
    for k in range(2 * drawn):
        # Ground begins where a face begins, or where one ends that stood in its way.
        s = lines[k // 2, 2 * (k % 2)] + tol.BEHIND_RIM
        if s >= nearest or s < 0.0 or s > distance:
            continue
        piled = 0
        for i in range(drawn):
            length = lines[i, 2] - lines[i, 0]
            upright = kinds[i] == UPRIGHT_FACE or length <= tol.LINE_ROUNDING
            if lines[i, 0] <= s <= lines[i, 2] and not upright:
                share = (s - lines[i, 0]) / length
                heights[piled] = lines[i, 1] + share * (lines[i, 3] - lines[i, 1])
                grounds[piled] = kinds[i] == GROUND_FACE
                piled += 1
        ground = drawing.standable(heights, grounds, piled, h, rise, walker.height)
        if ground == ground:
            nearest, level = s, ground
    if nearest < math.inf:
        low = max(h, level) + walker.step + tol.SLACK
        high = min(h, level) + walker.height - tol.SLACK
        if drawing.first_crossing(lines, drawn, 0.0, nearest, low, high) <= nearest:
            return math.inf, math.nan
    return nearest, level


@kernel
def _narrowest(hits, distance, walker):
    """Return how far apart ground on two opposite sides is, and the height between; or infinity."""
    width, level = math.inf, math.nan
    for k in range(_RAYS // 2):
        near, far = hits[k, 0], hits[k + _RAYS // 2, 0]
        apart = near + far
        if apart >= width or apart > distance * (1.0 + tol.WIDTH_SLACK) + 2.0 * tol.BEHIND_RIM:
            continue
        first, second = hits[k, 1], hits[k + _RAYS // 2, 1]
        if abs(first - second) <= max(walker.step, walker.tangent * apart) + tol.STEP_ROUNDING:
            width = apart
            level = first + (second - first) * near / apart
    return width, level


@kernel
def _holds_empty_disc(hits, distance):
    """Return whether a disc with that diameter, with the place in it, reaches no ground."""
    for ring in range(_RINGS + 1):
        away = 0.5 * distance * ring / _RINGS
        for k in range(_AROUND if ring > 0 else 1):
            angle = k * 2.0 * math.pi / _AROUND
            cu, cv = away * math.cos(angle), away * math.sin(angle)
            empty = True
            for i in range(_RAYS):
                if hits[i, 0] < math.inf:
                    turn = i * 2.0 * math.pi / _RAYS
                    gu, gv = hits[i, 0] * math.cos(turn), hits[i, 0] * math.sin(turn)
                    if math.hypot(gu - cu, gv - cv) < 0.5 * distance - tol.SLACK:
                        empty = False
                        break
            if empty:
                return True
    return False


@kernel
def _mean_level(hits, rise):
    """Return the height amid the ground around, or NaN if that differs by more than a rise."""
    lowest, highest = math.inf, -math.inf
    total, weights = 0.0, 0.0
    for k in range(_RAYS):
        if hits[k, 0] < math.inf:
            lowest, highest = min(lowest, hits[k, 1]), max(highest, hits[k, 1])
            weight = 1.0 / max(hits[k, 0], tol.SLACK)
            total += weight * hits[k, 1]
            weights += weight
    return total / weights if highest - lowest <= rise else math.nan


@kernel
def _is_clear(heights, grounds, count, level, width, walker, radius):
    """Tell whether one can be above a gap: nothing is in the way, and no one can be below."""
    for k in range(count):
        above = heights[k] - level
        if walker.step + tol.SLACK < above < walker.height - tol.SLACK:
            return False
        if -walker.height < above < -walker.step and grounds[k] and width > 2.0 * radius:
            ground = drawing.standable(
                heights, grounds, count, heights[k], tol.SLACK, walker.height
            )
            if ground == ground:
                return False
    return True
