"""The triangulation that paths of any clearance are found on; one for all radii."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.kernels.warmup import prepare
from walkmesh.query.clearance.kernels.anchors import anchor_polygons
from walkmesh.query.clearance.kernels.delaunay import split_sides, strip_to_boundary
from walkmesh.query.clearance.kernels.feet import find_feet
from walkmesh.query.clearance.kernels.mates import join_triangles
from walkmesh.query.clearance.kernels.widest import grow_forest
from walkmesh.query.kernels.tolerances import NEAR_WALL_END
from walkmesh.topology import check_usable, edge_ends, kept, plan_points

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True, eq=False)
class ClearanceMesh:
    """Triangles between the boundary's vertices, whose sides tell how wide each passage is.

    It is the constrained Delaunay triangulation, in plan, of the navmesh's boundary, with further
    vertices on walls straight across from corners. A disc can go where the sides that it crosses
    are at least as long as it is wide, and nowhere else.

    Attributes
    ----------
    points : (n, 2) float64
        Vertices in plan, all on the boundary. [Unit: m]
    corners : (3 t,) int32
        The vertex of each triangle's corners, counter-clockwise.
    mates : (3 t,) int32
        The side of the next triangle that matches the side starting at each corner; -1 at the
        boundary.
    above : (t,) int32
    widths : (t,) float64
        The forest of widest ways, see `grow_forest`.
    centers : (p, 2) float64
        The middle of each of the navmesh's polygons, in plan. [Unit: m]
    anchors : (p,) int32
        The triangle that holds it.
    """

    points: Floats
    corners: Ids
    mates: Ids
    above: Ids
    widths: Floats
    centers: Floats
    anchors: Ids

    @property
    def triangulation(self) -> tuple[Floats, Ids, Ids]:
        """Points, corners and mates, as kernels take them."""
        return self.points, self.corners, self.mates

    @property
    def places(self) -> tuple[Floats, Ids]:
        """Centers and anchors, as kernels take them."""
        return self.centers, self.anchors

    @classmethod
    def of(cls, navmesh: NavMesh) -> ClearanceMesh:
        """Make the triangulation of a navmesh."""
        check_usable(navmesh)
        prepare("walkmesh.query", "walkmesh.query.clearance")
        offsets, vertices = navmesh.polygon_offsets, navmesh.polygon_vertices
        triangles = np.empty((len(vertices) - 2 * navmesh.polygon_count, 3), dtype=np.int32)
        triangulate_convex(plan_points(navmesh), offsets, vertices, triangles)
        mates: Ids = np.empty(triangles.size, dtype=np.int32)
        join_triangles(offsets, vertices, navmesh.neighbors, triangles, mates)
        plan = np.ascontiguousarray(plan_points(navmesh)[:, :2])
        strip_to_boundary(plan, triangles.reshape(-1), mates)
        points, corners, mates, names = _compact(plan, triangles.reshape(-1), mates)
        points, corners, mates, ends = _with_feet(points, corners, mates)
        above, widths = _forest(points, corners, mates)
        # A wall is known by the navmesh's vertices that it starts at and leads to.
        names = np.concatenate([names, names[ends[len(names) :]]])
        centers = np.empty((navmesh.polygon_count, 2), dtype=np.float64)
        anchors = np.empty(navmesh.polygon_count, dtype=np.int32)
        anchor_polygons(
            points,
            corners,
            mates,
            plan_points(navmesh),
            offsets,
            vertices,
            navmesh.neighbors,
            _walls(navmesh, corners, mates, names),
            centers,
            anchors,
        )
        return cls(
            points=read_only(points, np.float64),
            corners=read_only(corners, np.int32),
            mates=read_only(mates, np.int32),
            above=read_only(above, np.int32),
            widths=read_only(widths, np.float64),
            centers=read_only(centers, np.float64),
            anchors=read_only(anchors, np.int32),
        )


@kept
def clearance_mesh(navmesh: NavMesh) -> ClearanceMesh:
    """Return the triangulation of a navmesh, made when it is first asked for."""
    return ClearanceMesh.of(navmesh)


def _compact(points: Floats, corners: Ids, mates: Ids) -> tuple[Floats, Ids, Ids, Ids]:
    """Drop the triangles that are gone, and the vertices that none has; and say which are left."""
    sides = np.flatnonzero(corners >= 0)
    kept, used = np.unique(corners[sides], return_inverse=True)
    places = np.full(len(corners) + 1, -1, dtype=np.int32)
    places[sides] = np.arange(len(sides))
    return points[kept], used.astype(np.int32), places[mates[sides]], kept.astype(np.int32)


def _with_feet(points: Floats, corners: Ids, mates: Ids) -> tuple[Floats, Ids, Ids, Ids]:
    """Insert vertices on walls straight across from corners.

    Returns the triangulation, and of each vertex itself, or the end of the wall that it was
    inserted on.
    """
    capacity = 2 * len(points) + 64
    while True:
        walls = np.empty(capacity, dtype=np.int32)
        places = np.empty(capacity, dtype=np.float64)
        count = find_feet(points, corners, mates, walls, places)
        if count <= capacity:
            break
        capacity = count
    order = np.lexsort((places[:count], walls[:count]))
    walls, places = walls[order], places[order]
    ends = corners[_next(walls)]
    lengths = np.linalg.norm(points[ends] - points[corners[walls]], axis=1)
    apart = np.ones(len(walls), dtype=bool)
    apart[1:] = (np.diff(walls) != 0) | (np.diff(places) * lengths[1:] >= NEAR_WALL_END)
    walls, places, ends = walls[apart], places[apart], ends[apart]
    grown = np.empty((len(points) + len(walls), 2), dtype=np.float64)
    room = np.full(3 * len(walls), -1, dtype=np.int32)
    corners, mates = np.concatenate([corners, room]), np.concatenate([mates, room])
    split_sides(points, walls, places, grown, corners, mates)
    return grown, corners, mates, np.concatenate([np.arange(len(points), dtype=np.int32), ends])


def _next(sides: Ids) -> Ids:
    """Return the side after each of `sides` in its triangle."""
    return np.where(sides % 3 < 2, sides + 1, sides - 2).astype(np.int32)


def _forest(points: Floats, corners: Ids, mates: Ids) -> tuple[Ids, Floats]:
    """Return the forest of widest ways: what each triangle hangs under, and how wide it is."""
    sides = np.arange(len(corners), dtype=np.int32)
    lengths = np.linalg.norm(points[corners[_next(sides)]] - points[corners], axis=1)
    shared = np.flatnonzero(mates > sides).astype(np.int32)
    order = shared[np.argsort(-lengths[shared], kind="stable")]
    triangles = np.arange(len(corners) // 3, dtype=np.int32)
    above, widths = np.empty_like(triangles), np.empty(len(triangles), dtype=np.float64)
    grow_forest(order, mates, lengths, triangles, above, widths)
    return above, widths


def _walls(navmesh: NavMesh, corners: Ids, mates: Ids, names: Ids) -> Ids:
    """Return (c,) int32: the side that starts where each boundary edge of polygons does; -1 inside.

    `names` are the navmesh's vertices that those of the triangulation are, or that their walls lead
    to.
    """
    count = len(navmesh.vertices)
    sides = np.flatnonzero(mates < 0).astype(np.int32)
    ends = names[corners[_next(sides)]].astype(np.int64)
    starts = names[corners[sides]].astype(np.int64)
    keys = starts * count + ends
    order = np.argsort(keys, kind="stable")
    wanted = navmesh.polygon_vertices.astype(np.int64) * count + edge_ends(navmesh)
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(order) - 1, 0))
    walls = np.full(len(wanted), -1, dtype=np.int32)
    if len(order):
        found = (keys[order][place] == wanted) & (navmesh.neighbors < 0)
        walls[found] = sides[order[place[found]]]
    return walls
