r"""Cells: the parts of a layout that are narrow enough to be bridged.

Sides of triangles that are no longer than the distance part the layout into cells::

     ground                       a cell ends at corners, straight across from them, and where
     -------+--------+            the gap becomes too wide
            |        |
      cell  |  cell  |  open      what is open is wider than the distance, or reaches to where
            |        |            it is
     -------+--------+---------
     ground

A cell is bridged if no circle with the distance as diameter fits into it, all of its lines have
their ground on the other side, the rise is not too much, and a gap that can be crossed lies in it;
or, for what is left in between, if all the cells around it are bridged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from walkmesh.builder.bridges.kernels.flat import flip_flat
from walkmesh.builder.bridges.kernels.tolerances import LINE_WIDTH, SAME_LENGTH, WIDER
from walkmesh.builder.bridges.triangles import plan_widths, rises, slopes
from walkmesh.ragged import label_polygons
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.bridges.layout import GapLayout
    from walkmesh.builder.bridges.rim import GapLimits, Parts

# Circles around corners are drawn with this many sides a quarter.
_SIDES = 32


class Cells(NamedTuple):
    """The triangles of cells that may be bridged, and what they lie on."""

    corners: Floats  # (t, 3, 3): (u, v, h), counter-clockwise; heights are those of the ground [m]
    labels: Ids  # (t,): the cell of each
    clusters: Ids  # (t,): the cluster of the layout that each lies in
    vertices: Ids  # (t, 3): one number for all corners at a place
    parts: Ids  # (t, 3): the part of the rim that each corner lies on
    shares: Floats  # (t, 3): where on that part
    across: Ids  # (t, 3): the part of the rim that each side runs along; -1 for none
    spans: Floats  # (t, 3, 2): from where to where on that part, in its direction
    around: Ids  # (t, 3): the cell across each side; its own, or -1 at the rim
    at_home: Bools  # (t,): whether no other cluster has the same triangle
    active: Bools  # (c,): cells that have a gap in them
    usable: Bools  # (c,): cells that are narrow and not too steep
    flat: Bools  # (c,): cells without any width

    def choose(self, blocked: Bools) -> Bools:
        """(t,) bool: which triangles to bridge, if cells (c,) are blocked."""
        filled = self.usable & ~blocked
        while True:
            # Those without a gap stay only as far as every side is a bridge's or the rim's.
            beside = (self.around < 0) | filled[self.around]
            is_open = np.zeros(len(filled), dtype=bool)
            is_open[self.labels[~beside.all(axis=1)]] = True
            if not (filled & is_open & ~self.active).any():
                break
            filled &= ~is_open | self.active
        # What has no width only fills the corners that others leave.
        reached = filled & ~self.flat
        while True:
            beside = (self.around >= 0) & reached[self.around]
            further = reached.copy()
            further[self.labels[beside.any(axis=1)]] = True
            further &= filled
            if (further == reached).all():
                return reached[self.labels] & self.at_home
            reached = further


def find_cells(layout: GapLayout, parts: Parts, limits: GapLimits) -> Cells:
    """Find the cells of a layout."""
    triangles, mates = layout.triangles.copy(), match_triangles(layout.triangles)
    before, behind = _lines_along(layout, triangles)
    is_line = ((before >= 0) | (behind >= 0)).astype(np.uint8)
    ids = triangles.reshape(-1)
    if flip_flat(layout.points, ids, mates, is_line.reshape(-1)):
        before, behind = _lines_along(layout, triangles)
    mates = mates.reshape(-1, 3)
    starts, ends = triangles, np.roll(triangles, -1, axis=1)
    is_free = (before < 0) & (behind < 0) & (mates >= 0)
    way = layout.points[ends] - layout.points[starts]
    length = np.hypot(way[..., 0], way[..., 1]) * layout.step
    is_outer = triangles >= len(layout.points) - 4
    is_long = (length > _widest(layout, limits)) | is_outer | np.roll(is_outer, -1, axis=1)
    neighbors = np.where(mates >= 0, mates // 3, -1)
    labels = label_polygons(
        np.arange(0, triangles.size + 1, 3, dtype=np.int32),
        np.where(is_free & is_long, neighbors, -1).astype(np.int32).ravel(),
    )
    count = int(labels.max()) + 1
    # Cells on the ground, or that go on to the box, are no gaps.
    is_gap = np.ones(count, dtype=bool)
    is_gap[labels[(before >= 0).any(axis=1) | is_outer.any(axis=1)]] = False
    is_gap &= _are_narrow(layout, triangles, labels, is_gap, limits)
    chosen = np.flatnonzero(is_gap[labels])
    behind, own = behind[chosen], labels[chosen]
    lines, line_ends = _corner_lines(layout, parts, triangles[chosen], behind)
    places = _places(layout, parts, lines, line_ends)
    fits = _fits(places, behind, limits) & _meet(layout, parts, behind, limits.max_step)
    is_gap[own[~fits]] = False
    is_gap[own[((behind >= 0) & parts.closed[layout.parts[behind]]).any(axis=1)]] = False
    active = np.zeros(count, dtype=bool)
    has_gap = ((behind >= 0) & (parts.active[layout.parts[behind]] == 1)).any(axis=1)
    has_width = plan_widths(places) > LINE_WIDTH
    active[own[has_gap & has_width]] = True
    flat = np.ones(count, dtype=bool)
    flat[own[has_width]] = False
    around = np.where(mates[chosen] >= 0, labels[neighbors[chosen]], -1)
    around = np.where(behind >= 0, -1, around)
    return Cells(
        places,
        own,
        layout.clusters[lines[:, 0]],
        triangles[chosen],
        layout.parts[lines],
        layout.shares[lines, line_ends],
        np.where(behind >= 0, layout.parts[behind], -1),
        layout.shares[behind],
        around,
        _at_home(layout, parts, own, lines),
        active,
        is_gap,
        flat,
    )


def _at_home(layout: GapLayout, parts: Parts, labels: Ids, lines: Indices) -> Bools:
    """(t,) bool: triangles of cells (t,) that lie in the cluster that has their first part."""
    # Active parts come first, since what is near them is in their cluster.
    rank = np.where(parts.active == 1, 0, len(layout.homes)) + np.arange(len(layout.homes))
    first = np.full(int(labels.max(initial=0)) + 1, 2 * len(layout.homes))
    np.minimum.at(first, labels, rank[layout.parts[lines]].min(axis=1))
    homes = layout.homes[first[labels] % len(layout.homes)]
    return np.asarray(homes == layout.clusters[lines[:, 0]])


def _lines_along(layout: GapLayout, triangles: Ids) -> tuple[Indices, Indices]:
    """Return for each side of triangles (t, 3) a line along it, and one back; -1 for none."""
    starts, ends = triangles.astype(np.int64), np.roll(triangles, -1, axis=1).astype(np.int64)
    key = layout.lines[:, 0].astype(np.int64) << 32 | layout.lines[:, 1]
    order = np.argsort(key, kind="stable")
    key = key[order]
    both = []
    for wanted in (starts << 32 | ends, ends << 32 | starts):
        place = np.searchsorted(key, wanted).clip(max=len(key) - 1)
        both.append(np.where(key[place] == wanted, order[place], -1))
    return both[0], both[1]


def _widest(layout: GapLayout, limits: GapLimits) -> float:
    """Return how wide a gap is on the grid, at most. [Unit: m]."""
    return limits.distance + SAME_LENGTH + WIDER * layout.step


def _are_narrow(
    layout: GapLayout, triangles: Ids, labels: Ids, candidates: Bools, limits: GapLimits
) -> Bools:
    """(c,) bool: cells into which no circle with the distance as diameter fits."""
    widest = _widest(layout, limits) / layout.step
    narrow = candidates.copy()
    order = np.flatnonzero(candidates[labels])
    order = order[np.argsort(labels[order], kind="stable")]
    if len(order) == 0:
        return narrow
    corners = layout.points[triangles[order]].astype(np.float64)
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    cells = labels[order[starts]]
    sides = np.roll(corners, -1, axis=1) - corners
    twice = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    outline = np.hypot(sides[..., 0], sides[..., 1]).sum(axis=1)
    # The circle inside one triangle may be too large already.
    wide = np.maximum.reduceat(2.0 * twice / outline, starts) > widest
    narrow[cells[wide]] = False
    low = np.minimum.reduceat(corners.min(axis=1), starts)
    high = np.maximum.reduceat(corners.max(axis=1), starts)
    area = np.add.reduceat(twice, starts) / 2.0
    doubtful = ~wide & ((high - low).min(axis=1) > widest) & (area > np.pi * widest**2 / 4.0)
    doubtful &= _across_longest(corners, starts) > widest
    stops = np.append(starts[1:], len(order))
    for cell in np.flatnonzero(doubtful):
        shapes = shapely.polygons(corners[starts[cell] : stops[cell]])
        inner = shapely.buffer(shapely.coverage_union_all(shapes), -widest / 2.0, quad_segs=_SIDES)
        narrow[cells[cell]] = shapely.is_empty(inner)
    return narrow


def _across_longest(corners: Floats, starts: Indices) -> Floats:
    """(c,) float64: how wide cells of triangles (t, 3, 2) are across their longest side."""
    sides = np.roll(corners, -1, axis=1) - corners
    length = np.hypot(sides[..., 0], sides[..., 1])
    rows = np.arange(len(corners))
    best = length.argmax(axis=1)
    counts = np.diff(np.append(starts, len(corners)))
    of_cell = np.repeat(np.arange(len(starts)), counts)
    longest = np.lexsort((-length[rows, best], of_cell))[starts]
    way = (sides[rows, best] / length[rows, best][:, None])[longest][of_cell]
    off = way[:, None, 0] * corners[..., 1] - way[:, None, 1] * corners[..., 0]
    low, high = off.min(axis=1), off.max(axis=1)
    return np.asarray(np.maximum.reduceat(high, starts) - np.minimum.reduceat(low, starts))


def _corner_lines(
    layout: GapLayout, parts: Parts, triangles: Ids, behind: Indices
) -> tuple[Indices, Indices]:
    """Return for each corner of triangles (t, 3) a line that ends there, and with which end.

    It is the line along one of the triangle's own sides, or else that at the nearest height.
    """
    lines = np.full(triangles.shape, -1)
    ends = np.zeros(triangles.shape, dtype=np.intp)
    for k in range(3):
        there = behind[:, k] >= 0
        ahead = (k + 1) % 3
        # The ground's line runs back along this side.
        lines[there, k], ends[there, k] = behind[there, k], 1
        lines[there, ahead], ends[there, ahead] = behind[there, k], 0
    heights = _heights(layout, parts)
    corners = layout.lines.ravel()
    by_height = np.lexsort((heights.ravel(), corners))
    first = np.searchsorted(corners, np.arange(len(layout.points) + 1), sorter=by_height)
    lowest, highest = by_height[first[triangles]], by_height[first[triangles + 1] - 1]
    known = lines >= 0
    own = np.where(known, heights[lines, ends], heights.ravel()[lowest])
    counted = known | ~known.any(axis=1, keepdims=True)
    middle = np.average(own, axis=1, weights=counted)[:, None]
    nearer = np.abs(heights.ravel()[lowest] - middle) <= np.abs(heights.ravel()[highest] - middle)
    chosen = np.where(nearer, lowest, highest)
    lines[~known], ends[~known] = chosen[~known] // 2, chosen[~known] % 2
    return lines, ends


def _heights(layout: GapLayout, parts: Parts) -> Floats:
    """(k, 2) float64: the height of the ground at both ends of each line. [m]."""
    low, high = parts.lines[layout.parts, 2], parts.lines[layout.parts, 5]
    return np.asarray(low[:, None] + layout.shares * (high - low)[:, None])


def _places(layout: GapLayout, parts: Parts, lines: Indices, ends: Indices) -> Floats:
    """(t, 3, 3) float64: the ends of lines, as (u, v, h). [m]."""
    part, share = parts.lines[layout.parts[lines]], layout.shares[lines, ends][..., None]
    inside = part[..., :3] + share * (part[..., 3:] - part[..., :3])
    return np.where(share == 1.0, part[..., 3:], inside)


def _fits(corners: Floats, behind: Indices, limits: GapLimits) -> Bools:
    """(t,) bool: triangles with a slope, or else a step, that can be walked."""
    return (slopes(corners) <= limits.steepness + SAME_LENGTH) | (
        np.abs(rises(corners, behind >= 0)[0]) <= limits.max_step + SAME_LENGTH
    )


def _meet(layout: GapLayout, parts: Parts, behind: Indices, max_step: float) -> Bools:
    """(t,) bool: triangles whose sides at the rim (t, 3) meet in corners within a step."""
    heights = _heights(layout, parts)
    # Lines run back along the sides: that of a side ends where that of the side before starts.
    last = np.roll(behind, 1, axis=1)
    both = (behind >= 0) & (last >= 0)
    apart = np.abs(heights[behind, 1] - heights[last, 0])
    return np.asarray((~both | (apart <= max_step + SAME_LENGTH)).all(axis=1))
