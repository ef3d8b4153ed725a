"""Walls: the lines in which upright faces stand on the ground, and what else its edges end at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.tolerances import (
    SAME_PLACE_ON_EDGE,
    SAME_WALL_ANGLE,
    SAME_WALL_HEIGHT,
    SAME_WALL_LINE,
    WALLS_TOUCH,
)
from walkmesh.builder.exact.kernels.walls import classify_edges, find_wall_lines
from walkmesh.builder.ground import Ground, join
from walkmesh.builder.kernels.faces import WALL
from walkmesh.chunks import in_chunks
from walkmesh.kernels.meshes.kinds import INNER, OPEN
from walkmesh.overlaps import vertices_on_edges
from walkmesh.ragged import fit_planes, offsets_with

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Indices, Integers
    from walkmesh.builder.faces import Faces

# Where an agent that steps as high as it is tall ends inside of something that leans, that is just
# as high above the ground. So things this high are in the way of it, as a share of its height.
_WHOLE_HEIGHT = 0.99


def find_walls(ground: Ground, faces: Faces, agent: Agent, *, thick: bool = False) -> Floats:
    """Return the lines of walls that stand on the ground, as (n, 6): both ends as (u, v, h).

    Walls along the boundary are left out, since the boundary stands for them, unless they are
    `thick`, and so more in the way than it is.
    """
    walls = np.ascontiguousarray(faces.triangles[faces.roles == WALL])
    if len(walls) == 0 or len(ground.sources) == 0:
        return np.empty((0, 6), dtype=np.float64)
    tree = BoxTree.over(faces.points, walls)
    planes = fit_planes(ground.offsets, ground.corners)
    # With no boundary in sight no wall stands along it.
    mates = np.zeros_like(ground.mates) if thick else ground.mates
    polygons = ground.offsets, ground.corners, planes
    room = 4 * len(walls) + 1024  # a wall stands on few polygons, mostly
    while True:
        lines = np.empty((room, 6), dtype=np.float64)
        filled = np.empty(1, dtype=np.int64)
        find_wall_lines(
            polygons, mates, faces.points, walls, tree.arrays, agent.max_step, agent.height, lines,
            filled,
        )  # fmt: skip
        if filled[0] <= room:
            return join_lines(lines[: filled[0]])
        room = int(filled[0])


def join_lines(lines: Floats) -> Floats:
    """Join lines at one height that overlap or touch in one straight line.

    A wall is made of many triangles and stands on many polygons, so it comes in many pieces.
    """
    backwards = (lines[:, 3] < lines[:, 0]) | (
        (lines[:, 3] == lines[:, 0]) & (lines[:, 4] < lines[:, 1])
    )
    lines = np.where(backwards[:, None], lines[:, [3, 4, 5, 0, 1, 2]], lines)
    across = lines[:, 3:5] - lines[:, :2]
    length = np.hypot(*across.T)
    lines, across, length = (x[length > 0.0] for x in (lines, across, length))
    if len(lines) == 0:
        return lines
    direction = across / length[:, None]
    angle = np.round(np.arctan2(direction[:, 1], direction[:, 0]) / SAME_WALL_ANGLE)
    sideways = lines[:, 1] * direction[:, 0] - lines[:, 0] * direction[:, 1]
    sideways = np.round(sideways / SAME_WALL_LINE)
    height = np.round(lines[:, 2] / SAME_WALL_HEIGHT)
    toward = np.column_stack([np.cos(angle * SAME_WALL_ANGLE), np.sin(angle * SAME_WALL_ANGLE)])
    start = (lines[:, :2] * toward).sum(axis=1)
    stop = (lines[:, 3:5] * toward).sum(axis=1)
    order = np.lexsort((start, height, sideways, angle))
    keys = np.column_stack([angle, sideways, height])[order]
    lines, start, stop = lines[order], start[order], stop[order]
    fresh = np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)])
    # Groups are moved far apart along the line, so that one running maximum serves all of them.
    far = (stop.max() - start.min() + 1.0) * np.cumsum(fresh)
    reached = np.maximum.accumulate(stop + far)
    fresh[1:] |= (start + far)[1:] > reached[:-1] + WALLS_TOUCH
    first = np.flatnonzero(fresh)
    run = np.cumsum(fresh)
    last = np.lexsort((stop, run))[np.concatenate([first[1:], [len(lines)]]) - 1]
    return np.ascontiguousarray(np.column_stack([lines[first, :3], lines[last, 3:]]))


def edge_kinds(ground: Ground, faces: Faces, agent: Agent, workers: int | None) -> Bytes:
    """(c,) uint8: what lies beyond each edge, see :mod:`walkmesh.builder.exact.kernels.walls`."""
    corners, scene, tree = ground.corners, faces.arrays, faces.tree.arrays
    lowest = min(agent.max_step, _WHOLE_HEIGHT * agent.height)
    kinds = np.empty(len(corners), dtype=np.uint8)

    def classify(start: int, stop: int) -> None:
        classify_edges(
            ground.offsets[start : stop + 1], corners, ground.mates, scene, tree, lowest,
            agent.height, kinds,
        )  # fmt: skip

    for _ in in_chunks(len(ground.sources), classify, workers):
        pass
    return kinds


def split_blocked(
    ground: Ground, kinds: Bytes, faces: Faces, agent: Agent, distance: float, workers: int | None
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
    split = join(offsets_with(ground.offsets, edges), places, heights, mates, ground.sources)
    new_kinds = np.insert(kinds, edges + 1, kinds[edges])
    changed = np.zeros(len(ground.sources), dtype=bool)
    changed[ground.owners[edges]] = True
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


def _between(values: Floats, edges: Integers, ends: Ids, parts: Floats) -> Floats:
    """Return values between those of the ends of edges."""
    return np.asarray(values[edges] + parts * (values[ends] - values[edges]))
