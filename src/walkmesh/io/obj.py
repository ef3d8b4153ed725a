"""Wavefront OBJ."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np

from walkmesh.errors import FormatError, SceneError
from walkmesh.io.kernels.obj import (
    BAD_COORDINATE,
    BAD_INDEX,
    FEW_COORDINATES,
    FINE,
    INDEX_BEYOND,
    INDEX_ZERO,
    count_obj,
    scan_obj,
)
from walkmesh.io.metadata import describe_with_links, navmesh_with_links
from walkmesh.io.polygons import Polygons, check_ids
from walkmesh.io.text import bad_line, read_long_tokens
from walkmesh.navmesh import NavMesh
from walkmesh.topology import detail_of

# How an OBJ file that holds a navmesh starts and ends.
OBJ_MARK = b"# walkmesh navmesh "
_END = b"# end of navmesh\n"
_POLYGON_ARRAYS = ("polygon_offsets", "polygon_vertices")
_FURTHER_ARRAYS = ("neighbors", "areas", "components")
_DETAIL_ARRAYS = ("triangles", "triangle_polygons")

_PROBLEMS = {
    BAD_COORDINATE: "{token} is not a number",
    FEW_COORDINATES: "a vertex has fewer than 3 coordinates",
    BAD_INDEX: "{token} is not a corner of a face; it must look like 7, 7/1, 7//2 or 7/1/2",
    INDEX_ZERO: "{token} names vertex 0; vertices are numbered from 1",
    INDEX_BEYOND: "{token} names a vertex that does not exist",
}


def read_obj(data: bytes) -> Polygons:
    r"""Read the vertices and faces of an OBJ file; all other lines are passed over.

    Examples
    --------
    >>> read_obj(b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 -1\n").corners
    array([0, 1, 2], dtype=int32)
    """
    if b"\0" in data[:1024]:
        raise SceneError("it holds binary data; an OBJ file is text")
    codes = np.frombuffer(data, dtype=np.uint8)
    counts = np.zeros(3, dtype=np.int64)
    count_obj(codes, counts)
    vertices, faces, corner_count = (int(count) for count in counts)
    check_ids(vertices, corner_count)
    coordinates = np.empty(3 * vertices, dtype=np.float64)
    long_tokens = np.empty(9 * vertices, dtype=np.int64)
    offsets = np.empty(faces + 1, dtype=np.int32)
    corners = np.empty(corner_count, dtype=np.int32)
    problem = scan_obj(codes, coordinates, long_tokens, offsets, corners, counts)
    if problem != FINE:
        text = _PROBLEMS[problem]
        if problem == INDEX_BEYOND:
            text += f"; the file has {vertices}"
        raise bad_line(data, int(counts[1]), text)
    read_long_tokens(data, long_tokens[: 3 * counts[0]], coordinates)
    return Polygons(coordinates.reshape(-1, 3), offsets, corners)


def write_obj_navmesh(navmesh: NavMesh, *, polygons: bool = False) -> bytes:
    """Return the content of an OBJ file with the triangles of a navmesh, or with its polygons.

    Coordinates are the world's own, in full precision. The first line is a comment with the
    description of the navmesh and with the arrays that the faces alone would not give back: the
    polygons if those are triangles, and the detail triangles if those are polygons. The last line
    tells that nothing is missing.
    """
    derived = NavMesh(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
    arrays = {
        name: getattr(navmesh, name).tolist()
        for name in _FURTHER_ARRAYS
        if not np.array_equal(getattr(navmesh, name), getattr(derived, name))
    }
    others = _DETAIL_ARRAYS if polygons else (*_POLYGON_ARRAYS, "triangle_polygons")
    for name in others:
        if name in _POLYGON_ARRAYS or detail_of(navmesh) is not None:
            arrays[name] = getattr(navmesh, name).tolist()
    description = {**describe_with_links(navmesh), "arrays": arrays}
    lines = [OBJ_MARK.decode() + json.dumps(description, separators=(",", ":"))]
    lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in navmesh.vertices.tolist()]
    if polygons:
        corners = (navmesh.polygon_vertices.astype(np.int64) + 1).tolist()
        for start, stop in pairwise(navmesh.polygon_offsets.tolist()):
            lines.append("f " + " ".join(map(str, corners[start:stop])))
    else:
        lines += [f"f {a} {b} {c}" for a, b, c in (navmesh.triangles.astype(np.int64) + 1).tolist()]
    return "\n".join(lines).encode() + b"\n" + _END


def read_obj_navmesh(data: bytes) -> NavMesh:
    """Read back what :func:`write_obj_navmesh` returned; FormatError for all else."""
    if not data.startswith(OBJ_MARK):
        raise FormatError("it is not a navmesh that walkmesh saved; load_scene reads it as a scene")
    if not data.endswith(_END):
        raise FormatError("it is cut off: its last line is missing")
    try:
        description = json.loads(data[len(OBJ_MARK) : data.index(b"\n")])
        arrays = {
            name: description["arrays"].get(name)
            for name in _POLYGON_ARRAYS + _FURTHER_ARRAYS + _DETAIL_ARRAYS
        }
        faces = read_obj(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(f"its description is damaged: {error}") from None
    except SceneError as error:
        raise FormatError(str(error)) from None
    arrays["vertices"] = faces.vertices
    if arrays["polygon_offsets"] is None:
        arrays["polygon_offsets"], arrays["polygon_vertices"] = faces.offsets, faces.corners
    elif (np.diff(faces.offsets) != 3).any():
        raise FormatError("it is damaged: its faces must be triangles")
    elif arrays["triangle_polygons"] is not None:
        arrays["triangles"] = faces.corners.reshape(-1, 3)
    return navmesh_with_links(description, arrays)
