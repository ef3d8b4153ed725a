"""A scene as seen along one direction: a line for every triangle that the way meets.

See :mod:`walkmesh.evaluation.kernels.walk` for what such a drawing is for.
"""

import math
from collections import namedtuple

import numpy as np

from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.soup import GROUND_FACE, UPRIGHT_FACE
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# What there is at one place of a walk.
GROUND, LOW, VOID, BLOCKED = 0, 1, 2, 3

# The agent: its height and step in metres, the tangent of its steepest slope, and the widest slit
# that it steps over, in metres.
Walker = namedtuple("Walker", "height step tangent slit")
WALKER = kt.packed(kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.FLOAT)

# A place (u, v, h) in metres, and a direction in plan, of length 1.
Ray = namedtuple("Ray", "u v h du dv")

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
                if above > tol.LAYER and above < height - tol.SLACK:
                    clear = False
                    break
            if clear:
                best = heights[i]
                distance = abs(heights[i] - near)
    upper = best
    for i in range(count):
        if grounds[i] and heights[i] > upper and heights[i] <= best + tol.LAYER:
            upper = heights[i]
    return upper


@kernel
def draw(soup, found, count, ray, reach, lines, kinds, hit):
    """Cut triangles by the vertical half plane along a ray; return the number of lines.

    A line is (s, h, s, h) with the smaller s first. Triangles that are cut are marked in `hit`.
    """
    drawn = 0
    corners = soup.corners
    u, v, du, dv = ray.u, ray.v, ray.du, ray.dv
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
        if t - s > tol.LINE_ROUNDING:
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
        if lines[k, 0] - tol.ON_LINE <= s <= lines[k, 2] + tol.ON_LINE and kinds[k] != UPRIGHT_FACE:
            length = lines[k, 2] - lines[k, 0]
            share = (s - lines[k, 0]) / length if length > tol.LINE_ROUNDING else 0.0
            heights[piled] = lines[k, 1] + share * (lines[k, 3] - lines[k, 1])
            grounds[piled] = kinds[k] == GROUND_FACE
            piled += 1
    ground = standable(
        heights, grounds, piled, last, walker.step + tol.STEP_ROUNDING, walker.height
    )
    if ground == ground:
        return GROUND, ground
    top = -math.inf
    for k in range(piled):
        if heights[k] < last + walker.height - tol.SLACK:
            top = max(top, heights[k])
    if top > last + walker.step + tol.SLACK:
        return BLOCKED, last
    # On top of a low thing the agent needs its whole height again.
    for k in range(piled):
        if top + tol.LAYER < heights[k] < top + walker.height - tol.SLACK:
            return BLOCKED, last
    if top >= last - walker.step - tol.STEP_ROUNDING:
        return LOW, last
    return VOID, last
