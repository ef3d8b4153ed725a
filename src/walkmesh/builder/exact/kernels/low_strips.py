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

from walkmesh.builder.exact.kernels import low_ways
from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_to_plane
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.search.box_tree import gather_items

# What becomes of a polygon: all of it goes, all of it stays, or strips of it.
IMPASSABLE, PASSABLE, IN_PARTS = 0, 1, 2

# How wide strips are, unless a polygon has more of them than this. [m]
_WIDTH = 0.1
_MOST = 64
# What is not passable along its gradient is looked at in cells no wider than this. [m]
_CELL = 0.05
# With more edges of the ground than this around a place, ways are tried in all directions.
_MOST_CONTACTS = 64


@kernel(low_ways.GROUND_AND_LOW, kt.TREE, low_ways.LIMITS, kt.OUT_BYTES, kt.OUT_PIECES)
def find_strips(ground, boxes, limits, verdicts, parts):
    """Tell which polygons one can walk over, and cut those where that is so in parts.

    Parameters
    ----------
    ground, boxes, limits : GROUND_AND_LOW, TREE and LIMITS
        The tree is over the polygons.
    verdicts : (p,) uint8, output
        IMPASSABLE, PASSABLE or IN_PARTS.
    parts : OUT_PIECES, output
        The parts that are passable of polygons that are so in parts. There are more than there is
        room for if that was too little.
    """
    offsets, corners, _, _, planes, low = ground
    filled = parts[3]
    reach, halves = np.empty(5, np.float64), np.empty((2 * low_ways.WAYS, 5), np.float64)
    place, contacts = np.empty(3, np.float64), np.empty((_MOST_CONTACTS, 4), np.float64)
    tree = low_ways.make_tree(boxes)
    ring, other = np.empty((2, 4), np.float64), np.empty((2, 4), np.float64)
    filled[0], filled[1] = 0, 0
    parts[0][0] = 0
    seen = np.empty(_MOST, np.uint8)
    for polygon in range(len(offsets) - 1):
        verdicts[polygon] = PASSABLE
        if not low[polygon]:
            continue
        a, b = _across(offsets, corners, planes, polygon)
        first, last = np.inf, -np.inf
        for i in range(offsets[polygon], offsets[polygon + 1]):
            x = a * corners[i, 0] + b * corners[i, 1]
            first, last = min(first, x), max(last, x)
        # Nothing is climbed over a level polygon, so its middle stands for all of it.
        count = 1
        if not _is_level(planes, polygon):
            count = min(max(int(np.ceil((last - first) / _WIDTH)), 1), _MOST)
        width = (last - first) / count
        passed = 0
        for k in range(count):
            _middle(offsets, corners, polygon, a, b, first + (k + 0.5) * width, place)
            seen[k] = low_ways.is_passable(
                ground, tree, limits, polygon, place[0], place[1], place[2], reach
            )
            passed += seen[k]
        if passed == count:
            continue
        # None of four cuts leaves more than two corners for each, however edges are rounded.
        size = 16 * (offsets[polygon + 1] - offsets[polygon])
        if len(ring) < size:
            ring, other = np.empty((2 * size, 4), np.float64), np.empty((2 * size, 4), np.float64)
        written, used, cells = filled[0], filled[1], 0
        start = first
        for k in range(count + 1):
            # Strips that are passable or not, as far as they follow each other, go together.
            if k < count and (k == 0 or seen[k] == seen[k - 1]):
                continue
            stop = last
            if k < count:
                good, bad = (k - 1, k) if seen[k - 1] else (k, k - 1)
                stop = _end_of_passable(
                    ground, tree, limits, polygon, a, b, first + (good + 0.5) * width,
                    first + (bad + 0.5) * width, place, reach,
                )  # fmt: skip
            if seen[k - 1]:
                length = _lay_out(offsets, corners, polygon, ring)
                length = _clip(ring, other, length, a, b, start, stop)
                _write_part(polygon, ring, length, parts)
            elif low[polygon] == low_ways.RUBBLE and not _is_level(planes, polygon):
                scratch = (reach, halves, contacts, ring, other)
                cells += _write_cells(
                    ground, tree, limits, polygon, a, b, start, stop, scratch, parts
                )
            start = stop
        verdicts[polygon] = IMPASSABLE if filled[0] == written else IN_PARTS
        if passed == 0 and cells == 1 and filled[0] == written + 1:
            # All of it; the part is the polygon itself.
            filled[0], filled[1] = written, used
            verdicts[polygon] = PASSABLE


