"""What callers hand to queries, checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import as_points
from walkmesh.errors import SettingsError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats


def query_points(name: str, values: ArrayLike) -> Floats:
    """Return (n, 3) float64 points that are finite."""
    points = as_points(name, values, SettingsError)
    if not np.isfinite(points).all():
        raise SettingsError(f"{name} has a coordinate that is not finite")
    return points


def query_point(name: str, value: ArrayLike) -> Floats:
    """Return one finite point as (1, 3) float64, in little more than a microsecond."""
    try:
        point = np.array([value], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        point = np.empty(0)
    if point.shape != (1, 3) or not math.isfinite(point[0, 0] + point[0, 1] + point[0, 2]):
        raise SettingsError(f"{name} is {value!r}; it must be three finite numbers")
    return point


def snap_distance(value: float) -> float:
    """Return a distance that may be infinite."""
    try:
        distance = float(value)
    except (TypeError, ValueError):
        distance = math.nan
    if not distance >= 0.0:
        raise SettingsError(f"max_snap is {value!r}; it must be a number at least 0 m")
    return distance


def worker_count(value: int | None) -> int | None:
    """Return a number of threads; None for as many as there are cores."""
    if value is not None and (not isinstance(value, int | np.integer) or value < 1):
        raise SettingsError(f"workers is {value!r}; it must be a whole number at least 1")
    return value
