"""The boundary of a navmesh, and places along it that links may start at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.links.kernels.boundary import sample_boundary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Boundary:
    """The edges that have no polygon beyond them, in a plan frame near the scene.

    Attributes
    ----------
    points : (n, 3) float64
        The vertices of the navmesh. [Unit: m]
    tails, heads : (m,) int32
        The vertices where each edge starts and ends, the ground to its left.
    polygons : (m,) int32
        The polygon of each.
    """

    points: Floats
    tails: Ids
    heads: Ids
    polygons: Ids

    @classmethod
    def of(cls, navmesh: NavMesh, frame: Frame) -> Boundary:
        """Take the boundary of a navmesh; edges upright or of no length are left out."""
        points = frame.to_plan(navmesh.vertices)
        chosen = np.flatnonzero(navmesh.neighbors < 0)
        tails, heads = navmesh.polygon_vertices[chosen], navmesh.edge_ends[chosen]
        wide = np.any(points[tails, :2] != points[heads, :2], axis=1)
        return cls(points, tails[wide], heads[wide], navmesh.corner_polygons[chosen][wide])

    @cached_property
    def edges(self) -> Floats:
        """(m, 8) float64: u, v, h of both ends, and the unit vector outwards in plan."""
        tails, heads = self.points[self.tails], self.points[self.heads]
        along = heads[:, :2] - tails[:, :2]
        out = along[:, ::-1] * (1.0, -1.0) / np.hypot(along[:, 0], along[:, 1])[:, None]
        return np.concatenate([tails, heads, out], axis=1)

    @cached_property
    def tree(self) -> BoxTree:
        """The tree of boxes over the edges."""
        return BoxTree.over(self.points, np.stack([self.tails, self.heads], axis=1))

    def sample(self, step: float) -> tuple[Floats, Ids]:
        """Lay places along the boundary.

        Parameters
        ----------
        step : float
            How far apart they are, about. [Unit: m]

        Returns
        -------
        places : (k, 5) float64
            u, v, h, and the unit vector outwards in plan.
        edges : (k,) int32
            The edge that each lies on.
        """
        along = self.points[self.heads] - self.points[self.tails]
        most = int((np.hypot(along[:, 0], along[:, 1]) / step).sum()) + 2 * len(along)
        places, edges = np.empty((most, 5)), np.empty(most, dtype=np.int32)
        first, beside = _starting_at(self.tails, len(self.points))
        count = sample_boundary(
            self.points, self.tails, self.heads, first, beside, step, places, edges
        )
        return places[:count], edges[:count]


def _starting_at(tails: Ids, points: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return for each point an edge that starts there, and for each edge another one, or -1."""
    order = np.argsort(tails, kind="stable").astype(np.int32)
    first, beside = np.full(points, -1, dtype=np.int32), np.full(len(tails), -1, dtype=np.int32)
    if len(order):
        same = tails[order[1:]] == tails[order[:-1]]
        beside[order[:-1][same]] = order[1:][same]
        fresh = np.concatenate([[True], ~same])
        first[tails[order[fresh]]] = order[fresh]
    return first, beside
