"""Closed slits: what stands in them cuts the ground laid there, which cuts what lies below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.headroom import cut_below
from walkmesh.builder.exact.kernels.tolerances import (
    CLOSED_AREA,
    CLOSED_SLIVER,
    MOVED,
    NOT_MOVED,
    STEP_SLACK,
)
from walkmesh.builder.exact.stages.cut import cut_chosen
from walkmesh.builder.exact.stages.detail import merge_level
from walkmesh.builder.ground import (
    Pieces,
    level_mesh,
    piece_mesh,
    plan_areas,
    plan_boxes,
    triangulate,
)
from walkmesh.builder.kernels.faces import GROUND
from walkmesh.builder.kernels.ground import measure_outside
from walkmesh.builder.stitch import stitch, stitch_to
from walkmesh.ragged import fit_planes, offsets_of

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import Ground

# Of the area of a polygon, what it may keep and be left out, or lose and stay.
_NEXT_TO_NOTHING = 0.1
# The same of a sliver.
_HALF = 0.5


def cut_closed(
    ground: Ground, faces: Faces, agent: Agent, workers: int | None
) -> tuple[Ground, dict[str, int]]:
    """Cut ground that reaches out of its faces by what stands over it, higher than a step.

    Rails, leaning boards and the like that stand in a slit had no ground to cut before it closed.
    Ground seen through a slit before, less than the agent's height below, has no headroom now.

    Returns
    -------
    Ground
        Of polygons.
    dict of str to int
        Counts: polygons that were cut.
    """
    outside = _distance_outside(ground, faces)
    if not (outside > MOVED).any():
        return ground, {"closed_cut": 0}
    ground = _without_below(ground, outside > NOT_MOVED, faces, agent, workers)
    outside = _distance_outside(ground, faces)
    moved = outside > MOVED
    laid = ground.keep(moved)
    # Lifted by a step, so that only what is in the way of someone who walks there counts.
    lift = np.array([0.0, 0.0, agent.max_step + STEP_SLACK])
    triangles = triangulate(laid)
    corners = (laid.corners + lift)[triangles].reshape(-1, 3)
    count = len(triangles)
    numbers = len(faces.points) + np.arange(3 * count, dtype=np.int32).reshape(-1, 3)
    more = replace(
        faces,
        points=np.concatenate([faces.points, corners]),
        triangles=np.concatenate([faces.triangles, numbers]),
        roles=np.concatenate([faces.roles, np.full(count, GROUND, dtype=np.uint8)]),
        planes=np.concatenate([faces.planes, fit_planes(offsets_of(np.full(count, 3)), corners)]),
    )
    chosen = np.arange(len(faces.roles), len(more.roles), dtype=np.int32)
    headroom = agent.height - lift[2]
    pieces = cut_chosen(more, faces, chosen, headroom, lambda _: None, workers)
    if plan_areas(pieces).sum() > plan_areas(laid).sum() - CLOSED_AREA:
        return ground, {"closed_cut": 0}
    sources = laid.sources[laid.owners[triangles[:, 0]]]
    lowered = Pieces(
        pieces.offsets, pieces.corners - lift, sources[pieces.sources - len(faces.roles)]
    )
    again, _ = stitch(Pieces.together(ground.keep(~moved), lowered), agent)
    return again, {"closed_cut": int(np.count_nonzero(moved))}


def _without_below(
    ground: Ground, laid: Bools, faces: Faces, agent: Agent, workers: int | None
) -> Ground:
    """Take away ground that polygons which are laid (p,) lie over, closer than the agent is high.

    What keeps or loses next to nothing is not worth cutting and stitching; nor are slivers, which
    go if most of them is lost.
    """
    over = ground.keep(laid)
    numbered = replace(ground, sources=np.arange(len(laid), dtype=np.int32))
    # Gaps close in triangles; long ones beside each other would tear what they lie over to shreds.
    whole = piece_mesh(merge_level(level_mesh(over, faces.frame)), faces.frame)
    corners = whole.points[whole.triangles]
    parts, lost = cut_below(numbered, ~laid, corners, faces, agent, workers)
    if not lost.any():
        return ground
    left = np.bincount(parts.sources, weights=plan_areas(parts), minlength=len(laid))
    areas = plan_areas(ground)
    share = left / np.maximum(areas, CLOSED_AREA)
    sides = ground.corners[ground.following, :2] - ground.corners[:, :2]
    outlines = np.add.reduceat(np.hypot(sides[:, 0], sides[:, 1]), ground.offsets[:-1])
    least = np.where(2.0 * areas <= CLOSED_SLIVER * outlines, _HALF, _NEXT_TO_NOTHING)
    gone, cut = lost & (share < least), lost & (share <= 1.0 - least)
    if not (cut & ~gone).any():
        return ground.keep(~gone)
    parts = parts.keep((cut & ~gone)[parts.sources])
    parts = replace(parts, sources=ground.sources[parts.sources])
    kept, tree = ground.keep(~cut), BoxTree.around(plan_boxes(parts))
    near = tree.close_to(plan_boxes(kept), STEP_SLACK, agent.max_step + STEP_SLACK)
    return stitch_to(kept, near, parts, agent)[0]


def _distance_outside(ground: Ground, faces: Faces) -> Floats:
    """(p,) float64: how far a corner of each polygon lies outside of its face, in plan."""
    outside = np.empty(len(ground.sources), dtype=np.float64)
    measure_outside(
        ground.offsets, ground.corners, ground.sources, faces.points, faces.triangles, outside
    )
    return outside
