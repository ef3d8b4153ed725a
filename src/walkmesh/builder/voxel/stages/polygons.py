"""Polygons: contours become triangles, and these the navmesh."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.losses import mesh_opened_area
from walkmesh.builder.mesh import TriangleMesh, check_any
from walkmesh.builder.polygons import make_navmesh
from walkmesh.builder.rises import drop_rises
from walkmesh.builder.simplify import simplify
from walkmesh.builder.voxel.ground import lay_ground
from walkmesh.builder.voxel.kernels.tolerances import OFF_LINE
from walkmesh.builder.voxel.slices.steps import lay_slices, make_stepped
from walkmesh.chunks import in_chunks
from walkmesh.navmesh import NavMesh
from walkmesh.topology import detail_of
from walkmesh.triangles import compact, label_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.builder.smallest_part import SmallestPart
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.voxel.state import VoxelBuild
    from walkmesh.frame import Frame

# Connected parts are worked on together until they have so many triangles.
_BATCH = 8192


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


def finish(
    ground: TriangleMesh,
    agent: Agent,
    height_tolerance: float,
    boundary_tolerance: float,
    off_line: float,
    least: SmallestPart,
    workers: int | None,
) -> tuple[NavMesh, dict[str, int]]:
    """Simplify triangles and merge them into convex polygons.

    Parameters
    ----------
    ground : TriangleMesh
        Triangles that share vertices where they touch.
    height_tolerance, boundary_tolerance : float
        How far the surface may leave the ground, and the outline may move inwards. [Unit: m]
    off_line : float
        Vertices that only heights need lie this far outside of straight outlines at most.
        [Unit: m]
    least : SmallestPart
        What parts need that come apart where the ground rises too high.

    Returns
    -------
    NavMesh
        Of all parts.
    dict of str to int
        Counts: vertices removed inside and at the boundary, edges flipped, triangles that rise too
        high and those in specks.

    Raises
    ------
    BuildError
        When no triangle is left.
    """
    batches = list(_batches(ground))

    def run(start: int, stop: int) -> list[tuple[NavMesh, dict[str, int]]]:
        results = []
        for triangles in batches[start:stop]:
            simple, removed = simplify(
                TriangleMesh(*compact(ground.points, triangles), ground.frame),
                height_tolerance=height_tolerance,
                boundary_tolerance=boundary_tolerance,
                level_height=agent.height / 2.0,
            )
            climbed, left_out = drop_rises(simple, agent, least)
            if len(climbed.triangles) == 0:
                continue
            coarse, _ = simplify(climbed, height_tolerance=np.inf, boundary_tolerance=off_line)
            navmesh = make_navmesh(climbed, coarse, agent, height_tolerance)
            results.append((navmesh, removed | left_out))
        return results

    counts: Counter[str] = Counter()
    parts = []
    for _, chunk in in_chunks(len(batches), run, workers, smallest=1):
        for navmesh, removed in chunk:
            parts.append(navmesh)
            counts.update(removed)
    check_any(np.arange(len(parts)), agent)
    return _together(parts), dict(counts)


def _batches(ground: TriangleMesh) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    """Yield the triangles of some connected parts, in the order of their first triangles."""
    count = len(ground.triangles)
    labels = label_parts(ground.triangles)
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels))
    start = 0
    while start < count:
        # All of every part that begins within the batch.
        stop = int(ends[np.searchsorted(ends, min(start + _BATCH, count))])
        yield ground.triangles[order[start:stop]]
        start = stop


def _together(parts: list[NavMesh]) -> NavMesh:
    """Return navmeshes as one."""
    if len(parts) == 1:
        return parts[0]
    sizes = [(len(p.vertices), p.polygon_count, len(p.polygon_vertices)) for p in parts]
    starts = np.concatenate([[(0, 0, 0)], np.cumsum(sizes, axis=0)[:-1]])
    placed = [(part, *start) for part, start in zip(parts, starts, strict=True)]
    triangles, owners = None, None
    if any(detail_of(part) is not None for part in parts):
        triangles = np.concatenate([part.triangles + v for part, v, _, _ in placed])
        owners = np.concatenate([part.triangle_polygons + p for part, _, p, _ in placed])
    return NavMesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([[0], *(part.polygon_offsets[1:] + c for part, _, _, c in placed)]),
        np.concatenate([part.polygon_vertices + v for part, v, _, _ in placed]),
        neighbors=np.concatenate(
            [np.where(part.neighbors >= 0, part.neighbors + p, -1) for part, _, p, _ in placed]
        ),
        triangles=triangles,
        triangle_polygons=owners,
        agent=parts[0].agent,
        up=parts[0].up,
    )
