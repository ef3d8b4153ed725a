"""Closing gaps: slits in the ground close, and the pieces on both sides become neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.builder.exact.bridges import bridge
from walkmesh.builder.exact.closed_gaps import cut_closed
from walkmesh.builder.exact.holes import fill_holes
from walkmesh.builder.exact.kernels.fans import HEIGHT, KIND, MATE, SOUND, SOURCE, VERTEX
from walkmesh.builder.exact.kernels.gaps import (
    DONE,
    EDGE_CONTRACTIONS,
    FAULT,
    NO_ROOM,
    REFUSED,
    TRIANGLE_COUNT,
    VERTEX_CONTRACTIONS,
    contract_gaps,
)
from walkmesh.builder.exact.kernels.thin import remove_thin
from walkmesh.builder.exact.kernels.tolerances import SLIVER_AREA, STEEPEST, THIN_TRIANGLE
from walkmesh.builder.exact.low_faces import barred_sectors, block_misfits, drop_impassable
from walkmesh.builder.exact.narrow_parts import drop_narrow, drop_shut_off
from walkmesh.builder.exact.solids import drop_undersides
from walkmesh.builder.exact.walls import edge_kinds, split_blocked
from walkmesh.builder.ground import Ground, join, level_mesh, triangulate
from walkmesh.errors import BuildError
from walkmesh.kernels.meshes.kinds import INNER
from walkmesh.triangles import compact, match_triangles, twice_plan_areas

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Ids, Integers, Longs
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Close slits and holes, and bridge gaps; take away what no agent gets past or stands on."""
    ground, faces, agent, losses = build.ground, build.faces, build.agent, build.losses
    method, workers, frame = build.method, build.workers, build.scene.frame
    slit = method.gap_distance
    kinds = edge_kinds(ground, faces, agent, workers)
    ground, kinds = split_blocked(ground, kinds, faces, agent, slit, workers)
    kinds = block_misfits(ground, kinds, faces, agent, slit)
    faced, kinds, narrow = drop_shut_off(ground, kinds, agent, *build.reach)
    losses.check_any(faced.sources)
    closed, contracted = close_gaps(faced, kinds, agent, slit)
    losses.check_any(closed.sources)
    passable, low = drop_impassable(closed, faces, build.rubble, agent, slit)
    losses.check_any(passable.sources)
    kinds = edge_kinds(passable, faces, agent, workers)
    whole, filled = fill_holes(passable, kinds, agent, slit)
    laid, closed_cut = cut_closed(whole, faces, agent, workers)
    ground, undersides = drop_undersides(laid, faces, agent)
    losses.check_any(ground.sources)
    counts = contracted | low | filled | closed_cut | undersides | narrow
    # Before gaps are bridged, while polygons know the faces that they were made from.
    build.barred = barred_sectors(ground, faces, build.rubble, agent, workers)
    if method.bridge_distance:
        bridged, bridges = bridge(ground, faces, agent, method.bridge_distance, workers)
        ground, useless = drop_narrow(bridged, agent)
        losses.check_any(ground.sources)
        counts |= bridges | {name: count + useless[name] for name, count in narrow.items()}
    build.ground = ground
    return build.made(lambda: level_mesh(ground, frame), **counts)


class TriangleGround(NamedTuple):
    """Triangles of the ground, seen in plan, with heights that belong to corners.

    Two treads that share an edge in plan keep their own heights there.
    """

    points: Floats  # (n, 2): plan positions; vertices above each other have different ids [m]
    triangles: Ids  # (m, 3): vertex ids, counter-clockwise in plan, edge-manifold
    heights: Floats  # (m, 3): the height of each corner [m]
    kinds: Bytes  # (m, 3): the kind of the edge that starts at each corner
    sources: Ids  # (m,): what each triangle was made from


def close_gaps(
    ground: Ground, kinds: Bytes, agent: Agent, distance: float
) -> tuple[Ground, dict[str, int]]:
    """Close slits between open boundaries, and between treads that one can step across.

    Parameters
    ----------
    ground : Ground
        Polygons that share vertices and edges.
    kinds : (c,) uint8
        What lies beyond each edge, see :mod:`walkmesh.kernels.meshes.kinds`. Only open edges
        take part.
    distance : float
        The widest slit to close, in plan. [Unit: m]

    Returns
    -------
    Ground
        Of triangles.
    dict of str to int
        Counts: vertex contractions, vertex-edge contractions, contractions refused, thin
        triangles removed, and triangles left out because three of them shared an edge.
    """
    corners = triangulate(ground)
    along = ground.following[corners] == np.roll(corners, -1, axis=1)
    mesh = TriangleGround(
        ground.points,
        ground.vertices[corners],
        ground.heights[corners],
        np.where(along, kinds[corners], INNER).astype(np.uint8),
        ground.sources[ground.owners[corners[:, 0]]],
    )
    steepest = math.tan(math.radians(agent.max_slope))
    mesh, left_out = _without_complex_edges(mesh)
    mesh, counts = contract(mesh, distance, agent.max_step, steepest)
    offsets = np.arange(0, mesh.triangles.size + 1, 3, dtype=np.int32)
    flat = np.ascontiguousarray(mesh.triangles.ravel())
    mates = match_triangles(mesh.triangles)
    closed = join(offsets, mesh.points[flat], mesh.heights.ravel(), mates, mesh.sources)
    return closed, counts | {"triangles_left_out": left_out}


