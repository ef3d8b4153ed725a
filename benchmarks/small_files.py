"""Small scenes and floor plans in every format that walkmesh reads, written by hand."""

from __future__ import annotations

import base64
import json
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import walkmesh as wm

# A floor like an L, which is concave, a table on it, and a ramp.
CORNERS = (
    (0.0, 0.0, 0.0), (0.0, 0.0, 8.0), (4.0, 0.0, 8.0), (4.0, 0.0, 4.0), (9.5, 0.0, 4.0),
    (9.5, 0.0, 0.0), (1.0, 0.7, 1.25), (1.0, 0.7, 2.0), (2.0, 0.7, 2.0), (2.0, 0.7, 1.25),
    (1.0, 0.0, 8.0), (1.0, 1.5, 12.0), (3.0, 1.5, 12.0), (3.0, 0.0, 8.0), (np.nan, 0.0, 0.0),
)  # fmt: skip
FACES = ((0, 1, 2, 3, 4, 5), (6, 7, 8, 9), (10, 11, 12), (10, 12, 13), (10, 12, 13), (0, 1, 14))
TRIANGLES = ((6, 7, 8), (6, 8, 9), (10, 11, 12), (10, 12, 13), (0, 1, 2), (0, 2, 3), (0, 3, 5),
             (3, 4, 5))  # fmt: skip

WKT = """\
POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0), (9 5, 11 5, 11 7, 9 7, 9 5))
MULTIPOLYGON (((2 1, 4 1, 4 3, 2 3, 2 1)), ((5 5, 7 5, 5 7, 7 7, 5 5)))
LINESTRING (6 0, 6 3, 7.3 3.1)
"""
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80">
  <rect id="floor" width="120" height="80" rx="3" fill="#eee"/>
  <g id="desks" transform="translate(10 10) rotate(10)">
    <circle cx="20" cy="20" r="8"/><ellipse cx="60" cy="15" rx="12" ry="5"/>
    <path d="M 10 45 q 10 -10 20 0 t 20 0 a 5 8 30 0 1 -10 5 z"/>
  </g>
  <g id="walls" stroke="black" fill="none">
    <line x1="70" y1="0" x2="70" y2="30"/><polyline points="90,80 90,60 105,55"/>
  </g>
  <text x="1" y="1">passed over</text>
