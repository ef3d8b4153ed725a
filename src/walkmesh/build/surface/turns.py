"""Turns: by how much the surface may bend at an edge that is walked over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats

# A turn of exactly the limit counts as within it, whatever its rotation rounds to. [radians]
_ROUNDING = 1e-5


class Turns(NamedTuple):
    """The largest turns at an edge, around it (convex) and into a corner (concave), in degrees."""

    convex: float
    concave: float

    @property
    def limits(self) -> Floats:
        """(2,) float64: convex and concave, in radians."""
        return np.array([math.radians(turn) + _ROUNDING for turn in self])
