"""PLY, the Stanford polygon format: as text, and binary in both byte orders.

A header names *elements* (vertex, face, ...), each with a number of records and with *properties*
that are one number or a list of numbers. The records follow in the same order.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from walkmesh.errors import FormatError, SceneError
from walkmesh.io.kernels.records import gather_items, locate_fields
from walkmesh.io.metadata import describe_with_links, navmesh_with_links
from walkmesh.io.polygons import Polygons
from walkmesh.io.text import read_lists, read_rows, skip_rows
from walkmesh.topology import detail_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from walkmesh.navmesh import NavMesh

# How the header's comment starts in a file that holds a navmesh.
_MARK = "walkmesh navmesh "
PLY_MARK = f"comment {_MARK}".encode()

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
_TYPE_NAMES = {code: name for name, code in reversed(_TYPES.items())}
_CORNER_DTYPE = np.dtype([("vertex", "<i4"), ("neighbor", "<i4")])
_POLYGON_DTYPE = np.dtype([("corners", "<i4"), ("area", "u1"), ("component", "<i4")])
_DETAIL_DTYPE = np.dtype([("polygon", "<i4")])
_ByteOrder = Literal["<", ">"]
_FORMATS: dict[str, _ByteOrder | None] = {
    "ascii": None,
    "binary_little_endian": "<",
    "binary_big_endian": ">",
}
_CORNERS = ("vertex_indices", "vertex_index")


@dataclass(frozen=True)
class _Property:
    """One property of an element; `count_type` is None unless it is a list."""

    name: str
    item_type: np.dtype[Any]
    count_type: np.dtype[Any] | None

    @property
    def smallest_size(self) -> int:
        """The number of bytes that it takes at least."""
        return (self.item_type if self.count_type is None else self.count_type).itemsize


@dataclass(frozen=True)
class _Element:
    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)

    @property
    def has_lists(self) -> bool:
        return any(p.count_type is not None for p in self.properties)


@dataclass(frozen=True)
class _Header:
    """What stands before ``end_header``; `byte_order` is None for a file of text."""

    byte_order: _ByteOrder | None
    elements: list[_Element]
    comments: tuple[str, ...]
    end: int


# The columns of an element: numbers by name, and lists by name as (counts, items).
_Scalars = dict[str, "NDArray[Any]"]
_Lists = dict[str, "tuple[NDArray[Any], NDArray[Any]]"]


def read_ply(data: bytes) -> Polygons:
    """Read the vertices and faces of a PLY file, with the further numbers of each face."""
    header, found = _read_elements(data)
    if "vertex" not in found:
        raise SceneError("it has no vertices: its header has no 'element vertex'")
    vertices = _positions(found["vertex"][0])
    scalars, lists = found.get("face", ({}, {}))
    corners = [lists[name] for name in _CORNERS if name in lists]
    if "face" in found and not corners:
        raise SceneError(f"its faces have no list property {' or '.join(map(repr, _CORNERS))}")
    none = np.empty(0, dtype=np.int64)
    counts, items = corners[0] if corners else (none, none)
    return Polygons.from_lists(vertices, counts, items, scalars, header.comments)


def _read_elements(data: bytes) -> tuple[_Header, dict[str, tuple[_Scalars, _Lists]]]:
    """Return the header and the columns of every element; of text, of vertices and faces only."""
    header = _read_header(data)
    place = header.end
    found: dict[str, tuple[_Scalars, _Lists]] = {}
    for element in header.elements:
        if element.name == "tristrips" and element.count > 0:
            raise SceneError("its triangles are strips (tristrips); only faces are read")
        if not element.properties:
            continue
        if header.byte_order is not None:
            scalars, lists, place = _read_binary(data, place, element, header.byte_order)
        elif element.name in ("vertex", "face"):
            scalars, lists, place = _read_text(data, place, element)
        else:
            count, place = skip_rows(data, place, element.count)
            _check_count(element, count)
            continue
        found.setdefault(element.name, (scalars, lists))
    return header, found


def _positions(scalars: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    missing = [axis for axis in "xyz" if axis not in scalars]
    if missing:
        raise SceneError(f"its vertices have no property {missing[0]!r}")
    return np.column_stack([scalars[axis].astype(np.float64) for axis in "xyz"])


def _read_header(data: bytes) -> _Header:
    if not re.match(rb"ply\s", data):
        raise SceneError("not a PLY file: it does not start with the word ply")
    # Some files end their lines with CR alone. The numbers of a binary file follow the one byte
    # (or CR LF) that ends the header, whatever they are.
    ending = re.search(rb"[\r\n]end_header[ \t]*(\r\n|\n|\r)", data)
    if ending is None:
        raise SceneError("its header has no 'end_header' line")
    file_format = ""
    elements: list[_Element] = []
    comments: list[str] = []
    for line in re.split("[\r\n]+", data[3 : ending.start()].decode("utf-8", "replace")):
        word, rest = (*line.split(None, 1), "", "")[:2]
        if word in ("comment", "obj_info"):
            comments.append(rest.strip())
        elif word == "format":
            file_format = rest.partition(" ")[0]
        elif word == "element":
            elements.append(_parse_element(line))
        elif word == "property" and elements:
            elements[-1].properties.append(_parse_property(line))
        elif word:
            raise SceneError(f"its header has a line that PLY does not define: {line[:60]!r}")
    if file_format not in _FORMATS:
        raise SceneError(f"its header has no 'format' line with one of {', '.join(_FORMATS)}")
    return _Header(_FORMATS[file_format], elements, tuple(comments), ending.end())


def _parse_element(line: str) -> _Element:
    words = line.split()
    if len(words) != 3 or re.fullmatch("[0-9]{1,18}", words[2]) is None:
        raise SceneError(
            f"its header has a line that should read 'element NAME COUNT': {line[:60]!r}"
        )
    return _Element(words[1], int(words[2]))


def _parse_property(line: str) -> _Property:
    words = line.split()
    types = words[1:-1]
    is_list = types[:1] == ["list"]
    types = types[1:] if is_list else types
    if len(types) != (2 if is_list else 1) or any(name not in _TYPES for name in types):
        raise SceneError(f"its header has a property of unknown type: {line[:60]!r}")
    count_type = np.dtype(_TYPES[types[0]]) if is_list else None
    if count_type is not None and count_type.kind == "f":
        raise SceneError(f"its header has a list whose length is not an integer: {line[:60]!r}")
    return _Property(words[-1], np.dtype(_TYPES[types[-1]]), count_type)


def _check_count(element: _Element, present: int) -> None:
    if present < element.count:
        raise SceneError(
            f"it ends after {present} of the {element.count} records of element {element.name!r} "
            "that its header claims"
        )


def _read_text(data: bytes, place: int, element: _Element) -> tuple[_Scalars, _Lists, int]:
    """Read the lines of an element, one for each record."""
    rows = read_rows(data, place, element.count)
    _check_count(element, len(rows))
    scalars: _Scalars = {}
    lists: _Lists = {}
    starts, stops = rows.offsets[:-1], rows.offsets[1:]
    for item in element.properties:
        if item.count_type is not None:
            counts, items = read_lists(rows.values, starts, stops, element.name)
            lists[item.name] = counts, items
            starts = starts + 1 + counts
        elif np.any(starts >= stops):
            record = int((starts >= stops).argmax())
            raise SceneError(f"{element.name} {record} has no number for property {item.name!r}")
        else:
            scalars[item.name] = rows.values[starts]
            starts = starts + 1
    return scalars, lists, rows.end


def _read_binary(
    data: bytes, place: int, element: _Element, byte_order: _ByteOrder
) -> tuple[_Scalars, _Lists, int]:
    """Read the records of an element."""
    smallest = sum(item.smallest_size for item in element.properties)
    if element.count * smallest > len(data) - place:
        _check_count(element, (len(data) - place) // smallest)
    if not element.has_lists:
        record = np.dtype([(f"{k}", p.item_type) for k, p in enumerate(element.properties)])
        table = np.frombuffer(data, record.newbyteorder(byte_order), element.count, place)
        columns = {p.name: table[f"{k}"] for k, p in enumerate(element.properties)}
        return columns, {}, place + element.count * smallest
    return _read_ragged(data, place, element, byte_order)


def _read_ragged(
    data: bytes, place: int, element: _Element, byte_order: _ByteOrder
) -> tuple[_Scalars, _Lists, int]:
    """Read records whose lists make each of them another size."""
    codes = np.frombuffer(data, dtype=np.uint8)
    properties = element.properties
    count_sizes = [0 if p.count_type is None else p.count_type.itemsize for p in properties]
    item_sizes = [p.item_type.itemsize for p in properties]
    places = np.empty((element.count, len(properties), 2), dtype=np.int64)
    end = locate_fields(
        codes,
        place,
        element.count,
        np.array(count_sizes, dtype=np.int64),
        np.array(item_sizes, dtype=np.int64),
        int(byte_order == ">"),
        places.reshape(-1),
    )
    if end < 0:
        raise SceneError(
            f"it ends before the last of the {element.count} records of element {element.name!r} "
            "that its header claims"
        )
    scalars: _Scalars = {}
    lists: _Lists = {}
    for k, item in enumerate(properties):
        starts, counts = (np.ascontiguousarray(places[:, k, column]) for column in (0, 1))
        gathered = np.empty(int(counts.sum()) * item_sizes[k], dtype=np.uint8)
        gather_items(codes, starts, counts, item_sizes[k], gathered)
        items = gathered.view(item.item_type.newbyteorder(byte_order)).astype(item.item_type)
        if item.count_type is None:
            scalars[item.name] = items
        else:
            lists[item.name] = counts, items
    return scalars, lists, end


def write_ply(
    vertices: NDArray[np.float64],
    triangles: NDArray[np.int32],
    *,
    comments: tuple[str, ...] = (),
    elements: Mapping[str, NDArray[Any]] | None = None,
) -> bytes:
    """Return the content of a binary PLY file of triangles, coordinates in double precision.

    `comments` are lines for the header. `elements` are further ones by name: structured arrays,
    with a property for each field.
    """
    faces = np.empty(len(triangles), dtype=[("count", "u1"), ("corners", "<i4", (3,))])
    faces["count"], faces["corners"] = 3, triangles
    header = [
        "ply",
        "format binary_little_endian 1.0",
        *(f"comment {comment}" for comment in comments),
        f"element vertex {len(vertices)}",
        *(f"property double {axis}" for axis in "xyz"),
        f"element face {len(triangles)}",
        "property list uchar int vertex_indices",
    ]
    content = vertices.astype("<f8").tobytes() + faces.tobytes()
    for name, records in (elements or {}).items():
        header.append(f"element {name} {len(records)}")
        for field_name, (dtype, *_) in (records.dtype.fields or {}).items():
            header.append(f"property {_TYPE_NAMES[dtype.str[1:]]} {field_name}")
        content += records.tobytes()
    return "\n".join([*header, "end_header\n"]).encode() + content


def write_ply_navmesh(navmesh: NavMesh) -> bytes:
    """Return the content of a PLY file with the triangles of a navmesh, and the navmesh itself.

    Many readers take triangles only, so these are the faces. The polygons are elements of their
    own, which those readers pass over; the description is a comment. Where the triangles do not
    follow from the polygons, an element tells which polygon each of them belongs to.
    """
    corners = np.empty(len(navmesh.polygon_vertices), dtype=_CORNER_DTYPE)
    corners["vertex"], corners["neighbor"] = navmesh.polygon_vertices, navmesh.neighbors
    polygons = np.empty(navmesh.polygon_count, dtype=_POLYGON_DTYPE)
    polygons["corners"] = np.diff(navmesh.polygon_offsets)
    polygons["area"], polygons["component"] = navmesh.areas, navmesh.components
    elements = {"corner": corners, "polygon": polygons}
    if detail_of(navmesh) is not None:
        elements["detail"] = np.empty(len(navmesh.triangles), dtype=_DETAIL_DTYPE)
        elements["detail"]["polygon"] = navmesh.triangle_polygons
    description = json.dumps(describe_with_links(navmesh), separators=(",", ":"))
    return write_ply(
        navmesh.vertices,
        navmesh.triangles,
        comments=(f"{_MARK}{description}",),
        elements=elements,
    )


def read_ply_navmesh(data: bytes) -> NavMesh:
    """Read back what :func:`write_ply_navmesh` returned; FormatError for all else."""
    try:
        header, found = _read_elements(data)
        marked = [comment for comment in header.comments if comment.startswith(_MARK)]
        if not marked:
            raise FormatError(
                "it is not a navmesh that walkmesh saved; load_scene reads it as a scene"
            )
        description = json.loads(marked[0][len(_MARK) :])
        corners, polygons = found["corner"][0], found["polygon"][0]
        arrays = {
            "vertices": _positions(found["vertex"][0]),
            "polygon_offsets": np.concatenate([[0], np.cumsum(polygons["corners"], dtype=int)]),
            "polygon_vertices": corners["vertex"],
            "neighbors": corners["neighbor"],
            "areas": polygons["area"],
            "components": polygons["component"],
        }
        if "detail" in found:
            counts, items = found["face"][1]["vertex_indices"]
            if np.any(counts != 3):
                raise FormatError("it is damaged: it has faces that are not triangles")
            arrays["triangles"] = items.reshape(-1, 3)
            arrays["triangle_polygons"] = found["detail"][0]["polygon"]
    except (ValueError, KeyError, RecursionError) as error:
        raise FormatError(f"it is damaged: {error}") from None
    except SceneError as error:
        raise FormatError(str(error)) from None
    return navmesh_with_links(description, arrays)
