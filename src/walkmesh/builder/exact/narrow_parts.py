"""Narrow parts: connected ground that the agent is too wide for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.tolerances import APART_ROUNDING
from walkmesh.builder.kernels.clusters import join_parts
from walkmesh.kernels.meshes.kinds import OPEN

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids, Indices
    from walkmesh.builder.ground import Ground


def drop_narrow(ground: Ground, agent: Agent) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts that are narrower than the agent, before the work of clearing them.

    An agent stands nowhere on them: the circle it needs is wider than their box.
    """
    return _keep_parts(ground, _is_wide(_boxes(ground)[3], agent))


def drop_lonely(
    ground: Ground, agent: Agent, distance: float, rise: float
) -> tuple[Ground, dict[str, int]]:
    """Drop connected parts narrower than the agent, unless they are close to others.

    What is within a distance in plan and a rise of ground that is wide enough stays; and so do
    narrow parts close to each other which are wide enough together.

    Parameters
    ----------
    distance, rise : float
        What is close, in plan and in height. [Unit: m]
    """
    _, boxes, labels, parts = _boxes(ground)
    return _keep_parts(ground, _gathered(boxes, labels, parts, agent, distance, rise))


def drop_shut_off(
    ground: Ground, kinds: Bytes, agent: Agent, distance: float, rise: float
) -> tuple[Ground, Bytes, dict[str, int]]:
    """Drop connected parts narrower than the agent, unless open edges are close to those of others.

    Parameters
    ----------
    kinds : (c,) uint8
        What lies beyond each edge, see :mod:`walkmesh.kernels.meshes.kinds`.
    distance, rise : float
        What is close, in plan and in height. [Unit: m]

    Returns
    -------
    Ground
        What is left.
    (d,) uint8
        The kinds of its edges.
    dict of str to int
        Counts: parts that were dropped.
    """
    edges, boxes, labels, parts = _boxes(ground)
    is_open = kinds[edges] == OPEN
    kept = _gathered(boxes[is_open], labels[is_open], parts, agent, distance, rise)
    left, dropped = _keep_parts(ground, kept)
    return left, kinds[kept[ground.components[ground.owners]]], dropped


def _gathered(
    boxes: Floats, labels: Ids, parts: Floats, agent: Agent, distance: float, rise: float
) -> Bools:
    """(k,) bool: parts that are wide enough, close to such ones, or wide enough with others.

    Parameters
    ----------
    boxes, labels : (n, 6) float64 and (n,) int32
        Boxes of edges that parts are close by, and the part of each.
    parts : (k, 6) float64
        The box around each part.
    """
    gathered = _is_wide(parts, agent)
    is_narrow = ~gathered[labels]
    if not is_narrow.any():
        return gathered
    distance, rise = distance + APART_ROUNDING, rise + APART_ROUNDING
    numbers, owners = np.unique(labels[is_narrow], return_inverse=True)
    own = boxes[is_narrow]
    near = np.zeros(len(own), dtype=bool)
    if not is_narrow.all():
        near = BoxTree.around(boxes[~is_narrow]).close_to(own, distance, rise)
    # Of each narrow part one box; groups of those that are close to each other stay together.
    tree = BoxTree.around(_part_boxes(own, labels[is_narrow]))
    group = np.empty(len(numbers), dtype=np.int32)
    every = np.ones(len(numbers), dtype=np.uint8)
    join_parts(every, tree.boxes, tree.order, tree.nodes, distance, rise, group)
    first, last = np.full((len(numbers), 3), np.inf), np.full((len(numbers), 3), -np.inf)
    np.minimum.at(first, group, parts[numbers, :3])
    np.maximum.at(last, group, parts[numbers, 3:])
    useful = _is_wide(np.concatenate([first, last], axis=1), agent)
    useful[group[owners[near]]] = True
    gathered[numbers] = useful[group]
    return gathered


def _boxes(ground: Ground) -> tuple[Indices, Floats, Ids, Floats]:
    """Return boundary edges, their boxes (n, 6), the part of each, and the box around each part."""
    edges = np.flatnonzero(ground.mates < 0)
    ends = edges, ground.following[edges]
    p, q = (np.column_stack([ground.points[ground.vertices[i]], ground.heights[i]]) for i in ends)
    boxes = np.concatenate([np.minimum(p, q), np.maximum(p, q)], axis=1)
    labels = ground.components[ground.owners[edges]]
    return edges, boxes, labels, _part_boxes(boxes, labels)


def _part_boxes(boxes: Floats, labels: Ids) -> Floats:
    """(k, 6) float64: the box around all boxes of each label, in the order of labels."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    if len(starts) == 0:
        return np.empty((0, 6))
    low = np.minimum.reduceat(boxes[order, :3], starts)
    high = np.maximum.reduceat(boxes[order, 3:], starts)
    return np.concatenate([low, high], axis=1)


def _is_wide(boxes: Floats, agent: Agent) -> Bools:
    """(n,) bool: boxes in which the circle that an agent needs has room in plan."""
    return np.asarray(np.all(boxes[:, 3:5] - boxes[:, :2] >= 2.0 * agent.radius, axis=1))


def _keep_parts(ground: Ground, kept: Bools) -> tuple[Ground, dict[str, int]]:
    """Keep some of the connected parts, and count the others."""
    dropped = int(np.count_nonzero(~kept))
    return ground.keep(kept[ground.components]), {"patches_too_narrow": dropped}
