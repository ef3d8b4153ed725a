"""Loops of edges around the ground, and the vertices of them that matter."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.hashing import hash_pair, table_size


@kernel(kt.LONGS_2D, kt.LONGS_2D, kt.OUT_INTS, kt.OUT_BYTES)
def link_edges(outer, inner, following, touching):
    """Find the edge that follows each at the edge of a tile's ground.

    Parameters
    ----------
    outer, inner : (e, 2) and (i, 2) int64
        The vertices from and to which edges run, at the edge of the ground and between regions. No
        two outer edges start at the same vertex.
    following : (e,) int32, output
        The outer edge that starts where each ends, -1 if that is in another tile.
    touching : (e,) uint8, output
        1 where an outer edge starts at a vertex of an inner one.
    """
    table = np.full(table_size(len(outer)), -1, np.int32)
    for edge in range(len(outer)):
        touching[edge] = 0
        table[_place_of(table, outer, outer[edge, 0])] = edge
    for edge in range(len(outer)):
        following[edge] = table[_place_of(table, outer, outer[edge, 1])]
    for edge in range(len(inner)):
        for end in range(2):
            found = table[_place_of(table, outer, inner[edge, end])]
            if found >= 0:
                touching[found] = 1


@borrowing
def _place_of(table, edges, key):
    """Return the place of the edge that starts at a vertex, or the free one where it belongs."""
    mask = len(table) - 1
    at = hash_pair(key >> 31, key & 0x7FFFFFFF, mask)
    while table[at] >= 0 and edges[table[at], 0] != key:
        at = (at + 1) & mask
    return at


@kernel(kt.INTS, kt.OUT_INTS, kt.OUT_INTS)
def trace_chains(following, order, offsets):
    """Put edges in the order in which they follow each other, and return how many chains there are.

    Parameters
    ----------
    following : (e,) int32
        The edge after each, -1 where a chain ends.
    order : (e,) int32, output
        The edges, chain by chain. Those with an end come first, by their first edges; then those
        that go all around, each beginning with its lowest edge, and by that.
    offsets : (e + 1,) int32, output
        Where each chain starts.
    """
    seen = np.zeros(len(following), np.uint8)
    inside = np.zeros(len(following), np.uint8)
    for edge in range(len(following)):
        if following[edge] >= 0:
            inside[following[edge]] = 1
    chains, filled = 0, 0
    offsets[0] = 0
    for around in range(2):
        for edge in range(len(following)):
            if seen[edge] == 1 or inside[edge] != around:
                continue
            here = edge
            while here >= 0 and seen[here] == 0:
                seen[here] = 1
                order[filled] = here
                filled += 1
                here = following[here]
            chains += 1
            offsets[chains] = filled
    return chains


@kernel(kt.INTS, kt.INTS, kt.LONGS, kt.BYTES, kt.OUT_INTS, kt.OUT_INTS)
def join_chains(offsets, following, keys, wanted, order, loops):
    """Put chains of edges together to loops, and return how many there are.

    Parameters
    ----------
    offsets : (c + 1,) int32
        Where each chain's edges start.
    following : (c,) int32
        The chain after each, itself if it goes all around.
    keys : (e,) int64
        The vertex that each edge starts at.
    wanted : (c,) uint8
        1 for chains of loops to write down.
    order : (w,) int32, output
        The edges of those, loop by loop. Each begins with its lowest key, and loops come by that.
    loops : (c + 1,) int32, output
        Where each loop starts.
    """
    seen = np.zeros(len(following), np.uint8)
    # The chain and the edge of each loop that have the lowest key.
    lowest_chains = np.empty(len(following), np.int32)
    lowest_edges = np.empty(len(following), np.int32)
    count = 0
    for chain in range(len(following)):
        if seen[chain] == 1 or wanted[chain] == 0:
            continue
        lowest_edges[count] = offsets[chain]
        here = chain
        while seen[here] == 0:
            seen[here] = 1
            for edge in range(offsets[here], offsets[here + 1]):
                if keys[edge] <= keys[lowest_edges[count]]:
                    lowest_chains[count], lowest_edges[count] = here, edge
            here = following[here]
        count += 1
    filled = 0
    loops[0] = 0
    turn = np.argsort(keys[lowest_edges[:count]])
    for loop in range(count):
        chain, first = lowest_chains[turn[loop]], lowest_edges[turn[loop]]
        for edge in range(first, offsets[chain + 1]):
            order[filled] = edge
            filled += 1
        here = following[chain]
        while here != chain:
            for edge in range(offsets[here], offsets[here + 1]):
                order[filled] = edge
                filled += 1
            here = following[here]
        for edge in range(offsets[chain], first):
            order[filled] = edge
            filled += 1
        loops[loop + 1] = filled
    return count


@kernel(kt.INTS, kt.POINTS, kt.BYTES, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES, kt.OUT_BYTES)
def simplify_loops(offsets, points, raw, stale, tolerance, height_tolerance, chosen, needed):
    """Choose the vertices of loops that their shape needs, after Douglas and Peucker.

    Each loop starts from its first vertex and the one furthest from it in plan, and takes the one
    that is furthest from the line so far until all are within the tolerance. Between these, those
    are needed besides without which heights along the lines would leave theirs.

    Parameters
    ----------
    offsets : (l + 1,) int32
        Where each loop starts.
    points : (n, 3) float64
        Positions: in plan, in any unit, and heights. [Unit: m]
    raw : (n,) uint8
        1 for vertices that stay in any case.
    stale : (l,) uint8
        1 for the loops to simplify; the others stay as they are.
    tolerance : float
        How far a loop may be from its vertices in plan. [Unit: that of the points]
    height_tolerance : float
        How far heights along a line may be from those between its ends. [Unit: m]
    chosen : (n,) uint8, in and out
        1 for the vertices that stay.
    needed : (n,) uint8, output
        1 for those that are needed for the heights alone.
    """
    longest = 0
    for loop in range(len(offsets) - 1):
        longest = max(longest, offsets[loop + 1] - offsets[loop])
    stack = np.empty(2 * longest + 4, np.int32)
    for loop in range(len(offsets) - 1):
        if stale[loop] == 0:
            continue
        start, stop = offsets[loop], offsets[loop + 1]
        for i in range(start, stop):
            chosen[i] = raw[i]
        far = _furthest(points, start, start, start, stop)
        chosen[start] = 1
        chosen[far] = 1
        _split(points, start, stop, start, far, tolerance, stack, chosen)
        _split(points, start, stop, far, stop, tolerance, stack, chosen)
        size = 0
        for i in range(start, stop):
            size += chosen[i]
        if size < 3:  # a loop thinner than the tolerance stays a triangle
            chosen[_furthest(points, start, far, start, stop)] = 1
    for loop in range(len(offsets) - 1):
        _choose_heights(
            points, offsets[loop], offsets[loop + 1], height_tolerance, stack, chosen, needed
        )


@borrowing
def _furthest(points, a, b, start, stop):
    """Return the vertex furthest from the line between two others, or from a if they are one."""
    best, found = -1.0, start
    for i in range(start, stop):
        away = _away(points, i, a, b)
        if away > best:
            best, found = away, i
    return found


@borrowing
def _away(points, i, a, b):
    """Return the squared distance in plan of a vertex from the line between two others."""
    du, dv = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    pu, pv = points[i, 0] - points[a, 0], points[i, 1] - points[a, 1]
    square = du * du + dv * dv
    t = 0.0
    if square > 0.0:
        t = max(0.0, min(1.0, (pu * du + pv * dv) / square))
    pu -= t * du
    pv -= t * dv
    return pu * pu + pv * pv


@borrowing
def _split(points, start, stop, low, high, tolerance, stack, chosen):
    """Choose the vertices between two of a loop; `high` may be `stop`, which stands for `start`."""
    stack[0], stack[1] = low, high
    filled = 2
    while filled > 0:
        a, b = stack[filled - 2], stack[filled - 1]
        filled -= 2
        end = b if b < stop else start
        best, found = tolerance * tolerance, -1
        for i in range(a + 1, b):
            away = _away(points, i, a, end)
            if chosen[i] == 1:  # it stays anyway, so it may as well be where the line is cut
                best, found = np.inf, i
                break
            if away > best:
                best, found = away, i
        if found >= 0:
            chosen[found] = 1
            stack[filled], stack[filled + 1] = a, found
            stack[filled + 2], stack[filled + 3] = found, b
            filled += 4


@borrowing
def _choose_heights(points, start, stop, tolerance, stack, chosen, needed):
    """Choose the vertices between the chosen ones of a loop that their heights need."""
    low = start
    for i in range(start, stop):
        needed[i] = 0
    for i in range(start + 1, stop + 1):
        if i < stop and chosen[i] == 0:
            continue
        stack[0], stack[1] = low, i
        low = i
        filled = 2
        while filled > 0:
            a, b = stack[filled - 2], stack[filled - 1]
            filled -= 2
            from_height, to_height = points[a, 2], points[b if b < stop else start, 2]
            best, found = tolerance, -1
            for k in range(a + 1, b):
                between = from_height + (k - a) / (b - a) * (to_height - from_height)
                if abs(points[k, 2] - between) > best:
                    best, found = abs(points[k, 2] - between), k
            if found >= 0:
                needed[found] = 1
                stack[filled], stack[filled + 1] = a, found
                stack[filled + 2], stack[filled + 3] = found, b
                filled += 4
