"""From triangles to a navmesh: convex merging and adjacency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh, compact
from walkmesh.kernels.adjacency import match_edges
from walkmesh.kernels.merge import collect_loops, merge_convex
from walkmesh.navmesh import NavMesh
from walkmesh.validate import STRAIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids


def merge_triangles(mesh: TriangleMesh, height_tolerance: float) -> tuple[Ids, Ids]:
    """Merge triangles greedily into convex polygons, longest common edge first.

    Parameters
    ----------
    mesh : TriangleMesh
        Triangles that share vertices where they touch.
    height_tolerance : float
        How far a polygon may leave the triangles it replaces, in height. [Unit: m]

    Returns
    -------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    corners : (c,) int32
        Vertex ids, counter-clockwise seen from above. Polygons come in the order of their first
        triangles.
    """
    triangle_corners = mesh.triangles.ravel()
    triangle_offsets = np.arange(0, len(triangle_corners) + 1, 3, dtype=np.int32)
    mates = np.empty(len(triangle_corners), dtype=np.int32)
    match_edges(triangle_offsets, triangle_corners, mates)
    following = np.empty(len(triangle_corners), dtype=np.int32)
    gone = np.empty(len(triangle_corners), dtype=np.uint8)
    polygons = merge_convex(
        mesh.points,
        triangle_corners,
        mates,
        _longest_first(mesh, mates),
        STRAIGHT / 2.0,  # so that rounding in world coordinates cannot make it a violation
        height_tolerance,
        following,
        gone,
    )
    offsets = np.empty(polygons + 1, dtype=np.int32)
    corners = np.empty(len(triangle_corners), dtype=np.int32)
    filled = collect_loops(triangle_corners, following, gone, offsets, corners)
    return offsets, corners[:filled]


def _longest_first(mesh: TriangleMesh, mates: NDArray[np.int32]) -> NDArray[np.int32]:
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


def make_navmesh(mesh: TriangleMesh, agent: Agent, height_tolerance: float) -> NavMesh:
    """Turn welded triangles into a navmesh of convex polygons in world coordinates."""
    offsets, corners = merge_triangles(mesh, height_tolerance)
    points, corners = compact(mesh.points, corners)
    return NavMesh(mesh.frame.to_world(points), offsets, corners, agent=agent, up=mesh.frame.up)
