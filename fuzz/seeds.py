"""Sound files of every format that is read, to be damaged."""

from __future__ import annotations

import base64
import io
import json
import struct
import tempfile
from pathlib import Path

import numpy as np
from ezdxf.filemanagement import new as new_drawing
from PIL import Image

import walkmesh as wm
from walkmesh.io.navmeshes import SUFFIXES, navmesh_bytes

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20cm">
<style>.w{fill:none}</style><defs><rect id="a" width="2" height="1" rx=".2"/></defs>
<g transform="rotate(30 1 2) scale(2)" id="floor">
<path d="M0 0H9V9A3 4 20 0 1 0 9C1 2 3 4 5 6S1 2 3 4 Q1 1 2 2T3 3Z"/><use
href="#a" x="3"/><ellipse cx="1" cy="2" rx="3" ry="4"/></g><polyline class="w" points="1,1 2,2 3,1"
style="stroke:red;stroke-width:2"/><polygon points="0,0 9,0 9,9"/></svg>"""
_GEOJSON = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]]},
            "properties": {"walkable": True, "level": 0, "height": 2.5},
        },
        {
            "type": "Feature",
            "geometry": {"type": "MultiLineString", "coordinates": [[[1, 1], [2, 3]]]},
            "properties": {"role": "wall", "level": "1"},
        },
        {
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": [[1, 1], [1, 3]]},
            "properties": {"role": "stairs", "from": 0, "to": 1, "width": 1},
        },
    ],
}


def seeds(shared: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Return files (suffix and content) for each reader: scene, plan, building and navmesh.

    Parameters
    ----------
    shared : Path
        A folder of real scenes; the small ones are taken too, if there are any.
    """
    scene = wm.samples.stairs()
    navmesh = wm.build(scene).paint(3, box=[(0, -1, 0), (1, 3, 1)])
    navmeshes = [(suffix, navmesh_bytes(navmesh, suffix)) for suffix in SUFFIXES]
    real = [
        (file.suffix.lower(), file.read_bytes())
        for file in sorted(shared.rglob("*"))
        if file.suffix.lower() in (".obj", ".glb", ".gltf", ".ply", ".stl", ".off", ".map")
        and file.stat().st_size < 100_000
    ]
    scenes = [*_scenes(scene), *(pair for pair in real if pair[0] != ".map"), *navmeshes]
    plans = [*_plans(), *(pair for pair in real if pair[0] == ".map")]
    buildings = [(".geojson", json.dumps(_GEOJSON).encode())]
    return {"scene": scenes, "plan": plans, "building": buildings, "navmesh": navmeshes}


def _scenes(scene: wm.Scene) -> list[tuple[str, bytes]]:
    vertices, faces = scene.vertices[:60], scene.faces[scene.faces.max(axis=1) < 60]
    obj = [f"v {x} {y} {z}" for x, y, z in vertices]
    obj += ["vt 0 0", "vn 0 1 0", "g wall", "usemtl a", "f 1/1/1 2//1 3 4", "f -1 -2 -3"]
    obj += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    off = [f"OFF\n{len(vertices)} {len(faces)} 0", *(f"{x} {y} {z}" for x, y, z in vertices)]
    off += [f"3 {a} {b} {c}" for a, b, c in faces]
    stl = b"".join(struct.pack("<12fH", 0, 0, 0, *vertices[face].ravel(), 0) for face in faces)
    text = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in vertices[face])
        + "endloop\nendfacet\n"
        for face in faces
    )
    buffer = vertices.astype("<f4").tobytes() + faces.astype("<u2").tobytes()
    gltf = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "scale": [1, 2, 1]}, {"mesh": 0, "rotation": [0, 0, 0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 12 * len(vertices)},
            {"buffer": 0, "byteOffset": 12 * len(vertices), "byteLength": 6 * len(faces)},
        ],
        "buffers": [{"byteLength": len(buffer)}],
    }
    # The same as text, with the buffer in it.
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    whole = {**gltf, "buffers": [{"byteLength": len(buffer), "uri": uri}]}
    head = json.dumps(gltf).encode()
    head += b" " * (-len(head) % 4)
    body = buffer + b"\0" * (-len(buffer) % 4)
    size = 12 + 8 + len(head) + 8 + len(body)
    glb = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(head), b"JSON") + head
    glb += struct.pack("<I4s", len(body), b"BIN\0") + body
    ply = f"ply\nformat ascii 1.0\nelement vertex {len(vertices)}\nproperty float x\n"
    ply += f"property float y\nproperty double z\nelement face {len(faces)}\n"
    ply += "property list uchar int vertex_indices\nend_header\n"
    lines = [*(f"{x} {y} {z}" for x, y, z in vertices), *(f"3 {a} {b} {c}" for a, b, c in faces)]
    return [
        (".obj", "\n".join(obj).encode()),
        (".off", "\n".join(off).encode()),
        (".stl", b"x".ljust(80) + struct.pack("<I", len(faces)) + stl),
        (".stl", f"solid a\n{text}endsolid a\n".encode()),
        (".glb", glb),
        (".gltf", json.dumps(whole).encode()),
        (".ply", (ply + "\n".join(lines)).encode()),
    ]


def _plans() -> list[tuple[str, bytes]]:
    document = new_drawing("R2000", units=6)
    space = document.modelspace()
    space.add_lwpolyline([(0, 0, 0, 0, 0.5), (9, 0), (9, 9)], close=True)
    space.add_circle((2, 2), 1)
    space.add_ellipse((2, 2), major_axis=(3, 1), ratio=0.5)
    space.add_spline([(0, 0, 0), (3, 1, 0), (5, 4, 0), (7, 0, 0)])
    document.blocks.new("B").add_arc((0, 0), 1, 0, 90)
    space.add_blockref("B", (4, 4), dxfattribs={"xscale": 2.0, "rotation": 30.0})
    hatch = space.add_hatch()
    hatch.paths.add_polyline_path([(0, 0), (4, 0), (4, 4)], is_closed=True)
    text = io.StringIO()
    document.write(text)
    pixels = np.random.default_rng(0).integers(0, 256, (9, 12)).astype(np.uint8)
    images = []
    for kind in ("png", "bmp", "tiff", "ppm"):
        image = io.BytesIO()
        Image.fromarray(pixels).save(image, kind)
        images.append((f".{'pgm' if kind == 'ppm' else kind.removesuffix('f')}", image.getvalue()))
    return [
        (".geojson", json.dumps(_GEOJSON).encode()),
        (".wkt", b"POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 0.5, 2 1, 1 0.5))\n"
                 b"LINESTRING (1 0, 1 1)"),
        (".svg", _SVG.encode()),
        (".dxf", text.getvalue().encode()),
        (".map", b"type octile\nheight 3\nwidth 4\nmap\n.G@T\nSS@W\n..O.\n"),
        (".yaml", b"image: floor.png\nresolution: 0.05\norigin: [-1.0, 2.0, 0.5]\nnegate: 0\n"
                  b"occupied_thresh: 0.65\nfree_thresh: 0.196\nmode: trinary\n"),
        *images,
    ]  # fmt: skip


def folder_with_image() -> Path:
    """Return a new folder with the image that a map names."""
    folder = Path(tempfile.mkdtemp(prefix="walkmesh-fuzz-"))
    Image.fromarray(np.full((9, 12), 255, dtype=np.uint8)).save(folder / "floor.png")
    return folder
