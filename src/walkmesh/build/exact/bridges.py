"""Bridges: gaps that the agent can step across become ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges import GapLimits, Obstacles, find_bridges, leave_room_below, rim_among
from walkmesh.build.exact.headroom import cut_below, have_room_above
from walkmesh.build.exact.kernels.tolerances import BESIDE_BRIDGE, SAME_SLOPE
from walkmesh.build.exact.splice import BRIDGE, splice
from walkmesh.build.exact.walls import edge_kinds
from walkmesh.build.ground import plan_boxes
from walkmesh.build.stitch import stitch_to
from walkmesh.kernels.meshes.kinds import OPEN

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Indices
    from walkmesh.build.faces import Faces
    from walkmesh.build.ground import Ground


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
