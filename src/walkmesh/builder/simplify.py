"""Simplification: fewer triangles for the same ground, never beyond its outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.decimate import collapse_edges
from walkmesh.builder.kernels.room import measure_room
from walkmesh.builder.kernels.tolerances import (
    LEAST_HEIGHT_TOLERANCE,
    NEW_TRIANGLE_WIDTH,
    STRAIGHT_BOUNDARY,
)
from walkmesh.builder.kernels.vertex_fans import split_fans
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.kernels.meshes.adjacency import COMPLEX
from walkmesh.kernels.meshes.flips import flip_edges
from walkmesh.triangles import compact, match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Ids
# And none is more, but for triangles that stay as they are.
_ANY_HEIGHT = 1e100  # m


def simplify(
    mesh: TriangleMesh,
    *,
    height_tolerance: float = 0.01,
    boundary_tolerance: float = 0.02,
    width_share: float = 0.1,
    level_height: float = 1.0,
    rounds: int = 2,
) -> tuple[TriangleMesh, dict[str, int]]:
    """Take away vertices that the ground and its outline do not need.

    The surface stays within `height_tolerance` of the ground it started from. The outline moves
    inwards only, by no more than `boundary_tolerance`; components, holes and passages stay.

    Parameters
    ----------
    mesh : TriangleMesh
        Triangles that share vertices where they touch, counter-clockwise in plan.
    height_tolerance : float, default 0.01
        How far the surface may leave the ground, in height. [Limit: >= 0] [Unit: m]
    boundary_tolerance : float, default 0.02
        How far the outline may move inwards. With 0, only vertices on straight lines leave it.
        [Limit: >= 0] [Unit: m]
    width_share : float, default 0.1
        No side of a passage moves by more than this share of the passage's width.
        [Limit: > 0, < 0.5]
    level_height : float, default 1.0
        Boundaries further apart in height do not make a passage. [Unit: m]
    rounds : int, default 2
        How often collapses and flips take turns.

    Returns
    -------
    TriangleMesh
        Vertices of the ground, and some new ones on its boundary; where several fans of triangles
        met in one vertex, each has its own. Its `bands` tell where the ground is.
    dict of str to int
        Counts: vertices removed inside, cut off the boundary and by shrinking edges of the
        boundary, and edges flipped.
    """
    none = np.zeros(len(mesh.points), dtype=bool)
    limits = (height_tolerance, boundary_tolerance, width_share, level_height)
    less, _, counts = simplify_around(mesh, none, *limits, rounds)
    return less, counts


def simplify_around(
    mesh: TriangleMesh,
    pinned: Bools,
    height_tolerance: float,
    boundary_tolerance: float,
    width_share: float,
    level_height: float,
    rounds: int,
    kept: Bools | None = None,
) -> tuple[TriangleMesh, Ids, dict[str, int]]:
    """Simplify around vertices and triangles that stay where they are.

    Parameters
    ----------
    pinned : (n,) bool
        These vertices.
    mesh, height_tolerance, boundary_tolerance, width_share, level_height, rounds
        See :func:`simplify`.
    kept : (t,) bool, optional
        The triangles that stay.

    Returns
    -------
    TriangleMesh
    (m,) int32
        The vertex that each of its vertices was before; those that are not pinned may have moved.
    dict of str to int
    """
    corners = mesh.triangles.ravel().copy()
    mates = match_triangles(mesh.triangles)
    complex_edges = np.flatnonzero(mates == COMPLEX)
    start = np.empty(len(corners), dtype=np.int32)
    sources = np.empty(len(corners), dtype=np.int32)
    count = split_fans(mates, corners, start, sources)
    start, points = start[:count].copy(), np.ascontiguousarray(mesh.points[sources[:count]])
    held = pinned[sources[:count]].astype(np.uint8)
    for offset in (complex_edges, complex_edges - complex_edges % 3 + (complex_edges + 1) % 3):
        held[corners[offset]] = 1
    bands = np.zeros((len(corners) // 3, 2))
    if kept is not None:
        held[corners.reshape(-1, 3)[kept]] = 1
        bands[kept] = -np.inf, np.inf  # beyond any limit, so no edge of theirs is flipped

    chain = np.full(2 * count, -1, dtype=np.int32)
    chain[:count] = _follow_boundary(corners, mates, start)
    outline = np.zeros((2 * count, 4))
    outline[:count, :2] = points[:, :2]
    outline[:, 2] = STRAIGHT_BOUNDARY
    if boundary_tolerance > STRAIGHT_BOUNDARY:
        room = np.empty(count)
        measure_room(points, chain[:count], boundary_tolerance, width_share, level_height, room)
        outline[:count, 2] = room
    first = np.arange(count, dtype=np.int32)
    outwards = np.zeros(count)
    touched = np.ones(count, dtype=np.uint8)
    limits = np.array(
        [np.clip(height_tolerance, LEAST_HEIGHT_TOLERANCE, _ANY_HEIGHT), NEW_TRIANGLE_WIDTH]
    )
    removed = np.zeros(3, dtype=np.int64)
    flips = 0
    for _ in range(rounds):
        collapse_edges(
            (points, corners, mates, start), (outline, chain, first, outwards), held, limits, bands,
            touched, removed,
        )  # fmt: skip
        flips += flip_edges(points, limits, corners, mates, start, bands, touched)
        if not touched.any():
            break
    left = corners.reshape(-1, 3)
    stays = left[:, 0] >= 0
    left = left[stays]
    used = np.zeros(count, dtype=bool)
    used[left.ravel()] = True
    points, triangles = compact(points, left)
    counts = {
        "inner_vertices_removed": int(removed[0]),
        "boundary_vertices_cut": int(removed[1]),
        "boundary_edges_shrunk": int(removed[2]),
        "edges_flipped": int(flips),
    }
    simple = TriangleMesh(points, triangles, mesh.frame, bands=np.ascontiguousarray(bands[stays]))
    return simple, sources[:count][used], counts


def _follow_boundary(corners: Ids, mates: Ids, start: Ids) -> Ids:
    """Return the vertex that follows each along the boundary, -1 inside."""
    ends = corners[start - start % 3 + (start + 1) % 3]
    return np.where(mates[start] < 0, ends, np.int32(-1)).astype(np.int32)
