"""Arguments of edits, checked: a message names the argument, its value and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import is_whole
from walkmesh.arrays import as_floats
from walkmesh.errors import SettingsError

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.located import Located

CODES = "a whole number from 0 to 255"


def points_of(name: str, values: ArrayLike) -> Floats:
    """Return one point or several as (n, 3) float64, all finite."""
    try:
        points = as_floats(values).copy()
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(f"{name} is {values!r}; it must be points of 3 numbers") from None
    if points.size == 0:
        points = points.reshape(0, 3)
    if points.shape == (3,):
        points = points[None]
    if points.ndim != 2 or points.shape[1] != 3:
        raise SettingsError(f"{name} has shape {points.shape}; it must have shape (n, 3)")
    for i in np.flatnonzero(~np.isfinite(points).all(axis=1)):
        raise SettingsError(f"{name}[{i}] is {place(points[i])}; it must be finite")
    return points


def place(point: Floats) -> str:
    """Return a point as people write it."""
    return "(" + ", ".join(f"{c:g}" for c in point) + ")"


def area_code(name: str, value: Any) -> int:
    """Return a kind of ground as an int."""
    if not is_whole(value):
        raise SettingsError(f"{name} is {value!r}; it must be {CODES}")
    return int(codes_of(name, value, 1)[0])


def codes_of(name: str, values: Any, count: int) -> NDArray[np.uint8]:
    """Return `count` codes, of one that counts for all or of as many, as uint8."""
    codes = _broadcast(name, values, count, CODES)
    whole = codes.dtype.kind in "iu" and np.all((codes >= 0) & (codes <= 255))
    if len(codes) and not whole:
        raise SettingsError(f"{name} is {values!r}; it must be {CODES}")
    return codes.astype(np.uint8)


def flags_of(name: str, values: Any, count: int) -> NDArray[np.bool_]:
    """Return `count` booleans, of one that counts for all or of as many."""
    flags = _broadcast(name, values, count, "True or False")
    if len(flags) and flags.dtype.kind != "b":
        raise SettingsError(f"{name} is {values!r}; it must be True or False")
    return flags


def costs_of(name: str, values: Any, count: int) -> Floats:
    """Return `count` costs, of one that counts for all or of as many, as float64."""
    wanted = "a finite number at least 0 m"
    costs = _broadcast(name, values, count, wanted)
    if len(costs) and costs.dtype.kind not in "iuf":
        raise SettingsError(f"{name} is {values!r}; it must be {wanted}")
    wrong = ~(np.isfinite(costs) & (costs >= 0.0))
    for i in np.flatnonzero(wrong):
        which = name if np.ndim(values) == 0 else f"{name}[{i}]"
        raise SettingsError(f"{which} is {costs[i]:g}; it must be {wanted}")
    return costs.astype(np.float64)


def _broadcast(name: str, values: Any, count: int, wanted: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise SettingsError(f"{name} is {values!r}; it must be {wanted}") from None
    if array.shape not in ((), (count,)):
        raise SettingsError(f"{name} has shape {array.shape}; it must be {wanted}, or ({count},)")
    return np.broadcast_to(array, (count,)).copy()


def snapped(navmesh: NavMesh, name: str, points: Floats, max_snap: float) -> Located:
    """Find the nearest place on the navmesh for each of (n, 3) points; all must be near enough."""
    located = navmesh.nearest(points, max_snap=max_snap)
    for i in np.flatnonzero(located.polygons < 0):
        away = navmesh.nearest(points[i : i + 1]).distances[0]
        raise SettingsError(
            f"{name}[{i}] is {place(points[i])}, {away:g} m from the navmesh; it must be within "
            f"max_snap, {max_snap:g} m"
        )
    return located
