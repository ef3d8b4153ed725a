"""Stitching: pieces that lie beside each other in plan come to share vertices and edges.

Corners closer than a hair in plan become one vertex, and a vertex that lies on the edge of another
piece becomes a corner of it, so that neighbours run through the same edges. Slivers collapse by
this: their edges cancel, and what lay on both sides of them meets. An edge is split in the same way
whichever piece runs through it, as in iterated snap rounding (Halperin and Packer 2002). Heights
stay with the corners of each piece, because at a step two pieces share an edge in plan at different
heights.
"""

import numpy as np

from walkmesh.builder.kernels.edge_vertices import follow_edge, make_grid
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.meshes.union_find import number_sets, separate, unite
from walkmesh.kernels.search.hash_grid import enter, first_in, make_hash_grid
from walkmesh.kernels.search.hashing import hash_pair, table_size

DONE, OUTPUT_FULL = 0, 1

# How many edges are remembered, a power of two.
_KNOWN_EDGES = 1 << 14

_UNMATCHED, _REFUSED = -1, -2


@kernel(kt.POINTS, kt.FLOAT, kt.OUT_INTS, kt.OUT_POINTS)
def weld_plan(corners, distance, ids, places):
    """Make one vertex of corners that are close in plan, whatever their heights.

    Parameters
    ----------
    corners : (c, 3) float64
        Positions in the plan frame. [Unit: m]
    distance : float
        How far apart corners may be to become one. [Unit: m]
    ids : (c,) int32, output
        The vertex of each corner.
    places : (c, 2) float64, output
        Positions of the vertices, in its first rows.

    Returns
    -------
    int
        The number of vertices.
    """
    # Cells twice the distance wide: what is close enough lies in the same cell or, on each axis,
    # in the one on the nearer side.
    grid = make_hash_grid(len(corners))
    scale = 0.5 / distance
    count = 0
    for i in range(len(corners)):
        u, v = corners[i, 0], corners[i, 1]
        cu, cv = int(np.floor(u * scale)), int(np.floor(v * scale))
        du = 1 if u * scale - cu > 0.5 else -1
        dv = 1 if v * scale - cv > 0.5 else -1
        found = -1
        for cell in range(4):
            j = first_in(grid, cu + du * (cell & 1), cv + dv * (cell >> 1))
            while j >= 0:
                near = (places[j, 0] - u) ** 2 + (places[j, 1] - v) ** 2 <= distance * distance
                if near and (found < 0 or j < found):
                    found = j
                j = grid.links[j]
        if found < 0:
            found = count
            count += 1
            places[found, 0], places[found, 1] = u, v
            enter(grid, found, cu, cv)
        ids[i] = found
    return count


@kernel(
    kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.INTS,
    kt.OUT_INTS, kt.OUT_INTS, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_LONGS,
)  # fmt: skip
def share_vertices(
    offsets, corners, ids, places, distance, cell, sources,
    out_offsets, out_ids, out_heights, out_sources, filled,
):  # fmt: skip
    """Make every vertex on an edge of a piece a corner of that piece, and drop what collapsed.

    Heights play no part in it: were vertices left out that lie far above or below, two pieces a
    step apart could come to differ in one of them, and no longer share their edge.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each piece's corners start.
    corners : (c, 3) float64
        Positions of the corners. [Unit: m]
    ids : (c,) int32
        The vertex of each corner.
    places : (n, 2) float64
        Positions of the vertices in plan. [Unit: m]
    distance : float
        How far from an edge a vertex may be to lie on it. [Unit: m]
    cell : float
        Width of the cells that vertices are looked up in. [Unit: m]
    sources : (p,) int32
        Handed on from pieces to polygons.
    out_offsets, out_ids, out_heights, out_sources : arrays, output
        The polygons, as above, with the height of each corner.
    filled : (3,) int64, output
        How many polygons, corners and pieces turned over there are.

    Returns
    -------
    int
        DONE, or OUTPUT_FULL.
    """
    count = len(places)
    grid = make_grid(places, cell)
    room = 1 << 10
    ring, ring_heights, chain, chain_heights, search = _make_rings(room)
    # Edges that were found to have no vertex on them; most are met again, from the other side.
    bare = np.full((_KNOWN_EDGES, 2), -1, np.int32)
    at = np.full(count, -1, np.int32)  # where each vertex is in the chain walked so far
    filled[0], filled[1], filled[2] = 0, 0, 0
    out_offsets[0] = 0
    for piece in range(len(offsets) - 1):
        while True:
            length = _follow_ring(
                piece, offsets, corners, ids, places, grid, distance, cell, search, bare, ring,
                ring_heights,
            )  # fmt: skip
            if length >= 0:
                break
            room *= 2  # a large face can have any number of vertices on its edges
            ring, ring_heights, chain, chain_heights, search = _make_rings(room)
        # Whenever the ring comes back to a vertex, a loop is complete; those of two corners are
        # edges that cancel.
        top = 0
        for i in range(length):
            vertex = ring[i]
            start = at[vertex]
            if start >= 0:
                if not _close_loop(
                    chain, chain_heights, start, top, places, sources[piece],
                    out_offsets, out_ids, out_heights, out_sources, filled,
                ):  # fmt: skip
                    return OUTPUT_FULL
                for k in range(start + 1, top):
                    at[chain[k]] = -1
                top = start + 1
            else:
                chain[top], chain_heights[top] = vertex, ring_heights[i]
                at[vertex] = top
                top += 1
        if not _close_loop(
            chain, chain_heights, 0, top, places, sources[piece],
            out_offsets, out_ids, out_heights, out_sources, filled,
        ):  # fmt: skip
            return OUTPUT_FULL
        for k in range(top):
            at[chain[k]] = -1
    return DONE


