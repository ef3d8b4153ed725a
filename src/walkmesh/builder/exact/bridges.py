"""Bridges: gaps that the agent can step across become ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges import (
    GapLimits,
    Obstacles,
    find_bridges,
    leave_room_below,
    name_corners,
    rim_among,
)
from walkmesh.builder.exact.headroom import cut_below, have_room_above
from walkmesh.builder.exact.kernels.tolerances import BESIDE_BRIDGE, SAME_SLOPE
from walkmesh.builder.exact.walls import edge_kinds
from walkmesh.builder.ground import Ground, join, plan_boxes
from walkmesh.builder.kernels.tolerances import STITCHED_STEP
from walkmesh.builder.stitch import stitch_to
from walkmesh.kernels.meshes.kinds import OPEN
from walkmesh.ragged import following_corners, offsets_of
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.bridges import Bridges
    from walkmesh.builder.faces import Faces

# What bridges come from.
BRIDGE = -1


def bridge(
    ground: Ground, faces: Faces, agent: Agent, distance: float, workers: int | None
) -> tuple[Ground, dict[str, int]]:
    """Lay ground over gaps no wider than a distance, where nothing stands in the way.

    A bridge leads straight from one side to the other. Where that is too steep it is level with
    the higher side, and the step is at the lower one.

    Returns
    -------
    Ground
        Of polygons, with the bridges at the end.
    dict of str to int
        Counts: triangles laid, components that became part of others, cells of gaps that
        something stands in, and polygons of ground cut since a bridge is over them.
    """
    kinds = edge_kinds(ground, faces, agent, workers)
    obstacles = Obstacles(faces.points, faces.triangles, faces.tree, reach=0.0)
    boundary, limits = _boundary(ground), GapLimits.of(agent, distance)
    ends = ground.corners[boundary], ground.corners[ground.following[boundary]]
    rim = rim_among(obstacles, np.concatenate(ends, axis=1), kinds[boundary] == OPEN, agent)
    found, blocked = find_bridges(rim, limits, agent, obstacles)
    # From here on ground comes from the component that it was part of.
    apart = replace(ground, sources=ground.components)
    laid = found.levelled(limits.steepness + SAME_SLOPE)
    found = found.keep(have_room_above(found, laid, ground, faces, agent, workers))
    lost: Bools = np.ones(len(ground.sources), dtype=bool)
    while True:
        laid = found.levelled(limits.steepness + SAME_SLOPE)
        parts, lost = cut_below(apart, lost, laid, faces, agent, workers)
        below = ground.keep(lost)
        useful = leave_room_below(found, below, plan_boxes(below), rim, limits, agent)
        if useful.all():
            break
        found = found.keep(useful)
    counts = {
        "bridge_triangles": len(found),
        "gaps_blocked": blocked,
        "cut_below_bridges": int(np.count_nonzero(lost)),
    }
    if len(found) == 0:
        return ground, counts | {"components_joined": 0}
    # Bridges without width only stand for vertices of one side that lie on edges of the other.
    solid = found.has_width
    bridged = splice(apart, boundary, found.keep(solid), laid[solid], agent.max_step)
    staying = np.ones(len(bridged.sources), dtype=bool)
    staying[: len(lost)] = ~lost
    bridged = bridged.keep(staying)
    if len(parts.sources) or not solid.all():
        thin = np.concatenate([laid[~solid].min(axis=1), laid[~solid].max(axis=1)], axis=1)
        near = _near(bridged, np.concatenate([plan_boxes(parts), thin]), agent)
        bridged, _ = stitch_to(bridged, near, parts, agent)
    return bridged, counts | {"components_joined": _count_joined(bridged)}


def _count_joined(bridged: Ground) -> int:
    """Return how many components, which are the sources of the ground, became part of others."""
    is_ground = bridged.sources != BRIDGE
    pairs = bridged.components[is_ground].astype(np.int64) << 32 | bridged.sources[is_ground]
    pairs = np.unique(pairs)
    return len(pairs) - len(np.unique(pairs >> 32))


def _boundary(ground: Ground) -> Indices:
    """(b,) int: the corners at which boundary edges of some length start."""
    boundary = np.flatnonzero(ground.mates < 0)
    here, ahead = ground.vertices[boundary], ground.vertices[ground.following[boundary]]
    return np.asarray(boundary[(ground.points[here] != ground.points[ahead]).any(axis=1)])


def _near(ground: Ground, boxes: Floats, agent: Agent) -> Bools:
    """(p,) bool: polygons that what is in boxes (n, 6) may lie beside, within a step."""
    step = agent.max_step + BESIDE_BRIDGE
    return BoxTree.around(boxes).close_to(plan_boxes(ground), BESIDE_BRIDGE, step)


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
