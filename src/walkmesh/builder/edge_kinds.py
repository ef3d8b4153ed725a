"""Kinds of edges of a stage's mesh: shared, at a ledge, at something in the way, behind a wall."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.kernels.edge_kinds import look_beyond
from walkmesh.chunks import in_chunks
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.scene import Scene
from walkmesh.tolerances import SAME_PLACE
from walkmesh.triangles import area_vectors, at_any_angle, match_triangles

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Indices
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan
    from walkmesh.frame import Frame

# Where on an edge one looks at what lies beyond: a long one may end at a wall here only.
_PARTS = np.array([0.25, 0.5, 0.75])
# In which directions from straight outwards one looks. [radians]
_TURNS = (0.0, 0.4, -0.4)
# How far a boundary is from where the agent would touch something, at most. [m]
_TOLERANCE = 0.08
# How far from an edge something may stand that the edge ends at, without any clearance. [m]
_AT_EDGE = 0.01


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What edges of a build's meshes end at: the scene, as the agent meets it."""

    # What the navmesh is built from. Where a plan ends, something is in the way.
    scene: Scene | FloorPlan | Building
    agent: Agent  # who walks
    cell_size: float = 0.0  # the side of the cells that boundaries follow; 0 without any [m]

    @cached_property
    def _faces(self) -> tuple[Floats, Ids, BoxTree]:
        """The scene's faces with the world's axes, and the tree over them."""
        assert isinstance(self.scene, Scene)
        used = self.scene.faces.ravel()
        vertices, faces = np.unique(used, return_inverse=True)
        points = np.ascontiguousarray(self.scene.vertices[vertices])
        triangles = np.ascontiguousarray(faces.reshape(-1, 3).astype(np.int32))
        return points, triangles, BoxTree.over(points, triangles)

    def kinds_of(self, mesh: TriangleMesh, clearance: float) -> Bytes:
        """(m, 3) uint8: the kinds of edges of a mesh that keeps a clearance from everything."""
        triangles = mesh.points[mesh.triangles]
        anywhere = at_any_angle(triangles)
        kinds = np.full(3 * len(triangles), INNER, dtype=np.uint8)
        # Most triangles share vertices, which tell more quickly than places do.
        is_alone = match_triangles(mesh.triangles).reshape(-1, 3) < 0
        outer = np.flatnonzero(is_alone.any(axis=1))
        mates = pair_edges(triangles[outer], None if anywhere else self.agent.max_step)
        is_alone[outer] &= mates.reshape(-1, 3) < 0
        alone = np.flatnonzero(is_alone)
        if isinstance(self.scene, Scene):
            kinds[alone] = self._look(mesh, alone, clearance, anywhere)
        else:
            kinds[alone] = BLOCKED
        return kinds.reshape(-1, 3)

    def _look(self, mesh: TriangleMesh, edges: Indices, clearance: float, anywhere: bool) -> Bytes:
        """(n,) uint8: the kinds of edges, each the start of a corner, that no other has."""
        points = np.ascontiguousarray(mesh.vertices)
        triangles = np.ascontiguousarray(mesh.triangles.astype(np.int32))
        tree = BoxTree.over(points, triangles)
        # A body that keeps clear of a corner goes on straight where the corner is beside it.
        turns = _TURNS if clearance > 0.0 else _TURNS[:1]
        probes = _probes(points[triangles], edges, mesh.frame, anywhere, turns)
        face_points, faces, face_tree = self._faces
        reach = _AT_EDGE + (clearance + _TOLERANCE if clearance > 0.0 else 0.0)
        reach += 1.5 * self.cell_size
        kinds = np.empty(len(probes), dtype=np.uint8)

        def look(start: int, stop: int) -> None:
            look_beyond(
                probes[start:stop], points, triangles, tree.arrays, face_points, faces,
                face_tree.arrays, self.agent.max_step, self.agent.height, reach, kinds[start:stop],
            )  # fmt: skip

        for _ in in_chunks(len(probes), look):
            pass
        seen = kinds.reshape(len(edges), len(turns) * len(_PARTS))
        ahead = seen[:, : len(_PARTS)]
        # What is in the way anywhere along an edge counts, then a wall from behind, then a ledge.
        result = np.full(len(edges), INNER, dtype=np.uint8)
        result[(ahead == OPEN).any(axis=1)] = OPEN
        ends = (ahead != INNER).any(axis=1)
        for kind in (INNER_WALL, BLOCKED):
            result[ends & (seen == kind).any(axis=1)] = kind
        return result


def _probes(
    triangles: Floats, edges: Indices, frame: Frame, anywhere: bool, turns: tuple[float, ...]
) -> Floats:
    """(k n, 9) float64: places on edges, and the directions outwards and up there, by turns."""
    owners, corners = edges // 3, edges % 3
    starts = triangles[owners, corners]
    ways = triangles[owners, (corners + 1) % 3] - starts
    up = np.broadcast_to(np.array(frame.up), ways.shape)
    if anywhere:
        chosen = triangles[owners]
        up = area_vectors(chosen)
        up = up / np.maximum(np.linalg.norm(up, axis=1), np.finfo(float).tiny)[:, None]
    # The ground lies to the left of its edges.
    out = np.cross(ways, up)
    out /= np.maximum(np.linalg.norm(out, axis=1), np.finfo(float).tiny)[:, None]
    places = starts[:, None] + _PARTS[:, None] * ways[:, None]
    along = np.cross(up, out)
    parts = []
    for turn in turns:
        outward = math.cos(turn) * out + math.sin(turn) * along
        directions = [np.broadcast_to(some[:, None], places.shape) for some in (outward, up)]
        parts.append(np.concatenate([places, *directions], axis=2))
    return np.ascontiguousarray(np.concatenate(parts, axis=1).reshape(-1, 9))


def pair_edges(triangles: Floats, max_step: float | None) -> Indices:
    """(3 t,) int: the edge at the same place as each of (t, 3, 3) triangles; -1 for none.

    Triangles of early stages share no vertices, and treads of stairs share edges at two heights.

    Parameters
    ----------
    triangles : (t, 3, 3) float64
        In plan coordinates. [Unit: m]
    max_step : float or None
        How far apart in height two edges at the same place in plan may be; None if the same place
        is one in space, as for triangles at any angle. [Unit: m]
    """
    edges = np.stack([triangles, triangles[:, [1, 2, 0]]], axis=2).reshape(-1, 2, 3)
    places = np.round(edges[:, :, : 2 if max_step is not None else 3] / SAME_PLACE)
    # The coordinate in which the ends first differ tells which way an edge runs.
    rise = places[:, 1] - places[:, 0]
    forward = np.take_along_axis(rise, (rise != 0.0).argmax(axis=1)[:, None], axis=1)[:, 0] > 0.0
    places[~forward] = places[~forward, ::-1]
    heights = edges[:, :, 2].mean(axis=1)
    keys = np.concatenate([places[:, 0], places[:, 1]], axis=1)
    order = np.lexsort((heights, *keys.T))
    # Of all edges at one place in plan, each can belong to the one below or above it.
    below, above = order[:-1], order[1:]
    together = (
        (keys[below] == keys[above]).all(axis=1)
        & (forward[below] != forward[above])
        & (heights[above] - heights[below] <= (np.inf if max_step is None else max_step))
    )
    mates = np.full(len(edges), -1, dtype=np.intp)
    mates[above[together]] = below[together]
    mates[below[together]] = above[together]
    return mates
