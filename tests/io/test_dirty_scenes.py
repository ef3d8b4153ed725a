"""Malformed and hostile files: a scene or a clear error, never a crash, a hang or a traceback."""

import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.checks.small_memory import check_refused
from tests.makers.scene_files import (
    Gltf,
    ply_header,
    write_big_endian_ply,
    write_binary_ply,
    write_binary_stl,
    write_obj,
    write_off,
    write_text_ply,
    write_text_stl,
)
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.errors import SceneError
from walkmesh.io.scenes import load_scene

VERTICES = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0.125)]
FACES = [[0, 1, 2], [0, 1, 2, 3]]
CORNERS = [[VERTICES[i] for i in face[:3]] for face in FACES]
BILLIONS = 4_000_000_000


def made_gltf():
    gltf = Gltf()
    return gltf.show({"mesh": gltf.triangles(VERTICES, [0, 1, 2, 0, 2, 3])})


def json_gltf(tree):
    return json.dumps({"asset": {"version": "2.0"}, **tree}).encode()


def refuse(tmp_path, name, data):
    """Return the message with which a file is refused, without its name."""
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(SceneError) as error:
        load_scene(file)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(f"{file}: ")
    return message.removeprefix(f"{file}: ")


DIRTY = sorted(path for path in (SCENES / "dirty").rglob("*") if path.is_file())
WITHOUT_A_TRIANGLE = {
    "OutOfMemory.off": "it ends after 14 of the 353535235358 vertices",
    "crash-30d6d0f7c529b3b66b4131700b7a4580cd7082df.ply": "no 'end_header' line",
    "empty.obj": "it ",
    "empty.ply": "it is empty",
    "empty.stl": "it has no triangles",
    "empty_nodes.glb": "it has no triangles",
    "face_in_group_name.obj": "it has no triangles",
    "points_emptyface.ply": "it has no triangles",
    "malformed.obj": "line 23: '12' names a vertex that does not exist; the file has 8",
    "invalid-face-definition.obj": "of 2 given, 0 are not finite and 2 have no area",
    "invalid-relative-vertex-index.obj": "line 1: '-4' names a vertex that does not exist",
    "issue-140-zero-face-idx.obj": "line 16: '0/0/0' names vertex 0",
}
TRIANGLE_COUNTS = {
    "BoxBadNormals.glb": 12,
    "malformed2.obj": 10,
    "regr01.obj": 2706,
    "issue-161-inconsistent-f.obj": 12,
    "issue-295-trianguation-failure.obj": 28,
    "issue-330.obj": 3,
    "test-nan.obj": 34,
    "busted.STL": 3878,
    "joined_tetrahedra.obj": 8,
    "mode5.gltf": 2786,
    "multibody.stl": 32,
    "negative_indices.obj": 12,
    "nested.glb": 36,
    "no_indices_3storybuilding.glb": 72,
    "notenoughindices.obj": 1,
    "polygonfaces.obj": 3,
    "soup.stl": 100,
    "wallhole.obj": 66,
}


@needs_scenes
@pytest.mark.parametrize("file", DIRTY, ids=lambda path: path.name)
def test_dirty_files_of_other_readers(file):
    if file.name in TRIANGLE_COUNTS:
        assert len(load_scene(file).faces) == TRIANGLE_COUNTS[file.name]
    else:
        with pytest.raises(SceneError) as error:
            load_scene(file)
        assert WITHOUT_A_TRIANGLE[file.name] in str(error.value)


