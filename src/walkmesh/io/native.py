"""The native format, ``.walkmesh``: every array of a navmesh as it is, in one file.

It is a zip archive without compression: ``metadata.json`` beside one ``.npy`` file for each array,
so ``numpy.load`` opens it, and so does any tool that unzips. Sizes in a file without compression
cannot promise more than the file holds, and zip's checksums catch damage.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.errors import FormatError
from walkmesh.io.metadata import describe, navmesh_from
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.topology import detail_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.navmesh import NavMesh

_METADATA = "metadata.json"
_DTYPES: dict[str, np.dtype[Any]] = {
    "vertices": np.dtype("<f8"),
    "polygon_offsets": np.dtype("<i4"),
    "polygon_vertices": np.dtype("<i4"),
    "neighbors": np.dtype("<i4"),
    "areas": np.dtype("u1"),
    "components": np.dtype("<i4"),
    "links": LINK_DTYPE,
}
# Only in files of navmeshes whose triangles do not follow from the polygons.
_DETAIL_DTYPES: dict[str, np.dtype[Any]] = {
    "triangles": np.dtype("<i4"),
    "triangle_polygons": np.dtype("<i4"),
}


def write_native(navmesh: NavMesh) -> bytes:
    """Return the content of a ``.walkmesh`` file; equal navmeshes give equal bytes."""
    content = io.BytesIO()
    dtypes = _DTYPES if detail_of(navmesh) is None else _DTYPES | _DETAIL_DTYPES
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        # ZipInfo's own date, 1980, instead of today's, keeps the bytes the same.
        archive.writestr(zipfile.ZipInfo(_METADATA), json.dumps(describe(navmesh), indent=1))
        for name, dtype in dtypes.items():
            array = io.BytesIO()
            np.lib.format.write_array(
                array, getattr(navmesh, name).astype(dtype), version=(1, 0), allow_pickle=False
            )
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), array.getvalue())
    return content.getvalue()


def read_native(data: bytes) -> NavMesh:
    """Read back what :func:`write_native` returned; FormatError for all else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            metadata = json.loads(_member(archive, _METADATA))
            members = set(archive.namelist())
            detailed = any(f"{name}.npy" in members for name in _DETAIL_DTYPES)
            dtypes = _DTYPES | _DETAIL_DTYPES if detailed else _DTYPES
            arrays = {
                name: _array(name, _member(archive, f"{name}.npy"), dtype)
                for name, dtype in dtypes.items()
            }
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise FormatError(f"not a walkmesh file, or a damaged one: {error}") from None
    return navmesh_from(metadata, arrays)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise FormatError(f"not a walkmesh file: it has no {name}") from None
    if entry.compress_type != zipfile.ZIP_STORED:
        raise FormatError(f"its {name} is compressed; a walkmesh file never is")
    return archive.read(entry)


def _array(name: str, content: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Read an array without trusting the size that its header claims."""
    stream = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError("of a version that walkmesh does not write")
        shape, fortran_order, found = np.lib.format.read_array_header_1_0(stream)
    except Exception as error:  # numpy evaluates the header, and fails in many ways
        raise FormatError(f"its {name}.npy is damaged: {error}") from None
    values = content[stream.tell() :]
    if found != dtype or fortran_order:
        raise FormatError(f"its {name} is of type {found}; it must be {dtype}")
    count = math.prod(shape)
    if any(type(n) is not int or n < 0 for n in shape) or count * dtype.itemsize != len(values):
        raise FormatError(f"its {name} claims shape {shape}, but has {len(values)} bytes")
    return np.frombuffer(values, dtype=dtype).reshape(shape)
