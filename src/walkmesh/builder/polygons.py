"""From triangles to a navmesh: convex polygons, and the ground inside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.merge import collect_loops, merge_convex
from walkmesh.builder.kernels.overlay import lay_detail
from walkmesh.builder.kernels.stitch import weld_plan
from walkmesh.kernels.meshes.adjacency import COMPLEX
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.navmesh import NavMesh
from walkmesh.overlaps import vertices_on_edges
from walkmesh.ragged import (
    fit_planes,
    following_corners,
    match_polygons,
    offsets_of,
    offsets_with,
    owners_of,
    ranges,
)
from walkmesh.tolerances import NO_WIDTH, STRAIGHT, TOUCHING
from walkmesh.triangles import (
    compact,
    first_at_place,
    match_triangles,
    plan_measures,
)

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Longs
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.frame import Frame


# Vertices made corners can lie on further edges.
_SHARING_ROUNDS = 3
# The fewest corners of a polygon.
_TRIANGLE = 3
# Detail triangles looked at together. On rough ground there are millions, and what is computed
# about each on the way takes several times the memory of what is left of it.
_TOGETHER = 1 << 16


def merge_triangles(
    mesh: TriangleMesh, height_tolerance: float, straight: float = STRAIGHT / 2.0
) -> tuple[Ids, Ids]:
    """Merge triangles greedily into convex polygons, longest common edge first.

    Parameters
    ----------
    mesh : TriangleMesh
        Triangles that share vertices where they touch.
    height_tolerance : float
        How far a polygon may leave the triangles it replaces, in height. [Unit: m]
    straight : float, optional
        How far a polygon may fall short of its convex hull; by default half of what a sound navmesh
        may, so that rounding in world coordinates cannot make it a violation. [Unit: m]

    Returns
    -------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    corners : (c,) int32
        Vertex ids, counter-clockwise seen from above. Polygons come in the order of their first
        triangles.
    """
    triangle_corners = mesh.triangles.ravel()
    mates = match_triangles(mesh.triangles)
    following = np.empty(len(triangle_corners), dtype=np.int32)
    gone = np.empty(len(triangle_corners), dtype=np.uint8)
    polygons = merge_convex(
        mesh.points,
        triangle_corners,
        mates,
        _longest_first(mesh, mates),
        straight,
        height_tolerance,
        following,
        gone,
    )
    offsets = np.empty(polygons + 1, dtype=np.int32)
    corners = np.empty(len(triangle_corners), dtype=np.int32)
    filled = collect_loops(triangle_corners, following, gone, offsets, corners)
    return offsets, corners[:filled]


def _longest_first(mesh: TriangleMesh, mates: Ids) -> Ids:
    """Return the edges between two triangles, each once, the longest in plan first.

    Long diagonals are those of the long thin triangles that a triangulation makes, and the ones
    whose ends lie on straight walls; taking them first leaves fewer polygons.
    """
    edges = np.flatnonzero(mates > np.arange(len(mates)))
    starts = mesh.triangles.ravel()[edges]
    ends = mesh.triangles[edges // 3, (edges + 1) % 3]
    across = mesh.points[ends, :2] - mesh.points[starts, :2]
    length = (across * across).sum(axis=1)
    return np.ascontiguousarray(edges[np.argsort(-length, kind="stable")], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Partition:
    """Convex polygons in plan, and the ground cut along their sides."""

    points: Floats  # (n, 3): positions as (u, v, h) in the plan frame [m]
    # Ragged polygons of vertex ids, counter-clockwise.
    offsets: Ids  # (p + 1,)
    corners: Ids  # (c,)
    detail: Floats  # (t, 9): the corners of triangles of the ground [m]
    # The polygon and the triangle of the ground that each is part of.
    owners: Ids  # (t,)
    sources: Ids  # (t,)
    flat: Bools  # (p,): polygons that stand for their ground as they are

    @classmethod
    def of(cls, ground: TriangleMesh, coarse: TriangleMesh, height_tolerance: float) -> Partition:
        """Merge triangles into polygons, and cut the ground along them; see `make_navmesh`."""
        offsets, ids = merge_triangles(coarse, np.inf)
        points, corners = compact(coarse.points, ids)
        points, offsets, corners = weld(points, offsets, corners)
        offsets, corners = share_vertices(points, offsets, corners)
        detail, owners, sources, level = _cut_ground(
            ground, offsets, points[corners], height_tolerance
        )
        # A polygon that no triangle was found for has only itself.
        flat = level | (np.bincount(owners, minlength=len(level)) == 0)
        return cls(points, offsets, corners, detail, owners, sources, flat)

    @cached_property
    def sizes(self) -> Longs:
        """(p,) int64: how many triangles each polygon has, but for those without area."""
        cut = np.bincount(self.owners, minlength=len(self.flat))
        return np.where(self.flat, np.diff(self.offsets) - 2, cut)

    def navmesh(self, agent: Agent, frame: Frame) -> NavMesh:
        """Return the polygons, with the triangles of those that are not flat, in the world."""
        points, offsets, corners = self.points, self.offsets, self.corners
        if self.flat.all():
            return NavMesh(frame.to_world(points), offsets, corners, agent=agent, up=frame.up)
        needed = ~self.flat[self.owners] & has_width(self.detail)
        owners = self.owners[needed]
        own, own_owners = _own_triangles(points, offsets, corners, self.flat)
        positions, triangles = _weld(points, self.detail[needed])
        order = np.argsort(np.concatenate([own_owners, owners]), kind="stable")
        return NavMesh(
            frame.to_world(positions),
            offsets,
            corners,
            agent=agent,
            up=frame.up,
            triangles=np.concatenate([own, triangles])[order],
            triangle_polygons=np.concatenate([own_owners, owners])[order],
        )


def make_navmesh(
    ground: TriangleMesh, coarse: TriangleMesh, agent: Agent, height_tolerance: float
) -> NavMesh:
    """Turn triangles into a navmesh in world coordinates.

    Parameters
    ----------
    ground : TriangleMesh
        The ground as it is, or what stands for it within its `bands`.
    coarse : TriangleMesh
        The same in plan, on some of its vertices: it becomes the convex polygons.
    height_tolerance : float
        Where the ground stays this close to a plane a polygon needs no detail. [Unit: m]
    """
    return Partition.of(ground, coarse, height_tolerance).navmesh(agent, ground.frame)


def weld(points: Floats, offsets: Ids, corners: Ids) -> tuple[Floats, Ids, Ids]:
    """Make vertices at one place the same, and leave out polygons that collapse by it.

    Fans of triangles that meet in a point have a vertex each, which simplification may move apart
    by rounding. On the edge of a third polygon both would become corners, with no area between.
    Where more than two polygons would come to share an edge vertices stay as they are.
    """
    names = _places(points)
    while not np.array_equal(names, np.arange(len(points))):
        renamed = names[corners]
        stays = renamed != renamed[following_corners(offsets)]
        owners = owners_of(offsets)
        sizes = np.bincount(owners[stays], minlength=len(offsets) - 1)
        whole = sizes >= _TRIANGLE
        stays &= whole[owners]
        new_offsets, new_corners = offsets_of(sizes[whole]), renamed[stays]
        mates = match_polygons(new_offsets, new_corners)
        overused = np.flatnonzero(mates == COMPLEX)
        ends = new_corners[overused], new_corners[following_corners(new_offsets)[overused]]
        apart = np.isin(names, np.concatenate(ends)) & (names != np.arange(len(points)))
        if not apart.any():
            points, new_corners = compact(points, new_corners)
            return points, new_offsets, new_corners
        names[apart] = np.flatnonzero(apart)
    return points, offsets, corners


def _places(points: Floats) -> Ids:
    """(n,) int32: the first vertex at the place of each."""
    ids = np.empty(len(points), dtype=np.int32)
    plan = np.empty((len(points), 2), dtype=np.float64)
    weld_plan(points, TOUCHING, ids, plan)
    order = np.lexsort((points[:, 2], ids))
    apart = (np.diff(ids[order]) != 0) | (np.diff(points[order, 2]) > TOUCHING)
    group = np.concatenate([[0], np.cumsum(apart)])
    first = np.full(len(points), len(points), dtype=np.int32)
    np.minimum.at(first, group, order.astype(np.int32))
    names = np.empty(len(points), dtype=np.int32)
    names[order] = first[group]
    return names


def share_vertices(points: Floats, offsets: Ids, corners: Ids) -> tuple[Ids, Ids]:
    """Make vertices that lie on the boundary edge of a polygon corners of it.

    Where a sliver was left out its neighbours lie beside each other without sharing vertices.
    """
    for _ in range(_SHARING_ROUNDS):
        mates = match_polygons(offsets, corners)
        following = following_corners(offsets)
        edges = np.flatnonzero(mates < 0)
        ends = np.ascontiguousarray(np.stack([corners[edges], corners[following[edges]]], axis=1))
        pairs = vertices_on_edges(points, ends, TOUCHING)
        owners = owners_of(offsets)
        polygon = owners[edges[pairs[:, 1]]]
        # Not one that the polygon has already: that only shows how thin it is.
        key = len(points) * polygon.astype(np.int64) + pairs[:, 0]
        concerned = np.zeros(len(offsets) - 1, dtype=bool)
        concerned[polygon] = True
        own = concerned[owners]
        new = ~np.isin(key, len(points) * owners[own].astype(np.int64) + corners[own])
        # Nor twice, where the vertex lies on two sides of it.
        again = np.ones(len(key), dtype=bool)
        again[np.unique(key, return_index=True)[1]] = False
        new &= ~again
        if not new.any():
            break
        pairs = pairs[new]
        start = points[ends[pairs[:, 1], 0], :2]
        way = ((points[pairs[:, 0], :2] - start) ** 2).sum(axis=1)
        order = np.lexsort((way, pairs[:, 1]))
        corners = np.insert(corners, edges[pairs[order, 1]] + 1, pairs[order, 0]).astype(np.int32)
        offsets = offsets_with(offsets, edges[pairs[:, 1]])
    return offsets, corners


def _cut_ground(
    ground: TriangleMesh, offsets: Ids, corners: Floats, tolerance: float
) -> tuple[Floats, Ids, Ids, Bools]:
    """Return triangles (t, 9) of polygons, owners, sources, and which polygons are flat."""
    seed_offsets, seeds = _seeds(ground, offsets, corners)
    planes = fit_planes(offsets, corners)
    flat = np.empty(len(offsets) - 1, dtype=np.uint8)
    mates = match_triangles(ground.triangles)
    room = 2 * len(ground.triangles) + 256
    bands = np.zeros((len(ground.triangles), 2)) if ground.bands is None else ground.bands
    while True:
        detail = np.empty((room, 9), dtype=np.float64)
        owners, sources = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
        filled = np.empty(1, dtype=np.int64)
        lay_detail(
            (ground.points, ground.triangles, mates, bands), (offsets, corners, planes),
            seed_offsets, seeds, tolerance, flat, (detail, owners, sources, filled),
        )  # fmt: skip
        if filled[0] <= room:
            break
        room = int(filled[0])
    count = int(filled[0])
    return detail[:count], owners[:count], sources[:count], flat == 1


def has_width(detail: Floats) -> Bools:
    """Tell which triangles (t, 9) have an area in plan."""
    wide = np.empty(len(detail), dtype=bool)
    for start in range(0, len(detail), _TOGETHER):
        some = detail[start : start + _TOGETHER]
        triangles = some.reshape(-1, 3, 3)
        twice, outlines = plan_measures(triangles)
        wide[start : start + _TOGETHER] = twice > 4.0 * NO_WIDTH * outlines
    return wide


def _seeds(ground: TriangleMesh, offsets: Ids, corners: Floats) -> tuple[Ids, Ids]:
    """Return, for each polygon, the triangles of the ground around its corners."""
    both = np.concatenate([ground.points, corners])
    representative = first_at_place(both)
    place = representative[len(ground.points) :]
    around = np.argsort(representative[ground.triangles.ravel()], kind="stable")
    vertices = representative[ground.triangles.ravel()][around]
    first = np.searchsorted(vertices, place, side="left")
    last = np.searchsorted(vertices, place, side="right")
    return offsets_of(last - first)[offsets], (around[ranges(first, last)] // 3).astype(np.int32)


def _own_triangles(points: Floats, offsets: Ids, corners: Ids, flat: Bools) -> tuple[Ids, Ids]:
    """Return triangles of flat polygons on their own corners, and their owners."""
    sizes = np.diff(offsets)
    chosen = np.repeat(flat, sizes)
    starts = offsets_of(sizes[flat])
    triangles = np.empty((int((sizes[flat] - 2).sum()), 3), dtype=np.int32)
    triangulate_convex(points, starts, np.ascontiguousarray(corners[chosen]), triangles)
    owners = np.repeat(np.flatnonzero(flat).astype(np.int32), sizes[flat] - 2)
    return triangles, owners


def _weld(points: Floats, detail: Floats) -> tuple[Floats, Ids]:
    """Return points with those of the detail added, each once, and the detail's triangles."""
    corners = detail.reshape(-1, 3)
    size = 3 * _TOGETHER
    distinct, places = _distinct(np.concatenate([points, corners[:size]]), len(points))
    parts, ids, count = [distinct], [places[len(points) :]], len(distinct)
    for start in range(size, len(corners), size):
        distinct, places = _distinct(corners[start : start + size], 0)
        parts.append(distinct)
        ids.append(places + np.int32(count))
        count += len(distinct)
    if len(parts) == 1:
        return parts[0], ids[0].reshape(-1, 3)
    distinct, places = _distinct(np.concatenate(parts), len(points))
    return distinct, places[np.concatenate(ids)].reshape(-1, 3)


def _distinct(positions: Floats, kept: int) -> tuple[Floats, Ids]:
    """Return positions each once, but the first `kept` all, and which of these each is."""
    representative = first_at_place(positions)
    first = representative == np.arange(len(positions))
    first[:kept] = True
    renumbered = np.cumsum(first, dtype=np.int32) - np.int32(1)
    return positions[first], renumbered[representative]
