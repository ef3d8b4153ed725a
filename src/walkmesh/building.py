"""The building: floor plans one above the other, and the stairs between them."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from walkmesh.arrays import as_floats, read_only
from walkmesh.errors import SceneError
from walkmesh.floor_plan import FloorPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene


# The least that sections of stairs are wide, and apart at both ends. [m]
LEAST = 0.01


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Stairs:
    """A flight of stairs, or a ramp, from one floor up to another.

    It is given by lines across it, the first where one steps onto it and the last where one steps
    off. Between two of them it rises evenly, so that winding stairs need more of them::

        upper floor   o----o
                      |    |       sections[2]
                      o----o
                      |    |       sections[1]
                      o----o
        lower floor                sections[0]

    Parameters
    ----------
    sections : (k, 2, 2) array_like of float
        Both ends of each line, from the bottom to the top, in x and y. [Unit: m]
    floors : tuple of 2 int, default (0, 1)
        The lower and the upper floor, as they are numbered in the building.
    heights : (k,) array_like of float, optional
        How high each line lies, from the height of the lower floor to that of the upper, for
        flights with landings. By default it rises evenly along the middle. [Unit: m]

    Raises
    ------
    SceneError
        When the lines make no flight.

    Examples
    --------
    >>> Stairs([[(0, 0), (1, 0)], [(0, 4), (1, 4)]])
    Stairs(4 m long, floors 0 and 1)
    """

    sections: Floats
    floors: tuple[int, int]
    heights: Floats | None

    def __init__(
        self,
        sections: ArrayLike,
        floors: Sequence[int] = (0, 1),
        heights: ArrayLike | None = None,
    ) -> None:
        lines = _sections(sections)
        object.__setattr__(self, "sections", read_only(lines, np.float64))
        object.__setattr__(self, "floors", _pair(floors))
        object.__setattr__(self, "heights", _heights(heights, len(lines)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was pickled; its arrays have become writable on the way."""
        self.__dict__.update(state)
        for array in (self.sections, self.heights):
            if array is not None:
                array.flags.writeable = False

    def __repr__(self) -> str:
        lower, upper = self.floors
        return f"Stairs({self.way[-1]:g} m long, floors {lower} and {upper})"

    @property
    def way(self) -> Floats:
        """(k,) float64: how far along the middle each section is. In metres."""
        middles = self.sections.mean(axis=1)
        steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def rises(self, lower: float, upper: float) -> Floats:
        """(k,) float64: the height of each section between floors at these heights. In metres."""
        if self.heights is not None:
            return self.heights
        return np.asarray(lower + (upper - lower) * self.way / self.way[-1])


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Building:
    """Floor plans, each at its height, and the stairs between them.

    The way under a flight ends where the agent's headroom does, and a floor is open above the part
    of a flight where the agent's head would meet it; neither needs to be drawn.

    Parameters
    ----------
    floors : sequence of FloorPlan
        The floors, in any order; stairs name them by their numbers, from 0.
    stairs : sequence of Stairs, default ()
        The flights. Where one begins or ends there must be floor in front of it.

    Raises
    ------
    SceneError
        When a flight names a floor that there is not, or does not lead upwards.

    Examples
    --------
    >>> square = [(0, 0), (9, 0), (9, 9), (0, 9)]
    >>> floors = [FloorPlan(square), FloorPlan(square, height=3)]
    >>> Building(floors, [Stairs([[(1, 1), (2, 1)], [(1, 6), (2, 6)]])])
    Building(2 floors, 1 stairs)
    """

    floors: tuple[FloorPlan, ...]
    stairs: tuple[Stairs, ...]

    def __init__(self, floors: Sequence[FloorPlan], stairs: Sequence[Stairs] = ()) -> None:
        for name, values, kind in (("floors", floors, FloorPlan), ("stairs", stairs, Stairs)):
            if not isinstance(values, list | tuple):
                raise SceneError(f"{name} is {values!r}; it must be a list of {kind.__name__}")
            for value in values:
                if not isinstance(value, kind):
                    raise SceneError(f"{name} has {value!r}; it must be a walkmesh.{kind.__name__}")
        if not floors:
            raise SceneError("the building has no floors")
        for i, flight in enumerate(stairs):
            _check_flight(f"stairs {i}", flight, floors)
        object.__setattr__(self, "floors", tuple(floors))
        object.__setattr__(self, "stairs", tuple(stairs))

    def __repr__(self) -> str:
        count = len(self.floors)
        return f"Building({count} floor{'s' if count != 1 else ''}, {len(self.stairs)} stairs)"

    def to_scene(self, *, wall_height: float = 2.5, headroom: float = 1.8, up: str = "z") -> Scene:
        """Return floors and stairs as triangles, as :meth:`FloorPlan.to_scene` does."""
        from walkmesh.builder import extrude

        return extrude(self, wall_height, headroom, up)

    @property
    def counts(self) -> dict[str, int]:
        """How many floors and stairs there are, and the counts of all floors together."""
        sums: dict[str, int] = {}
        for floor in self.floors:
            for name, count in floor.counts.items():
                sums[name] = sums.get(name, 0) + count
        return {"floors": len(self.floors), **sums, "stairs": len(self.stairs)}

    @property
    def bounds(self) -> Floats:
        """(2, 2) float64: the lowest and the highest x and y of everything. In metres."""
        corners = [floor.bounds for floor in self.floors]
        corners += [flight.sections.reshape(-1, 2) for flight in self.stairs]
        points = np.concatenate(corners)
        return np.array([points.min(axis=0), points.max(axis=0)])


