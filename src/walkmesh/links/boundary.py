"""The boundary of a navmesh, and places along it that links may start at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.errors import FormatError
from walkmesh.links.kernels.boundary import sample_boundary, trace_profiles
from walkmesh.ragged import owners_of
from walkmesh.topology import corner_polygons, edge_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh

# More places than this along a boundary, 10,000 km of it as a rule, are no navmesh of this world.
_MOST_PLACES = 40_000_000


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
    offsets, profiles : (m + 1,) int32 and (k, 2) float64
        How high the ground is along each, see :mod:`walkmesh.links.kernels.boundary`.
    """

    points: Floats
    tails: Ids
    heads: Ids
    polygons: Ids
    offsets: Ids
    profiles: Floats

    @classmethod
    def of(cls, navmesh: NavMesh, frame: Frame) -> Boundary:
        """Take the boundary of a navmesh; edges upright or of no length are left out."""
        return cls.along(navmesh, frame, np.flatnonzero(navmesh.neighbors < 0))

    @classmethod
    def along(cls, navmesh: NavMesh, frame: Frame, chosen: NDArray[np.intp]) -> Boundary:
        """Take the edges that start at some corners, as if they were the boundary."""
        points = frame.to_plan(navmesh.vertices)
        tails, heads = navmesh.polygon_vertices[chosen], edge_ends(navmesh)[chosen]
        wide = np.any(points[tails, :2] != points[heads, :2], axis=1)
        edges = tails[wide], heads[wide], corner_polygons(navmesh)[chosen][wide]
        offsets = np.empty(len(edges[0]) + 1, dtype=np.int32)
        profiles = np.empty((4 * len(edges[0]) + 64, 2))
        while True:
            count = trace_profiles(
                points, *edges, navmesh.triangles, navmesh.triangle_offsets, offsets, profiles
            )
            if count <= len(profiles):
                return cls(points, *edges, offsets, profiles[:count])
            profiles = np.empty((count, 2))

    @cached_property
    def pieces(self) -> Floats:
        """(k, 8) float64: the edges where the ground under them is straight.

        They are u, v, h of both ends, and the unit vector outwards in plan.
        """
        owners, before = self._owners_of_pieces
        tails, heads = self.points[self.tails[owners]], self.points[self.heads[owners]]
        along = heads[:, :2] - tails[:, :2]
        out = along[:, ::-1] * (1.0, -1.0) / np.hypot(along[:, 0], along[:, 1])[:, None]
        ends = []
        for row in (before, before + 1):
            ends += [tails[:, :2] + self.profiles[row, :1] * along, self.profiles[row, 1:]]
        return np.concatenate([*ends, out], axis=1)

    @cached_property
    def piece_polygons(self) -> Ids:
        """(k,) int32: the polygon of each of `pieces`."""
        return self.polygons[self._owners_of_pieces[0]]

    @cached_property
    def _owners_of_pieces(self) -> tuple[Ids, NDArray[np.intp]]:
        """The edge of each piece, and where in `profiles` the piece starts."""
        owners = owners_of(self.offsets)
        before = np.flatnonzero(owners[1:] == owners[:-1])
        return owners[before], before

    @cached_property
    def tree(self) -> BoxTree:
        """The tree of boxes over the pieces."""
        ends = self.pieces[:, :3], self.pieces[:, 3:6]
        return BoxTree.around(np.concatenate([np.minimum(*ends), np.maximum(*ends)], axis=1))

    def sample(self, step: float) -> Floats:
        """Lay places along the boundary, about `step` metres apart.

        Returns (k, 5) float64: u, v, h, and the unit vector outwards in plan.
        """
        along = self.points[self.heads] - self.points[self.tails]
        length = float(np.hypot(along[:, 0], along[:, 1]).sum())
        if not length / step <= _MOST_PLACES:
            raise FormatError(
                f"the boundary of the navmesh is {length:g} m long; links are looked for along at "
                f"most {_MOST_PLACES * step:g} m"
            )
        most = int(length / step) + 2 * len(along)
        places = np.empty((most, 5))
        count = sample_boundary(
            self.points, self.tails, self.heads, self.offsets, self.profiles,
            *_starting_at(self.tails, len(self.points)), step, places,
        )  # fmt: skip
        return places[:count]


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
