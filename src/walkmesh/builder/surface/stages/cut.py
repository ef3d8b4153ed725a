"""Cutting: what stands over a face takes away what is too close; and where the surface ends."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.ground import cut_in_chunks
from walkmesh.builder.mesh import check_any
from walkmesh.builder.surface.kernels.blockers import NOTHING, find_blockers
from walkmesh.builder.surface.kernels.cut_sides import cut_sides
from walkmesh.builder.surface.kernels.open_edges import find_open_edges
from walkmesh.builder.surface.kernels.tolerances import LEAST_BODY
from walkmesh.builder.surface.sheet import SheetPieces
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Integers
    from walkmesh.builder.ground import PieceArrays
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.sheet import Sheet
    from walkmesh.builder.surface.stages.faces import Sides
    from walkmesh.builder.surface.state import SurfaceBuild, Turns

# Triangles that pierce each other at random make pieces by their square, and later stages look from
# each piece at all triangles: 2,000 of them in 10 m make 200,000 pieces and take minutes. The
# samples have up to 7 for each triangle. This many for each, and so many more, are cut.
_MOST_PIECES = 32
_FEW_PIECES = 50_000


def run(build: SurfaceBuild) -> Stage:
    """Take away the surface without headroom."""
    agent, error = build.agent, build.method.arc_error
    pieces = cut(build.faces, build.mates, agent, error, build.on_part, build.workers)
    check_any(pieces.sources, agent)
    build.pieces = pieces
    frame = build.scene.frame
    return build.made(lambda: pieces.mesh(frame), pieces_out=len(pieces.sources))


def cut(
    faces: Sides,
    mates: Ids,
    agent: Agent,
    arc_error: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> SheetPieces:
    """Cut all walkable faces by what stands over them, each in its own plane."""
    limits = cut_limits(faces, agent, arc_error)
    tree = faces.tree
    # In the order of the tree, so that neighbours are cut one after the other.
    chosen = np.ascontiguousarray(tree.order[faces.walkable[tree.order] == 1])

    sides = *faces.arrays, mates, faces.backs, faces.walkable
    most = _MOST_PIECES * len(faces.triangles) + _FEW_PIECES
    made: list[int] = []

    def run(start: int, stop: int, pieces: PieceArrays) -> int:
        reached = cut_sides(sides, chosen[:stop], start, tree.arrays, limits, pieces)
        made.append(int(pieces[3][0]))
        if sum(made) > most:
            raise BuildError(
                f"the {len(faces.triangles)} sides of triangles to walk on cut each other into "
                f"more than {most} pieces; so tangled a scene takes wm.Voxel()"
            )
        return int(reached)

    left = cut_in_chunks(len(chosen), run, on_chunk, workers)
    unknown = np.full(len(left.corners), NOTHING, dtype=np.int32)
    return SheetPieces(
        left.offsets, left.corners, unknown, faces.normals[left.sources], left.sources
    )


def name_blockers(sheet: Sheet, faces: Sides, agent: Agent, arc_error: float) -> Sheet:
    """Return the sheet with what stands beyond the edges of its boundary."""
    edges = np.flatnonzero(sheet.mates < 0)
    found = np.empty(len(edges), dtype=np.int32)
    limits = cut_limits(faces, agent, arc_error)
    find_blockers(sheet.edges(edges), faces.arrays, faces.tree.arrays, limits, found)
    blockers = np.full(len(sheet.mates), NOTHING, dtype=np.int32)
    blockers[edges] = found
    return dataclasses.replace(sheet, blockers=blockers)


def cut_limits(faces: Sides, agent: Agent, arc_error: float) -> Floats:
    """Return (6,) float64: the limits that :func:`cut_sides` takes."""
    return np.array(
        [
            agent.height,
            max(agent.radius, LEAST_BODY),
            agent.max_step,
            arc_error,
            math.cos(math.radians(agent.max_slope)),
            float(faces.two_sided),
        ]
    )


def find_ledges(sheet: Sheet, faces: Sides, edges: Integers, turns: Turns) -> Bools:
    """Tell which boundary edges are ledges: where the scene itself ends or turns away."""
    candidates = sheet.blockers[edges] == NOTHING
    chosen = edges[candidates]
    owners = sheet.owners[chosen]
    found = np.empty(len(chosen), dtype=np.uint8)
    find_open_edges(
        sheet.edges(chosen), sheet.sources[owners], faces.arrays, faces.walkable,
        faces.fine_tree.arrays, turns.limits[0], found,
    )  # fmt: skip
    result = np.zeros(len(edges), dtype=bool)
    result[candidates] = found == 1
    return _like_their_neighbors(sheet, edges, result)


def _like_their_neighbors(sheet: Sheet, edges: Integers, is_open: Bools) -> Bools:
    """Let the sides of joints be what the boundary before or after them is: open if either is."""
    joint = sheet.sources[sheet.owners[edges]] < 0
    is_open = is_open & ~joint
    if not joint.any():
        return is_open
    vertices, points = sheet.vertices
    place = np.full(len(points), -1)
    place[vertices[edges]] = np.arange(len(edges))
    after = place[vertices[sheet.following[edges]]]
    before = np.empty_like(after)
    before[after] = np.arange(len(edges))
    while True:
        spread = is_open | (joint & (is_open[after] | is_open[before]))
        if (spread == is_open).all():
            return is_open
        is_open = spread
