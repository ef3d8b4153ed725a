"""Bridges: gaps that the agent can step across become ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges import Limits, Obstacles, Rim, find_bridges
from walkmesh.build.bridges.cells import rises, slopes
from walkmesh.build.bridges.kernels.below import find_room_below
from walkmesh.build.bridges.naming import name_corners
from walkmesh.build.exact.cut import cut_chosen
from walkmesh.build.exact.detail import triangulate
from walkmesh.build.exact.ground import Ground, Pieces, join, plan_areas
from walkmesh.build.exact.patches import plan_boxes
from walkmesh.build.exact.stitch import stitch_to
from walkmesh.build.exact.walls import edge_kinds
from walkmesh.build.mesh import match_triangles
from walkmesh.build.ragged import fit_planes, offsets_of
from walkmesh.kernels.box_tree import find_close
from walkmesh.kernels.faces import GROUND
from walkmesh.kernels.kinds import OPEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.bridges import Bridges
    from walkmesh.build.exact.slope import Faces

# Bridges that are steeper than the steepest slope by less than this are not. [1]
_SAME_SLOPE = 1e-6
# Less than this is rounding. [m2]
_NO_AREA = 1e-6
# How far apart places on bridges are below which ground is looked for, as long as they are no more
# than so many along a side. [m]
_SPACING = 0.1
_MOST_PLACES = 64
# Places that are farther from the rim than half of the distance by less than this are not. [m]
_SLACK = 1e-3
# What is this far from a bridge in plan does not touch it. [m]
_BESIDE = 1e-3
# What bridges come from.
_BRIDGE = -1


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
    obstacles = Obstacles(faces.points, faces.triangles, faces.tree)
    boundary, limits = _boundary(ground), Limits.of(agent, distance)
    ends = ground.corners[boundary], ground.corners[ground.following[boundary]]
    is_open = (kinds[boundary] == OPEN).astype(np.uint8)
    rim = Rim(np.concatenate(ends, axis=1), is_open)
    found, blocked = find_bridges(rim, limits, agent, obstacles)
    # From here on ground comes from the component that it was part of.
    apart = replace(ground, sources=ground.components)
    while True:
        laid = _level(found.corners, found.at_rim, agent)
        parts, lost = _cut_below(apart, laid, faces, agent, workers)
        useful = _lie_over_no_room(found, ground, lost, rim, limits, agent)
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
    bridged = _splice(apart, boundary, found, laid)
    if lost.any():
        staying = np.ones(len(bridged.sources), dtype=bool)
        staying[: len(lost)] = ~lost
        bridged = bridged.keep(staying)
        if len(parts.sources):
            bridged, _ = stitch_to(bridged, _near(bridged, parts, agent), parts, agent)
    return bridged, counts | {"components_joined": _count_joined(bridged)}


def _count_joined(bridged: Ground) -> int:
    """Return how many components, which are the sources of the ground, became part of others."""
    is_ground = bridged.sources != _BRIDGE
    pairs = bridged.components[is_ground].astype(np.int64) << 32 | bridged.sources[is_ground]
    pairs = np.unique(pairs)
    return len(pairs) - len(np.unique(pairs >> 32))


def _boundary(ground: Ground) -> NDArray[np.intp]:
    """(b,) int: the corners at which boundary edges of some length start."""
    boundary = np.flatnonzero(ground.mates < 0)
    here, ahead = ground.vertices[boundary], ground.vertices[ground.following[boundary]]
    return np.asarray(boundary[(ground.points[here] != ground.points[ahead]).any(axis=1)])


def _splice(ground: Ground, boundary: NDArray[np.intp], found: Bridges, laid: Floats) -> Ground:
    """Add bridges to the ground.

    Parameters
    ----------
    boundary : (b,) int
        The corner at which each edge of the rim starts.
    found, laid : Bridges and (t, 3, 3) float64
        The bridges, and where their corners are. [Unit: m]
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
    renamed = np.arange(len(ground.points) + len(names.edges), dtype=np.int32)
    np.minimum.at(renamed, names.corners, names.firsts)
    while (renamed != renamed[renamed]).any():
        renamed = renamed[renamed]
    beside = match_triangles(renamed[names.corners])
    mates[count:] = np.where(beside >= 0, beside + count, -1)
    sides = np.flatnonzero(found.at_rim.ravel())
    edges, first = found.sides.ravel()[sides], found.spans.reshape(-1, 2)[sides, 0]
    key = 2.0 * names.edges + names.shares
    place = np.searchsorted(key, 2.0 * edges + first).clip(max=max(len(key) - 1, 0))
    part = now_at[boundary[edges]]
    inner = first > 0.0
    part[inner] = inserted[place[inner]]
    mates[count + sides] = part
    mates[part] = count + sides
    places = np.concatenate([corners, laid.reshape(-1, 3)])
    sources = np.concatenate([ground.sources, np.full(len(laid), _BRIDGE, dtype=np.int32)])
    plan, heights = np.ascontiguousarray(places[:, :2]), places[:, 2].copy()
    return join(offsets_of(sizes), plan, heights, mates, sources)


