"""Polygons at any angle: flat, and in sheets that neither tear nor lie on each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.polygon_planes import Planes
from walkmesh.topology import corner_polygons
from walkmesh.validate.kernels import layers
from walkmesh.validate.polygons import finite_points, polygon_at, subset
from walkmesh.validate.shapes import bad_shapes, without
from walkmesh.validate.t_junctions import t_junctions
from walkmesh.validate.tolerances import (
    FLAT,
    FOLDED,
    LINK_SLACK,
    SAME_LAYER,
    SAME_WAY,
    STEP_FOLD,
    STEP_WIDTH,
    headroom,
)
from walkmesh.validate.violation import Violation, at_corner, overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Sheets:
    """The polygons of a surface, each in its own plane.

    Attributes
    ----------
    navmesh : NavMesh
    usable, sound : (p,) bool
        Which polygons have all their corners at finite places, and which have the right shape, too.
    points : (n, 3) float64
        The vertices in world coordinates. [Unit: m]
    wrong : list of Violation
        Of shapes.
    """

    navmesh: NavMesh
    usable: NDArray[np.bool_]
    sound: NDArray[np.bool_]
    points: Floats
    wrong: list[Violation]

    @classmethod
    def of(cls, navmesh: NavMesh, usable: NDArray[np.bool_]) -> Sheets:
        """Look at the polygons of a navmesh."""
        points = finite_points(navmesh)
        offsets, corners, places = subset(navmesh, usable)
        planes = Planes.of(points, offsets, corners)
        local = planes.local(points)
        wrong = list(bad_shapes(navmesh, usable, local[:, :2]))
        # What has no area has no plane either, and may seem to be off any.
        shaped = without(usable, wrong)[usable]
        wrong += _bent(navmesh, planes, local, places, shaped)
        return cls(navmesh, usable, without(usable, wrong), points, wrong)

    @cached_property
    def normals(self) -> Floats:
        """(p, 3) float64: normals, zeros for polygons that are not usable."""
        normals = np.zeros((self.navmesh.polygon_count, 3))
        offsets, corners, _ = subset(self.navmesh, self.usable)
        normals[self.usable] = Planes.of(self.points, offsets, corners).normals
        return normals

    def t_junctions(self, mates: Ids) -> Iterator[Violation]:
        """Find vertices inside edges of sheets that face the same way.

        A fin that stands on a floor, and the back of a thin sheet, may touch what they are not
        connected with.
        """
        corners = self.navmesh.polygon_vertices
        order = np.argsort(corners, kind="stable")

        def together(vertex: int, edge: list[int]) -> bool:
            first, last = np.searchsorted(corners, [vertex, vertex + 1], sorter=order)
            at_vertex = corner_polygons(self.navmesh)[order[first:last]]
            at_edge = corner_polygons(self.navmesh)[edge]
            facing = self.normals[at_vertex] @ self.normals[at_edge].T
            return bool((facing > SAME_WAY).any())

        return t_junctions(self.navmesh, self.usable, mates, self.points, together)

    def overlaps(self) -> Iterator[Violation]:
        """Find polygons of the right shape that face the same way and lie over each other."""
        for lower, higher in np.unique(np.sort(self.layers(), axis=1), axis=0):
            yield overlap(self.navmesh, lower, higher)

    def layers(self) -> NDArray[np.intp]:
        """(k, 2) int: pairs of such polygons, the lower first."""
        offsets, corners, _ = subset(self.navmesh, self.sound)
        pairs = find_layers(self.points, offsets, corners, self._headroom()[self.sound])
        return np.flatnonzero(self.sound)[pairs]

    def _headroom(self) -> Floats:
        """(p,) float64: how far above each polygon others must be. [Unit: m].

        Steps are walked over, not stood on: nothing needs to fit above a riser, straight out from
        it. All that is asked of one is that it is not there twice.
        """
        navmesh, agent = self.navmesh, self.navmesh.agent
        heights = np.full(navmesh.polygon_count, headroom(agent))
        offsets, corners, _ = subset(navmesh, self.usable)
        planes = Planes.of(self.points, offsets, corners)
        narrow = np.zeros(navmesh.polygon_count, dtype=bool)
        narrow[self.usable] = (
            planes.widths(planes.local(self.points)) <= STEP_WIDTH * agent.max_step
        )
        neighbors = navmesh.neighbors
        valid = (neighbors >= 0) & (neighbors < navmesh.polygon_count)
        owners = corner_polygons(navmesh)[valid]
        facing = (self.normals[owners] * self.normals[neighbors[valid]]).sum(axis=1)
        folded = np.zeros(navmesh.polygon_count, dtype=bool)
        folded[owners[facing < STEP_FOLD]] = True
        heights[narrow & folded] = min(SAME_LAYER, headroom(agent))
        return heights

    def off_ground(self, place: Floats, polygon: int) -> str | None:
        """Tell how far a place in world coordinates is off a polygon; None if it is on it."""
        if not self.sound[polygon]:  # of which other violations tell
            return None
        corners = polygon_at(self.navmesh, self.navmesh.polygon_offsets[polygon])
        away = _distance(self.points[corners], self.normals[polygon], place)
        return f"{away:.3g} m off" if away > LINK_SLACK else None


def _bent(
    navmesh: NavMesh, planes: Planes, local: Floats, places: Ids, shaped: NDArray[np.bool_]
) -> Iterator[Violation]:
    """Find polygons with a corner off their plane, among those that are shaped right.

    Parameters
    ----------
    navmesh : NavMesh
    planes : Planes
        Of the polygons.
    local : (c, 3) float64
        Their corners in the frames of the planes. [Unit: m]
    places : (c,) int32
        Where these corners are among those of the navmesh.
    shaped : (p,) bool
        Which of the polygons to look at.
    """
    allowed = FLAT + _height_tolerance(navmesh)
    off = np.abs(local[:, 2])
    for polygon in np.flatnonzero(shaped & (planes.bends(local) > allowed)):
        start, stop = planes.offsets[polygon], planes.offsets[polygon + 1]
        corner = start + off[start:stop].argmax()
        rest = f"starts {off[corner]:.3g} m off the plane; {allowed:g} m are flat"
        yield at_corner(navmesh, "not flat", places[corner], rest)


def _height_tolerance(navmesh: NavMesh) -> float:
    """Return by how much the build was allowed to move ground, in metres; 0 if that is unknown."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    tolerance = settings.get("height_tolerance", 0.0)
    return float(tolerance) if isinstance(tolerance, int | float) and tolerance > 0.0 else 0.0