@borrowing
def _write_cells(ground, tree, limits, polygon, a, b, start, stop, scratch, parts):
    """Write the cells of a part of a polygon, from start to stop, that are passable any way.

    Returns how many cells there are.
    """
    offsets, corners, _, _, _, _ = ground
    reach, halves, contacts, ring, other = scratch
    low_y, high_y = np.inf, -np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        y = a * corners[i, 1] - b * corners[i, 0]
        low_y, high_y = min(low_y, y), max(high_y, y)
    # What is this narrow leaves a slit, which closes.
    if min(high_y - low_y, stop - start) < tol.THIN_PART:
        return 0
    length = _lay_out(offsets, corners, polygon, ring)
    length = _clip(ring, other, length, a, b, start, stop)
    edges = _find_contacts(ground, tree, limits, ring, length, contacts)
    columns = min(max(int(np.ceil((stop - start) / _CELL)), 1), _MOST)
    rows = min(max(int(np.ceil((high_y - low_y) / _CELL)), 1), _MOST)
    count = 0
    if edges == 0:
        return columns * rows
    for column in range(columns):
        near = start + (stop - start) * column / columns
        far = start + (stop - start) * (column + 1) / columns
        for row in range(rows):
            length = _lay_out(offsets, corners, polygon, ring)
            length = _clip(ring, other, length, a, b, near, far)
            bottom = low_y + (high_y - low_y) * row / rows
            top = low_y + (high_y - low_y) * (row + 1) / rows
            length = _clip(ring, other, length, -b, a, bottom, top)
            if length < 3:
                continue
            count += 1
            u, v, h = low_ways.middle_of(ring, 0, length)
            if not _may_lie_between(contacts, edges, u, v):
                continue
            if low_ways.is_passable_aside(
                ground, tree, limits, polygon, u, v, h, reach, halves, contacts, edges
            ):
                _write_part(polygon, ring, length, parts)
    return count


@borrowing
def _find_contacts(ground, tree, limits, ring, length, contacts):
    """Write the edges around a part of a polygon at which ways over low faces come to ground.

    Returns their number; more than there is room for if that was too little.
    """
    offsets, corners, mates, owners, _, low = ground
    max_step, widest, _ = limits
    nodes, order, stack, found, box = tree
    for k in range(3):
        box[k], box[k + 3] = np.inf, -np.inf
        for i in range(length):
            box[k], box[k + 3] = min(box[k], ring[i, k]), max(box[k + 3], ring[i, k])
        around = widest if k < 2 else 2.0 * max_step
        box[k], box[k + 3] = box[k] - around, box[k + 3] + around
    count = 0
    for place in range(gather_items(nodes, order, box, stack, found)):
        polygon = found[place]
        if low[polygon]:
            continue
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0 and not low[owners[mates[i]]]:
                continue
            j = next_corner(offsets, polygon, i)
            au, av, bu, bv = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
            if max(au, bu) < box[0] or min(au, bu) > box[3]:
                continue
            if max(av, bv) < box[1] or min(av, bv) > box[4]:
                continue
            if count < len(contacts):
                contacts[count, 0], contacts[count, 1] = au, av
                contacts[count, 2], contacts[count, 3] = bu, bv
            count += 1
    return count


