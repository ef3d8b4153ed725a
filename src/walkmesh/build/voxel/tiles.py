"""Work tile by tile over threads, with few tiles in memory at a time."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from walkmesh.errors import BuildError, Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Ids
    from walkmesh.build.exact.slope import Faces
    from walkmesh.build.voxel.heightfield import Lattice

Result = TypeVar("Result")

# Tiles begun beyond those that threads are at, so that none of them waits.
_AHEAD = 2


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
    keys, starts, items = _bin(faces, lattice)
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


def _bin(faces: Faces, lattice: Lattice) -> tuple[NDArray[np.int64], NDArray[np.int64], Ids]:
    """Return the tiles whose windows boxes of triangles reach into, and those in their own order.

    Nothing is as long as there are tiles: one triangle far away makes billions of them.
    """
    rows, cols = lattice.shape
    boxes = faces.points[:, :2][faces.triangles]
    low = np.floor(boxes.min(axis=1) / lattice.cell).astype(np.int64) - lattice.low
    high = np.floor(boxes.max(axis=1) / lattice.cell).astype(np.int64) - lattice.low
    first = np.maximum((low - lattice.margin) // lattice.tile, 0)
    last = np.minimum((high + lattice.margin) // lattice.tile, (rows - 1, cols - 1))
    sizes = last - first + 1
    counts = sizes[:, 0] * sizes[:, 1]
    items = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    place = np.arange(len(items)) - np.repeat(np.cumsum(counts) - counts, counts)
    row, col = np.divmod(place, sizes[items, 1])
    tiles = (first[items, 0] + row) * cols + first[items, 1] + col
    order = np.argsort(tiles, kind="stable")
    keys, starts = np.unique(tiles[order], return_index=True)
    return keys, np.append(starts, len(order)), items[order]
