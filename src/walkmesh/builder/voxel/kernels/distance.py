"""How far it is from each cell to where the ground ends.

Ground ends at the sides of cells that lead nowhere. Where exactly is known better than the cells:
a wall stands somewhere inside the next cell, and ground that ends in the open covers a part of its
own. Each such side gives *limits*, straight lines::

    +-------+-------+
    |       |   |   |         the middle of cell a is 0.5 + 0.6 cells from the wall w, not 0.5
    |   a   |   w   |
    |       |   |   |
    +-------+-------+

A wall's limits are the sides of its outline that face the ground (see
:mod:`walkmesh.builder.voxel.kernels.walls`): one along the wall if that runs along one of the ways,
and two or three that bulge by up to a tenth of a cell otherwise.

Cells hand on to their neighbours which limit they are closest to, and each measures for itself.
Lengths are in cells here, and taken between whole cells and parts of a cell apart, so that they
are the same to the last bit wherever a window begins.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import types

from walkmesh.builder.voxel.kernels import tolerances as tol
from walkmesh.builder.voxel.kernels.spans import COVER, WALKABLE
from walkmesh.builder.voxel.kernels.walls import (
    QUARTER,
    SIDE,
    SPAN,
    TO_COL,
    TO_ROW,
    WAY_U,
    WAY_V,
    WAYS,
)
from walkmesh.builder.voxel.kernels.window import COLS, ROWS, WINDOW
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of a limit's line: how far it lies ahead of its cell's first corner, and its ends to the left.
AHEAD, FROM, TO = range(3)
LINE_FIELDS = 3
# Of a limit's place: its cell in the window, which way it lies ahead of the ground, and its look.
ROW, COL, WAY, LOOK = range(4)
PLACE_FIELDS = 4
# Limits for one side of a cell at most: those that face it.
MOST_LIMITS = 2 * QUARTER - 1

# Numbers of ways go round; a remainder would take longer than all the rest.
_ALL = WAYS - 1


class GroundLimits(NamedTuple):
    """Where the ground of a window ends.

    Attributes
    ----------
    places : (l, PLACE_FIELDS) int32
        ROW, COL, WAY and LOOK of every limit.
    lines : (l, LINE_FIELDS) float32
        AHEAD, FROM and TO of every limit. [Unit: cells]
    nearest : (n,) int32
        The limit closest to each span, -1 if none matters.
    distance : (n,) float32
        How far that is; below 0 where the middle of a cell is beyond its own. [Unit: cells]
    """

    places: NDArray[np.int32]
    lines: NDArray[np.float32]
    nearest: NDArray[np.int32]
    distance: NDArray[np.float32]


LIMITS = types.NamedTuple(
    [kt.OUT_TRIPLES, kt.OUT_SINGLES_2D, kt.OUT_INTS, kt.OUT_SINGLES], GroundLimits
)


@kernel(WINDOW, kt.SINGLES_2D, kt.TRIPLES, kt.SINGLES_2D, kt.FLOAT, LIMITS)
def measure_distance(window, opened, looks, outlines, farthest, limits):
    """Find the lines at which the ground ends, and the closest one to each cell's middle.

    Parameters
    ----------
    window, opened : Window and array
        The open spans.
    looks, outlines : arrays
        The sides of ground that lead nowhere, and what is there.
    farthest : float
        Limits further away than this do not matter. [Unit: cells]
    limits : GroundLimits, output
        The limits, with room for `MOST_LIMITS` for every look.

    Returns
    -------
    int
        The number of limits.
    """
    first, neighbors = window.first, window.neighbors
    rows, cols = window.extent[ROWS], window.extent[COLS]
    places, lines, nearest, distance = limits
    count = first[rows * cols]
    row_of = np.empty(count, np.int32)
    col_of = np.empty(count, np.int32)
    for row in range(rows):
        for col in range(cols):
            for s in range(first[row * cols + col], first[row * cols + col + 1]):
                row_of[s], col_of[s] = row, col
                nearest[s] = -1
                distance[s] = math.inf
    # A ring of spans whose neighbours are still to be told, each in it at most once.
    waiting = np.empty(count + 1, np.int32)
    is_waiting = np.zeros(count, np.uint8)
    head, tail = 0, 0
    known = 0
    for look in range(len(looks)):
        s, side = looks[look, SPAN], looks[look, SIDE]
        row, col = row_of[s], col_of[s]
        if outlines[look, 0] < math.inf:
            next_row, next_col = row + TO_ROW[side], col + TO_COL[side]
            after = _face(outlines, look, side, next_row, next_col, places, lines, known)
        else:
            after = _end(opened[s, COVER], look, side, row, col, places, lines, known)
        for limit in range(known, after):
            away = signed_distance(places, lines, limit, row, col, 0.5, 0.5)
            if away < distance[s]:
                distance[s] = away
                nearest[s] = limit
        known = after
        if is_waiting[s] == 0:
            waiting[tail] = s
            tail += 1
            is_waiting[s] = 1
    while head != tail:
        s = waiting[head]
        head = head + 1 if head < count else 0
        is_waiting[s] = 0
        for side in range(4):
            n = neighbors[s, side]
            if n < 0:
                continue
            limit = nearest[s]
            ahead, left = offset_to(places, lines, limit, row_of[n], col_of[n], 0.5, 0.5)
            if left != 0.0:
                limit = _go_on(places, known, limit, left)
                ahead, left = offset_to(places, lines, limit, row_of[n], col_of[n], 0.5, 0.5)
            square = ahead * ahead + left * left
            if square >= np.float64(distance[n]) * distance[n] or square > farthest * farthest:
                continue
            # As it is kept, or what rounding took off would look like a shorter way for ever.
            away = np.float32(math.sqrt(square))
            if away < distance[n]:
                distance[n] = away
                nearest[n] = limit
                if is_waiting[n] == 0:
                    is_waiting[n] = 1
                    waiting[tail] = n
                    tail = tail + 1 if tail < count else 0
    return known


@kernel(WINDOW, kt.BYTES, LIMITS, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES)
def keep_distant(window, kinds, limits, least, spread, kept):
    """Keep the spans of ground that are far enough from where the ground ends.

    Parameters
    ----------
    window, kinds : Window and array
        The open spans.
    limits : GroundLimits
        Where the ground ends.
    least : float
        How far from it a cell's middle must be. [Unit: cells]
    spread : float
        How far from the middle all four ways that must hold, too. [Unit: cells]
    kept : (n,) uint8, output
        1 for spans that are far enough.
    """
    first, rows, cols = window.first, window.extent[ROWS], window.extent[COLS]
    places, lines, nearest, distance = limits
    for row in range(rows):
        for col in range(cols):
            for s in range(first[row * cols + col], first[row * cols + col + 1]):
                wanted = least
                if spread > 0.0 and nearest[s] >= 0 and distance[s] > 0.0:
                    # Both are lengths along and across a limit; the plan's axes are what counts.
                    way = places[nearest[s], WAY]
                    ahead, left = offset_to(places, lines, nearest[s], row, col, 0.5, 0.5)
                    du = ahead * WAY_U[way] - left * WAY_V[way]
                    dv = ahead * WAY_V[way] + left * WAY_U[way]
                    wanted += spread * max(abs(du), abs(dv)) / distance[s]
                kept[s] = 1 if kinds[s] == WALKABLE and distance[s] >= wanted else 0


@borrowing
def _go_on(places, limits, limit, left):
    """Return the side of a wall that a side of it goes on in beyond its end, or that side itself.

    It is no further away: both meet at that end.
    """
    other = limit + 1 if left > 0.0 else limit - 1
    if 0 <= other < limits and places[other, LOOK] == places[limit, LOOK]:
        return other
    return limit


@borrowing
def _face(outlines, look, side, row, col, places, lines, limits):
    """Write down the sides of a wall that face ground on one side, and return how many there are.

    Two neighbouring sides meet where both their lines are reached. From the way n of one, the way
    of the next is n * WAY_U[1] + left * WAY_V[1].
    """
    before = limits
    for turn in range(1 - QUARTER, QUARTER):
        way = (QUARTER * side + turn) & _ALL
        ahead = outlines[look, way]
        start = (outlines[look, (way + 1) & _ALL] - ahead * WAY_U[1]) / WAY_V[1]
        end = (ahead * WAY_U[1] - outlines[look, (way - 1) & _ALL]) / WAY_V[1]
        if end - start >= tol.LEAST_SIDE:
            _write(places, lines, limits, look, row, col, way, ahead, start, end)
            limits += 1
    if limits == before:
        way = QUARTER * side
        ahead = outlines[look, way]
        left = (outlines[look, way + 1] - ahead * WAY_U[1]) / WAY_V[1]
        _write(places, lines, limits, look, row, col, way, ahead, left, left)
        limits += 1
    return limits


@borrowing
def _end(cover, look, side, row, col, places, lines, limits):
    """Let ground that covers a part of its cell end there, and return how many limits there are."""
    ahead = cover if side < 2 else cover - 1.0
    # The left of +u and -v is +v and +u; that of the others points back.
    start = 0.0 if side == 0 or side == 3 else -1.0
    _write(places, lines, limits, look, row, col, QUARTER * side, ahead, start, start + 1.0)
    return limits + 1


@borrowing
def _write(places, lines, limit, look, row, col, way, ahead, start, end):
    """Write down one limit."""
    places[limit, ROW], places[limit, COL] = row, col
    places[limit, WAY], places[limit, LOOK] = way, look
    lines[limit, AHEAD], lines[limit, FROM], lines[limit, TO] = ahead, start, end


@borrowing
def offset_to(places, lines, limit, row, col, at_u, at_v):
    """Return how far ahead and to the left a limit is of a place in a cell. [Unit: cells]."""
    way = places[limit, WAY]
    u, v = (row - places[limit, ROW]) + at_u, (col - places[limit, COL]) + at_v
    left = v * WAY_U[way] - u * WAY_V[way]
    ahead = lines[limit, AHEAD] - (u * WAY_U[way] + v * WAY_V[way])
    return ahead, max(lines[limit, FROM] - left, min(lines[limit, TO] - left, 0.0))


@borrowing
def signed_distance(places, lines, limit, row, col, at_u, at_v):
    """Return the distance to a limit, below 0 for places straight behind it. [Unit: cells]."""
    ahead, left = offset_to(places, lines, limit, row, col, at_u, at_v)
    if ahead < 0.0 and left == 0.0:
        return ahead
    return math.sqrt(ahead * ahead + left * left)
