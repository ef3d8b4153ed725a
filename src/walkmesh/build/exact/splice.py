"""Splicing: bridges become polygons of the ground, by the places on its rim that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.bridges import name_corners
from walkmesh.build.ground import Ground, join
from walkmesh.build.kernels.tolerances import STITCHED_STEP
from walkmesh.ragged import following_corners, offsets_of
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids, Indices
    from walkmesh.build.bridges import Bridges

# What bridges come from.
BRIDGE = -1


def splice(
    ground: Ground, boundary: Indices, found: Bridges, laid: Floats, max_step: float
) -> Ground:
    """Add bridges to the ground.

    Parameters
    ----------
    boundary : (b,) int
        The corner at which each edge of the rim starts.
    found, laid : Bridges and (t, 3, 3) float64
        The bridges, and where their corners are. [Unit: m]
    max_step : float
        How far apart in height bridges may be that share a side. [Unit: m]
    """
    starts, ends = ground.vertices[boundary], ground.vertices[ground.following[boundary]]
    names = name_corners(found, starts, ends, len(ground.points))
    # New vertices become corners of the polygons whose edges they lie on, in the order along them.
    at = boundary[names.edges]
    a, b = ground.corners[at], ground.corners[ground.following[at]]
    corners = np.insert(ground.corners, at + 1, a + names.shares[:, None] * (b - a), axis=0)
    added = np.bincount(ground.owners[at], minlength=len(ground.sources))
    sizes = np.concatenate([np.diff(ground.offsets) + added, np.full(len(laid), 3)])
    before = np.bincount(at + 1, minlength=len(ground.vertices) + 1)
    now_at = np.arange(len(ground.vertices)) + np.cumsum(before)[:-1]  # where each corner is now
    inserted = now_at[at] + _numbers_within(names.edges) + 1
    count = len(corners)
    mates = np.full(count + 3 * len(laid), -1, dtype=np.int32)
    shared = np.flatnonzero(ground.mates >= 0)
    mates[now_at[shared]] = now_at[ground.mates[shared]]
    # Bridges beside each other share two vertices; those at the rim an edge, or a part of it.
    renamed = names.unified(len(ground.points) + len(names.edges))
    beside = match_triangles(renamed[names.corners])
    heights = laid[..., 2].ravel()
    ahead = np.roll(laid[..., 2], -1, axis=1).ravel()
    apart = np.maximum(np.abs(heights - ahead[beside]), np.abs(ahead - heights[beside]))
    step = max_step + STITCHED_STEP
    mates[count:] = np.where((beside >= 0) & (apart <= step), beside + count, -1)
    sides = np.flatnonzero(found.at_rim.ravel())
    edges, spans = found.sides.ravel()[sides], found.spans.reshape(-1, 2)[sides]
    key = 2.0 * names.edges + names.shares
    after = np.searchsorted(key, 2.0 * edges + spans[:, 0], side="right")
    part = now_at[boundary[edges]]
    inner = spans[:, 0] > 0.0
    part[inner] = inserted[after[inner] - 1]
    # Where lines of the rim run along each other, a side may not be the whole part, nor the only.
    ends_at = np.append(names.shares, 1.0)[after]
    ends_at[np.append(names.edges, -1)[after] != edges] = 1.0
    # Nor may it be more than a step higher or lower.
    following = following_corners(offsets_of(np.diff(ground.offsets) + added))
    rise = np.maximum(
        np.abs(corners[part, 2] - ahead[sides]),
        np.abs(corners[following[part], 2] - heights[sides]),
    )
    whole = np.flatnonzero((ends_at == spans[:, 1]) & (rise <= step))
    _, first = np.unique(part[whole], return_index=True)
    chosen = whole[first]
    mates[count + sides[chosen]] = part[chosen]
    mates[part[chosen]] = count + sides[chosen]
    places = np.concatenate([corners, laid.reshape(-1, 3)])
    sources = np.concatenate([ground.sources, np.full(len(laid), BRIDGE, dtype=np.int32)])
    plan, above = np.ascontiguousarray(places[:, :2]), places[:, 2].copy()
    return join(offsets_of(sizes), plan, above, mates, sources)


def _numbers_within(groups: Ids) -> Indices:
    """(k,) int: the number of each item within its group, from 0; groups are ascending."""
    fresh = np.diff(groups, prepend=-1) != 0
    numbers = np.arange(len(groups))
    return np.asarray(numbers - np.maximum.accumulate(np.where(fresh, numbers, 0)))
