"""The layout: all gaps beside each other in one plan, cut into triangles.

Gaps on storeys above each other must not meet in plan. So every cluster of parts is moved to a
place of its own on the integer grid, where one triangulation serves all. A cluster that may lie
above itself, such as the gap along a spiral ramp, comes as several, each with its surroundings; of
what is in two of them, one has it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from walkmesh.arrays import Bools, Indices, Longs, find_all
from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges.kernels.crossings import find_crossings
from walkmesh.builder.bridges.kernels.tolerances import LAYOUT_GRID, SNAPPED
from walkmesh.builder.kernels.clusters import gather_members, join_parts
from walkmesh.builder.triangulation import triangulate
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.builder.bridges.rim import GapLimits, Parts

# The most that the layout is wide and high; a triangulation takes less than 2^30. [grid steps]
_WIDEST = 2**29
# How many times crossing lines are split by themselves before their whole clusters are; each time
# leaves about a tenth of them.
_ROUNDS = 8


class GapLayout(NamedTuple):
    """Triangles between lines on the grid. Lines are parts, or parts of them where these cross."""

    triangles: Ids  # (t, 3): vertices, counter-clockwise
    points: Longs  # (n, 2): places of vertices; the last four are a box [grid steps]
    lines: Ids  # (k, 2): first and last vertex; the ground lies to the left
    parts: Ids  # (k,): the part of each line
    clusters: Ids  # (k,): the cluster of each line
    homes: Ids  # (m,): the cluster that has each part, where several show it; -1 if none shows it
    shares: Floats  # (k, 2): where on its part each line starts and stops
    step: float  # the width of the grid [m]


def lay_out(parts: Parts, limits: GapLimits) -> GapLayout | None:
    """Triangulate the surroundings of all gaps; None if there are none."""
    homes, clusters, members = _gather(parts, limits)
    if len(members) == 0:
        return None
    ends = parts.lines[members][:, [0, 1, 3, 4]].reshape(-1, 2, 2)
    places, step = _pack(ends, clusters, 8.0 * limits.distance)
    points, lines = _weld(places)
    long = lines[:, 0] != lines[:, 1]
    lines, members, clusters = lines[long], members[long], clusters[long]
    shares = np.tile([0.0, 1.0], (len(lines), 1))
    # Lines that meet anywhere but in their ends are split there. Rounding may move what is split
    # onto others, which are split then; at last whole clusters are made anew.
    for nth in range(_ROUNDS + 1):
        tangled = _crossing(points, lines)
        if not tangled.any():
            break
        if nth == _ROUNDS:
            tangled = np.isin(clusters, clusters[tangled])
        points, lines, of_line, within = _untangle(points, lines, tangled)
        first, last = shares[of_line].T
        shares = first[:, None] + within * (last - first)[:, None]
        members, clusters = members[of_line], clusters[of_line]
    margin = int(np.ceil(8.0 * limits.distance / step))
    triangles, points = _triangulate(points, lines, margin)
    return GapLayout(triangles, points, lines, members, clusters, homes, shares, step)


def _gather(parts: Parts, limits: GapLimits) -> tuple[Ids, Ids, Ids]:
    """Find clusters.

    Returns
    -------
    homes : (m,) int32
        The cluster of each part: its own if it is active, else the first that it is near, or -1.
    clusters, members : (k,) int32
        Parts near active ones, and the cluster of these, ascending from 0.
    """
    tree = BoxTree.over_lines(parts.lines)
    firsts = np.empty(len(parts.lines), dtype=np.int32)
    join_parts(
        parts.active, tree.boxes, tree.order, tree.nodes, limits.distance, limits.rise, firsts
    )
    homes = _numbered(firsts, parts, limits)
    active = np.flatnonzero(homes >= 0)
    active = active[np.argsort(homes[active], kind="stable")].astype(np.int32)
    find = partial(
        gather_members, active, homes, tree.boxes, tree.order, tree.nodes, 2.0 * limits.distance,
        limits.rise,
    )  # fmt: skip
    pairs = find_all(find, room=2 * len(active) + 256)
    clusters, members = pairs.T.copy()
    passive = homes[members] < 0
    homes[members[passive][::-1]] = clusters[passive][::-1]
    return homes, clusters, members


def _numbered(firsts: Ids, parts: Parts, limits: GapLimits) -> Ids:
    """Give numbers to clusters, known by their first parts, and cut those that are too high."""
    active = np.flatnonzero(firsts >= 0)
    homes = np.full(len(firsts), -1, dtype=np.int32)
    if len(active) == 0:
        return homes
    heights = parts.lines[active][:, [2, 5]].mean(axis=1)
    low = np.full(len(firsts), np.inf)
    high = np.full(len(firsts), -np.inf)
    np.minimum.at(low, firsts[active], heights)
    np.maximum.at(high, firsts[active], heights)
    # With what is a rise around it, what is no higher than this cannot lie above itself. Slabs far
    # thinner than what is around them would only show the same surroundings again and again.
    thick = max(limits.height - 2.0 * limits.rise, limits.height / 4.0, limits.rise / 4.0)
    above = heights - low[firsts[active]]
    too_high = (high - low)[firsts[active]] > thick
    slab = np.where(too_high, above // thick, 0.0).astype(np.int64)
    _, numbers = np.unique(firsts[active].astype(np.int64) << 32 | slab, return_inverse=True)
    homes[active] = numbers
    return homes


def _pack(ends: Floats, clusters: Ids, apart: float) -> tuple[Longs, float]:
    """Move clusters of lines (k, 2, 2) apart, onto a grid; return that, and its width."""
    starts = np.flatnonzero(np.diff(clusters, prepend=-1))
    low = np.minimum.reduceat(ends.min(axis=1), starts)
    size = np.maximum.reduceat(ends.max(axis=1), starts) - low
    step = max(LAYOUT_GRID, float(size.max()) * 4.0 / _WIDEST)
    while True:
        room = np.ceil((size + apart) / step).astype(np.int64)
        # One after the other in rows, and the rows above each other.
        reach = np.cumsum(room[:, 0])
        row = (reach - room[:, 0]) // (_WIDEST // 2)
        first = np.flatnonzero(np.diff(row, prepend=-1))
        heights = np.maximum.reduceat(room[:, 1], first)
        if heights.sum() < _WIDEST:
            break
        step *= 2.0  # so many gaps have room on a wider grid only
    bottoms = np.cumsum(heights) - heights
    of_row = np.cumsum(np.diff(row, prepend=-1) != 0) - 1
    left = reach - room[:, 0] - (reach - room[:, 0])[first][of_row]
    corner = np.column_stack([left, bottoms[of_row]])
    grid = np.round((ends - low[clusters][:, None, :]) / step).astype(np.int64)
    return grid + corner[clusters][:, None, :], step


def _weld(places: Longs) -> tuple[Longs, Ids]:
    """Return the different places (n, 2) of line ends (k, 2, 2), and lines as ids (k, 2)."""
    keys = places[..., 0] << 32 | places[..., 1]
    unique, ids = np.unique(keys.ravel(), return_inverse=True)
    points = np.column_stack([unique >> 32, unique & 0xFFFFFFFF])
    return points, ids.reshape(-1, 2).astype(np.int32)


def _triangulate(points: Longs, lines: Ids, margin: int) -> tuple[Ids, Longs]:
    """Return the triangles between lines in a box, and the points with its corners at the end."""
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    every = np.concatenate([points, box])
    # Each line is a ring of its two ends, once there and once back.
    different, _ = _different(lines)
    rings = np.concatenate([len(points) + np.arange(4), different.ravel()])
    offsets = offsets_of(np.concatenate([[4], np.full(len(different), 2)]))
    return triangulate(every, offsets, rings), every


def _crossing(points: Longs, lines: Ids) -> Bools:
    """(k,) bool: lines that meet others anywhere but in their ends."""
    different, of_line = _different(lines)
    places: Floats = np.column_stack([points, np.zeros(len(points))])
    tree = BoxTree.over(places, different)
    crossing = np.empty(len(different), dtype=np.uint8)
    find_crossings(points, different, tree.arrays, crossing)
    return np.asarray(crossing[of_line] == 1)


def _different(lines: Ids) -> tuple[Ids, Indices]:
    """Return lines without those that run along others from end to end, and which each is."""
    low, high = lines.min(axis=1).astype(np.int64), lines.max(axis=1)
    keys, of_line = np.unique(low << 32 | high, return_inverse=True)
    return np.column_stack([keys >> 32, keys & 0xFFFFFFFF]).astype(np.int32), of_line


def _untangle(points: Longs, lines: Ids, tangled: Bools) -> tuple[Longs, Ids, Indices, Floats]:
    """Split lines (k,) that are tangled where they cross or touch.

    Returns
    -------
    points, lines : (n, 2) int64 and (j, 2) int32
        All lines.
    of_line : (j,) int
        The line that each was.
    shares : (j, 2) float64
        Where on that it starts and stops.
    """
    before = shapely.linestrings(points[lines[tangled]].astype(np.float64))
    noded = shapely.get_parts(shapely.unary_union(before, grid_size=1.0))
    corners, owner = shapely.get_coordinates(noded, return_index=True)
    inner = owner[1:] == owner[:-1]
    pieces = np.stack([corners[:-1][inner], corners[1:][inner]], axis=1)
    # Every piece belongs to all lines that it lies on, whose direction it takes.
    middles = shapely.points(pieces.mean(axis=1))
    piece, line = shapely.STRtree(before).query(middles, predicate="dwithin", distance=SNAPPED)
    line = np.flatnonzero(tangled)[line]
    start, stop = (points[lines[line, k]].astype(np.float64) for k in range(2))
    way = stop - start
    square = (way * way).sum(axis=1)
    shares = np.stack(
        [((pieces[piece, k] - start) * way).sum(axis=1) / square for k in range(2)], axis=1
    )
    off = pieces[piece] - start[:, None] - shares[..., None] * way[:, None]
    along = (np.hypot(off[..., 0], off[..., 1]) <= SNAPPED).all(axis=1)
    # What is as close to the end of a line as rounding takes it is the end.
    length = np.sqrt(square)[:, None]
    shares = np.where(shares * length <= SNAPPED, 0.0, shares)
    shares = np.where((1.0 - shares) * length <= SNAPPED, 1.0, shares)
    along &= shares[:, 0] != shares[:, 1]
    piece, line, shares = piece[along], line[along], shares[along]
    turned = shares[:, 0] > shares[:, 1]
    ends = np.where(turned[:, None, None], pieces[piece][:, ::-1], pieces[piece])
    shares = np.sort(shares, axis=1)
    same = np.flatnonzero(~tangled)
    places = np.concatenate([points[lines[same]], np.round(ends).astype(np.int64)])
    points, lines = _weld(places)
    whole = np.tile([0.0, 1.0], (len(same), 1))
    return points, lines, np.concatenate([same, line]), np.concatenate([whole, shares])
