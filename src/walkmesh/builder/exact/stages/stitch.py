"""Stitching: pieces become ground, without what leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.low_faces import cut_impassable, drop_far_from_ground, find_rubble
from walkmesh.builder.exact.narrow_parts import drop_lonely
from walkmesh.builder.ground import level_mesh, plan_areas
from walkmesh.builder.kernels.faces import GROUND
from walkmesh.builder.stitch import stitch

if TYPE_CHECKING:
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import Ground
    from walkmesh.builder.losses import Losses
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Stitch pieces, and leave out what no agent gets to."""
    faces, agent, losses = build.faces, build.agent, build.losses
    stitched, collapsed = stitch(build.pieces, agent)
    losses.check_any(stitched.sources)
    near, far = drop_far_from_ground(stitched, faces, agent)
    losses.check_any(near.sources)
    build.rubble = find_rubble(faces)
    near, impassable = cut_impassable(near, faces, build.rubble, agent, build.method.gap_distance)
    losses.check_any(near.sources)
    # Walls are lines, so the inside of solids that stand on the ground is still part of it.
    losses.rooms_only = True
    losses.wide = max(_room_area(near, faces, losses) - losses.survey.buried, 0.0)
    # What a slit or a bridge may join to other ground is not too narrow yet.
    wide, narrow = drop_lonely(near, agent, *build.reach)
    losses.check_any(wide.sources)
    build.ground = wide
    counts = collapsed | far | impassable | narrow
    return build.made(lambda: level_mesh(wide, build.scene.frame), **counts)


def _room_area(ground: Ground, faces: Faces, losses: Losses) -> float:
    """Return the plan area of ground in connected parts that are large enough to count [m2]."""
    areas = np.where(faces.roles[ground.sources] == GROUND, plan_areas(ground), 0.0)
    labels, outer = ground.components, np.flatnonzero(ground.mates < 0)
    ends = ground.points[ground.vertices]
    lengths = np.hypot(*(ends[ground.following[outer]] - ends[outer]).T)
    total = np.bincount(labels, weights=areas)
    around = np.bincount(labels[ground.owners[outer]], weights=lengths, minlength=len(total))
    return float(total[losses.are_rooms(total, around)].sum())
