"""The polygons of a surface, at any angle: flat, and in sheets that do not lie on each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import find_all
from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.kernels.geometry import layers
from walkmesh.polygon_planes import Planes
from walkmesh.polygon_shapes import Shapes, finite_points, subset
from walkmesh.tolerances import (
    FLAT,
    FOLDED,
    SAME_LAYER,
    SAME_WAY,
    STEP_FOLD,
    STEP_WIDTH,
    headroom,
)
from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True, eq=False)
class SurfacePolygons:
    """The polygons of a surface, each in its own plane.

    Attributes
    ----------
    navmesh : NavMesh
    usable : (p,) bool
        Which polygons have all their corners at finite places.
    points : (n, 3) float64
        The vertices in world coordinates. [Unit: m]
    places : (c,) int32
        Where the corners of usable polygons are among those of the navmesh.
    shapes : Shapes
        Of the usable polygons.
    off : (c,) float64
        How far these corners are off the planes of their polygons. [Unit: m]
    allowed : float
        How far they may be. [Unit: m]
    bent : (u,) bool
        Which of the usable polygons have the right shape in plan, but a corner too far off.
    """

    navmesh: NavMesh
    usable: NDArray[np.bool_]
    points: Floats
    places: Ids
    shapes: Shapes
    off: Floats
    allowed: float
    bent: NDArray[np.bool_]

    @classmethod
    def of(cls, navmesh: NavMesh, usable: NDArray[np.bool_]) -> SurfacePolygons:
        """Look at the polygons of a navmesh."""
        points = finite_points(navmesh)
        offsets, corners, places = subset(navmesh, usable)
        planes = Planes.of(points, offsets, corners)
        local = planes.local(points)
        shapes = Shapes.of(offsets, local[:, :2])
        allowed = FLAT + _height_tolerance(navmesh)
        # What has no area has no plane either, and may seem to be off any.
        bent = ~shapes.wrong & (planes.bends(local) > allowed)
        return cls(navmesh, usable, points, places, shapes, np.abs(local[:, 2]), allowed, bent)

    @cached_property
    def sound(self) -> NDArray[np.bool_]:
        """(p,) bool: which polygons are usable and have the right shape."""
        sound = self.usable.copy()
        sound[self.usable] = ~(self.shapes.wrong | self.bent)
        return sound

    @cached_property
    def normals(self) -> Floats:
        """(p, 3) float64: normals, zeros for polygons that are not usable."""
        normals = np.zeros((self.navmesh.polygon_count, 3))
        offsets, corners, _ = subset(self.navmesh, self.usable)
        normals[self.usable] = Planes.of(self.points, offsets, corners).normals
        return normals

    def layers(self) -> NDArray[np.intp]:
        """(k, 2) int: pairs of sound polygons that face the same way and lie over each other."""
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


def _height_tolerance(navmesh: NavMesh) -> float:
    """Return by how much the build was allowed to move ground, in metres; 0 if that is unknown."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    tolerance = settings.get("height_tolerance", 0.0)
    return float(tolerance) if isinstance(tolerance, int | float) and tolerance > 0.0 else 0.0


def find_layers(
    points: Floats, offsets: Ids, corners: Ids, heights: Floats, least: int = 0
) -> NDArray[np.int32]:
    """Find polygons that face the same way and lie over each other, too close.

    Polygons are ragged, convex and flat; others must be (p,) `heights` above them, along their
    normals. [Unit: m] Returns (k, 2) pairs, the lower polygon first, of which at least one has the
    number `least` or a higher one.
    """
    planes = Planes.of(points, offsets, corners)
    local = planes.local(points)
    polygons = (
        points, offsets, corners, planes.normals, planes.middles, planes.radii(local),
        planes.bends(local),
    )  # fmt: skip
    places = points[corners]
    lows, highs = (ends.reduceat(places, offsets[:-1]) for ends in (np.minimum, np.maximum))
    tree = BoxTree.around(np.concatenate([lows, highs], axis=1))

    def search(start: int, stop: int) -> NDArray[np.int32]:
        return find_all(
            lambda found: layers.find_layers(
                polygons, tree.arrays, start, stop, heights, SAME_WAY, FOLDED, least, found
            )
        )

    pairs = [found for _, found in in_chunks(len(offsets) - 1, search)]
    return np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])
