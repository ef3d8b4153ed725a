"""Navmeshes to and from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import read_flag
from walkmesh.errors import FormatError
from walkmesh.files import as_path, check_target, naming, read_bytes, replacing
from walkmesh.io.glb import GLB_MARK, read_glb, write_glb
from walkmesh.io.native import read_native, write_native
from walkmesh.io.obj import OBJ_MARK, read_obj_navmesh, write_obj_navmesh
from walkmesh.io.ply import PLY_MARK, read_ply_navmesh, write_ply, write_ply_navmesh
from walkmesh.topology import check_usable

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from walkmesh.builder import PolygonMesh, TriangleMesh
    from walkmesh.navmesh import NavMesh

NATIVE = ".walkmesh"
_OBJ = ".obj"

_WRITERS: dict[str, Callable[[NavMesh], bytes]] = {
    NATIVE: write_native,
    _OBJ: write_obj_navmesh,
    ".glb": write_glb,
    ".ply": write_ply_navmesh,
}
_READERS: dict[str, Callable[[bytes], NavMesh]] = {
    NATIVE: read_native,
    _OBJ: read_obj_navmesh,
    ".glb": read_glb,
    ".ply": read_ply_navmesh,
}
SUFFIXES = tuple(_WRITERS)
_EDGE_DTYPE = [("vertex1", "<i4"), ("vertex2", "<i4"), ("kind", "u1")]

# A file that has its mark within the first bytes is a navmesh and no scene.
_MARKS = {_OBJ: OBJ_MARK, ".glb": GLB_MARK, ".ply": PLY_MARK}
_MARK_WITHIN = 1024


def save_navmesh(navmesh: NavMesh, path: str | PathLike[str], *, polygons: bool = False) -> None:
    """Write a navmesh in the format that the suffix names; see :meth:`NavMesh.save`."""
    polygons = read_flag("polygons", polygons)
    check_target(path, SUFFIXES)
    suffix = Path(path).suffix.lower()
    if polygons and suffix != _OBJ:
        raise FormatError(f"cannot write {path}: only {_OBJ} files can hold polygons as faces")
    if polygons:
        check_usable(navmesh)
        content = write_obj_navmesh(navmesh, polygons=True)
    else:
        content = navmesh_bytes(navmesh, suffix)
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def navmesh_bytes(navmesh: NavMesh, suffix: str) -> bytes:
    """Return what a file with one of `SUFFIXES` holds of a navmesh."""
    check_usable(navmesh)
    return _WRITERS[suffix](navmesh)


def load_navmesh(path: str | PathLike[str]) -> NavMesh:
    """Read a navmesh that :meth:`NavMesh.save` wrote, in any of its formats.

    Parameters
    ----------
    path : str or path
        A file with the suffix ``.walkmesh``, ``.obj``, ``.glb`` or ``.ply``.

    Returns
    -------
    NavMesh
        With the same arrays as the one that was saved. Its report has no times: they are not
        saved, so that equal builds give equal files.

    Raises
    ------
    FormatError
        Naming the file, when it cannot be read, is cut off or damaged, or is something else.

    Examples
    --------
    >>> import tempfile
    >>> import walkmesh as wm
    >>> navmesh = wm.build(wm.samples.floor())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     navmesh.save(f"{folder}/floor.walkmesh")
    ...     wm.load_navmesh(f"{folder}/floor.walkmesh")
    NavMesh(1 polygon, 4 vertices, 1 component, 69.6 m2)
    """
    file = as_path(path, FormatError)
    with naming(file, FormatError):
        data = read_bytes(file, SUFFIXES, FormatError)
        return _READERS[file.suffix.lower()](data)


def save_stage(path: str | PathLike[str], mesh: TriangleMesh | PolygonMesh) -> None:
    """Write the triangles of one stage of a build as PLY, with the kinds of their edges.

    The element ``face_edge`` has the edges of all faces in their order, three of each: ``vertex1``,
    ``vertex2`` and ``kind``, as in `TriangleMesh.edge_kinds`.
    """
    edges = np.empty(mesh.triangles.size, dtype=_EDGE_DTYPE)
    edges["vertex1"] = mesh.triangles.ravel()
    edges["vertex2"] = mesh.triangles[:, [1, 2, 0]].ravel()
    edges["kind"] = mesh.edge_kinds.ravel()
    content = write_ply(mesh.vertices, mesh.triangles, elements={"face_edge": edges})
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def is_navmesh(path: str | PathLike[str]) -> bool:
    """Tell whether a file holds a navmesh that walkmesh saved, and not a scene."""
    file = Path(path)
    suffix = file.suffix.lower()
    try:
        if suffix not in _MARKS or not file.is_file():
            return suffix == NATIVE
        with file.open("rb") as stream:
            return _MARKS[suffix] in stream.read(_MARK_WITHIN)
    except (OSError, ValueError):  # whoever reads it will say what is wrong
        return False
