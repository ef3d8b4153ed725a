"""Asking for paths: one, or many over threads."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.arguments import is_whole
from walkmesh.chunks import in_chunks
from walkmesh.errors import SettingsError
from walkmesh.query.arguments import has_costs, query_points
from walkmesh.query.desk import Desk
from walkmesh.query.drape import GROUND_TOLERANCE
from walkmesh.query.kernels.paths import (
    COST,
    IS_OPTIMAL,
    LENGTH,
    LINKS_END,
    OPTIMAL,
    PARTLY,
    POINTS_END,
    PRUNED,
    STATUS,
)
from walkmesh.query.locate import STOREY_HEIGHTS, Located, locate
from walkmesh.query.path import Path, Paths
from walkmesh.settings import as_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.search_mesh import SearchMesh

_AREAS = 256
_NOT_LOCATED: Ids = np.empty((0, 2), dtype=np.int32)
# A search for a shortest path has no more nodes than this, of 0.2 kB each. Only on navmeshes with
# thousands of links one would have more: each link is a place to look from.
_MOST_NODES = 1 << 21
# So many questions without area costs are kept for when they are asked again.
_MOST_QUESTIONS = 64
# Many paths are searched in so many chunks: more of them cost more than they even out.
_MOST_CHUNKS = 16


class Ends(NamedTuple):
    """Where paths start and end.

    Attributes
    ----------
    starts, goals : (n, 3) float64
        World coordinates. [Unit: m]
    start_polygons, goal_polygons : (n,) int32
        The polygons that they lie on, -1 for none; empty if that is still to be found.
    """

    starts: Floats
    start_polygons: Ids
    goals: Floats
    goal_polygons: Ids

    def beside(self) -> tuple[Floats, Ids]:
        """Return starts and goals side by side, (n, 6), and their polygons, (n, 2) or (0, 2)."""
        places = np.concatenate([self.starts, self.goals], axis=1)
        if len(self.start_polygons) != len(places) or len(self.goal_polygons) != len(places):
            return places, _NOT_LOCATED
        return places, np.stack([self.start_polygons, self.goal_polygons], axis=1)

    def part(self, start: int, stop: int) -> Ends:
        """Return some of them."""
        places = slice(start, stop)
        return Ends(
            self.starts[places],
            self.start_polygons[places],
            self.goals[places],
            self.goal_polygons[places],
        )


class Question(NamedTuple):
    """What kind of paths is wanted; see :mod:`walkmesh.query.kernels.paths`."""

    search: SearchMesh
    costs: Floats
    settings: Floats
    flags: int

    @classmethod
    def about(
        cls,
        navmesh: NavMesh,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float,
        partial: bool,
    ) -> Question:
        """Put a question about a navmesh, for the arguments of :meth:`NavMesh.find_path`."""
        search = navmesh.search_mesh
        if has_costs(area_costs):
            return cls._with_costs(navmesh, optimal, area_costs, max_snap, partial)
        question = search.questions.get((optimal, max_snap, partial))
        if question is None:
            question = cls._of(navmesh, search, search.even_costs, optimal, max_snap, partial)
            if len(search.questions) < _MOST_QUESTIONS:
                search.questions[optimal, max_snap, partial] = question
        return question

    @classmethod
    def _with_costs(
        cls,
        navmesh: NavMesh,
        optimal: bool,
        area_costs: Mapping[int, float],
        max_snap: float,
        partial: bool,
    ) -> Question:
        prices = area_prices(area_costs)
        barred = np.isinf(prices)
        # What is barred is never walked on; it must not make equal costs different.
        prices[barred] = prices[navmesh.areas][~barred[navmesh.areas]].min(initial=np.inf)
        prices[np.isinf(prices)] = 1.0
        search = navmesh.search_mesh.without(navmesh, barred)
        return cls._of(navmesh, search, prices[navmesh.areas], optimal, max_snap, partial)

    @classmethod
    def _of(
        cls,
        navmesh: NavMesh,
        search: SearchMesh,
        costs: Floats,
        optimal: bool,
        max_snap: float,
        partial: bool,
    ) -> Question:
        # Without links it does not matter what a metre costs, if it costs the same everywhere.
        alone = len(search.mesh.jumps) == 0
        even = bool((costs == (costs[:1] if alone else 1.0)).all())
        thrift = 1.0 if even and alone else min(float(costs.min()), search.link_price, 1.0)
        flags = (PARTLY if partial else 0) | (OPTIMAL if optimal and even else 0)
        # Elsewhere, a way may pay that leaves the blocks between start and goal and comes back.
        flags |= PRUNED if even and thrift >= 1.0 else 0
        agent = navmesh.agent
        settings = np.array(
            [
                agent.max_step,
                STOREY_HEIGHTS * agent.height,
                max_snap,
                GROUND_TOLERANCE,
                thrift,
                _MOST_NODES,
                *search.axes.ravel().tolist(),
            ]
        )
        return cls(search, costs, settings, flags)


def area_prices(area_costs: Mapping[int, float]) -> Floats:
    """Return (256,) costs of a metre in each area."""
    prices = np.ones(_AREAS)
    for area, cost in area_costs.items():
        if not is_whole(area) or not 0 <= area < _AREAS:
            raise SettingsError(f"area_costs has the area {area!r}; areas are 0 to 255")
        price = as_number(cost)
        if not price > 0.0:
            raise SettingsError(
                f"area_costs[{area}] is {cost!r}; it must be a number above 0, or inf to bar it"
            )
        prices[area] = price
    return prices


def pair_up(navmesh: NavMesh, starts: ArrayLike | Located, goals: ArrayLike | Located) -> Ends:
    """Put starts and goals beside each other: as many of both, or one of either for all."""
    from_places, from_polygons = _places(navmesh, "starts", starts)
    to_places, to_polygons = _places(navmesh, "goals", goals)
    counts = len(from_places), len(to_places)
    if counts[0] != counts[1] and 1 not in counts:
        raise SettingsError(
            f"starts are {counts[0]} points and goals {counts[1]}; "
            "they must have the same length, or length 1"
        )
    count = counts[1] if counts[0] == 1 else counts[0]

    def stretch(array: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(array, count, axis=0) if len(array) == 1 != count else array

    return Ends(
        stretch(from_places), stretch(from_polygons), stretch(to_places), stretch(to_polygons)
    )


def _places(navmesh: NavMesh, name: str, values: ArrayLike | Located) -> tuple[Floats, Ids]:
    """Return (n, 3) points and the (n,) polygons they lie on, none if that is not known."""
    if isinstance(values, Located):
        points, polygons = query_points(name, values.points), np.asarray(values.polygons)
        count = navmesh.polygon_count
        if polygons.shape != (len(points),) or polygons.dtype.kind not in "iu":
            raise SettingsError(f"{name} has no polygon for each of its points")
        if len(points) and not -1 <= polygons.min() <= polygons.max() < count:
            raise SettingsError(
                f"{name} was located on another navmesh: its polygons go from {polygons.min()} to "
                f"{polygons.max()}, and here are {count}"
            )
        return points, np.ascontiguousarray(polygons, dtype=np.int32)
    with contextlib.suppress(ValueError):  # ragged lists are refused below
        if np.ndim(values) == 1 and np.size(values) > 0:
            values = np.asarray(values)[None]
    return query_points(name, values), np.empty(0, dtype=np.int32)


def located(ends: Ends, search: SearchMesh, agent: Agent, max_snap: float) -> Ends:
    """Return the ends with the polygons that they lie on."""

    def find(points: Floats, polygons: Ids) -> tuple[Floats, Ids]:
        if len(polygons) == len(points):
            return points, polygons
        places = locate(search, agent, points, max_snap)
        return places.points, places.polygons

    starts, start_polygons = find(ends.starts, ends.start_polygons)
    return Ends(starts, start_polygons, *find(ends.goals, ends.goal_polygons))


def ask(ends: Floats, question: Question) -> Path:
    """Find one path; `ends` are start and goal, (1, 6) float64."""
    search = question.search
    desk = take_desk(search)
    desk.answer(ends, _NOT_LOCATED, question)
    path = desk.only_path()
    search.desks.append(desk)
    return path


def ask_many(ends: Ends, question: Question, workers: int | None) -> Paths:
    """Find many paths over threads, by default as many as there are cores."""
    places, polygons = ends.beside()

    def work(start: int, stop: int) -> tuple[NDArray[Any], ...]:
        desk = take_desk(question.search)
        desk.answer(places[start:stop], polygons[start:stop], question)
        paths = desk.all_paths(stop - start)
        question.search.desks.append(desk)
        return paths

    parts = [part for _, part in in_chunks(len(places), work, workers, most=_MOST_CHUNKS)]
    if not parts:
        return Paths.of([])
    ends_in_part = [part[0][:, POINTS_END : LINKS_END + 1].astype(np.int64) for part in parts]
    counts = np.concatenate([np.diff(stops, axis=0, prepend=0) for stops in ends_in_part])
    offsets = np.zeros((3, len(counts) + 1), dtype=np.int64)
    np.cumsum(counts.T, axis=1, out=offsets[:, 1:])
    results, points, ways, links = (np.concatenate(p) for p in zip(*parts, strict=True))
    return Paths(
        points, offsets[0].copy(), ways, offsets[1].copy(), links, offsets[2].copy(),
        results[:, STATUS].astype(np.uint8), results[:, LENGTH].copy(), results[:, COST].copy(),
        results[:, IS_OPTIMAL] == 1.0,
    )  # fmt: skip


def take_desk(search: SearchMesh) -> Desk:
    """Take a desk that is free, or make one; several threads may ask at once."""
    try:
        return search.desks.pop()
    except IndexError:
        return Desk(search)
