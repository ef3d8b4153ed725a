"""The integer grid that plans are laid on, where every turn is known exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SceneError

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Longs

# Products of two coordinates, and their differences, are exact in a float up to here.
MOST_STEPS = 1 << 26
# The step that a plan gets unless it is too wide for it: finer than anyone builds. [m]
FINE_STEP = 1e-4


@dataclass(frozen=True)
class Grid:
    """A grid of integer places over a plan."""

    step: float  # how far its lines are apart [m]
    # The place of the world's x and y that is (0, 0) on the grid, in steps from the world's origin,
    # so that plans far away have small numbers too.
    origin: tuple[int, int]

    @classmethod
    def over(cls, bounds: Floats, step: float = 0.0) -> Grid:
        """Return a grid over the lowest and highest x and y, (2, 2) float64 in metres.

        Parameters
        ----------
        step : float, default 0
            Its step; 0 for `FINE_STEP`, or the next power of ten at which the plan has no more
            than `MOST_STEPS`. [Unit: m]

        Raises
        ------
        SceneError
            When the plan has more steps than that.
        """
        width = float((bounds[1] - bounds[0]).max())
        if step == 0.0:
            step = FINE_STEP
            while width / step > MOST_STEPS - 16:
                step *= 10.0
            step = float(f"{step:.0e}")  # as it would be typed
        if width / step > MOST_STEPS - 16 or not math.isfinite(width):
            raise SceneError(
                f"the plan is {width:g} m wide, which is too much for a grid of {step:g} m; "
                f"the step must be at least {width / (MOST_STEPS - 16):.2g} m"
            )
        if np.abs(bounds).max() / step > 2**52:
            raise SceneError(
                f"the plan lies {np.abs(bounds).max():g} m from the origin, where numbers are "
                f"coarser than its grid of {step:g} m"
            )
        low = np.floor(cls(step, (0, 0))._scaled(bounds[0]))
        return cls(step, (int(low[0]), int(low[1])))

    def steps(self, points: Floats) -> Floats:
        """Return (n, 2) world coordinates in steps from the grid's origin, not yet rounded."""
        return np.asarray(self._scaled(np.asarray(points)) - np.array(self.origin))

    def snap(self, points: Floats) -> Floats:
        """Return (n, 2) world coordinates as places of the grid, whole numbers in float64."""
        return np.asarray(np.floor(self._scaled(np.asarray(points)) + 0.5) - np.array(self.origin))

    def world(self, places: Longs | Floats) -> Floats:
        """Return (n, 2) places of the grid as world coordinates, in metres."""
        whole = np.asarray(places) + np.array(self.origin)
        # Divided, and not multiplied by a tenth of a millimetre, which no float is: so the
        # coordinates of a plan that has them in millimetres come back bit by bit.
        return np.asarray(whole / self._per_metre if self._per_metre else whole * self.step)

    def _scaled(self, points: Floats) -> Floats:
        return np.asarray(points * self._per_metre if self._per_metre else points / self.step)

    @property
    def _per_metre(self) -> int:
        """How many steps a metre has, if that is a whole number; else 0."""
        count = round(1.0 / self.step)
        return count if count and math.isclose(count * self.step, 1.0, rel_tol=1e-12) else 0
