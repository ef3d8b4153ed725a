"""Unnecessary detail: pieces of one plane become one, as far as they stay convex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.kernels.tolerances import MERGED_FLAT, MERGED_STRAIGHT
from walkmesh.builder.ground import Ground, Pieces, level_mesh, piece_mesh
from walkmesh.builder.kernels.fragments import MOST_CORNERS
from walkmesh.builder.polygons import merge_triangles
from walkmesh.ragged import following_corners, offsets_keeping, offsets_of, owners_of

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Merge the ground into convex pieces of few corners."""
    frame = build.scene.frame
    build.pieces = merged = merge_level(level_mesh(build.ground, frame))
    return build.made(lambda: piece_mesh(merged, frame), pieces_out=len(merged.sources))


def merge_level(mesh: TriangleMesh) -> Pieces:
    """Merge triangles of one plane into convex pieces of few corners.

    Corners on straight sides are left out; stitching puts back those that are needed.
    """
    offsets, corners = merge_triangles(mesh, MERGED_FLAT)
    offsets, positions = _without_straight_corners(offsets, mesh.points[corners])
    offsets, positions = _halved(offsets, positions)
    return Pieces(offsets, positions, np.arange(len(offsets) - 1, dtype=np.int32))


def ground_pieces(ground: Ground) -> Pieces:
    """Return the polygons of the ground as pieces of few corners."""
    offsets, positions = _halved(ground.offsets, ground.corners)
    return Pieces(offsets, positions, np.arange(len(offsets) - 1, dtype=np.int32))


def _without_straight_corners(offsets: Ids, corners: Floats) -> tuple[Ids, Floats]:
    """Drop corners that lie on the line through their neighbours in plan.

    Of corners at one place all but one go first: each of them is on the line through the others.
    """
    following = following_corners(offsets)
    across, along = (corners[following, k] - corners[:, k] for k in range(2))
    offsets, corners = _chosen_corners(offsets, corners, across**2 + along**2 > MERGED_STRAIGHT**2)
    following = following_corners(offsets)
    after_u, after_v = (corners[following, k] - corners[:, k] for k in range(2))
    after_length = np.sqrt(after_u * after_u + after_v * after_v)
    before_u, before_v, before_length = (np.empty(len(corners)) for _ in range(3))
    before_u[following], before_v[following] = after_u, after_v
    before_length[following] = after_length
    cross = np.abs(before_u * after_v - before_v * after_u)
    return _chosen_corners(
        offsets, corners, cross > MERGED_STRAIGHT * (before_length + after_length)
    )


def _chosen_corners(offsets: Ids, corners: Floats, chosen: Bools) -> tuple[Ids, Floats]:
    """Return polygons with chosen corners only, or all where fewer than three are."""
    if chosen.all():
        return offsets, corners
    owners = owners_of(offsets)
    left = np.bincount(owners[chosen], minlength=len(offsets) - 1)
    chosen = chosen | (left < 3)[owners]
    return offsets_keeping(offsets, chosen), corners[chosen]


def _halved(offsets: Ids, corners: Floats) -> tuple[Ids, Floats]:
    """Cut polygons of too many corners in two, until none has."""
    while (large := np.flatnonzero(np.diff(offsets) > MOST_CORNERS)).size:
        first, sizes = offsets[large], np.diff(offsets)
        middle = first + sizes[large] // 2
        # The second half begins at the middle once more, and ends at the first corner.
        again = np.concatenate([middle, first])
        corners = np.insert(
            corners, np.concatenate([middle + 1, offsets[large + 1]]), corners[again], axis=0
        )
        halves = sizes[large] // 2 + 1
        rest = sizes[large] - sizes[large] // 2 + 1
        sizes[large] = halves
        offsets = offsets_of(np.insert(sizes, large + 1, rest))
    return offsets, np.ascontiguousarray(corners)
