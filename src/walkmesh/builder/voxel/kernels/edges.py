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

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import types

from walkmesh.builder.voxel.kernels import tolerances as tol
from walkmesh.builder.voxel.kernels.distance import LIMITS, WAY, offset_to, signed_distance
from walkmesh.builder.voxel.kernels.walls import WAY_U, WAY_V
from walkmesh.builder.voxel.kernels.window import COL0, COLS, ROW0, WINDOW, tile_within
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of a key: 2 bits for the quadrant, 8 for the layer, 26 each for row and column.
KEY_OFFSET = 1 << 25
MOST_LAYERS = 256
_LAYER_BIT = 2
COL_BIT = 10
ROW_BIT = 36

# How often a vertex is moved away from the limit that is closest then.
_ROUNDS = 4
# The spans around a corner, and those next to them.
_MOST_LIMITS = 20


class CellEdges(NamedTuple):
    """Edges of cells.

    Attributes
    ----------
    keys : (e, 2) int64
        The vertices from and to which they run.
    labels : (e,) int32
        The region to the left of each.
    points : (e, 3) float64
        Where each starts: u and v in whole numbers, `GRID` to a cell, and h. [Unit: m]
    """

    keys: NDArray[np.int64]
    labels: NDArray[np.int32]
    points: NDArray[np.float64]

    @classmethod
    def room(cls, count: int) -> CellEdges:
        """Return room for so many."""
        return cls(
            np.empty((count, 2), dtype=np.int64),
            np.empty(count, dtype=np.int32),
            np.empty((count, 3)),
        )


CELL_EDGES = types.NamedTuple([kt.OUT_LONGS_2D, kt.OUT_INTS, kt.OUT_POINTS], CellEdges)


@kernel(
    WINDOW, LIMITS, kt.FLOAT, kt.FLOAT, kt.INTS, CELL_EDGES, CELL_EDGES, kt.OUT_INTS, kt.OUT_LONGS
)
def collect_edges(window, limits, cell, radius, labels, outer, inner, rights, counts):
    """Collect the edges of a tile's regions, with the region to the left of each.

    Parameters
    ----------
    window : Window
        The open spans.
    limits : GroundLimits
        Where the ground ends.
    cell, radius : float
        The side of a cell and the agent's radius. [Unit: m]
    labels : (n,) int32
        The region of each span.
    outer, inner : CellEdges, output
        Those at the edge of the ground, and those between regions.
    rights : (i,) int32, output
        The region to the right of inner edges, -1 if it belongs to another tile.
    counts : (2,) int64, in and out
        How many there are of each kind; 0 and 0 for them to be counted.

    Returns
    -------
    bool
        Whether there was room for all; otherwise none is written.
    """
    if counts[0] + counts[1] == 0:
        _count_edges(window, labels, counts)
    if counts[0] > len(outer.labels) or counts[1] > len(inner.labels):
        return False
    first, neighbors, kept = window.first, window.neighbors, window.kept
    row0, col0, cols = window.extent[ROW0], window.extent[COL0], window.extent[COLS]
    low_row, high_row, low_col, high_col = tile_within(window.extent)
    members = np.empty(4, np.int32)
    candidates = np.empty(_MOST_LIMITS, np.int32)
    place = np.empty(3, np.float64)
    outer_count, inner_count = 0, 0
    for row in range(low_row, high_row):
        for col in range(low_col, high_col):
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
                    from_key = _key(window, s, row, col, begin, members)
                    place[0], place[1] = _corner_u(begin), _corner_v(begin)
                    if is_outer:
                        _move(window, limits, row, col, radius / cell, members, candidates, place)
                    place[2] = _height(window, members, begin, cell, place)
                    place[0] = (row0 + row) * tol.GRID + round(place[0] * tol.GRID)
                    place[1] = (col0 + col) * tol.GRID + round(place[1] * tol.GRID)
                    to_key = _key(window, s, row, col, end, members)
                    if is_outer:
                        _write(outer, outer_count, from_key, to_key, labels[s], place)
                        outer_count += 1
                    else:
                        _write(inner, inner_count, from_key, to_key, labels[s], place)
                        rights[inner_count] = labels[n]
                        inner_count += 1
    return True


@borrowing
def _count_edges(window, labels, counts):
    """Count the edges of a tile's regions: at the edge of the ground, and between regions."""
    first, neighbors, kept, cols = window.first, window.neighbors, window.kept, window.extent[COLS]
    low_row, high_row, low_col, high_col = tile_within(window.extent)
    for row in range(low_row, high_row):
        for s in range(first[row * cols + low_col], first[row * cols + high_col]):
            if kept[s] == 0:
                continue
            for side in range(4):
                n = neighbors[s, side]
                if n < 0 or kept[n] == 0:
                    counts[0] += 1
                elif labels[n] != labels[s]:
                    counts[1] += 1


