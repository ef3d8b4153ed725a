"""The stages that are worked on tile by tile, over threads, with few tiles in memory at a time."""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.voxel.heightfield import Lattice, keep_clear, open_columns
from walkmesh.builder.voxel.kernels.binning import bin_triangles
from walkmesh.builder.voxel.kernels.spans import WALKABLE
from walkmesh.builder.voxel.kernels.window import Window  # noqa: TC001 - a NamedTuple's annotation
from walkmesh.builder.voxel.watershed import label_spans
from walkmesh.errors import BuildError, Cancelled
from walkmesh.ragged import owners_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Longs
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.voxel.heightfield import Columns
    from walkmesh.builder.voxel.kernels.distance import GroundLimits
    from walkmesh.builder.voxel.state import VoxelBuild
    from walkmesh.frame import Frame

Result = TypeVar("Result")

# Tiles begun beyond those that threads are at, so that none of them waits.
_AHEAD = 2
# So many triangles in all tiles together, each counted in every tile it is in, are too many.
_MOST = 1 << 28
# The corners of a cell, which is looked at as two triangles. [cells]
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


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


class Shown(NamedTuple):
    """The spans of a tile that are looked at."""

    window: Window
    chosen: Bools  # (n,): which of its spans are wanted; those of margins are not
    values: Floats  # (n,): what there is to show about each span; NaN for nothing


def cell_mesh(shown: Iterable[Shown], cell: float, frame: Frame) -> tuple[TriangleMesh, Floats]:
    """Return two triangles for every chosen span of all tiles, and the value of each triangle.

    Parameters
    ----------
    cell : float
        The side of a cell. [Unit: m]
    """
    points: list[Floats] = [np.empty((0, 3))]
    values: list[Floats] = [np.empty(0)]
    for window, chosen, spans in shown:
        row0, col0, _, cols, low_row, high_row, low_col, high_col = window.extent
        column = owners_of(window.first)
        row, col = column // cols + row0, column % cols + col0
        inside = (row >= low_row) & (row < high_row) & (col >= low_col) & (col < high_col)
        taken = np.flatnonzero(chosen & inside)
        places = np.stack([row[taken], col[taken]], axis=1)[:, None] + _CORNERS
        heights = np.repeat(window.heights[taken], 4).reshape(-1, 4, 1)
        points.append(np.concatenate([places * cell, heights], axis=2).reshape(-1, 3))
        values.append(np.repeat(spans[taken], 2))
    vertices = np.concatenate(points)
    squares = np.arange(len(vertices), dtype=np.int32).reshape(-1, 4)
    triangles: Ids = squares[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    mesh = TriangleMesh(vertices, np.ascontiguousarray(triangles), frame)
    return mesh, np.concatenate(values)


class TiledStages:
    """The stages that are worked on tile by tile, each tile going through all of them.

    Parameters
    ----------
    build : VoxelBuild
        Whose faces are known.
    clearance, spread : float
        How far ground keeps from where it ends, and up to which part of a cell from its middle
        a cell must do so. [Unit: m, cells]

    Attributes
    ----------
    lattice : Lattice
        The tiles.
    faces : Faces
        The faces of the scene.
    clearance : float
        As given. [Unit: m]
    spans : (3,) int64
        How many spans are solid, open, and clear of where the ground ends.
    """

    def __init__(self, build: VoxelBuild, clearance: float, spread: float) -> None:
        method = build.method
        self.faces: Faces = build.losses.faces
        self.lattice = Lattice.over(
            self.faces, build.agent, method.cell_size, method.cell_height, method.tile_voxels
        )
        self.clearance = clearance
        self.spans = np.zeros(3, dtype=np.int64)
        self._agent: Agent = build.agent
        self._spread = spread
        self._workers = build.workers
        self._seconds = np.zeros(3)
        self._wall = 0.0

    def run(
        self, part: Callable[[Window, GroundLimits], Any], on_part: Callable[[float], None]
    ) -> list[Any]:
        """Return what `part` makes of every tile's window and limits."""
        began = time.perf_counter()

        def work(tile: tuple[int, int], chosen: Ids) -> Any:
            times = [time.perf_counter()]
            columns = open_columns(self.faces, chosen, self._agent, self.lattice, tile)
            times.append(time.perf_counter())
            window, limits = self._keep_clear(columns, chosen)
            times.append(time.perf_counter())
            result = part(window, limits)
            times.append(time.perf_counter())
            sizes = (len(columns.solid.spans), len(window.kept), np.count_nonzero(window.kept))
            return result, np.diff(times), sizes

        results = []
        for done, (result, seconds, sizes) in over_tiles(
            self.faces, self.lattice, work, self._workers
        ):
            results.append(result)
            self._seconds += seconds
            self.spans += sizes
            on_part(done)
        self._wall = time.perf_counter() - began
        return results

    def seconds_of(self, stage: int) -> float:
        """Return the time that passed for a stage; threads share it in proportion."""
        total = self._seconds.sum()
        return float(self._wall * self._seconds[stage] / (total or 1.0))

    def opened(self) -> Iterator[Shown]:
        """Make all windows once more, to be looked at, with the spans to stand on."""

        def show(columns: Columns, _: Ids) -> Shown:
            values = np.full(len(columns.kinds), np.nan)
            return Shown(columns.window, columns.kinds == WALKABLE, values)

        return self._over_tiles(show)

    def kept(self) -> Iterator[Shown]:
        """Make all windows once more, with the spans that keep clear and their distances."""

        def show(columns: Columns, chosen: Ids) -> Shown:
            window, _ = self._keep_clear(columns, chosen)
            return Shown(window, window.kept == 1, label_spans(window).depth.astype(np.float64))

        return self._over_tiles(show)

    def labelled(self, label: Callable[[Window], tuple[Floats, int]]) -> Iterator[Shown]:
        """Make all windows once more, with the regions of their spans, tile after tile.

        Parameters
        ----------
        label : callable
            Returns the regions of a window's spans, and how many the tile has.
        """
        before = 0
        for window, chosen, _ in self.kept():
            labels, count = label(window)
            yield Shown(window, chosen, labels + before)
            before += count

    def _keep_clear(self, columns: Columns, chosen: Ids) -> tuple[Window, GroundLimits]:
        clearance = self.clearance, self._spread
        return keep_clear(columns, self.faces, chosen, self._agent, self.lattice, *clearance)

    def _over_tiles(self, show: Callable[[Columns, Ids], Shown]) -> Iterator[Shown]:
        def work(tile: tuple[int, int], chosen: Ids) -> Shown:
            columns = open_columns(self.faces, chosen, self._agent, self.lattice, tile)
            return show(columns, chosen)

        for _, result in over_tiles(self.faces, self.lattice, work, self._workers):
            yield result