def find_layers(
    points: Floats, offsets: Ids, corners: Ids, heights: Floats, least: int = 0
) -> NDArray[np.int32]:
    """Find polygons that face the same way and lie over each other, too close.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        Ragged polygons, convex and flat.
    heights : (p,) float64
        How far above each polygon others must be, along its normal. [Unit: m]
    least : int, default 0
        Of each pair, one polygon at least has this number or a higher one.

    Returns
    -------
    (k, 2) int32
        Pairs, the lower polygon first.
    """
    planes = Planes.of(points, offsets, corners)
    local = planes.local(points)
    radii, bends = planes.radii(local), planes.bends(local)
    places = points[corners]
    lows, highs = (ends.reduceat(places, offsets[:-1]) for ends in (np.minimum, np.maximum))
    tree = BoxTree.around(np.concatenate([lows, highs], axis=1))

    def search(start: int, stop: int) -> NDArray[np.int32]:
        found = np.empty((64, 2), dtype=np.int32)
        while True:
            count = layers.find_layers(
                points, offsets, corners, planes.normals, planes.middles, radii, bends,
                tree.boxes, tree.order, tree.nodes, start, stop, heights, SAME_WAY, FOLDED, least,
                found,
            )  # fmt: skip
            if count <= len(found):
                return found[:count]
            found = np.empty((count, 2), dtype=np.int32)

    pairs = [found for _, found in in_chunks(len(offsets) - 1, search)]
    return np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])


def _distance(corners: Floats, normal: Floats, place: Floats) -> float:
    """Return how far a place is from a convex polygon of (k, 3) corners, in metres."""
    local = corners - place
    edges = np.roll(local, -1, axis=0) - local
    if (np.cross(local, edges) @ normal >= 0.0).all():
        return float(abs(local.mean(axis=0) @ normal))
    square = (edges**2).sum(axis=1)
    along = -(local * edges).sum(axis=1)
    share = np.divide(along, square, out=np.zeros_like(along), where=square > 0.0)
    nearest = local + np.clip(share, 0.0, 1.0)[:, None] * edges
    return float(np.linalg.norm(nearest, axis=1).min())
