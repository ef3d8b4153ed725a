"""Contours: the outlines of patches, with few vertices, exact where the ground ends.

Outer edges are simplified loop by loop, whatever patches and tiles they run along. Where two
patches meet, the end of their border is a vertex on the simplified line. So borders leave no trace
once their triangles are merged.

Positions are integers, `GRID` to a cell, so that crossings are found exactly. Lines that cross,
which only happens where less than a cell is left, go back to the lattice, where nothing crosses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.ragged import following_corners
from walkmesh.build.voxel.kernels.crossings import find_crossings
from walkmesh.build.voxel.kernels.edges import COL_BIT, KEY_OFFSET, ROW_BIT
from walkmesh.build.voxel.kernels.loops import (
    choose_heights,
    simplify_loops,
    skip_straight,
    trace_loops,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.voxel.watershed import Regions

# Positions to the side of a cell.
GRID = 256
# The blocks that crossings are searched in. [cells]
_BLOCK = 16
# How often lines that cross go back to the lattice before all lines of their patches do.
_ROUNDS = 8


@dataclass(frozen=True)
class Contours:
    """Outlines of patches on common vertices.

    Attributes
    ----------
    points : (n, 2) int32
        Where vertices lie, `GRID` to a cell from the lattice's origin.
    heights : (n,) float64
        Their heights. [Unit: m]
    rings : (c,) int32
        The vertices of rings, the patch to the left of each edge.
    ring_offsets : (k + 1,) int32
        Where each ring starts.
    patch_rings : (p + 1,) int32
        Where each patch's rings start.
    samples : (m, 2) int32
        Places where the height of the ground is known, patch by patch.
    sample_heights : (m,) float64
        The height there. [Unit: m]
    patch_samples : (p + 1,) int32
        Where each patch's samples start.
    """

    points: Ids
    heights: Floats
    rings: Ids
    ring_offsets: Ids
    patch_rings: Ids
    samples: Ids
    sample_heights: Floats
    patch_samples: Ids


def outline_patches(
    regions: Regions,
    cell: float,
    tolerance: float,
    height_tolerance: float,
    step: float,
    storey: float,
) -> tuple[Contours, dict[str, int]]:
    """Return the outlines of all patches.

    Parameters
    ----------
    regions : Regions
        The regions, and the patches they belong to.
    cell : float
        The side of a cell. [Unit: m]
    tolerance : float
        How far outlines may leave the exact one in plan. [Unit: m]
    height_tolerance : float
        How far they may leave the ground's height. [Unit: m]
    step : float
        Grounds further apart in height than this may lie side by side. [Unit: m]
    storey : float
        Lines of different patches this far apart in height may cross. [Unit: m]
    """
    on_lattice = _lattice_places(regions.outer_keys[:, 0]) * GRID
    exact = np.round(regions.outer_points[:, :2] * (GRID / cell)).astype(np.int64)
    borders = _borders(regions)
    attached = np.isin(regions.outer_keys[:, 0], borders.ends)
    raw = np.zeros(len(on_lattice), dtype=bool)
    stepwise: Ids = np.empty(0, dtype=np.int32)  # patches whose borders keep all their vertices
    for turn in range(_ROUNDS + 1):
        places = np.where(raw[:, None], on_lattice, exact)
        outline = _Outline.of(
            regions,
            borders,
            places,
            raw,
            attached,
            stepwise,
            tolerance * GRID / cell,
            height_tolerance,
        )
        crossing = outline.crossings(step, storey)
        turned = _turned_over(regions.loops, on_lattice, outline)
        if not crossing.any() and not turned.any():
            break
        again = outline.stretches(crossing) | turned
        if turn + 1 >= _ROUNDS or (again <= raw).all():
            patches = regions.patches[regions.outer_labels]
            again = np.isin(patches, np.unique(outline.patches[crossing]))
        raw |= again
        stepwise = np.union1d(stepwise, outline.patches[crossing])
    contours = outline.contours(regions)
    counts = {
        "outer_edges": len(raw),
        "border_edges": len(borders.left) // 2,
        "vertices": len(contours.points),
        "vertices_on_lattice": int(np.count_nonzero(raw)),
    }
    return contours, counts


def _lattice_places(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return row and column of vertices by their keys, (n, 2)."""
    mask = (1 << (ROW_BIT - COL_BIT)) - 1
    rows = (keys >> ROW_BIT) - KEY_OFFSET
    cols = ((keys >> COL_BIT) & mask) - KEY_OFFSET
    return np.column_stack([rows, cols])


