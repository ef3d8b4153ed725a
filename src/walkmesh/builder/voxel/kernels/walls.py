"""Walls: what stands where the ground cannot go on, and where exactly in its cell.

Each side of a cell of ground that leads nowhere *looks* into the next column, at what is there
between the largest step and the agent's height above the ground. All triangles are clipped to that
column once more: of those in the range, the outline around them is kept, as where they begin along
sixteen ways. That tells far better than a box where a wall is that runs across its cell::

    +-------+
    | .     |        this wall begins at 0 along +u and along +v, as all of the cell does,
    |   .   |        but at 0.7 along +u +v
    |     . |
    +-------+
"""

import math

import numpy as np

from walkmesh.builder.voxel.kernels.clip import MOST_CORNERS, clip_strip
from walkmesh.builder.voxel.kernels.spans import TOP, WALKABLE
from walkmesh.builder.voxel.kernels.window import COL0, COLS, ROW0, ROWS, WINDOW
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

# Of a look: the span and the side of it.
SPAN = 0
SIDE = 1
LOOK_FIELDS = 2
# Of its range. [m]
LOW = 0
HIGH = 1

# The ways, counter-clockwise from +u; the way to the left is a quarter further.
WAYS = 16
QUARTER = WAYS // 4
_TURN = 2.0 * math.pi / WAYS
WAY_U = np.round(np.cos(_TURN * np.arange(WAYS)), 15)
WAY_V = np.round(np.sin(_TURN * np.arange(WAYS)), 15)

# In the precision of outlines, in which all ways are taken at once.
_SINGLE_U = WAY_U.astype(np.float32)
_SINGLE_V = WAY_V.astype(np.float32)

# The cells towards +u, +v, -u and -v.
TO_ROW = (1, 0, -1, 0)
TO_COL = (0, 1, 0, -1)


@kernel(
    WINDOW, kt.SINGLES_2D, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.OUT_TRIPLES, kt.OUT_SINGLES_2D,
    kt.OUT_INTS,
)  # fmt: skip
def find_looks(window, opened, kinds, height, step, looks, ranges, starts):
    """Find the sides of ground that lead nowhere, and return how many there are.

    Parameters
    ----------
    window, opened, kinds : Window and arrays
        The open spans.
    height, step : float
        The agent's height, and the largest step it takes. [Unit: m]
    looks : (l, LOOK_FIELDS) int32, output
        SPAN and SIDE of every look, by the column it is into.
    ranges : (l, 2) float32, output
        LOW and HIGH of what it looks at. [Unit: m]
    starts : (rows * cols + 1,) int32, output
        Where the looks into each column start.
    """
    first, neighbors = window.first, window.neighbors
    rows, cols = window.extent[ROWS], window.extent[COLS]
    count = 0
    found = np.empty(len(looks), np.int32)  # 4 times the span, and the side
    columns = np.empty(len(looks), np.int32)
    for column in range(rows * cols + 1):
        starts[column] = 0
    for row in range(rows):
        for col in range(cols):
            column = row * cols + col
            for s in range(first[column], first[column + 1]):
                if kinds[s] != WALKABLE:
                    continue
                for side in range(4):
                    next_row, next_col = row + TO_ROW[side], col + TO_COL[side]
                    if neighbors[s, side] >= 0 or not (
                        0 <= next_row < rows and 0 <= next_col < cols
                    ):
                        continue
                    found[count] = 4 * s + side
                    columns[count] = next_row * cols + next_col
                    starts[columns[count]] += 1
                    count += 1
    total = 0
    for column in range(rows * cols + 1):
        total += starts[column]
        starts[column] = total
    # From the last one down, so that starts end up where they belong.
    for i in range(count - 1, -1, -1):
        starts[columns[i]] -= 1
        look, s = starts[columns[i]], found[i] // 4
        looks[look, SPAN], looks[look, SIDE] = s, found[i] % 4
        ranges[look, LOW] = opened[s, TOP] + step
        ranges[look, HIGH] = opened[s, TOP] + height
    return count


