"""The data of SVG paths, as points.

Follows SVG 1.1, chapter 8.3; the centre of an arc is found as in its appendix F.6.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.curves import bezier_points, ellipse_points
from walkmesh.io.text import shown

if TYPE_CHECKING:
    from walkmesh.arrays import Floats

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMMAND = re.compile(r"[MmZzLlHhVvCcSsQqTtAa]")
_FLAG = re.compile(r"[01]")
_SEPARATORS = re.compile(r"[\s,]*")
_LARGEST = 1e30  # products of four numbers must be finite

# How many numbers a command takes, again and again.
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


class Affine(NamedTuple):
    """The map from (x, y) to (a x + c y + e, b x + d y + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def after(self, first: Affine) -> Affine:
        """Return the map that does `first`, and then this one."""
        a, b, c, d, e, f = self
        return Affine(
            a * first.a + c * first.b,
            b * first.a + d * first.b,
            a * first.c + c * first.d,
            b * first.c + d * first.d,
            a * first.e + c * first.f + e,
            b * first.e + d * first.f + f,
        )

    def points(self, xy: Floats) -> Floats:
        """Map (n, 2) points."""
        return self.vectors(xy) + (self.e, self.f)

    def vectors(self, xy: Floats) -> Floats:
        """Map (n, 2) vectors, which have no place."""
        mapped: Floats = np.asarray(xy, dtype=np.float64) @ [[self.a, self.b], [self.c, self.d]]
        return mapped


class Subpath(NamedTuple):
    """A line without a break: (n, 2) points in metres, and whether it was closed."""

    points: Floats
    closed: bool


def read_numbers(text: str) -> list[float]:
    """Return the numbers of a list with blanks or commas between them."""
    if _NUMBER.sub("", text).replace(",", " ").strip():
        raise SceneError(f"{shown(text)} is not a list of numbers")
    return [_checked(word) for word in _NUMBER.findall(text)]


def read_path(text: str, affine: Affine) -> list[Subpath]:
    """Return the subpaths of path data, curves as lines, mapped to metres by `affine`."""
    pen = _Pen(affine)
    found = list(_COMMAND.finditer(text))
    if text[: found[0].start() if found else len(text)].strip():
        raise SceneError(f"path data starts with {shown(text)}; it must start with M")
    ends = [*(place.start() for place in found[1:]), len(text)]
    for place, end in zip(found, ends, strict=False):  # no command at all draws nothing
        letter = place.group()
        command, count = letter.upper(), _COUNTS[letter.upper()]
        body = text[place.end() : end]
        numbers = _arc_numbers(body) if command == "A" else read_numbers(body)
        if command == "Z":
            if numbers:
                raise SceneError("path data has numbers after Z")
            pen.close()
            continue
        if not numbers or len(numbers) % count:
            raise SceneError(
                f"path data has {len(numbers)} numbers after {letter}, not {count} each"
            )
        for i in range(0, len(numbers), count):
            pen.draw(command, letter.islower(), numbers[i : i + count])
            if command == "M":  # further pairs are lines
                command = "L"
    pen.lift()
    return pen.subpaths


class _Pen:
    """Draws commands; places are complex numbers in the path's own coordinates."""

    def __init__(self, affine: Affine) -> None:
        self.subpaths: list[Subpath] = []
        self._affine = affine
        self._pieces: list[Floats] = []
        self._straight: list[complex] = []
        self._at = self._start = 0j
        self._control = 0j  # of the last curve, for the smooth one after it
        self._last = ""

    def draw(self, command: str, relative: bool, numbers: list[float]) -> None:
        """Draw one command with exactly the numbers that it takes."""
        base = self._at if relative else 0j
        if command == "A":
            end = base + complex(numbers[5], numbers[6])
            self._begin()
            self._arc(end, numbers)
        elif command == "H":
            end = complex(base.real + numbers[0], self._at.imag)
        elif command == "V":
            end = complex(self._at.real, base.imag + numbers[0])
        else:
            places = [
                base + complex(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            ]
            end = places[-1]
            if command in "CSQT":
                self._begin()
                self._curve(command, places)
        if command == "M":
            self.lift()
            self._start = end
        elif command in "HVL":
            self._begin()
            self._straight.append(end)
        self._at, self._last = end, command

    def close(self) -> None:
        """Close the subpath; the next one starts where it started."""
        self.lift(closed=True)
        self._at, self._last = self._start, "Z"

    def lift(self, *, closed: bool = False) -> None:
        """End the subpath, if there is one."""
        self._flush()
        if self._pieces:
            points = np.concatenate(self._pieces)
            self.subpaths.append(Subpath(points, closed or bool(np.all(points[0] == points[-1]))))
        self._pieces = []

    def _begin(self) -> None:
        """Make sure that the subpath has its first point."""
        if self._last == "":
            raise SceneError("path data must start with M")
        if not self._pieces and not self._straight:
            self._start = self._at
            self._straight.append(self._at)

    def _flush(self) -> None:
        if self._straight:
            self._pieces.append(self._affine.points(_columns(self._straight)))
        self._straight = []

    def _curve(self, command: str, places: list[complex]) -> None:
        if command in "ST":  # starts as the mirror image of the end of the last curve
            is_smooth = self._last in ("CS" if command == "S" else "QT")
            places = [2 * self._at - self._control if is_smooth else self._at, *places]
        self._control = places[-2]
        control = self._affine.points(_columns([self._at, *places]))
        self._flush()
        self._pieces.append(bezier_points(control)[1:])

    def _arc(self, end: complex, numbers: list[float]) -> None:
        rx, ry, turn = abs(numbers[0]), abs(numbers[1]), math.radians(numbers[2])
        half = (self._at - end) / 2.0
        if half == 0 or rx == 0.0 or ry == 0.0:
            if half != 0:
                self._straight.append(end)
            return
        axis = complex(math.cos(turn), math.sin(turn))
        # In the frame of the ellipse, as a circle of radius 1.
        local = half * axis.conjugate()
        x, y = local.real / rx, local.imag / ry
        square = x * x + y * y
        if square == 0.0:  # it is too large for its two ends to be apart
            self._straight.append(end)
            return
        if square > 1.0:  # it is too small to reach, and grows
            rx, ry = rx * math.sqrt(square), ry * math.sqrt(square)
            x, y, square = x / math.sqrt(square), y / math.sqrt(square), 1.0
        away = math.sqrt(max(1.0 / square - 1.0, 0.0)) * (1 if numbers[3] == numbers[4] else -1)
        cx, cy = -away * y, away * x
        centre = complex(cx * rx, cy * ry) * axis + (self._at + end) / 2.0
        start = math.atan2(y - cy, x - cx)
        sweep = (math.atan2(-y - cy, -x - cx) - start) % (2.0 * math.pi)
        if not numbers[4]:
            sweep -= 2.0 * math.pi
        first, second = self._affine.vectors(_columns([rx * axis, ry * axis * 1j]))
        middle = self._affine.points(_columns([centre]))[0]
        self._flush()
        points = ellipse_points(middle, first, second, start, sweep)[1:]
        points[-1] = self._affine.points(_columns([end]))[0]
        self._pieces.append(points)


def _arc_numbers(text: str) -> list[float]:
    """Return the numbers of arcs, whose two flags may stand without anything between them."""
    numbers: list[float] = []
    place = _SEPARATORS.match(text).end()  # type: ignore[union-attr]
    while place < len(text):
        kind = _FLAG if len(numbers) % 7 in (3, 4) else _NUMBER
        found = kind.match(text, place)
        if not found:
            raise SceneError(f"{shown(text[place:])} is not part of an arc")
        numbers.append(_checked(found.group()))
        place = _SEPARATORS.match(text, found.end()).end()  # type: ignore[union-attr]
    return numbers


def _checked(word: str) -> float:
    number = float(word)
    if not abs(number) < _LARGEST:
        raise SceneError(f"the number {shown(word)} is too large")
    return number


def _columns(places: list[complex]) -> Floats:
    return np.array(places, dtype=np.complex128).view(np.float64).reshape(-1, 2)
