"""Rings along the borders of cells."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

UNSEEN, WRITTEN = -1, -2


@kernel(kt.LONGS, kt.LONGS, kt.OUT_LONGS, kt.OUT_LONGS, kt.OUT_LONGS, kt.OUT_LONGS)
def follow_borders(successors, twins, ring_offsets, ring_corners, stack, places):
    """Follow the corners of borders into rings that visit no place twice.

    A border that comes back to a place, where cells meet by their corners alone, is cut there into
    two rings, as polygons with holes that touch their outline have them.

    Parameters
    ----------
    successors : (n,) int64
        The corner after each.
    twins : (n,) int64
        The other corner at the same place; -1 for none.
    ring_offsets : (n + 1,) int64, out
        Where each ring starts in `ring_corners`.
    ring_corners : (n,) int64, out
        The corners of all rings.
    stack : (n,) int64, scratch
        The corners since the first, without rings that were cut off.
    places : (n,) int64, scratch
        Full of UNSEEN; then where on the stack a corner is, or WRITTEN.

    Returns
    -------
    int
        How many rings there are.
    """
    rings = 0
    written = 0
    ring_offsets[0] = 0
    for first in range(len(successors)):
        if places[first] != UNSEEN:
            continue
        depth = 0
        corner = first
        while True:
            twin = twins[corner]
            start = -1
            if twin >= 0 and places[twin] >= 0:
                start = places[twin]
            elif depth > 0 and corner == first:
                start = 0
            if start >= 0:
                for i in range(start, depth):
                    ring_corners[written] = stack[i]
                    places[stack[i]] = WRITTEN
                    written += 1
                rings += 1
                ring_offsets[rings] = written
                depth = start
                if corner == first:
                    break
            stack[depth] = corner
            places[corner] = depth
            depth += 1
            corner = successors[corner]
    return rings
