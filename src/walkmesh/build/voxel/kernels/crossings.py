"""Edges that cross each other in plan, on the integer grid where that is exact."""

import numpy as np

from walkmesh.kernels.hashing import hash_pair, table_size
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LONGS_2D,
    OUT_BYTES,
    borrowing,
    kernel,
)


@kernel(LONGS_2D, INTS, FLOATS, BYTES, FLOAT, FLOAT, INT, OUT_BYTES)
def find_crossings(edges, patches, heights, changed, step, storey, bits, crossing):
    """Mark the edges that cross or touch others anywhere but in their ends, or have no length.

    Parameters
    ----------
    edges : (n, 4) int64
        Both ends (u, v) of each, on a grid; differences are below 2**30.
    patches : (n,) int32
        Edges of one patch must not cross at any height.
    heights : (n,) float64
        Edges of different patches matter to each other only at about the same height. [Unit: m]
    changed : (n,) uint8
        0 for edges that are known not to cross others of which that is known as well.
    step : float
        Edges of one patch that run along each other from end to end are two grounds beside each
        other if they are further apart in height than this, and a fold if not. [Unit: m]
    storey : float
        What is about the same height: less than this apart. [Unit: m]
    bits : int
        Edges are sorted into blocks with a side of 2 to the power of this.
    crossing : (n,) uint8, output
        1 for those that do.
    """
    buckets = table_size(2 * len(edges) + 16)
    starts = np.zeros(buckets + 1, np.int64)
    for i in range(len(edges)):
        # One without length is no edge.
        crossing[i] = edges[i, 0] == edges[i, 2] and edges[i, 1] == edges[i, 3]
        _enter(edges, i, bits, buckets, starts, starts, False)
    for b in range(buckets):
        starts[b + 1] += starts[b]
    entries = np.empty(starts[buckets], np.int64)
    fill = starts.copy()
    for i in range(len(edges)):
        _enter(edges, i, bits, buckets, fill, entries, True)
    for b in range(buckets):
        for x in range(starts[b], starts[b + 1]):
            i = entries[x]
            for y in range(x + 1, starts[b + 1]):
                j = entries[y]
                if changed[i] == 0 and changed[j] == 0:
                    continue
                apart = abs(heights[i] - heights[j])
                if i == j or (patches[i] != patches[j] and apart >= storey):
                    continue
                if _are_twins(edges, i, j):
                    bad = patches[i] == patches[j] and apart <= step
                else:
                    bad = _cross(edges, i, j)
                if bad:
                    crossing[i] = 1
                    crossing[j] = 1


@borrowing
def _enter(edges, i, bits, buckets, places, entries, write):
    """Count an edge in every block its box touches, or write it there."""
    low_u, high_u = min(edges[i, 0], edges[i, 2]), max(edges[i, 0], edges[i, 2])
    for row in range(low_u >> bits, (high_u >> bits) + 1):
        # The part of the edge in this row of blocks alone.
        from_v, to_v = edges[i, 1], edges[i, 3]
        if low_u >> bits != high_u >> bits:
            run = edges[i, 2] - edges[i, 0]
            near = max(low_u, min(high_u, row << bits)) - edges[i, 0]
            far = max(low_u, min(high_u, (row + 1) << bits)) - edges[i, 0]
            rise = edges[i, 3] - edges[i, 1]
            from_v = edges[i, 1] + near * rise // run
            to_v = edges[i, 1] + far * rise // run
        low_v, high_v = min(from_v, to_v) - 1, max(from_v, to_v) + 1
        for col in range(low_v >> bits, (high_v >> bits) + 1):
            bucket = hash_pair(row, col, buckets - 1)
            if write:
                entries[places[bucket]] = i
                places[bucket] += 1
            else:
                places[bucket + 1] += 1


@borrowing
def _are_twins(edges, i, j):
    """Tell whether two edges run along each other from end to end, in opposite directions."""
    return (
        edges[i, 0] == edges[j, 2]
        and edges[i, 1] == edges[j, 3]
        and edges[i, 2] == edges[j, 0]
        and edges[i, 3] == edges[j, 1]
    )


@borrowing
def _cross(edges, i, j):
    """Tell whether two edges meet anywhere but where both end."""
    a = _turn(edges, i, edges[j, 0], edges[j, 1])
    b = _turn(edges, i, edges[j, 2], edges[j, 3])
    c = _turn(edges, j, edges[i, 0], edges[i, 1])
    d = _turn(edges, j, edges[i, 2], edges[i, 3])
    if (a > 0 and b > 0) or (a < 0 and b < 0) or (c > 0 and d > 0) or (c < 0 and d < 0):
        return False
    if a == 0 and b == 0:
        # In one line: they must share more than a point.
        axis = 0 if edges[i, 0] != edges[i, 2] else 1
        low = max(min(edges[i, axis], edges[i, axis + 2]), min(edges[j, axis], edges[j, axis + 2]))
        high = min(max(edges[i, axis], edges[i, axis + 2]), max(edges[j, axis], edges[j, axis + 2]))
        return low < high
    if a != 0 and b != 0 and c != 0 and d != 0:
        return True
    for p in range(0, 4, 2):
        for q in range(0, 4, 2):
            if edges[i, p] == edges[j, q] and edges[i, p + 1] == edges[j, q + 1]:
                return False
    return True


@borrowing
def _turn(edges, i, u, v):
    """Return on which side of an edge a place is: above 0 to the left."""
    return (edges[i, 2] - edges[i, 0]) * (v - edges[i, 1]) - (edges[i, 3] - edges[i, 1]) * (
        u - edges[i, 0]
    )
