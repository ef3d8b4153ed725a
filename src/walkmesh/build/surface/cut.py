"""Cutting: what stands over a face takes away what is too close to it."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.build.ragged import offsets_of
from walkmesh.build.surface.kernels.blockers import NOTHING, find_blockers
from walkmesh.build.surface.kernels.cut_sides import cut_sides
from walkmesh.build.surface.stitch import Pieces
from walkmesh.chunks import in_chunks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.surface.faces import Faces
    from walkmesh.build.surface.sheet import Sheet

# An agent without width still does not walk through walls: it keeps this far away. [m]
_LEAST_RADIUS = 1e-3


def cut(
    faces: Faces,
    mates: Ids,
    agent: Agent,
    arc_error: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Pieces:
    """Cut all walkable faces by what stands over them, each in its own plane."""
    limits = cut_limits(faces, agent, arc_error)
    tree = faces.tree
    # In the order of the tree, so that neighbours are cut one after the other.
    chosen = np.ascontiguousarray(tree.order[faces.walkable[tree.order] == 1])

    def run(start: int, stop: int) -> list[tuple[NDArray[Any], ...]]:
        room = 2 * (stop - start) + 256
        parts: list[tuple[NDArray[Any], ...]] = []
        while start < stop:
            offsets = np.zeros(room + 1, dtype=np.int32)
            corners = np.empty((6 * room, 3), dtype=np.float64)
            sources = np.empty(room, dtype=np.int32)
            filled = np.zeros(2, dtype=np.int64)
            reached = cut_sides(
                faces.points, faces.triangles, faces.normals, mates, faces.backs, faces.walkable,
                chosen[:stop], start, tree.nodes, tree.order, tree.boxes, limits,
                offsets, corners, sources, filled,
            )  # fmt: skip
            pieces, used = filled
            parts.append(
                (
                    np.diff(offsets[: pieces + 1]),
                    corners[:used].copy(),
                    sources[:pieces].copy(),
                )
            )
            if reached == start:
                room *= 4
            start = reached
        return parts

    parts: list[tuple[NDArray[Any], ...]] = []
    for reached, chunk in in_chunks(len(chosen), run, workers):
        parts += chunk
        on_chunk(reached / len(chosen))
    sizes, corners, sources = (np.concatenate(column) for column in zip(*parts, strict=True))
    unknown = np.full(len(corners), NOTHING, dtype=np.int32)
    return Pieces(offsets_of(sizes), corners, unknown, faces.normals[sources], sources)


def name_blockers(sheet: Sheet, faces: Faces, agent: Agent, arc_error: float) -> Sheet:
    """Return the sheet with what stands beyond the edges of its boundary."""
    edges = np.flatnonzero(sheet.mates < 0)
    found = np.empty(len(edges), dtype=np.int32)
    find_blockers(
        np.ascontiguousarray(sheet.corners[edges]),
        np.ascontiguousarray(sheet.corners[sheet.following[edges]]),
        np.ascontiguousarray(sheet.normals[sheet.owners[edges]]),
        faces.points, faces.triangles, faces.normals, faces.tree.order, faces.tree.nodes,
        cut_limits(faces, agent, arc_error), found,
    )  # fmt: skip
    blockers = np.full(len(sheet.mates), NOTHING, dtype=np.int32)
    blockers[edges] = found
    return dataclasses.replace(sheet, blockers=blockers)


def cut_limits(faces: Faces, agent: Agent, arc_error: float) -> Floats:
    """Return (6,) float64: the limits that :func:`cut_sides` takes."""
    return np.array(
        [
            agent.height,
            max(agent.radius, _LEAST_RADIUS),
            agent.max_step,
            arc_error,
            math.cos(math.radians(agent.max_slope)),
            float(faces.two_sided),
        ]
    )
