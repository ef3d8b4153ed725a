"""Holes: small ones in the ground, with nothing standing in them, are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.ground import Ground, join
from walkmesh.build.mesh import match_triangles
from walkmesh.build.ragged import offsets_of
from walkmesh.kernels.adjacency import BOUNDARY
from walkmesh.kernels.ears import cut_into_triangles
from walkmesh.kernels.kinds import OPEN
from walkmesh.kernels.outline import trace_loops

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


def fill_holes(
    ground: Ground, kinds: NDArray[np.uint8], widest: float
) -> tuple[Ground, dict[str, int]]:
    """Fill holes whose edges are all open and that are no wider than a slit one steps over.

    Where many small triangles cross each other, what could not be joined leaves such holes.

    Parameters
    ----------
    ground : Ground
        Of triangles.
    kinds : (c,) uint8
        What lies beyond each edge.
    widest : float
        The widest hole to fill. [Unit: m]
    """
    offsets, edges = _loops(ground)
    sizes = np.diff(offsets)
    starts = offsets[:-1]
    if len(sizes) == 0:
        return ground, {"holes_filled": 0}
    here = ground.points[ground.vertices[edges]]
    ahead = ground.points[ground.vertices[ground.following[edges]]]
    local = here - np.repeat(here[starts], sizes, axis=0)
    step = ahead - here
    twice_area = np.add.reduceat(local[:, 0] * step[:, 1] - local[:, 1] * step[:, 0], starts)
    outline = np.add.reduceat(np.hypot(*step.T), starts)
    is_open = np.logical_and.reduceat(kinds[edges] == OPEN, starts)
    # Around a hole the boundary runs clockwise. It is as wide as the rectangle with the same area
    # and outline.
    area = -twice_area / 2.0
    half = outline / 2.0
    width = (half - np.sqrt(np.maximum(half * half - 4.0 * area, 0.0))) / 2.0
    small = (area >= 0.0) & (width <= widest) & is_open & (sizes > 2)
    if not small.any():
        return ground, {"holes_filled": 0}
    chosen = np.repeat(small, sizes)
    filled = _cut_up(ground, edges[chosen], sizes[small])
    return _with_triangles(ground, filled), {"holes_filled": int(np.count_nonzero(small))}


def _loops(ground: Ground) -> tuple[Ids, Ids]:
    """Return the boundary edges loop by loop: where each loop starts, and the edges."""
    count = int(np.count_nonzero(ground.mates < 0))
    offsets = np.empty(count + 1, dtype=np.int32)
    edges = np.empty(count, dtype=np.int32)
    loops = trace_loops(
        ground.following, ground.vertices, ground.mates, len(ground.points), offsets, edges
    )
    return offsets[: loops + 1], edges


def _cut_up(ground: Ground, edges: Ids, sizes: NDArray[np.integer]) -> Ids:
    """(t, 3) int32: triangles that fill loops, as corners of the ground, counter-clockwise."""
    offsets = offsets_of(sizes)
    positions = np.column_stack([ground.points[ground.vertices[edges]], np.zeros(len(edges))])
    backwards = np.arange(len(edges), dtype=np.int32)
    backwards = np.repeat(offsets[:-1] + offsets[1:] - 1, sizes).astype(np.int32) - backwards
    triangles = np.empty((int((sizes - 2).sum()), 3), dtype=np.int32)
    cut_into_triangles(positions, offsets, backwards, triangles)
    a, b, c = (positions[triangles[:, k], :2] for k in range(3))
    ab, ac = b - a, c - a
    solid = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0] > 0.0
    return np.asarray(edges[triangles[solid]])


def _with_triangles(ground: Ground, filled: Ids) -> Ground:
    """Add triangles on corners of the ground to it."""
    corners = np.concatenate([np.arange(len(ground.vertices), dtype=np.int32), filled.ravel()])
    vertices = np.ascontiguousarray(ground.vertices[corners])
    offsets = np.arange(0, len(corners) + 1, 3, dtype=np.int32)
    heights: Floats = ground.heights[corners]
    sources = np.concatenate([ground.sources, ground.sources[ground.owners[filled[:, 0]]]])
    mates = np.maximum(match_triangles(vertices), BOUNDARY)
    return join(offsets, ground.points[vertices], heights, mates, sources)
