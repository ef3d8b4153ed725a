"""Polygons: contours become triangles, and these the navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.losses import mesh_opened_area
from walkmesh.build.voxel.finish import finish
from walkmesh.build.voxel.ground import lay_ground
from walkmesh.build.voxel.kernels.tolerances import OFF_LINE
from walkmesh.build.voxel.slices.steps import lay_slices, make_stepped

if TYPE_CHECKING:
    from walkmesh.build.stage import Stage
    from walkmesh.build.voxel.state import VoxelBuild
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh


def run(build: VoxelBuild) -> Stage:
    """Make the navmesh of patches, or of slices."""
    return _of_slices(build) if build.is_sliced else _of_watersheds(build)


def _of_watersheds(build: VoxelBuild) -> Stage:
    method, agent, losses = build.method, build.agent, build.losses
    cell, frame, workers = method.cell_size, build.scene.frame, build.workers
    level = method.height_tolerance / 2.0
    ground, left_out = lay_ground(
        build.contours, cell, method.triangulation, level, frame, workers, build.on_part
    )
    del build.contours
    losses.check_any(ground.triangles)
    navmesh, removed = finish(
        ground,
        agent,
        level,
        max(OFF_LINE, method.boundary_tolerance) * cell,
        OFF_LINE * cell,
        losses.least,
        workers,
    )
    losses.wide = max(losses.survey.standable - losses.survey.buried, 0.0)
    losses.opened = _opened_area(navmesh, frame, agent.radius)
    if build.small_parts:  # parts that were wide enough as well, taken for squares
        side = np.sqrt(losses.small / build.small_parts) + 2.0 * agent.radius
        losses.opened += float(build.small_parts * side**2)
    counts = {"patches_left_out": left_out, "triangles_in": len(ground.triangles), **removed}
    return build.made(lambda: navmesh, **counts, polygons_out=navmesh.polygon_count)


def _of_slices(build: VoxelBuild) -> Stage:
    method, joined, stays = build.method, build.joined_slices, build.stays
    cell, frame = method.cell_size, build.scene.frame
    ground = lay_slices(
        joined, stays, cell, method.triangulation, frame, build.workers, build.on_part
    )
    # How much is narrow is not known: the boundaries of slices are those of cells.
    navmesh = make_stepped(ground, joined, stays, build.agent, cell, method.cell_height)
    return build.made(
        lambda: navmesh,
        triangles_in=len(ground.triangles),
        polygons_out=navmesh.polygon_count,
        step_links=len(navmesh.links),
    )


def _opened_area(navmesh: NavMesh, frame: Frame, radius: float) -> float:
    """Return the area of the ground that the agent covers from places on its navmesh [m2]."""
    places = np.ascontiguousarray(frame.to_plan(navmesh.vertices)[:, :2])
    polygons = navmesh.polygon_offsets, navmesh.polygon_vertices, navmesh.neighbors
    return mesh_opened_area(places, *polygons, radius)
