"""The triangles of bridges: how steep they are, and the vertices that they share."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.bridges.kernels.tolerances import LINE_WIDTH
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.bridges.cells import Cells
    from walkmesh.builder.bridges.rim import Parts


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


def plan_widths(corners: Floats) -> Floats:
    """(t,) float64: how wide triangles (t, 3, 3) are across their longest side, in plan. [m]."""
    sides = np.roll(corners[..., :2], -1, axis=1) - corners[..., :2]
    twice = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    longest = np.hypot(sides[..., 0], sides[..., 1]).max(axis=1)
    return np.asarray(twice / np.maximum(longest, np.finfo(np.float64).tiny))


def slopes(corners: Floats) -> Floats:
    """(t,) float64: the tangent of the slope of triangles (t, 3, 3); inf without area in plan."""
    normal = area_vectors(corners)
    run = np.maximum(normal[:, 2], np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        return np.asarray(np.hypot(normal[:, 0], normal[:, 1]) / run)


def rises(corners: Floats, at_rim: Bools) -> tuple[Floats, Indices]:
    """Return how far triangles rise from one side to the corner across; and which side that is.

    It is the first side at the rim. A triangle without one rises from its lowest corner to its
    highest, and its side is -1.
    """
    rows = np.arange(len(corners))
    side = np.where(at_rim.any(axis=1), at_rim.argmax(axis=1), -1)
    a, b, c = (corners[rows, (side + k) % 3] for k in range(3))
    way = b[:, :2] - a[:, :2]
    share = ((c - a)[:, :2] * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-300)
    rise = c[:, 2] - a[:, 2] - share * (b - a)[:, 2]
    whole = corners[:, :, 2].max(axis=1) - corners[:, :, 2].min(axis=1)
    return np.where(side >= 0, rise, whole), side


def levelled(corners: Floats, at_rim: Bools, steepest: float) -> Floats:
    """Return triangles (t, 3, 3) of which those that are too steep were made level.

    Each is level with its side at the rim or the corner across from that, whichever is higher.

    Parameters
    ----------
    at_rim : (t, 3) bool
        Sides that run along the rim.
    steepest : float
        The tangent of the steepest slope that stays.
    """
    steep = np.flatnonzero(slopes(corners) > steepest)
    laid = corners.copy()
    rise, side = rises(corners[steep], at_rim[steep])
    a, b, c = ((side + k) % 3 for k in range(3))
    free = side < 0
    laid[steep[free], :, 2] = corners[steep[free], :, 2].max(axis=1, keepdims=True)
    # Either the side at the rim is lower and comes up, or the corner across from it does.
    up = ~free & (rise > 0.0)
    laid[steep[up], a[up], 2] += rise[up]
    laid[steep[up], b[up], 2] += rise[up]
    down = ~free & (rise < 0.0)
    laid[steep[down], c[down], 2] -= rise[down]
    return laid


class Names(NamedTuple):
    """The vertices of bridges: those that edges of the rim start and end with, and new ones."""

    edges: Ids  # (k,): the edge that each new vertex lies on, ascending
    shares: Floats  # (k,): where on it, ascending on each edge
    corners: Ids  # (t, 3): the vertex at each corner of the bridges
    firsts: Ids  # (t, 3): the first of all vertices at the same place

    def unified(self, count: int, same: Bools | None = None) -> Ids:
        """(count,) int32: the vertex that stands for each of all vertices.

        Corners become the first vertex at their place; if `same` (t, 3) is given, only those of it.
        """
        corners, firsts = self.corners, self.firsts
        if same is not None:
            corners, firsts = corners[same], firsts[same]
        names = np.arange(count, dtype=np.int32)
        np.minimum.at(names, corners, firsts)
        while (names != names[names]).any():
            names = names[names]
        return names


def name_corners(found: Bridges, starts: Ids, ends: Ids, count: int) -> Names:
    """Name the corners of bridges.

    Parameters
    ----------
    starts, ends : (n,) int32
        The vertices at both ends of each edge of the rim.
    count : int
        How many vertices there are; new ones have higher numbers.
    """
    at_rim = found.sides >= 0
    edges = np.concatenate([found.edges.ravel(), np.repeat(found.sides[at_rim], 2)])
    shares = np.concatenate([found.shares.ravel(), found.spans[at_rim].ravel()])
    inside = (shares > 0.0) & (shares < 1.0)
    order = np.lexsort((shares[inside], edges[inside]))
    sorted_edges, sorted_shares = edges[inside][order], shares[inside][order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (np.diff(sorted_edges) != 0) | (np.diff(sorted_shares) != 0.0)
    named = np.where(shares == 0.0, starts[edges], ends[edges]).astype(np.int64)
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = count + np.cumsum(fresh) - 1
    named[inside] = numbers
    corners = named[: found.edges.size].astype(np.int32)
    places = found.vertices.ravel()
    lowest = np.full(int(places.max(initial=-1)) + 1, count + len(order), dtype=np.int32)
    np.minimum.at(lowest, places, corners)
    return Names(
        sorted_edges[fresh],
        sorted_shares[fresh],
        corners.reshape(-1, 3),
        lowest[places].reshape(-1, 3),
    )