@kernel
def _make_rings(room):
    """Return scratch for the corners of a piece, for the chain walked, and for the search."""
    search = (np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.float64))
    return (
        np.empty(room, np.int32),
        np.empty(room, np.float64),
        np.empty(room, np.int32),
        np.empty(room, np.float64),
        search,
    )


@borrowing
def _follow_ring(
    piece, offsets, corners, ids, places, grid, distance, cell, search, bare, ring, heights
):
    """Write the vertices around a piece and their heights; return their number, -1 if too many."""
    length = 0
    for i in range(offsets[piece], offsets[piece + 1]):
        j = next_corner(offsets, piece, i)
        a, b = ids[i], ids[j]
        if a == b:
            continue
        if length == len(ring):
            return -1
        ha, hb = corners[i, 2], corners[j, 2]
        ring[length], heights[length] = a, ha
        low, high = min(a, b), max(a, b)
        slot = hash_pair(low, high, _KNOWN_EDGES - 1)
        if bare[slot, 0] == low and bare[slot, 1] == high:
            length += 1
            continue
        stop = follow_edge(places, grid, a, b, distance, cell, search, ring, length + 1)
        if stop < 0:
            return -1
        if stop == length + 1:
            bare[slot, 0], bare[slot, 1] = low, high
        for k in range(length + 1, stop):
            heights[k] = ha + _part_along(places, a, b, ring[k]) * (hb - ha)
        length = stop
    return length


@kernel
def _part_along(places, a, b, vertex):
    """Return how far along the edge from a to b a vertex lies, as a part of its length."""
    return to_segment(
        places[vertex, 0], places[vertex, 1],
        places[a, 0], places[a, 1], places[b, 0], places[b, 1],
    )[1]  # fmt: skip


@kernel
def _close_loop(
    chain, heights, start, stop, places, source,
    out_offsets, out_ids, out_heights, out_sources, filled,
):  # fmt: skip
    """Write chain[start:stop] down as a polygon if it has an area; False if there is no room."""
    if stop - start < 3:
        return True
    u, v = places[chain[start], 0], places[chain[start], 1]
    twice = 0.0
    for k in range(start + 1, stop - 1):
        p, q = chain[k], chain[k + 1]
        twice += turn_of(u, v, places[p, 0], places[p, 1], places[q, 0], places[q, 1])
    if twice <= 0.0:
        filled[2] += 1
        return True
    if filled[0] >= len(out_sources) or filled[1] + stop - start > len(out_ids):
        return False
    for k in range(start, stop):
        out_ids[filled[1]], out_heights[filled[1]] = chain[k], heights[k]
        filled[1] += 1
    out_sources[filled[0]] = source
    filled[0] += 1
    out_offsets[filled[0]] = filled[1]
    return True


