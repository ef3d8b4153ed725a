"""Level regions joined: into one ground where they are a level apart, and by links at steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.arrays import Bools, Longs, find_all
from walkmesh.builder.voxel.kernels.tolerances import WHOLE_PIECES
from walkmesh.builder.voxel.slices.contours import order_by
from walkmesh.builder.voxel.slices.kernels.join import (
    COL,
    END_COL,
    END_ROW,
    LEVEL,
    REGION,
    ROW,
    choose_nearest,
    match_facing,
    match_stretches,
)
from walkmesh.kernels.meshes.union_find import unite_pairs
from walkmesh.ragged import following_corners, offsets_of, ranges

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.builder.voxel.slices.contours import SliceContours

# Regions whose levels differ by no more than this are one ground where they run along each other:
# no more than rounding heights to levels need have parted them.
_ONE_GROUND = 1


@dataclass(frozen=True)
class StepLinks:
    """Places where a step leads from one level region to another, both ways."""

    # The regions.
    lower: Ids  # (m,)
    upper: Ids  # (m,)
    # Where the link is on either region: u, v and height. The first two are the same where the
    # contours run along each other. [m]
    low: Floats  # (m, 3)
    high: Floats  # (m, 3)
    facing: Bools  # (m,): whether there is a gap between the two contours


@dataclass(frozen=True)
class JoinedSlices:
    """Level regions whose rings share vertices where they are one ground.

    Along a common stretch, the edges of both rings are the same, one run through the other way.
    Rings keep the order, the first points and the directions of :class:`SliceContours`.
    """

    levels: Ids  # (r,): the level of each region [cell heights]
    region_rings: Ids  # (r + 1,): where each region's rings start
    ring_offsets: Ids  # (k + 1,): where each ring's vertices start
    # (c,): the rings' vertices. A ring that touches itself has one of them twice where the ground
    # across the point joins both places
    vertices: Ids
    points: Ids  # (n, 2): lattice point (row, col) of each vertex
    heights: Floats  # (n,): half way between the lowest and the highest level that meet there [m]
    links: StepLinks  # between regions that are more than a level apart, or do not touch


def join_slices(
    contours: SliceContours,
    max_levels: int,
    *,
    cell: float,
    cell_height: float,
    spacing: float,
    radius: float,
) -> JoinedSlices:
    """Join level regions.

    Where the contours of two regions run along each other, with one region on each side, they are
    one ground if they are a level apart, and there are links if they are up to `max_levels` apart.
    Edges that run along no other, but face one of a region that is not joined to theirs yet, are
    linked when both pairs of ends are close: so are the treads of stairs with gaps between.

    Spans above each other in one column must be more than two levels apart, so that a region is one
    ground with no more than one other at any place of its contour.

    Parameters
    ----------
    contours : SliceContours
        All regions.
    max_levels : int
        The highest step. [cell heights]
    cell : float
        Width of the cells. [m]
    cell_height : float
        Height of a level. [m]
    spacing : float
        A stretch longer than this has several links. [m]
    radius : float
        Ends of edges that face each other are close when they are closer than this. [m]
    """
    edges = _edges(contours)
    stretches = _stretches(edges, max(max_levels, _ONE_GROUND))
    rises = edges[stretches[:, 1], LEVEL] - edges[stretches[:, 0], LEVEL]
    ground, steps = stretches[rises <= _ONE_GROUND], stretches[rises > _ONE_GROUND]
    ring_offsets, corners, pairs = _insert(contours, edges, ground)
    parents = np.empty(len(corners), dtype=np.int32)
    unite_pairs(pairs, parents)
    first = parents == np.arange(len(corners))
    vertices = (np.cumsum(first, dtype=np.int32) - 1)[parents]
    levels = np.repeat(
        np.repeat(contours.levels, np.diff(contours.region_rings)), np.diff(ring_offsets)
    )
    lowest, highest = levels[first], levels[first]
    np.minimum.at(lowest, vertices, levels)
    np.maximum.at(highest, vertices, levels)
    along = _step_pairs(edges, steps, cell, spacing)
    across = _facing_pairs(edges, stretches, max_levels, radius / cell)
    return JoinedSlices(
        contours.levels,
        contours.region_rings,
        ring_offsets,
        vertices,
        corners[first],
        (lowest.astype(np.float64) + highest) * (0.5 * cell_height),
        _links(edges, along, across, cell, cell_height),
    )


def _edges(contours: SliceContours) -> Ids:
    """(c, 6) int32: start, end, region and level of the edge from every corner to the next."""
    following = following_corners(contours.ring_offsets)
    regions = np.repeat(
        np.arange(len(contours.levels), dtype=np.int32), np.diff(contours.region_rings)
    )
    regions = np.repeat(regions, np.diff(contours.ring_offsets))
    points, levels = contours.points, contours.levels[regions]
    return np.column_stack([points, points[following], regions, levels])


def _stretches(edges: Ids, most: int) -> Ids:
    """(n, 4) int32: lower edge, upper edge, and the range of their line where both are."""
    along_row = edges[:, ROW] == edges[:, END_ROW]
    line = np.where(along_row, edges[:, ROW], edges[:, COL])
    start = np.where(along_row, edges[:, COL], edges[:, ROW])
    end = np.where(along_row, edges[:, END_COL], edges[:, END_ROW])
    order = order_by(np.minimum(start, end), line, along_row.astype(np.int32))
    return find_all(partial(match_stretches, edges, order, most), 4, len(edges))


def _insert(contours: SliceContours, edges: Ids, stretches: Ids) -> tuple[Ids, Ids, Ids]:
    """Insert the ends of stretches into the edges of both sides.

    Returns
    -------
    (k + 1,) int32
        Where each ring's corners start.
    (c, 2) int32
        Lattice points of the corners.
    (2 n, 2) int32
        The corners of the lower and the upper ring at both ends of each stretch.
    """
    along_row = edges[:, ROW] == edges[:, END_ROW]
    starts = np.where(along_row, edges[:, COL], edges[:, ROW])
    lengths = np.abs(np.where(along_row, edges[:, END_COL], edges[:, END_ROW]) - starts)
    # One for each end and side of a stretch: which edge, and how far along it.
    owners = np.concatenate([stretches[:, :2], stretches[:, :2]])
    distances = np.abs(
        np.concatenate([stretches[:, [2, 2]], stretches[:, [3, 3]]]) - starts[owners]
    )
    inner = (distances > 0) & (distances < lengths[owners])
    span = int(lengths.max(initial=0)) + 1
    keys = owners.astype(np.int64) * span + distances
    inserted = np.unique(keys[inner])
    split, along = inserted // span, (inserted % span).astype(np.int32)
    directions = np.sign(edges[split, END_ROW : END_COL + 1] - edges[split, ROW : COL + 1])
    points = edges[split, ROW : COL + 1] + directions * along[:, None]
    corners = np.insert(contours.points, split + 1, points, axis=0)

    added = np.bincount(split, minlength=len(edges))
    before = offsets_of(added)
    places = np.arange(len(edges)) + before[:-1]
    following = following_corners(contours.ring_offsets)
    ranks = np.searchsorted(inserted, keys) - before[owners] + (distances > 0)
    ends = np.where(distances == lengths[owners], places[following[owners]], places[owners] + ranks)
    offsets = contours.ring_offsets + before[contours.ring_offsets]
    return offsets.astype(np.int32), corners, ends.astype(np.int32)


class _LinkedEdges(NamedTuple):
    """Pairs of edges with a link between them."""

    edges: Ids  # (m, 2): the lower and the upper one
    low: Floats  # (m, 2): where the link starts [cells]
    high: Floats  # (m, 2): where it ends [cells]


def _step_pairs(edges: Ids, steps: Ids, cell: float, spacing: float) -> _LinkedEdges:
    """Place links along steps, in the middle of pieces no longer than the spacing."""
    lengths = (steps[:, 3] - steps[:, 2]).astype(np.float64)
    # Rounding must not cut a stretch in two that is as long as the spacing.
    pieces = np.maximum(1, np.ceil(lengths * (cell / spacing) - WHOLE_PIECES)).astype(np.int64)
    stretch = np.repeat(np.arange(len(steps)), pieces)
    ranks = ranges(np.zeros_like(pieces), pieces)
    middles = steps[stretch, 2] + (ranks + 0.5) * (lengths / pieces)[stretch]
    pairs = steps[stretch, :2]
    lower = edges[pairs[:, 0]]
    along_row = lower[:, ROW] == lower[:, END_ROW]
    places = np.column_stack(
        [np.where(along_row, lower[:, ROW], middles), np.where(along_row, middles, lower[:, COL])]
    )
    return _LinkedEdges(pairs, places, places)


def _facing_pairs(edges: Ids, stretches: Ids, most: int, radius: float) -> _LinkedEdges:
    """Place links across gaps, between the middles of edges; the radius is in cells."""
    free = np.ones(len(edges), dtype=bool)
    free[stretches[:, :2]] = False
    loose = np.flatnonzero(free).astype(np.int32)
    # No radius leaves no edges to look at.
    candidates = edges[loose] if radius > 0.0 else edges[:0]
    pairs = find_all(partial(match_facing, candidates, most, float(radius)), 3, len(loose))
    pairs[:, :2] = loose[pairs[:, :2]]
    regions = int(edges[:, REGION].max(initial=0)) + 1
    keys = _pair_keys(edges, pairs, regions)
    apart = ~np.isin(keys, _pair_keys(edges, stretches, regions))
    pairs, keys = pairs[apart], keys[apart]
    # Nearest first, so that no edge has more than one link to the same region.
    order = np.lexsort((pairs[:, 1], pairs[:, 0], pairs[:, 2], keys))
    pairs, keys = pairs[order], keys[order]
    groups = np.cumsum(np.diff(keys, prepend=-1) != 0, dtype=np.int32)
    chosen = np.empty(len(pairs), dtype=np.uint8)
    choose_nearest(pairs, groups, len(edges), chosen)
    pairs = pairs[chosen == 1, :2]
    middles: Floats = (edges[:, ROW : COL + 1] + edges[:, END_ROW : END_COL + 1]) * np.float64(0.5)
    return _LinkedEdges(pairs, middles[pairs[:, 0]], middles[pairs[:, 1]])


def _pair_keys(edges: Ids, pairs: Ids, regions: int) -> Longs:
    """(n,) int64: a number for the lower and the upper region of each pair of edges."""
    lower, upper = edges[pairs[:, 0], REGION], edges[pairs[:, 1], REGION]
    keys: Longs = lower.astype(np.int64) * regions + upper
    return keys


def _links(
    edges: Ids, along: _LinkedEdges, across: _LinkedEdges, cell: float, cell_height: float
) -> StepLinks:
    """Put the links along steps and across gaps together, in metres."""
    pairs = np.concatenate([along.edges, across.edges])
    low, high = np.concatenate([along.low, across.low]), np.concatenate([along.high, across.high])
    lower, upper = edges[pairs[:, 0]], edges[pairs[:, 1]]
    return StepLinks(
        lower[:, REGION].copy(),
        upper[:, REGION].copy(),
        np.column_stack([low * cell, lower[:, LEVEL] * cell_height]),
        np.column_stack([high * cell, upper[:, LEVEL] * cell_height]),
        np.arange(len(pairs)) >= len(along.edges),
    )
