"""The heightfield: what is solid in a tile, where one can stand, and how far that reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.voxel.kernels.distance import (
    LINE_FIELDS,
    MOST_LIMITS,
    PLACE_FIELDS,
    GroundLimits,
    keep_distant,
    measure_distance,
)
from walkmesh.builder.voxel.kernels.edges import KEY_OFFSET, MOST_LAYERS
from walkmesh.builder.voxel.kernels.raster import SPAN_FIELDS, USED, SolidColumns, rasterize
from walkmesh.builder.voxel.kernels.spans import MIDDLE, OPEN_FIELDS, connect_spans, find_open_spans
from walkmesh.builder.voxel.kernels.tolerances import BEYOND_RADIUS, LIMIT_ROUNDING
from walkmesh.builder.voxel.kernels.walls import LOOK_FIELDS, WAYS, find_looks, measure_walls
from walkmesh.builder.voxel.kernels.window import COLS, ROWS, Window
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Ids, Longs, Singles
    from walkmesh.builder.faces import Faces


@dataclass(frozen=True)
class Lattice:
    """The columns of a scene and how they are cut into tiles."""

    # The side of a cell, and the height of a voxel. [m]
    cell: float
    gap: float
    tile: int  # the side of a tile [cells]
    margin: int  # how many columns around a tile are needed to know all about it
    # The first row and column of the scene, and the last.
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
        margin = 3 + math.ceil(agent.radius / cell + BEYOND_RADIUS) + reach
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
    """The columns of one tile and of those around it."""

    window: Window  # where spans are open and which of them are connected; nothing is kept yet
    solid: SolidColumns  # what is solid
    opened: Singles  # (n, 5): the open spans, see :mod:`walkmesh.builder.voxel.kernels.spans`
    kinds: Bytes  # (n,): WALKABLE or LOW_THING


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
    core = (starts[0], stops[0], starts[1], stops[1])
    extent = np.array([row0, col0, rows, cols, *core], dtype=np.int64)
    solid = _solid(faces, chosen, lattice, extent)
    first = np.empty(rows * cols + 1, dtype=np.int32)
    opened = np.empty((len(solid.spans), OPEN_FIELDS), dtype=np.float32)
    kinds = np.empty(len(solid.spans), dtype=np.uint8)
    count = find_open_spans(solid, agent.height, agent.max_step, first, opened, kinds)
    opened, kinds = opened[:count], kinds[:count]
    if np.diff(first).max(initial=0) >= MOST_LAYERS:
        raise BuildError(f"more than {MOST_LAYERS} floors lie above each other")
    neighbors = np.empty((count, 4), dtype=np.int32)
    reach = _low_reach(agent, lattice.cell)
    connect_spans(first, opened, rows, cols, agent.height, agent.max_step, reach, kinds, neighbors)
    heights, kept = np.ascontiguousarray(opened[:, MIDDLE]), np.zeros(count, dtype=np.uint8)
    return Columns(Window(extent, first, heights, neighbors, kept), solid, opened, kinds)


def keep_clear(
    columns: Columns,
    faces: Faces,
    chosen: Ids,
    agent: Agent,
    lattice: Lattice,
    clearance: float,
    spread: float = 0.0,
) -> tuple[Window, GroundLimits]:
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
    room, count = MOST_LIMITS * len(looks), len(window.kept)
    limits = GroundLimits(
        np.empty((room, PLACE_FIELDS), dtype=np.int32),
        np.empty((room, LINE_FIELDS), dtype=np.float32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.float32),
    )
    farthest = agent.radius / lattice.cell + BEYOND_RADIUS
    found = measure_distance(window, columns.opened, looks, outlines, farthest, limits)
    kept = np.empty(count, dtype=np.uint8)
    least = (clearance - LIMIT_ROUNDING) / lattice.cell
    keep_distant(window, columns.kinds, limits, least, spread, kept)
    limits = limits._replace(places=limits.places[:found], lines=limits.lines[:found])
    return window._replace(kept=kept), limits


def _walls(
    columns: Columns, faces: Faces, chosen: Ids, agent: Agent, lattice: Lattice
) -> tuple[Ids, Singles]:
    """Return the sides of ground that lead nowhere, and what stands there."""
    window = columns.window
    room = int(np.count_nonzero(window.neighbors < 0))
    looks = np.empty((room, LOOK_FIELDS), dtype=np.int32)
    ranges = np.empty((room, 2), dtype=np.float32)
    starts = np.empty_like(window.first)
    count = find_looks(
        window, columns.opened, columns.kinds, agent.height, agent.max_step, looks, ranges, starts
    )
    outlines = np.empty((count, WAYS), dtype=np.float32)
    measure_walls(
        faces.points, faces.triangles, chosen, window.extent, lattice.cell, ranges, starts, outlines
    )
    return looks[:count], outlines


def _solid(faces: Faces, chosen: Ids, lattice: Lattice, extent: Longs) -> SolidColumns:
    """Return the solid columns of a window."""
    columns = int(extent[ROWS] * extent[COLS])
    room = 4 * columns + 256
    solid = SolidColumns(
        np.full(columns, -1, dtype=np.int32),
        np.empty((room, SPAN_FIELDS), dtype=np.float32),
        np.empty(room, dtype=np.int32),
        np.array([0, -1], dtype=np.int64),
    )
    done = 0
    while True:
        done = rasterize(
            faces.points, faces.triangles, faces.roles, faces.planes, chosen, done, extent,
            lattice.cell, lattice.gap, solid,
        )  # fmt: skip
        spans, following = solid.spans, solid.following
        if done == len(chosen):
            used = int(solid.counters[USED])
            return solid._replace(spans=spans[:used], following=following[:used])
        more = len(spans) // 2 + columns
        solid = solid._replace(
            spans=np.concatenate([spans, np.empty((more, SPAN_FIELDS), dtype=np.float32)]),
            following=np.concatenate([following, np.empty(more, dtype=np.int32)]),
        )
