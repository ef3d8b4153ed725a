"""Settings: frozen dataclasses whose fields know their unit, limits and meaning.

Every setting is declared once, with :func:`setting`; the check of its value, the command-line flag
and the help text all come from that declaration.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from walkmesh.errors import SettingsError


def as_number(value: Any) -> float:
    """Return a single real number as a float; NaN for anything else.

    Text, booleans, complex and masked numbers and arrays of one number are refused, though
    ``float`` takes some of them.
    """
    if value is np.ma.masked or isinstance(
        value, bool | np.bool_ | str | bytes | np.complexfloating
    ):
        return math.nan
    if isinstance(value, np.ndarray) and (value.ndim > 0 or value.dtype.kind not in "iuf"):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


@dataclasses.dataclass(frozen=True)
class NumberField:
    """What values a setting may take; kept in the field's metadata.

    Attributes
    ----------
    help : str
        One sentence for people, without the final full stop.
    unit : str
        The unit of the value, such as ``"m"`` or ``"degrees"``.
    minimum, maximum : float
        The limits; the minimum belongs to the range unless `above_minimum` is set, the maximum
        unless `below_maximum` is set.
    above_minimum, below_maximum : bool
        Whether the limit itself is left out.
    whole : bool
        Whether it is a whole number; it is stored as an ``int`` then.
    derived : str
        What the value is taken from when it is None, such as ``"the agent's radius"``; empty if it
        must be given.
    """

    help: str
    unit: str
    minimum: float = 0.0
    maximum: float = math.inf
    above_minimum: bool = False
    below_maximum: bool = False
    whole: bool = False
    derived: str = ""

    def admits(self, value: float) -> bool:
        """Tell whether `value` is finite and within the limits."""
        if not math.isfinite(value) or (self.whole and value != math.floor(value)):
            return False
        if value < self.minimum or (self.above_minimum and value == self.minimum):
            return False
        return value < self.maximum or (not self.below_maximum and value == self.maximum)

    def read(self, name: str, value: Any) -> float:
        """Return a value as a number within the limits; SettingsError names it if it is none."""
        number = as_number(value)
        if not self.admits(number):
            raise SettingsError(f"{name} is {value!r}; it must be {self}")
        return number

    def __str__(self) -> str:
        low = f"{'above' if self.above_minimum else 'at least'} {self.minimum:g}"
        number = "whole number" if self.whole else "number"
        none = ", or None" if self.derived else ""
        if math.isinf(self.maximum):
            finite = "" if self.whole else "finite "
            return f"a {finite}{number} {low} {self.unit}".rstrip() + none
        high = f"{'below' if self.below_maximum else 'at most'} {self.maximum:g}"
        return f"a {number} {low} and {high} {self.unit}{none}"


@dataclasses.dataclass(frozen=True)
class ChoiceField:
    """What words a setting may take; kept in the field's metadata.

    Attributes
    ----------
    help : str
        One sentence for people, without the final full stop.
    words : tuple of str
        The words.
    """

    help: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(word) for word in self.words)


@dataclasses.dataclass(frozen=True)
class PointField:
    """A setting that is a point in world coordinates, or nothing; kept in the field's metadata.

    Attributes
    ----------
    help : str
        One sentence for people, without the final full stop.
    unit : str
        The unit of its coordinates.
    """

    help: str
    unit: str

    def read(self, value: Any) -> tuple[float, float, float] | None:
        """Return a value as three floats, or None for nothing; ValueError for anything else."""
        if value is None:
            return None
        try:
            x, y, z = map(as_number, value)
        except TypeError:
            raise ValueError(value) from None
        if not all(map(math.isfinite, (x, y, z))):
            raise ValueError(value)
        return x, y, z

    def __str__(self) -> str:
        return f"three finite numbers in {self.unit}, or None"


def setting(default: float | None, help: str, unit: str, **limits: Any) -> Any:  # noqa: A002
    """Declare one setting of a frozen dataclass; `limits` are those of :class:`NumberField`."""
    return dataclasses.field(
        default=default, metadata={"limits": NumberField(help, unit, **limits)}
    )


def choice(default: str, help: str, *words: str) -> Any:  # noqa: A002
    """Declare one setting of a frozen dataclass that is one of some words."""
    choices = ChoiceField(help, (default, *words))
    return dataclasses.field(default=default, metadata={"choices": choices})


def place(help: str, unit: str) -> Any:  # noqa: A002
    """Declare one setting of a frozen dataclass that is a point, by default none."""
    return dataclasses.field(default=None, metadata={"place": PointField(help, unit)})


def check(settings: Any) -> None:
    """Hold every field of a settings object against its limits; to be called on creation.

    Numbers are stored as ``float``, or ``int`` if they are whole, so that equal settings compare
    and print alike.
    """
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        name = f"{type(settings).__name__}.{field.name}"
        choices: ChoiceField | None = field.metadata.get("choices")
        if choices is not None:
            if not isinstance(value, str) or value not in choices.words:
                raise SettingsError(f"{name} is {value!r}; it must be {choices}")
            continue
        point: PointField | None = field.metadata.get("place")
        if point is not None:
            try:
                object.__setattr__(settings, field.name, point.read(value))
            except ValueError:
                raise SettingsError(f"{name} is {value!r}; it must be {point}") from None
            continue
        limits: NumberField = field.metadata["limits"]
        if value is None and limits.derived:
            continue
        number = limits.read(name, value)
        object.__setattr__(settings, field.name, int(number) if limits.whole else number)
