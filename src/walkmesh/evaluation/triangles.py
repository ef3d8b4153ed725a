"""Triangles from anywhere as a navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.evaluation.discs import label_joined
from walkmesh.evaluation.kernels.tolerances import PAST_EDGE, PLACES_APART, SAME_VERTEX
from walkmesh.evaluation.truth import Plan, find_near, under_grid
from walkmesh.navmesh import NavMesh

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.scene import Scene

# Neighbours across an edge are looked for at no more places, however long the edge is.
_MOST_PLACES = 1000


def as_navmesh(scene: Scene, agent: Agent) -> NavMesh:
    """Return triangles as a navmesh, with a polygon for each.

    They connect where they share an edge or a part of one, with no more than a step between them:
    other systems leave T-junctions between polygons, and heights that differ a little. Triangles
    that face down are turned over, and upright ones are left out.
    """
    plan = Plan.of(scene)
    corners = plan.inward(scene.vertices[scene.faces])
    sides = corners[:, 1:, :2] - corners[:, :1, :2]
    areas = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    corners[areas < 0.0] = corners[areas < 0.0][:, ::-1]
    points = corners.reshape(-1, 3)
    _, first, ids = np.unique(
        np.round(points / SAME_VERTEX), axis=0, return_index=True, return_inverse=True
    )
    triangles = ids.reshape(-1, 3)
    kept = (areas != 0.0) & (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return NavMesh(
        plan.outward(points[first]),
        np.arange(0, 3 * kept.sum() + 1, 3),
        triangles[kept].ravel(),
        components=_components(corners[kept], agent.max_step),
        agent=agent,
        up=scene.up,
    )


def _components(corners: Floats, max_step: float) -> Ids:
    """(t,) int32: which component each of (t, 3, 3) triangles of the plan belongs to."""
    edges = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(edges[..., :2], axis=2).ravel()
    counts = np.ceil(np.minimum(lengths / PLACES_APART, _MOST_PLACES)).astype(np.int64)
    rows = np.repeat(np.arange(len(lengths)), counts)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    ways = edges.reshape(-1, 3)[rows]
    places = corners.reshape(-1, 3)[rows] + ways * ((nth + 0.5) / counts[rows])[:, None]
    # Triangles are counter-clockwise, so their outside is to the right.
    places[:, 0] += PAST_EDGE * ways[:, 1] / lengths[rows]
    places[:, 1] -= PAST_EDGE * ways[:, 0] / lengths[rows]
    across = find_near(under_grid(corners, 90.0), places, max_step).nearest
    found = across >= 0
    labels = label_joined((rows[found] // 3).astype(np.int32), across[found], len(corners))
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)
