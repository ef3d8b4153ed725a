"""Where things are on the page: the world, moved to its middle and scaled to one size.

The browser computes in 32 bits and moves its camera two units a second. So the page shows every
scene around the origin and :data:`EXTENT` units wide: a room and a city are crossed in the same
time, and a scene far from the origin does not tremble. Its axes are those of the world.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.frame import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

EXTENT = 12.0
"""How wide a scene is on the page, along its longest side. [Unit: page units]"""

# Layers above each other, such as ground, navmesh and its edges, are this far apart: less than this
# and a browser could not tell which one is in front. [Unit: page units]
LAYER = 0.003


@dataclass(frozen=True)
class PageFrame:
    """From the world to the page and back.

    Attributes
    ----------
    frame : Frame
        A plan frame whose origin is in the middle of what is shown.
    scale : float
        Page units for a metre.
    low, high : tuple of 3 float
        The box around what is shown, in `frame`. [Unit: m]
    """

    frame: Frame
    scale: float
    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def around(cls, up: tuple[float, float, float], points: Floats) -> PageFrame:
        """Return the frame that shows (n, 3) world points, n > 0."""
        plan = Frame(up).to_plan(points)
        low, high = plan.min(axis=0), plan.max(axis=0)
        middle = (low + high) / 2.0
        x, y, z = Frame(up).to_world(middle).tolist()
        size = float((high - low).max()) or 1.0
        half = (high - low) / 2.0
        return cls(Frame(up, (x, y, z)), EXTENT / size, tuple(-half), tuple(half))

    @property
    def base(self) -> float:
        """How high above zero the lowest place shown is, along up. [Unit: m]."""
        return float(self.low[2] + np.dot(self.frame.origin, self.frame.up))

    @property
    def top(self) -> float:
        """How high above zero the highest place shown is, along up. [Unit: m]."""
        return float(self.high[2] + np.dot(self.frame.origin, self.frame.up))

    def to_page(self, points: Floats, *, layer: int = 0) -> NDArray[np.float32]:
        """Return (..., 3) world points on the page, lifted by so many layers."""
        return self.from_plan(self.frame.to_plan(points), layer=layer)

    def from_plan(self, points: Floats, *, layer: int = 0) -> NDArray[np.float32]:
        """Return (..., 3) points of `frame` on the page, lifted by so many layers."""
        shown = points * self.scale
        shown[..., 2] += layer * LAYER
        return self.turned(shown).astype(np.float32)

    def height_of(self, layer: int) -> float:
        """Return how high so many layers are. [Unit: m]."""
        return layer * LAYER / self.scale

    def turned(self, vectors: Floats) -> Floats:
        """Return (..., 3) vectors along u, v and up along the axes of the page."""
        along: Floats = np.asarray(vectors, dtype=np.float64) @ self.frame.axes
        return along

    def to_world(self, points: Floats, *, layer: int = 0) -> Floats:
        """Return (..., 3) places on the page, lifted by layers, in world coordinates, in metres."""
        points = points - self.turned(np.array([0.0, 0.0, layer * LAYER]))
        middle = np.array(self.frame.origin)
        places: Floats = np.asarray(points, dtype=np.float64) / self.scale + middle
        return places

    def height_in_plan(self, height: float) -> float:
        """Return a height above zero, along up, as a height in `frame`. [Unit: m]."""
        return height - float(np.dot(self.frame.origin, self.frame.up))
