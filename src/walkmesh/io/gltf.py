"""glTF 2.0, as JSON (.gltf) and binary (.glb).

Only what makes triangles is read: the nodes of the scene, where they stand, and the positions and
indices of their meshes. https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.accessors import Accessors, Tree, entry
from walkmesh.io.polygons import Polygons

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from walkmesh.io.accessors import Numbers

# Above so many triangles, a file may show each of its own so many times: enough for every real
# scene, too little for a small file that swells to fill the memory.
MANY_TRIANGLES = 2**23
MOST_COPIES = 16

# A mesh shown many times costs a file nothing, but us memory: 3 GB for this many triangles' ids.
MAX_TRIANGLES = 2**28

_MAGIC = b"glTF"
_JSON_CHUNK, _BINARY_CHUNK = b"JSON", b"BIN\0"
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_POINTS_AND_LINES = (0, 1, 2, 3)
_INSTANCING = "EXT_mesh_gpu_instancing"
# Extensions without which positions, indices or places cannot be known.
_UNREAD_EXTENSIONS = {
    "KHR_draco_mesh_compression": "its meshes are compressed with Draco",
    "EXT_meshopt_compression": "its meshes are compressed with meshopt",
    "KHR_meshopt_compression": "its meshes are compressed with meshopt",
    _INSTANCING: f"its meshes are placed by {_INSTANCING}",
}


@dataclass(frozen=True, eq=False)
class _Mesh:
    """One mesh of the file: (n, 3) float64 positions and (m, 3) int32 triangles."""

    positions: NDArray[np.float64]
    triangles: NDArray[np.int32]


def read_gltf(data: bytes, folder: Path) -> Polygons:
    """Read the triangles of a glTF file, each mesh as often and where the scene's nodes show it.

    Its buffers may be files in `folder`, where it lies.
    """
    tree, binary = read_chunks(data) if data.startswith(_MAGIC) else (_parse_json(data), None)
    try:
        return _read_tree(tree, binary, folder)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise SceneError(f"its JSON does not make sense: {error!r}") from None


def _read_tree(tree: Tree, binary: bytes | None, folder: Path) -> Polygons:
    """Read the triangles that the JSON describes."""
    _check_version_and_extensions(tree)
    accessors = Accessors(tree, binary, folder)
    placed = list(_walk_nodes(tree))
    ids = sorted({index for index, _ in placed})
    counts = {index: _count_triangles(tree, accessors, index) for index in ids}
    _check_copies(counts, placed)
    meshes = {index: _read_mesh(tree, accessors, index) for index in counts}
    return _join([_place(meshes[index], matrix) for index, matrix in placed if counts[index] > 0])


def _check_copies(counts: dict[int, int], placed: list[tuple[int, Any]]) -> None:
    """Refuse a file that shows its meshes so often that they would fill the memory."""
    total = sum(counts[index] for index, _ in placed)
    most = min(MAX_TRIANGLES, max(MANY_TRIANGLES, MOST_COPIES * sum(counts.values())))
    if total > most:
        raise SceneError(
            f"its nodes show {total} triangles in all; of this file at most {most} are read, "
            "so split the scene"
        )


def _join(meshes: list[_Mesh]) -> Polygons:
    """Put meshes end to end."""
    first, vertices, triangles = 0, [np.empty((0, 3))], [np.empty((0, 3), dtype=np.int32)]
    for mesh in meshes:
        vertices.append(mesh.positions)
        triangles.append(mesh.triangles + np.int32(first))
        first += len(mesh.positions)
    return Polygons.from_triangles(np.concatenate(vertices), np.concatenate(triangles))


def read_chunks(data: bytes) -> tuple[Tree, bytes | None]:
    """Return the JSON and the binary chunk of a GLB file."""
    if len(data) < 12:
        raise SceneError("it ends inside the header of a GLB file")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise SceneError(f"it is GLB version {version}; only version 2 is read")
    if length > len(data):
        raise SceneError(f"it is cut off: its header claims {length} bytes, it has {len(data)}")
    chunks: dict[bytes, bytes] = {}
    place = 12
    while place + 8 <= length:
        size, kind = struct.unpack_from("<I4s", data, place)
        place += 8
        if place + size > length:
            raise SceneError(f"its {kind!r} chunk claims {size} bytes; {length - place} are left")
        chunks.setdefault(kind, data[place : place + size])
        place += size
    if _JSON_CHUNK not in chunks:
        raise SceneError("not a GLB file: it has no JSON chunk")
    return _parse_json(chunks[_JSON_CHUNK]), chunks.get(_BINARY_CHUNK)


def _parse_json(data: bytes) -> Tree:
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SceneError(f"not a glTF file: its JSON cannot be read: {error}") from None
    if not isinstance(tree, dict) or not isinstance(tree.get("asset"), dict):
        raise SceneError("not a glTF file: its JSON has no 'asset'")
    return tree


def _check_version_and_extensions(tree: Tree) -> None:
    version = tree["asset"].get("version")
    if not isinstance(version, str) or version.partition(".")[0] != "2":
        raise SceneError(f"it is glTF version {version!r}; only version 2 is read")
    required = tree.get("extensionsRequired", [])
    for name, what in _UNREAD_EXTENSIONS.items():
        if isinstance(required, list) and name in required:
            raise SceneError(f"{what}, which is not read; export it without {name}")


def _walk_nodes(tree: Tree) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the mesh of every node of the scene that has one, and where it stands.

    The place is a (4, 4) matrix from the mesh's coordinates to the scene's.
    """
    waiting = [(index, np.eye(4)) for index in reversed(_roots(tree))]
    visited = set()
    while waiting:
        index, parent = waiting.pop()
        node = entry(tree, "nodes", index)
        # The nodes of a scene are trees. Anything else would be a loop, or a way to show more
        # nodes than could ever be counted.
        if index in visited:
            raise SceneError(f"node {index} has two parents, or is its own ancestor")
        visited.add(index)
        matrix = parent @ _local_matrix(node, index)
        if "mesh" in node:
            entry(tree, "meshes", node["mesh"])
            extensions = node.get("extensions")
            if isinstance(extensions, dict) and _INSTANCING in extensions:
                raise SceneError(f"node {index} is placed by {_INSTANCING}, which is not read")
            yield node["mesh"], matrix
        waiting.extend((child, matrix) for child in reversed(_listed(node, "children")))


