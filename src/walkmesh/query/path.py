"""The path from one point to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from walkmesh.arrays import read_only

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats, Ids

Status = Literal["complete", "partial", "unreachable"]

# A point that lies this close to the straight way between its neighbours is no corner.
_STRAIGHT = 1e-7  # m


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """A way to walk, and whether it leads all the way.

    Attributes
    ----------
    points : (k, 3) float64, read-only
        Where to turn, or where the slope changes, from start to goal in world coordinates; none
        if there is no way. The line through them lies on the ground, but for a millimetre of
        height. [Unit: m]
    polygons : (m,) int32, read-only
        The polygons that it leads through, in order.
    status : {"complete", "partial", "unreachable"}
        Whether it leads to the goal, to the nearest place that can be reached, or nowhere.
    """

    points: Floats
    polygons: Ids
    status: Status

    @property
    def length(self) -> float:
        """The length of the way along its slopes; infinite if there is none. In metres."""
        if len(self.points) == 0:
            return float("inf")
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def __repr__(self) -> str:
        return f"Path({self.status}, {self.length:.3f} m, {len(self.points)} points)"

    @classmethod
    def unreachable(cls) -> Path:
        """Return the path for a goal to which there is no way."""
        return cls(read_only(np.empty((0, 3)), np.float64), read_only([], np.int32), "unreachable")

    @classmethod
    def complete(cls, points: Floats, polygons: ArrayLike) -> Path:
        """Return a path that leads all the way, without the points that change nothing."""
        return cls(
            read_only(_without_straight_points(points), np.float64),
            read_only(polygons, np.int32),
            "complete",
        )


def _without_straight_points(points: Floats) -> Floats:
    """Drop the points that lie on the straight way between the one kept before and the next."""
    kept = [0]
    for i in range(1, len(points) - 1):
        onward = points[i + 1] - points[kept[-1]]
        here = points[i] - points[kept[-1]]
        # The nearest place on the way, not on the line beyond it: a path may turn back.
        squared = onward @ onward
        share = min(max(here @ onward / squared, 0.0), 1.0) if squared > 0.0 else 0.0
        off = here - onward * share
        if np.sqrt(off @ off) > _STRAIGHT:
            kept.append(i)
    if len(points) > 1:
        kept.append(len(points) - 1)
    return points[kept]
