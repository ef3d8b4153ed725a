"""What kinds of edges a navmesh has: between polygons, along walls, along ledges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.links.boundary import Boundary
from walkmesh.links.sweep import LinkObstacles, can_leave
from walkmesh.topology import corner_polygons
from walkmesh.viewer.painter import cut_segments

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene

# Edges are asked for what is beyond them in pieces of this length: a long one may end at a wall
# here and at a ledge there. [m]
_PIECE = 0.5

# A boundary of hundreds of kilometres is looked at in longer ones.
_MOST_PIECES = 250_000

# How far a boundary of the exact method is from where the agent would touch the wall, at most: it
# is moved inwards by its tolerances. Cells come on top of that. [m]
_TOLERANCE = 0.08


class PageEdges(NamedTuple):
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


def edges_of(navmesh: NavMesh, scene: Scene | None, frame: Frame) -> PageEdges:
    """Return the edges of a navmesh, told apart by what the scene has beyond them."""
    once = np.flatnonzero(navmesh.neighbors > corner_polygons(navmesh))
    shared = _segments(Boundary.along(navmesh, frame, once).pieces)
    pieces = Boundary.of(navmesh, frame).pieces
    nothing = np.empty((0, 2, 3))
    if scene is None or len(pieces) == 0:
        return PageEdges(shared, nothing, nothing, _segments(pieces))
    whole = _segments(pieces)
    length = float(np.linalg.norm(whole[:, 1] - whole[:, 0], axis=1).sum())
    segments = cut_segments(whole, max(_PIECE, length / _MOST_PIECES))
    along = (segments[:, 1] - segments[:, 0])[:, :2]
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    obstacles, middles = LinkObstacles.of(scene, frame), segments.mean(axis=1)
    clear = np.ones(len(segments), dtype=bool)
    for turn, away in _probes(navmesh.agent.radius, _cell_size(navmesh)):
        # The ground is to the left of an edge, so outwards is to its right.
        outwards = along @ np.array(
            [[math.sin(turn), -math.cos(turn)], [math.cos(turn), math.sin(turn)]]
        )
        places = np.ascontiguousarray(np.column_stack([middles, outwards]))
        clear &= can_leave(obstacles, places, navmesh.agent, None, away)
    return PageEdges(shared, segments[clear], segments[~clear], nothing)


def _probes(radius: float, cell: float) -> list[tuple[float, float]]:
    """Return in which directions from straight outwards, in radians, and how far a body is moved.

    Along a wall that is oblique to the cells, the boundary goes up and down like stairs and may be
    more than a cell away; pieces of it face along the wall.
    """
    turns = (0.0,) if cell == 0.0 else (0.0, math.pi / 4.0, -math.pi / 4.0)
    reach = 1.5 * cell
    # In steps no longer than the body is wide, so that it does not pass a thin wall.
    steps = 1 + math.ceil(reach / max(radius, _TOLERANCE))
    distances = np.linspace(_TOLERANCE, _TOLERANCE + reach, steps).tolist()
    return [(turn, away) for turn in turns for away in distances]


def _segments(pieces: Floats) -> Floats:
    return pieces[:, :6].reshape(-1, 2, 3)


def _cell_size(navmesh: NavMesh) -> float:
    """Return the side of the cells that a navmesh was made from, in m; 0 if it was not."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    size = settings.get("cell_size", 0.0)
    return float(size) if isinstance(size, int | float) else 0.0
