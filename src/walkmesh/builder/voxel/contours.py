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

from walkmesh.builder.voxel.borders import PatchBorders
from walkmesh.builder.voxel.kernels.crossings import find_crossings
from walkmesh.builder.voxel.kernels.edges import COL_BIT, KEY_OFFSET, ROW_BIT
from walkmesh.builder.voxel.kernels.loops import simplify_loops, trace_chains
from walkmesh.builder.voxel.kernels.tolerances import GRID
from walkmesh.ragged import following_corners, owners_of

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Bytes, Floats, Ids, Longs, Singles
    from walkmesh.builder.voxel.chains import Chains
    from walkmesh.builder.voxel.stages.regions import JoinedRegions

# The blocks that crossings are searched in, as a power of 2. [grid units]
_BLOCK_BITS = 12
# How often lines that cross go back to the lattice before all lines of their patches do.
_ROUNDS = 8


@dataclass(frozen=True)
class Contours:
    """Outlines of patches on common vertices."""

    points: Longs  # (n, 2): where vertices lie, `GRID` to a cell from the lattice's origin
    heights: Floats  # (n,): their heights [m]
    rings: Ids  # (c,): the vertices of rings, the patch to the left of each edge
    ring_offsets: Ids  # (k + 1,): where each ring starts
    patch_rings: Ids  # (p + 1,): where each patch's rings start
    # (m, 2): row and column of cells whose middles the ground's height is known at, patch by patch
    samples: Ids
    sample_heights: Singles  # (m,): the height there [m]
    patch_samples: Ids  # (p + 1,): where each patch's samples start


