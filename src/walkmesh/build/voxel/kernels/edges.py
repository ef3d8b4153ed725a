"""Edges of regions along the lattice, and where they lie exactly.

The corners of cells are vertices. Around one there are four quadrants, and the kept spans that one
can walk between around it are a *fan*; two fans at one place are two vertices::

          v
          ^        3 | 2        quadrant q leads to q + 1 by the side q (+u, +v, -u, -v),
          |      ----+----      and to q - 1 by the side q + 1
          |        0 | 1
          +--> u

A vertex's *key* is its place, and quadrant and layer of the first span of its fan. It does not
depend on tiles.

At the edge of the ground the corner of a cell is moved to where it is exactly the agent's radius
away from the closest limit.
"""

import math

import numpy as np

from walkmesh.build.voxel.kernels.distance import WAY, offset_to, signed_distance
from walkmesh.build.voxel.kernels.walls import WAY_U, WAY_V
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    INT,
    INTS,
    OUT_INTS,
    OUT_LONGS,
    OUT_LONGS_2D,
    OUT_POINTS,
    OUT_SINGLES,
    SINGLES,
    SINGLES_2D,
    TRIPLES,
    borrowing,
    kernel,
)

# Of a key: 2 bits for the quadrant, 8 for the layer, 26 each for row and column.
KEY_OFFSET = 1 << 25
MOST_LAYERS = 256
_LAYER_BIT = 2
COL_BIT = 10
ROW_BIT = 36

# Positions to the side of a cell: on a grid, crossings are found exactly.
GRID = 256

# How far a vertex may be moved. [cells]
_FARTHEST = 1.0
# How often it is moved away from the limit that is closest then, and when it has its place.
_ROUNDS = 4
_PLACED = 1e-6  # cells
# The spans around a corner, and those next to them.
_MOST_LIMITS = 20
# Slopes steeper than this between cells are steps. [height of a cell's side]
_STEEPEST = 1.2


@kernel(INTS, TRIPLES, BYTES, INT, INTS, INTS, OUT_LONGS)
def count_edges(first, neighbors, kept, cols, core, labels, counts):
    """Count the edges of a tile's regions: at the edge of the ground, and between regions.

    Parameters
    ----------
    first, neighbors, kept, cols, core, labels : arrays and int
        As for `collect_edges`.
    counts : (2,) int64, output
        How many there are of each kind.
    """
    counts[0], counts[1] = 0, 0
    for row in range(core[0], core[1]):
        for s in range(first[row * cols + core[2]], first[row * cols + core[3]]):
            if kept[s] == 0:
                continue
            for side in range(4):
                n = neighbors[s, side]
                if n < 0 or kept[n] == 0:
                    counts[0] += 1
                elif labels[n] != labels[s]:
                    counts[1] += 1


@kernel(
    INTS, SINGLES, TRIPLES, BYTES, TRIPLES, SINGLES_2D, INTS, INT, INT, INT, INTS, FLOAT, FLOAT,
    INTS, OUT_LONGS_2D, OUT_INTS, OUT_POINTS, OUT_LONGS_2D, OUT_INTS, OUT_POINTS, OUT_INTS,
)  # fmt: skip
def collect_edges(
    first, heights, neighbors, kept, places, lines, nearest, row0, col0, cols, core, cell,
    radius, labels, outer_keys, outer_labels, outer_points, inner_keys, inner_labels,
    inner_points, inner_rights,
):  # fmt: skip
    """Collect the edges of a tile's regions, with the region to the left of each.

    Parameters
    ----------
    first, heights, neighbors, kept : arrays
        The open spans of a window.
    places, lines, nearest : arrays
        Its limits, see :mod:`walkmesh.build.voxel.kernels.distance`.
    row0, col0, cols : int
        The window's place, and its number of columns.
    core : (4,) int32
        Rows and columns of the window that are the tile: from, to, from, to.
    cell, radius : float
        The side of a cell and the agent's radius. [Unit: m]
    labels : (n,) int32
        The region of each span.
    outer_keys, inner_keys : (e, 2) int64, output
        The vertices from and to which edges run, at the edge of the ground and between regions.
    outer_labels, inner_labels : (e,) int32, output
        The region to the left of each.
    outer_points, inner_points : (e, 3) float64, output
        Where each edge's first vertex lies: u and v in whole numbers, `GRID` to a cell, and h.
        [Unit: m]
    inner_rights : (e,) int32, output
        The region to the right of inner edges, -1 if it belongs to another tile.
    """
    members = np.empty(4, np.int32)
    limits = np.empty(_MOST_LIMITS, np.int32)
    place = np.empty(3, np.float64)
    outer, inner = 0, 0
    for row in range(core[0], core[1]):
        for col in range(core[2], core[3]):
            column = row * cols + col
            for s in range(first[column], first[column + 1]):
                if kept[s] == 0:
                    continue
                for side in range(4):
                    n = neighbors[s, side]
                    is_outer = n < 0 or kept[n] == 0
                    if not is_outer and labels[n] == labels[s]:
                        continue
                    # Counter-clockwise around the cell: corner side + 1, then side + 2.
                    begin, end = (side + 1) % 4, (side + 2) % 4
                    from_key = _key(
                        first, neighbors, kept, s, row, col, begin, row0, col0, cols, members
                    )
                    place[0], place[1] = _corner_u(begin), _corner_v(begin)
                    if is_outer:
                        _move(
                            places, lines, nearest, neighbors, row, col, radius / cell, members,
                            limits, place,
                        )  # fmt: skip
                    place[2] = _height(heights, neighbors, members, begin, cell, place)
                    place[0] = (row0 + row) * GRID + round(place[0] * GRID)
                    place[1] = (col0 + col) * GRID + round(place[1] * GRID)
                    to_key = _key(
                        first, neighbors, kept, s, row, col, end, row0, col0, cols, members
                    )
                    if is_outer:
                        _write(
                            outer, from_key, to_key, labels[s], place,
                            outer_keys, outer_labels, outer_points,
                        )  # fmt: skip
                        outer += 1
                    else:
                        _write(
                            inner, from_key, to_key, labels[s], place,
                            inner_keys, inner_labels, inner_points,
                        )  # fmt: skip
                        inner_rights[inner] = labels[n]
                        inner += 1


