"""Well-known text: geometries, one after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from walkmesh.errors import SceneError
from walkmesh.io.drawing import Drawing, line_shape, polygon_shape
from walkmesh.io.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.io.drawing import Shape

_ENDS = re.compile(r"[()]|\bEMPTY\b", re.IGNORECASE)
_SPATIAL_REFERENCE = re.compile(r"[\s;]*(SRID=\d+;)?\s*", re.IGNORECASE)
# GEOS reads collections in collections by recursion, in which it would crash.
_DEEPEST = 64


def read_wkt(data: bytes, scale: float) -> Drawing:
    r"""Read polygons and lines; points are passed over, and geometries may go over several lines.

    Examples
    --------
    >>> read_wkt(b"POLYGON ((0 0, 3 0, 3 2, 0 0))\nLINESTRING (1 0, 1 1)", 1.0).shapes[1].geometry
    <LINESTRING (1 0, 1 1)>
    """
    text = data.decode("utf-8", "replace")
    shapes: list[Shape] = []
    for start, end in _geometries(text):
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                geometry = shapely.from_wkt(text[start:end])
        except (shapely.errors.ShapelyError, NotImplementedError) as error:
            reason = " ".join(str(error).split()).removeprefix("ParseException: ")
            line, what = text.count("\n", 0, start) + 1, shown(text[start:end])
            raise SceneError(f"line {line}: {what} is not readable WKT: {reason}") from None
        shapes += _shapes(geometry, scale)
    return Drawing(shapes)


def _geometries(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each geometry starts and ends: with its last parenthesis, or the word EMPTY."""
    depth, start = 0, _start(text, 0)
    for found in _ENDS.finditer(text):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if depth > _DEEPEST:
            raise SceneError(f"its geometries are nested more than {_DEEPEST} deep")
        if depth <= 0:
            yield start, found.end()
            depth, start = 0, _start(text, found.end())
    if start < len(text):
        yield start, len(text)


def _start(text: str, place: int) -> int:
    """Return where the next geometry starts, after blanks and a spatial reference."""
    found = _SPATIAL_REFERENCE.match(text, place)
    return found.end() if found else place


def _shapes(geometry: Any, scale: float) -> Iterator[Shape]:
    """Yield the polygons and lines of a geometry in metres."""
    if geometry.geom_type.startswith(("Multi", "GeometryCollection")):
        for part in geometry.geoms:
            yield from _shapes(part, scale)
    elif geometry.geom_type == "Polygon":
        rings = (geometry.exterior, *geometry.interiors)
        yield from polygon_shape([shapely.get_coordinates(ring) * scale for ring in rings])
    elif geometry.geom_type == "LinearRing":
        yield from polygon_shape([shapely.get_coordinates(geometry) * scale])
    elif geometry.geom_type == "LineString":
        yield from line_shape(shapely.get_coordinates(geometry) * scale)
