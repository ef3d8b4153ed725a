"""Closed slits: what stands in them cuts the ground that was laid under it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.cut import cut_chosen
from walkmesh.build.exact.detail import triangulate
from walkmesh.build.exact.ground import Pieces, plan_areas
from walkmesh.build.exact.stitch import stitch
from walkmesh.build.ragged import fit_planes, offsets_of
from walkmesh.kernels.faces import GROUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids
    from walkmesh.build.exact.ground import Ground
    from walkmesh.build.exact.slope import Faces

# Ground that reaches further than this out of the face it comes from was moved. [m]
_MOVED = 1e-3
# Things this little higher than a step are none. [m]
_SLACK = 1e-3
# Less than this is rounding. [m2]
_NO_AREA = 1e-6


def cut_closed(
    ground: Ground, faces: Faces, agent: Agent, workers: int | None
) -> tuple[Ground, dict[str, int]]:
    """Cut ground that reaches out of its faces by what stands over it, higher than a step.

    Rails, leaning boards and the like that stand in a slit had no ground to cut before it closed.

    Returns
    -------
    Ground
        Of polygons.
    dict of str to int
        Counts: polygons that were cut.
    """
    moved = _reaches_out(ground, faces)
    if not moved.any():
        return ground, {"closed_cut": 0}
    laid = ground.keep(moved)
    # Lifted by a step, so that only what is in the way of someone who walks there counts.
    lift = np.array([0.0, 0.0, agent.max_step + _SLACK])
    triangles = triangulate(laid)
    corners = (laid.corners + lift)[triangles].reshape(-1, 3)
    count = len(triangles)
    more = replace(
        faces,
        points=np.concatenate([faces.points, corners]),
        triangles=np.concatenate([faces.triangles, _in_threes(len(faces.points), count)]),
        roles=np.concatenate([faces.roles, np.full(count, GROUND, dtype=np.uint8)]),
        planes=np.concatenate([faces.planes, fit_planes(offsets_of(np.full(count, 3)), corners)]),
    )
    chosen = np.arange(len(faces.roles), len(more.roles), dtype=np.int32)
    headroom = agent.height - lift[2]
    pieces = cut_chosen(more, faces, chosen, headroom, lambda _: None, workers)
    if plan_areas(pieces).sum() > plan_areas(laid).sum() - _NO_AREA:
        return ground, {"closed_cut": 0}
    sources = laid.sources[laid.owners[triangles[:, 0]]]
    lowered = Pieces(
        pieces.offsets, pieces.corners - lift, sources[pieces.sources - len(faces.roles)]
    )
    again, _ = stitch(Pieces.together(ground.keep(~moved), lowered), agent)
    return again, {"closed_cut": int(np.count_nonzero(moved))}


def _reaches_out(ground: Ground, faces: Faces) -> NDArray[np.bool_]:
    """(p,) bool: which polygons have a corner outside of the face they come from, in plan."""
    corners = ground.corners
    source = faces.triangles[ground.sources[ground.owners]]
    (au, av), (bu, bv), (cu, cv) = (faces.points[source[:, k], :2].T for k in range(3))
    sign = np.sign((bu - au) * (cv - av) - (bv - av) * (cu - au))
    outside = np.zeros(len(corners), dtype=bool)
    for pu, pv, qu, qv in ((au, av, bu, bv), (bu, bv, cu, cv), (cu, cv, au, av)):
        eu, ev = qu - pu, qv - pv
        across = sign * (eu * (corners[:, 1] - pv) - ev * (corners[:, 0] - pu))
        outside |= across < -_MOVED * np.sqrt(eu * eu + ev * ev)
    return np.bincount(ground.owners[outside], minlength=len(ground.sources)) > 0


def _in_threes(first: int, count: int) -> Ids:
    """(count, 3) int32: triangles of vertices that are numbered in order."""
    return np.arange(first, first + 3 * count, dtype=np.int32).reshape(-1, 3)
