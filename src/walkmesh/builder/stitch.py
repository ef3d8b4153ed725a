"""Stitching: pieces come to share vertices and edges, also across steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.ground import Ground, Pieces, join
from walkmesh.builder.kernels.stitch import DONE, match_steps, share_vertices, weld_plan
from walkmesh.builder.kernels.tolerances import SINGLE_STEP, STITCHED_STEP, WELD_ROUNDING, WELDED
from walkmesh.ragged import following_corners, offsets_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids

# Cells are no narrower than this. [m]
_NARROWEST_CELL = 0.02
# The longest edge crosses no more cells than this when vertices are looked up.
_MOST_CELLS = 20_000
# How often more polygons are taken to be near pieces, before all are; and how many rings of them
# around a vertex that moved.
_ROUNDS = 8
_RINGS = 3


def stitch(
    pieces: Pieces, agent: Agent, least_step: float = SINGLE_STEP
) -> tuple[Ground, dict[str, int]]:
    """Join pieces into ground.

    Pieces share an edge where they run along it within `max_step` of each other in height; an edge
    that leaves that range halfway is split there.

    Parameters
    ----------
    least_step : float
        How far pieces that share an edge may be apart in height for agents that take no step.
        [Unit: m]

    Returns
    -------
    Ground
        With the sources of the pieces.
    dict of str to int
        Counts: pieces that collapsed, and that were turned over by it.
    """
    # Welding at a hair bends edges by as much as a vertex may be off one. So a vertex on the common
    # line of two pieces could come to lie on the edge of one, and just beside the other's, which is
    # longer. Once neighbours run through the same vertices, both are bent in the same way.
    conforming = _share(pieces, WELD_ROUNDING)
    shared = _share(conforming.pieces, WELDED)
    offsets, ids, heights, places = shared.offsets, shared.ids, shared.heights, shared.places
    mates = np.empty(len(ids), dtype=np.int32)
    crossings = np.empty(len(ids), dtype=np.float64)
    max_step = max(agent.max_step, least_step) + STITCHED_STEP
    if match_steps(offsets, ids, heights, max_step, mates, crossings):
        offsets, ids, heights, places = _split(offsets, ids, heights, places, crossings)
        mates = np.empty(len(ids), dtype=np.int32)
        crossings = np.empty(len(ids), dtype=np.float64)
        # The ends of what was split are exactly a step apart, but for rounding.
        match_steps(offsets, ids, heights, max_step + STITCHED_STEP, mates, crossings)
    ground = join(offsets, places[ids], heights, mates, shared.sources)
    counts = {
        "pieces_collapsed": max(0, len(pieces.sources) - len(shared.sources)),
        "pieces_turned_over": conforming.turned_over + shared.turned_over,
    }
    return ground, counts


def stitch_to(
    ground: Ground, near: Bools, pieces: Pieces, agent: Agent, least_step: float = SINGLE_STEP
) -> tuple[Ground, dict[str, int]]:
    """Join pieces to ground, as :func:`stitch` does with all of it, but look near them only.

    Parameters
    ----------
    ground : Ground
        Polygons that share vertices and edges.
    near : (p,) bool
        The polygons that pieces may lie beside.
    pieces : Pieces
        What to join to them.
    least_step : float
        See :func:`stitch`. [Unit: m]

    Returns
    -------
    Ground
        The polygons that are not near, those that are, and the pieces.
    dict of str to int
        Counts, see :func:`stitch`.
    """
    keys, heights = _edge_keys(ground)
    for _ in range(_ROUNDS):
        beside, counts = stitch(Pieces.together(ground.keep(near), pieces), agent, least_step)
        # Edges between what is near and what is not should be the same as before.
        is_near = near[ground.owners]
        edges = np.flatnonzero(~is_near & (ground.mates >= 0) & is_near[ground.mates])
        across = ground.mates[edges]
        apart = max(agent.max_step, least_step)
        found = _same_edges(keys[across], heights[across], beside, apart)
        lost = edges[found < 0]
        if len(lost) == 0:
            renumbered = np.cumsum(~is_near) - 1
            return _joined(ground.keep(~near), beside, renumbered[edges], found), counts
        # Vertices that were a hair apart have become one; so what is around them is near as well.
        moved = np.zeros(len(ground.points), dtype=bool)
        moved[ground.vertices[lost]] = True
        for _ in range(_RINGS):
            around = np.zeros_like(near)
            around[ground.owners[moved[ground.vertices]]] = True
            moved[ground.vertices[around[ground.owners]]] = True
        near = near | around
    return stitch(Pieces.together(ground, pieces), agent, least_step)


def _joined(far: Ground, beside: Ground, edges: Ids, found: Ids) -> Ground:
    """Return both grounds as one, in which edges (k,) of the first are those found in the other."""
    count = len(far.mates)
    mates = np.concatenate([far.mates, np.where(beside.mates >= 0, beside.mates + count, -1)])
    mates[edges] = found + count
    mates[found + count] = edges
    whole = Pieces.together(far, beside)
    places, heights = np.ascontiguousarray(whole.corners[:, :2]), whole.corners[:, 2].copy()
    return join(whole.offsets, places, heights, mates.astype(np.int32), whole.sources)


def _same_edges(wanted: NDArray[np.void], heights: Floats, other: Ground, max_step: float) -> Ids:
    """(k,) int32: the edges of a ground with the keys and heights of others, within a step.

    -1 where there is none, or where there are several.
    """
    if len(wanted) == 0:
        return np.empty(0, dtype=np.int32)
    keys, other_heights = _edge_keys(other)
    names, of_wanted = np.unique(wanted, return_inverse=True)
    place = np.searchsorted(names, keys).clip(max=len(names) - 1)
    offered = np.flatnonzero(names[place] == keys)
    offered = offered[np.argsort(place[offered], kind="stable")]
    first = np.searchsorted(place[offered], of_wanted, side="left")
    last = np.searchsorted(place[offered], of_wanted, side="right")
    found = np.full(len(wanted), -1, dtype=np.int32)
    for k in range(int((last - first).max(initial=0))):
        there = np.flatnonzero(first + k < last)
        edge = offered[first[there] + k]
        close = np.abs(other_heights[edge] - heights[there]) <= max_step
        again = close & (found[there] != -1)
        found[there[close]] = edge[close]
        found[there[again]] = -2
    return np.asarray(np.maximum(found, -1), dtype=np.int32)


def _edge_keys(ground: Ground) -> tuple[NDArray[np.void], Floats]:
    """Return the ends of each edge in plan, bit by bit, and its height in the middle."""
    ahead = ground.corners[ground.following]
    ends = np.concatenate([ground.corners[:, :2], ahead[:, :2]], axis=1) + 0.0
    keys = np.ascontiguousarray(ends).view(f"V{4 * ends.itemsize}").ravel()
    return keys, (ground.heights + ahead[:, 2]) / 2.0


class _Shared(NamedTuple):
    """Polygons that share vertices in plan, as :func:`share_vertices` writes them."""

    offsets: Ids  # (p + 1,)
    ids: Ids  # (c,)
    heights: Floats  # (c,)
    places: Floats  # (n, 2)
    sources: Ids  # (p,)
    turned_over: int

    @property
    def pieces(self) -> Pieces:
        """The polygons as pieces, which are convex but for the distance that corners moved."""
        corners = np.column_stack([self.places[self.ids], self.heights])
        return Pieces(self.offsets, corners, self.sources)


def _share(pieces: Pieces, distance: float) -> _Shared:
    """Weld corners, and make every vertex on an edge a corner, both up to a distance."""
    count = len(pieces.corners)
    ids = np.empty(count, dtype=np.int32)
    places = np.empty((count, 2), dtype=np.float64)
    vertices = weld_plan(pieces.corners, distance, ids, places)
    places = places[:vertices]
    room = count + count // 2 + 64
    while True:
        offsets = np.empty(len(pieces.sources) + room // 3 + 1, dtype=np.int32)
        out_ids = np.empty(room, dtype=np.int32)
        heights = np.empty(room, dtype=np.float64)
        sources = np.empty(len(offsets) - 1, dtype=np.int32)
        filled = np.empty(3, dtype=np.int64)
        status = share_vertices(
            pieces.offsets,
            pieces.corners,
            ids,
            places,
            distance,
            _cell_width(pieces),
            pieces.sources,
            offsets,
            out_ids,
            heights,
            sources,
            filled,
        )
        if status == DONE:
            break
        room *= 2
    polygons, corners, turned_over = (int(n) for n in filled)
    return _Shared(
        offsets[: polygons + 1].copy(),
        out_ids[:corners].copy(),
        heights[:corners].copy(),
        places,
        sources[:polygons].copy(),
        turned_over,
    )


def _cell_width(pieces: Pieces) -> float:
    """Return the width of cells that most edges cross few of, and that hold few vertices."""
    if len(pieces.corners) == 0:  # all of them collapsed in the first round
        return _NARROWEST_CELL
    following = following_corners(pieces.offsets)
    across, along = (pieces.corners[following, k] - pieces.corners[:, k] for k in range(2))
    lengths = np.sqrt(across * across + along * along)
    width = float(np.clip(2.0 * np.median(lengths), _NARROWEST_CELL, 2.0))
    return max(width, float(lengths.max()) / _MOST_CELLS)


def _split(
    offsets: Ids, ids: Ids, heights: Floats, places: Floats, crossings: Floats
) -> tuple[Ids, Ids, Floats, Floats]:
    """Split edges where their mates leave the range of a step."""
    edges = np.flatnonzero(crossings > 0.0)
    ends = following_corners(offsets)[edges]
    a, b = ids[edges], ids[ends]
    # Both mates get the same vertex: counted from the smaller id, and rounded, they agree.
    part = np.where(a < b, crossings[edges], 1.0 - crossings[edges])
    a, b = np.minimum(a, b), np.maximum(a, b)
    keys = np.column_stack([a, b, np.round(part * 1e6)])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    new_ids = (len(places) + inverse.ravel()).astype(np.int32)
    new_places = places[a] + part[:, None] * (places[b] - places[a])
    new_heights = heights[edges] + crossings[edges] * (heights[ends] - heights[edges])
    return (
        offsets_with(offsets, edges),
        np.insert(ids, edges + 1, new_ids),
        np.insert(heights, edges + 1, new_heights),
        np.concatenate([places, new_places[first]]),
    )
