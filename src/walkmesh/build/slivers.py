"""Slivers: fans of long thin triangles become triangles with short edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.kernels.slivers import find_sheets, find_slivers, shorten_edges
from walkmesh.build.kernels.tolerances import SHEET_FLAT, SHEET_STRAIGHT
from walkmesh.triangles import first_at_place, match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Bytes, Floats, Ids

# Triangles this long, and this many times longer than wide, cross many others. [m, 1]
_LONG = 1.0
_THIN = 10.0
# Fewer of them in one plane are not worth it.
_MANY = 24


def lay_out_slivers(points: Floats, triangles: Ids, roles: Bytes) -> Ids:
    """Replace slivers that lie in one plane by triangles with short edges.

    Parameters
    ----------
    points : (n, 3) float64
        Positions as (u, v, h) in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    roles : (m,) uint8
        WALL, LOW or GROUND. Walls stay as they are.

    Returns
    -------
    (k, 3) int32
        The same surface, up to rounding, in no more triangles; the others keep their order.
    """
    slivers = np.empty(len(triangles), dtype=np.int32)
    turns = np.empty(len(triangles), dtype=np.float64)
    count = find_slivers(points, triangles, roles, _LONG, _THIN, slivers, turns)
    if count < _MANY:
        return triangles
    slivers, turns = slivers[:count], turns[:count]
    chosen = triangles[slivers]
    # Backs are turned over, so that all are counter-clockwise in plan.
    back = turns < 0.0
    chosen[back] = chosen[back][:, ::-1]
    # Vertices at one place are one, but only among faces that are the same to an agent.
    kind = 2 * roles[slivers] + back
    used, ids = np.unique(chosen, return_inverse=True)
    first = first_at_place(points[used] + 0.0)
    ids = first[ids].reshape(-1, 3) + np.int32(len(used)) * kind[:, None]
    mates = match_triangles(ids.astype(np.int32))
    corners = np.ascontiguousarray(chosen.ravel())
    sheets = np.empty(len(slivers), dtype=np.int32)
    find_sheets(points, corners, mates, SHEET_FLAT, sheets)
    own = np.repeat(sheets, 3)
    few = np.bincount(sheets)[own] < _MANY
    mates[few | (sheets[np.maximum(mates, 0) // 3] != own)] = -1
    changed = np.empty(len(slivers), dtype=np.uint8)
    shorten_edges(points, SHEET_STRAIGHT, corners, mates, changed)
    laid = corners.reshape(-1, 3)
    laid[back] = laid[back][:, ::-1]
    result = triangles.copy()
    result[slivers[changed == 1]] = laid[changed == 1]
    return result[result[:, 0] >= 0]
