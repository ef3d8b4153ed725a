"""The rim of the ground: its boundary edges, and the parts of them that a gap lies before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges.kernels.partners import find_active, find_splits, thin_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids


class Limits(NamedTuple):
    """What a bridge may be like."""

    distance: float  # the widest gap [m]
    max_step: float  # the highest step across [m]
    steepness: float  # the tangent of the steepest slope across
    height: float  # how far ground is from other ground above it, at least [m]

    @classmethod
    def of(cls, agent: Agent, distance: float) -> Limits:
        """Return what an agent can cross."""
        steepness = float(np.tan(np.radians(agent.max_slope)))
        return cls(distance, agent.max_step, steepness, agent.height)

    @property
    def across(self) -> tuple[float, float, float]:
        """What kernels need to tell whether a gap can be crossed."""
        return self.distance, self.max_step, self.steepness

    @property
    def rise(self) -> float:
        """The most that a bridge rises. [m]."""
        return max(self.max_step, self.steepness * self.distance)


@dataclass(frozen=True)
class Rim:
    """Boundary edges.

    Attributes
    ----------
    edges : (n, 6) float64
        Both ends (u, v, h) of each in the plan frame; the ground lies to the left. [Unit: m]
    is_open : (n,) uint8
        1 for those that a bridge may start from.
    """

    edges: Floats
    is_open: NDArray[np.uint8]

    @cached_property
    def tree(self) -> BoxTree:
        """A tree of boxes over the edges."""
        return tree_over(self.edges)

    @cached_property
    def lengths(self) -> Floats:
        """(n,) float64: the length of each edge in plan. [m]."""
        return np.asarray(np.hypot(*(self.edges[:, 3:5] - self.edges[:, :2]).T))


class Places(NamedTuple):
    """Places inside edges."""

    edges: Ids  # (k,)
    shares: Floats  # (k,): 0 at the start of the edge, 1 at its end


class Parts(NamedTuple):
    """Parts of edges, in the order of the edges and along them."""

    lines: Floats  # (m, 6): both ends as (u, v, h) [m]
    edges: Ids  # (m,): the edge of each
    shares: Floats  # (m, 2): where on it the part starts and stops
    active: NDArray[np.uint8]  # (m,): 1 if a gap that can be crossed lies before it


def tree_over(lines: Floats) -> BoxTree:
    """Return a tree of boxes over lines (n, 6)."""
    ends = np.arange(2 * len(lines), dtype=np.int32).reshape(-1, 2)
    return BoxTree.over(lines.reshape(-1, 3), ends)


def find_places(rim: Rim, limits: Limits) -> Places:
    """Find the places where a gap begins or ends, or that lie straight across from a corner."""
    tree = rim.tree
    room = 4 * len(rim.edges) + 64
    while True:
        edges, shares = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.float64)
        count = find_splits(
            rim.edges,
            rim.is_open,
            tree.boxes,
            tree.order,
            tree.nodes,
            *limits.across,
            edges,
            shares,
        )
        if count <= room:
            return Places(edges[:count], shares[:count])
        room = int(count)


def split_rim(rim: Rim, places: Places, limits: Limits) -> Parts:
    """Split edges at places, and tell which parts have a gap before them."""
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
    active = np.empty(len(lines), dtype=np.uint8)
    tree = rim.tree
    find_active(
        lines, owners, rim.edges, rim.is_open, tree.boxes, tree.order, tree.nodes, *limits.across,
        active,
    )  # fmt: skip
    return Parts(lines, owners, np.column_stack([starts, stops]), active)


def _at(edges: Floats, shares: Floats) -> Floats:
    """(n, 3) float64: a place on each edge; at its ends exactly these."""
    t = shares[:, None]
    inside = edges[:, :3] + t * (edges[:, 3:] - edges[:, :3])
    return np.where(t == 1.0, edges[:, 3:], inside)
