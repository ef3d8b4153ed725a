"""Regions by watershed: water rises from the places furthest from the edge of the ground.

The *depth* of a cell is its distance to the edge of the kept ground, as chamfer distance: 2 for a
step along an axis, 3 for one across a corner. Water falls from the deepest level to the shore. At
each level all regions grow equally, cell by cell, and what none of them reached becomes new ones.

No region ever has two cells in one column, so that each is a map; a spiral ramp becomes several.
"""

import numpy as np

from walkmesh.builder.voxel.kernels.window import COLS, ROWS, WINDOW, tile_within
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel

# Levels are as high as one step along an axis.
_LEVEL = 2
_DEEP = 1 << 20


@kernel(WINDOW, kt.OUT_INTS, kt.OUT_INTS)
def flood_regions(window, depth, labels):
    """Give every kept span of a tile its region, and return how many there are.

    Parameters
    ----------
    window : Window
        The open spans.
    depth : (n,) int32, output
        How deep each kept span lies; 0 at the edge of the ground.
    labels : (n,) int32, output
        The region of each kept span of the tile, -1 for the others.
    """
    first, neighbors, kept = window.first, window.neighbors, window.kept
    rows, cols = window.extent[ROWS], window.extent[COLS]
    low_row, high_row, low_col, high_col = tile_within(window.extent)
    count = len(kept)
    _measure_depth(neighbors, kept, depth)
    columns = np.empty(count, np.int32)
    deepest = 0
    tile = 0
    for row in range(rows):
        for col in range(cols):
            column = row * cols + col
            inside = low_row <= row < high_row and low_col <= col < high_col
            for s in range(first[column], first[column + 1]):
                columns[s] = column
                labels[s] = -1 if inside and kept[s] == 1 else -2
                if labels[s] == -1:
                    tile += 1
                    deepest = max(deepest, depth[s] // _LEVEL)
    # Spans of the tile by level, in their own order within each.
    starts = np.zeros(deepest + 2, np.int32)
    for s in range(count):
        if labels[s] == -1:
            starts[depth[s] // _LEVEL + 1] += 1
    for level in range(deepest + 1):
        starts[level + 1] += starts[level]
    by_level = np.empty(tile, np.int32)
    fill = starts.copy()
    for s in range(count):
        if labels[s] == -1:
            level = depth[s] // _LEVEL
            by_level[fill[level]] = s
            fill[level] += 1
    queue = np.empty(tile, np.int32)
    is_queued = np.zeros(count, np.uint8)
    regions = 0
    for level in range(deepest, -1, -1):
        low, high = starts[level], starts[level + 1]
        shore = 0
        for i in range(low, high):
            for side in range(4):
                n = neighbors[by_level[i], side]
                if n >= 0 and labels[n] >= 0 and is_queued[n] == 0:
                    is_queued[n] = 1
                    queue[shore] = n
                    shore += 1
        for i in range(shore):
            is_queued[queue[i]] = 0
        _spread(first, neighbors, columns, depth, level, queue, shore, labels)
        for i in range(low, high):
            s = by_level[i]
            if labels[s] == -1:
                labels[s] = regions
                regions += 1
                queue[0] = s
                _spread(first, neighbors, columns, depth, level, queue, 1, labels)
    for s in range(count):
        labels[s] = max(labels[s], -1)
    return regions


@borrowing
def _measure_depth(neighbors, kept, depth):
    """Measure how deep each kept span of a window lies, in two passes."""
    count = len(kept)
    for s in range(count):
        depth[s] = 0
        if kept[s] == 0:
            continue
        depth[s] = _DEEP
        for side in range(4):
            n = neighbors[s, side]
            if n < 0 or kept[n] == 0:
                depth[s] = 0
    for s in range(count):
        if depth[s] > 0:
            depth[s] = min(
                depth[s], _depth_by(neighbors, depth, s, 2), _depth_by(neighbors, depth, s, 3)
            )
    for s in range(count - 1, -1, -1):
        if depth[s] > 0:
            depth[s] = min(
                depth[s], _depth_by(neighbors, depth, s, 0), _depth_by(neighbors, depth, s, 1)
            )


@borrowing
def _depth_by(neighbors, depth, s, side):
    """Return the depth by way of one neighbour and the cells across corners beyond it."""
    n = neighbors[s, side]
    if n < 0:
        return _DEEP
    best = depth[n] + 2
    for turn in range(1, 4, 2):
        across = neighbors[n, (side + turn) % 4]
        if across >= 0:
            best = min(best, depth[across] + 3)
    return best


@borrowing
def _spread(first, neighbors, columns, depth, level, queue, filled, labels):
    """Let regions grow from the spans in a queue over all others that are deep enough."""
    head = 0
    while head < filled:
        s = queue[head]
        head += 1
        for side in range(4):
            n = neighbors[s, side]
            if n < 0 or labels[n] != -1 or depth[n] < level * _LEVEL:
                continue
            column = columns[n]
            clash = False
            for other in range(first[column], first[column + 1]):
                clash = clash or labels[other] == labels[s]
            if not clash and filled < len(queue):
                labels[n] = labels[s]
                queue[filled] = n
                filled += 1
