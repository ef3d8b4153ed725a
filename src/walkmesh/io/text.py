"""Text files: rows of numbers, each correctly rounded, and errors that name the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.kernels.text import NO_NUMBER, count_rows, scan_rows
from walkmesh.ragged import ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHOWN = 40  # characters of a value that an error shows


@dataclass(frozen=True, eq=False)
class Rows:
    """Consecutive rows of numbers.

    Attributes
    ----------
    values : (t,) float64
        All numbers.
    offsets : (r + 1,) int64
        Where each row's numbers start in `values`.
    end : int
        The place in the file after the last row.
    """

    values: NDArray[np.float64]
    offsets: NDArray[np.int64]
    end: int

    def __len__(self) -> int:
        return len(self.offsets) - 1


def read_rows(data: bytes, start: int = 0, limit: int | None = None, keyword: bytes = b"") -> Rows:
    """Read rows of numbers.

    Parameters
    ----------
    data : bytes
        The file.
    start : int
        Where to start.
    limit : int, optional
        How many rows to read at most; all by default. It may be as absurd as a file's header makes
        it: memory is taken for the rows that exist.
    keyword : bytes
        Read only rows that start with this word, in lower case; its numbers follow it.

    Raises
    ------
    SceneError
        Naming the line where something is no number.
    """
    codes = np.frombuffer(data, dtype=np.uint8)
    word = np.frombuffer(keyword, dtype=np.uint8)
    counts = np.zeros(3, dtype=np.int64)
    at_most = len(data) if limit is None else min(limit, len(data))
    count_rows(codes, start, at_most, word, counts)
    rows, tokens, end = (int(count) for count in counts)
    offsets = np.empty(rows + 1, dtype=np.int64)
    values = np.empty(tokens, dtype=np.float64)
    long_tokens = np.empty(3 * tokens, dtype=np.int64)
    if scan_rows(codes, start, word, offsets, values, long_tokens, counts) == NO_NUMBER:
        raise bad_line(data, int(counts[1]), "{token} is not a number")
    read_long_tokens(data, long_tokens[: 3 * counts[0]], values)
    return Rows(values, offsets, end)


def skip_rows(data: bytes, start: int, limit: int, keyword: bytes = b"") -> tuple[int, int]:
    """Return how many rows :func:`read_rows` would find, and the place after the last of them."""
    counts = np.zeros(3, dtype=np.int64)
    codes = np.frombuffer(data, dtype=np.uint8)
    word = np.frombuffer(keyword, dtype=np.uint8)
    count_rows(codes, start, min(limit, len(data)), word, counts)
    return int(counts[0]), int(counts[2])


def read_lists(
    values: NDArray[np.float64], starts: NDArray[np.int64], stops: NDArray[np.int64], name: str
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the lists that begin, each with the number of its items, at `starts` in `values`.

    Parameters
    ----------
    values : (t,) float64
        Numbers.
    starts, stops : (r,) int64
        Where each list starts, and where its row ends.
    name : str
        What a row is, for errors.

    Returns
    -------
    counts : (r,) int64
        The number of items of each list.
    items : (sum of counts,) float64
        All items, end to end.

    Raises
    ------
    SceneError
        When a list is longer than its row.
    """
    if np.any(starts >= stops):
        raise SceneError(f"{name} {int((starts >= stops).argmax())} has no list on its line")
    claimed = values[starts]
    fits = (claimed >= 0) & (claimed < stops - starts) & (claimed == np.floor(claimed))
    if not np.all(fits):
        row = int(fits.argmin())
        present = int(stops[row] - starts[row]) - 1
        raise SceneError(f"{name} {row} claims a list of {claimed[row]:g}; its line has {present}")
    counts = claimed.astype(np.int64)
    return counts, values[ranges(starts + 1, starts + 1 + counts)]


def read_long_tokens(
    data: bytes, long_tokens: NDArray[np.int64], values: NDArray[np.float64]
) -> None:
    """Set the `values` that a kernel found too long to read, as ``float`` reads them.

    Parameters
    ----------
    data : bytes
        The file.
    long_tokens : (3 k,) int64
        Index into `values`, start and end of each token.
    values : (t,) float64, changed
        The numbers.
    """
    table = long_tokens.reshape(-1, 3)
    # As fast as converting an array of byte strings: 0.3 s for a million.
    numbers = [float(data[start:end]) for _, start, end in table.tolist()]
    values[table[:, 0]] = numbers


def shown(value: object) -> str:
    """Return a value of a file as an error shows it, in one line whatever its size.

    Examples
    --------
    >>> shown(b"octile"), shown([1, 2]), shown("=" * 1000)
    ("'octile'", 'a list', "'========================================...'")
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple | set | frozenset):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "a huge number"  # Python refuses to write out those of thousands of digits
    if isinstance(value, bytes):
        value = value[: _SHOWN + 1].decode("ascii", "replace")
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN else f"{value[:_SHOWN]}...")
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def bad_line(data: bytes, place: int, problem: str) -> SceneError:
    """Return the error for the token at `place`; ``{token}`` in `problem` shows it."""
    # Files end their lines with LF or CR LF; the few that use CR alone have no LF at all.
    line_end = b"\n" if b"\n" in data else b"\r"
    line = data.count(line_end, 0, place) + 1
    words = data[place : place + _SHOWN].split(None, 1)
    token = words[0].decode("ascii", "replace") if words else ""
    return SceneError(f"line {line}: {problem.format(token=repr(token))}")
