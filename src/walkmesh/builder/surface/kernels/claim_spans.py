"""Giving every place along the boundary to one join only, the narrowest first."""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(kt.POINTS, kt.POINTS, kt.TRIPLES, kt.POINTS, kt.INTS, kt.OUT_POINTS)
def claim_spans(starts, ends, pairs, spans, order, joins):
    """Take spans in order, and of each what no earlier one has along either edge.

    Parameters
    ----------
    starts, ends : (b, 3) float64
        Boundary edges. [Unit: m]
    pairs, spans : (k, 2) int32 and (k, 4) float64
        See :func:`walkmesh.builder.surface.kernels.pair_edges.pair_edges`.
    order : (k,) int32
        Which pair comes first.
    joins : (j, 13) float64, output
        The corners of each join, two along the first edge and those across from them (metres), and
        what it is.

    Returns
    -------
    int
        How many joins there are, also if there was no room for them.
    """
    heads = np.full(len(starts), -1, np.int32)
    claims = np.empty((4 * len(order) + 64, 2), np.float64)
    following = np.empty(len(claims), np.int32)
    used, count = 0, 0
    free = np.empty((64, 2), np.float64)
    for place in order:
        e, f = pairs[place, 0], pairs[place, 1]
        # Every claim along either edge can split one part in two.
        claimed = _count_claims(heads, following, e) + _count_claims(heads, following, f)
        if claimed + 1 > len(free):
            free = np.empty((2 * (claimed + 1), 2), np.float64)
        free[0, 0], free[0, 1] = spans[place, 1], spans[place, 2]
        parts = _without(heads, following, claims, e, 0.0, 1.0, free, 1)
        # Places along f as places along e: p -> at + p * turn.
        at, turn = _measure(starts, ends, e, f)
        parts = _without(heads, following, claims, f, at, turn, free, parts)
        for part in range(parts):
            low, high = free[part, 0], free[part, 1]
            if high - low < tol.SHORT_SIDE:
                continue
            if used + 2 > len(claims):
                claims, following = _grow(claims, following, used)
            claims[used, 0], claims[used, 1] = low, high
            following[used], heads[e] = heads[e], used
            one, two = (low - at) / turn, (high - at) / turn
            claims[used + 1, 0], claims[used + 1, 1] = min(one, two), max(one, two)
            following[used + 1], heads[f] = heads[f], used + 1
            used += 2
            if count < len(joins):
                _write_place(starts, ends, e, low, joins, count, 0)
                _write_place(starts, ends, e, high, joins, count, 3)
                _write_place(starts, ends, f, two, joins, count, 6)
                _write_place(starts, ends, f, one, joins, count, 9)
                joins[count, 12] = spans[place, 3]
            count += 1
    return count


@kernel
def _count_claims(heads, following, edge):
    """Return how many claims there are along an edge."""
    count = 0
    claim = heads[edge]
    while claim >= 0:
        count += 1
        claim = following[claim]
    return count


@kernel
def _grow(claims, following, used):
    """Return room for more claims, with those there are."""
    more = np.empty((2 * len(claims), 2), np.float64)
    links = np.empty(len(more), np.int32)
    for i in range(used):
        more[i, 0], more[i, 1] = claims[i, 0], claims[i, 1]
        links[i] = following[i]
    return more, links


@kernel
def _measure(starts, ends, e, f):
    """Return where along edge e the edge f starts, and how far a metre along f leads on e."""
    length, other, at, turn = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        length += (ends[e, k] - starts[e, k]) ** 2
        other += (ends[f, k] - starts[f, k]) ** 2
    length, other = np.sqrt(length), np.sqrt(other)
    for k in range(3):
        way = (ends[e, k] - starts[e, k]) / length
        at += way * (starts[f, k] - starts[e, k])
        turn += way * (ends[f, k] - starts[f, k]) / other
    return at, turn


@kernel
def _without(heads, following, claims, edge, at, turn, free, parts):
    """Take an edge's claims away from parts; return how many parts are left."""
    claim = heads[edge]
    while claim >= 0:
        one, two = at + turn * claims[claim, 0], at + turn * claims[claim, 1]
        low, high = min(one, two), max(one, two)
        for part in range(parts):
            first, last = free[part, 0], free[part, 1]
            if high <= first or low >= last:
                continue
            free[part, 1] = max(low, first)
            if high < last:
                free[parts, 0], free[parts, 1] = high, last
                parts += 1
        claim = following[claim]
    return parts


@kernel
def _write_place(starts, ends, e, at, joins, row, column):
    """Write the place so many metres along an edge."""
    length = 0.0
    for k in range(3):
        length += (ends[e, k] - starts[e, k]) ** 2
    share = min(max(at / np.sqrt(length), 0.0), 1.0)
    for k in range(3):
        joins[row, column + k] = starts[e, k] + share * (ends[e, k] - starts[e, k])
