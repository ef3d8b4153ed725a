"""Where links from places on the boundary may lead to, before the scene is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.links.kernels.candidates import CLASSES, KEPT, list_candidates
from walkmesh.links.limits import ledge_width, reach_down
from walkmesh.query.ground.backend import ground_of
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.links.boundary import Boundary
    from walkmesh.links.limits import Limits
    from walkmesh.navmesh import NavMesh

# The shortest link there is, in plan. [m]
_LEAST_LENGTH = 0.01
# Links longer or deeper than their limit by less than this are not: places lie just inside of the
# boundary. [m]
_SLACK = 1e-5
# How far past the nearest place that the body comes down at it does so in any case. [m]
_PAST = 0.01
# Lower ground is looked for at places so far apart, or farther where links lead far. [m]
_STRIDE = 0.25
_STRIDES = 8
# Links are looked for at places no farther apart than this: on dungeon, nav_test and lq_e1m1, all
# parts that dense trials connected were found at twice as much. [m]
_SAMPLE_STEP = 0.25
# Candidates of a class are no closer together than this. [m]
_APART = 0.1
# How far, in plan, the ground may be from where a candidate was thought to end. [m]
_OFF_GROUND = 1e-3


class Ends(NamedTuple):
    """Where links start or end: on the ground of the navmesh.

    Attributes
    ----------
    world : (n, 3) float64
        In world coordinates. [Unit: m]
    plan : (n, 3) float64
        The same places in the plan frame. [Unit: m]
    polygons : (n,) int32
        The polygon of each.
    """

    world: Floats
    plan: Floats
    polygons: Ids

    def take(self, which: NDArray[np.integer] | NDArray[np.bool_]) -> Ends:
        """Return some of them."""
        return Ends(self.world[which], self.plan[which], self.polygons[which])


def on_ground(navmesh: NavMesh, frame: Frame, places: Floats) -> tuple[Ends, NDArray[np.bool_]]:
    """Put (n, 3) places of the plan onto the ground, and tell which of them it really is under.

    They go straight down or up: the nearest place on a slope would be beside them. What lies on an
    edge may be beside the ground by a rounding.
    """
    ground, step = ground_of(navmesh), navmesh.agent.max_step
    world = frame.to_world(places)
    polygons, heights = ground.heights_over(world)
    over = np.abs(heights) <= step
    world[over] -= heights[over, None] * np.array(frame.up)
    beside = np.flatnonzero(~over)
    found = ground.locate(world[beside], step + _OFF_GROUND)
    world[beside], polygons[beside] = found.points, found.cells
    plan = frame.to_plan(world)
    off = plan - places
    near = np.hypot(off[:, 0], off[:, 1]) <= _OFF_GROUND
    return Ends(world, plan, polygons), near & (polygons >= 0)


class Candidates(NamedTuple):
    """Links that may be, in groups of which one is enough, the shortest first.

    Attributes
    ----------
    starts, goals : Ends
        Where they lead from and to.
    groups : (g + 1,) int32
        Where each group starts.
    """

    starts: Ends
    goals: Ends
    groups: Ids


def find_candidates(
    navmesh: NavMesh,
    frame: Frame,
    boundary: Boundary,
    places: Floats,
    starts: Ends,
    limits: Limits,
    workers: int | None,
    progress: Callable[[float], None],
) -> Candidates:
    """Find where links may lead to from places on the boundary.

    Parameters
    ----------
    navmesh : NavMesh
    frame : Frame
        The plan frame that all of this is in.
    boundary : Boundary
    places : (n, 5) float64
        Places with their outward directions, see :meth:`Boundary.sample`.
    starts : Ends
        The same places on the ground.
    limits : Limits
    workers : int, optional
        How many threads there are.
    progress : callable
        Called with the part that is done.
    """
    agent = navmesh.agent
    triangles = navmesh.triangles
    ground = BoxTree.over(boundary.points, triangles)
    tree, islands = boundary.tree, navmesh.components
    reach = reach_down(limits, agent)
    numbers = np.array(
        [
            _LEAST_LENGTH, limits.max_jump + _SLACK, reach + _SLACK, agent.max_step + _SLACK,
            max(limits.max_drop, limits.max_climb) + _SLACK, ledge_width(agent) + _PAST,
            max(_STRIDE, reach / _STRIDES), _APART,
        ]
    )  # fmt: skip
    looking = np.concatenate([starts.plan, places[:, 3:]], axis=1)
    edge_islands, start_islands = islands[boundary.piece_polygons], islands[starts.polygons]
    triangle_islands = islands[navmesh.triangle_polygons]

    def work(start: int, stop: int) -> tuple[Floats, Ids]:
        count = (stop - start) * CLASSES
        goals, counts = np.empty((count * KEPT, 4)), np.empty(count, dtype=np.int32)
        list_candidates(
            looking[start:stop], start_islands[start:stop], boundary.pieces, edge_islands,
            tree.boxes, tree.order, tree.nodes, boundary.points, triangles, triangle_islands,
            ground.boxes, ground.order, ground.nodes, numbers, goals, counts,
        )  # fmt: skip
        filled = np.arange(KEPT) < counts[:, None]
        return goals.reshape(-1, KEPT, 4)[filled][:, :3], counts

    parts = []
    for done, part in in_chunks(len(places), work, workers):
        parts.append(part)
        progress(done / len(places))
    counts = np.concatenate([np.empty(0, dtype=np.int32), *(part[1] for part in parts)])
    wanted = np.concatenate([np.empty((0, 3)), *(part[0] for part in parts)])
    goals, near = on_ground(navmesh, frame, wanted)
    owners = np.repeat(np.arange(len(counts)), counts)[near]  # the group of each
    left = np.bincount(owners, minlength=len(counts))
    return Candidates(starts.take(owners // CLASSES), goals.take(near), offsets_of(left[left > 0]))


def sample_step(spacing: float) -> float:
    """Return how far apart places are that links are looked for from, in metres."""
    return min(max(spacing / 4.0, _APART), _SAMPLE_STEP)


def straight_lengths(starts: Ends, goals: Ends) -> Floats:
    """Return how far apart the ends of (n,) links are, in metres."""
    across = goals.plan - starts.plan
    lengths: Floats = np.sqrt((across * across).sum(axis=1))
    return lengths
