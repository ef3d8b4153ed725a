"""Navmeshes of the triangles of a mesh, merged without detail, or of a scene as they are."""

import numpy as np

from walkmesh import NavMesh
from walkmesh.builder.polygons import merge_triangles
from walkmesh.triangles import compact


def make_navmesh(mesh, agent, height_tolerance):
    """Return the navmesh of a TriangleMesh, its polygons no further from it than the tolerance."""
    offsets, corners = merge_triangles(mesh, height_tolerance)
    points, corners = compact(mesh.points, corners)
    return NavMesh(mesh.frame.to_world(points), offsets, corners, agent=agent, up=mesh.frame.up)


def navmesh_of(scene):
    """Return all triangles of a scene that face up, welded where vertices are equal."""
    corners = scene.vertices[scene.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = normals @ np.array(scene.up) >= 0.7 * np.linalg.norm(normals, axis=1)
    points, vertex = np.unique(scene.vertices, axis=0, return_inverse=True)
    triangles = vertex[scene.faces[up]]
    return NavMesh(points, 3 * np.arange(len(triangles) + 1), triangles.ravel(), up=scene.up)
