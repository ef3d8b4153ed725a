"""Asking for paths with clearance: found in plan, and laid onto the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.query.ask import Ends
from walkmesh.query.clearance.path import clear_path, room_around
from walkmesh.query.drape import GROUND_TOLERANCE
from walkmesh.query.kernels.walk import lay_line
from walkmesh.query.path import Path, Paths
from walkmesh.query.rays import cast

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def ask_clear(navmesh: NavMesh, ends: Ends, radius: float, max_snap: float) -> Path:
    """Find a path that keeps a distance from the boundary, between the first pair of points.

    Parameters
    ----------
    navmesh : NavMesh
        What to walk on.
    ends : Ends
        Start and goal, located.
    radius : float
        The distance to keep. [Limit: >= 1e-5] [Unit: m]
    max_snap : float
        How far start and goal may be moved to where there is room. [Unit: m]
    """
    start, goal = int(ends.start_polygons[0]), int(ends.goal_polygons[0])
    if start < 0 or goal < 0:
        return Path.unreachable()
    frame = navmesh.frame
    places = frame.to_plan(np.concatenate([ends.starts[:1], ends.goals[:1]]))
    plan_ends = np.ascontiguousarray(places[:, :2])
    found, optimal = clear_path(navmesh.clearance_mesh, plan_ends, (start, goal), radius, max_snap)
    if found is None:
        return Path.unreachable(certain=optimal)
    line = np.zeros((len(found), 3))
    line[:, :2] = found
    # It starts in sight of the place that was asked for, but not always on the same polygon.
    first_step = Ends(
        ends.starts[:1], ends.start_polygons[:1], frame.to_world(line[:1]), ends.goal_polygons[:0]
    )
    first = cast(navmesh.search_mesh, first_step)
    line[0, 2] = frame.to_plan(first.points)[0, 2]
    laid = _lay(navmesh, line, int(first.polygons[0]))
    if laid is None:
        return Path.unreachable(certain=False)
    path, polygons = laid
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    cost = float(np.linalg.norm(np.diff(found, axis=0), axis=1).sum())
    return Path.of(frame.to_world(path), polygons, length, cost, optimal)


def ask_many_clear(
    navmesh: NavMesh, ends: Ends, radius: float, max_snap: float, workers: int | None
) -> Paths:
    """Find many such paths over threads, by default as many as there are cores."""

    def work(start: int, stop: int) -> list[Path]:
        return [
            ask_clear(navmesh, ends.part(i, i + 1), radius, max_snap) for i in range(start, stop)
        ]

    chunks = in_chunks(len(ends.starts), work, workers)
    return Paths.of([path for _, paths in chunks for path in paths])


def _lay(navmesh: NavMesh, line: Floats, polygon: int) -> tuple[Floats, Ids] | None:
    """Lay a line onto the ground; return it, (k, 3), and the polygons that it leads through.

    None if it leads off the ground, as it may on a navmesh that is not sound.
    """
    search = navmesh.search_mesh
    room = 4 * len(line) + 64
    used = np.zeros(2, dtype=np.int64)
    while True:
        crossings, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
        path = np.empty((2 * room, 3))
        over_ground = lay_line(
            line, polygon, search.mesh.points, search.mesh.polygons, search.mesh.sides,
            search.ground.triangles, search.mesh.diagonals, GROUND_TOLERANCE, crossings, ways,
            path, used,
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
    return room_around(navmesh.clearance_mesh, plan, polygons)
