"""Distances along a surface: between points, and to the boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.query.distances import broadcast_points
from walkmesh.query.kernels.mesh import ISLAND
from walkmesh.query.surface.ask import answer, corridor_way, lay
from walkmesh.query.surface.desk import take_desk
from walkmesh.query.surface.kernels.search import BOUNDARY, MANY_GOALS
from walkmesh.query.surface.locate import Places, find_places

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.query.surface.ask import SurfaceQuestion
    from walkmesh.query.surface.mesh import SurfaceMesh

# From so many goals on, one search for all of them takes less time than one for each.
_MANY = 3

_NOWHERE = Places(np.empty((0, 3)), np.empty(0, dtype=np.int32), np.empty(0))


def measure_distances(
    question: SurfaceQuestion, starts: ArrayLike, goals: ArrayLike, workers: int | None
) -> Floats:
    """Return the lengths of paths between points of shape (..., 3), broadcast."""
    surface = question.surface
    points, (first, second), shape = broadcast_points(starts, goals)
    froms, tos = (find_places(surface, question.agent, some, question.max_snap) for some in points)
    # Where every way can be taken back, it does not matter which end is searched from.
    if len(tos.points) < len(froms.points) and surface.both_ways:
        froms, tos, first, second = tos, froms, second, first
    order = np.argsort(first, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(first[order])) + 1) if len(order) else []
    result = np.full(len(order), np.inf)

    def work(begin: int, stop: int) -> None:
        for group in groups[begin:stop]:
            k = int(first[group[0]])
            result[group] = _distances_from(
                question, froms.chosen(slice(k, k + 1)), tos.chosen(second[group])
            )

    for _ in in_chunks(len(groups), work, workers, smallest=1):
        pass
    return result.reshape(shape)


def _distances_from(question: SurfaceQuestion, start: Places, goals: Places) -> Floats:
    """Return the (m,) lengths of paths from one place to others."""
    surface, count = question.surface, len(goals.points)
    starts = np.repeat(start.triangles, count)
    reached = surface.reaches(starts, goals.triangles)
    if question.optimal and count >= _MANY and reached.any():
        triangles = np.where(reached, goals.triangles, -1).astype(np.int32)
        wanted, desk = goals._replace(triangles=triangles), take_desk(surface)
        found = desk.spread(start, wanted, MANY_GOALS, 1.0)
        found = found and bool((desk.arrivals[reached] >= 0).all())
        lengths = np.full(count, np.inf)
        if found:
            for k in np.flatnonzero(reached).tolist():
                lengths[k] = lay(question, *desk.trace(wanted, k), "complete", optimal=True).length
        surface.desks.append(desk)
        if found:
            return lengths
    alone = question._replace(partial=False)
    ones = [slice(k, k + 1) for k in range(count)]
    paths = [answer(alone, start, goals.chosen(one), goals.points[one]) for one in ones]
    return np.array([path.length for path in paths])


def tell_reachable(
    surface: SurfaceMesh, agent: Agent, starts: ArrayLike, goals: ArrayLike
) -> NDArray[np.bool_]:
    """Tell whether there are ways between points of shape (..., 3), broadcast."""
    points, (first, second), shape = broadcast_points(starts, goals)
    froms, tos = (find_places(surface, agent, some, agent.height).triangles for some in points)
    return surface.reaches(froms[first], tos[second]).reshape(shape)


def measure_walls(question: SurfaceQuestion, places: Places) -> Floats:
    """Return how far (n,) places are from the boundary, along the surface.

    NaN for places on no triangle, infinite where there is no boundary. Where the search takes too
    much memory, the length of a way that may not be the shortest.
    """
    surface = question.surface
    result = np.full(len(places.points), np.nan)
    labels = surface.islands[surface.polygons_of(places.triangles), ISLAND]

    def work(begin: int, stop: int) -> None:
        desk = take_desk(surface)
        for i in range(begin, stop):
            if places.triangles[i] < 0:
                continue
            result[i] = np.inf
            if surface.bounded[labels[i]]:
                start = places.chosen(slice(i, i + 1))
                found = desk.spread(start, _NOWHERE, BOUNDARY, 1.0)
                # Without enough memory, the shortest way so far, if there is one at all.
                result[i] = desk.best[0]
                if not found:
                    nowhere = start._replace(triangles=np.array([-1], dtype=np.int32))
                    line = corridor_way(question, start, nowhere)
                    way = lay(question, *line, "complete", optimal=False)
                    result[i] = min(result[i], way.cost)
        surface.desks.append(desk)

    for _ in in_chunks(len(result), work, None, smallest=16):
        pass
    return result
