"""Clearance: what is closer to the rings than the agent's radius is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.box_tree import BoxTree
from walkmesh.builder.ground import Pieces
from walkmesh.builder.kernels.merge import collect_loops
from walkmesh.builder.mesh import check_any
from walkmesh.builder.plan.kernels.bands import ring_regions
from walkmesh.builder.plan.sheet import Layout, PlanSheet
from walkmesh.builder.plan.triangles import layout_mesh, triangulate_sheets
from walkmesh.builder.regions import Regions, gather_regions, take_away, window_of
from walkmesh.builder.stitch import stitch
from walkmesh.ragged import following_corners, offsets_of, owners_of, ranges
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids, Longs
    from walkmesh.builder.ground import Ground
    from walkmesh.builder.plan.state import PlanBuild
    from walkmesh.builder.stage import Stage

# Corners of a cleared outline closer than this to the line through others are where triangles met
# on it. [m]
_STRAIGHT = 2e-4


def run(build: PlanBuild) -> Stage:
    """Take away what is closer to the rings than the agent's radius."""
    agent, layout = build.agent, build.layout
    if agent.radius > 0.0 and layout.corner_count:
        layout = keep_clear(layout, agent, build.method.arc_error, build.on_part, build.workers)
    check_any(layout.following(), agent)
    build.layout = layout
    return build.made(
        lambda: layout_mesh(layout, build.method.up),
        stair_parts_too_narrow=sum(
            not len(sheet.corners) for sheet in layout.sheets if sheet.ends is not None
        ),
        corners_out=layout.corner_count,
    )


def keep_clear(
    layout: Layout,
    agent: Agent,
    arc_error: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Layout:
    """Return the sheets without what is closer to a ring than the agent's radius.

    The agent passes from one sheet to the next where they meet, so this is done with the triangles
    of all of them at once, by the exact method's kernels; the outline of what is left of each
    sheet is then laid on the grid again.

    Parameters
    ----------
    arc_error : float
        How far corners may lie outside the arc around a corner of an obstacle. [Unit: m]
    """
    points = layout.points()
    triangles, owners = triangulate_sheets(layout, "delaunay", lambda _: None)
    sizes = np.full(len(triangles), 3)
    pieces = Pieces(offsets_of(sizes), np.ascontiguousarray(points[triangles.ravel()]), owners)
    regions = _regions(layout, points, agent, arc_error)
    cleared = take_away(pieces, regions, agent, 0, on_chunk, workers)
    check_any(cleared.sources, agent)
    ground, _ = stitch(cleared, agent)
    owner = owners[ground.sources]
    sheets = [
        PlanSheet.of(_area(ground.keep(owner == i), layout.grid.step), sheet.ends, sheet.rise)
        for i, sheet in enumerate(layout.sheets)
    ]
    return Layout(layout.grid, tuple(sheets), layout.meetings)


def _regions(layout: Layout, points: Floats, agent: Agent, arc_error: float) -> Regions:
    """Return what is too close to the edges where sheets end, and to the corners between them."""
    following = layout.following()
    across = np.full(len(points), -1)
    joints = layout.joints()
    across[joints[:, 0]], across[joints[:, 1]] = joints[:, 1], joints[:, 0]
    way = points[following] - points
    heading = np.arctan2(way[:, 1], way[:, 0])
    # How far the ground reaches around the end of each edge: where sheets meet, on the next one
    # as well, or on those after it.
    edges = np.flatnonzero(across < 0)
    before, after = edges, following[edges]
    reach = _ground_angle(heading, before, after)
    while (joined := across[after] >= 0).any():
        before = np.where(joined, across[after], before)
        after = np.where(joined, following[before], after)
        reach += np.where(joined, _ground_angle(heading, before, after), 0.0)
    firsts, turns = heading[after] + np.pi / 2.0, reach - np.pi
    lines = np.concatenate([points[edges], points[following[edges]]], axis=1)
    tree = BoxTree.over_lines(lines)
    return gather_regions(
        len(lines),
        lambda output: ring_regions(
            lines, firsts, turns, agent.radius, tree.arrays, window_of(agent), arc_error, output
        ),
    )  # fmt: skip


def _ground_angle(heading: Floats, before: Longs, after: Longs) -> Floats:
    """(n,) float64: the angle to the left of two edges of a ring, where one ends. In radians."""
    turn = heading[after] - heading[before]
    left = turn - 2.0 * np.pi * np.floor(turn / (2.0 * np.pi) + 0.5)
    return np.asarray(np.pi - left)


def _area(ground: Ground, step: float) -> shapely.Geometry:
    """Return what polygons cover in plan, on a grid."""
    offsets, edges = _loops(ground)
    lines = _straightened(offsets, ground.points[ground.vertices[edges]])
    kept = shapely.get_num_coordinates(lines) >= 4  # of which the first is the last as well
    corners, loops = shapely.get_coordinates(lines[kept], return_index=True)
    rings = shapely.linearrings(corners, indices=loops)
    # The outline of each part first, and then the outlines of its holes.
    parts = ground.components[ground.owners[edges[offsets[:-1][kept]]]]
    is_hole = ~shapely.is_ccw(rings)
    order = np.lexsort((is_hole, parts))
    _, numbers = np.unique(parts[order], return_inverse=True)
    on_grid = shapely.transform(rings[order], lambda places: np.round(places / step))
    areas = shapely.polygons(on_grid, indices=numbers)
    # Snapping makes corners meet that were a step apart.
    broken = ~shapely.is_valid(areas)
    areas[broken] = shapely.make_valid(areas[broken], method="structure", keep_collapsed=False)
    return shapely.set_precision(shapely.disjoint_subset_union_all(areas), 1.0)


def _loops(ground: Ground) -> tuple[Ids, Ids]:
    """Return the outlines of ground: where each starts, and its edges."""
    edges = np.flatnonzero(ground.mates < 0)
    leaving = np.zeros(len(ground.points), dtype=np.int32)
    leaving[ground.vertices[edges]] = edges
    following = leaving[ground.vertices[ground.following]]
    inner = (ground.mates >= 0).astype(np.uint8)
    offsets = np.empty(len(edges) + 1, dtype=np.int32)
    loops = np.empty(len(edges), dtype=np.int32)
    collect_loops(np.arange(len(inner), dtype=np.int32), following, inner, offsets, loops)
    count = int(np.argmax(offsets == len(edges))) if len(edges) else 0
    return offsets[: count + 1], loops


def _straightened(offsets: Ids, corners: Floats) -> NDArray[np.object_]:
    """Return loops as closed lines without corners on straight sides, from a sharp corner on."""
    following = following_corners(offsets)
    after = corners[following] - corners
    after /= np.maximum(np.hypot(*after.T), np.finfo(float).tiny)[:, None]
    before = np.empty_like(after)
    before[following] = after
    sharpness = np.abs(plan_cross(before, after))
    loops = owners_of(offsets)
    sharpest = np.lexsort((-sharpness, loops))[offsets[:-1]]
    sizes = np.diff(offsets)
    # Each loop from its sharpest corner once around, to that corner again.
    turns = ranges(np.zeros(len(sizes), dtype=np.int64), sizes + 1)
    loops = np.repeat(np.arange(len(sizes)), sizes + 1)
    around = offsets[loops] + (sharpest[loops] - offsets[loops] + turns) % sizes[loops]
    lines = shapely.linestrings(corners[around], indices=loops)
    return np.asarray(shapely.simplify(lines, _STRAIGHT, preserve_topology=False))
