"""Queries on a navmesh of a surface, whose polygons lie at any angle, each with its own up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SettingsError
from walkmesh.query.backend import PathKind
from walkmesh.query.located import STOREY_HEIGHTS, Footing, Rays
from walkmesh.query.surface.kernels.locate import locate_points, tell_inside
from walkmesh.query.surface.kernels.straight import walk_straight
from walkmesh.query.surface.mesh import SurfaceMesh, pin
from walkmesh.query.surface.paths import SurfacePaths
from walkmesh.query.surface.scratch import SurfaceScratch
from walkmesh.query.threads import Pool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.backend import PathFinder

_ALL = np.empty(0, dtype=np.uint8)


class SurfaceBackend:
    """Answers queries on a navmesh of a surface; see :class:`walkmesh.query.backend.Backend`.

    Attributes
    ----------
    navmesh : NavMesh
    agent : Agent
    mesh : SurfaceMesh
        The navmesh as kernels take it.
    scratch : Pool of SurfaceScratch
        What its searches write to.
    """

    def __init__(self, navmesh: NavMesh, barred: NDArray[np.bool_] | None = None) -> None:
        self.navmesh = navmesh
        self.agent = navmesh.agent
        self.mesh = SurfaceMesh(navmesh, barred)
        self.islands = self.mesh.connections.islands
        jumps = self.mesh.connections.jumps
        self.has_links = len(jumps.links) > 0
        self.both_ways = bool(jumps.both_ways.all())
        self.link_price = jumps.price(3)
        self.scratch = Pool(lambda: SurfaceScratch(self.mesh))

    def without(self, barred: NDArray[np.bool_]) -> SurfaceBackend:
        """Return one on which some polygons, (p,), are neither entered nor stood on."""
        return SurfaceBackend(self.navmesh, barred)

    def locate(self, points: Floats, max_snap: float, allowed: NDArray[np.uint8] = _ALL) -> Footing:
        """Find what each of (n, 3) points stands on, of all triangles or those `allowed`."""
        mesh, agent, count = self.mesh, self.agent, len(points)
        found = Footing(np.empty((count, 3)), np.empty(count, dtype=np.int32), np.empty(count))
        locate_points(
            points, mesh.floats, mesh.ints, mesh.layout, allowed, agent.max_step,
            STOREY_HEIGHTS * agent.height, max_snap, found.cells, found.points, found.distances,
        )  # fmt: skip
        return found

    def pin(self, points: Floats, polygons: Ids) -> Ids:
        """Return the triangles of (n,) polygons that (n, 3) points on them lie on."""
        mesh = self.mesh
        return pin(points, polygons, mesh.points, mesh.triangles, mesh.grounds)

    def polygons_of(self, cells: Ids) -> Ids:
        """Return the polygons of triangles, -1 for none."""
        owners = self.mesh.owners
        if len(owners) == 0:
            return cells
        return np.where(cells >= 0, owners[cells], -1).astype(np.int32)

    def contains(self, points: Floats) -> NDArray[np.bool_]:
        """Tell which of (n, 3) points stand on the surface, no farther from it than a step."""
        mesh, inside = self.mesh, np.empty(len(points), dtype=np.uint8)
        tell_inside(points, mesh.floats, mesh.ints, mesh.layout, self.agent.max_step, inside)
        return inside.astype(np.bool_)

    def cast(self, starts: Footing, ends: Floats) -> Rays:
        """Walk straight on towards (n, 3) ends, seen along the normal of the start."""
        mesh, count = self.mesh, len(ends)
        points, distances = np.empty((count, 3)), np.empty(count)
        triangles, edges = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        hits = np.empty(count, dtype=np.uint8)
        walk_straight(
            mesh.floats, mesh.ints, mesh.layout, starts.points, starts.cells, ends, points,
            triangles, edges, hits, distances,
        )  # fmt: skip
        polygons = self.polygons_of(triangles)
        return Rays(hits.astype(np.bool_), points, polygons, edges, distances)

    def wall_distances(self, points: Floats) -> Floats:
        """Return how far (n, 3) points are from the boundary, along the surface."""
        even, height = np.ones(self.navmesh.polygon_count), self.agent.height
        least_price = min(1.0, self.link_price)
        kind = PathKind(even, True, least_price, optimal=True, partial=False, max_snap=height)
        return self.path_query(kind).measure_walls(self.locate(points, height))

    def path_query(self, kind: PathKind) -> SurfacePaths:
        """Return what finds paths of a kind."""
        return SurfacePaths(self, kind)

    def clear_paths(self, radius: float, clearance: float, max_snap: float) -> PathFinder:
        """Refuse: a navmesh of a surface serves the radius that it was built for."""
        del clearance, max_snap
        raise SettingsError(
            f"radius is {radius!r}; on a navmesh of a surface it must be {self.agent.radius:g} m, "
            "the radius that it was built for: build it for that radius"
        )

    def to_measure(self, points: Floats) -> Floats:
        """Return (n, 3) points where a straight way costs its length: as they are."""
        return points

    def face_areas(self, normals: Floats) -> Floats:
        """Return how much triangles count that have (n, 3) normals: their areas."""
        return np.asarray(np.linalg.norm(normals, axis=1))

    def onto_ground(self, points: Floats, polygons: Ids) -> Floats:
        """Return the points: polygons are flat."""
        del polygons
        return points

    def onto_sides(self, points: Floats, polygons: Ids) -> Floats:
        """Return the points: polygons are flat."""
        del polygons
        return points

    def measure_lines(self, starts: Floats, stops: Floats, polygons: Ids) -> Floats:
        """Return how long straight lines are."""
        del polygons
        return np.asarray(np.linalg.norm(stops - starts, axis=1))

    def lay_down(self, points: Floats, polygons: list[int]) -> Floats:
        """Return the points: polygons are flat."""
        del polygons
        return points
