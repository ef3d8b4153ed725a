"""Paths that keep a distance from the boundary: found in plan, and laid onto the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.clearance.kernels.path import NOT_CLEAR, find_clear_path, measure_room
from walkmesh.query.clearance.triangulation import clearance_mesh
from walkmesh.query.ends import ends_of
from walkmesh.query.ground.kernels.walk import lay_line
from walkmesh.query.kernels.tolerances import GROUND_TOLERANCE
from walkmesh.query.path import Path, Paths
from walkmesh.query.threads import find_each

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.clearance.triangulation import ClearanceMesh
    from walkmesh.query.ends import Ends
    from walkmesh.query.ground.backend import GroundBackend
    from walkmesh.query.ground.mesh import GroundMesh
    from walkmesh.query.located import Footing

# So many paths are searched in a thread at least.
_SMALLEST_CHUNK = 128


class ClearPaths:
    """Finds paths on the ground that keep a distance of at least 1e-5 m from the boundary.

    Start and goal may be moved by `max_snap` to where there is room. [Unit: m]
    """

    def __init__(self, backend: GroundBackend, clearance: float, max_snap: float) -> None:
        self.backend = backend
        self._clearance = clearance
        self._max_snap = max_snap

    def find_path(self, points: Floats) -> Path:
        """Find the path between two points, (1, 6) float64."""
        return self._find(*ends_of(points).locate(self.backend, self._max_snap))

    def find_paths(self, ends: Ends, workers: int | None) -> Paths:
        """Find many paths over threads, by default as many as there are cores."""
        starts, goals = ends.locate(self.backend, self._max_snap)

        def find(i: int) -> Path:
            return self._find(starts.chosen(slice(i, i + 1)), goals.chosen(slice(i, i + 1)))

        return find_each(len(ends.starts), find, workers, _SMALLEST_CHUNK)

    def _find(self, start: Footing, goal: Footing) -> Path:
        """Find the path from one place to another."""
        polygons = int(start.cells[0]), int(goal.cells[0])
        if min(polygons) < 0:
            return Path.unreachable()
        navmesh = self.backend.navmesh
        frame, mesh = navmesh.frame, clearance_mesh(navmesh)
        places = frame.to_plan(np.concatenate([start.points, goal.points]))
        plan_ends = np.ascontiguousarray(places[:, :2])
        found, optimal = clear_path(mesh, plan_ends, polygons, self._clearance, self._max_snap)
        if found is None:
            return Path.unreachable(certain=optimal)
        line = np.zeros((len(found), 3))
        line[:, :2] = found
        # It starts in sight of the place that was asked for, but not always on the same polygon.
        first = self.backend.cast(start, frame.to_world(line[:1]))
        line[0, 2] = frame.to_plan(first.points)[0, 2]
        laid = _lay(self.backend.mesh, line, int(first.polygons[0]))
        if laid is None:
            return Path.unreachable(certain=False)
        path, ways = laid
        length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
        cost = float(np.linalg.norm(np.diff(found, axis=0), axis=1).sum())
        return Path.of(frame.to_world(path), ways, length, cost, optimal)


def clear_path(
    mesh: ClearanceMesh,
    ends: Floats,
    polygons: tuple[int, int],
    radius: float,
    max_snap: float,
) -> tuple[Floats | None, bool]:
    """Find a path in plan that keeps a distance, `radius`, from the boundary.

    It leads between (2, 2) ends in some polygons of the navmesh, each of which may be moved by
    `max_snap` to where there is enough room. [Unit: m]

    Returns the path, (k, 2), or None if there is no such place or no way between them. It keeps the
    distance but for a micrometre, and there is one wherever a passage is wide enough. The shortest
    paths there are were shorter by less than a ten-thousandth in 260 random rooms.

    Also returns whether that is all there is to say: False if the path had to be bent around
    corners that the search did not turn around, or if there is none because none was found to be
    clear.
    """
    path, bent = np.empty((256, 2), dtype=np.float64), np.zeros(1, dtype=np.int32)
    while True:
        count = find_clear_path(
            mesh.triangulation, (mesh.above, mesh.widths), mesh.places, ends, *polygons, radius,
            max_snap, path, bent,
        )  # fmt: skip
        if count < 0:
            return None, count != NOT_CLEAR
        if count <= len(path):
            return path[:count], bool(bent[0] == 0)
        path = np.empty((count, 2), dtype=np.float64)


def _lay(mesh: GroundMesh, line: Floats, polygon: int) -> tuple[Floats, Ids] | None:
    """Lay a line onto the ground; return it, (k, 3), and the polygons that it leads through.

    None if it leads off the ground, as it may on a navmesh that is not sound.
    """
    room = 4 * len(line) + 64
    used = np.zeros(2, dtype=np.int64)
    while True:
        crossings, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
        path = np.empty((2 * room, 3))
        over_ground = lay_line(
            line, polygon, mesh.points, mesh.polygons, mesh.sides, mesh.triangles, mesh.diagonals,
            GROUND_TOLERANCE, crossings, ways, path, used,
        )  # fmt: skip
        if not over_ground:
            return None
        if used[0] <= len(crossings) and used[1] <= len(path):
            break
        room = max(2 * room, int(used[0]), int(used[1]))
    ways = ways[: used[0] - 1]
    return path[: used[1]], ways[np.append(True, np.diff(ways) != 0)]


def measure_walls(navmesh: NavMesh, points: Floats, polygons: Ids) -> Floats:
    """Return how far points are from the boundary in sight of them; NaN for those on no polygon."""
    plan = np.ascontiguousarray(navmesh.frame.to_plan(points)[:, :2])
    mesh, distances = clearance_mesh(navmesh), np.empty(len(points), dtype=np.float64)
    measure_room(mesh.triangulation, mesh.places, plan, polygons, distances)
    return distances