def _turned_over(loops: Ids, on_lattice: NDArray[np.int64], outline: _Outline) -> NDArray[np.bool_]:
    """Return which outer vertices belong to loops that run the other way round now."""
    now = np.zeros(len(loops) - 1, dtype=np.int64)
    owners = np.searchsorted(loops, outline.sources, side="right") - 1
    # From a place of the loop itself, so that products stay small.
    anchor = on_lattice[loops[owners]]
    here = outline.points[outline.starts[: outline.outer]] - anchor
    there = outline.points[outline.ends[: outline.outer]] - anchor
    np.add.at(now, owners, here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0])
    sizes = np.diff(loops)
    local = on_lattice - np.repeat(on_lattice[loops[:-1]], sizes, axis=0)
    ahead = local[following_corners(loops)]
    before = np.add.reduceat(local[:, 0] * ahead[:, 1] - local[:, 1] * ahead[:, 0], loops[:-1])
    turned: NDArray[np.bool_] = np.sign(now) != np.sign(before)
    return np.asarray(np.repeat(turned, sizes))


@dataclass(frozen=True)
class _Borders:
    """Edges between patches, each in both directions."""

    keys: NDArray[np.int64]  # (e, 2) from and to
    heights: Floats  # (e,) of the first vertex
    left: Ids  # (e,) patches
    right: Ids

    @property
    def ends(self) -> NDArray[np.int64]:
        return np.unique(self.keys)


def _borders(regions: Regions) -> _Borders:
    left, right = regions.patches[regions.inner_left], regions.patches[regions.inner_right]
    chosen = left != right
    return _Borders(
        regions.inner_keys[chosen],
        regions.inner_points[chosen, 2],
        left[chosen],
        right[chosen],
    )


