"""Asking for paths along a surface: one, or many over threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.chunks import in_chunks
from walkmesh.query.arguments import has_costs
from walkmesh.query.ask import area_prices
from walkmesh.query.path import Path, Paths
from walkmesh.query.surface.desk import take_desk
from walkmesh.query.surface.kernels.corridor import find_corridor
from walkmesh.query.surface.kernels.lay import lay_path
from walkmesh.query.surface.kernels.search import ONE_GOAL
from walkmesh.query.surface.locate import Places, find_places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.ask import Ends
    from walkmesh.query.path import Status
    from walkmesh.query.surface.mesh import SurfaceMesh


class SurfaceQuestion(NamedTuple):
    """What kind of paths is wanted along a surface.

    Attributes
    ----------
    surface : SurfaceMesh
        What to walk on.
    agent : Agent
        Who walks.
    prices : (p,) float64
        What a metre costs on each polygon.
    thrift : float
        The least that a metre costs, on foot or by link.
    optimal : bool
        Whether the shortest path is wanted, not that of the corridor.
    partial : bool
        Whether to go as near as possible to a goal that cannot be reached.
    max_snap : float
        How far start and goal may be from the surface. [Unit: m]
    """

    surface: SurfaceMesh
    agent: Agent
    prices: Floats
    thrift: float
    optimal: bool
    partial: bool
    max_snap: float

    @classmethod
    def about(
        cls,
        navmesh: NavMesh,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float,
        partial: bool,
    ) -> SurfaceQuestion:
        """Put a question about a navmesh, for the arguments of :meth:`NavMesh.find_path`."""
        surface, prices = navmesh.surface_mesh, np.ones(navmesh.polygon_count)
        if has_costs(area_costs):
            costs = area_prices(area_costs)
            barred = np.isinf(costs)
            surface = surface.without(navmesh, barred)
            # What is barred is never walked on; it must not make equal costs different.
            costs[barred] = costs[navmesh.areas][~barred[navmesh.areas]].min(initial=np.inf)
            costs[np.isinf(costs)] = 1.0
            prices = costs[navmesh.areas]
        # Without links it does not matter what a metre costs, if it costs the same everywhere.
        alone = len(surface.mesh.jumps) == 0
        even = bool((prices == (prices[:1] if alone else 1.0)).all())
        thrift = min(surface.link_price, 1.0 if even else float(prices.min()))
        return cls(surface, navmesh.agent, prices, thrift, optimal and even, partial, max_snap)


def locate_ends(question: SurfaceQuestion, ends: Ends) -> tuple[Places, Places]:
    """Return where starts and goals are, looking for those whose polygons are not known."""

    def find(points: Floats, polygons: Ids) -> Places:
        if len(polygons) != len(points):
            return find_places(question.surface, question.agent, points, question.max_snap)
        return Places(points, question.surface.pin(points, polygons), np.zeros(len(points)))

    starts = find(ends.starts, ends.start_polygons)
    return starts, find(ends.goals, ends.goal_polygons)


def ask(question: SurfaceQuestion, ends: Ends) -> Path:
    """Find one path."""
    starts, goals = locate_ends(question, ends)
    return answer(question, starts, goals, ends.goals)


def ask_many(question: SurfaceQuestion, ends: Ends, workers: int | None) -> Paths:
    """Find many paths over threads, by default as many as there are cores."""
    starts, goals = locate_ends(question, ends)

    def work(first: int, stop: int) -> list[Path]:
        which = [slice(i, i + 1) for i in range(first, stop)]
        return [answer(question, starts.chosen(i), goals.chosen(i), ends.goals[i]) for i in which]

    chunks = in_chunks(len(ends.starts), work, workers, smallest=1)
    return Paths.of([path for _, paths in chunks for path in paths])


def answer(question: SurfaceQuestion, start: Places, goal: Places, wish: Floats) -> Path:
    """Find the path from one place to another; `wish`, (1, 3), is where the goal was wanted."""
    surface = question.surface
    status: Status = "complete"
    if start.triangles[0] < 0:
        return Path.unreachable()
    if not surface.reaches(start.triangles, goal.triangles)[0]:
        if not question.partial:
            return Path.unreachable()
        status = "partial"
        allowed = surface.within_reach(int(start.triangles[0]))
        goal = find_places(surface, question.agent, wish, np.inf, allowed)
    way = _shortest_way(question, start, goal) if question.optimal else None
    if way is not None:
        return lay(question, *way, status, optimal=True)
    return lay(question, *corridor_way(question, start, goal), status, optimal=False)


def _shortest_way(
    question: SurfaceQuestion, start: Places, goal: Places
) -> tuple[Floats, Ids] | None:
    """Return the shortest way, or None if it takes too much memory or rounding closed a gap."""
    desk = take_desk(question.surface)
    found = desk.spread(start, goal, ONE_GOAL, question.thrift) and desk.arrivals[0] >= 0
    way = desk.trace(goal, 0) if found else None
    question.surface.desks.append(desk)
    return way


def corridor_way(question: SurfaceQuestion, start: Places, goal: Places) -> tuple[Floats, Ids]:
    """Return the way of the cheapest corridor of triangles; to a goal on none, the boundary."""
    surface = question.surface
    thrift = question.thrift if goal.triangles[0] >= 0 else 0.0
    room = 2 * len(surface.mesh.triangles) + 4
    line, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
    count = find_corridor(
        *surface.mesh, surface.owners, question.prices, start.points[0], int(start.triangles[0]),
        goal.points[0], int(goal.triangles[0]), thrift, line, ways,
    )  # fmt: skip
    return line[:count], ways[:count]


def lay(
    question: SurfaceQuestion, line: Floats, ways: Ids, status: Status, *, optimal: bool
) -> Path:
    """Make a path of the places where a way crosses edges; none of no places."""
    if len(line) == 0:
        return Path.unreachable(certain=False)
    mesh, count = question.surface.mesh, len(line)
    points, counts, sums = np.empty((count, 3)), np.empty(3, dtype=np.int64), np.empty(2)
    polygons, links = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    lay_path(
        line, ways, question.surface.owners, question.prices, mesh.jumps, mesh.targets, points,
        polygons, links, counts, sums,
    )  # fmt: skip
    corners, passed, taken = counts.tolist()
    return Path(
        read_only(points[:corners], np.float64),
        read_only(polygons[:passed], np.int32),
        read_only(links[:taken], np.int32),
        status,
        float(sums[0]),
        float(sums[1]),
        optimal,
    )
