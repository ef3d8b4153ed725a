"""Where contours of level regions run along each other, or face each other across a gap.

Edges are given by their starts and ends on the lattice. A region is to the left of its edges.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.hash_grid import enter, first_in, make_hash_grid

# The fields of an edge: start (row, col), end (row, col), region and level.
ROW, COL, END_ROW, END_COL, REGION, LEVEL = 0, 1, 2, 3, 4, 5


@kernel(kt.TRIPLES, kt.INTS, kt.INT, kt.OUT_TRIPLES)
def match_stretches(edges, order, most, stretches):
    """Find where edges of two regions run along each other the other way round.

    Parameters
    ----------
    edges : (c, 6) int32
        Start, end, region and level of each.
    order : (c,) int32
        Their order by direction (along rows or columns), line, and lower end.
    most : int
        The largest difference of levels.
    stretches : (n, 4) int32, output
        The lower edge, the upper one, and from where to where they run along each other: columns
        of edges along a row, and rows of those along a column.

    Returns
    -------
    int
        The number of stretches. Those for which there is no room are not written.
    """
    active = np.empty(len(edges), np.int32)
    active_count, count = 0, 0
    for i in range(len(order)):
        edge = order[i]
        if i > 0 and not _in_line(edges, edge, order[i - 1]):
            active_count = 0
        low, high = _range(edges, edge)
        forward = _is_forward(edges, edge)
        still = 0
        for k in range(active_count):
            other = active[k]
            _, other_high = _range(edges, other)
            if other_high > low:
                active[still] = other
                still += 1
                rise = edges[edge, LEVEL] - edges[other, LEVEL]
                if _is_forward(edges, other) != forward and abs(rise) <= most:
                    if count < len(stretches):
                        stretches[count, 0] = other if rise > 0 else edge
                        stretches[count, 1] = edge if rise > 0 else other
                        stretches[count, 2] = low
                        stretches[count, 3] = min(high, other_high)
                    count += 1
        active[still] = edge
        active_count = still + 1
    return count


@kernel
def _in_line(edges, a, b):
    """Tell whether two edges lie on one row, or on one column."""
    along_row = edges[a, ROW] == edges[a, END_ROW]
    if along_row != (edges[b, ROW] == edges[b, END_ROW]):
        return False
    return edges[a, ROW] == edges[b, ROW] if along_row else edges[a, COL] == edges[b, COL]


@kernel
def _range(edges, edge):
    """Return the lower and the higher end of an edge on its line."""
    if edges[edge, ROW] == edges[edge, END_ROW]:
        a, b = edges[edge, COL], edges[edge, END_COL]
    else:
        a, b = edges[edge, ROW], edges[edge, END_ROW]
    return min(a, b), max(a, b)


@kernel
def _is_forward(edges, edge):
    """Tell whether an edge runs towards larger rows or columns."""
    return edges[edge, END_ROW] > edges[edge, ROW] or edges[edge, END_COL] > edges[edge, COL]


@kernel(kt.TRIPLES, kt.INT, kt.FLOAT, kt.OUT_TRIPLES)
def match_facing(edges, most, radius, found):
    """Find edges of different levels that face each other, with both pairs of ends close.

    Between two of one level is no step, but something that the agent does not pass.

    Parameters
    ----------
    edges : (c, 6) int32
        Start, end, region and level of each.
    most : int
        The largest difference of levels.
    radius : float
        Ends closer than this in plan are close. [cells]
    found : (n, 3) int32, output
        The lower edge, the upper one, and the sum of the squared distances of their ends.

    Returns
    -------
    int
        The number of pairs. Those for which there is no room are not written.
    """
    width = max(1, int(np.ceil(radius)))
    grid = make_hash_grid(len(edges))
    for edge in range(len(edges)):
        enter(grid, edge, edges[edge, ROW] // width, edges[edge, COL] // width)
    count = 0
    for edge in range(len(edges)):
        row, col = edges[edge, END_ROW] // width, edges[edge, END_COL] // width
        for i in range(row - 1, row + 2):
            for j in range(col - 1, col + 2):
                other = first_in(grid, i, j)
                while other >= 0:
                    # Other squares may have the same place in the table.
                    here = edges[other, ROW] // width == i and edges[other, COL] // width == j
                    rise = edges[other, LEVEL] - edges[edge, LEVEL]
                    if here and 0 < rise <= most:
                        distance = _facing_distance(edges, edge, other, radius)
                        if distance >= 0:
                            if count < len(found):
                                found[count, 0], found[count, 1] = edge, other
                                found[count, 2] = distance
                            count += 1
                    other = grid.links[other]
    return count


@kernel
def _facing_distance(edges, edge, other, radius):
    """Return the sum of the squared distances of the ends of edges that face each other, or -1."""
    rows = int(edges[edge, END_ROW]) - int(edges[edge, ROW])
    cols = int(edges[edge, END_COL]) - int(edges[edge, COL])
    other_rows = int(edges[other, END_ROW]) - int(edges[other, ROW])
    other_cols = int(edges[other, END_COL]) - int(edges[other, COL])
    if rows * other_rows + cols * other_cols >= 0:
        return -1
    across_rows = int(edges[other, ROW]) - int(edges[edge, END_ROW])
    across_cols = int(edges[other, COL]) - int(edges[edge, END_COL])
    if rows * across_cols - cols * across_rows >= 0:  # not to the right, where the region ends
        return -1
    first = across_rows * across_rows + across_cols * across_cols
    back_rows = int(edges[other, END_ROW]) - int(edges[edge, ROW])
    back_cols = int(edges[other, END_COL]) - int(edges[edge, COL])
    second = back_rows * back_rows + back_cols * back_cols
    if first >= radius * radius or second >= radius * radius:
        return -1
    return first + second


@kernel(kt.TRIPLES, kt.INTS, kt.INT, kt.OUT_BYTES)
def choose_nearest(pairs, groups, count, chosen):
    """Choose pairs in their order, so that none of a group has an edge of one chosen before.

    Parameters
    ----------
    pairs : (n, 3) int32
        Two edges each, group by group.
    groups : (n,) int32
        The group of each pair.
    count : int
        The number of edges.
    chosen : (n,) uint8, output
        1 for those chosen.
    """
    last_group = np.empty(count, np.int32)
    for edge in range(count):
        last_group[edge] = -1
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        chosen[pair] = 0
        if last_group[a] != groups[pair] and last_group[b] != groups[pair]:
            chosen[pair] = 1
            last_group[a], last_group[b] = groups[pair], groups[pair]
