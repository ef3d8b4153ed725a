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
    """Read rows of numbers; SceneError names the line where something is no number.

    There are at most `limit` of them, which may be as absurd as a file's header makes it: memory is
    taken for the rows that exist. With a `keyword`, in lower case, these are the rows that start
    with it; their numbers follow it.
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

    Each must end before its row does, at `stops`; errors call the row by `name`. Returned are the
    (r,) numbers of items, and all items end to end.
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

    Of each token, `long_tokens` has the index into `values`, the start and the end.
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
