"""Floor plans and buildings from files."""

from __future__ import annotations

import codecs
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.building import Building, Stairs
from walkmesh.errors import SceneError, SettingsError
from walkmesh.files import as_path, naming, read_bytes
from walkmesh.io.drawing import Drawing, one_height, plan_of
from walkmesh.io.dxf import read_dxf
from walkmesh.io.geojson import drawing_of, read_features, read_geojson
from walkmesh.io.images import IMAGE_SUFFIXES, read_image
from walkmesh.io.movingai import read_map
from walkmesh.io.ros_map import read_ros_map
from walkmesh.io.scenes import checked_scale
from walkmesh.io.svg import read_svg
from walkmesh.io.wkt import read_wkt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike
    from pathlib import Path

    from walkmesh.floor_plan import FloorPlan
    from walkmesh.io.geojson import Feature

# By suffix, what reads the bytes of a file in units of so many metres, or raises SceneError.
_READERS: dict[str, Callable[[bytes, float], Drawing]] = {
    ".geojson": read_geojson,
    ".json": read_geojson,
    ".wkt": read_wkt,
    ".svg": read_svg,
    ".dxf": read_dxf,
    ".map": read_map,
    **dict.fromkeys(IMAGE_SUFFIXES, read_image),
}
_ROS_SUFFIXES = (".yaml", ".yml")  # which name an image in their folder
PLAN_SUFFIXES = (*_READERS, *_ROS_SUFFIXES)
# By suffix, what makes names of layers the same that the format does not tell apart.
_LAYER_KEYS: dict[str, Callable[[str], str]] = {".svg": str, ".dxf": str.casefold}
_BUILDING_SUFFIXES = (".geojson", ".json")

_SHOWN = 20  # layers that an error names


def load_plan(
    path: str | PathLike[str],
    *,
    scale: float = 1.0,
    height: float | None = None,
    layers: str | Sequence[str] | None = None,
) -> FloorPlan:
    r"""Read a floor plan from a file.

    Parameters
    ----------
    path : str or path
        A file of a known format, by its suffix: drawings (``.geojson``, ``.json``, ``.wkt``,
        ``.svg``, ``.dxf``), grids (``.map`` of MovingAI), images whose white pixels are free
        (``.png``, ``.pgm``, ``.bmp``, ``.tif``, ``.jpg``), and maps of ROS (``.yaml``, ``.yml``).
    scale : float, default 1.0
        How many metres one unit of the file, one cell or one pixel is; where the file says how
        large it is (``$INSUNITS`` of DXF, the resolution of ROS), that is multiplied by it.
        [Limit: > 0]
    height : float, optional
        How high the floor lies; by default as high as the level of a GeoJSON file says that it
        does, and at 0 in all others. [Unit: m]
    layers : str or sequence of str, optional
        Layers to read, of SVG and DXF; all by default. A group of an SVG is a layer too, by its
        label or its id. DXF does not tell capitals from small letters.

    Returns
    -------
    FloorPlan
        Its ``passed_over`` tells how many shapes of the file are of a kind that is not read.

    Raises
    ------
    SceneError
        Naming the file, when it cannot be read or shows no floor plan.
    SettingsError
        When `scale` is impossible, or the format has no layers.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "room.wkt"
    ...     _ = file.write_text("POLYGON ((0 0, 800 0, 800 500, 0 500, 0 0))\n")
    ...     load_plan(file, scale=0.01)
    FloorPlan(8 x 5 m, 0 obstacles, 0 walls, height=0)
    """
    factor = checked_scale(scale)
    file = as_path(path, SceneError)
    suffix = file.suffix.lower()
    names = _layer_names(layers)
    if names is not None and suffix in PLAN_SUFFIXES and suffix not in _LAYER_KEYS:
        raise SettingsError(f"layers is {layers!r}; a {suffix} file has none")
    with _naming(file):
        data = _content(file, PLAN_SUFFIXES)
        if suffix in _ROS_SUFFIXES:
            drawing = read_ros_map(data, file.parent, factor)
        else:
            drawing = _READERS[suffix](data, factor)
        if names is not None:
            drawing = _chosen(drawing, names, _LAYER_KEYS[suffix])
        return plan_of(drawing, height)


def load_building(
    path: str | PathLike[str], *, scale: float = 1.0, floor_height: float = 3.0
) -> Building:
    """Read a building from a GeoJSON file.

    Every feature but flights of stairs has a ``level``, the number of its storey. The storey's
    height is the ``height`` of any of its features; without one it is the level times
    `floor_height`. A feature with ``stairs``, which are the numbers of the lower and the upper
    level, has lines of two points across a flight of stairs, from its bottom to its top.

    Parameters
    ----------
    path : str or path
        A ``.geojson`` or ``.json`` file.
    scale : float, default 1.0
        How many metres one unit of the file is, its heights included. [Limit: > 0]
    floor_height : float, default 3.0
        How far apart storeys are whose heights the file does not say. [Limit: > 0] [Unit: m]

    Returns
    -------
    Building
        With its floors from the lowest level to the highest.

    Raises
    ------
    SceneError
        Naming the file, when it cannot be read or makes no building.
    SettingsError
        When `scale` or `floor_height` is impossible.
    """
    factor = checked_scale(scale)
    storey = checked_scale(floor_height, "floor_height")
    file = as_path(path, SceneError)
    with _naming(file):
        return _building(read_features(_content(file, _BUILDING_SUFFIXES), factor), storey)


