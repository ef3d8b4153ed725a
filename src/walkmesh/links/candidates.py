"""Where links from places on the boundary may lead to, before the scene is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.links.kernels.candidates import CLASSES, KEPT, list_candidates
from walkmesh.links.kernels.tolerances import (
    APART,
    DROP_SPACING,
    OFF_GROUND,
    PAST_LEDGE,
    REACH_SLACK,
    SAMPLE_STEP,
    SHORTEST,
)
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

# Links that lead far are looked for at no more places along the way.
_STRIDES = 8


class LinkEnds(NamedTuple):
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

    def take(self, which: NDArray[np.integer] | NDArray[np.bool_]) -> LinkEnds:
        """Return some of them."""
        return LinkEnds(self.world[which], self.plan[which], self.polygons[which])


def on_ground(navmesh: NavMesh, frame: Frame, places: Floats) -> tuple[LinkEnds, NDArray[np.bool_]]:
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
    found = ground.locate(world[beside], step + OFF_GROUND)
    world[beside], polygons[beside] = found.points, found.cells
    plan = frame.to_plan(world)
    off = plan - places
    near = np.hypot(off[:, 0], off[:, 1]) <= OFF_GROUND
    return LinkEnds(world, plan, polygons), near & (polygons >= 0)


class Candidates(NamedTuple):
    """Links that may be, in groups of which one is enough, the shortest first.

    Attributes
    ----------
    starts, goals : LinkEnds
        Where they lead from and to.
    groups : (g + 1,) int32
        Where each group starts.
    """

    starts: LinkEnds
    goals: LinkEnds
    groups: Ids


def find_candidates(
    navmesh: NavMesh,
    frame: Frame,
    boundary: Boundary,
    places: Floats,
    starts: LinkEnds,
    limits: Limits,
    workers: int | None,
    progress: Callable[[float], None],
) -> Candidates:
    """Find where links may lead to from places on the boundary.

    Places are (n, 5) with their outward directions, see :meth:`Boundary.sample`, and `starts` the
    same places on the ground; all are in one plan frame.
    """
    agent = navmesh.agent
    triangles = navmesh.triangles
    islands = navmesh.components
    reach = reach_down(limits, agent)
    numbers = np.array(
        [
            SHORTEST, limits.max_jump + REACH_SLACK, reach + REACH_SLACK,
            agent.max_step + REACH_SLACK, max(limits.max_drop, limits.max_climb) + REACH_SLACK,
            ledge_width(agent) + PAST_LEDGE, max(DROP_SPACING, reach / _STRIDES), APART,
        ]
    )  # fmt: skip
    looking = np.concatenate([starts.plan, places[:, 3:]], axis=1)
    start_islands = islands[starts.polygons]
    edges = boundary.pieces, islands[boundary.piece_polygons], boundary.tree.arrays
    ground = (
        boundary.points,
        triangles,
        islands[navmesh.triangle_polygons],
        BoxTree.over(boundary.points, triangles).arrays,
    )

    def work(start: int, stop: int) -> tuple[Floats, Ids]:
        count = (stop - start) * CLASSES
        goals, counts = np.empty((count * KEPT, 4)), np.empty(count, dtype=np.int32)
        list_candidates(
            looking[start:stop], start_islands[start:stop], edges, ground, numbers, goals, counts
        )
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
    return min(max(spacing / 4.0, APART), SAMPLE_STEP)


def straight_lengths(starts: LinkEnds, goals: LinkEnds) -> Floats:
    """Return how far apart the ends of (n,) links are, in metres."""
    across = goals.plan - starts.plan
    lengths: Floats = np.sqrt((across * across).sum(axis=1))
    return lengths
