"""The plan frame: where u and v span the floor plan and h is height.

The world has any up direction and may lie far from the origin; every algorithm works in the plan
frame instead, where up is the third axis and the scene lies around the origin::

        h  (up)
        |   v
        |  /
        | /            u x v = h, so seen from above counter-clockwise is positive
        +------ u

For an up along an axis the change of frame only reorders and negates coordinates, which loses no
bit: y up gives (u, v, h) = (z, x, y), z up gives (x, y, z).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from walkmesh.arrays import as_floats
from walkmesh.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Up = Literal["x", "y", "z"] | tuple[float, float, float]

AXES: dict[str, tuple[float, float, float]] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
}


def up_vector(up: str | Sequence[float]) -> tuple[float, float, float]:
    """Return the unit vector that `up` names: ``"x"``, ``"y"``, ``"z"`` or three numbers.

    Examples
    --------
    >>> up_vector("z")
    (0.0, 0.0, 1.0)
    >>> up_vector((0, 0, -2))
    (0.0, 0.0, -1.0)
    """
    if isinstance(up, str):
        if up not in AXES:
            raise SettingsError(f"up is {up!r}; it must be 'x', 'y', 'z' or three numbers")
        return AXES[up]
    try:
        direction = as_floats(up).copy()
    except (TypeError, ValueError, OverflowError):
        direction = np.empty(0)
    largest = np.abs(direction).max(initial=0.0)
    if direction.shape != (3,) or not np.isfinite(largest) or largest == 0.0:
        raise SettingsError(
            f"up is {up!r}; it must be 'x', 'y', 'z' or three finite numbers, not 0"
        )
    direction /= largest
    direction /= np.sqrt(direction @ direction)
    x, y, z = (float(c) + 0.0 for c in direction)
    return x, y, z


def read_up(text: str) -> tuple[float, float, float]:
    """Return the unit vector of an up direction as one types it: an axis, or three numbers.

    Examples
    --------
    >>> read_up("z"), read_up("0,3,4")
    ((0.0, 0.0, 1.0), (0.0, 0.6, 0.8))
    """
    if "," not in text:
        return up_vector(text)
    try:
        return up_vector(tuple(float(part) for part in text.split(",")))
    except ValueError:
        raise SettingsError(f"up is {text!r}; it must be x, y, z or like 0,0,1") from None


def up_name(up: tuple[float, float, float]) -> str:
    """Return an up direction as one types it: an axis, or three numbers.

    Examples
    --------
    >>> up_name((0.0, 0.0, 1.0)), up_name((0.0, 0.6, 0.8))
    ('z', '0,0.6,0.8')
    """
    for name, axis in AXES.items():
        if tuple(up) == axis:
            return name
    return ",".join(f"{c:.12g}" for c in up)


@dataclass(frozen=True)
class Frame:
    """A plan frame: an up direction and the world point that becomes its origin.

    Parameters
    ----------
    up : tuple of 3 float
        Unit vector, as :func:`up_vector` returns it.
    origin : tuple of 3 float, default (0, 0, 0)
        World coordinates of the frame's origin. [Unit: m]
    """

    up: tuple[float, float, float]
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @cached_property
    def axes(self) -> NDArray[np.float64]:
        """(3, 3) float64: the unit vectors u, v and h as rows, in world coordinates."""
        up = np.array(self.up)
        # The axis that follows the largest component, cyclically, is never parallel to up; for an
        # up along an axis, u and v are the next two axes in order, and exact.
        largest = int(np.argmax(np.abs(up)))
        following = np.zeros(3)
        following[(largest + 1) % 3] = 1.0
        u = following - up * (following @ up)
        u /= np.sqrt(u @ u)
        v = np.cross(up, u)
        return np.array([u, v, up]) + 0.0

    @cached_property
    def _permutation(self) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
        """Which world coordinate, with which sign, each plan axis is; None if up is oblique."""
        axes = self.axes
        if np.count_nonzero(axes) != 3:
            return None
        order = np.abs(axes).argmax(axis=1)
        return order, axes[np.arange(3), order]

    def to_plan(self, points: ArrayLike) -> NDArray[np.float64]:
        """Return (n, 3) world points as (u, v, h) in metres from the frame's origin."""
        positions = np.asarray(points, dtype=np.float64)
        if self._permutation is None:
            return np.ascontiguousarray((positions - np.array(self.origin)) @ self.axes.T)
        plan = np.empty(positions.shape)
        for axis, (coordinate, sign) in enumerate(zip(*self._permutation, strict=True)):
            plan[..., axis] = (positions[..., coordinate] - self.origin[coordinate]) * sign
        return plan

    def to_world(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 3) plan points (u, v, h) in world coordinates."""
        if self._permutation is None:
            turned = points @ self.axes
        else:
            order, signs = self._permutation
            turned = np.empty_like(points)
            turned[..., order] = points * signs
        return np.ascontiguousarray(turned + np.array(self.origin))