def _numbers_within(groups: Ids) -> NDArray[np.intp]:
    """(k,) int: the number of each item within its group, from 0; groups are ascending."""
    fresh = np.diff(groups, prepend=-1) != 0
    numbers = np.arange(len(groups))
    return np.asarray(numbers - np.maximum.accumulate(np.where(fresh, numbers, 0)))


def _lie_over_no_room(
    found: Bridges,
    ground: Ground,
    lost: NDArray[np.bool_],
    rim: Rim,
    limits: Limits,
    agent: Agent,
) -> NDArray[np.bool_]:
    """(t,) bool: bridges that take the headroom from no ground on which the agent has room.

    Ground below a gap ends where the sides of the gap begin, if these are too low to go under. What
    is farther from its rim than in the middle of a gap lies below the open.

    Parameters
    ----------
    lost : (p,) bool
        The polygons of ground that bridges are over.
    """
    useful = np.ones(len(found), dtype=bool)
    if not lost.any():
        return useful
    below = ground.keep(lost)
    tree = BoxTree.around(plan_boxes(below))
    boxes = np.concatenate([found.corners.min(axis=1), found.corners.max(axis=1)], axis=1)
    close = np.empty(len(found), dtype=np.uint8)
    find_close(boxes, tree.boxes, tree.order, tree.nodes, 0.0, agent.height, close)
    chosen = np.flatnonzero(close)
    places, owners = _spread(found.corners[chosen])
    has_room = np.empty(len(places), dtype=np.uint8)
    find_room_below(
        places, below.offsets, below.corners, fit_planes(below.offsets, below.corners),
        tree.order, tree.nodes, rim.edges, rim.tree.boxes, rim.tree.order, rim.tree.nodes,
        agent.height, min(agent.radius, limits.distance / 2.0 + _SLACK), limits.rise, has_room,
    )  # fmt: skip
    over = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    over[found.cells[chosen[owners[has_room == 1]]]] = True
    return ~over[found.cells]


