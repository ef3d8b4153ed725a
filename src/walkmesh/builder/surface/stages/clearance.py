"""Clearance: what is closer to a ledge than the radius, along the surface, is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.ground import cut_in_chunks
from walkmesh.builder.kernels.fragments import MOST_CORNERS
from walkmesh.builder.mesh import check_any
from walkmesh.builder.surface.kernels.bands import lay_bands
from walkmesh.builder.surface.kernels.clear_sheet import clear_sheet
from walkmesh.builder.surface.sheet import Sheet, SheetPieces
from walkmesh.builder.surface.stages.cut import find_ledges
from walkmesh.builder.surface.stages.stitch import stitch
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Longs
    from walkmesh.builder.ground import PieceArrays
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.stages.faces import Sides
    from walkmesh.builder.surface.state import SurfaceBuild, Turns


def run(build: SurfaceBuild) -> Stage:
    """Take away what is closer to a ledge than the agent's radius."""
    agent, error = build.agent, build.method.arc_error
    sheet, faces, turns = build.sheet, build.faces, build.turns
    cleared, edges = clear(sheet, faces, agent, turns, error, build.on_part, build.workers)
    check_any(cleared.sources, agent)
    build.sheet = cleared
    frame = build.scene.frame
    return build.made(lambda: cleared.mesh(frame), clearance=agent.radius, **edges)


def clear(
    sheet: Sheet,
    faces: Sides,
    agent: Agent,
    turns: Turns,
    arc_error: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> tuple[Sheet, dict[str, int]]:
    """Take away what is closer than the agent's radius to where the surface ends.

    Returns
    -------
    Sheet
    dict of str to int
        How many boundary edges are open, and how many are blocked.
    """
    sheet = _with_few_corners(sheet)
    boundary = np.flatnonzero(sheet.mates < 0)
    opened = boundary[find_ledges(sheet, faces, boundary, turns)]
    counts = {"edges_open": len(opened), "edges_blocked": len(boundary) - len(opened)}
    if len(opened) == 0 or agent.radius == 0.0:
        return sheet, counts
    is_open = np.zeros(len(sheet.mates), dtype=np.uint8)
    is_open[opened] = 1
    polygons, side_offsets, sides = _bands(sheet, is_open, agent.radius, arc_error)
    pieces = _subtract(sheet, polygons, side_offsets, sides, on_chunk, workers)
    cleared, _ = stitch(pieces, turns)
    return cleared, counts


def _with_few_corners(sheet: Sheet) -> Sheet:
    """Return the sheet with its polygons cut into triangles where they have too many corners.

    Edges keep their mates. Matched anew, the triangles would get the corners of their neighbours
    that lie on their edges, and have too many again.
    """
    large = np.diff(sheet.offsets) > MOST_CORNERS
    if not large.any():
        return sheet
    triangles, owners = sheet.triangles
    chosen = large[owners]
    cut = triangles[chosen]
    stays = ~large[sheet.owners]
    # Corners of the new sheet, named by those of the old one: first the polygons that stay whole.
    old = np.concatenate([np.flatnonzero(stays), cut.ravel()])
    ahead = np.concatenate([sheet.following[stays], np.roll(cut, -1, axis=1).ravel()])
    sides = sheet.following[old] == ahead
    new = np.empty(len(sheet.mates), dtype=np.int32)
    new[old[sides]] = np.flatnonzero(sides)
    across = sheet.mates[old]
    mates = np.where(sides & (across >= 0), new[across], -1).astype(np.int32)
    # The two triangles on both sides of a diagonal run through it in opposite directions.
    diagonals = np.flatnonzero(~sides)
    low = np.minimum(old[diagonals], ahead[diagonals])
    high = np.maximum(old[diagonals], ahead[diagonals])
    pairs = diagonals[np.lexsort((high, low))].reshape(-1, 2)
    mates[pairs] = pairs[:, ::-1]
    return Sheet(
        offsets_of(np.concatenate([np.diff(sheet.offsets)[~large], np.full(len(cut), 3)])),
        np.ascontiguousarray(sheet.corners[old]),
        mates,
        np.where(sides, sheet.blockers[old], -1).astype(np.int32),
        np.concatenate([sheet.normals[~large], sheet.normals[owners[chosen]]]),
        np.concatenate([sheet.sources[~large], sheet.sources[owners[chosen]]]),
    )


def _bands(
    sheet: Sheet, is_open: Bytes, radius: float, arc_error: float
) -> tuple[Ids, Longs, Floats]:
    """Return the regions of all bands: polygons, where their sides start, and the sides."""
    room, rows = 8 * int(is_open.sum()) + 256, 48 * int(is_open.sum()) + 1024
    around = sheet.offsets, sheet.corners, sheet.mates, sheet.normals, sheet.owners
    while True:
        polygons = np.empty(room, dtype=np.int32)
        side_offsets = np.empty(room + 1, dtype=np.int64)
        sides = np.empty((rows, 3), dtype=np.float64)
        filled = np.empty(2, dtype=np.int64)
        lay_bands(around, is_open, radius, arc_error, (polygons, side_offsets, sides, filled))
        if filled[0] <= room and filled[1] <= rows:
            count = filled[0]
            return polygons[:count], side_offsets[: count + 1], sides[: filled[1]]
        room, rows = int(filled[0]), int(filled[1])


def _subtract(
    sheet: Sheet,
    polygons: Ids,
    side_offsets: Longs,
    sides: Floats,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> SheetPieces:
    """Take regions away from their polygons, and return these with all others."""
    regions = np.argsort(polygons, kind="stable").astype(np.int32)
    chosen, firsts = np.unique(polygons[regions], return_index=True)
    chosen = np.ascontiguousarray(chosen, dtype=np.int32)
    starts = np.append(firsts, len(regions)).astype(np.int64)

    def run(start: int, stop: int, pieces: PieceArrays) -> int:
        done = clear_sheet(
            (sheet.offsets, sheet.corners, sheet.normals), chosen, start, stop, starts, regions,
            side_offsets, sides, pieces,
        )  # fmt: skip
        return int(done)

    cut = cut_in_chunks(len(chosen), run, on_chunk, workers)
    # What blocked their edges is not needed any more.
    left = SheetPieces(
        cut.offsets,
        cut.corners,
        np.full(len(cut.corners), -1, dtype=np.int32),
        sheet.normals[cut.sources],
        sheet.sources[cut.sources],
    )
    whole = np.ones(len(sheet.sources), dtype=bool)
    whole[chosen] = False
    return SheetPieces.together(sheet.keep(whole), left)
