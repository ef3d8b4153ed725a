r"""Sectors: from where one cannot come to low faces that can be walked over in other directions.

The flank of a boulder can be passed beside the boulder, but not by who walks towards it. So around
each place of it lie sectors, as wide as the agent's radius, of the directions that a walk which
ends there comes from::

         . - .
        /  flank of what is higher than a step
       |    x---------.
        \\    \\       /   sector: from anywhere in it the walk to x goes up too high
         ' - \\_____.'
"""

import numpy as np

from walkmesh.kernels.clearance import finish_region, write_side
from walkmesh.kernels.kernel import (
    BYTES,
    CUBES,
    FLOAT,
    FLOATS,
    INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    borrowing,
    kernel,
)
from walkmesh.kernels.low_ways import (
    WAYS,
    along_gradient,
    find_barred_ways,
    is_passable,
    make_tree,
)

# A sector spans no more than so many directions, so that it is convex.
_MOST_WAYS = 12
# A polygon of more corners is not taken as a whole.
_MOST_TOGETHER = 8


@kernel(
    INTS, INTS, POINTS, FLOATS, INTS, INTS, POINTS, BYTES, CUBES, INTS, FLOAT, FLOAT, FLOAT,
    OUT_POINTS, OUT_LONGS, OUT_POINTS, OUT_POINTS, OUT_LONGS,
)  # fmt: skip
def make_sectors(
    offsets, vertices, points, heights, mates, owners, planes, low, corners, sources, max_step,
    widest, radius, sides, side_offsets, region_planes, region_boxes, filled,
):  # fmt: skip
    """Write down the sectors from where walks end at low polygons.

    Parameters
    ----------
    offsets, vertices, points, heights, mates, owners, planes, low : arrays
        See :func:`walkmesh.kernels.low_faces.find_passable`.
    corners : (t, 3, 3) float64
        Triangles (u, v, h) that low polygons consist of, small enough for their middle to stand
        for all of them. [Unit: m]
    sources : (t,) int32
        The polygon that each of them is from, in order.
    max_step, widest, radius : float
        The highest step, the widest thing that can be stepped over, and how far walks go. [Unit: m]
    sides, side_offsets, region_planes, region_boxes, filled : arrays, output
        See :func:`walkmesh.kernels.clearance.make_regions`.
    """
    reach = np.empty(5, np.float64)
    halves = np.empty((2 * WAYS, 5), np.float64)
    barred = np.empty((len(corners), 2 * WAYS), np.uint8)
    places = np.empty((_MOST_TOGETHER, 3), np.float64)
    ring = np.empty((_MOST_TOGETHER * (_MOST_WAYS + 2), 2), np.float64)
    hull = np.empty((2 * len(ring) + 2, 2), np.float64)
    tree = make_tree(np.empty((0, 6), np.float64), np.empty(0, np.int32))
    output = (sides, side_offsets, region_planes, region_boxes, filled)
    filled[0], filled[1] = 0, 0
    side_offsets[0] = 0
    t = 0
    while t < len(corners):
        stop = t
        while stop < len(corners) and sources[stop] == sources[t]:
            _find_barred(
                offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
                widest, sources[t], corners[stop], reach, halves, barred[stop],
            )  # fmt: skip
            stop += 1
        alike = offsets[sources[t] + 1] - offsets[sources[t]] <= _MOST_TOGETHER
        for other in range(t + 1, stop):
            for way in range(2 * WAYS):
                alike = alike and barred[other, way] == barred[t, way]
        along_u, along_v, _ = along_gradient(planes, sources[t])
        base = np.arctan2(along_v, along_u)
        if alike:
            size = 0
            for i in range(offsets[sources[t]], offsets[sources[t] + 1]):
                places[size, 0], places[size, 1] = points[vertices[i], 0], points[vertices[i], 1]
                places[size, 2] = heights[i]
                size += 1
            _write_sectors(places, size, base, barred[t], radius, ring, hull, output)
        else:
            for other in range(t, stop):
                _write_sectors(corners[other], 3, base, barred[other], radius, ring, hull, output)
        t = stop