@dataclass(frozen=True)
class _Outline:
    """All edges of patches at one state of simplification."""

    points: NDArray[np.int64]  # (n, 2)
    heights: Floats  # (n,)
    starts: Ids  # (e,) vertices; outer edges first
    ends: Ids
    patches: Ids  # to the left
    outer: int  # how many are outer edges
    sources: Ids  # (outer,) the outer vertex each starts at
    total: int  # how many outer vertices there were
    loops: Ids

    @classmethod
    def of(
        cls,
        regions: Regions,
        borders: _Borders,
        places: NDArray[np.int64],
        raw: NDArray[np.bool_],
        attached: NDArray[np.bool_],
        stepwise: Ids,
        tolerance: float,
        height_tolerance: float,
    ) -> _Outline:
        chosen = raw.astype(np.uint8)
        positions = np.column_stack([places, regions.outer_points[:, 2:]])
        simplify_loops(regions.loops, np.ascontiguousarray(positions), tolerance, chosen)
        needed = np.empty_like(chosen)
        outer_heights = np.ascontiguousarray(regions.outer_points[:, 2])
        choose_heights(regions.loops, outer_heights, chosen, height_tolerance, needed)
        stays = chosen == 1
        between = attached | (needed == 1)
        places = _lay_between(regions.loops, places, stays, between)
        used = np.flatnonzero(stays | between).astype(np.int32)
        heights = regions.outer_points[used, 2]
        following = _following_used(regions.loops, used)
        starts = np.arange(len(used), dtype=np.int32)
        patches = regions.patches[regions.outer_labels[used]]

        # Vertices between patches that are not at the edge of the ground.
        keys = borders.ends
        outer_keys = regions.outer_keys[used, 0]
        order = np.argsort(outer_keys)
        at = np.searchsorted(outer_keys[order], keys)
        at_edge = np.zeros(len(keys), dtype=bool)
        inside = at < len(order)
        at_edge[inside] = outer_keys[order][at[inside]] == keys[inside]
        ids = np.empty(len(keys), dtype=np.int32)
        ids[at_edge] = order[at[at_edge]]
        ids[~at_edge] = len(used) + np.arange(np.count_nonzero(~at_edge))
        border_ids = ids[np.searchsorted(keys, borders.keys)].reshape(-1, 2)
        points = np.concatenate([places[used], _lattice_places(keys[~at_edge]) * GRID])
        inner_heights = np.empty(len(points))
        inner_heights[border_ids[:, 0]] = borders.heights
        inner_heights[: len(used)] = heights
        border_starts, border_ends, kept = _straighten(
            points, border_ids, borders, len(used), stepwise
        )
        return cls(
            points,
            inner_heights,
            np.concatenate([starts, border_starts]),
            np.concatenate([following, border_ends]),
            np.concatenate([patches, borders.left[kept]]).astype(np.int32),
            len(used),
            used,
            len(places),
            regions.loops,
        )

    def crossings(self, step: float, storey: float) -> NDArray[np.bool_]:
        """(e,) bool: edges that cross others."""
        edges = np.concatenate([self.points[self.starts], self.points[self.ends]], axis=1)
        heights = 0.5 * (self.heights[self.starts] + self.heights[self.ends])
        found = np.empty(len(edges), dtype=np.uint8)
        find_crossings(
            np.ascontiguousarray(edges), self.patches, heights, step, storey, _BLOCK * GRID, found
        )
        return np.asarray(found == 1)

    def stretches(self, crossing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which outer vertices lie along edges that cross, or at their ends."""
        bad = np.zeros(self.total, dtype=bool)
        touched = np.zeros(len(self.points), dtype=bool)
        touched[self.starts[crossing]] = True
        touched[self.ends[crossing]] = True
        bad[self.sources[touched[: self.outer]]] = True
        edges = np.flatnonzero(crossing[: self.outer])
        loop_of = np.searchsorted(self.loops, self.sources[edges], side="right") - 1
        for edge, loop in zip(edges, loop_of, strict=True):
            begin, end = self.sources[edge], self.sources[self.ends[edge]]
            if begin < end:
                bad[begin : end + 1] = True
            else:
                bad[begin : self.loops[loop + 1]] = True
                bad[self.loops[loop] : end + 1] = True
        return bad

    def contours(self, regions: Regions) -> Contours:
        """Chain edges into rings, patch by patch."""
        begin = np.lexsort((self.starts, self.patches))
        finish = np.lexsort((self.ends, self.patches))
        following = np.empty(len(begin), dtype=np.int32)
        # Among edges sorted by where they start, the one that follows has the same rank.
        rank = np.empty(len(begin), dtype=np.int32)
        rank[begin] = np.arange(len(begin), dtype=np.int32)
        following[rank[finish]] = np.arange(len(begin), dtype=np.int32)
        order = np.empty(len(begin), dtype=np.int32)
        offsets = np.empty(len(begin) + 1, dtype=np.int32)
        rings = trace_loops(following, order, offsets)
        corners = self.starts[begin][order]
        names = np.unique(self.patches)
        owners = self.patches[begin][order[offsets[:rings]]]
        sample_patches = regions.patches[regions.samples[:, 2]]
        present = np.isin(sample_patches, names)
        by_patch = np.flatnonzero(present)[np.argsort(sample_patches[present], kind="stable")]
        middles = regions.samples[by_patch, :2] * GRID + GRID // 2
        return Contours(
            self.points.astype(np.int32),
            self.heights,
            np.ascontiguousarray(corners),
            offsets[: rings + 1].copy(),
            np.searchsorted(owners, np.append(names, names[-1] + 1)).astype(np.int32),
            np.ascontiguousarray(middles),
            regions.sample_heights[by_patch].astype(np.float64),
            np.searchsorted(sample_patches[by_patch], np.append(names, names[-1] + 1)).astype(
                np.int32
            ),
        )


def _following_used(loops: Ids, used: Ids) -> Ids:
    """Return the vertex in use after each in its loop, by number among those in use."""
    first = np.searchsorted(used, loops[:-1])
    last = np.searchsorted(used, loops[1:]) - 1
    following = np.arange(1, len(used) + 1, dtype=np.int32)
    following[last] = first
    return following


def _lay_between(
    loops: Ids,
    places: NDArray[np.int64],
    stays: NDArray[np.bool_],
    between: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Move vertices onto the simplified lines, in their order along them.

    On the grid they lie on the line or just outside, so that leaving them out again never makes
    the ground larger.
    """
    moving = np.flatnonzero(between & ~stays)
    if len(moving) == 0:
        return places
    corners = np.flatnonzero(stays)
    loop = np.searchsorted(loops, moving, side="right") - 1
    after = np.searchsorted(corners, moving)
    before = corners[after - 1]  # every loop begins with a vertex that stays
    following = corners[np.minimum(after, len(corners) - 1)]
    ends_loop = (after == len(corners)) | (following >= loops[loop + 1])
    end = np.where(ends_loop, loops[loop], following)
    size = np.where(ends_loop, loops[loop + 1], end) - before
    share = ((moving - before) / size)[:, None]
    along = places[end] - places[before]
    base = np.floor(share * along).astype(np.int64)
    best = np.full(len(moving), np.iinfo(np.int64).max)
    result = places.copy()
    for u in (0, 1):
        for v in (0, 1):
            offset = base + np.array([u, v])
            outwards = along[:, 1] * offset[:, 0] - along[:, 0] * offset[:, 1]
            better = (outwards >= 0) & (outwards < best)
            best[better] = outwards[better]
            result[moving[better]] = (places[before] + offset)[better]
    return result


def _straighten(
    points: NDArray[np.int64], border_ids: Ids, borders: _Borders, outer: int, stepwise: Ids
) -> tuple[Ids, Ids, Ids]:
    """Pass over vertices inside straight borders; return starts, ends and which edges are left.

    Borders of `stepwise` patches stay as they are.
    """
    count = len(points)
    starts, ends = border_ids[:, 0], border_ids[:, 1]
    leaving = np.bincount(starts, minlength=count)
    middle = np.zeros((count, 2), dtype=np.int64)
    np.add.at(middle, starts, points[ends])
    straight = (leaving == 2) & (middle == 2 * points).all(axis=1)
    straight[:outer] = False
    straight[starts[np.isin(borders.left, stepwise)]] = False
    # The edge after each along the same border: same patches, and it starts where this one ends.
    leaving_it, reaching_it = np.flatnonzero(straight[starts]), np.flatnonzero(straight[ends])
    by_start = np.lexsort((borders.right[leaving_it], borders.left[leaving_it], starts[leaving_it]))
    by_end = np.lexsort((borders.right[reaching_it], borders.left[reaching_it], ends[reaching_it]))
    following = np.zeros(len(starts), dtype=np.int32)
    following[reaching_it[by_end]] = leaving_it[by_start]
    reached = np.empty(len(starts), dtype=np.int32)
    skip_straight(np.ascontiguousarray(ends), following, straight.astype(np.int32), reached)
    kept = np.flatnonzero(~straight[starts]).astype(np.int32)
    return starts[kept], reached[kept], kept