def _listed(tree: Tree, key: str) -> list[Any]:
    """Return the list `key` of an object; an empty one if there is none."""
    value = tree.get(key)
    return value if isinstance(value, list) else []


def _roots(tree: Tree) -> list[Any]:
    """Return the nodes that the scene starts with; without a scene, all that are no children."""
    if _listed(tree, "scenes"):
        return _listed(entry(tree, "scenes", tree.get("scene", 0)), "nodes")
    ids = range(len(_listed(tree, "nodes")))
    children = [child for i in ids for child in _listed(entry(tree, "nodes", i), "children")]
    inner = {child for child in children if isinstance(child, int)}
    return [index for index in ids if index not in inner]


def _local_matrix(node: Tree, index: int) -> NDArray[np.float64]:
    """Return the (4, 4) matrix of a node in its parent."""
    if "matrix" in node:
        # glTF stores columns.
        return _numbers(node, "matrix", 16, index).reshape(4, 4).T
    matrix = np.eye(4)
    if "rotation" in node:
        matrix[:3, :3] = _rotation(_numbers(node, "rotation", 4, index))
    if "scale" in node:
        matrix[:3, :3] *= _numbers(node, "scale", 3, index)
    if "translation" in node:
        matrix[:3, 3] = _numbers(node, "translation", 3, index)
    return matrix


