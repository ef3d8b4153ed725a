"""What is said on standard error while kernels are made ready."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_said: set[str] = set()
_shown: list[Callable[[int, int], None]] = []  # who shows progress instead, the last one first


def say(line: str) -> None:
    """Print a line on standard error, once."""
    if line not in _said and sys.stderr is not None:
        _said.add(line)
        with suppress(OSError, ValueError):  # a full disk behind it, or it was closed
            print(f"walkmesh: {line}", file=sys.stderr, flush=True)


def say_progress(ready: int, count: int) -> None:
    """Tell how many kernels are compiled: on a terminal in a line that is rewritten in place."""
    line = "compiling kernels, once for this machine"
    for show in _shown[-1:]:
        show(ready, count)
        return
    with suppress(OSError, ValueError):
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"\rwalkmesh: {line}: {ready} of {count}" + "\n" * (ready == count))
            sys.stderr.flush()
            return
    say(line)


@contextmanager
def progress_shown_by(show: Callable[[int, int], None]) -> Iterator[None]:
    """Have progress shown by a callable, which takes the numbers of kernels, for a while."""
    _shown.append(show)
    try:
        yield
    finally:
        _shown.remove(show)
