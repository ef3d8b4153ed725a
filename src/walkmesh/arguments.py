"""What callers hand over, checked at the door: numbers, counts and flags.

Each function returns a plain Python value, so that no numpy scalar with a small range, no array and
no text gets any farther; or it raises an error that names the argument, its value and what would be
right.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from walkmesh.errors import SettingsError
from walkmesh.settings import NumberField, as_number

# The largest coordinate: farther out, floats are more than a tenth of a micrometre apart. [m]
FARTHEST = 1e9
# The largest coordinate of a navmesh, whatever it is good for: products of several are finite. [m]
LARGEST = 1e60
# More of anything would not fit into memory.
MOST = 10_000_000


def read_number(name: str, value: Any, *, unit: str = "", **limits: Any) -> float:
    """Return a number within the limits of a :class:`~walkmesh.settings.NumberField`."""
    return NumberField("", unit, **limits).read(name, value)


def read_length(name: str, value: Any, **limits: Any) -> float:
    """Return a length above 0 m and at most `FARTHEST`, or within other limits."""
    return read_number(
        name, value, unit="m", **{"maximum": FARTHEST, "above_minimum": True, **limits}
    )


def read_lengths(**values: Any) -> tuple[float, ...]:
    """Return several such lengths, given by their names."""
    return tuple(read_length(name, value) for name, value in values.items())


def read_angle(name: str, value: Any, maximum: float, *, below_maximum: bool = True) -> float:
    """Return an angle above 0 and below (or at most) `maximum` degrees."""
    return read_number(
        name,
        value,
        unit="degrees",
        maximum=maximum,
        above_minimum=True,
        below_maximum=below_maximum,
    )


def read_numbers(name: str, values: Any) -> list[Any]:
    """Return several values as a list; each is checked by itself."""
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str | bytes):
        raise SettingsError(f"{name} is {values!r}; it must be a sequence of numbers")
    return list(np.atleast_1d(values)) if isinstance(values, np.ndarray) else list(values)


def read_distance(name: str, value: Any) -> float:
    """Return a distance of at least 0 m, which may be infinite."""
    distance = as_number(value)
    if not distance >= 0.0:
        raise SettingsError(f"{name} is {value!r}; it must be a number at least 0 m")
    return distance


def read_count(name: str, value: Any, minimum: int, maximum: int | None = MOST) -> int:
    """Return a whole number within its limits; there is no maximum if it is None."""
    if not is_whole(value) or value < minimum or (maximum is not None and value > maximum):
        limits = f"at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        raise SettingsError(f"{name} is {value!r}; it must be a whole number {limits}")
    return int(value)


def read_seed(value: Any) -> int:
    """Return the seed of a random number generator."""
    return read_count("seed", value, 0, sys.maxsize)


def read_flag(name: str, value: Any) -> bool:
    """Return True or False, which 1 and 0 stand for as well."""
    if value is True or value is False:  # as nearly always, and find_path takes microseconds
        return value
    if not isinstance(value, np.bool_) and not (is_whole(value) and value in (0, 1)):
        raise SettingsError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def check_kind(name: str, value: Any, *kinds: type) -> None:
    """Refuse a value that is an instance of none of some classes of walkmesh."""
    if not isinstance(value, kinds):
        words = " or a walkmesh.".join(kind.__name__ for kind in kinds)
        raise SettingsError(f"{name} is {value!r}; it must be a walkmesh.{words}")


def is_whole(value: Any) -> bool:
    """Tell whether a value is an integer, and no boolean."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
