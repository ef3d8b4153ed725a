"""Simplification: fewer triangles for the same surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.surface.charts import simplify_surface

if TYPE_CHECKING:
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.state import SurfaceBuild


def run(build: SurfaceBuild) -> Stage:
    """Take away the vertices that the surface and its outline do not need."""
    frame, method = build.scene.frame, build.method
    whole = build.sheet.with_edges_apart().mesh(frame)
    points, triangles, simplified = simplify_surface(
        whole.points,
        whole.triangles,
        method.height_tolerance,
        method.boundary_tolerance,
        build.agent.height,
    )
    build.mesh = simple = TriangleMesh(points, triangles, frame)
    return build.made(
        lambda: simple,
        clearance=build.agent.radius,
        triangles_in=len(whole.triangles),
        triangles_out=len(triangles),
        **simplified,
    )
