"""Chains: edges at the edge of the ground in their order, tile by tile, and then as whole loops.

A chain goes all around within a tile, or leads from one border of it to another. So the edges of
all tiles need not be sorted together, only the ends of their chains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.voxel.kernels.loops import join_chains, link_edges, trace_chains
from walkmesh.errors import BuildError
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Bools, Floats, Ids, Longs
    from walkmesh.builder.voxel.kernels.edges import CellEdges


@dataclass(frozen=True)
class Chains:
    """Edges at the edge of a tile's ground, or of all of it, each chain in its order."""

    offsets: Ids  # (c + 1,): where each chain starts
    ends: Longs  # (c,): the vertex that each chain ends in; its first one if it goes all around
    keys: Longs  # (e,): the vertex that each edge starts at
    # As of `CellEdges`.
    labels: Ids
    points: Floats
    touching: Bools  # (e,): whether a border between regions may end there

    @classmethod
    def of(cls, outer: CellEdges, inner: CellEdges) -> Chains:
        """Put edges in their order.

        Parameters
        ----------
        outer, inner : CellEdges
            Those at the edge of a tile's ground, and those between regions and to other tiles.
        """
        count = len(outer.keys)
        following, touching = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.uint8)
        link_edges(outer.keys, inner.keys, following, touching)
        order, offsets = np.empty(count, dtype=np.int32), np.empty(count + 1, dtype=np.int32)
        chains = trace_chains(following, order, offsets)
        offsets = offsets[: chains + 1].copy()
        return cls(
            offsets,
            outer.keys[order[offsets[1:] - 1], 1],
            outer.keys[order, 0],
            outer.labels[order],
            np.take(outer.points, order, axis=0),
            touching[order].view(bool),
        )

    @classmethod
    def joined(cls, tiles: Sequence[Chains], bases: Ids, stays: Bools) -> Chains:
        """Return the loops of all tiles together, by their lowest vertices, which they begin with.

        Parameters
        ----------
        tiles : sequence of Chains
            The chains of each tile.
        bases : (t,) int32
            What to add to each tile's labels.
        stays : (r,) bool
            The regions, by labels of all tiles, whose loops are wanted.
        """
        sizes = np.concatenate([np.diff(tile.offsets) for tile in tiles])
        offsets = offsets_of(sizes)
        keys = np.concatenate([tile.keys for tile in tiles])
        ends = np.concatenate([tile.ends for tile in tiles])
        labels = renumbered([tile.labels for tile in tiles], bases)
        starts = keys[offsets[:-1]]
        by_start = np.argsort(starts)
        found = np.searchsorted(starts[by_start], ends).clip(max=len(starts) - 1)
        following = by_start[found].astype(np.int32)
        if (starts[following] != ends).any():
            raise BuildError(
                "boundaries of the ground do not close; another cell_size, or wm.Exact(), may do"
            )
        # All regions along a loop hang together, so that one tells whether it stays.
        wanted = stays[labels[offsets[:-1]]]
        order = np.empty(int(sizes[wanted].sum()), dtype=np.int32)
        loops = np.empty(len(sizes) + 1, dtype=np.int32)
        count = join_chains(offsets, following, keys, wanted.view(np.uint8), order, loops)
        loops = loops[: count + 1].copy()
        return cls(
            loops,
            keys[order[loops[:-1]]],
            keys[order],
            labels[order],
            # Which takes a third of the time of indexing rows.
            np.take(np.concatenate([tile.points for tile in tiles]), order, axis=0),
            np.concatenate([tile.touching for tile in tiles])[order],
        )


def renumbered(parts: Sequence[Ids], bases: Ids) -> Ids:
    """Return the labels that tiles gave, one tile after the other, as labels of all tiles."""
    return np.concatenate([part + base for part, base in zip(parts, bases, strict=True)])
