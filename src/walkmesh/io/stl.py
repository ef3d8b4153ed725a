"""STL, text and binary."""

from __future__ import annotations

import re

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.polygons import Polygons, check_ids
from walkmesh.io.text import read_rows, skip_rows

_HEADER_SIZE = 84  # 80 bytes for anything, and the number of triangles
_TRIANGLE = np.dtype(
    [("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]
)  # 50 bytes


def read_stl(data: bytes) -> Polygons:
    """Read the triangles of an STL file, each with three vertices of its own."""
    # A binary file may start with "solid" too, so its size is asked first.
    claimed = int.from_bytes(data[80:_HEADER_SIZE], "little")
    size = _HEADER_SIZE + claimed * _TRIANGLE.itemsize
    if len(data) >= _HEADER_SIZE and len(data) == size:
        return _read_binary(data, claimed)
    if re.match(rb"\s*solid\b", data, re.IGNORECASE) and b"\0" not in data:
        return _read_text(data)
    if len(data) < size:
        raise SceneError(
            f"it is {len(data)} bytes long; an STL file either is text that starts with 'solid', "
            f"or, as its header claims {claimed} triangles, must be {size} bytes long"
        )
    # More bytes than needed: some writers append their own data.
    return _read_binary(data, claimed)


def _read_binary(data: bytes, count: int) -> Polygons:
    records = np.frombuffer(data, _TRIANGLE, count, _HEADER_SIZE)
    return _from_corners(records["corners"].reshape(-1, 3).astype(np.float64))


def _read_text(data: bytes) -> Polygons:
    if re.search(rb"\bendsolid\b", data[-1024:], re.IGNORECASE) is None:
        raise SceneError("it has no 'endsolid' at its end, so it is cut off")
    rows = read_rows(data, keyword=b"vertex")
    facets, _ = skip_rows(data, 0, len(data), keyword=b"endfacet")
    if len(rows) != 3 * facets:
        raise SceneError(f"it has {len(rows)} vertices in {facets} facets; each facet must have 3")
    if np.any(np.diff(rows.offsets) != 3):
        vertex = int((np.diff(rows.offsets) != 3).argmax())
        raise SceneError(f"vertex {vertex}, counted from 0, does not have 3 coordinates")
    return _from_corners(rows.values.reshape(-1, 3))


def _from_corners(corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Polygons:
    check_ids(len(corners), len(corners))
    triangles = np.arange(len(corners), dtype=np.int32).reshape(-1, 3)
    return Polygons.from_triangles(corners, triangles)
