"""Work over threads, in chunks that depend on the input alone."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from walkmesh.arguments import read_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Result = TypeVar("Result")

# Enough chunks to keep all threads busy to the end, as far as they are worth their cost.
_MOST_CHUNKS = 64
_SMALLEST_CHUNK = 128


def in_chunks(
    count: int,
    work: Callable[[int, int], Result],
    workers: int | None = None,
    smallest: int = _SMALLEST_CHUNK,
    most: int = _MOST_CHUNKS,
) -> Iterator[tuple[int, Result]]:
    """Do things 0 to `count` in chunks of at least `smallest` things, over threads.

    How the chunks are cut never depends on the number of threads, by default as many as cores, and
    they come back in order: the same input gives the same results on every machine. Yields where
    each chunk stopped, and what `work` returned for its start and stop; kernels let other threads
    run.
    """
    if count == 0:
        return
    size = max(smallest, -(-count // most))
    starts = range(0, count, size)
    stops = [min(start + size, count) for start in starts]
    if len(stops) == 1 or workers == 1:  # without the cost of threads and chunks
        yield count, work(0, count)
        return
    with ThreadPoolExecutor(workers or os.cpu_count()) as threads:
        try:
            results = threads.map(work, starts, stops)
        except RuntimeError as error:  # "can't start new thread": there is no room for its stack
            raise MemoryError("no memory for another thread") from error
        yield from zip(stops, results, strict=True)


def worker_count(value: int | None) -> int | None:
    """Return a number of threads; None for as many as there are cores."""
    return None if value is None else read_count("workers", value, 1, None)
