"""Ground: the ragged polygons that stages hand on, and cutting things into them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.clearance import TOO_MANY_CORNERS
from walkmesh.builder.kernels.ground import (
    choose_polygons,
    cross_corners,
    fit_around,
    place_corners,
    place_vertices,
)
from walkmesh.builder.kernels.stitch import number_fans
from walkmesh.builder.kernels.tolerances import LEVEL_CORNERS
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.chunks import in_chunks
from walkmesh.errors import BuildError
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.ragged import JoinedPolygons, RaggedPolygons, offsets_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Bools, Floats, Ids, Longs
    from walkmesh.frame import Frame

    PieceArrays = tuple[Ids, Floats, Ids, Longs]


@dataclass(frozen=True)
class Pieces(RaggedPolygons):
    """Convex polygons that share neither vertices nor edges."""

    # (c, 3): positions as (u, v, h) in the plan frame, counter-clockwise from above [m]
    corners: Floats
    sources: Ids  # (p,): what each piece was cut from


@dataclass(frozen=True)
class Ground(JoinedPolygons):
    """Polygons that share vertices and edges in plan, with a height for every corner.

    Neighbours run through an edge at different heights where there is a step between them.
    """

    vertices: Ids  # (c,): the vertex of each corner, counter-clockwise from above
    heights: Floats  # (c,): the height of each corner [m]
    mates: Ids  # (c,): the edge across each edge, named by its first corner; -1 at a boundary
    points: Floats  # (n, 2): positions of the vertices in plan [m]
    sources: Ids  # (p,): what each polygon was made from

    @cached_property
    def corners(self) -> Floats:
        """(c, 3) float64: the position of each corner."""
        corners = np.empty((len(self.vertices), 3), dtype=np.float64)
        place_corners(self.vertices, self.heights, self.points, corners)
        return corners

    def keep(self, chosen: Bools) -> Ground:
        """Return the chosen polygons alone; what touched the others is boundary now."""
        if chosen.all():
            return self
        offsets = np.empty(np.count_nonzero(chosen) + 1, dtype=np.int32)
        count = int(np.diff(self.offsets)[chosen].sum())
        places, heights = np.empty((count, 2)), np.empty(count)
        mates = np.empty(count, dtype=np.int32)
        choose_polygons(
            self.offsets, self.vertices, self.heights, self.mates, self.points,
            chosen.view(np.uint8), offsets, places, heights, mates,
        )  # fmt: skip
        return join(offsets, places, heights, mates, self.sources[chosen])


def join(offsets: Ids, places: Floats, heights: Floats, mates: Ids, sources: Ids) -> Ground:
    """Give vertices to polygons whose mates are known.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    places : (c, 2) float64
        The position of each corner in plan. [Unit: m]
    heights, mates, sources : arrays
        As in :class:`Ground`.
    """
    vertices = np.empty(len(mates), dtype=np.int32)
    count = number_fans(offsets, mates, vertices)
    points = np.empty((count, 2), dtype=np.float64)
    place_vertices(vertices, places, points)
    return Ground(offsets, vertices, heights, mates, points, sources)


def plan_areas(polygons: Ground | Pieces) -> Floats:
    """Return the area of each polygon in plan, (p,) float64. [Unit: m2]."""
    offsets, corners = polygons.offsets, polygons.corners
    cross = np.empty(len(corners), dtype=np.float64)
    cross_corners(offsets, corners, cross)
    return np.asarray(np.add.reduceat(cross, offsets[:-1]) / 2.0)


def triangulate(ground: Ground) -> Ids:
    """(t, 3) int32: triangles of all polygons, as corners of the ground."""
    corners = np.arange(len(ground.vertices), dtype=np.int32)
    triangles = np.empty((len(corners) - 2 * len(ground.sources), 3), dtype=np.int32)
    triangulate_convex(ground.corners, ground.offsets, corners, triangles)
    return triangles


def level_mesh(ground: Ground, frame: Frame) -> TriangleMesh:
    """Return the triangles of the ground, with vertices of their own on either side of a step."""
    ahead = ground.following
    across = np.maximum(ground.mates, 0)
    level = (
        (ground.mates >= 0)
        & (np.abs(ground.heights - ground.heights[ahead[across]]) <= LEVEL_CORNERS)
        & (np.abs(ground.heights[ahead] - ground.heights[across]) <= LEVEL_CORNERS)
    )
    mates = np.where(level, ground.mates, -1).astype(np.int32)
    vertices = np.empty(len(mates), dtype=np.int32)
    count = number_fans(ground.offsets, mates, vertices)
    points = np.empty((count, 3), dtype=np.float64)
    points[vertices[::-1]] = ground.corners[::-1]
    triangles = triangulate(ground)
    return TriangleMesh(points, np.ascontiguousarray(vertices[triangles]), frame)


def piece_mesh(pieces: Pieces, frame: Frame) -> TriangleMesh:
    """Return the triangles of pieces, which share no vertices."""
    corners = np.arange(len(pieces.corners), dtype=np.int32)
    triangles = np.empty((len(corners) - 2 * len(pieces.sources), 3), dtype=np.int32)
    triangulate_convex(pieces.corners, pieces.offsets, corners, triangles)
    return TriangleMesh(pieces.corners, triangles, frame)


def plan_boxes(polygons: Ground | Pieces) -> Floats:
    """(p, 6) float64: the box around each polygon, lowest (u, v, h) and highest."""
    boxes = np.empty((len(polygons.sources), 6))
    fit_around(polygons.offsets, polygons.corners, boxes)
    return boxes


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
