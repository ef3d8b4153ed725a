"""Jumps: links in the directions that they can be taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.errors import FormatError
from walkmesh.query.kernels.jumps import COST, END_U, START_U

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Jumps:
    """Links in the directions that they can be taken, by the polygon where they start.

    Attributes
    ----------
    origins, ends : (j,) int32
        The polygons where they start and end.
    links : (j,) int32
        The links that they are.
    places : (j, 7) float64
        Where they start and end, and what they cost. [Unit: m]
    both_ways : (j,) bool
        Whether there is one the other way.
    """

    origins: Ids
    ends: Ids
    links: Ids
    places: Floats
    both_ways: NDArray[np.bool_]

    @classmethod
    def of(cls, navmesh: NavMesh, to_search: Callable[[Floats], Floats]) -> Jumps:
        """Return those of a navmesh, with places in the coordinates of a search."""
        links = navmesh.links
        _check_links(links, navmesh.polygon_count)
        back = np.flatnonzero(links["two_way"])
        numbers = np.concatenate([np.arange(len(links)), back]).astype(np.int32)
        origins = np.concatenate([links["start_polygon"], links["goal_polygon"][back]])
        ends = np.concatenate([links["goal_polygon"], links["start_polygon"][back]])
        starts, goals = to_search(links["start"]), to_search(links["goal"])
        places = np.empty((len(numbers), 7))
        places[:, START_U : START_U + 3] = np.concatenate([starts, goals[back]])
        places[:, END_U : END_U + 3] = np.concatenate([goals, starts[back]])
        places[:, COST] = links["cost"][numbers]
        return cls(origins, ends, numbers, places, links["two_way"][numbers]).chosen(
            np.argsort(origins, kind="stable")
        )

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Jumps:
        """Return some of them."""
        return Jumps(
            np.ascontiguousarray(self.origins[which], dtype=np.int32),
            np.ascontiguousarray(self.ends[which], dtype=np.int32),
            self.links[which],
            self.places[which],
            self.both_ways[which],
        )

    def price(self, axes: int) -> float:
        """Return the least that any of them costs for each metre on, along 2 axes or all 3."""
        leads = self.places[:, END_U : END_U + 3] - self.places[:, START_U : START_U + 3]
        far = lengths_along(leads, axes)
        return float((self.places[far > 0.0, COST] / far[far > 0.0]).min(initial=np.inf))


def _check_links(links: NDArray[np.void], polygons: int) -> None:
    """Refuse links that would lead a search outside its arrays, or around without end."""
    wrong = ""
    for end in ("start", "goal"):
        ids = links[f"{end}_polygon"]
        if not ((ids >= 0) & (ids < polygons)).all():
            wrong = "ids out of range"
        elif not (np.abs(links[end]) <= LARGEST).all():
            wrong = "ends that are not finite or too far away"
    if not ((links["cost"] >= 0.0) & (links["cost"] < np.inf)).all():
        wrong = "costs that are not lengths"
    if wrong:
        raise FormatError(f"links has {wrong}; validate() lists them")


def lengths_along(leads: Floats, axes: int) -> Floats:
    """Return the lengths of (n, 3) vectors along 2 axes or all 3.

    A link costs its length to the last digit, so that it never seems to save any way.
    """
    far = np.hypot(leads[:, 0], leads[:, 1])
    return np.asarray(far if axes == 2 else np.hypot(far, leads[:, 2]))
