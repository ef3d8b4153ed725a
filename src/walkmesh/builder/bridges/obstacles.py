"""Obstacles: what stands in gaps, how far along the rim it reaches, and the room below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges.kernels.below import find_room_below
from walkmesh.builder.bridges.kernels.obstacles import find_obstacles
from walkmesh.builder.bridges.kernels.tolerances import FROM_OBSTACLE, OBSTACLE_SLACK, SHORT_RIM
from walkmesh.builder.bridges.rim import Rim, Runs
from walkmesh.ragged import fit_planes

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices, Integers
    from walkmesh.builder.bridges.rim import GapLimits
    from walkmesh.builder.bridges.triangles import Bridges
    from walkmesh.builder.ground import Ground

# How far apart places on bridges are below which ground is looked for, as long as they are no more
# than so many along a side. [m]
_SPACING = 0.1
_MOST_PLACES = 64


class Obstacles(NamedTuple):
    """The triangles of a scene, none of which a bridge may lead through."""

    points: Floats  # (n, 3): in the plan frame [m]
    faces: Ids  # (m, 3)
    tree: BoxTree  # over the faces
    reach: float  # how far from bridges they must be in plan [m]


def rim_among(obstacles: Obstacles, edges: Floats, is_open: Bools, agent: Agent) -> Rim:
    """Return the rim of ground, of which bridges may start wherever nothing stands on it.

    Edges on which something stands may be open in part; of short ones that is no loss.

    Parameters
    ----------
    edges : (n, 6) float64
        Both ends (u, v, h) of each edge; the ground lies to the left. [Unit: m]
    is_open : (n,) bool
        Those on which nothing stands.
    """
    open_in_part = is_open.astype(np.uint8)
    rim = Rim(edges, open_in_part)
    doubtful = np.flatnonzero(~is_open & (rim.lengths > SHORT_RIM))
    closed = _closed_runs(rim, doubtful, obstacles, agent)
    open_in_part[closed.edges[(closed.first > 0.0) | (closed.last < 1.0)]] = 1
    return Rim(edges, open_in_part, closed)


def obstacles_on(
    corners: Floats, at_rim: Bools, obstacles: Obstacles, agent: Agent
) -> tuple[Ids, Floats]:
    """Find what stands on triangles (t, 3, 3), or within a reach of them in plan.

    Returns
    -------
    hit : (k,) int32
        The triangle that each obstacle stands on.
    places : (k, 12, 2) float64
        Corners of the obstacle in plan. [Unit: m]
    """
    points, faces, tree, reach = obstacles
    reach = max(reach - OBSTACLE_SLACK, 0.0)
    margins = np.where(at_rim & (reach == 0.0), OBSTACLE_SLACK, -reach)
    room = 8 * len(corners) + 256
    while True:
        hit = np.empty(room, dtype=np.int32)
        places = np.empty((room, 24), dtype=np.float64)
        count = find_obstacles(
            corners, margins, points, faces, tree.arrays, reach, agent.max_step + OBSTACLE_SLACK,
            max(agent.height, agent.max_step) - OBSTACLE_SLACK, hit, places,
        )  # fmt: skip
        if count <= room:
            return hit[:count], places[:count].reshape(-1, 12, 2)
        room = int(count)


def runs_along(outlines: Floats, edges: Integers, rim: Rim) -> Runs:
    """Return the runs of edges of the rim before which obstacles stand.

    Parameters
    ----------
    outlines : (k, 12, 2) float64
        Corners of an obstacle in plan, once for each edge that it stands before. [Unit: m]
    edges : (k,) int
        The edge.
    """
    if len(edges) == 0:
        return Runs.none()
    start = rim.edges[edges, :2]
    way = rim.edges[edges, 3:5] - start
    length = rim.lengths[edges]
    along = ((outlines - start[:, None]) * way[:, None]).sum(axis=2) / length[:, None]
    low, high = along.min(axis=1) - FROM_OBSTACLE, along.max(axis=1) + FROM_OBSTACLE
    order = np.lexsort((low, edges))
    edges, low, high, length = edges[order], low[order], high[order], length[order]
    # Moved far apart edge by edge, so that one running maximum tells where runs of them end.
    far = (high.max() - low.min() + 1.0) * np.cumsum(np.diff(edges, prepend=-1) != 0)
    reached = np.maximum.accumulate(high + far)
    fresh = np.concatenate([[True], (low + far)[1:] > reached[:-1]])
    last = np.concatenate([fresh[1:], [True]])
    return Runs(
        edges[fresh].astype(np.int32),
        low[fresh] / length[fresh],
        (reached - far)[last] / length[last],
    )


def _closed_runs(rim: Rim, chosen: Indices, obstacles: Obstacles, agent: Agent) -> Runs:
    """Return the runs of chosen edges of the rim on which something stands."""
    a, b = rim.edges[chosen, :3], rim.edges[chosen, 3:]
    out = np.column_stack([b[:, 1] - a[:, 1], a[:, 0] - b[:, 0], np.zeros(len(chosen))])
    out /= rim.lengths[chosen, None]
    inner_a, inner_b, outer_a, outer_b = (
        end + width * out
        for width in (-OBSTACLE_SLACK / 2.0, 2.0 * OBSTACLE_SLACK)
        for end in (a, b)
    )
    strips = np.concatenate(
        [
            np.stack([inner_a, outer_a, outer_b], axis=1),
            np.stack([inner_a, outer_b, inner_b], axis=1),
        ]
    )
    nowhere = np.zeros((len(strips), 3), dtype=bool)
    on_rim = obstacles._replace(reach=0.0)
    hit, outlines = obstacles_on(np.ascontiguousarray(strips), nowhere, on_rim, agent)
    return runs_along(outlines, chosen[hit % max(len(chosen), 1)], rim)


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
