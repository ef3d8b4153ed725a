"""What lies below bridges: ground without headroom goes, and where the agent has room it stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.tolerances import BELOW_AREA
from walkmesh.builder.exact.stages.cut import cut_chosen
from walkmesh.builder.ground import Ground, Pieces, plan_areas, plan_boxes, triangulate
from walkmesh.builder.kernels.faces import GROUND
from walkmesh.ragged import fit_planes, offsets_of
from walkmesh.triangles import twice_plan_areas

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats
    from walkmesh.builder.bridges import Bridges
    from walkmesh.builder.faces import Faces


def cut_below(
    ground: Ground, candidates: Bools, laid: Floats, faces: Faces, agent: Agent, workers: int | None
) -> tuple[Pieces, Bools]:
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
    close = tree.close_to(boxes, 0.0, 0.0) & candidates
    below = ground.keep(close)
    triangles = triangulate(below)
    more = _as_faces(np.concatenate([laid, below.corners[triangles]]), faces)
    chosen = np.arange(len(laid), len(more.roles), dtype=np.int32)
    cut = cut_chosen(more, bridges, chosen, agent.height, lambda _: None, workers)
    polygons = below.owners[triangles[cut.sources - len(laid), 0]]
    left = np.bincount(polygons, weights=plan_areas(cut), minlength=len(below.sources))
    loses = left < plan_areas(below) - BELOW_AREA
    lost[close] = loses
    parts = Pieces(cut.offsets, cut.corners, below.sources[polygons]).keep(loses[polygons])
    return parts, lost


def have_room_above(
    found: Bridges, laid: Floats, ground: Ground, faces: Faces, agent: Agent, workers: int | None
) -> Bools:
    """(t,) bool: bridges (t, 3, 3) over which there is no ground, nor bridge, too close above.

    What is no higher than a step above them does not stand in the way, but two grounds so close to
    each other are one too many.
    """
    if len(found) == 0:
        return np.ones(0, dtype=bool)
    tree = BoxTree.around(np.concatenate([laid.min(axis=1), laid.max(axis=1)], axis=1))
    boxes = plan_boxes(ground)
    boxes[:, 2] -= agent.height
    near = ground.keep(tree.close_to(boxes, 0.0, 0.0))
    others = near.corners[triangulate(near)]
    every = _as_faces(np.concatenate([others, laid]), faces)
    chosen = np.arange(len(others), len(every.roles), dtype=np.int32)
    cut = cut_chosen(every, every, chosen, agent.height, lambda _: None, workers)
    left = np.bincount(cut.sources - len(others), weights=plan_areas(cut), minlength=len(laid))
    whole = twice_plan_areas(laid) / 2.0
    under = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    under[found.cells[left < whole - BELOW_AREA]] = True
    return ~under[found.cells]


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
