"""The smallest part: what a connected part of the ground must measure to be of use."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids

# Agents without a radius are taken to have this one, or less if they are low: so much of their
# height. [m, 1]
_POLE, _SLIM = 0.05, 0.05
# Extents are measured in so many directions of half a turn in plan: short by 2 % at most.
_DIRECTIONS = 8
# And in these on a surface, towards faces, edges and corners of a cube: short by 9 % at most.
_CUBE = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1),
         (0, 1, -1), (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)]  # fmt: skip


class SmallestPart(NamedTuple):
    """What connected parts of the ground where an agent's centre may be must have to stay."""

    area: float = 0.0  # this, [m2]
    extent: float = math.inf  # or this from end to end [m]

    @classmethod
    def of(cls, min_patch_area: float | None, agent: Agent) -> SmallestPart:
        """Return the area that was asked for, or what the agent needs.

        That is the area of a square inside its footprint, so that it can go as far as it is wide;
        or twice its width from end to end, since a passage leads somewhere however narrow it is.

        Examples
        --------
        >>> from walkmesh import Agent
        >>> SmallestPart.of(None, Agent(radius=0.5))
        SmallestPart(area=0.5, extent=2.0)
        >>> SmallestPart.of(0.5, Agent(radius=0.3))
        SmallestPart(area=0.5, extent=inf)
        """
        if min_patch_area is not None:
            return cls(min_patch_area)
        radius = max(agent.radius, min(_POLE, _SLIM * agent.height))
        return cls(2.0 * radius**2, 4.0 * radius)

    @property
    def words(self) -> str:
        """What parts have that stay, for people."""
        if math.isfinite(self.extent):
            return f"{self.area:.3g} m2, or {self.extent:.3g} m from end to end"
        return f"{self.area:.3g} m2"

    @property
    def any_stays(self) -> bool:
        """Whether no part is too small."""
        return self.area <= 0.0

    def hold(self, areas: NDArray[Any], points: NDArray[Any], labels: Ids) -> Bools:
        """(k,) bool: which parts stay.

        Parameters
        ----------
        areas : (k,) float64
            The area of each part. [Unit: m2]
        points : (n, 2) or (n, 3) float64
            Corners of the parts, in plan or on a surface. [Unit: m]
        labels : (n,) int
            The part of each corner.
        """
        large = areas >= self.area
        if math.isfinite(self.extent) and not large.all():
            large |= _extents(points, labels, len(areas)) >= self.extent
        return np.asarray(large)


def _extents(points: NDArray[Any], labels: Ids, count: int) -> Floats:
    """(count,) float64: how far each part reaches from end to end, within a few per cent."""
    turns = np.arange(_DIRECTIONS) * math.pi / _DIRECTIONS
    directions = np.column_stack([np.cos(turns), np.sin(turns)])
    if points.shape[1] > 2:
        directions = np.array(_CUBE) / np.linalg.norm(_CUBE, axis=1, keepdims=True)
    extents = np.zeros(count)
    for direction in directions:
        along = points @ direction
        first, last = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(first, labels, along)
        np.maximum.at(last, labels, along)
        extents = np.maximum(extents, last - first)
    return extents
