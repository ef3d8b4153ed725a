"""From triangles to the navmesh of a plan: convex polygons, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh
from walkmesh.build.polygons import merge_triangles
from walkmesh.floor_plan import in_world
from walkmesh.frame import Frame, up_vector
from walkmesh.navmesh import NavMesh
from walkmesh.triangles import compact

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.plan.sheet import Layout

# How far polygons may leave the stairs below them, in height: less than what headroom may be short
# by. [m]
_HEIGHT_TOLERANCE = 5e-4


def triangle_mesh(layout: Layout, triangles: Ids, up: str) -> TriangleMesh:
    """Return triangles on the corners of rings as a mesh in the world."""
    frame = Frame(up_vector(up))
    return TriangleMesh(frame.to_plan(world_corners(layout, up)), triangles, frame)


def make_navmesh(layout: Layout, triangles: Ids, agent: Agent, up: str) -> NavMesh:
    """Merge triangles into convex polygons, and return the navmesh in world coordinates.

    Corners are counted in steps of the grid, so that a polygon is convex without a tolerance.
    """
    points = layout.points() / layout.grid.step
    points[:, :2] = np.round(points[:, :2])
    mesh = TriangleMesh(points, triangles, Frame(up_vector("z")))
    offsets, ids = merge_triangles(mesh, _HEIGHT_TOLERANCE / layout.grid.step, straight=0.0)
    vertices, corners = compact(world_corners(layout, up), ids)
    return NavMesh(vertices, offsets, corners, agent=agent, up=up)


def world_corners(layout: Layout, up: str) -> Floats:
    """(c, 3) float64: the corners of all rings in the world, where y is up or z."""
    places = np.concatenate([sheet.corners for sheet in layout.sheets])
    return in_world(layout.grid.world(places), layout.points()[:, 2], up)
