"""The ground truth: what share of a navmesh is right, and what share of the free ground it covers.

Nothing here is taken from the build. Whether a point is free is decided by walking from it, as the
definition says, and not by cutting or growing anything: along each of many directions the scene is
cut by a vertical half plane, which makes a line drawing of every triangle that the way meets::

        h                    |  blocked: crosses the band from max_step to height
        |   - - - - - - - - -|- - -   last ground + height
        |                    |
        |   - - - - - - - - - - - -   last ground + max_step
        |            /------          ground again, after a low thing
        p-----------/                 ground
        +---------------------- s     distance walked from p

and the walk goes along s in steps of a centimetre. The places where the ground ends and begins
again are found by bisection.

Run it as ``python tests/truth.py SCENE NAVMESH`` to get the figures on one line.
"""

from __future__ import annotations

import argparse
import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

import walkmesh as wm

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Directions that every point is walked from; what stands between two of them at 0.3 m and has a
# right angle reaches in by 1.3 cm at most, which is less than the band of doubt. Things that are
# thinner, and so missed by all of them, get directions of their own.
DIRECTIONS = 72
FINE_BINS = 360
# Directions, within half a turn, and steps in each, in which the width of a slit is measured.
NARROW_DIRECTIONS = 18
NARROW_STEPS = 30
# One step of a walk. [Unit: m]
STEP = 0.01
# Gaps without any face that can be stepped over. [Unit: m]
SLIT = 0.03
# How far beyond the radius the ground may begin again behind what is stepped over. [Unit: m]
BEYOND = 0.5
# How wide a thing may be that a walk ends on, such as a kerb that the walk goes along. [Unit: m]
ACROSS = 0.3
# Within how much of standable ground, on both sides, a navmesh may bridge a slit. [Unit: m]
BRIDGE = 0.05
# Layers of ground closer than this are one, and the upper one counts. [Unit: m]
LAYER = 0.01
# Slack of everything that is compared with the agent's height and step. [Unit: m]
SLACK = 1e-3
# Slack of a rise or a drop, for scenes in single precision. [Unit: m]
STEP_SLACK = 1e-4
# How far outside a triangle a place in the plan may lie and still be on it. [Unit: m]
PLAN_SLACK = 1e-6
# How far around a sample the ground must be without steps for its height to be compared, and the
# rise over one step of a walk, on top of the steepest slope, that is a step. [Unit: m]
LEVEL_REACH = 0.6
LEVEL_RISE = 0.01
# Triangles whose normals have a smaller vertical part are upright: nothing lies under them.
UPRIGHT = 1e-3

# What a triangle is.
GROUND_FACE, OTHER_FACE, UPRIGHT_FACE = 0, 1, 2
# What there is at one place of a walk.
GROUND, LOW, VOID, BLOCKED = 0, 1, 2, 3
# How a walk ends. It is undecided when what is stepped over goes on at the end of the drawing.
ENDED, REACHED, UNDECIDED = 0, 1, 2
# What a point is.
NO_GROUND, NOT_FREE, FREE, IN_DOUBT = 0, 1, 2, 3


class Judgement(NamedTuple):
    """How a navmesh compares with the free points of a scene.

    A share of no samples is NaN.

    Attributes
    ----------
    recall : float
        Share of the free points that the navmesh covers, 0 to 1.
    precision : float
        Share of the navmesh's points that are free, 0 to 1.
    height_median, height_95 : float
        Distance in height between navmesh and ground away from steps: median and 95th percentile.
        [Unit: m]
    free_samples, navmesh_samples : int
        How many points the recall and the precision rest on.
    missed : (n, 3) float64
        Free points that no polygon covers, world coordinates. [Unit: m]
    wrong : (n, 3) float64
        Points of the navmesh that are not free, world coordinates. [Unit: m]
    """

    recall: float
    precision: float
    height_median: float
    height_95: float
    free_samples: int
    navmesh_samples: int
    missed: NDArray[np.float64]
    wrong: NDArray[np.float64]

    def __str__(self) -> str:
        return (
            f"recall {self.recall:.4f} of {self.free_samples}, "
            f"precision {self.precision:.4f} of {self.navmesh_samples}, "
            f"height error median {self.height_median:.4f} m, 95 % {self.height_95:.4f} m"
        )