@borrowing
def _may_lie_between(contacts, count, u, v):
    """Tell whether edges lie on more than one side of a place in plan.

    They do not where all are on one side of the line across the mean direction to them, as in front
    of a wall.
    """
    if count > len(contacts):
        return True
    mean_u, mean_v = 0.0, 0.0
    for k in range(2 * count):
        du, dv = contacts[k // 2, 2 * (k % 2)] - u, contacts[k // 2, 2 * (k % 2) + 1] - v
        away = np.sqrt(du * du + dv * dv) + tol.NO_DISTANCE
        mean_u, mean_v = mean_u + du / away, mean_v + dv / away
    for k in range(2 * count):
        du, dv = contacts[k // 2, 2 * (k % 2)] - u, contacts[k // 2, 2 * (k % 2) + 1] - v
        if mean_u * du + mean_v * dv <= 0.0:
            return True
    return False


@borrowing
def _write_part(polygon, ring, length, parts):
    """Write a part of a polygon, unless nothing is left of it."""
    offsets, corners, sources, filled = parts
    if length < 3:
        return
    if filled[0] < len(sources) and filled[1] + length <= len(corners):
        for i in range(length):
            for axis in range(3):
                corners[filled[1] + i, axis] = ring[i, axis]
        sources[filled[0]] = polygon
        offsets[filled[0] + 1] = filled[1] + length
    filled[0] += 1
    filled[1] += length


@kernel
def _is_level(planes, polygon):
    """Tell whether a polygon has no gradient to speak of."""
    return planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2 <= tol.NO_GRADIENT**2


@kernel
def _across(offsets, corners, planes, polygon):
    """Return the direction, of length 1, in which the strips of a polygon follow each other."""
    if not _is_level(planes, polygon):
        slope = np.sqrt(planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2)
        return -planes[polygon, 1] / slope, planes[polygon, 0] / slope
    low_u, low_v, high_u, high_v = np.inf, np.inf, -np.inf, -np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        u, v = corners[i, 0], corners[i, 1]
        low_u, low_v, high_u, high_v = min(low_u, u), min(low_v, v), max(high_u, u), max(high_v, v)
    return (1.0, 0.0) if high_u - low_u >= high_v - low_v else (0.0, 1.0)


@kernel
def _middle(offsets, corners, polygon, a, b, x, place):
    """Write the middle (u, v, h) of the chord of a polygon at x across its strips."""
    low, high = np.inf, -np.inf
    low_h, high_h = 0.0, 0.0
    for i in range(offsets[polygon], offsets[polygon + 1]):
        j = next_corner(offsets, polygon, i)
        here = a * corners[i, 0] + b * corners[i, 1] - x
        there = a * corners[j, 0] + b * corners[j, 1] - x
        if (here < 0.0) == (there < 0.0):
            continue
        t = here / (here - there)
        u = corners[i, 0] + t * (corners[j, 0] - corners[i, 0])
        v = corners[i, 1] + t * (corners[j, 1] - corners[i, 1])
        h = corners[i, 2] + t * (corners[j, 2] - corners[i, 2])
        y = a * v - b * u
        if y < low:
            low, low_h = y, h
        if y > high:
            high, high_h = y, h
    y = 0.5 * (low + high)
    place[0], place[1], place[2] = a * x - b * y, b * x + a * y, 0.5 * (low_h + high_h)


@borrowing
def _end_of_passable(ground, tree, limits, polygon, a, b, good, bad, place, reach):
    """Return where between a passable strip and one that is not the polygon is to be cut."""
    while abs(bad - good) > tol.PART_END:
        middle = 0.5 * (good + bad)
        _middle(ground[0], ground[1], polygon, a, b, middle, place)
        if low_ways.is_passable(ground, tree, limits, polygon, place[0], place[1], place[2], reach):
            good = middle
        else:
            bad = middle
    return good


@kernel
def _lay_out(offsets, corners, polygon, ring):
    """Write the corners of a polygon; return their number."""
    length = 0
    for i in range(offsets[polygon], offsets[polygon + 1]):
        for axis in range(3):
            ring[length, axis] = corners[i, axis]
        length += 1
    return length


@kernel
def _clip(ring, other, length, a, b, start, stop):
    """Clip a ring to where a u + b v is between start and stop; return its number of corners."""
    length = clip_to_plane(ring, length, a, b, 0.0, -start, True, other)
    return clip_to_plane(ring, length, -a, -b, 0.0, stop, True, other)
