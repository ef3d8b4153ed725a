r"""Strips: where along a low polygon one can walk over it, before slits are closed.

How far one has to step up may change along a wall. So a polygon is looked at in strips along its
gradient, and cut where it ceases to be passable::

        seen from the front                       plan, gradient upwards
         _________________________                 _________________________
        |     top of the wall     |               |              |          |
        |                    ___..|               |  impassable  | passable |
        |_________....-----''                  |______________|__________|
          ground that rises
"""

import numpy as np

from walkmesh.kernels.adjacency import next_corner
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    FLOATS,
    INTS,
    OUT_BYTES,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    kernel,
)
from walkmesh.kernels.low_ways import FLAT, is_passable, make_tree

# What becomes of a polygon: all of it goes, all of it stays, or strips of it.
IMPASSABLE, PASSABLE, IN_PARTS = 0, 1, 2

# How wide strips are, unless a polygon has more of them than this. [m]
_WIDTH = 0.1
_MOST = 64
# How close to the place where it ceases to be passable a polygon is cut. [m]
_EXACT = 1e-3


@kernel(
    INTS, INTS, POINTS, FLOATS, INTS, INTS, POINTS, BYTES, POINTS, INTS, FLOAT, FLOAT, FLOAT,
    OUT_BYTES, OUT_INTS, OUT_POINTS, OUT_INTS, OUT_LONGS,
)  # fmt: skip
def find_strips(
    offsets, vertices, points, heights, mates, owners, planes, low, nodes, order, max_step, widest,
    gap, verdicts, out_offsets, corners, sources, filled,
):  # fmt: skip
    """Tell which polygons one can walk over, and cut those where that is so in parts.

    Parameters
    ----------
    offsets, vertices, points, heights, mates, owners, planes, low : arrays
        See :func:`walkmesh.kernels.low_faces.find_passable`.
    nodes, order : arrays
        A tree of boxes around the polygons.
    max_step, widest, gap : float
        The highest step, the widest thing that can be stepped over, and the widest slit that may
        lie between it and the ground on its sides. [Unit: m]
    verdicts : (p,) uint8, output
        IMPASSABLE, PASSABLE or IN_PARTS.
    out_offsets, corners, sources : (s + 1,) int32, (r, 3) float64 and (s,) int32, output
        The parts that are passable of polygons that are so in parts, and their polygons.
    filled : (2,) int64, output
        How many parts and corners there are; more than there is room for if that was too little.
    """
    reach = np.empty(4, np.float64)
    place = np.empty(3, np.float64)
    tree = make_tree(nodes, order)
    ring, other = np.empty((2, 3), np.float64), np.empty((2, 3), np.float64)
    filled[0], filled[1] = 0, 0
    out_offsets[0] = 0
    seen = np.empty(_MOST, np.uint8)
    for polygon in range(len(offsets) - 1):
        verdicts[polygon] = PASSABLE
        if not low[polygon]:
            continue
        a, b = _across(offsets, vertices, points, planes, polygon)
        first, last = np.inf, -np.inf
        for i in range(offsets[polygon], offsets[polygon + 1]):
            x = a * points[vertices[i], 0] + b * points[vertices[i], 1]
            first, last = min(first, x), max(last, x)
        # Nothing is climbed over a level polygon, so its middle stands for all of it.
        count = 1
        if not _is_level(planes, polygon):
            count = min(max(int(np.ceil((last - first) / _WIDTH)), 1), _MOST)
        width = (last - first) / count
        passed = 0
        for k in range(count):
            _middle(
                offsets, vertices, points, heights, polygon, a, b, first + (k + 0.5) * width, place
            )
            seen[k] = is_passable(
                offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
                widest, gap, polygon, place[0], place[1], place[2], reach,
            )  # fmt: skip
            passed += seen[k]
        verdicts[polygon] = IMPASSABLE if passed == 0 else PASSABLE
        if passed == 0 or passed == count:
            continue
        verdicts[polygon] = IN_PARTS
        # Neither of two cuts leaves more than two corners for each, however edges are rounded.
        size = 4 * (offsets[polygon + 1] - offsets[polygon])
        if len(ring) < size:
            ring, other = np.empty((2 * size, 3), np.float64), np.empty((2 * size, 3), np.float64)
        start = first
        for k in range(count):
            if not seen[k]:
                continue
            if k == 0 or not seen[k - 1]:
                start = first
                if k > 0:
                    start = _end_of_passable(
                        offsets, vertices, points, heights, mates, owners, planes, low, tree,
                        max_step, widest, gap, polygon, a, b,
                        first + (k + 0.5) * width, first + (k - 0.5) * width, place, reach,
                    )  # fmt: skip
            if k == count - 1 or not seen[k + 1]:
                stop = last
                if k < count - 1:
                    stop = _end_of_passable(
                        offsets, vertices, points, heights, mates, owners, planes, low, tree,
                        max_step, widest, gap, polygon, a, b,
                        first + (k + 0.5) * width, first + (k + 1.5) * width, place, reach,
                    )  # fmt: skip
                length = _clip(
                    offsets, vertices, points, heights, polygon, a, b, start, stop, ring, other
                )
                if length < 3:
                    continue
                if filled[0] < len(sources) and filled[1] + length <= len(corners):
                    for i in range(length):
                        for axis in range(3):
                            corners[filled[1] + i, axis] = ring[i, axis]
                    sources[filled[0]] = polygon
                    out_offsets[filled[0] + 1] = filled[1] + length
                filled[0] += 1
                filled[1] += length


