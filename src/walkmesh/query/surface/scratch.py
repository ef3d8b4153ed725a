"""The memory that one thread searches a surface with, kept for the next search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.packed import make_room
from walkmesh.query.surface.kernels.search import (
    DONE,
    SCRATCH_FLOATS,
    SCRATCH_INTS,
    STATE_SIZE,
    THRIFT,
    TOLERANCE,
)
from walkmesh.query.surface.kernels.spread import spread_windows
from walkmesh.query.surface.kernels.trace import trace_windows

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.footing import Footing
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
        self._take_room(_NODES)
        self.best, self.arrivals = np.empty(0), np.empty(0, dtype=np.int32)

    def _take_room(self, count: int) -> None:
        mesh, waiting = self._mesh, count // 4
        triangles, roots = len(mesh.triangles), len(mesh.fans) + len(mesh.jumps)
        shapes = {
            "spans": (waiting, 6),
            "roots": (waiting, 5),
            "keys": (2 * waiting,),
            "nearest": (roots, 3),
            "splits": (3 * triangles, 3),
            "wanted": (triangles, 2),
            "state": (STATE_SIZE,),
            "holders": (waiting,),
            "kinds": (waiting, 4),
            "nodes": (count, 3),
            "items": (2 * waiting,),
        }
        self._nodes = count
        floats, ints, scratch_layout = make_room(shapes, SCRATCH_FLOATS, SCRATCH_INTS)
        layout = np.concatenate([mesh.layout, scratch_layout])
        self._arguments = (mesh.floats, mesh.ints, floats, ints, layout)
        # The last of the floats.
        self._state = floats[len(floats) - STATE_SIZE :]
        self._state[TOLERANCE] = mesh.tolerance

    def spread(self, start: Footing, goals: Footing, aim: int, scale: float) -> bool:
        """Search the ways from one place to others; tell whether there was enough memory.

        See :func:`walkmesh.query.surface.kernels.spread.spread_windows`.
        """
        found = max(len(goals.points), 1)
        self.best, self.arrivals = np.empty(found), np.empty(found, dtype=np.int32)
        while True:
            self._state[THRIFT] = scale
            ended = spread_windows(
                *self._arguments, start.points[0], int(start.cells[0]), goals.points, goals.cells,
                aim, self.best, self.arrivals,
            )  # fmt: skip
            if ended == DONE:
                return True
            if self._nodes >= _MOST_NODES:
                return False
            # It starts anew: with four times the room, all attempts together cost a third more.
            self._take_room(min(4 * self._nodes, _MOST_NODES))

    def trace(self, goals: Footing, k: int) -> tuple[Floats, Ids]:
        """Return the way to goal k of the last search, (n, 3), and what it leads through, (n,)."""
        room = _PLACES
        while True:
            line, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
            count = trace_windows(
                *self._arguments, int(self.arrivals[k]), goals.points[k], int(goals.cells[k]),
                line, ways,
            )  # fmt: skip
            if count <= room:
                return line[:count], ways[:count]
            room = count