def _numbers(node: Tree, key: str, count: int, index: int) -> NDArray[np.float64]:
    try:
        values = np.array(node[key], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if values.shape != (count,):
        raise SceneError(f"the {key} of node {index} must be {count} numbers")
    return values


def _rotation(quaternion: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (3, 3) matrix of a quaternion x, y, z, w, which need not have length 1."""
    norm = float(quaternion @ quaternion)
    if norm == 0.0:
        return np.eye(3)
    x, y, z, w = (float(c) for c in quaternion / np.sqrt(norm))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _primitives(tree: Tree, mesh: int) -> list[tuple[int, Tree]]:
    """Return the mode and the object of every part of a mesh that has triangles."""
    parts = []
    whole_mesh = entry(tree, "meshes", mesh)
    for index in range(len(_listed(whole_mesh, "primitives"))):
        primitive = entry(whole_mesh, "primitives", index)
        mode = primitive.get("mode", _TRIANGLES)
        if mode in _POINTS_AND_LINES:
            continue
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            raise SceneError(f"mesh {mesh} has a primitive of mode {mode!r}; it must be 0 to 6")
        attributes = primitive.get("attributes")
        if not isinstance(attributes, dict) or "POSITION" not in attributes:
            raise SceneError(f"mesh {mesh} has a primitive without POSITION")
        parts.append((mode, primitive))
    return parts


def _count_triangles(tree: Tree, accessors: Accessors, mesh: int) -> int:
    """Return how many triangles a mesh claims to have."""
    total = 0
    for mode, primitive in _primitives(tree, mesh):
        source = primitive.get("indices", primitive["attributes"]["POSITION"])
        corners = accessors.count(source)
        total += corners // 3 if mode == _TRIANGLES else max(0, corners - 2)
    return total


def _read_mesh(tree: Tree, accessors: Accessors, mesh: int) -> _Mesh:
    """Read all triangles of a mesh."""
    parts = [_Mesh(np.empty((0, 3)), np.empty((0, 3), dtype=np.int32))]
    first = 0
    for mode, primitive in _primitives(tree, mesh):
        positions = accessors.read(primitive["attributes"]["POSITION"], "VEC3")
        if "indices" in primitive:
            corners = accessors.read(primitive["indices"], "SCALAR")
            if corners.dtype.kind != "u":
                raise SceneError(f"mesh {mesh} has indices that are no unsigned integers")
            if len(corners) > 0 and int(corners.max()) >= len(positions):
                raise SceneError(
                    f"mesh {mesh} names vertex {int(corners.max())}; there are {len(positions)}, "
                    "numbered from 0"
                )
            # Many primitives may share one array of positions; each takes what it uses.
            if len(corners) < len(positions):
                used, corners = np.unique(corners, return_inverse=True)
                positions = positions[used]
        else:
            corners = np.arange(len(positions))
        triangles = _assemble(corners.astype(np.int32), mode)
        parts.append(_Mesh(positions.astype(np.float64), triangles + np.int32(first)))
        first += len(positions)
    return _Mesh(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.triangles for part in parts]),
    )


def _assemble(corners: Numbers, mode: int) -> NDArray[np.int32]:
    """Return the (m, 3) triangles that a list, a strip or a fan of corners stands for."""
    if mode == _TRIANGLES:
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    a, b, c = corners[:-2], corners[1:-1], corners[2:]
    if mode == _FAN:
        return np.column_stack([b, c, np.broadcast_to(corners[:1], b.shape)])
    # Every other triangle of a strip is wound the other way.
    odd = np.arange(len(a)) % 2 == 1
    return np.column_stack([a, np.where(odd, c, b), np.where(odd, b, c)])


def _place(mesh: _Mesh, matrix: NDArray[np.float64]) -> _Mesh:
    """Return a mesh where a node shows it."""
    if np.array_equal(matrix, np.eye(4)):
        return mesh
    # Not a matrix product: it rounds differently from row to row, and would tear vertices apart
    # that two meshes share.
    positions = np.broadcast_to(matrix[:3, 3], mesh.positions.shape)
    for k in range(3):
        positions = positions + mesh.positions[:, k : k + 1] * matrix[:3, k]
    mirrored = np.linalg.det(matrix[:3, :3]) < 0.0
    return _Mesh(positions, mesh.triangles[:, ::-1] if mirrored else mesh.triangles)
