"""The rim of the ground: its boundary edges, and the parts of them that a gap lies before."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges.kernels.partners import find_active, find_splits, thin_out
from walkmesh.builder.bridges.kernels.tolerances import GAP_ROUNDING

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids


class GapLimits(NamedTuple):
    """What a bridge may be like."""

    distance: float  # the widest gap, and what rounding may add to it [m]
    max_step: float  # the highest step across [m]
    steepness: float  # the tangent of the steepest slope across
    height: float  # how far ground is from other ground above it, at least [m]

    @classmethod
    def of(cls, agent: Agent, distance: float) -> GapLimits:
        """Return what an agent can cross."""
        steepness = float(np.tan(np.radians(agent.max_slope)))
        return cls(distance + GAP_ROUNDING, agent.max_step, steepness, agent.height)

    @property
    def across(self) -> tuple[float, float, float]:
        """What kernels need to tell whether a gap can be crossed."""
        return self.distance, self.max_step, self.steepness

    @property
    def rise(self) -> float:
        """The most that a bridge rises. [m]."""
        return max(self.max_step, self.steepness * self.distance)


class RimPlaces(NamedTuple):
    """Places inside edges."""

    edges: Ids  # (k,)
    shares: Floats  # (k,): 0 at the start of the edge, 1 at its end

    def followed_by(self, others: RimPlaces) -> RimPlaces:
        """Return the places of both."""
        return RimPlaces(
            np.concatenate([self.edges, others.edges]), np.concatenate([self.shares, others.shares])
        )


class Runs(NamedTuple):
    """Runs of edges, ascending; those on one edge do not touch."""

    edges: Ids  # (k,)
    first: Floats  # (k,): where on the edge it starts, maybe before that does
    last: Floats  # (k,): where it ends, maybe after that does

    @classmethod
    def none(cls) -> Runs:
        """Return no run at all."""
        return cls(np.empty(0, dtype=np.int32), np.empty(0), np.empty(0))

    @property
    def ends(self) -> RimPlaces:
        """Where runs start and end inside of their edges."""
        edges = np.concatenate([self.edges, self.edges])
        shares = np.concatenate([self.first, self.last])
        inside = (shares > 0.0) & (shares < 1.0)
        return RimPlaces(edges[inside], shares[inside])

    def hold(self, edges: Ids, shares: Floats) -> Bools:
        """(n,) bool: which places on edges are in a run."""
        if len(self.edges) == 0:
            return np.zeros(len(edges), dtype=bool)
        key = 2.0 * self.edges + self.first.clip(0.0, 1.0)
        run = np.searchsorted(key, 2.0 * edges + shares, side="right") - 1
        return np.asarray((run >= 0) & (self.edges[run] == edges) & (shares < self.last[run]))


@dataclass(frozen=True)
class Rim:
    """Boundary edges."""

    # (n, 6): both ends (u, v, h) of each in the plan frame; the ground lies to the left [m]
    edges: Floats
    is_open: Bytes  # (n,): 1 for those that a bridge may start from
    closed: Runs = field(default_factory=Runs.none)  # where on these it may not; by default nowhere

    @cached_property
    def tree(self) -> BoxTree:
        """A tree of boxes over the edges."""
        return BoxTree.over_lines(self.edges)

    @cached_property
    def lengths(self) -> Floats:
        """(n,) float64: the length of each edge in plan. [m]."""
        return np.asarray(np.hypot(*(self.edges[:, 3:5] - self.edges[:, :2]).T))


class Parts(NamedTuple):
    """Parts of edges, in the order of the edges and along them."""

    lines: Floats  # (m, 6): both ends as (u, v, h) [m]
    edges: Ids  # (m,): the edge of each
    shares: Floats  # (m, 2): where on it the part starts and stops
    active: Bytes  # (m,): 1 if a gap that can be crossed lies before it
    closed: Bools  # (m,): whether something stands on it


def find_places(rim: Rim, limits: GapLimits) -> RimPlaces:
    """Find the places where a gap begins or ends, or that lie straight across from a corner."""
    if len(rim.closed.edges) == 0:
        return _open_places(rim, limits)
    # What is closed has ends like corners, also for what lies across from them.
    parts = _split(rim, rim.closed.ends)
    is_open = np.where(parts.closed, 0, rim.is_open[parts.edges]).astype(np.uint8)
    found = _open_places(Rim(parts.lines, is_open), limits)
    first, last = parts.shares[found.edges].T
    places = RimPlaces(parts.edges[found.edges], first + found.shares * (last - first))
    return places.followed_by(rim.closed.ends)


def _open_places(rim: Rim, limits: GapLimits) -> RimPlaces:
    """Find these places on edges that are open all along."""
    room = 4 * len(rim.edges) + 64
    while True:
        edges, shares = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.float64)
        count = find_splits(rim.edges, rim.is_open, rim.tree.arrays, *limits.across, edges, shares)
        if count <= room:
            return RimPlaces(edges[:count], shares[:count])
        room = int(count)


def split_rim(rim: Rim, places: RimPlaces, limits: GapLimits) -> Parts:
    """Split edges at places, and tell which parts have a gap before them."""
    parts = _split(rim, places)
    find_active(
        parts.lines, parts.edges, rim.edges, rim.is_open, rim.tree.arrays, *limits.across,
        parts.active,
    )  # fmt: skip
    parts.active[parts.closed] = 0
    return parts


def _split(rim: Rim, places: RimPlaces) -> Parts:
    """Split edges at places, unless these are too close to others; no part is active yet."""
    order = np.lexsort((places.shares, places.edges))
    edges, shares = places.edges[order], places.shares[order]
    kept = np.empty(len(edges), dtype=np.uint8)
    thin_out(edges, shares, rim.lengths, kept)
    edges, shares = edges[kept == 1], shares[kept == 1]
    # Every edge starts at 0; the next start, or 1, is where a part stops.
    owners = np.concatenate([np.arange(len(rim.edges), dtype=np.int32), edges])
    starts = np.concatenate([np.zeros(len(rim.edges)), shares])
    order = np.lexsort((starts, owners))
    owners, starts = owners[order], starts[order]
    last = np.concatenate([owners[1:] != owners[:-1], [True]])[: len(owners)]
    stops = np.where(last, 1.0, np.concatenate([starts[1:], [1.0]])[: len(starts)])
    lines = np.concatenate([_at(rim.edges[owners], starts), _at(rim.edges[owners], stops)], axis=1)
    active = np.zeros(len(lines), dtype=np.uint8)
    closed = rim.closed.hold(owners, (starts + stops) / 2.0)
    return Parts(lines, owners, np.column_stack([starts, stops]), active, closed)


def _at(edges: Floats, shares: Floats) -> Floats:
    """(n, 3) float64: a place on each edge; at its ends exactly these."""
    t = shares[:, None]
    inside = edges[:, :3] + t * (edges[:, 3:] - edges[:, :3])
    return np.where(t == 1.0, edges[:, 3:], inside)
