"""Patches: parts of the ground that are too small to be of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.ground import plan_areas

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build.exact.ground import Ground


# A part this small is what rounding left over, at any setting. [m2]
NO_PATCH = 1e-6


def drop_narrow(ground: Ground, agent: Agent) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts that are narrower than the agent, before the work of clearing them.

    An agent stands nowhere on them: the circle it needs is wider than their box.
    """
    labels, size = ground.components, 2.0 * agent.radius
    low, high = _extents(ground)
    wide = np.all(high - low >= size, axis=1)
    return ground.keep(wide[labels]), {"patches_too_narrow": int(np.count_nonzero(~wide))}


def drop_small(ground: Ground, min_area: float) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts whose area in plan is less than `min_area`."""
    labels = ground.components
    area = np.bincount(labels, weights=plan_areas(ground))
    large = area >= max(min_area, NO_PATCH)
    return ground.keep(large[labels]), {"patches_too_small": int(np.count_nonzero(~large))}


def _extents(ground: Ground) -> tuple[Floats, Floats]:
    """Return the lowest and highest (u, v) of each component."""
    labels = ground.components[ground.owners]
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    places = ground.points[ground.vertices[order]]
    return np.minimum.reduceat(places, starts), np.maximum.reduceat(places, starts)
