"""Bridges: gaps that the agent can step across become ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.build.bridges import Limits, Obstacles, Rim, Runs, closed_runs, find_bridges
from walkmesh.build.bridges.cells import rises, slopes
from walkmesh.build.exact.headroom import cut_below, have_room_above, leave_room_below
from walkmesh.build.exact.kernels.tolerances import BESIDE_BRIDGE, SAME_SLOPE
from walkmesh.build.exact.splice import BRIDGE, splice
from walkmesh.build.exact.walls import edge_kinds
from walkmesh.build.ground import plan_boxes
from walkmesh.build.stitch import stitch_to
from walkmesh.kernels.meshes.kinds import OPEN
from walkmesh.kernels.search.box_tree import find_close

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build.faces import Faces
    from walkmesh.build.ground import Ground

# Edges no longer than this are closed if something stands on them anywhere. [m]
_SHORT = 0.1


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
    boundary, limits = _boundary(ground), Limits.of(agent, distance)
    ends = ground.corners[boundary], ground.corners[ground.following[boundary]]
    is_open = (kinds[boundary] == OPEN).astype(np.uint8)
    rim = Rim(np.concatenate(ends, axis=1), is_open, Runs.none())
    # Edges on which something stands may be open in part; of short ones that is no loss.
    doubtful = np.flatnonzero((is_open == 0) & (rim.lengths > _SHORT))
    closed = closed_runs(rim, doubtful, obstacles, agent)
    is_open[closed.edges[(closed.first > 0.0) | (closed.last < 1.0)]] = 1
    rim = Rim(rim.edges, is_open, closed)
    found, blocked = find_bridges(rim, limits, agent, obstacles)
    # From here on ground comes from the component that it was part of.
    apart = replace(ground, sources=ground.components)
    laid = _level(found.corners, found.at_rim, agent)
    found = found.keep(have_room_above(found, laid, ground, faces, agent, workers))
    lost = np.ones(len(ground.sources), dtype=bool)
    while True:
        laid = _level(found.corners, found.at_rim, agent)
        parts, lost = cut_below(apart, lost, laid, faces, agent, workers)
        useful = leave_room_below(found, ground, lost, rim, limits, agent)
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


def _boundary(ground: Ground) -> NDArray[np.intp]:
    """(b,) int: the corners at which boundary edges of some length start."""
    boundary = np.flatnonzero(ground.mates < 0)
    here, ahead = ground.vertices[boundary], ground.vertices[ground.following[boundary]]
    return np.asarray(boundary[(ground.points[here] != ground.points[ahead]).any(axis=1)])


def _level(corners: Floats, at_rim: NDArray[np.bool_], agent: Agent) -> Floats:
    """Return triangles (t, 3, 3) of which those that are too steep were made level."""
    steepest = float(np.tan(np.radians(agent.max_slope)))
    steep = np.flatnonzero(slopes(corners) > steepest + SAME_SLOPE)
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


def _near(ground: Ground, boxes: Floats, agent: Agent) -> NDArray[np.bool_]:
    """(p,) bool: polygons that what is in boxes (n, 6) may lie beside, within a step."""
    tree = BoxTree.around(boxes)
    near = np.empty(len(ground.sources), dtype=np.uint8)
    step = agent.max_step + BESIDE_BRIDGE
    find_close(plan_boxes(ground), tree.boxes, tree.order, tree.nodes, BESIDE_BRIDGE, step, near)
    return np.asarray(near == 1)
