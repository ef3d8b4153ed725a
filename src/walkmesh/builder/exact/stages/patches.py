"""Patches: parts of the free ground that are too small to be of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.ground import level_mesh, plan_areas
from walkmesh.builder.kernels.tolerances import NO_PATCH
from walkmesh.builder.losses import mesh_opened_area

if TYPE_CHECKING:
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.ground import Ground
    from walkmesh.builder.smallest_part import SmallestPart
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Leave out small patches, and measure what was lost until here."""
    free, losses, radius = build.ground, build.losses, build.agent.radius
    losses.opened = mesh_opened_area(free.points, free.offsets, free.vertices, free.mates, radius)
    large, dropped = drop_small(free, losses.least)
    losses.check_any(large.sources, after_patches=True)
    losses.free, kept = (float(plan_areas(x).sum()) for x in (free, large))
    losses.small = losses.free - kept
    build.ground = large
    return build.made(lambda: level_mesh(large, build.scene.frame), clearance=radius, **dropped)


def drop_small(ground: Ground, least: SmallestPart) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts that are too small in plan to be of use."""
    labels = ground.components
    area = np.bincount(labels, weights=plan_areas(ground))
    outer = np.flatnonzero(ground.mates < 0)
    points = ground.points[ground.vertices[outer]]
    large = (area >= NO_PATCH) & least.hold(area, points, labels[ground.owners[outer]])
    return ground.keep(large[labels]), {"patches_too_small": int(np.count_nonzero(~large))}
