"""Scene files made in memory, for the tests of the readers."""

import json
import struct

import numpy as np


def ply_header(file_format, vertices, faces, count="uchar", index="int", number="double", extra=""):
    return (
        f"ply\nformat {file_format} 1.0\ncomment made by hand\n"
        f"element vertex {vertices}\nproperty {number} x\nproperty {number} y\n"
        f"property {number} z\nelement face {faces}\n"
        f"property list {count} {index} vertex_indices\n{extra}end_header\n"
    ).encode()


def write_obj(vertices, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    return "\n".join(lines).encode()


def write_off(vertices, faces):
    lines = [f"OFF\n{len(vertices)} {len(faces)} 0"]
    lines += [f"{x!r} {y!r} {z!r}" for x, y, z in vertices]
    lines += [f"{len(face)} " + " ".join(map(str, face)) for face in faces]
    return "\n".join(lines).encode()


def write_text_ply(vertices, faces):
    lines = [f"{x!r} {y!r} {z!r}" for x, y, z in vertices]
    lines += [f"{len(face)} " + " ".join(map(str, face)) for face in faces]
    return ply_header("ascii", len(vertices), len(faces)) + "\n".join(lines).encode()


def write_binary_ply(vertices, faces, order="<"):
    name = "binary_little_endian" if order == "<" else "binary_big_endian"
    body = b"".join(struct.pack(f"{order}3d", *vertex) for vertex in vertices)
    body += b"".join(struct.pack(f"{order}B{len(face)}i", len(face), *face) for face in faces)
    return ply_header(name, len(vertices), len(faces)) + body


def write_big_endian_ply(vertices, faces):
    return write_binary_ply(vertices, faces, ">")


def write_text_stl(corners):
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in corners
    ]
    return ("solid made by hand\n" + "".join(facets) + "endsolid made by hand\n").encode()


def write_binary_stl(corners, header=b"solid, though binary"):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(triangle), 0) for triangle in corners)
    return header.ljust(80, b" ") + struct.pack("<I", len(corners)) + body


class Gltf:
    """A glTF file in the making: arrays become accessors of one buffer."""

    def __init__(self):
        self.binary = b""
        self.tree = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": []}

    def accessor(self, values, kind, dtype, **more):
        array = np.asarray(values, dtype=dtype)
        component = {"u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}[dtype]
        self.tree["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": array.nbytes}
        )
        self.binary += array.astype(f"<{dtype}").tobytes()
        self.tree["accessors"].append(
            {
                "bufferView": len(self.tree["bufferViews"]) - 1,
                "componentType": component,
                "count": len(array),
                "type": kind,
                **more,
            }
        )
        return len(self.tree["accessors"]) - 1

    def mesh(self, *primitives):
        self.tree["meshes"].append({"primitives": list(primitives)})
        return len(self.tree["meshes"]) - 1

    def triangles(self, positions, corners=None, mode=4):
        primitive = {"attributes": {"POSITION": self.accessor(positions, "VEC3", "f4")}}
        if corners is not None:
            primitive["indices"] = self.accessor(corners, "SCALAR", "u2")
        return self.mesh(primitive if mode == 4 else {**primitive, "mode": mode})

    def show(self, *nodes):
        self.tree["nodes"] = list(nodes)
        children = {child for node in nodes for child in node.get("children", [])}
        roots = [i for i in range(len(nodes)) if i not in children]
        self.tree["scenes"] = [{"nodes": roots}]
        return self

    def glb(self):
        binary = self.binary + b"\0" * (-len(self.binary) % 4)
        self.tree["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.tree).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def gltf(self, uri):
        self.tree["buffers"] = [{"byteLength": len(self.binary), "uri": uri}]
        return json.dumps(self.tree).encode()
