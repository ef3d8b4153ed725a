"""Grid maps and scenarios of the MovingAI benchmarks.

The formats are those of N. Sturtevant, Benchmarks for Grid-Based Pathfinding (2012).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.files import as_path, read_bytes
from walkmesh.io.drawing import Drawing
from walkmesh.io.occupancy import free_shapes
from walkmesh.io.scenes import checked_scale
from walkmesh.io.text import shown

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

# Ground, and swamp, which is entered from ground; trees, water and what is out of bounds block.
FREE, BLOCKED = b".GS", b"@OTW"

_FIELDS = 9  # of a scenario
_MOST_CELLS = 2**31


class Scenarios(NamedTuple):
    """Pairs of places on a map, and how far they are apart.

    Attributes
    ----------
    buckets : (n,) int64
        Scenarios of about the same length are in one bucket.
    starts, goals : (n, 2) float64
        The middles of cells, in the coordinates of the plan. [Unit: m]
    lengths : (n,) float64
        Of the shortest ways from cell middle to cell middle in steps to the eight neighbours,
        where a diagonal step needs both cells beside it. [Unit: m]
    """

    buckets: NDArray[np.int64]
    starts: Floats
    goals: Floats
    lengths: Floats


def read_map(data: bytes, scale: float) -> Drawing:
    r"""Read the free cells of a ``.map`` file.

    The cell in column c and row r of h, the first in the file being 0, covers x from c to c + 1
    and y from h - 1 - r to h - r.

    Examples
    --------
    >>> drawing = read_map(b"type octile\nheight 2\nwidth 3\nmap\n.@@\n...\n", 1.0)
    >>> drawing.shapes[0].geometry.area
    4.0
    """
    header, rows = _split_header(data)
    height, width = (_size(header, name) for name in (b"height", b"width"))
    if height * width > len(rows):
        raise SceneError(f"it claims {width} x {height} cells; it has {len(rows)} bytes of them")
    lines = rows.split(b"\n")
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) != height:
        raise SceneError(f"it has {len(lines)} rows; its height is {height}")
    for i, line in enumerate(lines):
        if len(line) != width:
            raise SceneError(f"row {i} has {len(line)} cells; the width is {width}")
    cells = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(height, width)
    free = np.isin(cells, [*FREE])
    known = free | np.isin(cells, [*BLOCKED])
    if not known.all():
        row, column = np.argwhere(~known)[0]
        character = chr(cells[row, column])
        raise SceneError(f"row {row}, column {column} is {character!r}; cells are one of .GS@OTW")
    return Drawing(free_shapes(free[::-1], scale))


def load_scenarios(path: str | PathLike[str], *, scale: float = 1.0) -> Scenarios:
    """Read the scenarios of a ``.scen`` file.

    Parameters
    ----------
    path : str or path
        The file.
    scale : float, default 1.0
        How many metres a cell of the map is, as given to :func:`load_plan`.

    Raises
    ------
    SceneError
        Naming the file, when it cannot be read.
    SettingsError
        When `scale` is impossible.
    """
    factor = checked_scale(scale)
    file = as_path(path, SceneError)
    try:
        data = read_bytes(file, (".scen",), SceneError)
        version, *lines = data.replace(b"\r", b"").split(b"\n")
        if version.split()[:1] != [b"version"]:
            raise SceneError("it does not start with the word version")
        rows = [_scenario(i, line) for i, line in enumerate(lines, start=2) if line.strip()]
    except SceneError as error:
        raise SceneError(f"{file}: {error}") from None
    table = np.array(rows, dtype=np.float64).reshape(-1, 7)
    heights, places = table[:, 1], table[:, 2:6].reshape(-1, 2, 2)
    middles = np.stack([places[..., 0] + 0.5, heights[:, None] - places[..., 1] - 0.5], axis=-1)
    return Scenarios(
        table[:, 0].astype(np.int64),
        middles[:, 0] * factor,
        middles[:, 1] * factor,
        table[:, 6] * factor,
    )


def _scenario(line_number: int, line: bytes) -> list[float]:
    """Return bucket, height of the map, start column and row, those of the goal, and length."""
    # From the end: the map's name may have blanks in it.
    words = line.split(b"\t") if b"\t" in line else line.split()
    if len(words) < _FIELDS:
        raise SceneError(
            f"line {line_number}: a scenario has {_FIELDS} fields; here are {len(words)}"
        )
    try:
        bucket, width, height, *places = (int(word) for word in (words[0], *words[-7:-1]))
        length = float(words[-1])
    except ValueError:
        raise SceneError(f"line {line_number}: a field is no number where it must be one") from None
    inside = all(0 <= x < width and 0 <= y < height for x, y in (places[:2], places[2:]))
    if not inside or max(width, height) > _MOST_CELLS or abs(bucket) > _MOST_CELLS:
        raise SceneError(f"line {line_number}: its cells are not within {width} x {height}")
    if not 0.0 <= length < np.inf:
        raise SceneError(f"line {line_number}: its length {length} is not 0 or more")
    return [bucket, height, *places, length]


def _split_header(data: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """Return what stands before the line ``map``, by its first word, and what stands after it."""
    text = data.replace(b"\r\n", b"\n")
    head, found, rows = text.partition(b"\nmap\n")
    words = [line.split() for line in head.split(b"\n")[:16]]
    header = {line[0].lower(): line[1] for line in words if len(line) == 2}
    if b"type" not in header:
        raise SceneError("not a MovingAI map: it does not start with 'type octile'")
    if header[b"type"] != b"octile":
        raise SceneError(f"its type is {shown(header[b'type'])}; octile is read")
    if not found:
        raise SceneError("it has no line 'map' before its rows")
    return header, rows


def _size(header: dict[bytes, bytes], name: bytes) -> int:
    value = header.get(name)
    if value is None:
        raise SceneError(f"it has no {name.decode()}")
    if not value.isdigit() or len(value) > 12 or int(value) == 0:
        raise SceneError(
            f"its {name.decode()} is {shown(value)}; it must be a whole number above 0"
        )
    return int(value)
