"""Paths by corridor: A* from polygon to polygon, then a string pulled tight through their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.corridor import find_corridor, pull_tight
from walkmesh.query.drape import on_ground
from walkmesh.query.path import Path

if TYPE_CHECKING:
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.locate import Located


def find_path(navmesh: NavMesh, ends: Located) -> Path:
    """Find a path between two located points.

    The corridor is the shortest one through the middles of the edges, and the path is the
    shortest within it, seen from above, which is not always the shortest there is. Then it is laid
    onto the ground.

    Parameters
    ----------
    navmesh : NavMesh
        What to walk on.
    ends : Located
        Start and goal.
    """
    start, goal = (int(p) for p in ends.polygons)
    if start < 0 or goal < 0 or navmesh.components[start] != navmesh.components[goal]:
        return Path.unreachable()
    plan_ends = navmesh.frame.to_plan(ends.points)
    corridor = np.empty(navmesh.polygon_count, dtype=np.int32)
    crossed = find_corridor(
        navmesh.plan_points,
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        navmesh.neighbors,
        start,
        goal,
        plan_ends,
        corridor,
    )
    if crossed < 0:
        return Path.unreachable()
    edges = corridor[:crossed]
    # Polygons are counter-clockwise: leaving one, its edge runs from the right to the left.
    rights = navmesh.plan_points[navmesh.polygon_vertices[edges]]
    lefts = navmesh.plan_points[navmesh.edge_ends[edges]]
    gates = [np.concatenate([plan_ends[:1], side, plan_ends[1:]]) for side in (rights, lefts)]
    points = np.empty((crossed + 2, 3), dtype=np.float64)
    pull_tight(gates[0], gates[1], points)
    polygons = np.concatenate([navmesh.corner_polygons[edges], [goal]])
    ground = on_ground(navmesh, points, polygons)
    return Path.complete(navmesh.frame.to_world(ground), polygons)
