"""What threads share when they search at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from walkmesh.chunks import in_chunks
from walkmesh.query.path import Path, Paths

if TYPE_CHECKING:
    from collections.abc import Callable

Scratch = TypeVar("Scratch")


class Pool(Generic[Scratch]):
    """The scratch memory that searches are free to use, one search at a time.

    Another is made when none is free.
    """

    def __init__(self, make: Callable[[], Scratch]) -> None:
        self._make = make
        self._free: list[Scratch] = []
        self.put_back = self._free.append

    def take(self) -> Scratch:
        """Take one that is free, or make one; several threads may ask at once."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()


def find_each(
    count: int, find: Callable[[int], Path], workers: int | None, smallest: int = 1
) -> Paths:
    """Find `count` paths one by one over threads, as :func:`walkmesh.chunks.in_chunks` does."""

    def work(start: int, stop: int) -> list[Path]:
        return [find(i) for i in range(start, stop)]

    chunks = in_chunks(count, work, workers, smallest)
    return Paths.of([path for _, paths in chunks for path in paths])
