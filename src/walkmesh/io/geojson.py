"""GeoJSON: features of a plan, or of the storeys of a building."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.drawing import (
    BOUNDARY,
    OBSTACLE,
    ROLES,
    WALL,
    Drawing,
    Shape,
    line_shape,
    polygon_shape,
)
from walkmesh.io.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.arrays import Floats

_COLLECTIONS = ("MultiPolygon", "MultiLineString")


class Feature(NamedTuple):
    """A feature that has shapes.

    Attributes
    ----------
    name : str
        As errors call it.
    shapes : list of Shape
        In metres.
    level : float or None
        The storey that it is part of.
    height : float or None
        How high that storey lies. [Unit: m]
    stairs : (float, float) or None
        The levels that it leads between, if it is a flight of stairs.
    """

    name: str
    shapes: list[Shape]
    level: float | None
    height: float | None
    stairs: tuple[float, float] | None


def read_geojson(data: bytes, scale: float) -> Drawing:
    """Read the polygons and lines of one floor; points are passed over."""
    return drawing_of(read_features(data, scale))


def drawing_of(features: list[Feature]) -> Drawing:
    """Return the features of one floor as a drawing.

    Its heights are those of features that have a level; the height of a feature without one may
    as well be how tall it is.
    """
    levels = {f.level for f in features if f.level is not None}
    if len(levels) > 1 or any(f.stairs for f in features):
        raise SceneError("it has several levels; load_building reads it")
    shapes = [shape for feature in features for shape in feature.shapes]
    on_level = (feature.height for feature in features if feature.level is not None)
    return Drawing(shapes, frozenset(height for height in on_level if height is not None))


def read_features(data: bytes, scale: float) -> list[Feature]:
    """Read all features that have polygons or lines."""
    try:
        tree = json.loads(data)
    except RecursionError:
        raise SceneError("its JSON is nested too deeply") from None
    except ValueError as error:
        raise SceneError(f"its JSON cannot be read: {error}") from None
    if not isinstance(tree, dict):
        raise SceneError(f"its JSON is {shown(tree)}; GeoJSON is an object with a 'type'")
    entries: Any
    if tree.get("type") != "FeatureCollection":
        entries = [tree if tree.get("type") == "Feature" else {"geometry": tree}]
    else:
        entries = tree.get("features")
        if not isinstance(entries, list):
            raise SceneError("its FeatureCollection has no list of 'features'")
    features = (_feature(f"feature {i}", entry, scale) for i, entry in enumerate(entries))
    return [feature for feature in features if feature.shapes]


def _feature(name: str, entry: Any, scale: float) -> Feature:
    if not isinstance(entry, dict):
        raise SceneError(f"{name} is {shown(entry)}; it must be an object")
    properties = entry.get("properties") or {}
    if not isinstance(properties, dict):
        raise SceneError(f"{name} has the properties {shown(properties)}; they must be an object")
    role = _role(name, properties)
    geometry = entry.get("geometry")
    try:
        shapes = [] if geometry is None else [*_shapes(name, geometry, role, scale)]
    except SceneError as error:
        reason = str(error)
        raise SceneError(reason if reason.startswith(name) else f"{name}: {reason}") from None
    height = _number(name, properties, "height")
    return Feature(
        name,
        shapes,
        _number(name, properties, "level"),
        None if height is None else height * scale,
        _stairs(name, properties),
    )


def _shapes(name: str, geometry: Any, role: str | None, scale: float) -> Iterator[Shape]:
    """Yield the shapes of a geometry in metres."""
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if kind == "GeometryCollection":
        for part in _list(name, geometry.get("geometries")):
            yield from _shapes(name, part, role, scale)
        return
    if kind in ("Point", "MultiPoint"):
        return
    if kind not in (*_COLLECTIONS, "Polygon", "LineString"):
        raise SceneError(
            f"{name} has a geometry of type {shown(kind)}, which GeoJSON does not define"
        )
    coordinates = _list(name, geometry.get("coordinates"))
    for part in coordinates if kind in _COLLECTIONS else [coordinates]:
        if kind.endswith("Polygon"):
            rings = [_points(name, ring) * scale for ring in _list(name, part)]
            if rings:
                yield from polygon_shape(rings, role)
        elif role == BOUNDARY:
            raise SceneError(f"{name} is a line; a floor must be a polygon")
        else:
            yield from line_shape(_points(name, part) * scale, WALL if role else None)


def _role(name: str, properties: dict[str, Any]) -> str | None:
    """Return what a feature says it is."""
    role, walkable = properties.get("role"), properties.get("walkable")
    if role is not None and role not in ROLES:
        raise SceneError(f"{name} has the role {shown(role)}; roles are {', '.join(ROLES)}")
    if walkable is not None and not isinstance(walkable, bool):
        raise SceneError(f"{name} has walkable {shown(walkable)}; it is true or false")
    if role is None and walkable is not None:
        return BOUNDARY if walkable else OBSTACLE
    return role


def _number(name: str, properties: dict[str, Any], key: str) -> float | None:
    value = properties.get(key)
    if value is None:
        return None
    if not _is_number(value):
        raise SceneError(f"{name} has the {key} {shown(value)}; it must be a finite number")
    return float(value)


def _stairs(name: str, properties: dict[str, Any]) -> tuple[float, float] | None:
    value = properties.get("stairs")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        raise SceneError(f"{name} has stairs {shown(value)}; they must be the two levels' numbers")
    return float(value[0]), float(value[1])


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e300 and math.isfinite(value)


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise SceneError(f"{name} has {shown(value)} where its coordinates should be a list")
    return value


def _points(name: str, values: Any) -> Floats:
    """Return positions as (n, 2) float64, without their heights."""
    try:
        points = np.array([[x, y] for x, y, *_ in _list(name, values)])
    except (TypeError, ValueError):
        points = np.array("no numbers")
    if len(values) and (points.dtype.kind not in "iuf" or points.shape != (len(values), 2)):
        raise SceneError(f"{name} has a position that is not at least two numbers")
    return points.astype(np.float64).reshape(-1, 2)
