"""Room below bridges: they take the headroom from no ground on which the agent has room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges.kernels.below import find_room_below
from walkmesh.ragged import fit_planes

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Indices
    from walkmesh.build.bridges.rim import GapLimits, Rim
    from walkmesh.build.bridges.triangles import Bridges
    from walkmesh.build.ground import Ground

# How far apart places on bridges are below which ground is looked for, as long as they are no more
# than so many along a side. [m]
_SPACING = 0.1
_MOST_PLACES = 64


def leave_room_below(
    found: Bridges, below: Ground, boxes: Floats, rim: Rim, limits: GapLimits, agent: Agent
) -> Bools:
    """(t,) bool: bridges that take the headroom from no ground on which the agent has room.

    Ground below a gap ends where the sides of the gap begin, if these are too low to go under. So
    it has its own rim on both sides; what has not lies below the open.

    Parameters
    ----------
    below, boxes : Ground and (p, 6) float64
        The polygons that bridges are over, and the boxes around them. [Unit: m]
    """
    if len(boxes) == 0:
        return np.ones(len(found), dtype=bool)
    tree = BoxTree.around(boxes)
    over = np.concatenate([found.corners.min(axis=1), found.corners.max(axis=1)], axis=1)
    chosen = np.flatnonzero(tree.close_to(over, 0.0, agent.height))
    places, owners = _spread(found.corners[chosen])
    has_room = np.empty(len(places), dtype=np.uint8)
    planes = fit_planes(below.offsets, below.corners)
    find_room_below(
        places, (below.offsets, below.corners, planes), tree.arrays, rim.edges, rim.tree.arrays,
        agent.height, agent.radius, min(limits.distance, 2.0 * agent.radius), agent.max_step,
        has_room,
    )  # fmt: skip
    useless = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    useless[found.cells[chosen[owners[has_room == 1]]]] = True
    return ~useless[found.cells]


def _spread(corners: Floats) -> tuple[Floats, Indices]:
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
