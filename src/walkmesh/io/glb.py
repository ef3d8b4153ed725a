"""Navmeshes as GLB: triangles that every viewer shows, and the navmesh itself inside.

glTF has single precision, triangles, metres and +y up. So the triangles are turned to +y up; far
from the origin they are stored around a whole number of metres that the node adds again. For
reading back, the native file lies in the binary chunk as a buffer view of its own, named by the
file's extras, which viewers pass over.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh import __version__
from walkmesh.errors import FormatError, SceneError
from walkmesh.frame import up_vector
from walkmesh.io.gltf import read_chunks
from walkmesh.io.native import read_native, write_native
from walkmesh.topology import plan_points

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

# Single precision is finer than a tenth of a millimetre up to here. [Unit: m]
_NEAR = 1024.0
_FLOAT, _UINT = 5126, 5125
_ARRAY_BUFFER, _ELEMENT_ARRAY_BUFFER = 34962, 34963
# How the JSON of a GLB that holds a navmesh starts to differ from any other.
GLB_MARK: bytes = b'"extras":{"walkmesh":'
_GROUND_COLOR = [0.13, 0.55, 0.75, 1.0]


def write_glb(navmesh: NavMesh) -> bytes:
    """Return the content of a ``.glb`` file."""
    positions = _y_up(navmesh)
    largest = np.abs(positions).max(initial=0.0)
    offset = np.zeros(3)
    if largest > _NEAR:
        offset = np.round((positions.min(axis=0) + positions.max(axis=0)) / 2.0)
    stored = (positions - offset).astype("<f4")
    parts = [stored.tobytes(), navmesh.triangles.astype("<u4").tobytes(), write_native(navmesh)]
    if len(navmesh.triangles) == 0:
        parts[:2] = []
    binary, views = _join(parts)
    tree: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"walkmesh {__version__}"},
        "extras": {"walkmesh": {"bufferView": len(views) - 1}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "navmesh", "translation": offset.tolist()}],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
    }
    if len(navmesh.triangles):
        # Of two sheets back to back, a viewer should show the one that faces it.
        _add_mesh(tree, stored, navmesh.triangles.size, double_sided=not navmesh.surface)
    return _pack(tree, binary)


def _y_up(navmesh: NavMesh) -> Floats:
    """Return the vertices with +y up: as they are, or turned as other tools turn z up to y up."""
    if navmesh.up == up_vector("y"):
        return navmesh.vertices
    u, v, h = plan_points(navmesh).T
    return np.column_stack([u, h, -v])


def _add_mesh(
    tree: dict[str, Any], positions: Any, index_count: int, *, double_sided: bool
) -> None:
    """Describe the triangles that lie in the first two buffer views."""
    tree["nodes"][0]["mesh"] = 0
    tree["bufferViews"][0]["target"] = _ARRAY_BUFFER
    tree["bufferViews"][1]["target"] = _ELEMENT_ARRAY_BUFFER
    tree["accessors"] = [
        {
            "bufferView": 0,
            "componentType": _FLOAT,
            "count": len(positions),
            "type": "VEC3",
            "min": positions.min(axis=0).tolist(),
            "max": positions.max(axis=0).tolist(),
        },
        {"bufferView": 1, "componentType": _UINT, "count": index_count, "type": "SCALAR"},
    ]
    tree["materials"] = [
        {
            "name": "ground",
            "doubleSided": double_sided,
            "pbrMetallicRoughness": {"baseColorFactor": _GROUND_COLOR, "metallicFactor": 0.0},
        }
    ]
    tree["meshes"] = [
        {
            "name": "navmesh",
            "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}],
        }
    ]


def _join(parts: list[bytes]) -> tuple[bytes, list[dict[str, Any]]]:
    """Put parts end to end, each from a multiple of 4 on, with a buffer view for each."""
    views: list[dict[str, Any]] = []
    binary = bytearray()
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(part)})
        binary += part + bytes(-len(part) % 4)
    return bytes(binary), views


def _pack(tree: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    body += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def read_glb(data: bytes) -> NavMesh:
    """Read back the navmesh from what :func:`write_glb` returned; FormatError for all else."""
    try:
        tree, binary = read_chunks(data)
    except SceneError as error:
        raise FormatError(str(error)) from None
    try:
        view = tree["bufferViews"][tree["extras"]["walkmesh"]["bufferView"]]
        start, size = int(view["byteOffset"]), int(view["byteLength"])
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        raise FormatError(
            "it is not a navmesh that walkmesh saved; load_scene reads it as a scene"
        ) from None
    if binary is None or start < 0 or size < 0 or start + size > len(binary):
        raise FormatError("it is damaged: its navmesh lies outside its binary chunk")
    return read_native(binary[start : start + size])
