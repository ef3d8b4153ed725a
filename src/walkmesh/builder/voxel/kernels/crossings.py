"""Edges that cross each other in plan, on the integer grid where that is exact."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.segments import meet_of
from walkmesh.kernels.kernel import borrowing, kernel, shared
from walkmesh.kernels.search.hashing import hash_pair, table_size


@kernel(kt.LONGS_2D, kt.INTS, kt.FLOATS, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.INT, kt.OUT_BYTES)
def find_crossings(edges, patches, heights, changed, step, storey, bits, crossing):
    """Mark the edges that cross or touch others anywhere but in their ends, or have no length.

    So are those of outlines that cross in an end that they share, see :func:`find_twists`.

    Parameters
    ----------
    edges : (n, 4) int64
        Both ends (u, v) of each, on a grid; differences are below 2**30. As many edges of a patch
        leave a place as reach it.
    patches : (n,) int32
        The patch to the left of each; edges of one patch must not cross at any height.
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
                    bad = _meet(edges, i, j)
                if bad:
                    crossing[i] = 1
                    crossing[j] = 1
    find_twists(edges, patches, crossing)


@shared
def find_twists(edges, patches, crossing):
    """Mark the edges of outlines that run through each other where they share a vertex's place.

    Around a place that several outlines of a patch run through, edges that leave it and edges that
    reach it must take turns: to the left of each that leaves lies the patch, up to one that
    reaches it. Where they do not, outlines cross there, although no two edges do.
    """
    size = table_size(len(edges))
    # Of each place: an edge that leaves it, and lists of all that leave and that reach it.
    table = np.full(size, -1, np.int32)
    leaving = np.full(len(edges), -1, np.int32)
    reaching = np.full(len(edges), -1, np.int32)
    before = np.full(len(edges), -1, np.int32)
    for i in range(len(edges)):
        at = _place_of(table, edges, patches, i, 0)
        if table[at] < 0:
            table[at] = i
        leaving[i] = -1
        if table[at] != i:
            leaving[i] = leaving[table[at]]
            leaving[table[at]] = i
    for i in range(len(edges)):
        place = table[_place_of(table, edges, patches, i, 2)]
        if place >= 0 and leaving[place] >= 0:
            before[i] = reaching[place]
            reaching[place] = i
    for at in range(size):
        place = table[at]
        if place >= 0 and leaving[place] >= 0:
            i = place
            while i >= 0:
                _compare(edges, i, 0, place, leaving, reaching, before, crossing)
                i = leaving[i]
            i = reaching[place]
            while i >= 0:
                _compare(edges, i, 2, place, leaving, reaching, before, crossing)
                i = before[i]


@borrowing
def _place_of(table, edges, patches, i, end):
    """Return where the edges are that leave an edge's start or end, or the free place for them."""
    mask = len(table) - 1
    u, v = edges[i, end], edges[i, end + 1]
    at = (hash_pair(u, v, mask) + patches[i]) & mask
    while table[at] >= 0 and not (
        edges[table[at], 0] == u and edges[table[at], 1] == v and patches[table[at]] == patches[i]
    ):
        at = (at + 1) & mask
    return at


@borrowing
def _compare(edges, i, end, place, leaving, reaching, before, crossing):
    """Mark an edge and the next one counter-clockwise around a place if both leave or reach it."""
    best, best_end = -1, 0
    for other_end in (0, 2):
        j = place if other_end == 0 else reaching[place]
        while j >= 0:
            if not (j == i and other_end == end) and (
                best < 0 or _comes_before(edges, i, end, j, other_end, best, best_end)
            ):
                best, best_end = j, other_end
            j = leaving[j] if other_end == 0 else before[j]
    if best_end == end:
        crossing[i] = 1
        crossing[best] = 1


@borrowing
def _comes_before(edges, i, end, j, j_end, k, k_end):
    """Tell whether edge j comes before edge k, counter-clockwise from edge i."""
    to_j, to_k = _turn_to(edges, i, end, j, j_end), _turn_to(edges, i, end, k, k_end)
    if to_j != to_k:
        return to_j < to_k
    between = _turn_to(edges, j, j_end, k, k_end)
    return between == 0 or between == 1


@borrowing
def _turn_to(edges, i, end, j, j_end):
    """Return the part of the way around from one edge to another: 0 at once, 1 to 3, 4 all of it.

    Of two in the same direction the one that reaches the place comes first, with the patch on both
    sides of them: what lies in between is a slit.
    """
    du, dv = _way(edges, i, end)
    eu, ev = _way(edges, j, j_end)
    across = du * ev - dv * eu
    if across != 0:
        return 1 if across > 0 else 3
    if du * eu + dv * ev < 0:
        return 2
    return 4 if end == 0 and j_end == 2 else 0


@borrowing
def _way(edges, i, end):
    """Return the way that an edge takes from one of its ends."""
    return edges[i, 2 - end] - edges[i, end], edges[i, 3 - end] - edges[i, end + 1]


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
def _meet(edges, i, j):
    """Tell whether two edges meet anywhere but where both end."""
    return meet_of(
        edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3],
        edges[j, 0], edges[j, 1], edges[j, 2], edges[j, 3],
    )  # fmt: skip
