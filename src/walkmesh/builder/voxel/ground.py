"""Ground: outlines become triangles that follow the heights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.triangulation import refine, triangulate
from walkmesh.builder.voxel.kernels.tolerances import GRID
from walkmesh.chunks import in_chunks
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Floats, Ids, Integers, Longs
    from walkmesh.builder.triangulation import Method
    from walkmesh.builder.voxel.contours import Contours
    from walkmesh.frame import Frame

# How many patches are triangulated at once. Which ones must not depend on threads: where several
# triangulations are as good, the others decide.
BATCH = 64
# What a triangulation can take from side to side. [grid units]
_WIDEST = 1 << 29
# Between one patch and the next. [grid units]
_BETWEEN = 16


@dataclass(frozen=True)
class Apart:
    """Rings of several patches, moved side by side along u, to be triangulated at once.

    Storeys lie above each other, so each patch is a map of its own. Most are small, and a call for
    each takes longer than the work. On the integer grid they can be moved without losing a bit.
    """

    names: Ids  # (n,): the vertex each vertex here stands for
    points: Longs  # (n, 2): where they are now
    rings: Ids  # (c,): the rings, in vertices here
    # Where each patch begins and ends along u.
    starts: Longs  # (p,)
    ends: Longs  # (p,)
    shifts: Longs  # (p, 2): how far each was moved

    @classmethod
    def of(cls, points: Integers, corners: Ids, owners: Ids) -> Apart | None:
        """Move patches apart; None if they are too wide for that together.

        Parameters
        ----------
        points : (m, 2) int
            Vertices on a grid.
        corners : (c,) int32
            Vertices of rings.
        owners : (c,) int32
            The patch of each, from 0 up, ascending.
        """
        keys = owners.astype(np.int64) * len(points) + corners
        unique, rings = np.unique(keys, return_inverse=True)
        patch, names = unique // len(points), (unique % len(points)).astype(np.int32)
        places = points[names].astype(np.int64)
        first = np.flatnonzero(np.diff(patch, prepend=-1))
        low, high = np.minimum.reduceat(places, first), np.maximum.reduceat(places, first)
        widths = high - low + _BETWEEN
        starts = np.concatenate([[0], np.cumsum(widths[:, 0])])
        if len(first) > 1 and max(starts[-1], widths[:, 1].max()) >= _WIDEST:
            return None
        shifts = np.stack([starts[:-1], np.zeros(len(first), dtype=np.int64)], axis=1) - low
        moved = places + np.repeat(shifts, np.diff(first, append=len(patch)), axis=0)
        ends = starts[1:] - _BETWEEN
        return cls(names, moved, rings.astype(np.int32).reshape(-1), starts[:-1], ends, shifts)

    def back(self, points: Integers) -> Longs:
        """Return points here as they were, each with the patch that it is in."""
        patch = np.searchsorted(self.starts, points[:, 0], side="right") - 1
        return points - self.shifts[patch]


class _Laid(NamedTuple):
    """Triangles of patches, in which -1 - k is the k-th new vertex."""

    places: Longs  # (k, 2)
    heights: Floats  # (k,) [m]
    triangles: Ids  # (t, 3)


def lay_ground(
    contours: Contours,
    cell: float,
    method: Method,
    height_tolerance: float,
    frame: Frame,
    workers: int | None,
    on_chunk: Callable[[float], None],
) -> tuple[TriangleMesh, int]:
    """Triangulate patches, and add the vertices that their heights need.

    Parameters
    ----------
    contours : Contours
        The outlines of the patches.
    cell : float
        The side of a cell. [Unit: m]
    method : {"delaunay", "ears", "min_area"}
        How outlines are triangulated.
    height_tolerance : float
        How far the triangles may leave the heights that are known. [Unit: m]

    Returns
    -------
    TriangleMesh
    int
        How many patches were left out, whose outlines bound no region: where little more than
        nothing is left of a patch they may touch themselves and each other.
    """
    count = len(contours.patch_rings) - 1

    def run(start: int, stop: int) -> list[_Laid | None]:
        return [
            part
            for low in range(start * BATCH, min(stop * BATCH, count), BATCH)
            for part in _lay_patches(
                contours, low, min(low + BATCH, count), cell, method, height_tolerance
            )
        ]

    places, heights = [contours.points], [contours.heights]
    triangles: list[Ids] = [np.empty((0, 3), dtype=np.int32)]
    left_out = 0
    base = len(contours.points)
    for reached, chunk in in_chunks(-(-count // BATCH), run, workers, smallest=1):
        for part in chunk:
            if part is None:
                left_out += 1
                continue
            new_places, new_heights, ids = part
            # Vertices of the contours keep their numbers; negative ones are new.
            triangles.append(np.where(ids < 0, base - 1 - ids, ids).astype(np.int32))
            places.append(new_places)
            heights.append(new_heights)
            base += len(new_places)
        on_chunk(min(1.0, reached * BATCH / count))
    plan = np.concatenate(places) * (cell / GRID)
    points = np.column_stack([plan, np.concatenate(heights)])
    return TriangleMesh(points, np.concatenate(triangles), frame), left_out


def _lay_patches(
    contours: Contours, start: int, stop: int, cell: float, method: Method, height_tolerance: float
) -> list[_Laid | None]:
    """Lay patches start to stop, all at once if that can be done; None for one that cannot be."""
    rings = contours.patch_rings[start : stop + 1]
    offsets = contours.ring_offsets[rings[0] : rings[-1] + 1]
    corners = contours.rings[offsets[0] : offsets[-1]]
    ring_owners = np.repeat(np.arange(stop - start, dtype=np.int32), np.diff(rings))
    apart = Apart.of(contours.points, corners, np.repeat(ring_owners, np.diff(offsets)))

    def by_halves() -> list[_Laid | None]:
        if stop - start == 1:
            return [None]
        middle = (start + stop) // 2
        return [
            part
            for low, high in ((start, middle), (middle, stop))
            for part in _lay_patches(contours, low, high, cell, method, height_tolerance)
        ]

    if apart is None:
        return by_halves()
    heights = contours.heights[apart.names]
    rings_here = offsets - offsets[0]
    try:
        triangles = triangulate(
            apart.points, rings_here, apart.rings, method, heights * (GRID / cell)
        )
    except BuildError:
        return by_halves()
    finer, finer_heights, triangles = refine(
        apart.points, heights, triangles, *_samples(contours, start, stop, apart), height_tolerance
    )
    old = len(apart.names)
    ids = np.where(
        triangles < old, apart.names[np.minimum(triangles, old - 1)], old - 1 - triangles
    )
    return [_Laid(apart.back(finer[old:]), finer_heights[old:], ids.astype(np.int32))]


def _samples(contours: Contours, start: int, stop: int, apart: Apart) -> tuple[Ids, Floats]:
    """Return where the heights of patches are known once these are moved apart, and the heights.

    Both are in the order that :func:`refine` needs: on rough ground there are more of them than of
    anything else, and here it takes the fewest copies. At a radius of nothing the middle of a cell
    may lie outside of its patch; it is left out where it would come to lie in the next one.
    """
    bounds = contours.patch_samples[start : stop + 1] - contours.patch_samples[start]
    chosen = slice(contours.patch_samples[start], contours.patch_samples[stop])
    # What does not fit into 32 bits on the way does once the patch is moved next to the others.
    places = contours.samples[chosen] * np.int32(GRID)
    beyond = []
    for patch, shift in enumerate(apart.shifts):
        own = places[bounds[patch] : bounds[patch + 1]]
        own += (shift + GRID // 2).astype(np.int32)
        outside = (own[:, 0] < apart.starts[patch]) | (own[:, 0] > apart.ends[patch])
        beyond.append(bounds[patch] + np.flatnonzero(outside))
    order = np.lexsort((places[:, 0], places[:, 1])).astype(np.int32)
    left_out = np.concatenate(beyond)
    if len(left_out):
        order = order[~np.isin(order, left_out)]
    places = np.take(places, order, axis=0)
    return places, contours.sample_heights[chosen][order].astype(np.float64)
