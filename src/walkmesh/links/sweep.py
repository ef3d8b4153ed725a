"""Holding links against the scene: the agent's cylinder along an arc."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.links.kernels.sweep import probe_outwards, sweep_links
from walkmesh.links.kernels.tolerances import PROBE
from walkmesh.links.limits import body_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene


class LinkObstacles(NamedTuple):
    """The triangles of a scene in a plan frame, under a tree of boxes."""

    points: Floats
    triangles: Ids
    tree: BoxTree

    @classmethod
    def of(cls, scene: Scene, frame: Frame) -> LinkObstacles:
        """Take all triangles of a scene."""
        points = frame.to_plan(scene.vertices)
        return cls(points, scene.faces, BoxTree.over(points, scene.faces))

    @property
    def arrays(self) -> tuple[Floats, Ids, tuple[Floats, Ids, Floats]]:
        """What kernels take: a `SCENE` of :mod:`walkmesh.links.kernels.sweep`."""
        return self.points, self.triangles, self.tree.arrays


def can_leave(
    obstacles: LinkObstacles,
    places: Floats,
    agent: Agent,
    workers: int | None,
    away: float = PROBE,
) -> NDArray[np.bool_]:
    """Tell which of (n, 5) places on the boundary have no wall within `away` metres before them."""
    body = body_of(agent)
    clear = np.empty(len(places), dtype=np.uint8)
    # Its feet may rise or fall on the way; of a low body something must be left.
    margin = min(PROBE, (body.high - body.low) / 4.0)
    body = body._replace(low=body.low + margin, high=body.high - margin)
    if body.low >= body.high:
        return np.ones(len(places), dtype=bool)

    def work(start: int, stop: int) -> None:
        probe_outwards(places[start:stop], obstacles.arrays, tuple(body), away, clear[start:stop])

    for _ in in_chunks(len(places), work, workers):
        pass
    return clear.astype(bool)


def clear_ways(
    obstacles: LinkObstacles,
    starts: Floats,
    goals: Floats,
    groups: Ids,
    agent: Agent,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[Ids, Ids]:
    """Find the first way of each group along which the agent's body is clear of the scene.

    Ways lead from (n, 3) starts to goals in the plan frame; `groups`, (g + 1,), has where each
    group of them starts. Returns the way of each group, (g,), -1 if none is clear; and along which
    arc, see :mod:`walkmesh.links.kernels.sweep`.
    """
    body = tuple(body_of(agent))
    falls = starts[:, 2] - goals[:, 2]
    down = (falls >= 0.0)[:, None]
    highs, lows = np.where(down, starts, goals), np.where(down, goals, starts)
    deep = (np.abs(falls) > agent.max_step).astype(np.uint8)
    chosen, arcs = (np.empty(len(groups) - 1, dtype=np.int32) for _ in range(2))

    def work(start: int, stop: int) -> None:
        sweep_links(
            highs, lows, groups[start : stop + 1], deep, obstacles.arrays, body,
            chosen[start:stop], arcs[start:stop],
        )  # fmt: skip

    for done, _ in in_chunks(len(chosen), work, workers):
        if progress is not None:
            progress(done / len(chosen))
    return chosen, arcs


def arcs_of(scene: Scene, navmesh: NavMesh, links: NDArray[np.void]) -> Ids:
    """Return along which arc each of (n,) links is clear; -1 if it is not."""
    frame = scene.frame
    starts, goals = frame.to_plan(links["start"]), frame.to_plan(links["goal"])
    groups = np.arange(len(links) + 1, dtype=np.int32)
    return clear_ways(LinkObstacles.of(scene, frame), starts, goals, groups, navmesh.agent)[1]
