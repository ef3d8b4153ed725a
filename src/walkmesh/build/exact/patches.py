"""Patches: parts of the ground that are too small to be of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges.kernels.clusters import join_parts
from walkmesh.build.exact.ground import plan_areas
from walkmesh.kernels.box_tree import find_close

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build.exact.ground import Ground, Pieces


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


def drop_lonely(
    ground: Ground, agent: Agent, distance: float, rise: float
) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts narrower than the agent, unless they are close to others.

    What is within a distance in plan and a rise of ground that is wide enough stays; and so do
    narrow parts close to each other which are wide enough together.
    """
    labels, size = ground.components, 2.0 * agent.radius
    low, high = _extents(ground)
    narrow = ~np.all(high - low >= size, axis=1)
    numbers = np.flatnonzero(narrow)
    if len(numbers) == 0:
        return ground, {"patches_too_narrow": 0}
    boxes = plan_boxes(ground)
    is_narrow = narrow[labels]
    near = np.zeros(int(np.count_nonzero(is_narrow)), dtype=np.uint8)
    if not is_narrow.all():
        tree = BoxTree.around(boxes[~is_narrow])
        find_close(boxes[is_narrow], tree.boxes, tree.order, tree.nodes, distance, rise, near)
    kept = np.zeros(len(narrow), dtype=bool)
    kept[labels[is_narrow][near == 1]] = True
    # Of each narrow part one box; groups of those that are close to each other stay together.
    order = np.argsort(labels[is_narrow], kind="stable")
    starts = np.searchsorted(labels[is_narrow][order], numbers)
    own = boxes[is_narrow][order]
    low3 = np.minimum.reduceat(own[:, :3], starts)
    high3 = np.maximum.reduceat(own[:, 3:], starts)
    tree = BoxTree.around(np.concatenate([low3, high3], axis=1))
    group = np.empty(len(numbers), dtype=np.int32)
    every = np.ones(len(numbers), dtype=np.uint8)
    join_parts(every, tree.boxes, tree.order, tree.nodes, distance, rise, group)
    first, last = np.full((len(numbers), 2), np.inf), np.full((len(numbers), 2), -np.inf)
    np.minimum.at(first, group, low3[:, :2])
    np.maximum.at(last, group, high3[:, :2])
    useful = np.all(last - first >= size, axis=1)
    useful[group[kept[numbers]]] = True
    useful = useful[group]
    kept[numbers] = useful
    kept[~narrow] = True
    dropped = int(np.count_nonzero(~kept))
    return ground.keep(kept[labels]), {"patches_too_narrow": dropped}


def plan_boxes(polygons: Ground | Pieces) -> Floats:
    """(p, 6) float64: the box around each polygon, lowest (u, v, h) and highest."""
    if len(polygons.sources) == 0:
        return np.empty((0, 6))
    low = np.minimum.reduceat(polygons.corners, polygons.offsets[:-1])
    high = np.maximum.reduceat(polygons.corners, polygons.offsets[:-1])
    return np.concatenate([low, high], axis=1)


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
