"""Slope: faces to stand on, walls, and what lies low enough to be stepped over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.faces import filter_slope
from walkmesh.builder.kernels.faces import GROUND, WALL
from walkmesh.builder.losses import Losses
from walkmesh.builder.smallest_part import SmallestPart

if TYPE_CHECKING:
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Tell faces apart by their slope."""
    scene, agent = build.scene, build.agent
    build.faces = faces = filter_slope(scene, agent, build.method.sides)
    least = SmallestPart.of(build.method.min_patch_area, agent)
    build.losses = Losses(scene, faces, agent, least=least)
    return build.made(
        lambda: faces.ground,
        triangles_in=len(scene.faces),
        ground=int(np.count_nonzero(faces.roles == GROUND)),
        walls=int(np.count_nonzero(faces.roles == WALL)),
    )
