"""What lies below bridges: ground without headroom goes, and where the agent has room it stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges.kernels.below import find_room_below
from walkmesh.build.exact.cut import cut_chosen
from walkmesh.build.exact.detail import triangulate
from walkmesh.build.exact.patches import plan_boxes
from walkmesh.build.ground import Ground, Pieces, plan_areas
from walkmesh.build.kernels.faces import GROUND
from walkmesh.kernels.search.box_tree import find_close
from walkmesh.ragged import fit_planes, offsets_of
from walkmesh.triangles import plan_measures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build.bridges import Bridges, Limits, Rim
    from walkmesh.build.faces import Faces

# Less than this is rounding. [m2]
_NO_AREA = 1e-8
# How far apart places on bridges are below which ground is looked for, as long as they are no more
# than so many along a side. [m]
_SPACING = 0.1
_MOST_PLACES = 64


def cut_below(
    ground: Ground,
    candidates: NDArray[np.bool_],
    laid: Floats,
    faces: Faces,
    agent: Agent,
    workers: int | None,
) -> tuple[Pieces, NDArray[np.bool_]]:
    """Take away ground over which bridges (t, 3, 3) lie, closer than the agent is high.

    Only the polygons that are candidates (p,) may be below any.

    Returns
    -------
    Pieces
        What is left of polygons that bridges are over.
    (p,) bool
        Which polygons these are.
    """
    lost = np.zeros(len(ground.sources), dtype=bool)
    if len(laid) == 0:
        return Pieces.together(ground.keep(lost)), lost
    bridges = _as_faces(laid, faces)
    tree = bridges.sheet_tree
    boxes = plan_boxes(ground)
    boxes[:, 5] += agent.height
    close = np.empty(len(boxes), dtype=np.uint8)
    find_close(boxes, tree.boxes, tree.order, tree.nodes, 0.0, 0.0, close)
    close[~candidates] = 0
    below = ground.keep(close == 1)
    triangles = triangulate(below)
    more = _as_faces(np.concatenate([laid, below.corners[triangles]]), faces)
    chosen = np.arange(len(laid), len(more.roles), dtype=np.int32)
    cut = cut_chosen(more, bridges, chosen, agent.height, lambda _: None, workers)
    polygons = below.owners[triangles[cut.sources - len(laid), 0]]
    left = np.bincount(polygons, weights=plan_areas(cut), minlength=len(below.sources))
    loses = left < plan_areas(below) - _NO_AREA
    lost[np.flatnonzero(close)] = loses
    parts = Pieces(cut.offsets, cut.corners, below.sources[polygons]).keep(loses[polygons])
    return parts, lost


def leave_room_below(
    found: Bridges,
    ground: Ground,
    lost: NDArray[np.bool_],
    rim: Rim,
    limits: Limits,
    agent: Agent,
) -> NDArray[np.bool_]:
    """(t,) bool: bridges that take the headroom from no ground on which the agent has room.

    Ground below a gap ends where the sides of the gap begin, if these are too low to go under. So
    it has its own rim on both sides; what has not lies below the open.

    Parameters
    ----------
    lost : (p,) bool
        The polygons of ground that bridges are over.
    """
    useful = np.ones(len(found), dtype=bool)
    if not lost.any():
        return useful
    below = ground.keep(lost)
    tree = BoxTree.around(plan_boxes(below))
    boxes = np.concatenate([found.corners.min(axis=1), found.corners.max(axis=1)], axis=1)
    close = np.empty(len(found), dtype=np.uint8)
    find_close(boxes, tree.boxes, tree.order, tree.nodes, 0.0, agent.height, close)
    chosen = np.flatnonzero(close)
    places, owners = _spread(found.corners[chosen])
    has_room = np.empty(len(places), dtype=np.uint8)
    planes = fit_planes(below.offsets, below.corners)
    find_room_below(
        places, (below.offsets, below.corners, planes), tree.arrays, rim.edges, rim.tree.arrays,
        agent.height, agent.radius, min(limits.distance, 2.0 * agent.radius), agent.max_step,
        has_room,
    )  # fmt: skip
    over = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    over[found.cells[chosen[owners[has_room == 1]]]] = True
    return ~over[found.cells]


def have_room_above(
    found: Bridges, laid: Floats, ground: Ground, faces: Faces, agent: Agent, workers: int | None
) -> NDArray[np.bool_]:
    """(t,) bool: bridges (t, 3, 3) over which there is no ground, nor bridge, too close above.

    What is no higher than a step above them does not stand in the way, but two grounds so close to
    each other are one too many.
    """
    if len(found) == 0:
        return np.ones(0, dtype=bool)
    tree = BoxTree.around(np.concatenate([laid.min(axis=1), laid.max(axis=1)], axis=1))
    boxes = plan_boxes(ground)
    boxes[:, 2] -= agent.height
    close = np.empty(len(boxes), dtype=np.uint8)
    find_close(boxes, tree.boxes, tree.order, tree.nodes, 0.0, 0.0, close)
    near = ground.keep(close == 1)
    others = near.corners[triangulate(near)]
    every = _as_faces(np.concatenate([others, laid]), faces)
    chosen = np.arange(len(others), len(every.roles), dtype=np.int32)
    cut = cut_chosen(every, every, chosen, agent.height, lambda _: None, workers)
    left = np.bincount(cut.sources - len(others), weights=plan_areas(cut), minlength=len(laid))
    whole = plan_measures(laid)[0] / 2.0
    under = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    under[found.cells[left < whole - _NO_AREA]] = True
    return ~under[found.cells]


def _spread(corners: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return places all over triangles (t, 3, 3), not on their outlines; and their triangles."""
    sides = np.roll(corners, -1, axis=1)[..., :2] - corners[..., :2]
    longest = np.hypot(sides[..., 0], sides[..., 1]).max(axis=1)
    counts = np.clip(np.ceil(longest / _SPACING), 1, _MOST_PLACES).astype(np.int64)
    places, owners = [np.empty((0, 3))], [np.empty(0, dtype=np.intp)]
    for count in np.unique(counts):
        chosen = np.flatnonzero(counts == count)
        # The middles of as many times as many small triangles with a corner at the left.
        i, j = np.nonzero(np.add.outer(np.arange(count), np.arange(count)) < count)
        shares = (np.column_stack([i, j, count - 1 - i - j]) + 1.0 / 3.0) / count
        places.append(np.einsum("ak,tkd->tad", shares, corners[chosen]).reshape(-1, 3))
        owners.append(np.repeat(chosen, len(shares)))
    return np.concatenate(places), np.concatenate(owners)


def _as_faces(triangles: Floats, faces: Faces) -> Faces:
    """Return triangles (t, 3, 3) as faces that can be stood on."""
    points, count = triangles.reshape(-1, 3), len(triangles)
    return replace(
        faces,
        points=points,
        triangles=np.arange(3 * count, dtype=np.int32).reshape(-1, 3),
        roles=np.full(count, GROUND, dtype=np.uint8),
        planes=fit_planes(offsets_of(np.full(count, 3)), points),
    )