</svg>
"""
DXF = """
0 SECTION 2 ENTITIES
0 POLYLINE 8 floor 66 1 70 1
0 VERTEX 8 floor 10 0.0 20 0.0
0 VERTEX 8 floor 10 12.0 20 0.0 42 0.1
0 VERTEX 8 floor 10 12.0 20 8.0
0 VERTEX 8 floor 10 0.0 20 8.0
0 SEQEND
0 LINE 8 walls 10 6.0 20 0.0 11 6.0 21 3.0
0 CIRCLE 8 desks 10 3.0 20 4.0 40 1.0
0 ARC 8 walls 10 9.0 20 4.0 40 1.5 50 20.0 51 160.0
0 POINT 8 walls 10 1.0 20 1.0
0 ENDSEC 0 EOF
"""
GRID = "type octile\nheight 5\nwidth 7\nmap\n.......\n.G@T...\nSS@W.O.\n..O....\n.......\n"
ROS = "image: grid.pgm\nresolution: 0.1\norigin: [-1.0, -2.0, 0.3]\nnegate: 0\n\
occupied_thresh: 0.65\nfree_thresh: 0.196\n"


def write_scenes(folder: Path) -> None:
    """Write a scene in every format."""
    corners = [" ".join(map(repr, corner)) for corner in CORNERS]
    listed = [" ".join(map(str, [len(face), *face])) for face in FACES]
    named = ["f " + " ".join(str(i + 1) for i in face) for face in FACES]
    backwards = ["f " + " ".join(str(i - len(CORNERS)) for i in face) for face in FACES]
    for name, faces in (("faces.obj", named), ("backwards.obj", backwards)):
        (folder / name).write_text("\n".join([*(f"v {c}" for c in corners), *faces]) + "\n")
    (folder / "faces.off").write_text(
        f"OFF\n{len(corners)} {len(FACES)} 0\n" + _lines(corners, listed)
    )
    (folder / "text.ply").write_bytes(_ply_header("ascii") + _lines(corners, listed).encode())
    for order, word in (("<", "little"), (">", "big")):
        body = b"".join(struct.pack(f"{order}3d", *corner) for corner in CORNERS)
        body += b"".join(struct.pack(f"{order}B{len(f)}i", len(f), *f) for f in FACES)
        content = _ply_header(f"binary_{word}_endian") + body
        (folder / f"{word}.ply").write_bytes(content)
    points = np.array(CORNERS, dtype="<f4")[list(TRIANGLES)]
    facets = [
        "facet normal 0 1 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle.tolist())
        + "endloop\nendfacet\n"
        for triangle in points
    ]
    (folder / "text.stl").write_text(f"solid room\n{''.join(facets)}endsolid room\n")
    records = [struct.pack("<12fH", 0, 1, 0, *triangle.ravel(), 0) for triangle in points]
    body = struct.pack("<I", len(records)) + b"".join(records)
    (folder / "binary.stl").write_bytes(b"made by hand".ljust(80) + body)
    _write_gltf(folder)


def write_obj(file: Path, scene: wm.Scene) -> None:
    """Write the triangles of a scene, to the last digit."""
    lines = ["v " + " ".join(map(repr, vertex)) for vertex in scene.vertices.tolist()]
    lines += ["f " + " ".join(map(str, face)) for face in (scene.faces + 1).tolist()]
    file.write_text("\n".join(lines) + "\n")


def write_plans(folder: Path) -> None:
    """Write a floor plan in every format, and a building of two storeys."""
    (folder / "room.wkt").write_text(WKT)
    (folder / "room.svg").write_text(SVG)
    (folder / "room.dxf").write_text("\n".join(DXF.split()) + "\n")
    (folder / "room.map").write_text(GRID)
    pixels = np.full((30, 40), 254, dtype=np.uint8)
    pixels[5:9, 3:20] = 0
    pixels[12:25, 30:32] = 205
    pixels[20:22, 5:30] = np.linspace(0, 255, 25).astype(np.uint8)
    for suffix in ("png", "pgm", "bmp", "tif", "jpg"):
        Image.fromarray(pixels).save(folder / f"grid.{suffix}")
    (folder / "ros.yaml").write_text(ROS)
    square = [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]
    desk = [[4, 3], [6, 3], [6, 5], [4, 5], [4, 3]]
    room = [
        _feature("Polygon", [square], role="boundary"),
        _feature("Polygon", [desk], walkable=False),
        _feature("LineString", [[0, 6], [3, 6.5]], role="wall"),
    ]
    storeys = [_feature("Polygon", [square], level=level) for level in (0, 1)]
    desks = [_feature("Polygon", [desk], level=1, role="obstacle")]
    lines = [[[1, 1], [2, 1]], [[1, 6], [2, 6]]]
    flight = _feature("MultiLineString", lines, stairs=[0, 1])
    for name, features in (("room", room), ("storeys", [*storeys, *desks, flight])):
        content = {"type": "FeatureCollection", "features": features}
        (folder / f"{name}.geojson").write_text(json.dumps(content))


def _lines(*parts: Sequence[str]) -> str:
    return "\n".join(line for part in parts for line in part) + "\n"


def _ply_header(kind: str) -> bytes:
    return (
        f"ply\nformat {kind} 1.0\ncomment made by hand\nelement vertex {len(CORNERS)}\n"
        f"property double x\nproperty double y\nproperty double z\nelement face {len(FACES)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    ).encode()


def _feature(kind: str, coordinates: Any, **properties: Any) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def _write_gltf(folder: Path) -> None:
    """Write triangles and a fan, placed twice, as glTF with its data inside and as GLB."""
    places = np.array(CORNERS[:-1], dtype="<f4").tobytes()
    ids = np.array(TRIANGLES[:4], dtype="<u2").tobytes()
    fan = np.array([3, 4, 5, 0, 1, 2], dtype="<u2").tobytes()
    data = places + ids + fan
    starts = (0, len(places), len(places) + len(ids))
    accessors = (("VEC3", 5126, len(CORNERS) - 1), ("SCALAR", 5123, 12), ("SCALAR", 5123, 6))
    sizes = (len(places), len(ids), len(fan))
    content: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "children": [2], "scale": [1.0, 1.5, 1.0]},
            {"mesh": 0, "translation": [20.0, 0.5, 0.0], "rotation": [0.0, 0.6, 0.0, 0.8]},
            {"mesh": 0, "matrix": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, -30, 1, 0.25, 1]},
        ],
        "meshes": [
            {
                "primitives": [
                    {"attributes": {"POSITION": 0}, "indices": 1},
                    {"attributes": {"POSITION": 0}, "indices": 2, "mode": 6},
                ]
            }
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": size}
            for start, size in zip(starts, sizes, strict=True)
        ],
        "accessors": [
            {"bufferView": view, "type": kind, "componentType": component, "count": count}
            for view, (kind, component, count) in enumerate(accessors)
        ],
    }
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    inside = {"buffers": [{"byteLength": len(data), "uri": uri}]}
    (folder / "nodes.gltf").write_text(json.dumps(content | inside))
    text = json.dumps(content | {"buffers": [{"byteLength": len(data)}]}).encode()
    text, data = text + b" " * (-len(text) % 4), data + bytes(-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(data), 0x004E4942) + data
    (folder / "nodes.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
