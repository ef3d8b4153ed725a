"""Regions of all tiles merged, and their contours from corner points alone.

Along every row and every column of lattice points, the corner points of a region pair up: the first
with the second, the third with the fourth. Where two cells of a region touch at a point only, the
point is there twice, once for each of the cells.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.union_find import point_at_roots, separate, unite
from walkmesh.kernels.search.hashing import hash_bits, table_size

# Cells and corner points have this many fields.
_ROW, _COL, _LEVEL, _REGION = 0, 1, 2, 3


@kernel(kt.TRIPLES, kt.OUT_INTS)
def unite_border(border, parents):
    """Unite the regions of different tiles that touch, also at a point only.

    Parameters
    ----------
    border : (b, 4) int32
        Row, column, level and region of every cell that touches another tile's; no cell twice.
    parents : (t,) int32, output
        The region that stands for each region.
    """
    separate(parents)
    mask = table_size(len(border)) - 1
    table = np.empty(mask + 1, np.int32)
    for place in range(mask + 1):
        table[place] = -1
    for cell in range(len(border)):
        row, col = np.int64(border[cell, _ROW]), np.int64(border[cell, _COL])
        level = np.int64(border[cell, _LEVEL])
        for i in range(-1, 2):
            for j in range(-1, 2):
                other = table[_place(border, table, row + i, col + j, level, mask)]
                if other >= 0:
                    unite(parents, border[cell, _REGION], border[other, _REGION])
        table[_place(border, table, row, col, level, mask)] = cell
    point_at_roots(parents)


@kernel
def _place(border, table, row, col, level, mask):
    """Return the place in the table of a border cell, or the free one where it would be."""
    place = hash_bits(row, col, level, mask)
    while True:
        cell = table[place]
        if cell < 0 or (
            border[cell, _ROW] == row
            and border[cell, _COL] == col
            and border[cell, _LEVEL] == level
        ):
            return place
        place = (place + 1) & mask


@kernel(kt.TRIPLES, kt.OUT_TRIPLES)
def find_first_corners(corners, first):
    """Find the first corner point of every region, row by row.

    Parameters
    ----------
    corners : (k, 3) int32
        Row, column and region of each.
    first : (r, 2) int32, output
        Row and column.
    """
    for region in range(len(first)):
        first[region, 0] = 2**31 - 1
        first[region, 1] = 2**31 - 1
    for corner in range(len(corners)):
        row, col, region = corners[corner, 0], corners[corner, 1], corners[corner, 2]
        if row < first[region, 0] or (row == first[region, 0] and col < first[region, 1]):
            first[region, 0], first[region, 1] = row, col


@kernel(kt.INTS, kt.INT, kt.INTS, kt.OUT_INTS)
def sort_stable(keys, size, order, sorted_order):
    """Sort an order by small keys; those with equal keys stay as they were.

    Parameters
    ----------
    keys : (n,) int32
        From 0 up to `size`.
    size : int
        The number of different keys.
    order : (n,) int32
        Any order of the things.
    sorted_order : (n,) int32, output
        The order by keys.
    """
    places = np.zeros(size + 1, np.int32)
    for thing in range(len(keys)):
        places[keys[thing] + 1] += 1
    for key in range(size):
        places[key + 1] += places[key]
    for i in range(len(order)):
        key = keys[order[i]]
        sorted_order[places[key]] = order[i]
        places[key] += 1


@kernel(kt.TRIPLES, kt.BYTES, kt.INTS, kt.INTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_TRIPLES)
def chain_rings(corners, masks, by_row, by_col, ring_offsets, ring_regions, points):
    """Chain corner points into rings, with the region to the left.

    Parameters
    ----------
    corners : (n, 3) int32
        Row, column and region of each corner point; of those where two cells touch at a point
        only, one for each of the cells.
    masks : (n,) uint8
        Which cells around the corner point belong to the region: one or three.
    by_row, by_col : (n,) int32
        Their orders along rows and along columns, region by region, so that they pair up.
    ring_offsets : (n + 1,) int32, output
        Where each ring's points start. Rings come in the order of their first points, region by
        region, and start with these.
    ring_regions : (n,) int32, output
        The region of each ring.
    points : (n, 2) int32, output
        Row and column.

    Returns
    -------
    int
        The number of rings; -1 when the corner points do not pair up.
    """
    count = len(corners)
    if count % 2 != 0:
        return -1
    for i in range(0, count, 2):
        for order, line in ((by_row, 0), (by_col, 1)):
            for field in (line, 2):
                if corners[order[i], field] != corners[order[i + 1], field]:
                    return -1
    following = np.empty(count, np.int32)
    for i in range(0, count, 2):
        for a, b in ((by_row[i], by_row[i + 1]), (by_row[i + 1], by_row[i])):
            if not _leaves_along_col(masks[a]):
                following[a] = b
        for a, b in ((by_col[i], by_col[i + 1]), (by_col[i + 1], by_col[i])):
            if _leaves_along_col(masks[a]):
                following[a] = b
    rings, written = 0, 0
    ring_offsets[0] = 0
    for i in range(count):
        corner = by_row[i]
        if following[corner] >= 0:  # not yet in a ring; none before it in the order is in this one
            ring_regions[rings] = corners[corner, 2]
            while following[corner] >= 0:
                points[written, 0], points[written, 1] = corners[corner, 0], corners[corner, 1]
                written += 1
                succeeding = following[corner]
                following[corner] = -1
                corner = succeeding
            rings += 1
            ring_offsets[rings] = written
    return rings


@kernel
def _leaves_along_col(mask):
    """Tell whether the contour, with the region to its left, goes on along the column.

    So it does at the corners of the cells before (1) and after (8) the point in both directions,
    and where one of the other two is missing (13, 11).
    """
    return mask == 1 or mask == 8 or mask == 13 or mask == 11
