"""The triangles of bridges."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.bridges.kernels.tolerances import LINE_WIDTH
from walkmesh.build.bridges.slopes import levelled, plan_widths

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.build.bridges.cells import Cells
    from walkmesh.build.bridges.rim import Parts


@dataclass(frozen=True)
class Bridges:
    """Triangles over gaps, and the places on the rim that their corners are."""

    corners: Floats  # (t, 3, 3): (u, v, h) as on the rim, counter-clockwise [m]
    cells: Ids  # (t,): the cell of a gap that each is part of
    vertices: Ids  # (t, 3): one number for all corners at a place
    # The edge of the rim that each corner lies on, and where: 0 at its start, 1 at its end.
    edges: Ids  # (t, 3)
    shares: Floats  # (t, 3)
    sides: Ids  # (t, 3): the edge of the rim that each side runs along, backwards; -1 for none
    spans: Floats  # (t, 3, 2): from where to where on that edge

    @property
    def at_rim(self) -> Bools:
        """(t, 3) bool: sides that run along the rim."""
        return np.asarray(self.sides >= 0)

    @classmethod
    def of(cls, parts: Parts, cells: Cells, chosen: Bools) -> Bridges:
        """Return chosen triangles of cells as bridges."""
        across = cells.across[chosen]
        return cls(
            cells.corners[chosen],
            cells.labels[chosen],
            cells.vertices[chosen],
            parts.edges[cells.parts[chosen]],
            _on_edges(parts, cells.parts[chosen], cells.shares[chosen]),
            np.where(across >= 0, parts.edges[across], -1).astype(np.int32),
            _on_edges(parts, across[..., None], cells.spans[chosen]),
        )

    @classmethod
    def none(cls) -> Bridges:
        """Return no bridges at all."""
        ids, shares = np.empty((0, 3), dtype=np.int32), np.empty((0, 3))
        return cls(np.empty((0, 3, 3)), ids[:, 0], ids, ids, shares, ids, np.empty((0, 3, 2)))

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def has_width(self) -> Bools:
        """(t,) bool: triangles that are more than lines in plan."""
        return np.asarray(plan_widths(self.corners) > LINE_WIDTH)

    def levelled(self, steepest: float) -> Floats:
        """(t, 3, 3) float64: the corners, those of steeper triangles made level. [m]."""
        return levelled(self.corners, self.at_rim, steepest)

    def keep(self, chosen: Bools) -> Bridges:
        """Return the chosen triangles alone."""
        return Bridges(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def followed_by(self, others: Bridges) -> Bridges:
        """Return all triangles of both; others keep cells and vertices of their own."""
        more = replace(
            others,
            cells=others.cells + self.cells.max(initial=-1) + 1,
            vertices=others.vertices + self.vertices.max(initial=-1) + 1,
        )
        both = [(getattr(self, field.name), getattr(more, field.name)) for field in fields(self)]
        return Bridges(*map(np.concatenate, both))


def _on_edges(parts: Parts, chosen: Ids, shares: Floats) -> Floats:
    """Return where on edges places are, from where they are on parts of them."""
    first, last = parts.shares[chosen, 0], parts.shares[chosen, 1]
    return np.asarray(np.where(shares == 1.0, last, first + shares * (last - first)))