@kernel(
    kt.POINTS, kt.TRIPLES, kt.INTS, kt.LONGS, kt.FLOAT, kt.SINGLES_2D, kt.INTS, kt.OUT_SINGLES_2D
)
def measure_walls(points, triangles, chosen, extent, cell, ranges, starts, outlines):
    """Measure what every look finds.

    Parameters
    ----------
    points, triangles, chosen, extent, cell : arrays and float
        As for :func:`walkmesh.builder.voxel.kernels.raster.rasterize`.
    ranges, starts : arrays
        The looks.
    outlines : (l, WAYS) float32, output
        Where the first of what is found begins along each way, from the first corner of its cell;
        infinity where nothing is. [Unit: cells]
    """
    row0, col0, rows, cols = extent[ROW0], extent[COL0], extent[ROWS], extent[COLS]
    for look in range(len(outlines)):
        for way in range(WAYS):
            outlines[look, way] = math.inf
    triangle = np.empty((3, 3), np.float64)
    strip = np.empty((MOST_CORNERS, 3), np.float64)
    piece = np.empty((MOST_CORNERS, 3), np.float64)
    outline = np.empty(WAYS, np.float32)
    for t in chosen:
        for k in range(3):
            for axis in range(3):
                triangle[k, axis] = points[triangles[t, k], axis]
        low_v = min(triangle[0, 1], triangle[1, 1], triangle[2, 1])
        high_v = max(triangle[0, 1], triangle[1, 1], triangle[2, 1])
        first_col = max(math.floor(low_v / cell), col0)
        last_col = min(math.floor(high_v / cell), col0 + cols - 1)
        if first_col > last_col:
            continue
        low_u = min(triangle[0, 0], triangle[1, 0], triangle[2, 0])
        high_u = max(triangle[0, 0], triangle[1, 0], triangle[2, 0])
        bottom, top = _heights(triangle, 3)
        # What lies in one row or column is not cut, as when it became solid: at the border of two
        # cells rounding may have put it into the one where nothing would be left of it.
        first_row, last_row = math.floor(low_u / cell), math.floor(high_u / cell)
        in_one_row = first_row == last_row
        in_one_col = math.floor(low_v / cell) == math.floor(high_v / cell)
        for row in range(max(first_row, row0), min(last_row, row0 + rows - 1) + 1):
            base = (row - row0) * cols - col0
            begin, end = starts[base + first_col], starts[base + last_col + 1]
            if not _is_wanted(ranges, begin, end, bottom, top):
                continue
            band, corners = triangle, 3
            if not in_one_row:
                band = strip
                corners = clip_strip(triangle, 3, 0, row * cell, (row + 1) * cell, strip)
            low_col, high_col = first_col, last_col
            if not in_one_col:
                from_v, to_v = math.inf, -math.inf
                for i in range(corners):
                    from_v = min(from_v, band[i, 1])
                    to_v = max(to_v, band[i, 1])
                if corners == 0:
                    continue
                low_col, high_col = math.floor(from_v / cell), math.floor(to_v / cell)
            for col in range(max(low_col, first_col), min(high_col, last_col) + 1):
                begin, end = starts[base + col], starts[base + col + 1]
                if not _is_wanted(ranges, begin, end, bottom, top):
                    continue
                part, count = band, corners
                if low_col != high_col:
                    part = piece
                    count = clip_strip(band, corners, 1, col * cell, (col + 1) * cell, piece)
                low, high = _heights(part, count)
                if _is_wanted(ranges, begin, end, low, high):
                    _outline(part, count, row, col, cell, outline)
                    _add(outline, low, high, ranges, begin, end, outlines)


@borrowing
def _is_wanted(ranges, begin, end, low, high):
    """Return whether any of some looks is at something between two heights."""
    look = begin
    while look < end and (high <= ranges[look, LOW] or low >= ranges[look, HIGH]):
        look += 1
    return look < end


@borrowing
def _heights(piece, count):
    """Return the lowest and the highest corner of a part of a triangle."""
    low, high = math.inf, -math.inf
    for k in range(count):
        low = min(low, piece[k, 2])
        high = max(high, piece[k, 2])
    return low, high


@borrowing
def _outline(piece, count, row, col, cell, outline):
    """Find where a part of a triangle begins along each way, from the first corner of its cell."""
    for way in range(WAYS):
        outline[way] = math.inf
    for k in range(count):
        u = np.float32(min(max(piece[k, 0] / cell - row, 0.0), 1.0))
        v = np.float32(min(max(piece[k, 1] / cell - col, 0.0), 1.0))
        for way in range(WAYS):
            ahead = u * _SINGLE_U[way] + v * _SINGLE_V[way]
            outline[way] = ahead if ahead < outline[way] else outline[way]


@borrowing
def _add(outline, low, high, ranges, begin, end, outlines):
    """Add a part of a triangle to what the looks into its column find."""
    for look in range(begin, end):
        if high > ranges[look, LOW] and low < ranges[look, HIGH]:
            for way in range(WAYS):
                begins = outlines[look, way]
                outlines[look, way] = outline[way] if outline[way] < begins else begins
