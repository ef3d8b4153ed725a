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

from walkmesh.builder.exact.kernels import low_ways
from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.kernels.clearance import finish_region, write_side
from walkmesh.builder.kernels.packs import OUT_REGIONS
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# A sector spans no more than so many directions, so that it is convex.
_MOST_WAYS = 12
# A polygon of more corners is not taken as a whole.
MOST_TOGETHER = 8


# Parts of polygons, convex and small enough for their middles to stand for all of them: where the
# corners of each start (p + 1,), corners (c, 3) [m], and the polygon that each is from, in order.
_PARTS = kt.packed(kt.INTS, kt.POINTS, kt.INTS)


@kernel(low_ways.GROUND_AND_LOW, _PARTS, kt.INT, kt.INT, low_ways.LIMITS, kt.OUT_LONGS, rare=True)
def find_barred(ground, parts, start, stop, limits, barred):
    """Find the directions in which walks end at the middles of parts of low polygons.

    Parameters
    ----------
    ground, limits : GROUND_AND_LOW and LIMITS
        No slit is crossed.
    parts : _PARTS
    start, stop : int
        Which parts to look at.
    barred : (p,) int64, output
        The directions, from the gradient of the polygon on; see
        :func:`walkmesh.builder.exact.kernels.low_ways.find_barred_ways`.
    """
    reach = np.empty(5, np.float64)
    halves = np.empty((2 * low_ways.WAYS, 5), np.float64)
    tree, within = low_ways.no_tree(), (limits[0], limits[1], 0.0)
    offsets, corners, sources = parts
    for part in range(start, stop):
        u, v, h = low_ways.middle_of(corners, offsets[part], offsets[part + 1])
        barred[part] = 0
        if not low_ways.is_passable(ground, tree, within, sources[part], u, v, h, reach):
            barred[part] = low_ways.find_barred_ways(
                ground, tree, within, sources[part], u, v, h, reach, halves
            )


@kernel(low_ways.GROUND_AND_LOW, _PARTS, kt.LONGS, kt.FLOAT, OUT_REGIONS, rare=True)
def make_sectors(ground, parts, barred, radius, output):
    """Write down the sectors from where walks end at low polygons.

    Parameters
    ----------
    ground, parts, barred : tuples and array
        See :func:`find_barred`.
    radius : float
        How far walks go. [Unit: m]
    output : OUT_REGIONS, output
    """
    offsets, corners, _, _, planes, _ = ground
    part_offsets, part_corners, sources = parts
    places = np.empty((MOST_TOGETHER, 3), np.float64)
    ring = np.empty((MOST_TOGETHER * (_MOST_WAYS + 2), 2), np.float64)
    hull = np.empty((2 * len(ring) + 2, 2), np.float64)
    output[4][0], output[4][1] = 0, 0
    output[1][0] = 0
    part = 0
    while part < len(sources):
        source = sources[part]
        stop = part
        while stop < len(sources) and sources[stop] == source:
            stop += 1
        alike = offsets[source + 1] - offsets[source] <= MOST_TOGETHER
        for other in range(part + 1, stop):
            alike = alike and barred[other] == barred[part]
        along_u, along_v, _ = low_ways.along_gradient(planes, source)
        base = np.arctan2(along_v, along_u)
        if alike:
            size = 0
            for i in range(offsets[source], offsets[source + 1]):
                for k in range(3):
                    places[size, k] = corners[i, k]
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
    while first < 2 * low_ways.WAYS and not (
        barred >> first & 1 and not barred >> (first - 1) % (2 * low_ways.WAYS) & 1
    ):
        first += 1
    way = first % (2 * low_ways.WAYS)
    done = 0
    while done < 2 * low_ways.WAYS:
        if not barred >> way & 1:
            way, done = (way + 1) % (2 * low_ways.WAYS), done + 1
            continue
        run = 0
        while (
            run < _MOST_WAYS
            and done + run < 2 * low_ways.WAYS
            and barred >> (way + run) % (2 * low_ways.WAYS) & 1
        ):
            run += 1
        # Walks in these directions come from the opposite ones.
        start = base + np.pi * (1.0 + (way - 0.5) / low_ways.WAYS)
        size = 0
        for i in range(count):
            ring[size, 0], ring[size, 1] = places[i, 0], places[i, 1]
            size += 1
            for part in range(run + 1):
                angle = start + np.pi * part / low_ways.WAYS
                ring[size, 0] = places[i, 0] + radius * np.cos(angle)
                ring[size, 1] = places[i, 1] + radius * np.sin(angle)
                size += 1
        _write_hull(ring, size, h, hull, output)
        way, done = (way + run) % (2 * low_ways.WAYS), done + run


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
                <= tol.HULL_TURN
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
