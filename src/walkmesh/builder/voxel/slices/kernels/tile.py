"""Regions of equal level in one tile, and the corner points of their contours.

A cell is a (row, column, level) with a kept span. The cells around a cell are numbered as its bits:

    NW 1    N 2    NE 4      row - 1
    W  8           E  16     row
    SW 32   S 64   SE 128    row + 1

The four cells of one level around a lattice point (row, col) all touch each other, so they are of
one region. Which of them there are is the point's own mask:

    1: (row - 1, col - 1)    2: (row - 1, col)
    4: (row,     col - 1)    8: (row,     col)
"""

import math

import numpy as np

from walkmesh.builder.voxel.kernels.window import (
    COL0,
    COL_START,
    COL_STOP,
    COLS,
    ROW0,
    ROW_START,
    ROW_STOP,
    WINDOW,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.union_find import unite

NW, N, NE, W, E, SW, S, SE = 1, 2, 4, 8, 16, 32, 64, 128


@kernel
def level_of(height, cell_height):
    """Return the discrete level of a height."""
    return math.floor(float(height) / cell_height + 0.5)


@kernel(
    WINDOW, kt.FLOAT, kt.OUT_INTS, kt.OUT_LONGS, kt.OUT_TRIPLES, kt.OUT_BYTES, kt.OUT_TRIPLES,
    kt.OUT_LONGS,
)  # fmt: skip
def slice_spans(window, cell_height, region_levels, region_cells, corners, masks, border, filled):
    """Find the regions of a tile, their corner points, and the cells that go on in other tiles.

    Parameters
    ----------
    window : Window
        The open spans.
    cell_height : float
        [m]
    region_levels : (n,) int32, output
        The level of each region.
    region_cells : (n,) int64, output
        How many cells of the tile each region has.
    corners : (4 n, 3) int32, output
        Row, column and region of each corner point. Of the tiles around a point, the one with the
        first of the point's cells writes it.
    masks : (4 n,) uint8, output
        Which cells of the region are around each corner point.
    border : (n, 4) int32, output
        Row, column, level and region of the cells that touch cells of their level in other tiles.
    filled : (3,) int64, output
        The numbers of regions, corner points and border cells.
    """
    extent = window.extent
    height = extent[ROW_STOP] - extent[ROW_START] + 2  # with one ring around the tile
    width = extent[COL_STOP] - extent[COL_START] + 2
    starts = np.empty(height * width + 1, np.int32)
    levels = np.empty(len(window.heights), np.int32)
    count = _gather(window, cell_height, starts, levels)
    around = np.zeros(count, np.uint8)
    labels = np.empty(count, np.int32)
    parents = np.empty(count, np.int32)
    label_count = _label(starts, levels, height, width, around, labels, parents)

    numbers = np.empty(label_count, np.int32)
    for label in range(label_count):
        numbers[label] = -1
        parents[label] = parents[parents[label]]  # its root: a parent is an earlier label
    region_count, corner_count, border_count = 0, 0, 0
    for i in range(1, height - 1):
        outside_rows = (NW | N | NE if i == 1 else 0) | (SW | S | SE if i == height - 2 else 0)
        row = extent[ROW_START] + i - 1
        for j in range(1, width - 1):
            outside = outside_rows
            outside |= (NW | W | SW if j == 1 else 0) | (NE | E | SE if j == width - 2 else 0)
            col = extent[COL_START] + j - 1
            column = i * width + j
            for cell in range(starts[column], starts[column + 1]):
                root = parents[labels[cell]]
                region = numbers[root]
                if region < 0:
                    region = region_count
                    numbers[root] = region
                    region_levels[region] = levels[cell]
                    region_cells[region] = 0
                    region_count += 1
                region_cells[region] += 1
                near = around[cell]
                if near & outside:
                    border[border_count, 0], border[border_count, 1] = row, col
                    border[border_count, 2], border[border_count, 3] = levels[cell], region
                    border_count += 1
                if near != 255:
                    corner_count = _write_corners(
                        row, col, region, near, corners, masks, corner_count
                    )
    filled[0], filled[1], filled[2] = region_count, corner_count, border_count


@borrowing
def _gather(window, cell_height, starts, levels):
    """Take the levels of all cells of the tile and of the ring around it; return their number."""
    extent, first, heights, _, kept = window
    from_col, to_col = extent[COL_START] - 1, extent[COL_STOP] + 1
    count, column = 0, 0
    for row in range(extent[ROW_START] - 1, extent[ROW_STOP] + 1):
        source = (row - extent[ROW0]) * extent[COLS] + from_col - extent[COL0]
        for _ in range(from_col, to_col):
            start = count
            starts[column] = start
            last = 0
            for span in range(first[source], first[source + 1]):
                if kept[span]:
                    level = level_of(heights[span], cell_height)
                    # Spans so close that their levels are equal are one cell.
                    if level != last or count == start:
                        levels[count] = level
                        count += 1
                        last = level
            column += 1
            source += 1
    starts[column] = count
    return count


@kernel
def _label(starts, levels, height, width, around, labels, parents):
    """Label the cells region by region, and note which of the eight around each are there.

    The cells of the ring take part, as they belong to the same regions once all tiles are merged.
    Returns the number of labels, which are joined in `parents`.
    """
    norths = np.empty(len(labels), np.int32)
    north_easts = np.empty(len(labels), np.int32)
    count = 0
    for i in range(height):
        for j in range(width):
            column = i * width + j
            start, stop = starts[column], starts[column + 1]
            # Where the window ends there are none.
            west_start = starts[column - 1] if j > 0 else start
            north_west_start, north_start, north_east_start, north_east_stop = 0, 0, 0, 0
            if i > 0:
                north_start, north_east_start = starts[column - width], starts[column - width + 1]
                north_west_start = starts[column - width - 1] if j > 0 else north_start
                north_east_stop = starts[column - width + 2] if j < width - 1 else north_east_start
            for cell in range(start, stop):
                level = levels[cell]
                west = _cell_of(levels, west_start, start, level)
                if west >= 0:  # what is north of here was found from there
                    north_west, north = norths[west], north_easts[west]
                else:
                    north_west = _cell_of(levels, north_west_start, north_start, level)
                    north = _cell_of(levels, north_start, north_east_start, level)
                north_east = _cell_of(levels, north_east_start, north_east_stop, level)
                norths[cell], north_easts[cell] = north, north_east
                near = 0
                if west >= 0:
                    near |= W
                    around[west] |= E
                if north_west >= 0:
                    near |= NW
                    around[north_west] |= SE
                if north >= 0:
                    near |= N
                    around[north] |= S
                if north_east >= 0:
                    near |= NE
                    around[north_east] |= SW
                around[cell] = near
                # North touches the other three, and north-west touches west: the labels of these
                # are joined already. Two labels can meet here only where north is missing.
                if north >= 0:
                    labels[cell] = labels[north]
                elif north_west >= 0:
                    labels[cell] = labels[north_west]
                elif west >= 0:
                    labels[cell] = labels[west]
                elif north_east >= 0:
                    labels[cell] = labels[north_east]
                else:
                    labels[cell] = count
                    parents[count] = count
                    count += 1
                if north < 0 and north_east >= 0:
                    unite(parents, labels[cell], labels[north_east])
    return count


@kernel
def _cell_of(levels, start, stop, level):
    """Return the cell of a level among those of a column, or -1."""
    for cell in range(start, stop):
        if levels[cell] == level:
            return cell
    return -1


@kernel
def _write_corners(row, col, region, near, corners, masks, count):
    """Write the corner points of a cell that none of the cells before it writes.

    Two cells in line make no corner, and neither do four. Returns the number of points so far.
    """
    mask = 1 | (2 if near & E else 0) | (4 if near & S else 0) | (8 if near & SE else 0)
    if mask != 3 and mask != 5 and mask != 15:
        count = _write(row + 1, col + 1, region, mask, corners, masks, count)
    if not near & W:
        mask = 2 | (4 if near & SW else 0) | (8 if near & S else 0)
        if mask != 10:
            count = _write(row + 1, col, region, mask, corners, masks, count)
    if not near & (N | NE | E):
        count = _write(row, col + 1, region, 4, corners, masks, count)
    if not near & (NW | N | W):
        count = _write(row, col, region, 8, corners, masks, count)
    return count


@kernel
def _write(row, col, region, mask, corners, masks, count):
    corners[count, 0], corners[count, 1], corners[count, 2] = row, col, region
    masks[count] = mask
    return count + 1
