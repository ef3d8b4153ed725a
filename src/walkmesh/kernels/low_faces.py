"""Low faces: nothing to stand on, but some can be stepped over."""

import numpy as np

from walkmesh.kernels.adjacency import next_corner
from walkmesh.kernels.kernel import BYTES, FLOAT, FLOATS, INTS, OUT_BYTES, POINTS, kernel
from walkmesh.kernels.march import MOST_CROSSED, leave_polygon

# What find_passable tells of a polygon: it stops whoever walks, can be walked over, or is a low one
# that can and lies below the ground on both sides, such as the side of a board in a slit.
IMPASSABLE, PASSABLE, SUNKEN = 0, 1, 2

# A face less steep than this has no gradient to speak of.
_FLAT = 0.05
# Ways to try over a face without gradient, within half a turn.
_WAYS = 8
# What is higher than a step by less than this is not. [m]
_SLACK = 1e-3


@kernel(INTS, FLOATS, INTS, INTS, BYTES, FLOAT, OUT_BYTES)
def find_near_ground(offsets, heights, mates, owners, low, max_step, near):
    """Tell which polygons are ground, or low ones within a step of ground that they hang on.

    Of cliffs, walls that lean and the like this leaves the foot and the rim, which is all that can
    matter; what is left of them need not be looked at in the stages that follow.

    Parameters
    ----------
    offsets, heights, mates, owners, low : arrays
        See :func:`find_passable`.
    max_step : float
        The highest step. [Unit: m]
    near : (p,) uint8, output
        1 for ground, and for low polygons within a step of it.
    """
    count = len(offsets) - 1
    queue = np.empty(count, np.int32)
    base = np.empty(len(mates), np.float64)  # the height of the ground that each edge was left from
    entries = np.empty(count, np.int32)
    tail = 0
    for polygon in range(count):
        near[polygon] = 0 if low[polygon] else 1
    for polygon in range(count):
        if low[polygon]:
            continue
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0:
                tail = _enter_low(
                    offsets, heights, mates, owners, i, heights[i], max_step, near, base, entries,
                    queue, tail,
                )  # fmt: skip
    head = 0
    while head < tail:
        polygon = queue[head]
        head += 1
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0:
                tail = _enter_low(
                    offsets, heights, mates, owners, i, base[entries[polygon]], max_step, near,
                    base, entries, queue, tail,
                )  # fmt: skip


@kernel
def _enter_low(
    offsets, heights, mates, owners, edge, ground, max_step, near, base, entries, queue, tail
):
    """Mark the low polygon across an edge if any of it is within a step of the ground."""
    entry = mates[edge]
    polygon = owners[entry]
    if near[polygon]:
        return tail
    lowest, highest = np.inf, -np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        lowest, highest = min(lowest, heights[i]), max(highest, heights[i])
    if lowest > ground + max_step + _SLACK or highest < ground - max_step - _SLACK:
        return tail
    near[polygon] = 1
    base[entry] = ground
    entries[polygon] = entry
    queue[tail] = polygon
    return tail + 1


@kernel(INTS, INTS, POINTS, FLOATS, INTS, INTS, POINTS, BYTES, FLOAT, FLOAT, OUT_BYTES)
def find_passable(
    offsets, vertices, points, heights, mates, owners, planes, low, max_step, widest, passable
):
    """Tell which polygons one can walk over.

    Low ones count where standable ground follows both up and down their gradient, and everything
    on the way from one to the other stays within a step: a bevelled kerb does, and a stone that
    lies on the floor; a skirting board does not, since the wall follows it.

    Parameters
    ----------
    offsets, vertices : (p + 1,) and (c,) int32
        Polygons of vertex ids.
    points : (n, 2) float64
        Positions of the vertices in plan. [Unit: m]
    heights : (c,) float64
        The height of each corner. [Unit: m]
    mates : (c,) int32
        The edge across each edge; negative where there is none.
    owners : (c,) int32
        The polygon of each corner.
    planes : (p, 3) float64
        The plane of each polygon.
    low : (p,) uint8
        1 for a low polygon, 0 for one to stand on.
    max_step : float
        The highest step. [Unit: m]
    widest : float
        The widest thing that can be stepped over. [Unit: m]
    passable : (p,) uint8, output
        IMPASSABLE, PASSABLE or SUNKEN.
    """
    # Lowest and highest place on the way, its length, and the lower one of the grounds at its ends.
    reach = np.empty(4, np.float64)
    for polygon in range(len(offsets) - 1):
        passable[polygon] = PASSABLE
        if not low[polygon]:
            continue
        u, v, h = 0.0, 0.0, 0.0
        count = offsets[polygon + 1] - offsets[polygon]
        for i in range(offsets[polygon], offsets[polygon + 1]):
            u += points[vertices[i], 0] / count
            v += points[vertices[i], 1] / count
            h += heights[i] / count
        passable[polygon] = IMPASSABLE
        slope = np.sqrt(planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2)
        # Along the gradient; and every way, if there is next to none.
        ways = 1 if slope > _FLAT else _WAYS
        for way in range(ways):
            if slope > _FLAT:
                du, dv = planes[polygon, 0] / slope, planes[polygon, 1] / slope
            else:
                du, dv = np.cos(way * np.pi / _WAYS), np.sin(way * np.pi / _WAYS)
            reach[0], reach[1], reach[2], reach[3] = h, h, 0.0, np.inf
            if _reaches_ground(
                offsets, vertices, points, heights, mates, owners, low, max_step, widest,
                polygon, u, v, du, dv, reach,
            ) and _reaches_ground(
                offsets, vertices, points, heights, mates, owners, low, max_step, widest,
                polygon, u, v, -du, -dv, reach,
            ):  # fmt: skip
                passable[polygon] = SUNKEN if reach[0] < reach[3] - _SLACK else PASSABLE
                break


@kernel
def _reaches_ground(
    offsets, vertices, points, heights, mates, owners, low, max_step, widest,
    polygon, u, v, du, dv, reach,
):  # fmt: skip
    """Tell whether the way from (u, v) along (du, dv) comes to standable ground within a step."""
    entry = -1
    for _ in range(MOST_CROSSED):
        exit_edge, way = leave_polygon(offsets, vertices, points, polygon, entry, u, v, du, dv)
        if exit_edge < 0:
            return False
        j = next_corner(offsets, polygon, exit_edge)
        p, q = vertices[exit_edge], vertices[j]
        u, v = u + du * way, v + dv * way
        reach[2] += way
        eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
        t = ((u - points[p, 0]) * eu + (v - points[p, 1]) * ev) / (eu * eu + ev * ev)
        t = min(max(t, 0.0), 1.0)
        h = heights[exit_edge] + t * (heights[j] - heights[exit_edge])
        reach[0], reach[1] = min(reach[0], h), max(reach[1], h)
        entry = mates[exit_edge]
        if entry < 0:
            return False
        polygon = owners[entry]
        j = next_corner(offsets, polygon, entry)
        h = heights[j] + t * (heights[entry] - heights[j])
        reach[0], reach[1] = min(reach[0], h), max(reach[1], h)
        if reach[1] - reach[0] > max_step + _SLACK or reach[2] > widest:
            return False
        if not low[polygon]:
            reach[3] = min(reach[3], h)
            return True
    return False