@kernel
def _is_level(planes, polygon):
    """Tell whether a polygon has no gradient to speak of."""
    return planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2 <= FLAT**2


@kernel
def _across(offsets, vertices, points, planes, polygon):
    """Return the direction, of length 1, in which the strips of a polygon follow each other."""
    if not _is_level(planes, polygon):
        slope = np.sqrt(planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2)
        return -planes[polygon, 1] / slope, planes[polygon, 0] / slope
    low_u, low_v, high_u, high_v = np.inf, np.inf, -np.inf, -np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        u, v = points[vertices[i], 0], points[vertices[i], 1]
        low_u, low_v, high_u, high_v = min(low_u, u), min(low_v, v), max(high_u, u), max(high_v, v)
    return (1.0, 0.0) if high_u - low_u >= high_v - low_v else (0.0, 1.0)


@kernel
def _middle(offsets, vertices, points, heights, polygon, a, b, x, place):
    """Write the middle (u, v, h) of the chord of a polygon at x across its strips."""
    low, high = np.inf, -np.inf
    low_h, high_h = 0.0, 0.0
    for i in range(offsets[polygon], offsets[polygon + 1]):
        j = next_corner(offsets, polygon, i)
        p, q = vertices[i], vertices[j]
        here = a * points[p, 0] + b * points[p, 1] - x
        there = a * points[q, 0] + b * points[q, 1] - x
        if (here < 0.0) == (there < 0.0):
            continue
        t = here / (here - there)
        u = points[p, 0] + t * (points[q, 0] - points[p, 0])
        v = points[p, 1] + t * (points[q, 1] - points[p, 1])
        h = heights[i] + t * (heights[j] - heights[i])
        y = a * v - b * u
        if y < low:
            low, low_h = y, h
        if y > high:
            high, high_h = y, h
    y = 0.5 * (low + high)
    place[0], place[1], place[2] = a * x - b * y, b * x + a * y, 0.5 * (low_h + high_h)


@kernel
def _end_of_passable(
    offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step, widest, gap,
    polygon, a, b, good, bad, place, reach,
):  # fmt: skip
    """Return where between a passable strip and one that is not the polygon is to be cut."""
    while abs(bad - good) > _EXACT:
        middle = 0.5 * (good + bad)
        _middle(offsets, vertices, points, heights, polygon, a, b, middle, place)
        if is_passable(
            offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step, widest,
            gap, polygon, place[0], place[1], place[2], reach,
        ):  # fmt: skip
            good = middle
        else:
            bad = middle
    return good


@kernel
def _clip(offsets, vertices, points, heights, polygon, a, b, start, stop, ring, other):
    """Write the corners of a polygon between two places across its strips; return their number."""
    length = 0
    for i in range(offsets[polygon], offsets[polygon + 1]):
        ring[length, 0], ring[length, 1] = points[vertices[i], 0], points[vertices[i], 1]
        ring[length, 2] = heights[i]
        length += 1
    for turn, limit in ((1.0, start), (-1.0, -stop)):
        kept = 0
        for i in range(length):
            j = i + 1 if i + 1 < length else 0
            here = turn * (a * ring[i, 0] + b * ring[i, 1]) - limit
            there = turn * (a * ring[j, 0] + b * ring[j, 1]) - limit
            if here >= 0.0:
                for axis in range(3):
                    other[kept, axis] = ring[i, axis]
                kept += 1
            if (here < 0.0 < there) or (there < 0.0 < here):
                t = here / (here - there)
                for axis in range(3):
                    other[kept, axis] = ring[i, axis] + t * (ring[j, axis] - ring[i, axis])
                kept += 1
        for i in range(kept):
            for axis in range(3):
                ring[i, axis] = other[i, axis]
        length = kept
    return length
