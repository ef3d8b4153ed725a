"""The first stages, which are worked on tile by tile: each tile goes through all of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.build.voxel.cells import Shown
from walkmesh.build.voxel.heightfield import Lattice, keep_clear, open_columns
from walkmesh.build.voxel.kernels.spans import WALKABLE
from walkmesh.build.voxel.tiles import over_tiles
from walkmesh.build.voxel.watershed import label_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.faces import Faces
    from walkmesh.build.voxel.heightfield import Columns
    from walkmesh.build.voxel.kernels.distance import GroundLimits
    from walkmesh.build.voxel.kernels.window import Window
    from walkmesh.build.voxel.state import VoxelBuild


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
