"""Watershed regions of a tile, and what of them is needed to put all tiles together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.voxel.chains import Chains
from walkmesh.builder.voxel.kernels.edges import CellEdges, collect_edges, collect_samples
from walkmesh.builder.voxel.kernels.patches import collect_overlaps
from walkmesh.builder.voxel.kernels.watershed import flood_regions

if TYPE_CHECKING:
    from walkmesh.arrays import Ids, Longs, Singles
    from walkmesh.builder.voxel.kernels.distance import GroundLimits
    from walkmesh.builder.voxel.kernels.window import Window

# Heights are looked at in every so many rows and columns at least. Between two of them the ground
# bends by less than the tolerance if its slope changes by less than the tolerance divided by this
# at each cell: a chord over n cells is n * n / 8 such changes from the ground.
_STRIDE = 8


@dataclass(frozen=True)
class TileRegions:
    """What is left of a tile once its regions are known."""

    cells: Longs  # (r,): how many cells each region has
    outer: Chains  # edges at the edge of the ground
    inner: CellEdges  # edges between regions, also to those of other tiles
    rights: Ids  # (i,): the region to the right of each of these, -1 if it belongs to another tile
    overlaps: Ids  # (o, 2): regions that lie above each other
    samples: Ids  # (m, 3): row, column and region of cells that the height has to be known at
    sample_heights: Singles  # (m,): the ground's height there [m]


def flood_tile(
    window: Window, limits: GroundLimits, cell: float, radius: float, height_tolerance: float
) -> TileRegions:
    """Find the regions of a tile, and collect their edges."""
    labels, _, regions = label_spans(window)
    counts = np.zeros(2, dtype=np.int64)
    while True:
        outer, inner = (CellEdges.room(int(count)) for count in counts)
        rights = np.empty_like(inner.labels)
        if collect_edges(window, limits, cell, radius, labels, outer, inner, rights, counts):
            break
    samples, sample_heights = _samples(window, labels, height_tolerance)
    return TileRegions(
        np.bincount(labels[labels >= 0], minlength=regions),
        Chains.of(outer, inner),
        inner,
        rights,
        _overlaps(window, labels),
        samples,
        sample_heights,
    )


class Labels(NamedTuple):
    """The regions of a tile's spans."""

    # The region of each span, negative for none; and how far it is from the edge of the ground, in
    # halves of a cell.
    labels: Ids  # (n,)
    depth: Ids  # (n,)
    regions: int  # how many regions there are


def label_spans(window: Window) -> Labels:
    """Find the regions of a tile by watershed."""
    depth, labels = (np.empty(len(window.kept), dtype=np.int32) for _ in range(2))
    regions = flood_regions(window, depth, labels)
    return Labels(labels, depth, int(regions))


def _samples(window: Window, labels: Ids, tolerance: float) -> tuple[Ids, Singles]:
    room = 4096
    while True:
        cells = np.empty((room, 3), dtype=np.int32)
        heights = np.empty(room, dtype=np.float32)
        count = collect_samples(window, tolerance / _STRIDE, _STRIDE, labels, cells, heights)
        if count <= room:
            return cells[:count].copy(), heights[:count].copy()
        room = int(count)


def _overlaps(window: Window, labels: Ids) -> Ids:
    room = 1024
    while True:
        pairs = np.empty((room, 2), dtype=np.int32)
        count = collect_overlaps(window, labels, pairs)
        if count <= room:
            return pairs[:count].copy()
        room *= 4
