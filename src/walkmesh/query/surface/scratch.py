"""The memory that one thread searches a surface with, kept for the next search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.spread import spread_windows
from walkmesh.query.surface.kernels.trace import trace_windows

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.located import Footing
    from walkmesh.query.surface.mesh import SurfaceMesh

# There is room for so many nodes of a search at first, and never for more than so many: with a
# quarter as many windows and roots, 0.4 GB.
_NODES = 1 << 12
_MOST_NODES = 1 << 23
# There is room for so many places of a way at first.
_PLACES = 1 << 8


class SurfaceScratch:
    """Scratch memory for one search after the other on one surface; it grows as needed.

    Attributes
    ----------
    best, arrivals : (g,) float64 and int32
        How far the goals of the last search are, infinite for those that were not reached; and the
        nodes that lead there.
    """

    def __init__(self, mesh: SurfaceMesh) -> None:
        self._mesh = mesh
        triangles, roots = len(mesh.triangles), len(mesh.fans) + len(mesh.jumps)
        self._marks = np.zeros((roots, 3)), np.zeros((3 * triangles, 3)), np.zeros((triangles, 2))
        self._state = np.zeros(col.STATE_SIZE)
        self._state[col.TOLERANCE] = mesh.tolerance
        self._take_room(_NODES)
        self.best, self.arrivals = np.empty(0), np.empty(0, dtype=np.int32)

    def _take_room(self, count: int) -> None:
        waiting = count // 4
        self._windows = np.empty((waiting, 6)), np.empty(waiting, dtype=np.int32)
        self._roots = np.empty((waiting, 5)), np.empty((waiting, 4), dtype=np.int32)
        self._nodes = np.empty((count, 3), dtype=np.int32)
        self._heap = np.empty(2 * waiting), np.empty(2 * waiting, dtype=np.int32)

    def spread(self, start: Footing, goals: Footing, aim: int, scale: float) -> bool:
        """Search the ways from one place to others; tell whether there was enough memory.

        See :func:`walkmesh.query.surface.kernels.spread.spread_windows`.
        """
        found = max(len(goals.points), 1)
        self.best, self.arrivals = np.empty(found), np.empty(found, dtype=np.int32)
        self._state[col.THRIFT] = scale
        mesh = self._mesh
        while True:
            ended = spread_windows(
                mesh.points, mesh.triangles, mesh.halves, mesh.shapes, mesh.fans, mesh.turns,
                mesh.jumps, mesh.targets, mesh.departures, start.points[0], int(start.cells[0]),
                goals.points, goals.cells, aim, *self._windows, *self._roots, self._nodes,
                *self._heap, *self._marks, self.best, self.arrivals, self._state,
            )  # fmt: skip
            if ended == col.DONE:
                return True
            if len(self._nodes) >= _MOST_NODES:
                return False
            # It starts anew: with four times the room, all attempts together cost a third more.
            self._take_room(min(4 * len(self._nodes), _MOST_NODES))

    def trace(self, goals: Footing, k: int) -> tuple[Floats, Ids]:
        """Return the way to goal k of the last search, (n, 3), and what it leads through, (n,)."""
        mesh, room = self._mesh, _PLACES
        while True:
            line, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
            count = trace_windows(
                mesh.floats, mesh.ints, mesh.layout, *self._roots, self._nodes,
                int(self.arrivals[k]), goals.points[k], int(goals.cells[k]), line, ways,
            )  # fmt: skip
            if count <= room:
                return line[:count], ways[:count]
            room = count
