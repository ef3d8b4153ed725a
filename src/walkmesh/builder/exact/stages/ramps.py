"""Ramps: steps become slopes, and a straight flight of them becomes one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.ramps import find_treads, raise_to_ramps
from walkmesh.builder.exact.kernels.tolerances import MERGED_APART
from walkmesh.builder.exact.soundness import make_sound
from walkmesh.builder.exact.stages.clearance import split_along
from walkmesh.builder.exact.stages.detail import ground_pieces, merge_level
from walkmesh.builder.ground import Pieces, level_mesh, plan_boxes, triangulate
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.regions import window_of
from walkmesh.builder.stitch import stitch, stitch_to

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.ground import Ground
    from walkmesh.builder.stage import Stage
    from walkmesh.frame import Frame

# A tread may be this deep, or deeper if the flight is steeper than this. [m, degrees]
_DEEPEST_TREAD = 0.6
_GENTLEST_FLIGHT = 15.0
# Where more of the ground than this is near ramps, all of it is stitched anew. [1]
_MOST_NEAR = 0.05


def run(build: ExactBuild) -> Stage:
    """Lay ramps, and leave out triangles that do not make sound ground."""
    method, agent, losses = build.method, build.agent, build.losses
    ramps, steps = add_ramps(
        build.ground,
        agent,
        method.stair_slope,
        method.height_tolerance,
        build.scene.frame,
        build.workers,
    )
    sound, left_out = make_sound(ramps, agent, losses.least, build.workers)
    losses.check_any(sound.triangles)
    build.mesh = sound
    counts = {"triangles_out": len(sound.triangles)} | steps | left_out
    return build.made(lambda: sound, clearance=agent.radius, **counts)


def add_ramps(
    ground: Ground,
    agent: Agent,
    stair_slope: float,
    level: float,
    frame: Frame,
    workers: int | None,
) -> tuple[TriangleMesh, dict[str, int]]:
    """Give the ground one height at every place.

    Parameters
    ----------
    ground : Ground
        With two heights at steps.
    stair_slope : float
        How steep the ramp below a step is. [Unit: degrees]
    level : float
        Smaller differences in height are no step. [Unit: m]

    Returns
    -------
    TriangleMesh
        Whose triangles share vertices across what were steps.
    dict of str to int
        Counts: steps, and those that rise from a tread.
    """
    steps, ends_rise = _find_steps(ground, level)
    rises = ends_rise.max(axis=1)
    depths = np.maximum(_DEEPEST_TREAD, rises / math.tan(math.radians(_GENTLEST_FLIGHT)))
    tread = np.empty(len(steps), dtype=np.uint8)
    find_treads(
        ground.offsets, ground.corners, ground.mates, ground.owners, steps, depths, level, tread
    )
    counts = {"steps": len(steps), "steps_from_treads": int(np.count_nonzero(tread))}
    feet = tread == 0
    ends = ground.following[steps]
    lines = np.column_stack([ground.corners[steps], ground.corners[ends]])[feet]
    widths = rises[feet] / math.tan(math.radians(stair_slope))
    tree = _tree_of_ramps(lines, widths) if len(lines) else None
    if tree:
        near = tree.close_to(plan_boxes(ground), 0.0, window_of(agent))
        ground = _split(ground, near, lines, widths, agent, frame, workers)
    heights = np.full(len(ground.points), -np.inf)
    np.maximum.at(heights, ground.vertices, ground.heights)
    if tree:
        raise_to_ramps(
            ground.points, lines, widths, ends_rise[feet], tree.nodes, tree.order, window_of(agent),
            heights,
        )  # fmt: skip
    triangles = ground.vertices[triangulate(ground)]
    points = np.column_stack([ground.points, heights])
    return TriangleMesh(points, np.ascontiguousarray(triangles), frame), counts


def _split(
    ground: Ground,
    near: Bools,
    lines: Floats,
    widths: Floats,
    agent: Agent,
    frame: Frame,
    workers: int | None,
) -> Ground:
    """Return the ground split along ramps, which only polygons (p,) near them can lie below."""
    if np.count_nonzero(near) > _MOST_NEAR * len(near):
        pieces = split_along(_merged_where_cut(ground, frame), lines, widths, agent, workers)
        return stitch(pieces, agent, MERGED_APART)[0]
    cut = _merged_where_cut(ground.keep(near), frame)
    pieces = split_along(cut, lines, widths, agent, workers)
    across = ground.mates[near[ground.owners]]
    beside = np.zeros(len(near), dtype=bool)
    beside[ground.owners[across[across >= 0]]] = True
    return stitch_to(ground.keep(~near), beside[~near], pieces, agent, MERGED_APART)[0]


def _merged_where_cut(ground: Ground, frame: Frame) -> Pieces:
    """Return the ground as pieces, merged once more where clearance made several of one."""
    cut = (np.bincount(ground.sources) > 1)[ground.sources]
    if not cut.any():
        return ground_pieces(ground)
    merged = merge_level(level_mesh(ground.keep(cut), frame))
    if cut.all():
        return merged
    return Pieces.together(merged, ground_pieces(ground.keep(~cut)))


def _find_steps(ground: Ground, level: float) -> tuple[np.ndarray, Floats]:
    """Return the edges on the lower sides of steps, and how high each is at both ends (s, 2)."""
    edges = np.flatnonzero(ground.mates >= 0).astype(np.int32)
    mates, ahead = ground.mates[edges], ground.following
    first = ground.heights[ahead[mates]] - ground.heights[edges]
    last = ground.heights[mates] - ground.heights[ahead[edges]]
    # Along a slope a step may run out: a ramp as high as its highest end would bury the slope.
    rises = np.maximum(np.column_stack([first, last]), 0.0)
    steps = (first + last > 0.0) & (rises.max(axis=1) > level)
    return np.ascontiguousarray(edges[steps]), np.ascontiguousarray(rises[steps])


def _tree_of_ramps(lines: Floats, widths: Floats) -> BoxTree:
    """Return a tree of the boxes around ramps."""
    low = np.minimum(lines[:, :3], lines[:, 3:])
    high = np.maximum(lines[:, :3], lines[:, 3:])
    low[:, :2] -= widths[:, None]
    high[:, :2] += widths[:, None]
    return BoxTree.around(np.concatenate([low, high], axis=1))
