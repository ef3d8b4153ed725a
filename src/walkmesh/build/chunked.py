"""Running a kernel that cuts things into pieces, in chunks and over threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.ground import Pieces
from walkmesh.build.kernels.clearance import TOO_MANY_CORNERS
from walkmesh.chunks import in_chunks
from walkmesh.errors import BuildError
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Floats, Ids, Longs

    PieceArrays = tuple[Ids, Floats, Ids, Longs]


def cut_in_chunks(
    count: int,
    cut: Callable[[int, int, PieceArrays], int],
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Pieces:
    """Cut things 0 to `count` into pieces.

    Parameters
    ----------
    count : int
        How many things there are.
    cut : callable
        Called with (start, stop, (offsets, corners, sources, filled)); writes pieces into these
        arrays and returns where it stopped because they were full, or TOO_MANY_CORNERS.
    on_chunk : callable
        Called with the part done after each chunk.
    workers : int or None
        How many threads there are; None for as many as cores.
    """

    def run(start: int, stop: int) -> list[tuple[Ids, Floats, Ids]]:
        room = 2 * (stop - start) + 256
        parts = []
        while start < stop:
            offsets = np.zeros(room + 1, dtype=np.int32)
            corners = np.empty((6 * room, 3), dtype=np.float64)
            sources = np.empty(room, dtype=np.int32)
            filled = np.zeros(2, dtype=np.int64)
            reached = cut(start, stop, (offsets, corners, sources, filled))
            if reached == TOO_MANY_CORNERS:
                raise BuildError("a piece of ground has more corners than can be cut at once")
            pieces, used = filled
            parts.append(
                (np.diff(offsets[: pieces + 1]), corners[:used].copy(), sources[:pieces].copy())
            )
            if reached == start:
                room *= 4
            start = reached
        return parts

    parts: list[tuple[Ids, Floats, Ids]] = []
    for reached, chunk in in_chunks(count, run, workers):
        parts += chunk
        on_chunk(reached / count)
    if not parts:
        empty = np.empty((0, 3), dtype=np.float64)
        return Pieces(offsets_of(np.empty(0, int)), empty, np.empty(0, dtype=np.int32))
    sizes, corners, sources = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Pieces(offsets_of(sizes), corners, sources)
