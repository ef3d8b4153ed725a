"""Scenes from files."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import read_number
from walkmesh.errors import SceneError
from walkmesh.files import as_path, naming, read_bytes
from walkmesh.frame import up_vector
from walkmesh.io.gltf import read_gltf
from walkmesh.io.obj import read_obj
from walkmesh.io.off import read_off
from walkmesh.io.ply import read_ply
from walkmesh.io.stl import read_stl
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from pathlib import Path

    from walkmesh.io.polygons import Polygons

# By suffix, what reads the bytes of a file, or raises SceneError; some files refer to others that
# lie in their folder.
_READERS: dict[str, Callable[[bytes, Path], Polygons]] = {
    ".obj": lambda data, _: read_obj(data),
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".ply": lambda data, _: read_ply(data),
    ".stl": lambda data, _: read_stl(data),
    ".off": lambda data, _: read_off(data),
}
SUFFIXES = tuple(_READERS)


def load_scene(
    path: str | PathLike[str], up: str | Sequence[float] = "y", scale: float = 1.0
) -> Scene:
    r"""Read a scene from a file.

    Materials, normals and everything else that is no triangle is passed over. Faces with more than
    three corners are cut into triangles, concave ones too.

    Parameters
    ----------
    path : str or path
        A file of a known format, by its suffix: ``.obj``, ``.glb``, ``.gltf``, ``.ply``, ``.stl``
        or ``.off``.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    scale : float, default 1.0
        How many metres one unit of the file is: 0.01 for a scene in centimetres. [Limit: > 0]

    Returns
    -------
    Scene
        With the triangles in the order of the file; its `left_out` counts those that cannot be
        used.

    Raises
    ------
    SceneError
        Naming the file, when it cannot be read or has no valid triangle.
    SettingsError
        When `up` or `scale` is impossible.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "floor.obj"
    ...     _ = file.write_text("v 0 0 0\nv 0 0 400\nv 400 0 400\nv 400 0 0\nf 1 2 3 4\n")
    ...     load_scene(file, scale=0.01)
    Scene(2 triangles, 4 vertices, up=(0.0, 1.0, 0.0))
    """
    direction = up_vector(up)
    factor = checked_scale(scale)
    file = as_path(path, SceneError)
    with naming(file, SceneError):
        data = read_bytes(file, SUFFIXES, SceneError).removeprefix(codecs.BOM_UTF8)
        # What is not finite, or becomes so, is left out and counted by the scene.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            polygons = _READERS[file.suffix.lower()](data, file.parent)
            triangles = polygons.triangles()
            vertices = polygons.vertices if factor == 1.0 else polygons.vertices * factor
        if len(triangles) == 0:
            raise SceneError("it has no triangles")
        return Scene(vertices, triangles, direction)


def checked_scale(scale: float, name: str = "scale") -> float:
    """Return how many metres a unit is; SettingsError if that cannot be."""
    return read_number(name, scale, above_minimum=True)
