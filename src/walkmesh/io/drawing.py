"""Drawings: shapes that a file shows, what they fill, and the floor plan that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from walkmesh.arguments import FARTHEST
from walkmesh.errors import SceneError
from walkmesh.floor_plan import FloorPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

BOUNDARY, OBSTACLE, WALL = ROLES = ("boundary", "obstacle", "wall")

# Copies of a few lines can make any number of points.
_MOST_POINTS = 20_000_000


class Shape(NamedTuple):
    """A shape of a drawing.

    Attributes
    ----------
    geometry : shapely.Polygon or shapely.LineString
        [Unit: m]
    role : {"boundary", "obstacle", "wall"} or None
        What it is, if the file says so.
    layers : tuple of str
        The layers, and groups within them, that it is part of.
    """

    geometry: Any
    role: str | None = None
    layers: tuple[str, ...] = ()


class Drawing(NamedTuple):
    """What a file shows.

    Attributes
    ----------
    shapes : list of Shape
    heights : frozenset of float
        Those that the file gives for its floor. [Unit: m]
    passed_over : tuple of tuple of str
        The layers of each shape of a kind that is not read.
    """

    shapes: list[Shape]
    heights: frozenset[float] = frozenset()
    passed_over: tuple[tuple[str, ...], ...] = ()


def line_shape(
    points: Floats, role: str | None = None, layers: tuple[str, ...] = ()
) -> list[Shape]:
    """Return the line through (n, 2) points as a shape; none if it is but a point."""
    check_coordinates(points)
    if len(points) < 2 or np.all(points == points[0]):
        return []
    return [Shape(shapely.LineString(points), role, layers)]


def polygon_shape(
    rings: Sequence[Floats], role: str | None = None, layers: tuple[str, ...] = ()
) -> list[Shape]:
    """Return an outline and its holes, each (n, 2) corners, as a polygon; as lines without area."""
    for ring in rings:
        check_coordinates(ring)
    outline, *holes = rings
    if len(np.unique(outline, axis=0)) >= 3:
        polygon = shapely.Polygon(outline, [hole for hole in holes if len(hole) >= 3])
        if polygon.area > 0.0 or shapely.make_valid(polygon).area > 0.0:
            return [Shape(polygon, role, layers)]
    return [shape for ring in rings for shape in line_shape(ring, role, layers)]


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


def check_coordinates(points: Floats, most: float = FARTHEST) -> None:
    """Raise SceneError for coordinates in metres that are not finite, or absurd."""
    farthest = np.abs(points).max(initial=0.0)
    if not np.isfinite(farthest):
        raise SceneError("it has a coordinate that is not finite")
    if farthest > most:
        raise SceneError(f"it has a coordinate of {farthest:g} m; at most {most:g} m are read")


def check_size(points: int) -> None:
    """Raise SceneError for more points than are read."""
    if points > _MOST_POINTS:
        raise SceneError(f"it has more than the {_MOST_POINTS} points that are read")


def plan_of(drawing: Drawing, height: float | None = None) -> FloorPlan:
    """Return the floor plan that a drawing makes, at the height of the drawing or at another.

    If none says what it is, :meth:`FloorPlan.of_shapes` tells; otherwise polygons that do not say
    are obstacles. Lines are walls, and so are the outlines of polygons that say so.
    """
    shapes, passed_over = drawing.shapes, len(drawing.passed_over)
    if not shapes:
        others = f", and {passed_over} of its shapes cannot be read" if passed_over else ""
        raise SceneError(f"it has no polygons and no lines{others}")
    if height is None:
        height = one_height(drawing.heights, 0.0)
    if all(shape.role is None for shape in shapes):
        polygons = [s.geometry for s in shapes if s.geometry.geom_type == "Polygon"]
        lines = [s.geometry for s in shapes if s.geometry.geom_type != "Polygon"]
        return FloorPlan.of_shapes(
            _without_repetition(polygons), lines, height=height, passed_over=passed_over
        )
    floors, blocks, walls = [], [], []
    for shape in shapes:
        if shape.geometry.geom_type != "Polygon":
            walls.append(shape.geometry)
        elif shape.role == BOUNDARY:
            floors.append(shape.geometry)
        elif shape.role == WALL:
            walls += _rings(shape.geometry)
        else:
            blocks.append(shape.geometry)
    return FloorPlan(floors or None, blocks, walls, height=height, passed_over=passed_over)


def one_height(heights: frozenset[float], default: float) -> float:
    """Return the height that a file gives for a floor, or else a default."""
    if len(heights) > 1:
        raise SceneError(f"it has the heights {min(heights):g} and {max(heights):g} for one floor")
    return next(iter(heights), default)


def _without_repetition(polygons: list[Any]) -> list[Any]:
    """Return each polygon once: what is outlined and then filled is one thing."""
    seen = {shapely.normalize(polygon).wkb: polygon for polygon in reversed(polygons)}
    return list(seen.values())[::-1]


def _rings(polygon: shapely.Polygon) -> Iterator[shapely.LineString]:
    yield from (shapely.LineString(ring) for ring in (polygon.exterior, *polygon.interiors))
