"""Violations of polygons at any angle: flat, in sheets that neither tear nor lie on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.polygon_layers import SurfacePolygons
from walkmesh.ragged import offsets_of
from walkmesh.tolerances import LINK_SLACK, SAME_WAY
from walkmesh.topology import corner_polygons
from walkmesh.validate.shapes import bad_shapes, polygon_at
from walkmesh.validate.t_junctions import t_junctions
from walkmesh.validate.violation import Violation, at_corner, overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Sheets:
    """The polygons of a surface under validation.

    Attributes
    ----------
    polygons : SurfacePolygons
    wrong : list of Violation
        Of shapes.
    """

    polygons: SurfacePolygons
    wrong: list[Violation]

    @classmethod
    def of(cls, navmesh: NavMesh, usable: NDArray[np.bool_]) -> Sheets:
        """Look at the polygons of a navmesh."""
        polygons = SurfacePolygons.of(navmesh, usable)
        misshapen = bad_shapes(navmesh, usable, polygons.shapes, polygons.places)
        return cls(polygons, [*misshapen, *_bent(polygons)])

    def t_junctions(self, mates: Ids) -> Iterator[Violation]:
        """Find vertices inside edges of sheets that face the same way.

        A fin that stands on a floor, and the back of a thin sheet, may touch what they are not
        connected with.
        """
        navmesh, normals = self.polygons.navmesh, self.polygons.normals
        corners = navmesh.polygon_vertices
        order = np.argsort(corners, kind="stable")

        def together(vertex: int, edge: list[int]) -> bool:
            first, last = np.searchsorted(corners, [vertex, vertex + 1], sorter=order)
            at_vertex = corner_polygons(navmesh)[order[first:last]]
            at_edge = corner_polygons(navmesh)[edge]
            facing = normals[at_vertex] @ normals[at_edge].T
            return bool((facing > SAME_WAY).any())

        return t_junctions(navmesh, self.polygons.usable, mates, self.polygons.points, together)

    def overlaps(self) -> Iterator[Violation]:
        """Find polygons of the right shape that face the same way and lie over each other."""
        for lower, higher in np.unique(np.sort(self.polygons.layers(), axis=1), axis=0):
            yield overlap(self.polygons.navmesh, lower, higher)

    def off_ground(self, place: Floats, polygon: int) -> str | None:
        """Tell how far a place in world coordinates is off a polygon; None if it is on it."""
        of = self.polygons
        if not of.sound[polygon]:  # of which other violations tell
            return None
        corners = polygon_at(of.navmesh, of.navmesh.polygon_offsets[polygon])
        away = _distance(of.points[corners], of.normals[polygon], place)
        return f"{away:.3g} m off" if away > LINK_SLACK else None


def _bent(polygons: SurfacePolygons) -> Iterator[Violation]:
    """Find polygons with a corner off their plane, among those that are shaped right."""
    navmesh = polygons.navmesh
    offsets = offsets_of(np.diff(navmesh.polygon_offsets)[polygons.usable])
    for polygon in np.flatnonzero(polygons.bent):
        start, stop = offsets[polygon], offsets[polygon + 1]
        corner = start + polygons.off[start:stop].argmax()
        rest = f"starts {polygons.off[corner]:.3g} m off the plane; {polygons.allowed:g} m are flat"
        yield at_corner(navmesh, "not flat", polygons.places[corner], rest)


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
