"""Room: how far each edge of a boundary may move inwards before its passage gets narrow."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square, to_segment
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.hash_grid import hash_cell
from walkmesh.kernels.search.hashing import table_size

# Boundary edges whose directions have a larger cosine do not face each other across a passage.
_FACING = 0.2
# Cosine of the angle up to which edges run against each other.
_OPPOSITE = 0.9


@kernel(kt.POINTS, kt.INTS, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.OUT_FLOATS)
def measure_room(points, after, most, share, level, room):
    """Find how far each boundary edge may move inwards: a share of the width before it.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    after : (n,) int32
        The vertex that follows each along the boundary, -1 inside.
    most : float
        What is enough: no edge gets more room than this. [Unit: m]
    share : float
        Room in proportion to the distance to the nearest edge across.
    level : float
        Edges further apart in height are on different levels. [Unit: m]
    room : (n,) float64, output
        For the boundary edge that starts at each vertex; `most` where there is none. [Unit: m]
    """
    n = len(points)
    reach = most / share
    before = np.empty(n, np.int32)
    skipped = np.empty(n, np.int32)
    count = 0
    total = 0.0
    for v in range(n):
        room[v] = most
        before[v], skipped[v] = -1, -1
    for v in range(n):
        if after[v] >= 0:
            before[after[v]] = v
            total += np.sqrt(plan_square(points, v, after[v]))
            count += 1
    if count == 0:
        return
    cell = max(reach, total / (count + 1.0))
    size = table_size(count)
    offsets = np.zeros(size + 1, np.int32)
    entries = offsets
    for filling in (False, True):  # first count what goes into each bucket
        if filling:
            for bucket in range(size):
                offsets[bucket + 1] += offsets[bucket]
            entries = np.empty(offsets[size], np.int32)
        for v in range(n):  # filling from behind leaves the offsets at the starts
            if after[v] >= 0:
                _enter(points, v, after[v], cell, size - 1, offsets, entries, filling)
    for v in range(n):
        if after[v] >= 0:
            _skip_near(points, after, before, v, 4.0 * most, skipped)
            nearest = _nearest_across(
                points, after, v, reach, level, cell, size - 1, offsets, entries, skipped
            )
            room[v] = max(min(most, share * nearest), tol.LEAST_ROOM)


@kernel
def _column_span(points, p, q, column, cell, reach):
    """Return the first and last row that an edge, widened by `reach`, has in a column of cells."""
    pu, pv = points[p, 0], points[p, 1]
    eu, ev = points[q, 0] - pu, points[q, 1] - pv
    low, high = 0.0, 1.0
    if eu != 0.0:
        one = (column * cell - reach - pu) / eu
        two = ((column + 1) * cell + reach - pu) / eu
        low, high = max(low, min(one, two)), min(high, max(one, two))
        high = max(low, high)
    one, two = pv + low * ev, pv + high * ev
    return int(np.floor((min(one, two) - reach) / cell)), int(
        np.floor((max(one, two) + reach) / cell)
    )


@kernel
def _column(x, cell):
    return int(np.floor(x / cell))


@kernel
def _enter(points, p, q, cell, mask, offsets, entries, filling):
    """Count an edge in the buckets of its cells, or enter it there."""
    first = _column(min(points[p, 0], points[q, 0]), cell)
    last = _column(max(points[p, 0], points[q, 0]), cell)
    for column in range(first, last + 1):
        low, high = _column_span(points, p, q, column, cell, 0.0)
        for row in range(low, high + 1):
            bucket = hash_cell(column, row, mask)
            if filling:
                offsets[bucket] -= 1
                entries[offsets[bucket]] = p
            else:
                offsets[bucket] += 1


@kernel
def _skip_near(points, after, before, v, length, skipped):
    """Mark the edges that follow an edge along the boundary, within `length` of its ends.

    What they enclose with it is a nook, not a passage, but for long ones that run against it: those
    are the sides of a passage that ends here.
    """
    skipped[v] = v
    for forward in range(2):
        current, left = after[v] if forward else before[v], length
        while current >= 0 and after[current] >= 0 and left >= 0.0:
            side = np.sqrt(plan_square(points, current, after[current]))
            beside = current == after[v] or after[current] == v
            if (
                beside
                or side < length
                or not _opposite(points, v, after[v], current, after[current])
            ):
                if skipped[current] == v:
                    break
                skipped[current] = v
            left -= side
            current = after[current] if forward else before[current]


@kernel
def _opposite(points, p, q, r, s):
    """Tell whether two edges run against each other, as those of a narrow passage do."""
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    fu, fv = points[s, 0] - points[r, 0], points[s, 1] - points[r, 1]
    lengths = np.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    return eu * fu + ev * fv < -_OPPOSITE * lengths


@kernel
def _nearest_across(points, after, v, reach, level, cell, mask, offsets, entries, skipped):
    """Return the plan distance from the edge at v to the nearest edge it faces, up to `reach`."""
    nearest = reach
    p, q = v, after[v]
    first = _column(min(points[p, 0], points[q, 0]) - reach, cell)
    last = _column(max(points[p, 0], points[q, 0]) + reach, cell)
    for column in range(first, last + 1):
        low, high = _column_span(points, p, q, column, cell, reach)
        for row in range(low, high + 1):
            bucket = hash_cell(column, row, mask)
            for place in range(offsets[bucket], offsets[bucket + 1]):
                other = entries[place]
                if skipped[other] == v or _boxes_apart(points, p, q, other, after[other], nearest):
                    continue
                if _facing(points, p, q, other, after[other]):
                    nearest = min(nearest, _edge_distance(points, p, q, other, after[other], level))
    return nearest


@kernel
def _boxes_apart(points, p, q, r, s, distance):
    """Tell whether the boxes around two edges are at least this far apart in plan."""
    square = 0.0
    for axis in range(2):
        low, high = min(points[p, axis], points[q, axis]), max(points[p, axis], points[q, axis])
        gap = max(
            min(points[r, axis], points[s, axis]) - high,
            low - max(points[r, axis], points[s, axis]),
            0.0,
        )
        square += gap * gap
    return square >= distance * distance


@kernel
def _facing(points, p, q, r, s):
    """Tell whether two boundary edges, each with the mesh to its left, see each other."""
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    fu, fv = points[s, 0] - points[r, 0], points[s, 1] - points[r, 1]
    lengths = np.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    if eu * fu + ev * fv > _FACING * lengths:
        return False
    return (
        max(turn(points, p, q, r), turn(points, p, q, s)) > 0.0
        and max(turn(points, r, s, p), turn(points, r, s, q)) > 0.0
    )


@kernel
def _edge_distance(points, p, q, r, s, level):
    """Return the plan distance of two edges on the same level; infinite on different ones."""
    best = np.inf
    for end in range(4):
        if end == 0:
            x, a, b = p, r, s
        elif end == 1:
            x, a, b = q, r, s
        elif end == 2:
            x, a, b = r, p, q
        else:
            x, a, b = s, p, q
        square, t = to_segment(
            points[x, 0], points[x, 1], points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        )
        height = points[a, 2] + t * (points[b, 2] - points[a, 2])
        if abs(points[x, 2] - height) < level:
            best = min(best, square)
    return np.sqrt(best)
