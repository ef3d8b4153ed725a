"""Solids: the undersides of walls and pillars are no ground, wherever the floor ends at them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.builder.exact.kernels.low_faces import IMPASSABLE
from walkmesh.builder.exact.kernels.tolerances import WALL_ON_EDGE
from walkmesh.builder.exact.low_faces import judge_low
from walkmesh.builder.exact.walls import find_walls
from walkmesh.builder.kernels.faces import LOW
from walkmesh.kernels.meshes.adjacency import BOUNDARY

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Indices
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import Ground

# Where along an edge a wall is looked for: it stands on an edge if it does at all of these places.
_ALONG = (0.1, 0.5, 0.9)


def drop_undersides(ground: Ground, faces: Faces, agent: Agent) -> tuple[Ground, dict[str, int]]:
    """Drop level faces that face down, unless ground lies on two sides with no wall in between.

    Without walls such a face can be stepped over like any low one: a rug that is wound the wrong
    way. Between walls it is the bottom of a solid that is higher than the agent; lower ones have no
    headroom. An agent as wide as the solid fits nowhere on it, but a slimmer one would. A core that
    ends inside of the solid has a top, which is ground; but beside it there is none.

    Returns
    -------
    Ground
        Without them.
    dict of str to int
        Counts: polygons dropped.
    """
    steepness = np.hypot(*faces.planes[ground.sources, :2].T)
    under = (faces.roles[ground.sources] == LOW) & (steepness <= faces.steepest)
    if not under.any():
        return ground, {"undersides": 0}
    walls = find_walls(ground.keep(under), faces, agent, thick=True)
    across = np.where(ground.mates >= 0, ground.owners[ground.mates], -1)
    outward = np.flatnonzero(under[ground.owners] & (across >= 0) & ~under[across])
    shut = outward[_stand_on(ground, outward, walls, agent)]
    if len(shut) == 0:
        return ground, {"undersides": 0}
    mates = ground.mates.copy()
    mates[ground.mates[shut]] = BOUNDARY
    mates[shut] = BOUNDARY
    parted = replace(ground, mates=mates)
    dropped = under & (judge_low(parted, faces, agent) == IMPASSABLE)
    return ground.keep(~dropped), {"undersides": int(np.count_nonzero(dropped))}


def _stand_on(ground: Ground, edges: Indices, walls: Floats, agent: Agent) -> Bools:
    """(n,) bool: edges along which walls, given as lines (w, 6), stand."""
    lines = shapely.STRtree(shapely.linestrings(walls[:, [0, 1, 3, 4]].reshape(-1, 2, 2)))
    heights = walls[:, [2, 5]].mean(axis=1)
    spread = np.abs(walls[:, 5] - walls[:, 2]) / 2.0 + agent.max_step
    first, last = ground.corners[edges], ground.corners[ground.following[edges]]
    on_wall = np.ones(len(edges), dtype=bool)
    for share in _ALONG:
        places = first + share * (last - first)
        edge, line = lines.query(
            shapely.points(places[:, :2]), predicate="dwithin", distance=WALL_ON_EDGE
        )
        near = np.abs(places[edge, 2] - heights[line]) <= spread[line]
        here = np.zeros(len(edges), dtype=bool)
        here[edge[near]] = True
        on_wall &= here
    return on_wall