def _without_complex_edges(mesh: TriangleGround) -> tuple[TriangleGround, int]:
    """Leave out triangles at edges that more than two of them share, and count them."""
    left_out = 0
    while True:
        mates = match_triangles(mesh.triangles)
        bad = (mates < -1).reshape(-1, 3).any(axis=1)
        if not bad.any():
            return mesh, left_out
        # Slivers first: without them the large ones at the same edge are mostly sound.
        twice = np.where(bad, twice_plan_areas(mesh.points[mesh.triangles]), np.inf)
        bad &= twice <= max(2.0 * float(twice.min()), SLIVER_AREA)
        left_out += int(np.count_nonzero(bad))
        mesh = TriangleGround(
            mesh.points,
            mesh.triangles[~bad],
            mesh.heights[~bad],
            mesh.kinds[~bad],
            mesh.sources[~bad],
        )


def contract(
    mesh: TriangleGround, distance: float, max_step: float, steepest: float, check: bool = False
) -> tuple[TriangleGround, dict[str, int]]:
    """Close slits by contracting vertices with vertices and edges, the nearest first.

    Parameters
    ----------
    mesh : TriangleGround
        At most two triangles share an edge, and run through it in opposite directions.
    distance : float
        The widest slit to close, in plan. [Unit: m]
    max_step : float
        The largest difference in height across a slit. [Unit: m]
    steepest : float
        The steepest ground, as rise over run.
    check : bool, default False
        Look over the whole mesh after every contraction; for tests.

    Returns
    -------
    TriangleGround
        The mesh without slits; the same one if there was nothing to do.
    dict of str to int
        Counts.

    Raises
    ------
    BuildError
        When an edge is shared by more than two triangles, or run through twice the same way; or
        when `check` finds the mesh broken.
    """
    mates = match_triangles(mesh.triangles)
    if (mates < -1).any():
        raise BuildError("an edge of the ground belongs to more than two triangles")
    work = _WorkingMesh(mesh, mates)
    thin_removed = work.remove_thin(check)
    counts = work.contract_gaps(distance, max_step, min(steepest, STEEPEST), check)
    named = {
        "vertex_contractions": int(counts[VERTEX_CONTRACTIONS]),
        "vertex_edge_contractions": int(counts[EDGE_CONTRACTIONS]),
        "contractions_refused": int(counts[REFUSED]),
        "thin_triangles_removed": thin_removed,
    }
    if counts[VERTEX_CONTRACTIONS] + counts[EDGE_CONTRACTIONS] + thin_removed == 0:
        return mesh, named
    return work.compacted(), named


class _WorkingMesh:
    """The arrays that kernels work on, with room for more triangles."""

    def __init__(self, mesh: TriangleGround, mates: Ids) -> None:
        flat = mesh.triangles.ravel()
        self.used = len(flat)
        room = self.used + _room_for(mates)
        self.points = np.vstack([mesh.points, np.zeros((1, 2))])
        self.corners = np.full((room, 6), -1, dtype=np.int64)
        used = self.corners[: self.used]
        used[:, VERTEX] = flat
        used[:, MATE] = mates
        used[:, KIND] = np.where(mates < 0, mesh.kinds.ravel(), INNER)
        used[:, SOURCE] = np.repeat(mesh.sources, 3)
        self.places = np.zeros((room, 3))
        self.places[: self.used, HEIGHT] = mesh.heights.ravel()
        self.places[: self.used, HEIGHT + 1 :] = mesh.points[flat]

    def remove_thin(self, check: bool) -> int:
        """Remove thin triangles, and return how many."""
        counts = np.zeros(1, dtype=np.int64)
        corners, places = self.corners[: self.used], self.places[: self.used]
        fault = remove_thin(self.points, corners, places, THIN_TRIANGLE, int(check), counts)
        if fault != SOUND:
            raise BuildError(f"removing thin triangles broke the mesh (fault {fault})")
        return int(counts[0])

    def contract_gaps(
        self, distance: float, max_step: float, steepest: float, check: bool
    ) -> Longs:
        """Close slits, and return the counts of the kernel."""
        counts = np.zeros(4, dtype=np.int64)
        while True:
            counts[TRIANGLE_COUNT] = self.used // 3
            status = contract_gaps(
                self.points, self.corners, self.places, distance, max_step, steepest, int(check),
                counts,
            )  # fmt: skip
            if status == DONE:
                return counts
            if status != NO_ROOM:
                raise BuildError(f"closing gaps broke the mesh (fault {status - FAULT})")
            self._make_room()

    def compacted(self) -> TriangleGround:
        """Return the mesh without what is gone."""
        self._compact()
        return TriangleGround(
            *compact(self.points, self.corners[:, VERTEX].astype(np.int32).reshape(-1, 3)),
            self.places[:, HEIGHT].reshape(-1, 3).copy(),
            self.corners[:, KIND].astype(np.uint8).reshape(-1, 3),
            self.corners[::3, SOURCE].astype(np.int32),
        )

    def _compact(self) -> None:
        """Drop the triangles that are gone, and the room for more."""
        kept = np.flatnonzero(self.corners[:, VERTEX] >= 0)
        renumbered = np.full(len(self.corners) + 1, -1, dtype=np.int64)
        renumbered[kept] = np.arange(len(kept))
        self.corners, self.places = self.corners[kept], self.places[kept]
        self.corners[:, MATE] = renumbered[self.corners[:, MATE]]  # -1 stays -1
        self.used = len(kept)

    def _make_room(self) -> None:
        """Make room for more triangles."""
        self._compact()
        room = _room_for(self.corners[:, MATE])
        self.corners = np.vstack([self.corners, np.full((room, 6), -1, dtype=np.int64)])
        self.places = np.vstack([self.places, np.zeros((room, 3))])


def _room_for(mates: Integers) -> int:
    """Return room for as many more triangles as there are boundary edges, in corners."""
    return 3 * (int(np.count_nonzero(mates < 0)) + 16)