@kernel(kt.INTS, kt.INTS, kt.FLOATS, kt.FLOAT, kt.OUT_INTS, kt.OUT_FLOATS)
def match_steps(offsets, ids, heights, max_step, mates, crossings):
    """Match edges that two polygons run through in opposite directions, no more than a step apart.

    Of several above each other, those nearest in height are matched first.

    Parameters
    ----------
    offsets, ids : (p + 1,) and (c,) int32
        Polygons of vertex ids.
    heights : (c,) float64
        The height of each corner. [Unit: m]
    max_step : float
        The highest step. [Unit: m]
    mates : (c,) int32, output
        The edge across each edge, named by its first corner; -1 where there is none.
    crossings : (c,) float64, output
        For an edge whose mate is within a step at one end only: the part of its length at which
        it no longer is. 0 elsewhere.

    Returns
    -------
    int
        The number of edges with a crossing.
    """
    count = len(ids)
    ends, end_heights = np.empty(count, np.int32), np.empty(count, np.float64)
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            j = next_corner(offsets, polygon, i)
            ends[i], end_heights[i] = ids[j], heights[j]
    # A table of edges, with links from each to the last one before it between the same vertices.
    size = table_size(count)
    table = np.full(size, -1, np.int32)
    links = np.full(count, -1, np.int32)
    for i in range(count):
        mates[i], crossings[i] = _UNMATCHED, 0.0
        a, b = min(ids[i], ends[i]), max(ids[i], ends[i])
        place = hash_pair(a, b, size - 1)
        while True:
            j = table[place]
            if j < 0 or (min(ids[j], ends[j]) == a and max(ids[j], ends[j]) == b):
                break
            place = (place + 1) & (size - 1)
        links[i] = table[place]
        table[place] = i
    crossed = 0
    for place in range(size):
        if table[place] < 0:
            continue
        while True:
            i, j = _nearest_pair(table[place], links, ids, ends, heights, end_heights, mates)
            if i < 0:
                break
            first, last = heights[i] - end_heights[j], end_heights[i] - heights[j]
            if abs(first) <= max_step and abs(last) <= max_step:
                mates[i], mates[j] = j, i
                continue
            mates[i], mates[j] = _REFUSED, _REFUSED
            if abs(first) <= max_step or abs(last) <= max_step:
                limit = max_step if max(first, last) > max_step else -max_step
                part = (limit - first) / (last - first)
                if 0.0 < part < 1.0:
                    crossings[i], crossings[j] = part, 1.0 - part
                    crossed += 2
    for i in range(count):
        mates[i] = max(mates[i], _UNMATCHED)
    return crossed


@kernel
def _nearest_pair(head, links, ids, ends, heights, end_heights, mates):
    """Return the two opposite unmatched edges of one list that are nearest in height, or -1."""
    best, best_i, best_j = np.inf, -1, -1
    i = head
    while i >= 0:
        if mates[i] == _UNMATCHED and ids[i] < ends[i]:
            j = head
            while j >= 0:
                if mates[j] == _UNMATCHED and ids[j] == ends[i]:
                    apart = abs(heights[i] + end_heights[i] - heights[j] - end_heights[j])
                    if apart < best:
                        best, best_i, best_j = apart, i, j
                j = links[j]
        i = links[i]
    return best_i, best_j


@kernel(kt.INTS, kt.INTS, kt.OUT_INTS)
def number_fans(offsets, mates, vertices):
    """Give one vertex to the corners that hang together by shared edges around a place.

    Polygons that only touch at a corner, or lie above each other, get vertices of their own, so
    every vertex has the neighbourhood of a disc or of a part of one.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    mates : (c,) int32
        The edge across each edge; negative where there is none.
    vertices : (c,) int32, output
        The vertex of each corner.

    Returns
    -------
    int
        The number of vertices.
    """
    count = len(mates)
    parent = np.empty(count, np.int32)
    separate(parent)
    following = np.empty(count, np.int32)
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            following[i] = next_corner(offsets, polygon, i)
    for i in range(count):
        j = mates[i]
        if j > i:
            unite(parent, i, following[j])
            unite(parent, following[i], j)
    return number_sets(parent, vertices)