class Soup(NamedTuple):
    """Triangles in the plan with a grid over them, as the compiled functions take them.

    Attributes
    ----------
    corners : (t, 3, 3) float64
        (u, v, h), with h up. [Unit: m]
    kinds : (t,) int8
        `GROUND_FACE`, `OTHER_FACE` or `UPRIGHT_FACE`.
    circles : (t, 3) float64
        Centre (u, v) and radius of a circle around each triangle's plan. [Unit: m]
    heights : (t, 2) float64
        Lowest and highest h. [Unit: m]
    grid : (4,) float64
        Corner (u, v) of the grid, size of a cell, number of columns. [Unit: m, m, m, 1]
    starts : (cells + 1,) int64
        Where each cell's triangles start in `members`, row by row.
    members : (n,) int32
    """

    corners: NDArray[np.float64]
    kinds: NDArray[np.int8]
    circles: NDArray[np.float64]
    heights: NDArray[np.float64]
    grid: NDArray[np.float64]
    starts: NDArray[np.int64]
    members: NDArray[np.int32]


class Walker(NamedTuple):
    """An agent as the compiled functions take it: metres, and the tangent of its `max_slope`."""

    height: float
    step: float
    tangent: float


class Scratch(NamedTuple):
    """Room for drawings, each large enough for all triangles.

    Attributes
    ----------
    lines, near_lines : (t, 4) float64
        Each (s, h, s, h) with the smaller s first. [Unit: m]
    kinds, near_kinds : (t,) int8
        Of the triangles that the lines are from.
    hit, near_hit : (t,) bool
        Which of the triangles that were looked at have been cut.
    heights : (t,) float64
        Of the faces over one place. [Unit: m]
    grounds : (t,) bool
        Which of these faces are ground.
    """

    lines: NDArray[np.float64]
    kinds: NDArray[np.int8]
    hit: NDArray[np.bool_]
    near_lines: NDArray[np.float64]
    near_kinds: NDArray[np.int8]
    near_hit: NDArray[np.bool_]
    heights: NDArray[np.float64]
    grounds: NDArray[np.bool_]