@borrowing
def _write(edge, from_key, to_key, label, place, keys, labels, points):
    """Write down one edge."""
    keys[edge, 0], keys[edge, 1] = from_key, to_key
    labels[edge] = label
    for k in range(3):
        points[edge, k] = place[k]


@borrowing
def _corner_u(corner):
    """Return where a cell's corner is along u, 0 or 1; corners run counter-clockwise from 0, 0."""
    return 1 if corner == 1 or corner == 2 else 0


@borrowing
def _corner_v(corner):
    """Return where a cell's corner is along v, 0 or 1."""
    return 1 if corner >= 2 else 0


@borrowing
def _fan(neighbors, chosen, s, corner, members):
    """Find the chosen spans around a corner of a span's cell, by quadrant; -1 for none."""
    for quadrant in range(4):
        members[quadrant] = -1
    mine = (corner + 2) % 4
    members[mine] = s
    here, quadrant = s, mine
    for _ in range(3):
        here = neighbors[here, quadrant]
        if here < 0 or chosen[here] == 0:
            break
        quadrant = (quadrant + 1) % 4
        members[quadrant] = here
    here, quadrant = s, mine
    for _ in range(3):
        here = neighbors[here, (quadrant + 1) % 4]
        if here < 0 or chosen[here] == 0:
            break
        quadrant = (quadrant + 3) % 4
        if members[quadrant] >= 0:
            break
        members[quadrant] = here


@borrowing
def _key(first, neighbors, kept, s, row, col, corner, row0, col0, cols, members):
    """Return the key of a corner of a span's cell, and leave its fan in `members`."""
    _fan(neighbors, kept, s, corner, members)
    corner_row, corner_col = row + _corner_u(corner), col + _corner_v(corner)
    quadrant = 0
    while members[quadrant] < 0:
        quadrant += 1
    # Quadrants 0 and 3 lie before the corner along u, 0 and 1 before it along v.
    member_row = corner_row - (1 if quadrant == 0 or quadrant == 3 else 0)
    member_col = corner_col - (1 if quadrant <= 1 else 0)
    layer = 0
    for other in range(first[member_row * cols + member_col], members[quadrant]):
        layer += kept[other]
    key = np.int64(row0 + corner_row + KEY_OFFSET) << ROW_BIT
    key |= np.int64(col0 + corner_col + KEY_OFFSET) << COL_BIT
    return key | np.int64(layer << _LAYER_BIT) | np.int64(quadrant)


