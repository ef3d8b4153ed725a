"""How far it is from each cell to where the ground ends.

Ground ends at the sides of cells that lead nowhere. Where exactly is known better than the cells:
a wall stands somewhere inside the next cell, and ground that ends in the open covers a part of its
own. Each such side gives a *limit*, a line along one axis::

    +-------+-------+
    |       |   |   |         the middle of cell a is 0.5 + 0.6 cells from the wall w, not 0.5
    |   a   |   w   |
    |       |   |   |
    +-------+-------+

Cells hand on to their neighbours which limit they are closest to, and each measures for itself.
Lengths are in cells here, and taken between whole cells and parts of a cell apart, so that they
are the same to the last bit wherever a window begins.
"""

import math

import numpy as np

from walkmesh.build.voxel.kernels import raster
from walkmesh.build.voxel.kernels.spans import COVER, TOP, WALKABLE
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    INT,
    INTS,
    OUT_INTS,
    OUT_SINGLES,
    OUT_SINGLES_2D,
    OUT_TRIPLES,
    SINGLES_2D,
    TRIPLES,
    borrowing,
    kernel,
)

# Of a limit's line, as parts of its cell.
FROM_U = 0
TO_U = 1
FROM_V = 2
TO_V = 3
# Of a limit's place: its cell in the window, and the side of the ground it is on.
ROW = 0
COL = 1
SIDE = 2

# Parts of a cell that this much of ground may be missing from. [cells squared]
_LEAST_AREA = 0.01

# The cells towards +u, +v, -u and -v.
TO_ROW = (1, 0, -1, 0)
TO_COL = (0, 1, 0, -1)


@kernel(
    INTS, SINGLES_2D, INTS, INTS, SINGLES_2D, BYTES, TRIPLES, INT, INT, FLOAT, FLOAT, FLOAT,
    OUT_TRIPLES, OUT_SINGLES_2D, OUT_INTS, OUT_SINGLES,
)  # fmt: skip
def measure_distance(
    heads, spans, following, first, opened, kinds, neighbors, rows, cols, height, step, farthest,
    places, lines, nearest, distance,
):  # fmt: skip
    """Find the lines at which the ground ends, and the closest one to each cell's middle.

    Parameters
    ----------
    heads, spans, following : arrays
        The solid columns of a window.
    first, opened, kinds, neighbors : arrays
        Its open spans.
    rows, cols : int
        Its size.
    height, step : float
        The agent's height, and the largest step it takes. [Unit: m]
    farthest : float
        Limits further away than this do not matter. [Unit: cells]
    places : (l, 3) int32, output
        ROW, COL and SIDE of every limit.
    lines : (l, 4) float32, output
        FROM_U, TO_U, FROM_V and TO_V of every limit.
    nearest : (n,) int32, output
        The limit closest to each span, -1 if none matters.
    distance : (n,) float32, output
        How far that is; below 0 where the middle of a cell is beyond its own. [Unit: cells]

    Returns
    -------
    int
        The number of limits; only as many as there is room for are written.
    """
    count = first[rows * cols]
    row_of = np.empty(count, np.int32)
    col_of = np.empty(count, np.int32)
    # A ring of spans whose neighbours are still to be told, each in it at most once.
    waiting = np.empty(count + 1, np.int32)
    is_waiting = np.zeros(count, np.uint8)
    head, tail = 0, 0
    limits = 0
    for row in range(rows):
        for col in range(cols):
            column = row * cols + col
            for s in range(first[column], first[column + 1]):
                row_of[s], col_of[s] = row, col
                nearest[s] = -1
                distance[s] = math.inf
                if kinds[s] != WALKABLE:
                    continue
                for side in range(4):
                    if neighbors[s, side] >= 0:
                        continue
                    next_row, next_col = row + TO_ROW[side], col + TO_COL[side]
                    if not (0 <= next_row < rows and 0 <= next_col < cols):
                        continue
                    if limits < len(places):
                        top = opened[s, TOP]
                        wall = _find_wall(
                            heads, spans, following, next_row * cols + next_col, side,
                            top + step, top + height, lines, limits,
                        )  # fmt: skip
                        if wall:
                            places[limits, ROW], places[limits, COL] = next_row, next_col
                        else:
                            places[limits, ROW], places[limits, COL] = row, col
                            _set_edge(lines, limits, side, opened[s, COVER])
                        places[limits, SIDE] = side
                        away = signed_distance(places, lines, limits, row, col, 0.5, 0.5)
                        if away < distance[s]:
                            distance[s] = away
                            nearest[s] = limits
                    limits += 1
                if nearest[s] >= 0:
                    waiting[tail] = s
                    tail += 1
                    is_waiting[s] = 1
    if limits > len(places):
        return limits
    while head != tail:
        s = waiting[head]
        head = head + 1 if head < count else 0
        is_waiting[s] = 0
        for side in range(4):
            n = neighbors[s, side]
            if n < 0:
                continue
            # As it is kept, or what rounding took off would look like a shorter way for ever.
            away = np.float32(
                plain_distance(places, lines, nearest[s], row_of[n], col_of[n], 0.5, 0.5)
            )
            if away < distance[n] and away <= farthest:
                distance[n] = away
                nearest[n] = nearest[s]
                if is_waiting[n] == 0:
                    is_waiting[n] = 1
                    waiting[tail] = n
                    tail = tail + 1 if tail < count else 0
    return limits


