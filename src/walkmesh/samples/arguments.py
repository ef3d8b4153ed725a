"""Checks of what sample scenes are asked for."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from walkmesh.errors import SettingsError
from walkmesh.settings import Limits

# More of anything would not fit into memory.
MOST = 10_000_000


def check_number(name: str, value: float, *, unit: str, **limits: Any) -> None:
    """Refuse a value outside its limits, which are those of :class:`walkmesh.settings.Limits`.

    Raises
    ------
    SettingsError
        Naming the argument, its value and what would be right.
    """
    wanted = Limits("", unit, **limits)
    try:
        number = math.nan if isinstance(value, bool | str | np.ndarray) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not wanted.admits(number):
        raise SettingsError(f"{name} is {value!r}; it must be {wanted}")


def check_lengths(**lengths: float) -> None:
    """Refuse lengths that are not above 0 m."""
    for name, value in lengths.items():
        check_number(name, value, unit="m", above_minimum=True)


def check_angle(name: str, value: float, maximum: float, *, below_maximum: bool = True) -> None:
    """Refuse an angle that is not above 0 and below (or at most) `maximum` degrees."""
    check_number(
        name,
        value,
        unit="degrees",
        maximum=maximum,
        above_minimum=True,
        below_maximum=below_maximum,
    )


def numbers_of(name: str, values: Sequence[float]) -> Sequence[float]:
    """Return several numbers, and refuse what is not a sequence; each is checked by itself."""
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str | bytes):
        raise SettingsError(f"{name} is {values!r}; it must be a sequence of numbers")
    return values


def check_count(name: str, value: int, minimum: int, maximum: int = MOST) -> None:
    """Refuse what is no whole number, or one outside its limits."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < minimum:
        raise SettingsError(f"{name} is {value!r}; it must be a whole number from {minimum} up")
    if value > maximum:
        raise SettingsError(f"{name} is {value!r}; it must be at most {maximum}")


def check_seed(value: int) -> None:
    """Refuse what is not a seed."""
    check_count("seed", value, 0, sys.maxsize)
