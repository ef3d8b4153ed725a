"""Rasterising: triangles become solid spans in the columns of a lattice.

A *span* is what is solid in one column between two heights, as one float32 row::

    LOW, HIGH             where it starts and ends
    GROUND_LOW, _HIGH     the range of its topmost surface that can be walked on
    AREA, MOMENT          how much of the cell that surface covers, and its mean height times that

The spans of a column are a linked list, lowest first. Heights are never rounded to voxels: what
lies closer together than a voxel's height is one span, and that is all that a voxel's height means
here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import types

from walkmesh.builder.kernels.faces import GROUND, WALL
from walkmesh.builder.voxel.kernels import tolerances as tol
from walkmesh.builder.voxel.kernels.clip import MOST_CORNERS, clip_strip
from walkmesh.builder.voxel.kernels.window import COL0, COLS, ROW0, ROWS
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of a span.
LOW, HIGH, GROUND_LOW, GROUND_HIGH, AREA, MOMENT = range(6)
SPAN_FIELDS = 6

# Of `counters`: spans used of the pool, and the first of those that were given back.
USED, FREE = 0, 1


class SolidColumns(NamedTuple):
    """What is solid in the columns of a window.

    Attributes
    ----------
    heads : (rows * cols,) int32
        The lowest span of each column, -1 if there is none.
    spans : (s, SPAN_FIELDS) float32
        The pool of spans.
    following : (s,) int32
        The span above each, -1 for the last.
    counters : (2,) int64
        USED and FREE.
    """

    heads: NDArray[np.int32]
    spans: NDArray[np.float32]
    following: NDArray[np.int32]
    counters: NDArray[np.int64]


SOLID_COLUMNS = types.NamedTuple(
    [kt.OUT_INTS, kt.OUT_SINGLES_2D, kt.OUT_INTS, kt.OUT_LONGS], SolidColumns
)


@kernel(
    kt.POINTS, kt.TRIPLES, kt.BYTES, kt.POINTS, kt.INTS, kt.INT, kt.LONGS, kt.FLOAT, kt.FLOAT,
    SOLID_COLUMNS,
)  # fmt: skip
def rasterize(points, triangles, roles, planes, chosen, start, extent, cell, gap, solid):
    """Add triangles to the columns of a window, and return how far it came.

    Parameters
    ----------
    points : (n, 3) float64
        Positions as (u, v, h). [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    roles : (m,) uint8
        GROUND for triangles to walk on, WALL for those seen edge-on from above.
    planes : (m, 3) float64
        h = planes[0] u + planes[1] v + planes[2], of all but walls.
    chosen : (k,) int32
        The triangles to add.
    start : int
        The first of `chosen`; the pool may be too small to do all in one call.
    extent : (8,) int64
        Where the window lies on the lattice.
    cell : float
        The side of a cell. [Unit: m]
    gap : float
        Spans closer than this are one. [Unit: m]
    solid : SolidColumns, in and out
        What is solid in its columns.

    Returns
    -------
    int
        Where in `chosen` the pool could have become too small; their number if all are done.
    """
    row0, col0, rows, cols = extent[ROW0], extent[COL0], extent[ROWS], extent[COLS]
    counters, room = solid.counters, len(solid.spans)
    triangle = np.empty((3, 3), np.float64)
    strip = np.empty((MOST_CORNERS, 3), np.float64)
    piece = np.empty((MOST_CORNERS, 3), np.float64)
    clip = np.empty(SPAN_FIELDS, np.float32)
    for index in range(start, len(chosen)):
        t = chosen[index]
        for k in range(3):
            for axis in range(3):
                triangle[k, axis] = points[triangles[t, k], axis]
        low_u = min(triangle[0, 0], triangle[1, 0], triangle[2, 0])
        high_u = max(triangle[0, 0], triangle[1, 0], triangle[2, 0])
        low_v = min(triangle[0, 1], triangle[1, 1], triangle[2, 1])
        high_v = max(triangle[0, 1], triangle[1, 1], triangle[2, 1])
        first_row = max(math.floor(low_u / cell), row0)
        last_row = min(math.floor(high_u / cell), row0 + rows - 1)
        first_col = max(math.floor(low_v / cell), col0)
        last_col = min(math.floor(high_v / cell), col0 + cols - 1)
        if first_row > last_row or first_col > last_col:
            continue
        most = (last_row - first_row + 1) * (last_col - first_col + 1)
        if counters[USED] + most > room:
            return index
        is_ground, has_plane = roles[t] == GROUND, roles[t] != WALL
        in_one_row = math.floor(low_u / cell) == math.floor(high_u / cell)
        low_col, high_col = math.floor(low_v / cell), math.floor(high_v / cell)
        in_one_col = low_col == high_col
        full_from, full_to = math.inf, -math.inf
        for row in range(first_row, last_row + 1):
            band, corners = triangle, 3
            if not in_one_row:
                band = strip
                corners = clip_strip(triangle, 3, 0, row * cell, (row + 1) * cell, strip)
                if corners == 0:
                    continue
            if not in_one_col:
                # The columns that the band touches, and those that it covers entirely.
                from_v, to_v, full_from, full_to = _extent(
                    band, corners, row * cell, (row + 1) * cell
                )
                low_col, high_col = math.floor(from_v / cell), math.floor(to_v / cell)
            for col in range(max(low_col, first_col), min(high_col, last_col) + 1):
                if has_plane and col * cell >= full_from and (col + 1) * cell <= full_to:
                    middle = planes[t, 0] * (row + 0.5) * cell + planes[t, 1] * (col + 0.5) * cell
                    middle += planes[t, 2]
                    spread = (abs(planes[t, 0]) + abs(planes[t, 1])) * 0.5 * cell
                    if is_ground:
                        _set_ground(clip, middle - spread, middle + spread, 1.0, middle)
                    else:
                        _set_other(clip, middle - spread, middle + spread)
                elif low_col == high_col:
                    _measure(band, corners, is_ground, cell, clip)
                else:
                    kept = clip_strip(band, corners, 1, col * cell, (col + 1) * cell, piece)
                    if kept == 0:
                        continue
                    _measure(piece, kept, is_ground, cell, clip)
                column = (row - row0) * cols + col - col0
                _insert(column, clip, gap, solid)
    return len(chosen)


@borrowing
def _extent(strip, corners, low, high):
    """Return the range of v of a strip, and that which it covers from side to side."""
    from_v, to_v = math.inf, -math.inf
    low_from, low_to, high_from, high_to = math.inf, -math.inf, math.inf, -math.inf
    for i in range(corners):
        u, v = strip[i, 0], strip[i, 1]
        from_v = min(from_v, v)
        to_v = max(to_v, v)
        if u == low:
            low_from = min(low_from, v)
            low_to = max(low_to, v)
        if u == high:
            high_from = min(high_from, v)
            high_to = max(high_to, v)
    return from_v, to_v, max(low_from, high_from), min(low_to, high_to)


@borrowing
def _set_ground(clip, low, high, area, mean):
    """Describe a clip that is ground."""
    clip[LOW] = low
    clip[HIGH] = high
    clip[GROUND_LOW] = low
    clip[GROUND_HIGH] = high
    clip[AREA] = area
    clip[MOMENT] = area * mean


@borrowing
def _measure(piece, count, is_ground, cell, clip):
    """Describe the part of a triangle in one cell."""
    low, high = math.inf, -math.inf
    for i in range(count):
        low = min(low, piece[i, 2])
        high = max(high, piece[i, 2])
    if is_ground:
        twice, moment = 0.0, 0.0
        for i in range(1, count - 1):
            part = (piece[i, 0] - piece[0, 0]) * (piece[i + 1, 1] - piece[0, 1])
            part -= (piece[i, 1] - piece[0, 1]) * (piece[i + 1, 0] - piece[0, 0])
            twice += part
            moment += part * (piece[0, 2] + piece[i, 2] + piece[i + 1, 2])
        area = 0.5 * twice / (cell * cell)
        if area > tol.LEAST_CLIP_AREA:
            _set_ground(clip, low, high, area, moment / (3.0 * twice))
            return
    # A touching edge of ground is no ground either.
    _set_other(clip, low, high)


@borrowing
def _set_other(clip, low, high):
    """Describe a clip that is no ground."""
    clip[LOW] = low
    clip[HIGH] = high
    clip[GROUND_LOW] = math.inf
    clip[GROUND_HIGH] = -math.inf
    clip[AREA] = 0.0
    clip[MOMENT] = 0.0


@borrowing
def _insert(column, clip, gap, solid):
    """Add a clip to a column, as one with the spans it touches."""
    heads, spans, following, counters = solid
    before = -1
    here = heads[column]
    while here >= 0 and spans[here, HIGH] < clip[LOW] - gap:
        before = here
        here = following[here]
    if here >= 0 and spans[here, LOW] <= clip[HIGH] + gap:
        _unite(spans, here, clip)
        above = following[here]
        while above >= 0 and spans[above, LOW] <= spans[here, HIGH] + gap:
            for k in range(SPAN_FIELDS):
                clip[k] = spans[above, k]
            _unite(spans, here, clip)
            following[here] = following[above]
            following[above] = counters[FREE]
            counters[FREE] = above
            above = following[here]
        return
    if counters[FREE] >= 0:
        new = counters[FREE]
        counters[FREE] = following[new]
    else:
        new = counters[USED]
        counters[USED] += 1
    for k in range(SPAN_FIELDS):
        spans[new, k] = clip[k]
    following[new] = here
    if before >= 0:
        following[before] = new
    else:
        heads[column] = new


@borrowing
def _unite(spans, s, clip):
    """Make a clip part of a span."""
    spans[s, LOW] = min(spans[s, LOW], clip[LOW])
    spans[s, HIGH] = max(spans[s, HIGH], clip[HIGH])
    if clip[AREA] == 0.0:
        return
    if clip[GROUND_LOW] > spans[s, GROUND_HIGH] + tol.SAME_SURFACE:
        spans[s, GROUND_LOW] = clip[GROUND_LOW]
        spans[s, GROUND_HIGH] = clip[GROUND_HIGH]
        spans[s, AREA] = clip[AREA]
        spans[s, MOMENT] = clip[MOMENT]
    elif clip[GROUND_HIGH] >= spans[s, GROUND_LOW] - tol.SAME_SURFACE:
        spans[s, GROUND_LOW] = min(spans[s, GROUND_LOW], clip[GROUND_LOW])
        spans[s, GROUND_HIGH] = max(spans[s, GROUND_HIGH], clip[GROUND_HIGH])
        spans[s, AREA] += clip[AREA]
        spans[s, MOMENT] += clip[MOMENT]
