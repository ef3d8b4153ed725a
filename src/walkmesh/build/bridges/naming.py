"""Names: which vertices bridges share with the ground and each other, and which are new."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.build.bridges.triangles import Bridges


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
    found : Bridges
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
