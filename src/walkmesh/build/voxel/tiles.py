"""Work tile by tile over threads, with few tiles in memory at a time."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from walkmesh.build.voxel.kernels.binning import bin_triangles
from walkmesh.errors import BuildError, Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.arrays import Ids, Longs
    from walkmesh.build.faces import Faces
    from walkmesh.build.voxel.heightfield import Lattice

Result = TypeVar("Result")

# Tiles begun beyond those that threads are at, so that none of them waits.
_AHEAD = 2
# So many triangles in all tiles together, each counted in every tile it is in, are too many.
_MOST = 1 << 28


def over_tiles(
    faces: Faces,
    lattice: Lattice,
    work: Callable[[tuple[int, int], Ids], Result],
    workers: int | None = None,
) -> Iterator[tuple[float, Result]]:
    """Do something for every tile that has triangles, in order.

    Parameters
    ----------
    work : callable
        Called with the tile, along u and v, and the triangles that may reach into its window.
    workers : int, optional
        How many threads there are; by default as many as cores.

    Yields
    ------
    tuple of float and result
        The part of all tiles that is done, and what `work` returned.

    Raises
    ------
    BuildError
        Naming the tile that could not be done.
    """
    try:
        keys, starts, items = _bin(faces, lattice)
    except MemoryError:
        raise BuildError(
            f"sorting the triangles into tiles of {lattice.tile} x {lattice.tile} cells needs more "
            "memory than there is; larger tiles or larger cells need less"
        ) from None
    cols = lattice.shape[1]
    tiles = range(len(keys))

    def run(index: int) -> Result:
        tile = divmod(int(keys[index]), cols)
        try:
            return work(tile, items[starts[index] : starts[index + 1]])
        except Cancelled:
            raise
        except MemoryError:
            raise BuildError(
                f"tile {tile[0]}, {tile[1]} of {lattice.tile} x {lattice.tile} cells needs more "
                "memory than there is; smaller tiles or larger cells need less"
            ) from None
        except Exception as error:
            raise BuildError(f"tile {tile[0]}, {tile[1]} failed: {error}") from error

    workers = workers or os.cpu_count() or 1
    if workers == 1:
        for done, index in enumerate(tiles):
            yield (done + 1) / len(tiles), run(index)
        return
    threads = ThreadPoolExecutor(workers)
    try:
        begun = deque(threads.submit(run, index) for index in tiles[: workers + _AHEAD])
        for done in range(len(tiles)):
            result = begun.popleft().result()
            ahead = done + workers + _AHEAD
            if ahead < len(tiles):
                begun.append(threads.submit(run, tiles[ahead]))
            yield (done + 1) / len(tiles), result
    finally:
        threads.shutdown(cancel_futures=True)


def _bin(faces: Faces, lattice: Lattice) -> tuple[Longs, Ids, Ids]:
    """Return the tiles whose windows boxes of triangles reach into, and where their triangles are.

    Those come last, tile by tile, in their own order.
    """
    rows, cols = lattice.shape
    tiling = np.array([*lattice.low, rows, cols, lattice.tile, lattice.margin], dtype=np.int64)
    ranges = np.empty((len(faces.triangles), 4), dtype=np.int32)
    counts = np.zeros(2, dtype=np.int64)
    while True:
        total = int(counts[0])
        if total >= _MOST:
            raise BuildError(
                f"the triangles reach into {total:,} tiles of {lattice.tile} x {lattice.tile} "
                "cells; larger tiles or larger cells make fewer"
            )
        most = min(total, rows * cols)
        keys, starts = np.empty(most, dtype=np.int64), np.empty(most + 1, dtype=np.int32)
        items = np.empty(total, dtype=np.int32)
        if bin_triangles(
            faces.points, faces.triangles, lattice.cell, tiling, ranges, keys, starts, items, counts
        ):
            return keys[: counts[1]], starts[: counts[1] + 1], items