def _spread(corners: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return places all over triangles (t, 3, 3), not on their outlines; and their triangles."""
    sides = np.roll(corners, -1, axis=1)[..., :2] - corners[..., :2]
    longest = np.hypot(sides[..., 0], sides[..., 1]).max(axis=1)
    counts = np.clip(np.ceil(longest / _SPACING), 1, _MOST_PLACES).astype(np.int64)
    places, owners = [np.empty((0, 3))], [np.empty(0, dtype=np.intp)]
    for count in np.unique(counts):
        chosen = np.flatnonzero(counts == count)
        # The middles of as many times as many small triangles with a corner at the left.
        i, j = np.nonzero(np.add.outer(np.arange(count), np.arange(count)) < count)
        shares = (np.column_stack([i, j, count - 1 - i - j]) + 1.0 / 3.0) / count
        places.append(np.einsum("ak,tkd->tad", shares, corners[chosen]).reshape(-1, 3))
        owners.append(np.repeat(chosen, len(shares)))
    return np.concatenate(places), np.concatenate(owners)


def _level(corners: Floats, at_rim: NDArray[np.bool_], agent: Agent) -> Floats:
    """Return triangles (t, 3, 3) of which those that are too steep were made level."""
    steepest = float(np.tan(np.radians(agent.max_slope)))
    steep = np.flatnonzero(slopes(corners) > steepest + _SAME_SLOPE)
    laid = corners.copy()
    rise, side = rises(corners[steep], at_rim[steep])
    a, b, c = ((side + k) % 3 for k in range(3))
    free = side < 0
    laid[steep[free], :, 2] = corners[steep[free], :, 2].max(axis=1, keepdims=True)
    # Either the side at the rim is lower and comes up, or the corner across from it does.
    up = ~free & (rise > 0.0)
    laid[steep[up], a[up], 2] += rise[up]
    laid[steep[up], b[up], 2] += rise[up]
    down = ~free & (rise < 0.0)
    laid[steep[down], c[down], 2] -= rise[down]
    return laid


def _cut_below(
    ground: Ground, laid: Floats, faces: Faces, agent: Agent, workers: int | None
) -> tuple[Pieces, NDArray[np.bool_]]:
    """Take away ground over which bridges (t, 3, 3) lie, closer than the agent is high.

    Returns
    -------
    Pieces
        What is left of polygons that bridges are over.
    (p,) bool
        Which polygons these are.
    """
    lost = np.zeros(len(ground.sources), dtype=bool)
    if len(laid) == 0:
        return Pieces.together(ground.keep(lost)), lost
    bridges = _as_faces(laid, faces)
    tree = bridges.sheet_tree
    boxes = plan_boxes(ground)
    boxes[:, 5] += agent.height
    close = np.empty(len(boxes), dtype=np.uint8)
    find_close(boxes, tree.boxes, tree.order, tree.nodes, 0.0, 0.0, close)
    below = ground.keep(close == 1)
    triangles = triangulate(below)
    more = _as_faces(np.concatenate([laid, below.corners[triangles]]), faces)
    chosen = np.arange(len(laid), len(more.roles), dtype=np.int32)
    cut = cut_chosen(more, bridges, chosen, agent.height, agent.max_step, lambda _: None, workers)
    polygons = below.owners[triangles[cut.sources - len(laid), 0]]
    left = np.bincount(polygons, weights=plan_areas(cut), minlength=len(below.sources))
    loses = left < plan_areas(below) - _NO_AREA
    lost[np.flatnonzero(close)] = loses
    parts = Pieces(cut.offsets, cut.corners, below.sources[polygons]).keep(loses[polygons])
    return parts, lost


def _near(ground: Ground, pieces: Pieces, agent: Agent) -> NDArray[np.bool_]:
    """(p,) bool: polygons that pieces may lie beside, within a step."""
    tree = BoxTree.around(plan_boxes(pieces))
    near = np.empty(len(ground.sources), dtype=np.uint8)
    step = agent.max_step + _BESIDE
    find_close(plan_boxes(ground), tree.boxes, tree.order, tree.nodes, _BESIDE, step, near)
    return np.asarray(near == 1)


def _as_faces(triangles: Floats, faces: Faces) -> Faces:
    """Return triangles (t, 3, 3) as faces that can be stood on."""
    points, count = triangles.reshape(-1, 3), len(triangles)
    return replace(
        faces,
        points=points,
        triangles=np.arange(3 * count, dtype=np.int32).reshape(-1, 3),
        roles=np.full(count, GROUND, dtype=np.uint8),
        planes=fit_planes(offsets_of(np.full(count, 3)), points),
    )
