"""Navmeshes of triangles merged within a tolerance in height, without detail."""

from walkmesh import NavMesh
from walkmesh.build.polygons import merge_triangles
from walkmesh.triangles import compact


def make_navmesh(mesh, agent, height_tolerance):
    """Return the navmesh of a TriangleMesh, its polygons no further from it than the tolerance."""
    offsets, corners = merge_triangles(mesh, height_tolerance)
    points, corners = compact(mesh.points, corners)
    return NavMesh(mesh.frame.to_world(points), offsets, corners, agent=agent, up=mesh.frame.up)
