"""Obstacles in gaps: cells that something stands in, and how far along the rim it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.bridges.kernels.obstacles import find_obstacles
from walkmesh.build.bridges.rim import Places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.box_tree import BoxTree
    from walkmesh.build.bridges.rim import Rim

# What stands on the rim, or is higher than a step or lower than the head by no more than this, is
# no obstacle. [m]
_SLACK = 1e-3
# How far from an obstacle a bridge ends, along the rim. [m]
_MARGIN = 5e-3


def obstacles_on(
    corners: Floats,
    at_rim: NDArray[np.bool_],
    points: Floats,
    faces: Ids,
    tree: BoxTree,
    agent: Agent,
) -> tuple[Ids, Floats]:
    """Find what stands on triangles (t, 3, 3).

    Returns
    -------
    hit : (k,) int32
        The triangle that each obstacle stands on.
    places : (k, 8, 2) float64
        Corners of the obstacle in plan. [Unit: m]
    """
    margins = np.where(at_rim, _SLACK, 0.0)
    room = 2 * len(corners) + 256
    while True:
        hit = np.empty(room, dtype=np.int32)
        places = np.empty((room, 16), dtype=np.float64)
        count = find_obstacles(
            corners, margins, points, faces, tree.boxes, tree.order, tree.nodes,
            agent.max_step + _SLACK, max(agent.height, agent.max_step) - _SLACK, hit, places,
        )  # fmt: skip
        if count <= room:
            return hit[:count], places[:count].reshape(-1, 8, 2)
        room = int(count)


def places_around(outlines: Floats, edges: NDArray[np.integer], rim: Rim) -> Places:
    """Return the places on edges of the rim between which obstacles stand.

    Parameters
    ----------
    outlines : (k, 8, 2) float64
        Corners of an obstacle in plan, once for each edge that it stands before. [Unit: m]
    edges : (k,) int
        The edge.
    """
    start = rim.edges[edges, :2]
    way = rim.edges[edges, 3:5] - start
    length = rim.lengths[edges]
    along = ((outlines - start[:, None]) * way[:, None]).sum(axis=2) / length[:, None]
    low, high = along.min(axis=1) - _MARGIN, along.max(axis=1) + _MARGIN
    order = np.lexsort((low, edges))
    edges, low, high, length = edges[order], low[order], high[order], length[order]
    # Moved far apart edge by edge, so that one running maximum tells where runs of them end.
    far = (high.max() - low.min() + 1.0) * np.cumsum(np.diff(edges, prepend=-1) != 0)
    reached = np.maximum.accumulate(high + far)
    fresh = np.concatenate([[True], (low + far)[1:] > reached[:-1]])
    last = np.concatenate([fresh[1:], [True]])
    shares = np.concatenate([low[fresh] / length[fresh], (reached - far)[last] / length[last]])
    owners = np.concatenate([edges[fresh], edges[last]])
    inside = (shares > 0.0) & (shares < 1.0)
    return Places(owners[inside].astype(np.int32), shares[inside])
