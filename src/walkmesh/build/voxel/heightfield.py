"""The heightfield: what is solid in a tile, where one can stand, and how far that reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.voxel.kernels.distance import (
    LINE_FIELDS,
    MOST_LIMITS,
    PLACE_FIELDS,
    keep_distant,
    measure_distance,
)
from walkmesh.build.voxel.kernels.edges import KEY_OFFSET, MOST_LAYERS
from walkmesh.build.voxel.kernels.raster import SPAN_FIELDS, rasterize
from walkmesh.build.voxel.kernels.spans import (
    MIDDLE,
    OPEN_FIELDS,
    connect_spans,
    find_open_spans,
    part_helices,
)
from walkmesh.build.voxel.kernels.walls import LOOK_FIELDS, WAYS, find_looks, measure_walls
from walkmesh.build.voxel.window import Window
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids
    from walkmesh.build.faces import Faces

# Limits this far beyond the radius still tell where the corners of cells belong. [cells]
_BEYOND = 1.5
# A cell at exactly the radius stays, whatever rounding made of it. [m]
_ROUNDING = 1e-4


@dataclass(frozen=True)
class Lattice:
    """The columns of a scene and how they are cut into tiles.

    Attributes
    ----------
    cell, gap : float
        The side of a cell, and the height of a voxel. [Unit: m]
    tile : int
        The side of a tile. [Unit: cells]
    margin : int
        How many columns around a tile are needed to know all about it.
    low, high : tuple of 2 int
        The first row and column of the scene, and the last.
    """

    cell: float
    gap: float
    tile: int
    margin: int
    low: tuple[int, int]
    high: tuple[int, int]

    @classmethod
    def over(cls, faces: Faces, agent: Agent, cell: float, gap: float, tile: int) -> Lattice:
        """Return the lattice of a scene; 0 as `tile` makes one tile of it all."""
        used = faces.points[:, :2]
        low, high = (np.floor(np.array([f(x) for x in used.T]) / cell) for f in (np.min, np.max))
        if max(np.abs(low).max(), np.abs(high).max()) >= KEY_OFFSET - 4096:
            raise BuildError(
                f"the scene is {np.ptp(used, axis=0).max():g} m wide, too wide for cells "
                f"of {cell:g} m; {KEY_OFFSET:,} of them fit to either side of its middle"
            )
        extent = int(max(high - low)) + 1
        reach = _low_reach(agent, cell)
        margin = 3 + math.ceil(agent.radius / cell + _BEYOND) + reach
        return cls(
            cell,
            gap,
            tile or extent,
            margin,
            (int(low[0]), int(low[1])),
            (int(high[0]), int(high[1])),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """How many tiles there are along u and v."""
        rows, cols = (
            (high - low) // self.tile + 1 for low, high in zip(self.low, self.high, strict=True)
        )
        return rows, cols


def _low_reach(agent: Agent, cell: float) -> int:
    """Return how many cells of low things may follow each other."""
    return max(1, math.floor(agent.max_step / cell))


@dataclass(frozen=True)
class Columns:
    """The columns of one tile and of those around it.

    Attributes
    ----------
    window : Window
        Where spans are open and which of them are connected; nothing is kept yet.
    heads, spans, following : arrays
        What is solid, see :mod:`walkmesh.build.voxel.kernels.raster`.
    opened : (n, 5) float32
        The open spans, see :mod:`walkmesh.build.voxel.kernels.spans`.
    kinds : (n,) uint8
        WALKABLE or LOW_THING.
    """

    window: Window
    heads: Ids
    spans: NDArray[np.float32]
    following: Ids
    opened: NDArray[np.float32]
    kinds: NDArray[np.uint8]


@dataclass(frozen=True)
class Limits:
    """Where the ground of a window ends; see :mod:`walkmesh.build.voxel.kernels.distance`.

    Attributes
    ----------
    places, lines : (l, 4) int32 and (l, 3) float32
        The limits.
    nearest : (n,) int32
        The closest to each span.
    distance : (n,) float32
        How far it is. [Unit: cells]
    """

    places: Ids
    lines: NDArray[np.float32]
    nearest: Ids
    distance: NDArray[np.float32]


def open_columns(
    faces: Faces, chosen: Ids, agent: Agent, lattice: Lattice, tile: tuple[int, int]
) -> Columns:
    """Rasterise a tile and what is around it, and find where an agent can stand and step.

    Parameters
    ----------
    faces : Faces
        The scene.
    chosen : (k,) int32
        Its triangles that may reach into the window.
    tile : tuple of 2 int
        Which tile it is, along u and v.
    """
    starts = [low + at * lattice.tile for low, at in zip(lattice.low, tile, strict=True)]
    stops = [
        min(start + lattice.tile, high + 1)
        for start, high in zip(starts, lattice.high, strict=True)
    ]
    row0, col0 = starts[0] - lattice.margin, starts[1] - lattice.margin
    rows, cols = stops[0] - row0 + lattice.margin, stops[1] - col0 + lattice.margin
    heads, spans, following = _solid(faces, chosen, lattice, row0, col0, rows, cols)
    first = np.empty(rows * cols + 1, dtype=np.int32)
    opened = np.empty((len(spans), OPEN_FIELDS), dtype=np.float32)
    kinds = np.empty(len(spans), dtype=np.uint8)
    count = find_open_spans(
        heads, spans, following, agent.height, agent.max_step, first, opened, kinds
    )
    opened, kinds = opened[:count], kinds[:count]
    if np.diff(first).max(initial=0) >= MOST_LAYERS:
        raise BuildError(f"more than {MOST_LAYERS} floors lie above each other")
    neighbors = np.empty((count, 4), dtype=np.int32)
    reach = _low_reach(agent, lattice.cell)
    connect_spans(first, opened, rows, cols, agent.height, agent.max_step, reach, kinds, neighbors)
    part_helices(first, opened, neighbors)
    window = Window(
        row0=row0,
        col0=col0,
        rows=rows,
        cols=cols,
        core=(starts[0], stops[0], starts[1], stops[1]),
        first=first,
        heights=np.ascontiguousarray(opened[:, MIDDLE]),
        neighbors=neighbors,
        kept=np.zeros(count, dtype=np.uint8),
    )
    return Columns(window, heads, spans, following, opened, kinds)


def keep_clear(
    columns: Columns,
    faces: Faces,
    chosen: Ids,
    agent: Agent,
    lattice: Lattice,
    clearance: float,
    spread: float = 0.0,
) -> tuple[Window, Limits]:
    """Keep the spans whose cells are far enough from where the ground ends.

    Parameters
    ----------
    faces, chosen : Faces and (k,) int32
        What the columns were made from.
    clearance, spread : float
        How far that is, and up to which part of a cell from its middle it must hold, 0 to 0.5; at
        most a cell more than the agent's radius together. [Unit: m and cells]
    """
    window = columns.window
    looks, outlines = _walls(columns, faces, chosen, agent, lattice)
    places = np.empty((MOST_LIMITS * len(looks), PLACE_FIELDS), dtype=np.int32)
    lines = np.empty((len(places), LINE_FIELDS), dtype=np.float32)
    nearest = np.empty(len(window.kept), dtype=np.int32)
    distance = np.empty(len(window.kept), dtype=np.float32)
    found = measure_distance(
        window.first, columns.opened, window.neighbors, window.rows, window.cols, looks, outlines,
        agent.radius / lattice.cell + _BEYOND, places, lines, nearest, distance,
    )  # fmt: skip
    kept = np.empty(len(window.kept), dtype=np.uint8)
    keep_distant(
        window.first, columns.kinds, window.rows, window.cols, places, lines, nearest, distance,
        (clearance - _ROUNDING) / lattice.cell, spread, kept,
    )  # fmt: skip
    limits = Limits(places[:found], lines[:found], nearest, distance)
    return replace(window, kept=kept), limits


def _walls(
    columns: Columns, faces: Faces, chosen: Ids, agent: Agent, lattice: Lattice
) -> tuple[Ids, NDArray[np.float32]]:
    """Return the sides of ground that lead nowhere, and what stands there."""
    window = columns.window
    room = int(np.count_nonzero(window.neighbors < 0))
    looks = np.empty((room, LOOK_FIELDS), dtype=np.int32)
    ranges = np.empty((room, 2), dtype=np.float32)
    starts = np.empty(window.rows * window.cols + 1, dtype=np.int32)
    count = find_looks(
        window.first, columns.opened, columns.kinds, window.neighbors, window.rows, window.cols,
        agent.height, agent.max_step, looks, ranges, starts,
    )  # fmt: skip
    outlines = np.empty((count, WAYS), dtype=np.float32)
    measure_walls(
        faces.points, faces.triangles, chosen, window.row0, window.col0, window.rows, window.cols,
        lattice.cell, ranges, starts, outlines,
    )  # fmt: skip
    return looks[:count], outlines


def _solid(
    faces: Faces, chosen: Ids, lattice: Lattice, row0: int, col0: int, rows: int, cols: int
) -> tuple[Ids, NDArray[np.float32], Ids]:
    """Return the solid columns of a window: heads, spans and the span above each."""
    heads = np.full(rows * cols, -1, dtype=np.int32)
    room = 4 * rows * cols + 256
    spans = np.empty((room, SPAN_FIELDS), dtype=np.float32)
    following = np.empty(room, dtype=np.int32)
    counters = np.array([0, -1], dtype=np.int64)
    done = 0
    while True:
        done = rasterize(
            faces.points, faces.triangles, faces.roles, faces.planes, chosen, done, row0, col0,
            rows, cols, lattice.cell, lattice.gap, heads, spans, following, counters,
        )  # fmt: skip
        if done == len(chosen):
            used = int(counters[0])
            return heads, spans[:used], following[:used]
        more = len(spans) // 2 + rows * cols
        spans = np.concatenate([spans, np.empty((more, SPAN_FIELDS), dtype=np.float32)])
        following = np.concatenate([following, np.empty(more, dtype=np.int32)])
