"""What several rings fill together, by the rules that drawings have for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.io.drawing import Shape, check_coordinates, polygon_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats


def filled_shapes(
    rings: Sequence[Floats], layers: tuple[str, ...], *, even_odd: bool
) -> list[Shape]:
    """Return the polygons that closed (n, 2) rings fill together.

    With `even_odd` that is filled which is inside an odd number of times; otherwise, what rings go
    around more often one way than the other.
    """
    for ring in rings:
        check_coordinates(ring)
    areas = [ring for ring in rings if len(np.unique(ring, axis=0)) >= 3]
    flat = [ring for ring in rings if len(np.unique(ring, axis=0)) < 3]
    shapes = [shape for ring in flat for shape in polygon_shape([ring], None, layers)]
    if len(areas) == 1:
        return polygon_shape(areas, None, layers) + shapes
    if not areas:
        return shapes
    polygons = shapely.polygons([shapely.linearrings(ring) for ring in areas])
    borders = shapely.union_all(shapely.boundary(polygons))
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(borders)))
    winding = _winding(shapely.point_on_surface(faces), polygons)
    inside = winding % 2 == 1 if even_odd else winding != 0
    parts = shapely.get_parts(shapely.union_all(faces[inside]))
    return [Shape(part, None, layers) for part in parts if part.area > 0.0] + shapes


def _winding(points: NDArray[np.object_], polygons: NDArray[np.object_]) -> NDArray[np.int64]:
    """Return how often all polygons' outlines together go around each point."""
    winding = np.zeros(len(points), dtype=np.int64)
    is_simple = shapely.is_valid(polygons)
    turns = np.where(shapely.is_ccw(shapely.get_exterior_ring(polygons)), 1, -1)
    simple = np.flatnonzero(is_simple)
    at, inside = shapely.STRtree(polygons[simple]).query(points, predicate="within")
    np.add.at(winding, at, turns[simple][inside])
    crossed = np.flatnonzero(~is_simple)
    at, boxed = shapely.STRtree(polygons[crossed]).query(points)
    for point, ring in zip(at.tolist(), crossed[boxed].tolist(), strict=True):
        winding[point] += _turns(points[point], shapely.get_coordinates(polygons[ring]))
    return winding


def _turns(point: shapely.Point, ring: Floats) -> int:
    """Return how often a ring that crosses itself goes around a point, counter-clockwise."""
    (x, y), (x_next, y_next) = (ring[:-1] - point.coords[0]).T, (ring[1:] - point.coords[0]).T
    is_left = x * y_next - x_next * y > 0.0
    rises, falls = (y <= 0.0) & (y_next > 0.0), (y > 0.0) & (y_next <= 0.0)
    return int(np.count_nonzero(rises & is_left) - np.count_nonzero(falls & ~is_left))