def outline_patches(
    regions: JoinedRegions,
    cell: float,
    tolerance: float,
    height_tolerance: float,
    step: float,
    storey: float,
) -> tuple[Contours, dict[str, int]]:
    """Return the outlines of all patches.

    Parameters
    ----------
    regions : JoinedRegions
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
    loops = regions.loops
    on_lattice = _lattice_places(loops.keys) * GRID
    lines = _Lines.of(loops)
    borders = PatchBorders.of(regions)
    attached = loops.touching.copy()
    attached[attached] = np.isin(loops.keys[attached], borders.ends)
    turns = np.sign(twice_areas(loops.offsets, on_lattice))
    raw = np.zeros(len(on_lattice), dtype=bool)
    stale = np.ones(len(turns), dtype=bool)  # loops that changed since they were simplified
    stepwise: Ids = np.empty(0, dtype=np.int32)  # patches whose borders keep all their vertices
    for turn in range(_ROUNDS + 1):
        lines.simplify(raw, stale, tolerance * GRID / cell, height_tolerance)
        outline = _Outline.of(regions, borders, lines, attached, stepwise)
        crossing = outline.crossings(stale, step, storey)
        turned = np.sign(twice_areas(outline.loops, outline.points)) != turns
        if not crossing.any() and not turned.any():
            break
        again = outline.stretches(crossing, lines) | turned[lines.loop_of]
        if turn + 1 >= _ROUNDS or (again <= raw).all():
            patches = regions.patches[loops.labels]
            again = np.isin(patches, np.unique(outline.patches[crossing]))
        raw |= again
        lines.points[again, :2] = on_lattice[again]
        stale = np.bincount(lines.loop_of[again], minlength=len(turns)) > 0
        stepwise = np.union1d(stepwise, outline.patches[crossing])
    contours = outline.contours(regions)
    counts = {
        "outer_edges": len(raw),
        "border_edges": len(borders.left) // 2,
        "vertices": len(contours.points),
        "vertices_on_lattice": int(np.count_nonzero(raw)),
    }
    return contours, counts


def _lattice_places(keys: Longs) -> Longs:
    """Return row and column of vertices by their keys, (n, 2)."""
    mask = (1 << (ROW_BIT - COL_BIT)) - 1
    places = np.empty((len(keys), 2), dtype=np.int64)
    places[:, 0] = (keys >> ROW_BIT) - KEY_OFFSET
    places[:, 1] = ((keys >> COL_BIT) & mask) - KEY_OFFSET
    return places


def twice_areas(offsets: Ids, places: Longs) -> Longs:
    """Return twice the area that each loop encloses, below 0 for loops that run clockwise."""
    starts, following = offsets[:-1], following_corners(offsets)
    # From a place of the loop itself, so that products stay small.
    origins = np.repeat(places[starts], np.diff(offsets), axis=0)
    u, v = (places[: offsets[-1]] - origins).T
    twice: Longs = np.add.reduceat(u * v[following] - v * u[following], starts)
    return twice


@dataclass(frozen=True)
class _Lines:
    """Loops around the ground, and which of their vertices are needed so far."""

    offsets: Ids  # (l + 1,): where each loop starts
    loop_of: Ids  # (n,): the loop of each vertex
    # (n, 3): where vertices lie: u and v in whole numbers, `GRID` to a cell, and h [m]
    points: Floats
    # 1 for the vertices of the simplified loops, and for those that only heights need.
    chosen: Bytes  # (n,)
    needed: Bytes  # (n,)

    @classmethod
    def of(cls, loops: Chains) -> _Lines:
        count = len(loops.points)
        return cls(
            loops.offsets,
            owners_of(loops.offsets),
            loops.points.copy(),
            np.empty(count, dtype=np.uint8),
            np.empty(count, dtype=np.uint8),
        )

    def simplify(self, raw: Bools, stale: Bools, tolerance: float, height_tolerance: float) -> None:
        """Simplify the stale loops once more; raw vertices stay."""
        simplify_loops(
            self.offsets, self.points, raw.view(np.uint8), stale.view(np.uint8), tolerance,
            height_tolerance, self.chosen, self.needed,
        )  # fmt: skip


@dataclass(frozen=True)
class _Outline:
    """All edges of patches at one state of simplification."""

    points: Longs  # (n, 2)
    heights: Floats  # (n,)
    starts: Ids  # (e,) vertices; outer edges first
    ends: Ids
    patches: Ids  # to the left
    sources: Ids  # (outer,) the outer vertex each outer edge starts at
    loops: Ids  # where each loop's edges start among the outer ones

    @classmethod
    def of(
        cls,
        regions: JoinedRegions,
        borders: PatchBorders,
        lines: _Lines,
        attached: Bools,
        stepwise: Ids,
    ) -> _Outline:
        stays = lines.chosen == 1
        used = np.flatnonzero(stays | attached | (lines.needed == 1)).astype(np.int32)
        loops = np.searchsorted(used, lines.offsets).astype(np.int32)
        taken = np.take(lines.points, used, axis=0)
        outer_points = taken[:, :2].astype(np.int64)
        _lay_between(loops, np.diff(lines.offsets), used, stays[used], outer_points)
        following = following_corners(loops)
        starts = np.arange(len(used), dtype=np.int32)
        patches = regions.patches[regions.loops.labels[used]]

        # Vertices between patches that are not at the edge of the ground.
        keys = borders.ends
        outer_keys = regions.loops.keys[used]
        order = np.argsort(outer_keys)
        at = np.searchsorted(outer_keys[order], keys)
        at_edge = np.zeros(len(keys), dtype=bool)
        inside = at < len(order)
        at_edge[inside] = outer_keys[order][at[inside]] == keys[inside]
        ids = np.empty(len(keys), dtype=np.int32)
        ids[at_edge] = order[at[at_edge]]
        ids[~at_edge] = len(used) + np.arange(np.count_nonzero(~at_edge))
        border_ids = ids[np.searchsorted(keys, borders.keys)].reshape(-1, 2)
        points = np.concatenate([outer_points, _lattice_places(keys[~at_edge]) * GRID])
        heights = np.empty(len(points))
        heights[border_ids[:, 0]] = borders.heights
        heights[: len(used)] = taken[:, 2]
        border_starts, border_ends, kept = borders.straighten(
            points, border_ids, len(used), stepwise
        )
        return cls(
            points,
            heights,
            np.concatenate([starts, border_starts]),
            np.concatenate([following, border_ends]),
            np.concatenate([patches, borders.left[kept]]).astype(np.int32),
            used,
            loops,
        )

    def crossings(self, stale: Bools, step: float, storey: float) -> Bools:
        """(e,) bool: edges that cross others; only pairs with one that changed are looked at."""
        edges = np.concatenate([self.points[self.starts], self.points[self.ends]], axis=1)
        heights = 0.5 * (self.heights[self.starts] + self.heights[self.ends])
        changed = np.ones(len(edges), dtype=np.uint8)
        changed[: len(self.sources)] = np.repeat(stale, np.diff(self.loops))
        found = np.empty(len(edges), dtype=np.uint8)
        find_crossings(edges, self.patches, heights, changed, step, storey, _BLOCK_BITS, found)
        return np.asarray(found == 1)

    def stretches(self, crossing: Bools, lines: _Lines) -> Bools:
        """Return which outer vertices lie along edges that cross, or at their ends."""
        outer = len(self.sources)
        bad = np.zeros(len(lines.points), dtype=bool)
        touched = np.zeros(len(self.points), dtype=bool)
        touched[self.starts[crossing]] = True
        touched[self.ends[crossing]] = True
        bad[self.sources[touched[:outer]]] = True
        for edge in np.flatnonzero(crossing[:outer]):
            begin, end = self.sources[edge], self.sources[self.ends[edge]]
            if begin < end:
                bad[begin : end + 1] = True
            else:
                loop = lines.loop_of[begin]
                bad[begin : lines.offsets[loop + 1]] = True
                bad[lines.offsets[loop] : end + 1] = True
        return bad

    def contours(self, regions: JoinedRegions) -> Contours:
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
        rings = trace_chains(following, order, offsets)
        corners = self.starts[begin][order]
        names = np.unique(self.patches)
        owners = self.patches[begin][order[offsets[:rings]]]
        # On rough ground there are more samples than anything else, so they are copied once.
        sample_patches = regions.patches[regions.samples[:, 2]]
        is_present = np.zeros(len(regions.patches), dtype=bool)
        is_present[names] = True
        by_patch = np.argsort(sample_patches, kind="stable").astype(np.int32)
        by_patch = by_patch[is_present[sample_patches[by_patch]]]
        sample_patches = sample_patches[by_patch]
        return Contours(
            self.points,
            self.heights,
            np.ascontiguousarray(corners),
            offsets[: rings + 1].copy(),
            np.searchsorted(owners, np.append(names, names[-1] + 1)).astype(np.int32),
            np.ascontiguousarray(regions.samples[:, :2][by_patch]),
            regions.sample_heights[by_patch],
            np.searchsorted(sample_patches, np.append(names, names[-1] + 1)).astype(np.int32),
        )


def _lay_between(loops: Ids, lengths: Ids, used: Ids, stays: Bools, points: Longs) -> None:
    """Move vertices onto the simplified lines, in their order along them.

    On the grid they lie on the line or just outside, so that leaving them out again never makes
    the ground larger.

    Parameters
    ----------
    loops : (l + 1,) int32
        Where each loop's vertices start.
    lengths : (l,) int32
        How many vertices each loop had.
    used : (n,) int32
        Where those were among all vertices of the loops, which tells how far along they lie.
    stays : (n,) bool
        The vertices of the simplified lines; every loop begins with one.
    points : (n, 2) int64, in and out
        Where vertices lie.
    """
    moving = np.flatnonzero(~stays)
    corners = np.flatnonzero(stays)
    loop = np.searchsorted(loops, moving, side="right") - 1
    after = np.searchsorted(corners, moving)
    before = corners[after - 1]
    following = corners[np.minimum(after, len(corners) - 1)]
    ends_loop = (after == len(corners)) | (following >= loops[loop + 1])
    end = np.where(ends_loop, loops[loop], following)
    # As many edges of cells as there are between the two, around the loop's end or not.
    size = np.where(ends_loop, lengths[loop], 0) + used[end] - used[before]
    share = ((used[moving] - used[before]) / size)[:, None]
    along = points[end] - points[before]
    base = np.floor(share * along).astype(np.int64)
    best = np.full(len(moving), np.iinfo(np.int64).max)
    for u in (0, 1):
        for v in (0, 1):
            offset = base + np.array([u, v])
            outwards = along[:, 1] * offset[:, 0] - along[:, 0] * offset[:, 1]
            better = (outwards >= 0) & (outwards < best)
            best[better] = outwards[better]
            points[moving[better]] = (points[before] + offset)[better]
