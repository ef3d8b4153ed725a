"""Bands along the edges of rings, and sectors around the corners between them.

How far the ground reaches around a corner is known, so it needs a sector exactly if that is more
than a half turn, however short its edges are::

        free     .-- the sector
              . |
      e ----> o                the band of e lies above it, that of n to the right
              | n
              v
"""

import numpy as np

from walkmesh.builder.kernels.clearance import box_around, faces_line, write_band, write_sector
from walkmesh.builder.kernels.packs import OUT_REGIONS
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items


@kernel(kt.POINTS, kt.FLOATS, kt.FLOATS, kt.FLOAT, kt.TREE, kt.FLOAT, kt.FLOAT, OUT_REGIONS)
def ring_regions(lines, firsts, turns, radius, tree, window, arc_error, output):
    """Write down the bands and sectors of rings.

    Parameters
    ----------
    lines : (n, 6) float64
        Both ends (u, v, h) of each edge; what is free lies to the left. [Unit: m]
    firsts, turns : (n,) float64
        Around the end of each edge: the direction across the edge that follows, to its left, and
        by how much more than a half turn the ground reaches around; 0 or less if it does not.
        [Unit: radians]
    radius : float
        How far to stay away. [Unit: m]
    tree : TREE
        Over the lines.
    window : float
        Lines further above each other than this have nothing to do with each other. [Unit: m]
    arc_error : float
        How far the tangents may lie outside an arc. [Unit: m]
    output : OUT_REGIONS
        The regions.
    """
    _, order, nodes = tree
    _, offsets, _, _, filled = output
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    filled[0], filled[1] = 0, 0
    offsets[0] = 0
    reach = 2.0 * radius + 4.0 * arc_error
    for line in range(len(lines)):
        write_band(lines, line, 0, radius, output)
        if turns[line] <= 0.0:
            continue
        u, v, h = lines[line, 3], lines[line, 4], lines[line, 5]
        box_around(u, v, h, reach, window, box)
        count = gather_items(nodes, order, box, stack, found)
        # A sector is convex up to a half turn. Where a flight begins on a floor, one walks all the
        # way around the corner of it.
        parts = 2 if turns[line] > 0.75 * np.pi else 1
        turn = turns[line] / parts
        for part in range(parts):
            first = firsts[line] + part * turn
            faced = faces_line(lines, found, count, u, v, h, first, turn, reach, window)
            write_sector(u, v, h, first, turn, radius, arc_error, faced, output)
