"""Queries on a navmesh of ground, whose polygons are seen from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.query.finders import backend_of
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.lines import find_heights
from walkmesh.query.ground.kernels.lines import measure_lines as measure_lines_on_ground
from walkmesh.query.ground.kernels.locate import locate_points, measure_heights
from walkmesh.query.ground.kernels.walk import cast_rays
from walkmesh.query.ground.mesh import GroundMesh
from walkmesh.query.ground.paths import GroundPaths
from walkmesh.query.ground.scratch import GroundScratch
from walkmesh.query.kernels.tolerances import GROUND_TOLERANCE
from walkmesh.query.located import STOREY_HEIGHTS, Footing, Rays
from walkmesh.query.threads import Pool
from walkmesh.topology import detail_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.backend import PathFinder, PathKind

# So many lines are measured in a thread at least: those on flat ground take a few nanoseconds.
_SMALLEST_CHUNK = 1024


class GroundBackend:
    """Answers queries on a navmesh of ground; see :class:`walkmesh.query.backend.Backend`.

    Attributes
    ----------
    navmesh : NavMesh
    agent : Agent
    mesh : GroundMesh
        The navmesh as kernels take it.
    scratch : Pool of GroundScratch
        What its searches write to.
    """

    def __init__(self, navmesh: NavMesh, barred: NDArray[np.bool_] | None = None) -> None:
        self.navmesh = navmesh
        self.agent = navmesh.agent
        self.mesh = GroundMesh(navmesh, barred)
        self.islands = self.mesh.connections.islands
        jumps = self.mesh.connections.jumps
        self.has_links = len(jumps.links) > 0
        self.both_ways = bool(jumps.both_ways.all())
        self.link_price = jumps.price(2)
        self.scratch = Pool(lambda: GroundScratch(self.mesh))

    def without(self, barred: NDArray[np.bool_]) -> GroundBackend:
        """Return one on which some polygons, (p,), are neither entered nor stood on."""
        return GroundBackend(self.navmesh, barred)

    def locate(self, points: Floats, max_snap: float) -> Footing:
        """Find the ground that each of (n, 3) points in world coordinates stands on."""
        mesh, count = self.mesh, len(points)
        found = Footing(np.empty((count, 3)), np.empty(count, dtype=np.int32), np.empty(count))
        storey = STOREY_HEIGHTS * self.agent.height
        locate_points(
            points, mesh.floats, mesh.ints, mesh.layout, mesh.axes, self.agent.max_step, storey,
            max_snap, found.cells, found.points, found.distances,
        )  # fmt: skip
        return found

    def pin(self, points: Floats, polygons: Ids) -> Ids:
        """Return the polygons themselves."""
        del points
        return polygons

    def polygons_of(self, cells: Ids) -> Ids:
        """Return the polygons themselves."""
        return cells

    def heights_over(self, points: Floats) -> tuple[Ids, Floats]:
        """Measure how high (n, 3) points are over the ground straight below or above them.

        Returns the polygons whose ground is nearest in height, -1 for none; and how high the points
        are over it, negative below, infinite for none. [Unit: m]
        """
        mesh, count = self.mesh, len(points)
        polygons, heights = np.empty(count, dtype=np.int32), np.empty(count)
        measure_heights(points, mesh.floats, mesh.ints, mesh.layout, mesh.axes, polygons, heights)
        return polygons, heights

    def contains(self, points: Floats) -> NDArray[np.bool_]:
        """Tell which of (n, 3) points have ground straight below or above, within a step."""
        _, heights = self.heights_over(points)
        return np.abs(heights) <= self.agent.max_step

    def cast(self, starts: Footing, ends: Floats) -> Rays:
        """Walk straight on towards (n, 3) ends, as seen from above."""
        mesh, count = self.mesh, len(ends)
        points, hits = np.empty((count, 3)), np.empty(count, dtype=np.uint8)
        polygons, edges = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        cast_rays(
            starts.points, starts.cells, ends, mesh.points, mesh.polygons, mesh.sides,
            mesh.triangles, mesh.axes, points, polygons, edges, hits,
        )  # fmt: skip
        distances = np.linalg.norm((points - starts.points) @ mesh.axes[:2].T, axis=1)
        return Rays(hits.astype(np.bool_), points, polygons, edges, distances)

    def wall_distances(self, points: Floats) -> Floats:
        """Return how far (n, 3) points are from the boundary in sight; NaN beside the ground."""
        from walkmesh.query.clearance.paths import measure_walls

        found = self.locate(points, self.agent.height)
        # Straight below or above a point, so that on a slope it does not move sideways.
        polygons, heights = self.heights_over(points)
        straight = np.abs(heights) <= self.agent.max_step
        places = np.where(straight[:, None], points, found.points)
        return measure_walls(self.navmesh, places, np.where(straight, polygons, found.cells))

    def path_query(self, kind: PathKind) -> GroundPaths:
        """Return what finds paths of a kind."""
        return GroundPaths(self, kind)

    def clear_paths(self, radius: float, clearance: float, max_snap: float) -> PathFinder:
        """Return what finds paths that keep a distance from the boundary."""
        del radius  # the clearance says what it adds
        from walkmesh.query.clearance.paths import ClearPaths

        return ClearPaths(self, clearance, max_snap)

    def to_measure(self, points: Floats) -> Floats:
        """Return (n, 3) points where a straight way costs its length: in plan."""
        places = np.array(self.navmesh.frame.to_plan(points), order="C")
        places[:, 2] = 0.0
        return places

    def face_areas(self, normals: Floats) -> Floats:
        """Return how much triangles count that have (n, 3) normals: as seen from above."""
        areas: Floats = normals @ np.array(self.navmesh.up)
        return areas

    def onto_ground(self, points: Floats, polygons: Ids) -> Floats:
        """Return (n, 3) points, moved straight up or down to the ground of (n,) polygons."""
        mesh, places = self.mesh, self.navmesh.frame.to_plan(points)
        heights = np.empty(len(places))
        find_heights(
            np.ascontiguousarray(places), np.ascontiguousarray(polygons), mesh.points,
            self.navmesh.triangles, mesh.polygons, heights,
        )  # fmt: skip
        raised: Floats = points + (heights - places[:, 2])[:, None] * np.array(self.navmesh.up)
        return raised

    def onto_sides(self, points: Floats, polygons: Ids) -> Floats:
        """Return (n, 3) points on sides of (n,) polygons, on the ground of their triangles.

        Without triangles of their own, polygons have the ground exactly where their sides are.
        """
        if detail_of(self.navmesh) is None:
            return points
        broken = self.mesh.polygons[polygons, col.RELIEF] == col.BROKEN
        result = points.copy()
        result[broken] = self.onto_ground(points[broken], polygons[broken])
        return result

    def measure_lines(self, starts: Floats, stops: Floats, polygons: Ids) -> Floats:
        """Return how long lines inside (n,) polygons are, along the ground. In metres."""
        mesh, lengths, frame = self.mesh, np.empty(len(starts)), self.navmesh.frame
        lines = np.concatenate([frame.to_plan(ends) for ends in (starts, stops)], axis=1)
        triangles, owners = self.navmesh.triangles, np.ascontiguousarray(polygons)

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            measure_lines_on_ground(
                lines[part], owners[part], mesh.points, triangles, mesh.polygons, mesh.diagonals,
                GROUND_TOLERANCE, lengths[part],
            )  # fmt: skip

        for _ in in_chunks(len(lines), work, smallest=_SMALLEST_CHUNK):
            pass
        return lengths

    def lay_down(self, points: Floats, polygons: list[int]) -> Floats:
        """Return a line with further points where the ground inside its polygons leaves it."""
        if len(points) < 2:
            return points
        frame = self.navmesh.frame
        return frame.to_world(self.mesh.on_ground(frame.to_plan(points), polygons))


def ground_of(navmesh: NavMesh) -> GroundBackend:
    """Return what answers queries on a navmesh of ground."""
    backend = backend_of(navmesh)
    assert isinstance(backend, GroundBackend)
    return backend
