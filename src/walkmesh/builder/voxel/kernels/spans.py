"""Open spans: where an agent has headroom above something solid, and where it can step from there.

One float32 row an open span::

    BOTTOM, TOP     the range of the ground in the cell; both the top of what is no ground
    CEILING         where the next solid begins
    MIDDLE          the height of the ground at the middle of the cell
    COVER           how much of the cell the ground covers, up to 1
"""

import math

import numpy as np

from walkmesh.builder.voxel.kernels import tolerances as tol
from walkmesh.builder.voxel.kernels.raster import (
    AREA,
    GROUND_HIGH,
    GROUND_LOW,
    HIGH,
    LOW,
    MOMENT,
    SOLID_COLUMNS,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

BOTTOM, TOP, CEILING, MIDDLE, COVER = range(5)
OPEN_FIELDS = 5

# What an open span is.
LOW_THING, WALKABLE = 0, 1


@kernel(SOLID_COLUMNS, kt.FLOAT, kt.FLOAT, kt.OUT_INTS, kt.OUT_SINGLES_2D, kt.OUT_BYTES)
def find_open_spans(solid, height, step, first, opened, kinds):
    """Find where an agent has headroom, and return how many such places there are.

    Parameters
    ----------
    solid : SolidColumns
        What is solid.
    height, step : float
        The agent's height, and the largest step it takes. [Unit: m]
    first : (c + 1,) int32, output
        Where each column's open spans start.
    opened : (n, OPEN_FIELDS) float32, output
        The open spans, lowest first in each column.
    kinds : (n,) uint8, output
        WALKABLE, or LOW_THING for what is no ground but may be low enough to step over.
    """
    heads, spans, following, _ = solid
    count = 0
    for column in range(len(heads)):
        first[column] = count
        here = heads[column]
        while here >= 0:
            above = following[here]
            ceiling = spans[above, LOW] if above >= 0 else np.float32(math.inf)
            is_ground = (
                spans[here, AREA] >= tol.LEAST_COVER
                and spans[here, HIGH] - spans[here, GROUND_HIGH] <= step
            )
            top = spans[here, GROUND_HIGH] if is_ground else spans[here, HIGH]
            if ceiling - top >= height - tol.LIMIT_ROUNDING:
                opened[count, BOTTOM] = spans[here, GROUND_LOW] if is_ground else top
                opened[count, TOP] = top
                opened[count, CEILING] = ceiling
                middle = spans[here, MOMENT] / spans[here, AREA] if is_ground else top
                opened[count, MIDDLE] = middle
                opened[count, COVER] = min(spans[here, AREA], np.float32(1.0))
                kinds[count] = WALKABLE if is_ground else LOW_THING
                count += 1
            here = above
    first[len(heads)] = count
    return count


@kernel(
    kt.INTS, kt.SINGLES_2D, kt.INT, kt.INT, kt.FLOAT, kt.FLOAT, kt.INT, kt.OUT_BYTES, kt.OUT_TRIPLES
)
def connect_spans(first, opened, rows, cols, height, step, reach, kinds, neighbors):
    """Find which spans an agent can step between.

    The ground of two cells must come as close as a step, measured between the ranges it has in
    each: ground that goes on across the border is connected, however steep and large the cells.

    Parameters
    ----------
    first, opened : arrays
        The open spans of a window.
    rows, cols : int
        The window's size.
    height, step : float
        The agent's height, and the largest step it takes. [Unit: m]
    reach : int
        How many cells of low things may follow each other between ground and ground.
    kinds : (n,) uint8, in and out
        Low things that can be stepped over become WALKABLE.
    neighbors : (n, 4) int32, output
        The walkable span towards +u, +v, -u and -v, -1 where there is none.
    """
    for s in range(first[rows * cols]):
        for side in range(4):
            neighbors[s, side] = -1
    for row in range(rows):
        for col in range(cols):
            column = row * cols + col
            if row + 1 < rows:
                _connect_columns(first, opened, column, column + cols, 0, height, step, neighbors)
            if col + 1 < cols:
                _connect_columns(first, opened, column, column + 1, 1, height, step, neighbors)
    count = first[rows * cols]
    for s in range(count):
        if kinds[s] == LOW_THING:
            for side in range(2):
                ahead = _reach_ground(opened, kinds, neighbors, s, side, step, reach)
                behind = _reach_ground(opened, kinds, neighbors, s, side + 2, step, reach)
                # Neither is further above the other than a step: a thing is no stair of its own.
                if (
                    ahead >= 0
                    and behind >= 0
                    and opened[ahead, BOTTOM] - opened[behind, TOP] <= step + tol.LIMIT_ROUNDING
                    and opened[behind, BOTTOM] - opened[ahead, TOP] <= step + tol.LIMIT_ROUNDING
                ):
                    kinds[s] = 2  # decided at the end, or the next one would take it for ground
    for s in range(count):
        if kinds[s] == 2:
            kinds[s] = WALKABLE
    for s in range(count):
        if kinds[s] == WALKABLE:
            continue
        for side in range(4):
            n = neighbors[s, side]
            if n >= 0:
                neighbors[n, (side + 2) % 4] = -1
                neighbors[s, side] = -1
    _part_helices(first, opened, neighbors)


@kernel
def _part_helices(first, opened, neighbors):
    """Cut connections that wind around a corner of cells like a spiral staircase.

    Four cells around a corner whose spans lead up by a storey in one turn would share a vertex at
    their corner that has two heights. The steepest of the four connections is cut.
    """
    parted = np.zeros((first[len(first) - 1], 4), dtype=np.bool_)
    for column in range(len(first) - 1):
        if first[column + 1] - first[column] < 2:
            continue
        for s in range(first[column], first[column + 1]):
            for quadrant in range(4):
                here, steepest, at, towards = s, -1.0, -1, -1
                for turn in range(4):
                    side = (quadrant + turn) % 4
                    there = neighbors[here, side]
                    if there < 0:
                        here = -1
                        break
                    rise = abs(opened[there, MIDDLE] - opened[here, MIDDLE])
                    if rise > steepest or (rise == steepest and side < towards):
                        steepest, at, towards = rise, here, side
                    here = there
                if here >= 0 and here != s:
                    parted[at, towards] = True
    for s in range(len(parted)):
        for side in range(4):
            there = neighbors[s, side]
            if parted[s, side] and there >= 0:
                neighbors[there, (side + 2) % 4] = -1
                neighbors[s, side] = -1


@borrowing
def _connect_columns(first, opened, here, there, side, height, step, neighbors):
    """Connect the spans of two columns next to each other, the closest in height first."""
    for s in range(first[here], first[here + 1]):
        best, least = -1, math.inf
        for n in range(first[there], first[there + 1]):
            rise = max(
                opened[n, BOTTOM] - opened[s, TOP],
                opened[s, BOTTOM] - opened[n, TOP],
            )
            if rise > step + tol.LIMIT_ROUNDING:
                continue
            room = min(opened[s, CEILING], opened[n, CEILING])
            room -= max(opened[s, TOP], opened[n, TOP])
            if room < height - step - tol.LIMIT_ROUNDING:
                continue
            apart = abs(opened[n, MIDDLE] - opened[s, MIDDLE])
            if apart < least and neighbors[n, side + 2] < 0:
                best, least = n, apart
        if best >= 0:
            neighbors[s, side] = best
            neighbors[best, side + 2] = s


@borrowing
def _reach_ground(opened, kinds, neighbors, s, side, step, reach):
    """Return the ground that follows a low thing on one side, no further below than a step."""
    here = s
    for _ in range(reach):
        here = neighbors[here, side]
        if here < 0:
            return -1
        if kinds[here] == WALKABLE:
            return here if opened[s, TOP] - opened[here, TOP] <= step + tol.LIMIT_ROUNDING else -1
    return -1
