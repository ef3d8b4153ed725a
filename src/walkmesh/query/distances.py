"""Distances between many points: one search for all goals of a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import as_floats
from walkmesh.chunks import in_chunks
from walkmesh.errors import SettingsError
from walkmesh.query.arguments import query_points
from walkmesh.query.ask import Ends, ask_many, take_desk
from walkmesh.query.kernels.islands import compare_islands
from walkmesh.query.kernels.paths import OPTIMAL
from walkmesh.query.locate import locate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.query.ask import Question
    from walkmesh.query.locate import Located
    from walkmesh.query.search_mesh import SearchMesh

# From so many goals on, one search for all of them takes less time than one for each.
_MANY_GOALS = 8


def measure_distances(
    question: Question,
    agent: Agent,
    starts: ArrayLike,
    goals: ArrayLike,
    max_snap: float,
    workers: int | None,
) -> Floats:
    """Return the lengths of paths between points of shape (..., 3), broadcast."""
    search = question.search
    places, indices, shape = broadcast_points(starts, goals)
    froms, tos = (locate(search, agent, points, max_snap) for points in places)
    first, second = indices
    # Where every way can be taken back, it does not matter which end is searched from.
    if len(tos.polygons) < len(froms.polygons) and not search.has_one_way_links:
        froms, tos, first, second = tos, froms, second, first
    order = np.argsort(first, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(first[order])) + 1) if len(order) else []
    result = np.full(len(order), np.inf)
    one_search = bool(question.flags & OPTIMAL)
    large = [group for group in groups if one_search and len(group) >= _MANY_GOALS]
    small = [group for group in groups if not (one_search and len(group) >= _MANY_GOALS)]

    def work(start: int, stop: int) -> None:
        desk = take_desk(search)
        for group in large[start:stop]:
            k = first[group[0]]
            if froms.polygons[k] >= 0:
                result[group] = desk.distances(
                    froms.points[k : k + 1], int(froms.polygons[k]), *_chosen(tos, second[group]),
                    question,
                )  # fmt: skip
        search.desks.append(desk)

    for _ in in_chunks(len(large), work, workers, smallest=1):
        pass
    if small:
        pairs = np.concatenate(small)
        ends = Ends(*_chosen(froms, first[pairs]), *_chosen(tos, second[pairs]))
        result[pairs] = ask_many(ends, question, workers).lengths
    return result.reshape(shape)


def broadcast_points(
    starts: ArrayLike, goals: ArrayLike
) -> tuple[list[Floats], list[NDArray[np.intp]], tuple[int, ...]]:
    """Broadcast arrays of points against each other.

    Returns
    -------
    places : list of (n, 3) float64
        The points of both.
    indices : list of (m,) int
        Which of them make each pair.
    shape : tuple of int
        The shape of the pairs.
    """
    places, indices = [], []
    for name, values in (("starts", starts), ("goals", goals)):
        try:
            array = as_floats(values)
        except (TypeError, ValueError, OverflowError) as reason:
            raise SettingsError(f"{name} is not an array of numbers: {reason}") from None
        if array.size == 0 and array.ndim < 2:
            array = array.reshape(0, 3)
        if array.ndim == 0 or array.shape[-1] != 3:
            raise SettingsError(f"{name} has shape {array.shape}; it must have shape (..., 3)")
        places.append(query_points(name, array.reshape(-1, 3)))
        indices.append(np.arange(len(places[-1])).reshape(array.shape[:-1]))
    try:
        first, second = np.broadcast_arrays(*indices)
    except ValueError:
        shapes = " and ".join(str((*index.shape, 3)) for index in indices)
        raise SettingsError(
            f"starts and goals have shapes {shapes}; these cannot be broadcast"
        ) from None
    return places, [first.ravel(), second.ravel()], first.shape


def _chosen(located: Located, which: NDArray[np.intp]) -> tuple[Floats, NDArray[np.int32]]:
    return located.points[which], located.polygons[which]


def tell_reachable(
    search: SearchMesh, agent: Agent, starts: ArrayLike, goals: ArrayLike
) -> NDArray[np.bool_]:
    """Tell whether there are ways between points of shape (..., 3), broadcast."""
    places, (first, second), shape = broadcast_points(starts, goals)
    froms, tos = (locate(search, agent, points, agent.height).polygons for points in places)
    result = np.empty(len(first), dtype=np.uint8)
    islands = len(search.mesh.exits) - 1
    compare_islands(
        froms[first], tos[second], search.mesh.polygons, search.mesh.exits, search.mesh.shores,
        np.zeros(islands), np.empty(islands, dtype=np.int32), result,
    )  # fmt: skip
    return result.astype(np.bool_).reshape(shape)
