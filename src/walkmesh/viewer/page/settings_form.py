"""Inputs for settings, made from what the settings say about themselves."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from viser import GuiApi

    from walkmesh.settings import ChoiceField, NumberField, PointField

Settings = TypeVar("Settings")

Input = Any
"""An input of viser. Its `value` can be read and set, though its types deny the latter."""

# What can be typed behind the point.
_DIGITS = 6


class SettingsForm(Generic[Settings]):
    """An input for every field of some settings, in their order, in the container that is open."""

    def __init__(self, gui: GuiApi, settings: Settings) -> None:
        self._kind = type(settings)
        self._inputs: dict[str, Input] = {}
        # Those that are text on the page: a point in the settings, or a number or none.
        self._places: set[str] = set()
        self._optional: set[str] = set()
        for field in dataclasses.fields(settings):  # type: ignore[arg-type]
            value = getattr(settings, field.name)
            label = field.name.replace("_", " ")
            choices: ChoiceField | None = field.metadata.get("choices")
            place: PointField | None = field.metadata.get("place")
            if choices is not None:
                self._inputs[field.name] = gui.add_dropdown(
                    label, choices.words, initial_value=value, hint=f"{choices.help}."
                )
            elif place is not None:
                self._places.add(field.name)
                self._inputs[field.name] = gui.add_text(
                    f"{label} [{place.unit}]",
                    place_text(value),
                    hint=f"{place.help}: x, y, z; empty for none.",
                )
            elif field.metadata["limits"].derived:
                limits: NumberField = field.metadata["limits"]
                self._optional.add(field.name)
                self._inputs[field.name] = gui.add_text(
                    f"{label} [{limits.unit}]",
                    number_text(value),
                    hint=f"{limits.help}; empty for {limits.derived}.",
                )
            else:
                self._inputs[field.name] = _number(gui, label, value, field.metadata["limits"])

    def read(self) -> Settings:
        """Return the settings as they are on the page; SettingsError as when made in Python."""
        values = {name: handle.value for name, handle in self._inputs.items()}
        for name in self._places:
            values[name] = read_place(values[name])
        for name in self._optional:
            values[name] = read_number(values[name])
        return self._kind(**values)

    def write(self, settings: Settings) -> None:
        """Show other settings of the same class."""
        for name, handle in self._inputs.items():
            value = getattr(settings, name)
            if name in self._places:
                value = place_text(value)
            elif name in self._optional:
                value = number_text(value)
            handle.value = value


def place_text(place: tuple[float, float, float] | None) -> str:
    """Return a point as it is typed on the page, to the last digit.

    Examples
    --------
    >>> place_text((1.0, -0.1, 2e-9)), place_text(None)
    ('1, -0.1, 2e-09', '')
    """
    return ", ".join(map(number_text, place or ()))


def read_place(text: str) -> tuple[float, ...] | str | None:
    """Return the numbers of a text, None for an empty one.

    A text of anything else is returned as it is, for the settings to say what is wrong with it.

    Examples
    --------
    >>> read_place("1, -0.1, 2e-09"), read_place(" "), read_place("here")
    ((1.0, -0.1, 2e-09), None, 'here')
    """
    place = [read_number(part) for part in text.split(",")] if text.strip() else None
    if place is None:
        return None
    numbers = tuple(number for number in place if isinstance(number, float))
    return numbers if len(numbers) == len(place) == 3 else text


def number_text(number: float | None) -> str:
    """Return a number as it is typed on the page, to the last digit.

    Examples
    --------
    >>> number_text(0.25), number_text(3.0), number_text(None)
    ('0.25', '3', '')
    """
    return "" if number is None else repr(number).removesuffix(".0")


def read_number(text: str) -> float | str | None:
    """Return the number of a text, None for an empty one.

    A text of anything else is returned as it is, for the settings to say what is wrong with it.

    Examples
    --------
    >>> read_number("0.25"), read_number(" "), read_number("much")
    (0.25, None, 'much')
    """
    if not text.strip():
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _number(gui: GuiApi, label: str, value: float, limits: NumberField) -> Input:
    handle = gui.add_number(
        f"{label} [{limits.unit}]",
        value,
        # Text boxes only keep one from typing what is far off; what exactly may be is said by the
        # settings themselves.
        min=limits.minimum,
        max=None if math.isinf(limits.maximum) else limits.maximum,
        step=1 if limits.whole else step_of(value),
        hint=f"{limits.help}: {limits}.",
    )
    handle.precision = 0 if limits.whole else _DIGITS
    return handle


def step_of(value: float) -> float:
    """Return by how much the arrows beside a number change it: about a tenth, rounded.

    Examples
    --------
    >>> [step_of(value) for value in (45.0, 1.8, 0.3, 0.025, 0.0)]
    [1.0, 0.1, 0.01, 0.001, 0.01]
    """
    if value == 0.0:
        return 0.01
    return float(f"1e{min(math.floor(math.log10(abs(value))) - 1, 0)}")