@borrowing
def _find_wall(heads, spans, following, column, side, low, high, lines, limit):
    """Find what stands in a column between two heights, and return whether anything does."""
    found = False
    here = heads[column]
    while here >= 0 and spans[here, raster.LOW] < high:
        if spans[here, raster.HIGH] > low:
            # What stands on the ground has a place in the cell, and so has what hangs above it
            # unless a part of that is ground of its own, which no box is known of.
            long_u = spans[here, raster.TO_U] - spans[here, raster.FROM_U]
            long_v = spans[here, raster.TO_V] - spans[here, raster.FROM_V]
            placed = long_u >= 0.0 and (
                spans[here, raster.LOW] <= low
                or long_u * long_v >= min(spans[here, raster.AREA], np.float32(1.0)) - _LEAST_AREA
            )
            from_u = spans[here, raster.FROM_U] if placed else np.float32(0.0)
            to_u = spans[here, raster.TO_U] if placed else np.float32(1.0)
            from_v = spans[here, raster.FROM_V] if placed else np.float32(0.0)
            to_v = spans[here, raster.TO_V] if placed else np.float32(1.0)
            if found:
                from_u, to_u = min(from_u, lines[limit, FROM_U]), max(to_u, lines[limit, TO_U])
                from_v, to_v = min(from_v, lines[limit, FROM_V]), max(to_v, lines[limit, TO_V])
            lines[limit, FROM_U], lines[limit, TO_U] = from_u, to_u
            lines[limit, FROM_V], lines[limit, TO_V] = from_v, to_v
            found = True
        here = following[here]
    if found:
        # The side of the box that faces the ground.
        if side == 0:
            lines[limit, TO_U] = lines[limit, FROM_U]
        elif side == 1:
            lines[limit, TO_V] = lines[limit, FROM_V]
        elif side == 2:
            lines[limit, FROM_U] = lines[limit, TO_U]
        else:
            lines[limit, FROM_V] = lines[limit, TO_V]
    return found


@borrowing
def _set_edge(lines, limit, side, cover):
    """Let ground that covers a part of its cell end there."""
    lines[limit, FROM_U], lines[limit, TO_U] = 0.0, 1.0
    lines[limit, FROM_V], lines[limit, TO_V] = 0.0, 1.0
    at = cover if side < 2 else np.float32(1.0) - cover
    if side % 2 == 0:
        lines[limit, FROM_U], lines[limit, TO_U] = at, at
    else:
        lines[limit, FROM_V], lines[limit, TO_V] = at, at


@borrowing
def plain_distance(places, lines, limit, row, col, at_u, at_v):
    """Return how far a place in a cell is from a limit. [Unit: cells]."""
    du, dv = offset_to(places, lines, limit, row, col, at_u, at_v)
    return math.sqrt(du * du + dv * dv)


@borrowing
def offset_to(places, lines, limit, row, col, at_u, at_v):
    """Return the way from a place in a cell to the closest place of a limit. [Unit: cells]."""
    rows, cols = places[limit, ROW] - row, places[limit, COL] - col
    from_u, to_u = rows + (lines[limit, FROM_U] - at_u), rows + (lines[limit, TO_U] - at_u)
    from_v, to_v = cols + (lines[limit, FROM_V] - at_v), cols + (lines[limit, TO_V] - at_v)
    return max(from_u, min(to_u, 0.0)), max(from_v, min(to_v, 0.0))


@borrowing
def signed_distance(places, lines, limit, row, col, at_u, at_v):
    """Return the distance to a limit, below 0 for places straight behind it. [Unit: cells]."""
    du, dv = offset_to(places, lines, limit, row, col, at_u, at_v)
    side = places[limit, SIDE]
    ahead = du * TO_ROW[side] + dv * TO_COL[side]
    beside = dv if side % 2 == 0 else du
    if ahead < 0.0 and beside == 0.0:
        return ahead
    return math.sqrt(du * du + dv * dv)
