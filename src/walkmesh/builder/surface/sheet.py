"""The sheet: polygons at any angle that hang together along edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.stitch import number_fans
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.surface.kernels.flip_slivers import flip_slivers, join_ends
from walkmesh.builder.surface.kernels.tolerances import FACE_WIDTH, NARROW_FOLD, SHORT_SIDE
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.polygon_planes import in_own_planes
from walkmesh.ragged import JoinedPolygons, RaggedPolygons, offsets_of, offsets_with
from walkmesh.triangles import compact, match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids, Integers
    from walkmesh.frame import Frame


@dataclass(frozen=True)
class Sheet(JoinedPolygons):
    """Flat convex polygons at any angle, with their neighbours."""

    corners: Floats  # (c, 3): positions, counter-clockwise around the normal [m]
    mates: Ids  # (c,): the edge across each edge, named by its first corner; -1 at a boundary
    blockers: Ids  # (c,): for each edge the face that stands in the way beyond it, -1 for none
    normals: Floats  # (p, 3): unit normals
    sources: Ids  # (p,): the face that each polygon is part of; -1 for one that is part of none

    @cached_property
    def areas(self) -> Floats:
        """(p,) float64: the area of each polygon. [Unit: m2]."""
        starts = self.offsets[:-1]
        local = self.corners - np.repeat(self.corners[starts], np.diff(self.offsets), axis=0)
        cross = np.cross(local, local[self.following])
        return np.asarray(np.linalg.norm(np.add.reduceat(cross, starts, axis=0), axis=1) / 2.0)

    @cached_property
    def vertices(self) -> tuple[Ids, Floats]:
        """(c,) int32 and (n, 3) float64: the vertex of each corner, and where they are.

        Corners are one vertex where their polygons hang together around it.
        """
        vertices = np.empty(len(self.mates), dtype=np.int32)
        count = number_fans(self.offsets, self.mates, vertices)
        points = np.empty((count, 3), dtype=np.float64)
        points[vertices[::-1]] = self.corners[::-1]
        return vertices, points

    @cached_property
    def triangles(self) -> tuple[Ids, Ids]:
        """(t, 3) and (t,) int32: polygons cut into triangles of corners, and their polygons."""
        sizes = np.diff(self.offsets)
        owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes - 2)
        return cut_into_triangles(self.offsets, self.corners, self.normals), owners

    def edges(self, chosen: Integers) -> tuple[Floats, Floats, Floats]:
        """Return where chosen edges (b,) start and end, and the normals of their polygons."""
        starts, ends = self.corners[chosen], self.corners[self.following[chosen]]
        return starts, ends, self.normals[self.owners[chosen]]

    def keep(self, chosen: Bools) -> Sheet:
        """Return the chosen polygons alone; what touched the others is boundary now."""
        if chosen.all():
            return self
        staying = chosen[self.owners]
        renumbered = np.cumsum(staying, dtype=np.int32) - np.int32(1)
        mates = self.mates[staying]
        across = (mates >= 0) & staying[mates]
        return Sheet(
            offsets_of(np.diff(self.offsets)[chosen]),
            np.ascontiguousarray(self.corners[staying]),
            np.where(across, renumbered[mates], -1).astype(np.int32),
            np.ascontiguousarray(self.blockers[staying]),
            np.ascontiguousarray(self.normals[chosen]),
            np.ascontiguousarray(self.sources[chosen]),
        )

    def with_edges_apart(self) -> Sheet:
        """Return it with every edge between vertices of its own.

        Edges that lie on each other without being mates may have both their vertices in common,
        where the surface hangs together around both their ends. A corner in the middle of each
        tells them apart.
        """
        vertices, points = self.vertices
        ends = vertices[self.following]
        low, high = np.minimum(vertices, ends), np.maximum(vertices, ends)
        keys = low.astype(np.int64) * len(points) + high
        _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
        apart = (counts[group] > 2) | ((counts[group] == 2) & (self.mates < 0))
        if not apart.any():
            return self
        edges = np.flatnonzero(apart)
        middles = 0.5 * (self.corners[edges] + self.corners[self.following[edges]])
        place = np.arange(len(apart)) + np.cumsum(apart) - apart
        mates = np.full(len(apart) + len(edges), -1, dtype=np.int32)
        mated = np.flatnonzero(self.mates >= 0)
        across = self.mates[mated]
        # The first half of an edge lies across the second half of its mate.
        mates[place[mated]] = place[across] + apart[across]
        halved = mated[apart[mated]]
        mates[place[halved] + 1] = place[self.mates[halved]]
        return Sheet(
            offsets_with(self.offsets, edges),
            np.ascontiguousarray(np.insert(self.corners, edges + 1, middles, axis=0)),
            mates,
            np.insert(self.blockers, edges + 1, self.blockers[edges]).astype(np.int32),
            self.normals,
            self.sources,
        )

    def mesh(self, frame: Frame) -> TriangleMesh:
        """Return it as triangles, none of them without width."""
        triangles, _ = self.triangles
        vertices, points = self.vertices
        triangles = vertices[triangles]
        first = np.empty(len(points), dtype=np.int32)
        join_ends(points, triangles, SHORT_SIDE, first)
        corners = _without_folds(points, first[triangles]).ravel()
        flip_slivers(points, corners, match_triangles(corners.reshape(-1, 3)), FACE_WIDTH)
        left = corners.reshape(-1, 3)
        points, left = compact(points, _without_folds(points, left[left[:, 0] >= 0]))
        return TriangleMesh(points, left, frame)


@dataclass(frozen=True)
class SheetPieces(RaggedPolygons):
    """Convex polygons that share neither vertices nor edges; see :class:`Sheet` for the arrays."""

    corners: Floats
    blockers: Ids
    normals: Floats
    sources: Ids

    def mesh(self, frame: Frame) -> TriangleMesh:
        """Return them as triangles to look at."""
        triangles = cut_into_triangles(self.offsets, self.corners, self.normals)
        return TriangleMesh(self.corners, triangles, frame)


def cut_into_triangles(offsets: Ids, corners: Floats, normals: Floats) -> Ids:
    """(t, 3) int32: corners of the triangles that convex polygons are cut into, in their planes."""
    local = in_own_planes(offsets, corners, normals)
    triangles = np.empty((int((np.diff(offsets) - 2).sum()), 3), dtype=np.int32)
    triangulate_convex(local, offsets, np.arange(len(corners), dtype=np.int32), triangles)
    return triangles


def _without_folds(points: Floats, triangles: Ids) -> Ids:
    """Leave out triangles with a corner twice, and narrow ones that lie back to back.

    Wide ones are the two sides of a sheet.
    """
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    if len(triangles) == 0:
        return triangles
    low, middle, high = np.sort(triangles, axis=1).T
    pairs = low.astype(np.int64) * (int(high.max()) + 1) + middle
    order = np.lexsort((high, pairs))
    new = (np.diff(pairs[order], prepend=-1) != 0) | (np.diff(high[order], prepend=-1) != 0)
    starts = np.flatnonzero(new)
    if len(starts) == len(triangles):
        return triangles
    # Of those with the same corners, as many from either side are none; else one is left over.
    a, b, c = triangles[order].T.astype(np.int64)
    turns = np.where((a < b) ^ (b < c) ^ (c < a), 1, -1)
    fronts = np.add.reduceat(turns, starts)
    p, q, r = (points[triangles[order[starts], k]] for k in range(3))
    twice = np.linalg.norm(np.cross(q - p, r - p), axis=1)
    longest = np.max([np.linalg.norm(x, axis=1) for x in (q - p, r - q, p - r)], axis=0)
    wide = twice > NARROW_FOLD * longest
    group = np.cumsum(new) - 1
    keep = wide[group]
    keep[starts[~wide & (fronts != 0)]] = True
    return np.ascontiguousarray(triangles[np.sort(order[keep])])
