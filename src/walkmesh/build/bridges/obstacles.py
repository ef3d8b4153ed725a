"""Obstacles in gaps: cells that something stands in, and how far along the rim it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.build.bridges.kernels.obstacles import find_obstacles
from walkmesh.build.bridges.kernels.tolerances import FROM_OBSTACLE, OBSTACLE_SLACK, SHORT_RIM
from walkmesh.build.bridges.rim import Rim, Runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.box_tree import BoxTree


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
    corners: Floats,
    at_rim: Bools,
    obstacles: Obstacles,
    agent: Agent,
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


def runs_along(outlines: Floats, edges: NDArray[np.integer], rim: Rim) -> Runs:
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