@dataclass(frozen=True)
class Plan:
    """A scene's plan: the third axis is up, the origin is amid the scene."""

    axes: NDArray[np.float64]
    origin: NDArray[np.float64]

    @staticmethod
    def of(scene: wm.Scene) -> Plan:
        up = np.asarray(scene.up, dtype=np.float64)
        up = up / np.linalg.norm(up)
        # Any direction will do for u that is not close to up.
        other = np.eye(3)[np.argmin(np.abs(up))]
        u = np.cross(other, up)
        u /= np.linalg.norm(u)
        used = scene.vertices[scene.faces.ravel()]
        return Plan(np.array([u, np.cross(up, u), up]), (used.min(axis=0) + used.max(axis=0)) / 2)

    def inward(self, points: ArrayLike) -> NDArray[np.float64]:
        return np.ascontiguousarray((np.asarray(points) - self.origin) @ self.axes.T)

    def outward(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return points @ self.axes + self.origin


@njit(nogil=True, cache=True)
def _apart(corners, t, u, v, size):
    """Return whether a triangle's plan and the square cell at (u, v) lie apart along an edge."""
    for i in range(3):
        j = (i + 1) % 3
        nu = corners[t, j, 1] - corners[t, i, 1]
        nv = corners[t, i, 0] - corners[t, j, 0]
        low = math.inf
        high = -math.inf
        for k in range(3):
            along = nu * (corners[t, k, 0] - u) + nv * (corners[t, k, 1] - v)
            low = min(low, along)
            high = max(high, along)
        # Generously, as being in too many cells does no harm.
        if low > (max(nu, 0.0) + max(nv, 0.0)) * size * (1 + 1e-9) + 1e-12:
            return True
        if high < (min(nu, 0.0) + min(nv, 0.0)) * size * (1 + 1e-9) - 1e-12:
            return True
    return False


@njit(nogil=True, cache=True)
def _fill_grid(corners, grid, rows, starts, members, filling):
    """Count the triangles of every cell into `starts`, or fill them into `members`."""
    columns = int(grid[3])
    size = grid[2]
    for t in range(len(corners)):
        low_u = min(corners[t, 0, 0], corners[t, 1, 0], corners[t, 2, 0]) - PLAN_SLACK
        low_v = min(corners[t, 0, 1], corners[t, 1, 1], corners[t, 2, 1]) - PLAN_SLACK
        high_u = max(corners[t, 0, 0], corners[t, 1, 0], corners[t, 2, 0]) + PLAN_SLACK
        high_v = max(corners[t, 0, 1], corners[t, 1, 1], corners[t, 2, 1]) + PLAN_SLACK
        first_i = max(0, int((low_u - grid[0]) / size))
        first_j = max(0, int((low_v - grid[1]) / size))
        last_i = min(columns - 1, int((high_u - grid[0]) / size))
        last_j = min(rows - 1, int((high_v - grid[1]) / size))
        wide = last_i > first_i and last_j > first_j
        for j in range(first_j, last_j + 1):
            for i in range(first_i, last_i + 1):
                u = grid[0] + i * size - PLAN_SLACK
                v = grid[1] + j * size - PLAN_SLACK
                if wide and _apart(corners, t, u, v, size + 2 * PLAN_SLACK):
                    continue
                cell = j * columns + i
                if filling:
                    members[starts[cell]] = t
                    starts[cell] += 1
                else:
                    starts[cell + 1] += 1


@njit(nogil=True, cache=True)
def _height_at(corners, t, u, v):
    """Return the height of a triangle's plane at a place of its plan, or NaN outside."""
    a, b, c = corners[t, 0], corners[t, 1], corners[t, 2]
    area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    if area == 0.0:
        return math.nan
    sign = 1.0 if area > 0.0 else -1.0
    weights = 0.0
    total = 0.0
    for i in range(3):
        p, q, r = corners[t, i], corners[t, (i + 1) % 3], corners[t, (i + 2) % 3]
        across = sign * ((q[0] - p[0]) * (v - p[1]) - (q[1] - p[1]) * (u - p[0]))
        if across < -PLAN_SLACK * math.hypot(q[0] - p[0], q[1] - p[1]):
            return math.nan
        total += across * r[2]
        weights += across
    return total / weights


@njit(nogil=True, cache=True)
def _pile(soup, u, v, heights, grounds):
    """Write the heights of all faces over a place, and which are ground; return their number."""
    columns = int(soup.grid[3])
    rows = (len(soup.starts) - 1) // columns
    i = math.floor((u - soup.grid[0]) / soup.grid[2])
    j = math.floor((v - soup.grid[1]) / soup.grid[2])
    if i < 0 or j < 0 or i >= columns or j >= rows:
        return 0
    count = 0
    for k in range(soup.starts[j * columns + i], soup.starts[j * columns + i + 1]):
        t = soup.members[k]
        if soup.kinds[t] != UPRIGHT_FACE:
            h = _height_at(soup.corners, t, u, v)
            if h == h:
                heights[count] = h
                grounds[count] = soup.kinds[t] == GROUND_FACE
                count += 1
    return count


@njit(nogil=True, cache=True)
def _standable(heights, grounds, count, near, within, height):
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


@njit(nogil=True, cache=True)
def _gather(soup, u, v, reach, low, high, found, count, seen, stamp):
    """Write the triangles around a place behind the `count` found before; return their number.

    `seen` holds the stamp of every triangle that is among them already.
    """
    columns = int(soup.grid[3])
    rows = (len(soup.starts) - 1) // columns
    size = soup.grid[2]
    first_i = max(0, math.floor((u - reach - soup.grid[0]) / size))
    first_j = max(0, math.floor((v - reach - soup.grid[1]) / size))
    last_i = min(columns - 1, math.floor((u + reach - soup.grid[0]) / size))
    last_j = min(rows - 1, math.floor((v + reach - soup.grid[1]) / size))
    for j in range(first_j, last_j + 1):
        for i in range(first_i, last_i + 1):
            for k in range(soup.starts[j * columns + i], soup.starts[j * columns + i + 1]):
                t = soup.members[k]
                if seen[t] == stamp or soup.heights[t, 1] < low or soup.heights[t, 0] > high:
                    continue
                away = math.hypot(soup.circles[t, 0] - u, soup.circles[t, 1] - v)
                if away - soup.circles[t, 2] > reach:
                    continue
                seen[t] = stamp
                found[count] = t
                count += 1
    return count


@njit(nogil=True, cache=True)
def _draw(soup, found, count, u, v, du, dv, reach, lines, kinds, hit):
    """Cut triangles by the vertical half plane along (du, dv); return the number of lines.

    A line is (s, h, s, h) with the smaller s first. `hit` marks the triangles that were cut.
    """
    drawn = 0
    cut = np.empty((2, 2))
    for k in range(count):
        t = found[k]
        cu = soup.circles[t, 0] - u
        cv = soup.circles[t, 1] - v
        r = soup.circles[t, 2]
        along = cu * du + cv * dv
        if abs(cu * dv - cv * du) > r or along < -r or along > reach + r:
            continue
        ends = 0
        for i in range(3):
            p = soup.corners[t, i]
            q = soup.corners[t, (i + 1) % 3]
            p_side = (p[0] - u) * dv - (p[1] - v) * du
            q_side = (q[0] - u) * dv - (q[1] - v) * du
            if (p_side < 0.0) == (q_side < 0.0):
                continue
            # From the same end always, so that two triangles which share an edge are cut in the
            # same point to the last bit.
            if q_side < 0.0:
                p, q = q, p
                p_side, q_side = q_side, p_side
            share = p_side / (p_side - q_side)
            p_along = (p[0] - u) * du + (p[1] - v) * dv
            q_along = (q[0] - u) * du + (q[1] - v) * dv
            cut[ends, 0] = p_along + share * (q_along - p_along)
            cut[ends, 1] = p[2] + share * (q[2] - p[2])
            ends += 1
        if ends < 2:
            continue
        first = 0 if cut[0, 0] <= cut[1, 0] else 1
        if cut[1 - first, 0] < 0.0 or cut[first, 0] > reach:
            continue
        lines[drawn, 0] = cut[first, 0]
        lines[drawn, 1] = cut[first, 1]
        lines[drawn, 2] = cut[1 - first, 0]
        lines[drawn, 3] = cut[1 - first, 1]
        kinds[drawn] = soup.kinds[t]
        drawn += 1
        hit[k] = True
    return drawn


@njit(nogil=True, cache=True)
def _crossed(lines, count, start, end, low, high):
    """Return whether a line runs through the rectangle from `start` to `end`, `low` to `high`."""
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
            return True
    return False


@njit(nogil=True, cache=True)
def _look(lines, kinds, count, s, last, walker, heights, grounds):
    """Return what there is at a place of a walk, and the height of the ground if it goes on."""
    piled = 0
    for k in range(count):
        if lines[k, 0] - 1e-9 <= s <= lines[k, 2] + 1e-9 and kinds[k] != UPRIGHT_FACE:
            length = lines[k, 2] - lines[k, 0]
            share = (s - lines[k, 0]) / length if length > 1e-12 else 0.0
            heights[piled] = lines[k, 1] + share * (lines[k, 3] - lines[k, 1])
            grounds[piled] = kinds[k] == GROUND_FACE
            piled += 1
    ground = _standable(heights, grounds, piled, last, walker.step + STEP_SLACK, walker.height)
    if ground == ground:
        return GROUND, ground
    top = -math.inf
    for k in range(piled):
        if heights[k] < last + walker.height - SLACK:
            top = max(top, heights[k])
    if top > last + walker.step + SLACK:
        return BLOCKED, last
    if top >= last - walker.step - STEP_SLACK:
        return LOW, last
    return VOID, last


@njit(nogil=True, cache=True)
def _stride(lines, kinds, count, s, last, walker):
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
    end -= 1e-6
    if end <= s:
        return s, last
    share = (end - lines[base, 0]) / (lines[base, 2] - lines[base, 0])
    return end, lines[base, 1] + share * (lines[base, 3] - lines[base, 1])


@njit(nogil=True, cache=True)
def _narrow(soup, found, count, u, v, last, walker, scratch):
    """Return whether a place without ground has it on opposite sides, no more than `SLIT` apart."""
    for k in range(NARROW_DIRECTIONS):
        apart = 0.0
        for side in range(2):
            angle = (k + side * NARROW_DIRECTIONS) * math.pi / NARROW_DIRECTIONS
            du, dv = math.cos(angle), math.sin(angle)
            drawn = _draw(
                soup, found, count, u, v, du, dv, SLIT, scratch.near_lines, scratch.near_kinds,
                scratch.near_hit,
            )  # fmt: skip
            for i in range(NARROW_STEPS + 1):
                seen, _ = _look(
                    scratch.near_lines, scratch.near_kinds, drawn, i * SLIT / NARROW_STEPS, last,
                    walker, scratch.heights, scratch.grounds,
                )  # fmt: skip
                if seen == GROUND:
                    break
            apart += i * SLIT / NARROW_STEPS
            if seen != GROUND or apart > SLIT + SLACK:
                apart = math.inf
                break
        if apart <= SLIT + SLACK:
            return True
    return False


@njit(nogil=True, cache=True)
def _walk(
    soup, found, count, u, v, du, dv, start, radius, reach, limit, slit, arriving, walker, scratch
):
    """Walk in a straight line.

    Parameters
    ----------
    soup, found, count
        The triangles to look at, complete up to `reach` around the start.
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
        How far it went. [Unit: m]
    """
    lines, kinds = scratch.lines, scratch.kinds
    heights, grounds = scratch.heights, scratch.grounds
    drawn = _draw(soup, found, count, u, v, du, dv, reach, lines, kinds, scratch.hit)
    s = 0.0
    last = start
    lowest = start
    highest = start
    here = GROUND
    void_start = 0.0
    stepped = False
    if arriving:
        here, last = _look(lines, kinds, drawn, s, start, walker, heights, grounds)
        if here == BLOCKED:
            return ENDED, stepped, lowest, highest, last, s
    while True:
        if here == GROUND and s < radius and not arriving:
            s, last = _stride(lines, kinds, drawn, s, last, walker)
            lowest = min(lowest, last)
            highest = max(highest, last)
        if here == GROUND and (arriving or s >= radius - 1e-12):
            return REACHED, stepped, lowest, highest, last, s
        if s >= reach - 1e-12:
            outcome = UNDECIDED if reach < limit - 1e-12 else ENDED
            return outcome, stepped, lowest, highest, last, s
        end = min(s + STEP, reach)
        if s < radius - 1e-12 and end > radius:
            end = radius
        there, ground = _look(lines, kinds, drawn, end, last, walker, heights, grounds)
        if there != here:
            # Find where it changes. The ground may rise on the way there, and whether it goes on
            # beyond is to be asked from its very end.
            before = s
            while end - before > 1e-5:
                middle = (before + end) / 2
                between, h = _look(lines, kinds, drawn, middle, last, walker, heights, grounds)
                if between == here:
                    before = middle
                    if here == GROUND:
                        if abs(h - last) > LEVEL_RISE + STEP * walker.tangent:
                            stepped = True
                        last = h
                else:
                    end = middle
            end = max(end, min(s + 1e-4, reach))
            there, ground = _look(lines, kinds, drawn, end, last, walker, heights, grounds)
        # Between two heights of the ground only what is in the way of both: what is in the way of
        # the later one alone is met in the next step, unless it is the riser itself.
        low = max(last, ground) + walker.step + SLACK
        high = min(last, ground) + walker.height - SLACK
        if there == BLOCKED or _crossed(lines, drawn, s, end, low, high):
            return ENDED, stepped, lowest, highest, last, s
        if here == VOID and end - void_start > slit + STEP_SLACK:
            # A slit that is crossed at an angle makes a long way, but is none the wider.
            middle = (s + end) / 2
            if arriving or not _narrow(
                soup, found, count, u + middle * du, v + middle * dv, last, walker, scratch
            ):
                return ENDED, stepped, lowest, highest, last, s
        if there == VOID and here != VOID:
            void_start = end
        if there == GROUND:
            rise = abs(ground - last)
            if here == GROUND:
                stepped = stepped or rise > LEVEL_RISE + STEP * walker.tangent
            else:
                stepped = stepped or rise > 2 * LEVEL_RISE
            last = ground
            lowest = min(lowest, ground)
            highest = max(highest, ground)
        s = end
        here = there


@njit(nogil=True, cache=True)
def _between(soup, u, v, h, slit, found, seen, stamp, walker, scratch):
    """Return whether a place off the ground has ground on opposite sides, at most `ACROSS` apart.

    Both sides must be within a step of each other, and nothing but low things and gaps up to `slit`
    may lie in between.
    """
    spread = 2 * walker.step + BEYOND * max(1.0, walker.tangent)
    low, high = h - spread, h + spread + walker.height
    count = _gather(soup, u, v, BEYOND, low, high, found, 0, seen, stamp)
    for k in range(DIRECTIONS // 2):
        angle = k * 2 * math.pi / DIRECTIONS
        du, dv = math.cos(angle), math.sin(angle)
        apart = 0.0
        low_side, high_side = math.inf, -math.inf
        for sign in (1.0, -1.0):
            outcome, _, _, _, last, way = _walk(
                soup, found, count, u, v, sign * du, sign * dv, h, ACROSS, ACROSS, ACROSS, slit,
                True, walker, scratch,
            )  # fmt: skip
            apart += way if outcome == REACHED else math.inf
            low_side, high_side = min(low_side, last), max(high_side, last)
            if apart > ACROSS:
                break
        if apart <= ACROSS and high_side - low_side <= walker.step + STEP_SLACK:
            return True
    return False


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def _judge(soup, points, phases, radius, walker, within, of_navmesh, states, grounds_out, level):
    """Decide what points are.

    Parameters
    ----------
    soup : Soup
        The scene.
    points : (n, 3) float64
        In the plan. [Unit: m]
    phases : (n,) float64
        By how much each point's directions are turned. [Unit: radians]
    radius : float
        How far to walk. [Unit: m]
    walker : Walker
    within : float
        How far above or below a point its ground is looked for. [Unit: m]
    of_navmesh : bool
        Whether to ask, of a point that has no ground, if it lies in what can be stepped over, and
        of a free one, if there are steps around it.
    states : (n,) int8, out
        `NO_GROUND`, `NOT_FREE`, `FREE` or, in what can be stepped over, `IN_DOUBT`.
    grounds_out : (n,) float64, out
        Height of the ground. [Unit: m]
    level : (n,) bool, out
        Whether there are no steps around.
    """
    size = len(soup.corners)
    scratch = Scratch(
        np.empty((size, 4)),
        np.empty(size, dtype=np.int8),
        np.empty(size, dtype=np.bool_),
        np.empty((size, 4)),
        np.empty(size, dtype=np.int8),
        np.empty(size, dtype=np.bool_),
        np.empty(size),
        np.empty(size, dtype=np.bool_),
    )
    kept_hit = np.empty(size, dtype=np.bool_)
    found = np.empty(size, dtype=np.int32)
    others = np.empty(size, dtype=np.int32)
    seen = np.full(size, -1, dtype=np.int64)
    others_seen = np.full(size, -1, dtype=np.int64)
    asked = 0
    aimed = np.empty(FINE_BINS)
    turn = 2 * math.pi / DIRECTIONS
    reach = radius + BEYOND
    for n in range(len(points)):
        u, v, h = points[n, 0], points[n, 1], points[n, 2]
        level[n] = False
        grounds_out[n] = math.nan
        piled = _pile(soup, u, v, scratch.heights, scratch.grounds)
        ground = _standable(scratch.heights, scratch.grounds, piled, h, within, walker.height)
        if ground != ground:
            states[n] = NO_GROUND
            asked += 1
            if of_navmesh and _between(
                soup, u, v, h, BRIDGE, others, others_seen, asked, walker, scratch
            ):
                states[n] = IN_DOUBT
            continue
        grounds_out[n] = ground
        states[n] = FREE
        lowest = ground
        highest = ground
        spread = 2 * walker.step + reach * max(1.0, walker.tangent)
        low, high = ground - spread, ground + spread + walker.height
        count = _gather(soup, u, v, radius, low, high, found, 0, seen, 2 * n)
        far_count = -1
        for k in range(count):
            scratch.hit[k] = False
        # First all directions, then those of what they missed.
        for k in range(DIRECTIONS + FINE_BINS):
            if k == DIRECTIONS:
                band_low = lowest + walker.step + SLACK
                band_high = highest + walker.height - SLACK
                _aim(soup, found, count, scratch.hit, u, v, radius, band_low, band_high, aimed)
            angle = phases[n] + k * turn if k < DIRECTIONS else aimed[k - DIRECTIONS]
            if angle != angle:
                continue
            du, dv = math.cos(angle), math.sin(angle)
            outcome, _, low_ground, high_ground, last, _ = _walk(
                soup, found, count, u, v, du, dv, ground, radius, radius, reach, SLIT, False,
                walker, scratch,
            )  # fmt: skip
            if outcome == UNDECIDED:
                # What is being stepped over goes on at the radius: ground must follow straight
                # on, or lie on both sides if the way runs along it.
                if far_count < 0:
                    far_count = _gather(soup, u, v, reach, low, high, found, count, seen, 2 * n)
                    for i in range(count, far_count):
                        scratch.hit[i] = False
                outcome, _, _, _, _, _ = _walk(
                    soup, found, far_count, u, v, du, dv, ground, radius, reach, reach, SLIT,
                    False, walker, scratch,
                )  # fmt: skip
                if outcome != REACHED:
                    asked += 1
                    for i in range(far_count):
                        kept_hit[i] = scratch.hit[i]
                    if _between(
                        soup, u + radius * du, v + radius * dv, last, SLIT, others, others_seen,
                        asked, walker, scratch,
                    ):  # fmt: skip
                        outcome = REACHED
                    for i in range(far_count):
                        scratch.hit[i] = kept_hit[i]
            lowest = min(lowest, low_ground)
            highest = max(highest, high_ground)
            if outcome != REACHED:
                states[n] = NOT_FREE
                break
        if of_navmesh and states[n] == FREE:
            count = _gather(soup, u, v, LEVEL_REACH, low, high, found, 0, seen, 2 * n + 1)
            level[n] = True
            for k in range(0, DIRECTIONS, DIRECTIONS // 8):
                du, dv = math.cos(phases[n] + k * turn), math.sin(phases[n] + k * turn)
                _, stepped, _, _, _, _ = _walk(
                    soup, found, count, u, v, du, dv, ground, LEVEL_REACH, LEVEL_REACH,
                    LEVEL_REACH, SLIT, False, walker, scratch,
                )  # fmt: skip
                if stepped:
                    level[n] = False
                    break


@njit(nogil=True, cache=True)
def _cover(soup, points, within, covered):
    """Mark the points that a triangle covers no further than `within` above or below."""
    heights = np.empty(len(soup.corners))
    grounds = np.empty(len(soup.corners), dtype=np.bool_)
    for n in range(len(points)):
        covered[n] = False
        for k in range(_pile(soup, points[n, 0], points[n, 1], heights, grounds)):
            if abs(heights[k] - points[n, 2]) <= within:
                covered[n] = True


def _soup(corners: NDArray[np.float64], max_slope: float) -> Soup:
    """Return (t, 3, 3) triangles of the plan with a grid over them."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    cosines = normals[:, 2] / np.where(lengths > 0.0, lengths, 1.0)
    kinds = np.full(len(corners), OTHER_FACE, dtype=np.int8)
    kinds[cosines >= math.cos(math.radians(max_slope)) - 1e-9] = GROUND_FACE
    kinds[np.abs(cosines) < UPRIGHT] = UPRIGHT_FACE
    low, high = corners.min(axis=1), corners.max(axis=1)
    centres = (low[:, :2] + high[:, :2]) / 2
    radii = np.linalg.norm(high[:, :2] - low[:, :2], axis=1) / 2 + PLAN_SLACK
    corner = low.min(axis=0)[:2] - 1e-3 if len(corners) else np.zeros(2)
    extent = high.max(axis=0)[:2] + 1e-3 - corner if len(corners) else np.ones(2)
    cells = min(max(65536, 8 * len(corners)), 4_000_000)
    size = max(0.3, math.sqrt(extent[0] * extent[1] / cells), extent.max() / cells)
    columns, rows = (math.ceil(e / size) for e in extent)
    grid = np.array([*corner, size, columns])
    starts = np.zeros(columns * rows + 1, dtype=np.int64)
    _fill_grid(corners, grid, rows, starts, np.empty(0, dtype=np.int32), False)
    starts = np.cumsum(starts)
    members = np.empty(starts[-1], dtype=np.int32)
    _fill_grid(corners, grid, rows, starts[:-1].copy(), members, True)
    circles = np.column_stack([centres, radii])
    heights = np.column_stack([low[:, 2], high[:, 2]])
    return Soup(corners, kinds, circles, heights, grid, starts, members)


def _sample(
    corners: NDArray[np.float64], count: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return (count, 3) points drawn from (t, 3, 3) triangles uniformly by area."""
    sides = corners[:, 1:] - corners[:, :1]
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    if areas.sum() <= 0.0:
        return np.empty((0, 3))
    chosen = generator.choice(len(corners), size=count, p=areas / areas.sum())
    weights = generator.random((count, 2))
    outside = weights.sum(axis=1) > 1.0
    weights[outside] = 1.0 - weights[outside]
    return corners[chosen, 0] + np.einsum("nk,nkx->nx", weights, sides[chosen])


@dataclass(frozen=True)
class Truth:
    """A scene and an agent: what is free in it.

    Parameters
    ----------
    scene : walkmesh.Scene
    agent : walkmesh.Agent
    """

    scene: wm.Scene
    agent: wm.Agent

    @cached_property
    def plan(self) -> Plan:
        return Plan.of(self.scene)

    @cached_property
    def soup(self) -> Soup:
        corners = self.plan.inward(self.scene.vertices[self.scene.faces])
        return _soup(corners, self.agent.max_slope)

    def free(
        self,
        points: ArrayLike,
        *,
        radius: float | None = None,
        within: float = LAYER,
        seed: int = 0,
    ) -> NDArray[np.bool_]:
        """Return which (n, 3) world points are free.

        Parameters
        ----------
        points : (n, 3) array_like of float
            World coordinates. [Unit: m]
        radius : float, optional
            How far to walk; by default the agent's radius. [Unit: m]
        within : float, default 0.01
            How far above or below a point its ground is looked for. [Unit: m]
        seed : int, default 0
            Of the directions.
        """
        radius = self.agent.radius if radius is None else radius
        generator = np.random.default_rng(seed)
        states, _, _ = self._judge(self.plan.inward(points), radius, within, False, generator)
        return states == FREE

    def judge(
        self, navmesh: wm.NavMesh, *, samples: int = 20000, seed: int = 0, band: float = 0.02
    ) -> Judgement:
        """Return how a navmesh compares with the free points; see :func:`judge`."""
        generator = np.random.default_rng(seed)
        ground = self.soup.corners[self.soup.kinds == GROUND_FACE]
        corners = self.plan.inward(navmesh.vertices[navmesh.triangles])
        mesh = _soup(corners, 90.0)
        step = self.agent.max_step

        batches, found = [np.empty((0, 3))], 0
        for _ in range(4):
            points = _sample(ground, samples, generator)
            radius = self.agent.radius + band
            states, heights, _ = self._judge(points, radius, LAYER, False, generator)
            points[:, 2] = heights
            batches.append(points[states == FREE])
            found += len(batches[-1])
            if found >= samples:
                break
        free = np.concatenate(batches)[:samples]
        covered = np.empty(len(free), dtype=bool)
        _cover(mesh, free, step + STEP_SLACK, covered)

        points = _sample(corners, samples, generator)
        radius = max(0.0, self.agent.radius - band)
        states, heights, level = self._judge(points, radius, step + BRIDGE, True, generator)
        counted = states != IN_DOUBT
        right = states == FREE
        errors = np.abs(points[:, 2] - heights)[right & level]
        return Judgement(
            recall=_share(covered.sum(), len(free)),
            precision=_share(right.sum(), counted.sum()),
            height_median=float(np.median(errors)) if len(errors) else math.nan,
            height_95=float(np.percentile(errors, 95)) if len(errors) else math.nan,
            free_samples=len(free),
            navmesh_samples=int(counted.sum()),
            missed=self.plan.outward(free[~covered]),
            wrong=self.plan.outward(points[counted & ~right]),
        )

    def _judge(
        self,
        points: NDArray[np.float64],
        radius: float,
        within: float,
        of_navmesh: bool,
        generator: np.random.Generator,
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_]]:
        """Run the compiled function of the same name over all cores; see there."""
        phases = generator.random(len(points)) * 2 * math.pi / DIRECTIONS
        states = np.empty(len(points), dtype=np.int8)
        heights = np.empty(len(points))
        level = np.empty(len(points), dtype=bool)
        tangent = math.tan(math.radians(self.agent.max_slope))
        walker = Walker(float(self.agent.height), float(self.agent.max_step), tangent)

        def run(part: slice) -> None:
            _judge(
                self.soup, points[part], phases[part], float(radius), walker, float(within),
                of_navmesh, states[part], heights[part], level[part],
            )  # fmt: skip

        # Small parts, as the costs of points differ much; compiled functions run side by side.
        parts = [slice(i, i + 500) for i in range(0, len(points), 500)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(run, parts):
                pass
        return states, heights, level


def _share(part: int, whole: int) -> float:
    return float(part / whole) if whole else math.nan


def judge(
    scene: wm.Scene,
    navmesh: wm.NavMesh,
    *,
    samples: int = 20000,
    seed: int = 0,
    band: float = 0.02,
) -> Judgement:
    """Compare a navmesh with the points of its scene that are free for its agent.

    Recall: points drawn uniformly by area from the faces that can be stood on, of which those
    count that are free with a radius larger by `band`. Each is covered if a triangle of the
    navmesh lies over or under it by at most `max_step`.

    Precision: points drawn uniformly by area from the navmesh. Each must have standable ground
    within `max_step` and 5 cm, and that must be free with a radius smaller by `band`. What lies
    in a slit or on a low thing, with standable ground on two opposite sides, does not count.

    Parameters
    ----------
    scene : walkmesh.Scene
    navmesh : walkmesh.NavMesh
        With the agent it was built for, in the coordinates of the scene.
    samples : int, default 20000
        How many points to draw for each share; for the recall up to four times as many are tried.
    seed : int, default 0
        The same seed gives the same points.
    band : float, default 0.02
        Half the width of the strip along boundaries where the navmesh may or may not be. [Unit: m]

    Returns
    -------
    Judgement
    """
    return Truth(scene, navmesh.agent).judge(navmesh, samples=samples, seed=seed, band=band)


def main(arguments: list[str] | None = None) -> None:
    """Print the figures of a navmesh on one line."""
    parser = argparse.ArgumentParser(description="Compare a navmesh with the ground truth.")
    parser.add_argument("scene", type=Path)
    parser.add_argument("navmesh", type=Path)
    parser.add_argument("--up", choices=["x", "y", "z"], default="y")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--band", type=float, default=0.02, help="metres")
    parser.add_argument("--dump", type=Path, help="write the missed and the wrong points here")
    given = parser.parse_args(arguments)
    scene = wm.load_scene(given.scene, up=given.up, scale=given.scale)
    navmesh = wm.load_navmesh(given.navmesh)
    result = judge(scene, navmesh, samples=given.samples, seed=given.seed, band=given.band)
    print(result)
    if given.dump:
        lines = [
            f"{kind} {x:.4f} {y:.4f} {z:.4f}"
            for kind, points in (("missed", result.missed), ("wrong", result.wrong))
            for x, y, z in points
        ]
        given.dump.write_text("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