@borrowing
def _move(places, lines, nearest, neighbors, row, col, wanted, members, limits, place):
    """Move a corner at the edge of the ground to where it belongs.

    The limits that count are the closest ones to the spans of its fan and to those next to them:
    where two walls meet, each of them is closest to only some of these.

    Parameters
    ----------
    places, lines, nearest : arrays
        The limits of the window, and the closest to each span.
    neighbors : (n, 4) int32
        The spans next to each.
    row, col : int
        A cell that it is a corner of.
    wanted : float
        How far from limits it belongs. [Unit: cells]
    members : (4,) int32
        Its fan.
    limits : (_MOST_LIMITS,) int32, scratch
        The limits that count.
    place : (3,) float64, in and out
        u and v from that cell's first corner. [Unit: cells]
    """
    # Most spans around a corner share a few limits.
    count = 0
    for quadrant in range(4):
        if members[quadrant] < 0:
            continue
        for side in range(-1, 4):
            s = members[quadrant] if side < 0 else neighbors[members[quadrant], side]
            if s >= 0 and nearest[s] >= 0:
                known = False
                for i in range(count):
                    known = known or limits[i] == nearest[s]
                if not known:
                    limits[count] = nearest[s]
                    count += 1
    start_u, start_v = place[0], place[1]
    u, v = start_u, start_v
    for turn in range(_ROUNDS):
        closest, limit = math.inf, -1
        for i in range(count):
            away = signed_distance(places, lines, limits[i], row, col, u, v)
            if away < closest:
                closest, limit = away, limits[i]
        push = wanted - closest
        # It moves towards its limit once; what else comes closer then only pushes it away.
        if limit < 0 or (turn > 0 and push <= _PLACED):
            break
        ahead, left = offset_to(places, lines, limit, row, col, u, v)
        if closest < _PLACED:
            ahead, left, closest = 1.0, 0.0, 1.0
        way = places[limit, WAY]
        u -= push * (ahead * WAY_U[way] - left * WAY_V[way]) / closest
        v -= push * (ahead * WAY_V[way] + left * WAY_U[way]) / closest
        u = max(start_u - _FARTHEST, min(start_u + _FARTHEST, u))
        v = max(start_v - _FARTHEST, min(start_v + _FARTHEST, v))
    place[0], place[1] = u, v


@borrowing
def _height(heights, neighbors, members, corner, cell, place):
    """Return the height of the ground at a corner that may have been moved. [Unit: m]."""
    moved_u, moved_v = place[0] - _corner_u(corner), place[1] - _corner_v(corner)
    steepest = _STEEPEST * cell
    total, size = 0.0, 0
    for quadrant in range(4):
        m = members[quadrant]
        if m < 0:
            continue
        # From the middle of that quadrant's cell.
        to_u = moved_u + (0.5 if quadrant == 0 or quadrant == 3 else -0.5)
        to_v = moved_v + (0.5 if quadrant <= 1 else -0.5)
        total += heights[m]
        total += to_u * _slope(heights, neighbors, m, 0, steepest)
        total += to_v * _slope(heights, neighbors, m, 1, steepest)
        size += 1
    return total / size


@borrowing
def _slope(heights, neighbors, s, side, steepest):
    """Return how much the ground rises from cell to cell along u or v; 0 at steps."""
    ahead, behind = neighbors[s, side], neighbors[s, side + 2]
    rise = 0.0
    if ahead >= 0 and behind >= 0:
        rise = 0.5 * (heights[ahead] - heights[behind])
    elif ahead >= 0:
        rise = heights[ahead] - heights[s]
    elif behind >= 0:
        rise = heights[s] - heights[behind]
    return rise if abs(rise) <= steepest else 0.0


@kernel(
    INTS, SINGLES, TRIPLES, BYTES, INT, INT, INT, INTS, FLOAT, INT, INTS, OUT_INTS, OUT_SINGLES
)  # fmt: skip
def collect_samples(
    first, heights, neighbors, kept, row0, col0, cols, core, bend, stride, labels, cells,
    taken_heights,
):  # fmt: skip
    """Collect the cells that the height of the ground has to be known at, and return how many.

    Parameters
    ----------
    first, heights, neighbors, kept, row0, col0, cols, core, labels : arrays and int
        As for `collect_edges`.
    bend : float
        Cells at which the slope changes by more than this from side to side are taken. [Unit: m]
    stride : int
        Of all others, those in every so many rows and columns.
    cells : (3 m,) int32, output
        Row and column on the lattice, and region, of each.
    taken_heights : (m,) float32, output
        The ground's height there. [Unit: m]
    """
    count = 0
    for row in range(core[0], core[1]):
        for col in range(core[2], core[3]):
            regular = (row0 + row) % stride == 0 and (col0 + col) % stride == 0
            column = row * cols + col
            for s in range(first[column], first[column + 1]):
                if kept[s] == 0:
                    continue
                taken = regular
                for side in range(2):
                    ahead, behind = neighbors[s, side], neighbors[s, side + 2]
                    if ahead >= 0 and behind >= 0:
                        change = heights[ahead] + heights[behind]
                        taken = taken or abs(change - 2.0 * heights[s]) > bend
                if taken:
                    if count < len(taken_heights):
                        cells[3 * count] = row0 + row
                        cells[3 * count + 1] = col0 + col
                        cells[3 * count + 2] = labels[s]
                        taken_heights[count] = heights[s]
                    count += 1
    return count
