"""Where paths start and end: points put beside each other."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.arrays import as_floats
from walkmesh.errors import SettingsError
from walkmesh.query.arguments import query_points
from walkmesh.query.located import Footing, Located

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.backend import Backend

_NO_IDS: Ids = np.empty(0, dtype=np.int32)


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

    def anywhere(self) -> Ends:
        """Return the same points, whose polygons are still to be found."""
        return Ends(self.starts, _NO_IDS, self.goals, _NO_IDS)

    def locate(self, backend: Backend, max_snap: float) -> tuple[Footing, Footing]:
        """Return where starts and goals stand, looking for those whose polygons are not known."""

        def find(points: Floats, polygons: Ids) -> Footing:
            if len(polygons) != len(points):
                return backend.locate(points, max_snap)
            return Footing(points, backend.pin(points, polygons), np.zeros(len(points)))

        starts = find(self.starts, self.start_polygons)
        return starts, find(self.goals, self.goal_polygons)


def ends_of(points: Floats) -> Ends:
    """Return a start and a goal, (1, 6), whose polygons are still to be found."""
    return Ends(points[:, :3], _NO_IDS, points[:, 3:], _NO_IDS)


def pair_up(polygon_count: int, starts: ArrayLike | Located, goals: ArrayLike | Located) -> Ends:
    """Put starts and goals beside each other: as many of both, or one of either for all."""
    from_places, from_polygons = _places(polygon_count, "starts", starts)
    to_places, to_polygons = _places(polygon_count, "goals", goals)
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


def _places(count: int, name: str, values: ArrayLike | Located) -> tuple[Floats, Ids]:
    """Return (n, 3) points and the (n,) polygons they lie on, none if that is not known."""
    if isinstance(values, Located):
        points, polygons = query_points(name, values.points), np.asarray(values.polygons)
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
    return query_points(name, values), _NO_IDS


class Pairs(NamedTuple):
    """Pairs of points that are far fewer than the pairs.

    Attributes
    ----------
    starts, goals : Footing
        Where they stand.
    first, second : (m,) int
        The start and the goal of each pair.
    """

    starts: Footing
    goals: Footing
    first: NDArray[np.intp]
    second: NDArray[np.intp]

    def turned(self) -> Pairs:
        """Return the same pairs the other way round."""
        return Pairs(self.goals, self.starts, self.second, self.first)

    def groups(self) -> list[NDArray[np.intp]]:
        """Return the numbers of the pairs that have the same start, for each start."""
        order = np.argsort(self.first, kind="stable")
        if len(order) == 0:
            return []
        return np.split(order, np.flatnonzero(np.diff(self.first[order])) + 1)


def broadcast_points(
    starts: ArrayLike, goals: ArrayLike
) -> tuple[list[Floats], list[NDArray[np.intp]], tuple[int, ...]]:
    """Broadcast arrays of points, (..., 3), against each other.

    Returns the points of both, (n, 3); which of them make each pair, (m,); and the shape of the
    pairs.
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