@borrowing
def _find_barred(
    offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step, widest,
    polygon, triangle, reach, halves, barred,
):  # fmt: skip
    """Find the directions in which walks end at the middle of a part of a low polygon."""
    u = (triangle[0, 0] + triangle[1, 0] + triangle[2, 0]) / 3.0
    v = (triangle[0, 1] + triangle[1, 1] + triangle[2, 1]) / 3.0
    h = (triangle[0, 2] + triangle[1, 2] + triangle[2, 2]) / 3.0
    for way in range(2 * WAYS):
        barred[way] = 0
    if not is_passable(
        offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
        widest, 0.0, polygon, u, v, h, reach,
    ):  # fmt: skip
        find_barred_ways(
            offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
            widest, 0.0, polygon, u, v, h, reach, halves, barred,
        )  # fmt: skip


@kernel
def _write_sectors(places, count, base, barred, radius, ring, hull, output):
    """Write the regions from where walks in barred directions end at a convex part in plan."""
    h = 0.0
    for i in range(count):
        h += places[i, 2] / count
    # Start where a run of barred directions does, if it does anywhere.
    first = 0
    while first < 2 * WAYS and not (barred[first] and not barred[first - 1]):
        first += 1
    way = first % (2 * WAYS)
    done = 0
    while done < 2 * WAYS:
        if not barred[way]:
            way, done = (way + 1) % (2 * WAYS), done + 1
            continue
        run = 0
        while run < _MOST_WAYS and done + run < 2 * WAYS and barred[(way + run) % (2 * WAYS)]:
            run += 1
        # Walks in these directions come from the opposite ones.
        start = base + np.pi * (1.0 + (way - 0.5) / WAYS)
        size = 0
        for i in range(count):
            ring[size, 0], ring[size, 1] = places[i, 0], places[i, 1]
            size += 1
            for part in range(run + 1):
                angle = start + np.pi * part / WAYS
                ring[size, 0] = places[i, 0] + radius * np.cos(angle)
                ring[size, 1] = places[i, 1] + radius * np.sin(angle)
                size += 1
        _write_hull(ring, size, h, hull, output)
        way, done = (way + run) % (2 * WAYS), done + run


@kernel
def _write_hull(ring, size, h, hull, output):
    """Write the region around places in plan, at height h."""
    for i in range(1, size):  # sorted by u, then v
        u, v = ring[i, 0], ring[i, 1]
        k = i
        while k > 0 and (ring[k - 1, 0] > u or (ring[k - 1, 0] == u and ring[k - 1, 1] > v)):
            ring[k, 0], ring[k, 1] = ring[k - 1, 0], ring[k - 1, 1]
            k -= 1
        ring[k, 0], ring[k, 1] = u, v
    count = 0
    for half in range(2):
        base = count
        for n in range(size):
            i = n if half == 0 else size - 1 - n
            u, v = ring[i, 0], ring[i, 1]
            while (
                count - base >= 2
                and (
                    (hull[count - 1, 0] - hull[count - 2, 0]) * (v - hull[count - 2, 1])
                    - (hull[count - 1, 1] - hull[count - 2, 1]) * (u - hull[count - 2, 0])
                )
                <= 1e-12
            ):
                count -= 1
            hull[count, 0], hull[count, 1] = u, v
            count += 1
        count -= 1  # the last place of each half is the first one of the other
    if count < 3:
        return
    low_u, low_v, high_u, high_v = np.inf, np.inf, -np.inf, -np.inf
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        eu, ev = hull[j, 0] - hull[i, 0], hull[j, 1] - hull[i, 1]
        length = np.sqrt(eu * eu + ev * ev)
        low_u, high_u = min(low_u, hull[i, 0]), max(high_u, hull[i, 0])
        low_v, high_v = min(low_v, hull[i, 1]), max(high_v, hull[i, 1])
        write_side(-ev / length, eu / length, hull[i, 0], hull[i, 1], 0.0, output)
    finish_region(0.0, 0.0, h, low_u, low_v, h, high_u, high_v, h, output)
