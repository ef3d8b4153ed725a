"""OFF, the Object File Format of Geomview, as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.polygons import Polygons
from walkmesh.io.text import Rows, read_lists, read_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The keyword tells what follows the three coordinates: texture coordinates, a colour, a normal.
_KEYWORD = re.compile(rb"(?:\s|#[^\n]*\n)*(ST)?C?N?OFF\b", re.ASCII)


def read_off(data: bytes) -> Polygons:
    r"""Read the vertices and faces of an OFF file.

    Every vertex and every face must have a line of its own, which practically all writers do.

    Examples
    --------
    >>> read_off(b"OFF 3 1 0\n0 0 0\n1 0 0\n0 0 1\n3 0 1 2\n").corners
    array([0, 1, 2], dtype=int32)
    """
    keyword = _KEYWORD.match(data)
    if keyword is None:
        raise SceneError("not an OFF file: it does not start with the word OFF")
    if data[keyword.end() :].lstrip(b" \t").startswith(b"BINARY"):
        raise SceneError("it is a binary OFF file; only OFF as text is read")
    counts = read_rows(data, keyword.end(), limit=1)
    vertex_count, face_count = _counts(counts)
    vertices = read_rows(data, counts.end, limit=vertex_count)
    faces = read_rows(data, vertices.end, limit=face_count)
    for rows, claimed, name in ((vertices, vertex_count, "vertices"), (faces, face_count, "faces")):
        if len(rows) < claimed:
            raise SceneError(f"it ends after {len(rows)} of the {claimed} {name} it claims to have")
    sizes, corners = read_lists(faces.values, faces.offsets[:-1], faces.offsets[1:], "face")
    return Polygons.from_lists(_positions(vertices), sizes, corners)


def _counts(rows: Rows) -> tuple[int, int]:
    """Return the numbers of vertices and faces; the number of edges is of no use."""
    counts = rows.values[:2]
    whole = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))
    if len(counts) < 2 or not np.all(whole):
        raise SceneError("the word OFF must be followed by the numbers of vertices and faces")
    return int(counts[0]), int(counts[1])


def _positions(rows: Rows) -> NDArray[np.float64]:
    starts = rows.offsets[:-1]
    few = np.diff(rows.offsets) < 3
    if np.any(few):
        raise SceneError(f"vertex {int(few.argmax())} has fewer than 3 coordinates")
    return np.ascontiguousarray(rows.values[starts[:, None] + np.arange(3)])