def _check_flight(name: str, flight: Stairs, floors: Sequence[FloorPlan]) -> None:
    """Hold a flight against the floors it joins."""
    for number in flight.floors:
        if not 0 <= number < len(floors):
            raise SceneError(f"{name} names floor {number}; there are {len(floors)}, from 0")
    lower, upper = (floors[number].height for number in flight.floors)
    if not lower < upper:
        raise SceneError(
            f"{name} leads from a height of {lower:g} m to one of {upper:g} m; it must lead up"
        )
    heights = flight.rises(lower, upper)
    if not np.allclose(heights[[0, -1]], [lower, upper], atol=1e-6):
        raise SceneError(
            f"{name} runs from {heights[0]:g} to {heights[-1]:g} m, and its floors lie at "
            f"{lower:g} and {upper:g} m; they must agree"
        )


def _sections(values: Any) -> Floats:
    """Return lines across a flight, with the ends on the same side first."""
    try:
        lines = as_floats(values).copy()
    except (TypeError, ValueError, OverflowError):
        raise SceneError("the sections of stairs must be a (k, 2, 2) array of numbers") from None
    if lines.ndim != 3 or lines.shape[1:] != (2, 2) or len(lines) < 2:
        raise SceneError(
            f"the sections of stairs have shape {lines.shape}; it must be (k, 2, 2) with k from 2"
        )
    if not np.isfinite(lines).all():
        raise SceneError("the sections of stairs have a coordinate that is not finite")
    for before, line in pairwise(lines):
        # Drawn the other way round, the sides of the flight would cross.
        sides = shapely.linestrings(np.stack([before, line], axis=1))
        if shapely.intersects(*sides):
            line[:] = line[::-1].copy()
    widths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    if widths.min() < LEAST:
        i = int(widths.argmin())
        raise SceneError(
            f"section {i} of the stairs is {widths[i]:g} m wide; it must be at least {LEAST:g} m"
        )
    for i, (before, line) in enumerate(pairwise(lines)):
        if np.linalg.norm(line - before, axis=1).min() < LEAST:
            raise SceneError(
                f"sections {i} and {i + 1} of the stairs share an end; it must be {LEAST:g} m apart"
            )
        part = shapely.Polygon([before[0], before[1], line[1], line[0]])
        if not part.is_valid or not part.area > 0.0:
            raise SceneError(f"between sections {i} and {i + 1} the stairs have no simple outline")
    return lines


def _pair(floors: Any) -> tuple[int, int]:
    try:
        lower, upper = (operator.index(number) for number in floors)
    except (TypeError, ValueError):
        raise SceneError(f"floors is {floors!r}; it must be two numbers of floors") from None
    return lower, upper


def _heights(values: Any, count: int) -> Floats | None:
    if values is None:
        return None
    try:
        heights = read_only(as_floats(values), np.float64)
    except (TypeError, ValueError, OverflowError):
        raise SceneError("the heights of stairs must be an array of numbers") from None
    if heights.shape != (count,):
        raise SceneError(
            f"the heights of stairs have shape {heights.shape}; there are {count} sections"
        )
    if not np.isfinite(heights).all() or np.any(np.diff(heights) < 0.0):
        raise SceneError("the heights of stairs are not finite, or do not ascend")
    return heights