@borrowing
def _write(edges, edge, from_key, to_key, label, place):
    """Write down one edge."""
    edges.keys[edge, 0], edges.keys[edge, 1] = from_key, to_key
    edges.labels[edge] = label
    for k in range(3):
        edges.points[edge, k] = place[k]


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
def _key(window, s, row, col, corner, members):
    """Return the key of a corner of a span's cell, and leave its fan in `members`."""
    extent, first, kept = window.extent, window.first, window.kept
    _fan(window.neighbors, kept, s, corner, members)
    corner_row, corner_col = row + _corner_u(corner), col + _corner_v(corner)
    quadrant = 0
    while members[quadrant] < 0:
        quadrant += 1
    # Quadrants 0 and 3 lie before the corner along u, 0 and 1 before it along v.
    member_row = corner_row - (1 if quadrant == 0 or quadrant == 3 else 0)
    member_col = corner_col - (1 if quadrant <= 1 else 0)
    layer = 0
    for other in range(first[member_row * extent[COLS] + member_col], members[quadrant]):
        layer += kept[other]
    key = np.int64(extent[ROW0] + corner_row + KEY_OFFSET) << ROW_BIT
    key |= np.int64(extent[COL0] + corner_col + KEY_OFFSET) << COL_BIT
    return key | np.int64(layer << _LAYER_BIT) | np.int64(quadrant)


@borrowing
def _move(window, limits, row, col, wanted, members, candidates, place):
    """Move a corner at the edge of the ground to where it belongs, `wanted` cells from limits.

    The limits that count are the closest ones to the spans of its fan, `members`, and to those next
    to them: where two walls meet, each of them is closest to only some of these. `place` is where
    the corner is, in cells from the first corner of the cell (row, col), and is changed;
    `candidates` is scratch for _MOST_LIMITS limits.
    """
    neighbors, (places, lines, nearest, _) = window.neighbors, limits
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
                    known = known or candidates[i] == nearest[s]
                if not known:
                    candidates[count] = nearest[s]
                    count += 1
    start_u, start_v = place[0], place[1]
    u, v = start_u, start_v
    for turn in range(_ROUNDS):
        closest, limit = math.inf, -1
        for i in range(count):
            away = signed_distance(places, lines, candidates[i], row, col, u, v)
            if away < closest:
                closest, limit = away, candidates[i]
        push = wanted - closest
        # It moves towards its limit once; what else comes closer then only pushes it away.
        if limit < 0 or (turn > 0 and push <= tol.PLACED):
            break
        ahead, left = offset_to(places, lines, limit, row, col, u, v)
        if closest < tol.PLACED:
            ahead, left, closest = 1.0, 0.0, 1.0
        way = places[limit, WAY]
        u -= push * (ahead * WAY_U[way] - left * WAY_V[way]) / closest
        v -= push * (ahead * WAY_V[way] + left * WAY_U[way]) / closest
        u = max(start_u - tol.FARTHEST_MOVE, min(start_u + tol.FARTHEST_MOVE, u))
        v = max(start_v - tol.FARTHEST_MOVE, min(start_v + tol.FARTHEST_MOVE, v))
    place[0], place[1] = u, v


@borrowing
def _height(window, members, corner, cell, place):
    """Return the height of the ground at a corner that may have been moved. [Unit: m]."""
    heights, neighbors = window.heights, window.neighbors
    moved_u, moved_v = place[0] - _corner_u(corner), place[1] - _corner_v(corner)
    steepest = tol.STEEPEST_SLOPE * cell
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


@kernel(WINDOW, kt.FLOAT, kt.INT, kt.INTS, kt.OUT_TRIPLES, kt.OUT_SINGLES)
def collect_samples(window, bend, stride, labels, cells, taken_heights):
    """Collect the cells that the height of the ground has to be known at, and return how many.

    Parameters
    ----------
    window, labels : Window and array
        As for `collect_edges`.
    bend : float
        Cells at which the slope changes by more than this from side to side are taken. [Unit: m]
    stride : int
        Of all others, those in every so many rows and columns.
    cells : (m, 3) int32, output
        Row and column on the lattice, and region, of each.
    taken_heights : (m,) float32, output
        The ground's height there. [Unit: m]
    """
    extent, first, heights, neighbors, kept = window
    row0, col0, cols = extent[ROW0], extent[COL0], extent[COLS]
    low_row, high_row, low_col, high_col = tile_within(extent)
    count = 0
    for row in range(low_row, high_row):
        for col in range(low_col, high_col):
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
                        cells[count, 0] = row0 + row
                        cells[count, 1] = col0 + col
                        cells[count, 2] = labels[s]
                        taken_heights[count] = heights[s]
                    count += 1
    return count
