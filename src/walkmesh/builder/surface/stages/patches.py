"""Patches: connected parts of the surface that are too small to be of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.tolerances import NO_PATCH
from walkmesh.builder.mesh import check_any
from walkmesh.builder.smallest_part import SmallestPart

if TYPE_CHECKING:
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.state import SurfaceBuild


def run(build: SurfaceBuild) -> Stage:
    """Leave out small patches."""
    sheet = build.sheet
    least = SmallestPart.of(build.method.min_patch_area, build.agent)
    labels = sheet.components
    areas = np.bincount(labels, weights=sheet.areas)
    large = (areas >= NO_PATCH) & least.hold(areas, sheet.corners, labels[sheet.owners])
    build.sheet = left = sheet.keep(large[labels])
    check_any(left.sources, build.agent, least)
    return build.made(
        lambda: left.mesh(build.scene.frame),
        clearance=build.agent.radius,
        patches_too_small=int(np.count_nonzero(~large)),
    )