class TestPaths:
    def test_missing(self, tmp_path):
        with pytest.raises(SceneError, match=r"absent\.obj: there is no such file"):
            load_scene(tmp_path / "absent.obj")

    def test_folder(self, tmp_path):
        (tmp_path / "folder.obj").mkdir()
        with pytest.raises(SceneError, match="it is a folder"):
            load_scene(tmp_path / "folder.obj")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_no_permission(self, tmp_path):
        file = tmp_path / "locked.obj"
        file.write_bytes(b"v 0 0 0")
        file.chmod(0)
        with pytest.raises(SceneError, match="cannot be read: Permission denied"):
            load_scene(file)

    def test_no_regular_file(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.obj")
        with pytest.raises(SceneError, match="not a regular file"):
            load_scene(tmp_path / "pipe.obj")

    def test_impossible_names(self):
        for name in ("a\0b.obj", "x" * 5000 + ".obj"):
            with pytest.raises(SceneError):
                load_scene(name)

    @pytest.mark.parametrize("suffix", ["", ".fbx", ".map"])
    def test_unknown_suffix(self, tmp_path, suffix):
        message = refuse(tmp_path, f"a{suffix}", b"v 0 0 0")
        assert message.endswith("supported: .obj, .glb, .gltf, .ply, .stl, .off")

    @pytest.mark.parametrize("suffix", ["obj", "glb", "gltf", "ply", "stl", "off"])
    def test_empty(self, tmp_path, suffix):
        assert refuse(tmp_path, f"a.{suffix}", b"") == "it is empty"
        assert refuse(tmp_path, f"a.{suffix}", b"\xef\xbb\xbf")


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0" + bytes(range(256))
WRONG_CONTENT = {
    "obj": "it holds binary data",
    "glb": "not a glTF file",
    "gltf": "not a glTF file",
    "ply": "not a PLY file",
    "off": "not an OFF file",
    "stl": "an STL file either is text that starts with 'solid'",
}


@pytest.mark.parametrize("suffix", WRONG_CONTENT)
def test_content_of_another_kind(tmp_path, suffix):
    assert WRONG_CONTENT[suffix] in refuse(tmp_path, f"a.{suffix}", PNG)
    if suffix not in ("glb", "gltf"):
        assert WRONG_CONTENT[suffix] in refuse(tmp_path, f"a.{suffix}", made_gltf().glb())


FORMATS = {
    "obj": write_obj(VERTICES, FACES),
    "off": write_off(VERTICES, FACES),
    "ply": write_text_ply(VERTICES, FACES),
    "little.ply": write_binary_ply(VERTICES, FACES),
    "big.ply": write_big_endian_ply(VERTICES, FACES),
    "stl": write_text_stl(CORNERS),
    "binary.stl": write_binary_stl(CORNERS),
    "glb": made_gltf().glb(),
    "gltf": made_gltf().gltf("data:;base64,AAAA"),
}


class TestDamage:
    """Whatever happens to a file's bytes, there is a scene or a SceneError."""

    @staticmethod
    def attempt(folder, name, data):
        file = folder / f"a.{name}"
        file.write_bytes(data)
        try:
            scene = load_scene(file)
        except SceneError:
            return
        assert len(scene.faces) > 0
        assert np.all(np.isfinite(scene.vertices[scene.faces]))

    @pytest.mark.parametrize("name", FORMATS)
    def test_cut_off_anywhere(self, tmp_path, name):
        for length in range(len(FORMATS[name])):
            self.attempt(tmp_path, name, FORMATS[name][:length])

    @pytest.mark.parametrize("name", FORMATS)
    @given(st.data())
    @settings(
        max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    def test_changed_bytes(self, tmp_path, name, data):
        content = bytearray(FORMATS[name])
        place = st.integers(0, len(content) - 1)
        byte = st.one_of(st.integers(0, 255), st.sampled_from(b"0123456789-.e \n\\#/"))
        for at, value in data.draw(st.lists(st.tuples(place, byte), min_size=1, max_size=4)):
            content[at] = value
        self.attempt(tmp_path, name, bytes(content))

    @given(st.data())
    @settings(
        max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    def test_changed_json(self, tmp_path, data):
        gltf = made_gltf()
        tree = json.loads(gltf.gltf("data:;base64,AAAA"))
        tree["nodes"][0] |= {"translation": [1, 2, 3], "children": []}
        junk = st.sampled_from(
            [
                None,
                True,
                -1,
                0,
                1,
                2,
                7,
                1.5,
                1e999,
                2**31,
                2**63,
                10**30,
                "x",
                "",
                [],
                [0],
                {},
                [[]],
            ]
        )
        parts = [tree]
        for part in parts:
            values = part.values() if isinstance(part, dict) else part
            parts.extend(value for value in values if isinstance(value, (dict, list)) and value)
        for _ in range(data.draw(st.integers(1, 3))):
            part = data.draw(st.sampled_from(parts))
            keys = list(part) if isinstance(part, dict) else range(len(part))
            part[data.draw(st.sampled_from(keys))] = data.draw(junk)
        gltf.tree = tree
        self.attempt(tmp_path, "glb", gltf.glb())


class TestClaims:
    """A header may claim anything; memory is taken for what is there."""

    @pytest.mark.parametrize("file_format", ["ascii", "binary_little_endian", "binary_big_endian"])
    @pytest.mark.parametrize(
        ("vertices", "faces"), [(BILLIONS, 1), (0, BILLIONS), (10**18 - 1, 10**18 - 1)]
    )
    def test_ply(self, tmp_path, file_format, vertices, faces):
        data = ply_header(file_format, vertices, faces) + b"0 0 0\n" * 20
        message = refuse(tmp_path, "a.ply", data)
        assert "it ends after" in message
        assert str(BILLIONS) in message or str(10**18 - 1) in message

    def test_ply_list(self, tmp_path):
        data = ply_header("binary_little_endian", 0, 1, count="uint") + b"\xff" * 20
        assert "it ends before the last of the 1 records" in refuse(tmp_path, "a.ply", data)

    def test_off(self, tmp_path):
        assert "ends after 0" in refuse(tmp_path, "a.off", f"OFF 0 {10**30} 0\n".encode())

    def test_stl(self, tmp_path):
        data = b"binary".ljust(80) + struct.pack("<I", BILLIONS) + bytes(100)
        assert f"claims {BILLIONS} triangles" in refuse(tmp_path, "a.stl", data)

    @pytest.mark.parametrize("view", [True, False])
    def test_gltf_accessor(self, tmp_path, view):
        gltf = made_gltf()
        gltf.tree["accessors"][0]["count"] = BILLIONS
        gltf.tree["accessors"][0]["sparse"] = {"count": 0, "indices": {}, "values": {}}
        if not view:
            del gltf.tree["accessors"][0]["bufferView"]
        assert f"claims {BILLIONS} elements" in refuse(tmp_path, "a.glb", gltf.glb())

    def test_gltf_that_does_not_make_sense(self, tmp_path):
        gltf = made_gltf()
        gltf.tree["accessors"][0]["sparse"] = {"count": 1, "indices": {"componentType": 5121}}
        gltf.tree["accessors"][0]["sparse"]["values"] = {}
        assert "JSON does not make sense" in refuse(tmp_path, "a.glb", gltf.glb())

    def test_gltf_instances(self, tmp_path):
        gltf = made_gltf()
        gltf.tree["accessors"][1]["count"] = 3_000_000
        gltf.show(*[{"mesh": 0}] * 1000)
        message = refuse(tmp_path, "a.glb", gltf.glb())
        assert message.startswith(
            "its nodes show 1000000000 triangles in all; of this file at most"
        )

    def test_memory_stays_small(self, tmp_path):
        gltf = made_gltf()
        gltf.tree["accessors"][0]["count"] = BILLIONS
        files = {
            "a.ply": ply_header("ascii", BILLIONS, BILLIONS) + b"0 0 0\n" * 20,
            "b.ply": ply_header("binary_big_endian", BILLIONS, BILLIONS) + bytes(1000),
            "a.off": f"OFF {BILLIONS} {BILLIONS} 0\n0 0 0\n".encode(),
            "a.stl": bytes(80) + struct.pack("<I", BILLIONS),
            "a.glb": gltf.glb(),
        }
        check_refused(tmp_path, files, "walkmesh.io.scenes", "load_scene")


class TestGltfTraps:
    @pytest.mark.parametrize(
        "nodes",
        [[{"children": [0]}], [{"children": [1]}, {"children": [0]}], [{"children": [1, 1]}, {}]],
    )
    def test_nodes_that_are_no_tree(self, tmp_path, nodes):
        data = json_gltf({"nodes": nodes, "scenes": [{"nodes": [0]}]})
        assert "has two parents, or is its own ancestor" in refuse(tmp_path, "a.gltf", data)

    def test_a_very_deep_tree(self, tmp_path):
        gltf = made_gltf()
        depth = 20_000
        gltf.show(*[{"children": [i + 1]} for i in range(depth)], {"mesh": 0})
        file = tmp_path / "deep.glb"
        file.write_bytes(gltf.glb())
        assert len(load_scene(file).faces) == 2

    def test_very_deep_json(self, tmp_path):
        assert "JSON cannot be read" in refuse(tmp_path, "a.gltf", b"[" * 200_000)

    @pytest.mark.parametrize(
        "name", ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing"]
    )
    def test_extensions_that_hide_triangles(self, tmp_path, name):
        gltf = made_gltf()
        gltf.tree["extensionsRequired"] = [name]
        assert f"export it without {name}" in refuse(tmp_path, "a.glb", gltf.glb())

    def test_compressed_without_saying_so(self, tmp_path):
        gltf = made_gltf()
        del gltf.tree["accessors"][0]["bufferView"]
        assert "accessor 0 has no data" in refuse(tmp_path, "a.glb", gltf.glb())

    @pytest.mark.parametrize(
        "uri", ["../secret.bin", "/etc/hostname", "file:///etc/hostname", "http://a.b/c.bin"]
    )
    def test_buffers_elsewhere_are_not_read(self, tmp_path, uri):
        folder = tmp_path / "folder"
        folder.mkdir()
        (tmp_path / "secret.bin").write_bytes(made_gltf().binary)
        assert "not in the folder" in refuse(folder, "a.gltf", made_gltf().gltf(uri))

    @pytest.mark.parametrize("uri", ["absent.bin", "a\0b.bin", "x" * 5000, "."])
    def test_buffers_that_are_missing(self, tmp_path, uri):
        assert "buffer '" in refuse(tmp_path, "a.gltf", made_gltf().gltf(uri))

    def test_an_index_out_of_range(self, tmp_path):
        gltf = Gltf()
        gltf.show({"mesh": gltf.triangles(VERTICES, [0, 1, 4])})
        assert "names vertex 4; there are 4" in refuse(tmp_path, "a.glb", gltf.glb())

    def test_old_versions(self, tmp_path):
        data = json.dumps({"asset": {"version": "1.0"}}).encode()
        assert "glTF version '1.0'" in refuse(tmp_path, "a.gltf", data)
        assert "GLB version 1" in refuse(tmp_path, "a.glb", struct.pack("<4sII", b"glTF", 1, 12))


def test_scenes_without_a_valid_triangle(tmp_path):
    nothing_finite = b"v nan 0 0\nv 0 inf 0\nv 0 0 nan\nf 1 2 3\n"
    assert "1 are not finite and 0 have no area" in refuse(tmp_path, "a.obj", nothing_finite)
    assert refuse(tmp_path, "b.obj", b"v 0 0 0\nv 1 1 1\n") == "it has no triangles"
    assert refuse(tmp_path, "c.off", b"OFF 0 0 0\n") == "it has no triangles"
    assert refuse(tmp_path, "d.off", b"OFF 0 1 0\n0\n") == "it has 1 faces and no vertices"


def test_a_scale_beyond_all_floats_leaves_triangles_out(tmp_path):
    file = tmp_path / "a.obj"
    file.write_bytes(write_obj([(0, 0, 0), (0, 0, 1e10), (1e10, 0, 0)], [[0, 1, 2]]))
    with pytest.raises(SceneError, match="1 are not finite"):
        load_scene(Path(file), scale=1e300)
