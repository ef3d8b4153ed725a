"""Drawings: shapes that a file shows, and the floor plan that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from walkmesh.arguments import FARTHEST
from walkmesh.errors import SceneError
from walkmesh.floor_plan import FloorPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
