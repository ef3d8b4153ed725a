"""Maps of ROS's map_server: a YAML file that says what an image shows, and where."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.extras import require
from walkmesh.files import read_bytes
from walkmesh.io.drawing import Drawing
from walkmesh.io.images import FREE_THRESHOLD, IMAGE_SUFFIXES, read_picture
from walkmesh.io.occupancy import free_shapes
from walkmesh.io.text import shown

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from walkmesh.io.images import GreyImage

_MODES = ("trinary", "scale", "raw")
_LARGEST_FILE = 2**16  # bytes; map_saver's files have 200


def read_ros_map(data: bytes, folder: Path, scale: float) -> Drawing:
    """Read the free cells of a map, whose image lies in `folder`, as the map does, or below."""
    settings = _settings(data)
    resolution = _number(settings, "resolution")
    if not resolution > 0.0:
        raise SceneError(f"its resolution is {resolution:g}; it must be above 0")
    origin = settings.get("origin")
    if not isinstance(origin, list) or len(origin) not in (2, 3):
        raise SceneError("its origin is missing; it must be a list of x, y and yaw")
    x, y, yaw = (_number({"origin": value}, "origin") for value in [*origin, 0.0][:3])
    picture = _image(settings.get("image"), folder)
    free = _free(picture, settings)
    return Drawing(free_shapes(free[::-1], resolution * scale, (x * scale, y * scale), yaw))


def _settings(data: bytes) -> dict[Any, Any]:
    if len(data) > _LARGEST_FILE:
        raise SceneError(f"it has {len(data)} bytes; a map's YAML has at most {_LARGEST_FILE}")
    require("yaml", "maps of ROS")
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML without aliases, by which a few lines can stand for billions of values."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise SceneError("its YAML has aliases, which no map needs")
            return super().compose_node(parent, index)

    try:
        settings = yaml.load(data, Loader=Loader)  # which is a SafeLoader
    except yaml.YAMLError as error:
        raise SceneError(f"its YAML cannot be read: {' '.join(str(error).split())}") from None
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, OverflowError):
        raise SceneError("its YAML has a value that cannot be read") from None
    if not isinstance(settings, dict):
        raise SceneError("its YAML is not a mapping of settings such as 'resolution: 0.05'")
    return settings


def _free(picture: GreyImage, settings: dict[Any, Any]) -> NDArray[np.bool_]:
    """Return which pixels are free, as map_server decides it; what is unknown is blocked."""
    mode = settings.get("mode", "trinary")
    if mode not in _MODES:
        raise SceneError(f"its mode is {shown(mode)}; it must be one of {', '.join(_MODES)}")
    negate = settings.get("negate", 0)
    if negate not in (0, 1):
        raise SceneError(f"its negate is {shown(negate)}; it must be 0 or 1")
    threshold = FREE_THRESHOLD
    if "free_thresh" in settings:
        threshold = _number(settings, "free_thresh")
    if not 0.0 <= threshold <= 1.0:
        raise SceneError(f"its free_thresh is {threshold:g}; it must be from 0 to 1")
    occupied: NDArray[np.floating[Any]]
    if mode == "raw":  # a pixel's value is its occupancy in percent; beyond 100, it is not known
        occupied = np.round(picture.shades * 255.0) / 100.0
    else:
        occupied = picture.shades if negate else 1.0 - picture.shades
    free: NDArray[np.bool_] = picture.opaque & (occupied < threshold)
    return free


def _image(name: Any, folder: Path) -> GreyImage:
    if not isinstance(name, str) or not name:
        raise SceneError(f"its image is {shown(name)}; it must be the name of a file")
    try:
        file = (folder / name).resolve()
        is_inside = file.is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        raise SceneError(f"its image {shown(name)} cannot be a file") from None
    if not is_inside:
        raise SceneError(f"its image {shown(name)} is not in the folder of the file; put it there")
    try:
        return read_picture(read_bytes(file, IMAGE_SUFFIXES, SceneError))
    except SceneError as error:
        raise SceneError(f"its image {shown(name)}: {error}") from None


def _number(settings: dict[Any, Any], name: str) -> float:
    value = settings.get(name)
    if value is None:
        raise SceneError(f"it has no {name}")
    try:
        # YAML takes 5e-2, without a dot, for text.
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SceneError(f"its {name} has {shown(value)} where a finite number should be")
    return number
