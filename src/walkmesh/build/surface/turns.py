"""Turns: by how much the surface may bend at an edge that is walked over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.build.kernels.tolerances import ANGLE_ROUNDING

if TYPE_CHECKING:
    from walkmesh.arrays import Floats


class Turns(NamedTuple):
    """The largest turns at an edge, around it (convex) and into a corner (concave), in degrees."""

    convex: float
    concave: float

    @property
    def limits(self) -> Floats:
        """(2,) float64: convex and concave, in radians."""
        return np.array([math.radians(turn) + ANGLE_ROUNDING for turn in self])
