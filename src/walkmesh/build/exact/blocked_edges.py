"""Blocked edges: what stands along a part of an edge must not shut the rest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.exact.kernels.tolerances import SAME_PLACE_ON_EDGE
from walkmesh.build.exact.walls import edge_kinds
from walkmesh.build.ground import Ground, join
from walkmesh.kernels.meshes.kinds import INNER, OPEN
from walkmesh.overlaps import vertices_on_edges
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Indices
    from walkmesh.build.faces import Faces


def split_blocked(
    ground: Ground,
    kinds: Bytes,
    faces: Faces,
    agent: Agent,
    distance: float,
    workers: int | None,
) -> tuple[Ground, Bytes]:
    """Split blocked edges beside the ends of open ones, and look again what lies beyond each part.

    The edge of a floor that a wall stands along is blocked. So is the part of it in a doorway,
    since the edge is one, and the slit to the threshold would stay open.

    Parameters
    ----------
    kinds : (c,) uint8
        What lies beyond each edge, see :mod:`walkmesh.kernels.meshes.kinds`.
    distance : float
        The widest slit, in plan. [Unit: m]

    Returns
    -------
    Ground
        With more vertices on its edges.
    (d,) uint8
        The kinds of its edges.
    """
    edges, parts = _places_to_split(ground, kinds, agent, distance)
    if len(edges) == 0:
        return ground, kinds
    ends = ground.following[edges]
    places = np.insert(
        ground.points[ground.vertices],
        edges + 1,
        _between(ground.points[ground.vertices], edges, ends, parts[:, None]),
        axis=0,
    )
    heights = np.insert(ground.heights, edges + 1, _between(ground.heights, edges, ends, parts))
    # Corners move up by what was inserted before them.
    moved = np.cumsum(np.bincount(edges + 1, minlength=len(kinds) + 1))[:-1] + np.arange(len(kinds))
    mates = np.where(ground.mates >= 0, moved[ground.mates], ground.mates)
    mates = np.insert(mates, edges + 1, -1).astype(np.int32)
    added = np.bincount(ground.owners[edges], minlength=len(ground.sources))
    offsets = offsets_of(np.diff(ground.offsets) + added)
    split = join(offsets, places, heights, mates, ground.sources)
    new_kinds = np.insert(kinds, edges + 1, kinds[edges])
    changed = added > 0
    corners = np.flatnonzero(changed[split.owners])
    seen = edge_kinds(split.keep(changed), faces, agent, workers)
    outer = split.mates[corners] < 0
    new_kinds[corners[outer]] = seen[outer]
    return split, new_kinds


def _places_to_split(
    ground: Ground, kinds: Bytes, agent: Agent, distance: float
) -> tuple[Indices, Floats]:
    """Return edges, each as often as it is to be split, and at what parts of them, in order."""
    ahead, corners = ground.following, ground.corners
    lengths = np.hypot(*(corners[ahead] - corners)[:, :2].T)
    shut = np.flatnonzero((kinds != OPEN) & (kinds != INNER) & (lengths > 4.0 * distance))
    is_open = np.flatnonzero((kinds == OPEN) & (ground.mates < 0))
    nothing = np.empty(0, dtype=np.intp), np.empty(0)
    if len(shut) == 0 or len(is_open) == 0 or distance == 0.0 or agent.max_step == 0.0:
        return nothing
    # A difference in height of a step counts as much as the widest slit.
    scaled = corners * (1.0, 1.0, distance / agent.max_step)
    tips = np.unique(np.concatenate([is_open, ahead[is_open]]))
    points = np.concatenate([scaled[tips], scaled[shut], scaled[ahead[shut]]])
    count = np.int32(len(shut))
    items = np.arange(count, dtype=np.int32)[:, None] + np.array([0, count], dtype=np.int32)
    pairs = vertices_on_edges(points, items + np.int32(len(tips)), distance)
    pairs = pairs[pairs[:, 0] < len(tips)]
    edges = shut[pairs[:, 1]]
    start, along = corners[edges, :2], (corners[ahead[edges]] - corners[edges])[:, :2]
    parts = ((corners[tips[pairs[:, 0]], :2] - start) * along).sum(axis=1) / lengths[edges] ** 2
    order = np.lexsort((parts, edges))
    edges, parts = edges[order], parts[order]
    way = parts * lengths[edges]
    fresh = np.ones(len(edges), dtype=bool)
    fresh[1:] = (edges[1:] != edges[:-1]) | (np.diff(way) > SAME_PLACE_ON_EDGE)
    return edges[fresh], parts[fresh]


def _between(values: Floats, edges: NDArray[np.integer], ends: Ids, parts: Floats) -> Floats:
    """Return values between those of the ends of edges."""
    return np.asarray(values[edges] + parts * (values[ends] - values[edges]))
