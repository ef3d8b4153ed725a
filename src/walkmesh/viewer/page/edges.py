"""What kinds of edges a navmesh has: between polygons, along walls, along ledges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.links.boundary import Boundary
from walkmesh.links.sweep import Obstacles, can_leave
from walkmesh.viewer.painter import cut_segments

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene

# Edges are asked for what is beyond them in pieces of this length: a long one may end at a wall
# here and at a ledge there. [m]
_PIECE = 0.5

# How far a boundary of the exact method is from where the agent would touch the wall, at most: it
# is moved inwards by its tolerances. Cells come on top of that. [m]
_TOLERANCE = 0.08


class Edges(NamedTuple):
    """Edges in a plan frame, following the ground, as (n, 2, 3) float64 segments in metres.

    Attributes
    ----------
    shared
        Between two polygons, each once.
    open
        Along ledges: nothing stands beyond.
    blocked
        Along walls and under low ceilings: the agent's body would touch something.
    boundary
        Those that are one or the other, but no scene is there to tell.
    """

    shared: Floats
    open: Floats
    blocked: Floats
    boundary: Floats


def edges_of(navmesh: NavMesh, scene: Scene | None, frame: Frame) -> Edges:
    """Return the edges of a navmesh, told apart by what the scene has beyond them."""
    once = np.flatnonzero(navmesh.neighbors > navmesh.corner_polygons)
    shared = _segments(Boundary.along(navmesh, frame, once).pieces)
    pieces = Boundary.of(navmesh, frame).pieces
    nothing = np.empty((0, 2, 3))
    if scene is None or len(pieces) == 0:
        return Edges(shared, nothing, nothing, _segments(pieces))
    segments = cut_segments(_segments(pieces), _PIECE)
    along = (segments[:, 1] - segments[:, 0])[:, :2]
    # The ground is to the left of an edge.
    outwards = along[:, ::-1] * (1.0, -1.0) / np.hypot(along[:, 0], along[:, 1])[:, None]
    places = np.column_stack([segments.mean(axis=1), outwards])
    obstacles, agent = Obstacles.of(scene, frame), navmesh.agent
    clear = np.ones(len(places), dtype=bool)
    # In steps no longer than the body is wide, so that it does not pass a thin wall.
    farthest, step = _TOLERANCE + _cell_size(navmesh), max(agent.radius, _TOLERANCE)
    for away in np.linspace(_TOLERANCE, farthest, 1 + math.ceil((farthest - _TOLERANCE) / step)):
        clear &= can_leave(obstacles, np.ascontiguousarray(places), agent, None, float(away))
    return Edges(shared, segments[clear], segments[~clear], nothing)


def _segments(pieces: Floats) -> Floats:
    return pieces[:, :6].reshape(-1, 2, 3)


def _cell_size(navmesh: NavMesh) -> float:
    """Return the side of the cells that a navmesh was made from, in m; 0 if it was not."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    size = settings.get("cell_size", 0.0)
    return float(size) if isinstance(size, int | float) else 0.0
