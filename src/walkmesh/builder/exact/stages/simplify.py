"""Simplification: fewer triangles for the same ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkmesh.builder.simplify import simplify

if TYPE_CHECKING:
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Take away the vertices that the ground and its outline do not need."""
    simple, removed = simplify(
        build.mesh,
        height_tolerance=build.method.height_tolerance,
        boundary_tolerance=build.method.boundary_tolerance,
        level_height=build.agent.height / 2.0,
    )
    build.mesh = simple
    return build.made(
        lambda: simple, clearance=build.agent.radius, triangles_out=len(simple.triangles), **removed
    )
