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

from walkmesh.build.exact.kernels.low_ways import (
    WAYS,
    along_gradient,
    find_barred_ways,
    is_passable,
    make_tree,
)
from walkmesh.build.kernels.clearance import finish_region, write_side
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LONGS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    kernel,
)

# A sector spans no more than so many directions, so that it is convex.
_MOST_WAYS = 12
# A polygon of more corners is not taken as a whole.
MOST_TOGETHER = 8


@kernel(
    INTS, INTS, POINTS, FLOATS, INTS, INTS, POINTS, BYTES, INTS, POINTS, INTS, INT, INT, FLOAT,
    FLOAT, OUT_LONGS,
)  # fmt: skip
def find_barred(
    offsets, vertices, points, heights, mates, owners, planes, low, part_offsets, part_corners,
    sources, start, stop, max_step, widest, barred,
):  # fmt: skip
    """Find the directions in which walks end at the middles of parts of low polygons.

    Parameters
    ----------
    offsets, vertices, points, heights, mates, owners, planes, low : arrays
        See :func:`walkmesh.build.exact.kernels.low_faces.find_passable`.
    part_offsets : (p + 1,) int32
        Where the corners of each part start.
    part_corners : (c, 3) float64
        Corners (u, v, h) of the parts, which are convex and small enough for their middles to
        stand for all of them. [Unit: m]
    sources : (p,) int32
        The polygon that each part is from, in order.
    start, stop : int
        Which parts to look at.
    max_step, widest : float
        The highest step, and the widest thing that can be stepped over. [Unit: m]
    barred : (p,) int64, output
        The directions, from the gradient of the polygon on; see
        :func:`walkmesh.build.exact.kernels.low_ways.find_barred_ways`.
    """
    reach = np.empty(5, np.float64)
    halves = np.empty((2 * WAYS, 5), np.float64)
    tree = make_tree(np.empty((0, 6), np.float64), np.empty(0, np.int32))
    for part in range(start, stop):
        first, last = part_offsets[part], part_offsets[part + 1]
        u, v, h = 0.0, 0.0, 0.0
        for i in range(first, last):
            u += part_corners[i, 0] / (last - first)
            v += part_corners[i, 1] / (last - first)
            h += part_corners[i, 2] / (last - first)
        barred[part] = 0
        if not is_passable(
            offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
            widest, 0.0, sources[part], u, v, h, reach,
        ):  # fmt: skip
            barred[part] = find_barred_ways(
                offsets, vertices, points, heights, mates, owners, planes, low, tree, max_step,
                widest, 0.0, sources[part], u, v, h, reach, halves,
            )  # fmt: skip


@kernel(
    INTS, INTS, POINTS, FLOATS, POINTS, INTS, POINTS, INTS, LONGS, FLOAT,
    OUT_POINTS, OUT_LONGS, OUT_POINTS, OUT_POINTS, OUT_LONGS,
)  # fmt: skip
def make_sectors(
    offsets, vertices, points, heights, planes, part_offsets, part_corners, sources, barred, radius,
    sides, side_offsets, region_planes, region_boxes, filled,
):  # fmt: skip
    """Write down the sectors from where walks end at low polygons.

    Parameters
    ----------
    offsets, vertices, points, heights, planes : arrays
        See :func:`walkmesh.build.exact.kernels.low_faces.find_passable`.
    part_offsets, part_corners, sources, barred : arrays
        See :func:`find_barred`.
    radius : float
        How far walks go. [Unit: m]
    sides, side_offsets, region_planes, region_boxes, filled : arrays, output
        See :func:`walkmesh.build.kernels.clearance.make_regions`.
    """
    places = np.empty((MOST_TOGETHER, 3), np.float64)
    ring = np.empty((MOST_TOGETHER * (_MOST_WAYS + 2), 2), np.float64)
    hull = np.empty((2 * len(ring) + 2, 2), np.float64)
    output = (sides, side_offsets, region_planes, region_boxes, filled)
    filled[0], filled[1] = 0, 0
    side_offsets[0] = 0
    part = 0
    while part < len(sources):
        source = sources[part]
        stop = part
        while stop < len(sources) and sources[stop] == source:
            stop += 1
        alike = offsets[source + 1] - offsets[source] <= MOST_TOGETHER
        for other in range(part + 1, stop):
            alike = alike and barred[other] == barred[part]
        along_u, along_v, _ = along_gradient(planes, source)
        base = np.arctan2(along_v, along_u)
        if alike:
            size = 0
            for i in range(offsets[source], offsets[source + 1]):
                places[size, 0], places[size, 1] = points[vertices[i], 0], points[vertices[i], 1]
                places[size, 2] = heights[i]
                size += 1
            _write_sectors(places, size, base, barred[part], radius, ring, hull, output)
        else:
            for other in range(part, stop):
                size = 0
                for i in range(part_offsets[other], part_offsets[other + 1]):
                    for k in range(3):
                        places[size, k] = part_corners[i, k]
                    size += 1
                _write_sectors(places, size, base, barred[other], radius, ring, hull, output)
        part = stop


@kernel
def _write_sectors(places, count, base, barred, radius, ring, hull, output):
    """Write the regions from where walks in barred directions end at a convex part in plan."""
    h = 0.0
    for i in range(count):
        h += places[i, 2] / count
    # Start where a run of barred directions does, if it does anywhere.
    first = 0
    while first < 2 * WAYS and not (
        barred >> first & 1 and not barred >> (first - 1) % (2 * WAYS) & 1
    ):
        first += 1
    way = first % (2 * WAYS)
    done = 0
    while done < 2 * WAYS:
        if not barred >> way & 1:
            way, done = (way + 1) % (2 * WAYS), done + 1
            continue
        run = 0
        while run < _MOST_WAYS and done + run < 2 * WAYS and barred >> (way + run) % (2 * WAYS) & 1:
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
