"""Things that a page shows: surfaces, lines and dots, in page units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Color = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""


@dataclass(frozen=True, eq=False)
class ColoredTriangles:
    """Triangles of one colour.

    Attributes
    ----------
    points : (n, 3) float32
        [Unit: page units]
    faces : (m, 3) int
    color : Color
    opacity : float
        From 0 to 1.
    layer : int
        By how many layers of the page it is lifted above where it is, along up.
    one_sided : bool
        Whether it is seen from where it is counter-clockwise only, or from both sides.
    """

    points: NDArray[np.float32]
    faces: NDArray[np.integer]
    color: Color
    opacity: float = 1.0
    layer: int = 0
    one_sided: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to see."""
        return len(self.faces) == 0 or self.opacity == 0.0


@dataclass(frozen=True, eq=False)
class Lines:
    """Segments of one colour.

    Attributes
    ----------
    segments : (n, 2, 3) float32
        [Unit: page units]
    color : Color
    width : float
        [Unit: pixels]
    """

    segments: NDArray[np.float32]
    color: Color
    width: float = 1.5

    @property
    def empty(self) -> bool:
        """Whether there is nothing to see."""
        return len(self.segments) == 0


@dataclass(frozen=True, eq=False)
class Dots:
    """Points of one colour.

    Attributes
    ----------
    points : (n, 3) float32
        [Unit: page units]
    color : Color
    size : float
        [Unit: page units]
    """

    points: NDArray[np.float32]
    color: Color
    size: float

    @property
    def empty(self) -> bool:
        """Whether there is nothing to see."""
        return len(self.points) == 0


Thing = ColoredTriangles | Lines | Dots


def rgb(color: str) -> Color:
    """Return a colour that is written like ``#56B4E9``."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue


def cylinder(
    radius: float, height: float, sides: int = 32
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return points and faces of an upright cylinder that stands on the origin, with a lid."""
    angles = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate(
        [
            np.column_stack([ring, np.zeros(sides)]),
            np.column_stack([ring, np.full(sides, height)]),
            [(0.0, 0.0, height)],
        ]
    )
    here = np.arange(sides)
    following = (here + 1) % sides
    faces = np.concatenate(
        [
            np.column_stack([here, following, following + sides]),
            np.column_stack([here, following + sides, here + sides]),
            np.column_stack([here + sides, following + sides, np.full(sides, 2 * sides)]),
        ]
    )
    return points, faces.astype(np.int32)
