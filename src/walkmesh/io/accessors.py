"""glTF's numbers: buffers of bytes, views of them, and the accessors that give them a type.

Nothing in a file is trusted: what an accessor claims is held against the bytes that exist before
any memory is taken for it.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, unquote_to_bytes

import numpy as np

from walkmesh.errors import SceneError

if TYPE_CHECKING:
    from pathlib import Path

Numbers = np.ndarray[tuple[int, ...], np.dtype[Any]]
Tree = dict[str, Any]  # a JSON object

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3}


def entry(tree: Tree, key: str, index: object) -> Tree:
    """Return the object number `index` of the list `key`."""
    entries = tree.get(key)
    count = len(entries) if isinstance(entries, list) else 0
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
        raise SceneError(f"it refers to {key}[{index!r}]; there are {count} {key}")
    assert isinstance(entries, list)
    found = entries[index]
    if not isinstance(found, dict):
        raise SceneError(f"{key}[{index}] is not a JSON object")
    return found


def whole(tree: Tree, key: str, default: int | None = None) -> int:
    """Return the non-negative integer `key` of an object."""
    value = tree.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SceneError(f"{key} is {value!r}; it must be an integer, 0 or more")
    return value


class Accessors:
    """The accessors of a glTF file, of its JSON and the binary chunk that a GLB file has.

    Buffers in other files must lie in `folder` or below.
    """

    def __init__(self, tree: Tree, binary: bytes | None, folder: Path) -> None:
        self._tree = tree
        self._binary = binary
        self._folder = folder
        self._buffers: dict[int, bytes] = {}

    def count(self, index: object) -> int:
        """Return how many elements an accessor claims to have."""
        return whole(entry(self._tree, "accessors", index), "count")

    def read(self, index: object, kind: str) -> Numbers:
        """Return the elements of an accessor: (n,) of the `kind` "SCALAR", (n, 3) of "VEC3".

        They are as stored, or float64 if the file says that its integers stand for fractions.
        """
        accessor = entry(self._tree, "accessors", index)
        if accessor.get("type") != kind:
            raise SceneError(f"accessor {index} is of type {accessor.get('type')!r}, not {kind}")
        dtype, width, count = _component(accessor), _WIDTHS[kind], whole(accessor, "count")
        if "bufferView" in accessor:
            values = self._view(accessor, dtype, count, width)
        elif "sparse" in accessor:
            # All elements are 0 but for the sparse ones. Writers use it for small changes; a count
            # beyond all bytes there are would only be a way to ask for memory.
            if count > self._stored_bytes():
                raise SceneError(f"accessor {index} claims {count} elements without any data")
            values = np.zeros((count, width), dtype=dtype)
        else:
            raise SceneError(f"accessor {index} has no data (no bufferView)")
        if "sparse" in accessor:
            values = self._with_sparse(accessor["sparse"], values)
        if accessor.get("normalized") is True and dtype.kind != "f":
            values = np.maximum(values / float(np.iinfo(dtype).max), -1.0)
        return values if width > 1 else values[:, 0]

    def _view(self, accessor: Tree, dtype: np.dtype[Any], count: int, width: int) -> Numbers:
        """Return (count, width) numbers that lie in a buffer view, without copying them."""
        view = entry(self._tree, "bufferViews", accessor["bufferView"])
        buffer = self._buffer(view.get("buffer"))
        start, length = whole(view, "byteOffset", 0), whole(view, "byteLength")
        if start + length > len(buffer):
            raise SceneError(
                f"bufferView {accessor['bufferView']} ends at byte {start + length}; "
                f"its buffer has {len(buffer)} bytes"
            )
        size = dtype.itemsize * width
        stride = whole(view, "byteStride", size)
        if stride < size:
            raise SceneError(f"byteStride is {stride}; an element has {size} bytes")
        offset = whole(accessor, "byteOffset", 0)
        needed = offset + (count - 1) * stride + size if count > 0 else 0
        if needed > length:
            raise SceneError(
                f"an accessor claims {count} elements, which take {needed} bytes; "
                f"bufferView {accessor['bufferView']} has {length}"
            )
        strides = (stride, dtype.itemsize)
        return np.ndarray((count, width), dtype, buffer, start + offset if count else 0, strides)

    def _with_sparse(self, sparse: object, base: Numbers) -> Numbers:
        """Return `base` with the elements replaced that a sparse accessor stores apart."""
        parts = sparse if isinstance(sparse, dict) else {}
        indices, values = parts.get("indices"), parts.get("values")
        if not isinstance(indices, dict) or not isinstance(values, dict):
            raise SceneError("a sparse accessor has no indices or no values")
        count = whole(parts, "count")
        places = self._view(indices, _component(indices), count, 1)[:, 0]
        if places.dtype.kind != "u" or (count > 0 and int(places.max()) >= len(base)):
            raise SceneError(f"a sparse accessor changes an element beyond its {len(base)}")
        changed = base.copy()
        changed[places] = self._view(values, base.dtype, count, base.shape[1])
        return changed

    def _stored_bytes(self) -> int:
        """Return how many bytes all buffers hold."""
        buffers = self._tree.get("buffers")
        count = len(buffers) if isinstance(buffers, list) else 0
        return sum(len(self._buffer(index)) for index in range(count))

    def _buffer(self, index: object) -> bytes:
        buffer = entry(self._tree, "buffers", index)
        assert isinstance(index, int)
        if index not in self._buffers:
            uri = buffer.get("uri")
            if uri is None and index == 0 and self._binary is not None:
                content = self._binary
            elif isinstance(uri, str):
                content = _read_uri(uri, self._folder)
            else:
                raise SceneError(f"buffer {index} has no data")
            length = whole(buffer, "byteLength")
            if length > len(content):
                raise SceneError(f"buffer {index} claims {length} bytes; it has {len(content)}")
            self._buffers[index] = content[:length]
        return self._buffers[index]


def _component(tree: Tree) -> np.dtype[Any]:
    name = tree.get("componentType")
    if not isinstance(name, int) or name not in _COMPONENTS:
        raise SceneError(f"componentType is {name!r}; it must be one of {list(_COMPONENTS)}")
    return np.dtype(_COMPONENTS[name])


def _read_uri(uri: str, folder: Path) -> bytes:
    """Return the bytes that a URI holds itself, or those of a file beside the glTF file."""
    if uri.startswith("data:"):
        header, comma, payload = uri.partition(",")
        try:
            if not comma:
                raise ValueError("no comma")
            if header.endswith(";base64"):
                return base64.b64decode(unquote(payload), validate=True)
            return unquote_to_bytes(payload)
        except (ValueError, binascii.Error) as error:
            raise SceneError(f"a buffer's data URI cannot be read: {error}") from None
    try:
        path = (folder / unquote(uri)).resolve()
        inside = path.is_relative_to(folder.resolve())
        if "://" in uri or not inside:
            raise SceneError(f"buffer {uri!r} is not in the folder of the file, so it is not read")
        if not path.is_file():
            raise SceneError(f"buffer {uri!r} is missing; it must lie beside the file")
        return path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        raise SceneError(f"buffer {uri[:80]!r} cannot be read: {error}") from None
