"""Holes: small ones in the ground, with nothing standing in them, are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.kernels.hole_rises import find_level_holes
from walkmesh.builder.exact.kernels.outline import trace_loops
from walkmesh.builder.exact.kernels.tolerances import HOLE_STEP_SLACK, NO_ANGLE
from walkmesh.builder.ground import Ground, join
from walkmesh.kernels.meshes.adjacency import BOUNDARY
from walkmesh.kernels.meshes.ears import cut_into_triangles
from walkmesh.kernels.meshes.kinds import OPEN
from walkmesh.ragged import offsets_of
from walkmesh.triangles import match_triangles, plan_cross, twice_plan_areas

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids, Indices, Integers


def fill_holes(
    ground: Ground, kinds: Bytes, agent: Agent, widest: float
) -> tuple[Ground, dict[str, int]]:
    """Fill holes whose edges are all open and that are no wider than a slit one steps over.

    Nor may their sides be more than a step apart in height: along a wall that one can step up onto
    at one end, the rest of it is such a hole.

    Where many small triangles cross each other, what could not be joined leaves such holes.

    Parameters
    ----------
    ground : Ground
        Of triangles.
    kinds : (c,) uint8
        What lies beyond each edge.
    widest : float
        The widest hole to fill. [Unit: m]
    """
    places = _places(ground, agent.max_step)
    offsets, edges = _loops(ground, places)
    sizes = np.diff(offsets)
    starts = offsets[:-1]
    if len(sizes) == 0:
        return ground, {"holes_filled": 0}
    here = ground.points[ground.vertices[edges]]
    ahead = ground.points[ground.vertices[ground.following[edges]]]
    local = here - np.repeat(here[starts], sizes, axis=0)
    step = ahead - here
    twice_area = np.add.reduceat(plan_cross(local, step), starts)
    outline = np.add.reduceat(np.hypot(*step.T), starts)
    is_open = np.logical_and.reduceat(kinds[edges] == OPEN, starts)
    # Around a hole the boundary runs clockwise. It is as wide as the rectangle with the same area
    # and outline.
    area = -twice_area / 2.0
    half = outline / 2.0
    width = (half - np.sqrt(np.maximum(half * half - 4.0 * area, 0.0))) / 2.0
    small = (area >= 0.0) & (width <= widest) & is_open & (sizes > 2)
    small = _within_a_step(ground, offsets, edges, small, widest, agent.max_step)
    if not small.any():
        return ground, {"holes_filled": 0}
    chosen = np.repeat(small, sizes)
    filled = _cut_up(ground, edges[chosen], sizes[small])
    # Around these holes vertices at one place become one; everywhere else they stay apart.
    rim = edges[chosen]
    around = ground.vertices[np.concatenate([rim, ground.following[rim]])]
    shared = np.arange(len(ground.points), dtype=np.int32)
    shared[around] = places[around]
    return _with_triangles(ground, filled, shared), {"holes_filled": int(np.count_nonzero(small))}


def _within_a_step(
    ground: Ground, offsets: Ids, edges: Ids, chosen: Bools, widest: float, max_step: float
) -> Bools:
    """(l,) bool: of the chosen holes, those whose sides are no more than a step apart."""
    level = np.empty(len(chosen), dtype=np.uint8)
    starts, ends = ground.corners[edges], ground.corners[ground.following[edges]]
    find_level_holes(
        offsets, starts, ends, chosen.astype(np.uint8), widest, max_step + HOLE_STEP_SLACK, level
    )
    return np.asarray(level == 1)


def _places(ground: Ground, max_step: float) -> Ids:
    """(n,) int32: one vertex for all those of the boundary at the same place, within a step.

    Slits that closed at one end only are holes whose sides meet there without sharing a vertex.
    """
    places = np.arange(len(ground.points), dtype=np.int32)
    edges = np.flatnonzero(ground.mates < 0)
    vertices = ground.vertices[edges]
    u, v = ground.points[vertices].T
    order = np.lexsort((vertices, ground.heights[edges], v, u))
    vertices, heights = vertices[order], ground.heights[edges][order]
    u, v = u[order], v[order]
    fresh = (np.diff(u) != 0.0) | (np.diff(v) != 0.0) | (np.diff(heights) > max_step)
    groups = np.cumsum(np.concatenate([[False], fresh]))
    first = np.full(len(groups) + 1, len(places), dtype=np.int64)
    np.minimum.at(first, groups, vertices)
    places[vertices] = first[groups]
    return places


def _loops(ground: Ground, places: Ids) -> tuple[Ids, Ids]:
    """Return the boundary edges loop by loop: where each loop starts, and the edges.

    A loop has the same hole to its right all along. Where several boundaries pass through a place,
    it goes on along the first one to the left of where it came from.
    """
    boundary = np.flatnonzero(ground.mates < 0).astype(np.int32)
    starts = places[ground.vertices[boundary]]
    ends = places[ground.vertices[ground.following[boundary]]]
    leaving = np.full(len(ground.points), -1, dtype=np.int32)
    leaving[starts] = boundary
    after = np.full(len(ground.mates), -1, dtype=np.int32)
    after[boundary] = leaving[ends]
    by_start, by_end = np.argsort(starts, kind="stable"), np.argsort(ends, kind="stable")
    passed = np.bincount(starts, minlength=len(ground.points))
    for place in np.flatnonzero(passed > 1):
        there = boundary[_equal(starts, by_start, place)]
        ahead = ground.points[ground.vertices[ground.following[there]]] - ground.points[place]
        for edge in boundary[_equal(ends, by_end, place)]:
            back = ground.points[ground.vertices[edge]] - ground.points[place]
            cross = back[0] * ahead[:, 1] - back[1] * ahead[:, 0]
            turn = np.arctan2(cross, ahead @ back)
            turn = np.where(turn < -NO_ANGLE, turn + 2.0 * np.pi, turn)
            after[edge] = there[np.argmin(turn)]
    offsets = np.empty(len(boundary) + 1, dtype=np.int32)
    edges = np.empty(len(boundary), dtype=np.int32)
    loops = trace_loops(after, offsets, edges)
    return offsets[: loops + 1], edges


def _equal(values: Ids, order: Indices, value: np.integer) -> Indices:
    """Return where values are equal to one, given the order that sorts them."""
    first = np.searchsorted(values, value, side="left", sorter=order)
    last = np.searchsorted(values, value, side="right", sorter=order)
    return order[first:last]


def _cut_up(ground: Ground, edges: Ids, sizes: Integers) -> Ids:
    """(t, 3) int32: triangles that fill loops, as corners of the ground, counter-clockwise."""
    offsets = offsets_of(sizes)
    positions = np.column_stack([ground.points[ground.vertices[edges]], np.zeros(len(edges))])
    backwards = np.arange(len(edges), dtype=np.int32)
    backwards = np.repeat(offsets[:-1] + offsets[1:] - 1, sizes).astype(np.int32) - backwards
    triangles = np.empty((int((sizes - 2).sum()), 3), dtype=np.int32)
    cut_into_triangles(positions, offsets, backwards, triangles)
    solid = twice_plan_areas(positions[triangles]) > 0.0
    return np.asarray(edges[triangles[solid]])


def _with_triangles(ground: Ground, filled: Ids, shared: Ids) -> Ground:
    """Add triangles on corners of the ground to it; `shared` is one vertex for several."""
    corners = np.concatenate([np.arange(len(ground.vertices), dtype=np.int32), filled.ravel()])
    vertices = np.ascontiguousarray(shared[ground.vertices[corners]])
    offsets = np.arange(0, len(corners) + 1, 3, dtype=np.int32)
    heights: Floats = ground.heights[corners]
    sources = np.concatenate([ground.sources, ground.sources[ground.owners[filled[:, 0]]]])
    mates = np.maximum(match_triangles(vertices), BOUNDARY)
    return join(offsets, ground.points[vertices], heights, mates, sources)
