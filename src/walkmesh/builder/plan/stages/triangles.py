"""Triangles between the rings, by the triangulator one chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkmesh.builder.plan.triangles import triangle_mesh, triangulate_sheets

if TYPE_CHECKING:
    from walkmesh.builder.plan.state import PlanBuild
    from walkmesh.builder.stage import Stage


def run(build: PlanBuild) -> Stage:
    """Triangulate sheets."""
    layout, method = build.layout, build.method
    triangles, _ = triangulate_sheets(layout, method.triangulator, build.on_part)
    build.triangles = triangles
    return build.made(
        lambda: triangle_mesh(layout, triangles, method.up), triangles_out=len(triangles)
    )