def load_floors(
    path: str | PathLike[str],
    *,
    scale: float = 1.0,
    floor_height: float = 3.0,
    layers: str | Sequence[str] | None = None,
) -> FloorPlan | Building:
    """Read a building where a file has levels, and a floor plan where it has none."""
    factor = checked_scale(scale)
    storey = checked_scale(floor_height, "floor_height")
    file = as_path(path, SceneError)
    if file.suffix.lower() not in _BUILDING_SUFFIXES or layers is not None:
        return load_plan(file, scale=factor, layers=layers)
    with _naming(file):
        features = read_features(_content(file, _BUILDING_SUFFIXES), factor)
        if any(feature.stairs or feature.level is not None for feature in features):
            return _building(features, storey)
        return plan_of(drawing_of(features))


def _content(file: Path, suffixes: tuple[str, ...]) -> bytes:
    """Return what is in a file, without the mark that some programs begin UTF-8 with."""
    return read_bytes(file, suffixes, SceneError).removeprefix(codecs.BOM_UTF8)


def _building(features: list[Feature], storey: float) -> Building:
    """Return the building that features make; `storey` is how far apart floors are by default."""
    flights = [feature for feature in features if feature.stairs]
    rooms = [feature for feature in features if not feature.stairs]
    if not any(room.level is not None for room in rooms):
        raise SceneError("none of its features has a level; load_plan reads it")
    for room in rooms:
        if room.level is None:
            raise SceneError(f"{room.name} has no level; all but stairs have one in a building")
    levels = sorted({room.level for room in rooms if room.level is not None})
    floors = [_floor(level, rooms, storey) for level in levels]
    return Building(floors, [_flight(flight, levels) for flight in flights])


def _floor(level: float, rooms: list[Feature], storey: float) -> FloorPlan:
    drawing = drawing_of([room for room in rooms if room.level == level])
    try:
        return plan_of(drawing, one_height(drawing.heights, level * storey))
    except SceneError as error:
        raise SceneError(f"level {level:g}: {error}") from None


def _flight(feature: Feature, levels: list[float]) -> Stairs:
    """Return a flight of stairs, whose shapes are lines across it."""
    floors = []
    for level in feature.stairs or ():
        if level not in levels:
            raise SceneError(f"{feature.name} leads to level {level:g}, which has no floor")
        floors.append(levels.index(level))
    sections = [shapely.get_coordinates(shape.geometry) for shape in feature.shapes]
    if any(shape.geometry.geom_type != "LineString" for shape in feature.shapes) or any(
        len(section) != 2 for section in sections
    ):
        raise SceneError(f"{feature.name} has stairs; they must be lines of two points across them")
    try:
        return Stairs(np.array(sections), (floors[0], floors[1]))
    except SceneError as error:
        raise SceneError(f"{feature.name}: {error}") from None


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Begin the message of every error with the name of a file."""
    try:
        # What is not finite, or becomes so, is refused by its place in the drawing.
        with (
            naming(file, SceneError),
            np.errstate(over="ignore", invalid="ignore", divide="ignore"),
        ):
            yield
    except RecursionError:
        raise SceneError(f"{file}: it is nested too deeply") from None
    except shapely.errors.ShapelyError as error:
        reason = " ".join(str(error).split())
        raise SceneError(f"{file}: its shapes cannot be put together: {reason}") from None


def _layer_names(layers: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if layers is None:
        return None
    names = (layers,) if isinstance(layers, str) else layers
    if (
        not isinstance(names, list | tuple | set | frozenset)
        or not names
        or not all(isinstance(name, str) for name in names)
    ):
        raise SettingsError(f"layers is {layers!r}; it must be a name or a list of names")
    return tuple(names)


def _chosen(drawing: Drawing, names: tuple[str, ...], key: Callable[[str], str]) -> Drawing:
    """Return the shapes of some layers; names with the same key are the same."""
    listed = [shape.layers for shape in drawing.shapes] + [*drawing.passed_over]
    present = list(dict.fromkeys(layer for layers in listed for layer in layers))
    keys = {key(layer) for layer in present}
    for name in names:
        if key(name) not in keys:
            shown = ", ".join(map(repr, present[:_SHOWN])) or "none"
            more = f" and {len(present) - _SHOWN} more" if len(present) > _SHOWN else ""
            raise SceneError(f"no shape is in the layer {name!r}; there are {shown}{more}")
    chosen = {key(name) for name in names}

    def is_chosen(layers: tuple[str, ...]) -> bool:
        return not chosen.isdisjoint(map(key, layers))

    return drawing._replace(
        shapes=[shape for shape in drawing.shapes if is_chosen(shape.layers)],
        passed_over=tuple(filter(is_chosen, drawing.passed_over)),
    )
