"""What is said on standard error while kernels are made ready."""

from __future__ import annotations

import sys

_said: set[str] = set()


def say(line: str) -> None:
    """Print a line on standard error, once."""
    if line not in _said and sys.stderr is not None:
        _said.add(line)
        print(f"walkmesh: {line}", file=sys.stderr, flush=True)


def say_progress(ready: int, count: int) -> None:
    """Tell how many kernels are compiled: one line, rewritten in place on a terminal."""
    line = f"compiling kernels, once for this machine: {ready} of {count}"
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\rwalkmesh: {line}" + ("\n" if ready == count else ""))
        sys.stderr.flush()
    elif not any(said.startswith("compiling") for said in _said):
        say(line)
