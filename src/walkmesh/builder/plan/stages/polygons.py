"""From triangles to the navmesh of a plan: convex polygons, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.polygons import merge_triangles
from walkmesh.frame import Frame, up_vector
from walkmesh.navmesh import NavMesh
from walkmesh.triangles import compact

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids
    from walkmesh.builder.plan.sheet import Layout
    from walkmesh.builder.plan.state import PlanBuild
    from walkmesh.builder.stage import Stage

# How far polygons may leave the stairs below them, in height: less than what headroom may be short
# by. [m]
_HEIGHT_TOLERANCE = 5e-4


def run(build: PlanBuild) -> Stage:
    """Merge triangles into polygons, and make the navmesh of them."""
    navmesh = make_navmesh(build.layout, build.triangles, build.agent, build.method.up)
    return build.made(lambda: navmesh, polygons_out=navmesh.polygon_count)


def make_navmesh(layout: Layout, triangles: Ids, agent: Agent, up: str) -> NavMesh:
    """Merge triangles into convex polygons, and return the navmesh in world coordinates.

    Corners are counted in steps of the grid, so that a polygon is convex without a tolerance.
    """
    points = layout.points() / layout.grid.step
    points[:, :2] = np.round(points[:, :2])
    mesh = TriangleMesh(points, triangles, Frame(up_vector("z")))
    offsets, ids = merge_triangles(mesh, _HEIGHT_TOLERANCE / layout.grid.step, straight=0.0)
    vertices, corners = compact(layout.world_corners(up), ids)
    return NavMesh(vertices, offsets, corners, agent=agent, up=up)
