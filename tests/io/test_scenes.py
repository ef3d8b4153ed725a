"""Reading scenes: every format, every shape of face, to the last bit."""

import base64
import math
import struct

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.makers.scene_files import (
    Gltf,
    write_big_endian_ply,
    write_binary_ply,
    write_binary_stl,
    write_obj,
    write_off,
    write_text_ply,
    write_text_stl,
)
from tests.makers.scenes import SCENES, needs_scenes
from tests.twins import naive_obj as naive
from walkmesh.errors import SceneError, SettingsError
from walkmesh.io.obj import read_obj
from walkmesh.io.off import read_off
from walkmesh.io.ply import read_ply
from walkmesh.io.scenes import load_scene
from walkmesh.io.stl import read_stl

pytestmark = pytest.mark.plain_python

# An L-shaped floor, whose fan around its first corner would leave the L, and a wall of two
# triangles.
L_VERTICES = [
    (2, 0, 2),
    (2, 0, 1),
    (1, 0, 1),
    (1, 0, 0),
    (0, 0, 0),
    (0, 0, 2),
    (0, 1, 0),
    (1, 1, 0),
]
L_FACES = [[0, 1, 2, 3, 4, 5], [4, 3, 7], [4, 7, 6]]


def faces_of(polygons):
    return [part.tolist() for part in np.split(polygons.corners, polygons.offsets[1:-1])]


POLYGON_FORMATS = {
    "obj": (write_obj, read_obj),
    "off": (write_off, read_off),
    "text ply": (write_text_ply, read_ply),
    "little-endian ply": (write_binary_ply, read_ply),
    "big-endian ply": (write_big_endian_ply, read_ply),
}


TRIANGLE = [(0, 0, 0), (0, 0, 1), (1, 0, 0)]


def load(tmp_path, name, data, **options):
    file = tmp_path / name
    file.write_bytes(data)
    return load_scene(file, **options)


def corners_of(scene):
    return scene.vertices[scene.faces]


class TestPolygonFormats:
    @pytest.mark.parametrize("name", POLYGON_FORMATS)
    def test_faces_come_back_as_they_are(self, name):
        write, read = POLYGON_FORMATS[name]
        polygons = read(write(L_VERTICES, L_FACES))
        assert polygons.vertices.tolist() == [list(map(float, v)) for v in L_VERTICES]
        assert faces_of(polygons) == L_FACES

    @pytest.mark.parametrize("name", POLYGON_FORMATS)
    @settings(max_examples=25, deadline=None)
    @given(
        numbers=st.lists(
            st.tuples(*[st.floats(allow_nan=False, width=64)] * 3), min_size=1, max_size=8
        )
    )
    def test_every_float_comes_back_to_the_last_bit(self, name, numbers):
        write, read = POLYGON_FORMATS[name]
        polygons = read(write(numbers, [[0, 0, 0]]))
        assert polygons.vertices.tobytes() == np.array(numbers, dtype=float).tobytes()

    @pytest.mark.parametrize("name", POLYGON_FORMATS)
    def test_a_concave_floor_keeps_its_shape(self, name, tmp_path):
        suffix = name.split()[-1]
        data = POLYGON_FORMATS[name][0](L_VERTICES, L_FACES)
        scene = load(tmp_path, f"l.{suffix}", data)
        floor = shapely.union_all(
            [shapely.Polygon(t[:, [2, 0]]) for t in corners_of(scene) if np.all(t[:, 1] == 0)]
        )
        expected = shapely.Polygon([(z, x) for x, _, z in L_VERTICES[:6]])
        assert floor.symmetric_difference(expected).area == 0
        assert len(scene.faces) == 6

    @pytest.mark.parametrize("name", POLYGON_FORMATS)
    def test_faces_with_too_few_corners_are_counted(self, name, tmp_path):
        write, _ = POLYGON_FORMATS[name]
        data = write(L_VERTICES, [[4, 3, 7], [0, 1], [5]])
        scene = load(tmp_path, f"a.{name.split()[-1]}", data)
        assert len(scene.faces) == 1
        assert scene.left_out.no_area == 2


NUMBER_TEXTS = st.one_of(
    st.floats().map(repr),
    st.floats(width=32).map(lambda x: f"{x:.9g}"),
    st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str),
    st.from_regex(
        r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True
    ),
)


class TestObj:
    @given(st.lists(NUMBER_TEXTS, min_size=3, max_size=3))
    @settings(max_examples=300, deadline=None)
    def test_numbers_are_read_as_float_reads_them(self, words):
        polygons = read_obj(f"v {' '.join(words)}".encode())
        expected = np.array([[float(word) for word in words]])
        np.testing.assert_array_equal(polygons.vertices, expected)
        assert np.array_equal(np.signbit(polygons.vertices), np.signbit(expected)) or np.any(
            np.isnan(expected)
        )

    @given(st.data())
    @settings(max_examples=100, deadline=None)
    def test_files_are_read_as_the_naive_reader_reads_them(self, data):
        blank = st.sampled_from([" ", "  ", "\t", " \\\n", "\\\r\n "])
        end = st.sampled_from(["\n", "\r\n", "\n\n", " # a comment\n", "\r"])
        number = st.integers(-9, 9).map(str)
        tail = st.sampled_from(["", "/1", "//2", "/1/2", "//", "/-1/-2"])
        lines, vertices = [data.draw(st.sampled_from(["", "\n# v 1 2 3\n", "o v\r\n"]))], 0
        for _ in range(data.draw(st.integers(1, 8))):
            kind = data.draw(st.sampled_from(["v", "f", "vn", "usemtl", "g f"]))
            if kind == "f" and vertices > 0:
                index = st.integers(1, vertices).flatmap(lambda i: st.sampled_from([i, -i]))
                words = [f"{i}{data.draw(tail)}" for i in data.draw(st.lists(index, max_size=5))]
            else:
                kind = "v" if kind == "f" else kind
                words = data.draw(st.lists(number, min_size=3, max_size=6))
                vertices += kind == "v"
            lines.append(data.draw(st.sampled_from(["", " "])) + kind)
            lines.extend(data.draw(blank) + word for word in words)
            lines.append(data.draw(end))
        text = "".join(lines)
        expected_vertices, expected_faces = naive.read_obj(text)
        polygons = read_obj(text.encode())
        assert polygons.vertices.tolist() == expected_vertices
        assert np.diff(polygons.offsets).tolist() == [len(face) for face in expected_faces]
        assert polygons.corners.tolist() == [i for face in expected_faces for i in face]

    @given(st.lists(st.sampled_from(b"vf 123/-.\\\n\r#\te"), max_size=60))
    @settings(max_examples=500, deadline=None)
    def test_both_passes_agree_on_any_text(self, codes):
        # With NUMBA_DISABLE_JIT=1 a write beyond what was counted is an IndexError.
        try:
            polygons = read_obj(bytes(codes))
        except SceneError:
            return
        assert polygons.offsets[-1] == len(polygons.corners)

    def test_faces_may_stand_before_their_vertices(self):
        assert faces_of(read_obj(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 0 1")) == [[0, 1, 2]]

    def test_encodings_do_not_matter(self, tmp_path):
        lines = b"\xef\xbb\xbfv 0 0 0\no \xe6\xff\nv 0 0 1 # \xf8\nv 1 0 0\nf 1 2 3\n"
        assert len(load(tmp_path, "a.OBJ", lines).vertices) == 3

    @pytest.mark.parametrize(
        "word", ["nan", "-nan(ind)", "NaN", "1.#QNAN", "-1.#IND", "inf", "-INF"]
    )
    def test_what_is_not_finite_is_accepted(self, word):
        assert not np.isfinite(read_obj(f"v 1 {word} 2".encode()).vertices[0, 1])

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("v 1 2", "line 3: a vertex has fewer than 3 coordinates"),
            ("v 1 2 # 3", "line 3: a vertex has fewer than 3 coordinates"),
            ("v 1 2,5 3", "line 3: '2,5' is not a number"),
            ("v 1 2_5 3", "line 3: '2_5' is not a number"),
            ("v 1 - 3", "line 3: '-' is not a number"),
            ("v 1 1e 3", "line 3: '1e' is not a number"),
            ("f 1 0 2", "line 3: '0' names vertex 0; vertices are numbered from 1"),
            ("f 1 2 4", "line 3: '4' names a vertex that does not exist; the file has 2"),
            ("f 1 2 -3", "line 3: '-3' names a vertex that does not exist; the file has 2"),
            ("f 1 2 99999999999999999999999", "names a vertex that does not exist"),
            ("f 1 2/a 1", "line 3: '2/a' is not a corner of a face"),
            ("f 1 2.5 1", "line 3: '2.5' is not a corner of a face"),
        ],
    )
    def test_an_error_names_the_line(self, line, message):
        with pytest.raises(SceneError) as error:
            read_obj(f"v 0 0 0\r\nv 1 1 1\r\n{line}\r\n".encode())
        assert message in str(error.value)


class TestOff:
    def test_colours_and_comments_are_passed_over(self):
        text = b"# made by hand\nCOFF 3 1 0 # counts\n\n0 0 0 255 0 0 255\n1 0 0 0 0 0 1\n"
        text += b"# one more\n0 0 1 9 9 9 9\n3 0 1 2 0.5 0.5 0.5\n"
        assert faces_of(read_off(text)) == [[0, 1, 2]]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("OFFICE", "does not start with the word OFF"),
            ("OFF BINARY\n", "binary OFF"),
            ("OFF\n", "followed by the numbers"),
            ("OFF -1 2 0\n", "followed by the numbers"),
            ("OFF inf 2 0\n", "followed by the numbers"),
            ("OFF 2 0 0\n0 0 0\n", "ends after 1 of the 2 vertices"),
            ("OFF 1 1 0\n0 0\n1 0\n", "vertex 0 has fewer than 3 coordinates"),
            ("OFF 1 1 0\n0 0 0\n3 0 0\n", "face 0 claims a list of 3; its line has 2"),
            ("OFF 1 1 0\n0 0 0\n2.5 0 0 0\n", "claims a list of 2.5"),
            ("OFF 1 1 0\n0 0 0\n3 0 0 1\n", "names vertex 1; there are 1"),
            ("OFF 1 1 0\n0 0 0\n3 0 0 0.5\n", "vertex 0.5, which is not an integer"),
            ("OFF 1 1 0\n0 0 zero\n", "line 2: 'zero' is not a number"),
        ],
    )
    def test_errors(self, text, message):
        with pytest.raises(SceneError) as error:
            read_off(text.encode())
        assert message in str(error.value)


class TestPly:
    @pytest.mark.parametrize("order", ["", "<", ">"])
    def test_other_properties_and_elements_are_passed_over_or_kept(self, order):
        file_format = {"": "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
        header = (
            f"ply\r\nformat {file_format} 1.0\r\ncomment h\xf8he\r\nelement camera 2\r\n"
            "property float f\r\nproperty list uchar short s\r\nelement vertex 3\r\n"
            "property uchar red\r\nproperty float z\r\nproperty float x\r\nproperty float y\r\n"
            "element face 2\r\nproperty list uchar float texcoord\r\n"
            "property list ushort uint vertex_index\r\nproperty short area\r\nend_header\r\n"
        ).encode()
        records = [
            ("fB2h", 0.5, 2, 1, 2), ("fB", 0.5, 0),
            ("B3f", 1, 2, 3, 4), ("B3f", 1, 5, 6, 7), ("B3f", 1, 8, 9, 10),
            ("B2fH3Ih", 2, 0.25, 0.5, 3, 2, 1, 0, -7), ("BH4Ih", 0, 4, 0, 1, 2, 2, 300),
        ]  # fmt: skip
        if order:
            body = b"".join(struct.pack(order + form, *values) for form, *values in records)
        else:
            body = "\r\n".join(" ".join(map(str, values)) for _, *values in records).encode()
        polygons = read_ply(header + body)
        assert polygons.vertices.tolist() == [[3, 4, 2], [6, 7, 5], [9, 10, 8]]
        assert faces_of(polygons) == [[2, 1, 0], [0, 1, 2, 2]]
        assert polygons.face_properties["area"].tolist() == [-7, 300]
        assert polygons.comments == ("høhe",)

    @pytest.mark.parametrize(
        ("header", "message"),
        [
            (b"plyx", "does not start with the word ply"),
            (b"ply\nformat ascii 1.0\n", "no 'end_header'"),
            (b"ply\nelement vertex 1\nproperty float x\nend_header\n", "no 'format' line"),
            (b"ply\nformat ebcdic 1.0\nend_header\n", "no 'format' line"),
            (b"ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "element NAME COUNT"),
            (b"ply\nformat ascii 1.0\nelement vertex\nend_header\n", "element NAME COUNT"),
            (b"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "that PLY does not define"),
            (b"ply\nformat ascii 1.0\nelement vertex 1\nproperty x\nend_header\n", "unknown type"),
            (b"ply\nformat ascii 1.0\nelement vertex 1\nproperty\nend_header\n", "unknown type"),
            (
                b"ply\nformat ascii 1.0\nelement v 1\nproperty list float int a\nend_header\n",
                "is not an integer",
            ),
            (b"ply\nformat ascii 1.0\nend_header\n", "no 'element vertex'"),
            (
                b"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n1\n",
                "no property 'y'",
            ),
        ],
    )
    def test_bad_headers(self, header, message):
        with pytest.raises(SceneError) as error:
            read_ply(header)
        assert message in str(error.value)


class TestStl:
    CORNERS = ([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 0), (0, 1, 1), (1, 1, 0.5)])

    @pytest.mark.parametrize("write", [write_text_stl, write_binary_stl])
    def test_triangles(self, write):
        polygons = read_stl(write(self.CORNERS))
        assert polygons.vertices[polygons.triangles()].tolist() == np.array(self.CORNERS).tolist()

    def test_several_solids(self):
        solid = write_text_stl(self.CORNERS)
        assert len(read_stl(solid.upper() + solid).triangles()) == 4

    def test_a_binary_file_with_something_behind_it(self):
        data = write_binary_stl(self.CORNERS, header=b"") + b"appended"
        assert len(read_stl(data).triangles()) == 2

    def test_cut_off(self):
        with pytest.raises(SceneError, match="claims 2 triangles, must be 184 bytes"):
            read_stl(write_binary_stl(self.CORNERS, header=b"")[:-1])
        with pytest.raises(SceneError, match="cut off"):
            read_stl(write_text_stl(self.CORNERS)[:-40])

    def test_facets_must_be_triangles(self):
        text = write_text_stl(self.CORNERS).replace(b"vertex 0 1 1\n", b"")
        with pytest.raises(SceneError, match="5 vertices in 2 facets"):
            read_stl(text)


class TestGltf:
    def test_a_mesh_is_shown_where_its_nodes_are(self, tmp_path):
        gltf = Gltf()
        mesh = gltf.triangles(TRIANGLE, [0, 1, 2])
        half = math.sqrt(0.5)
        gltf.show(
            {"mesh": mesh, "translation": [10, 0, 0], "children": [1]},
            {"mesh": mesh, "scale": [2, 2, 2], "rotation": [0, half, 0, half]},
            {"mesh": mesh, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]},
        )
        scene = load(tmp_path, "a.glb", gltf.glb())
        first, second, third = corners_of(scene)
        assert first.tolist() == [[10, 0, 0], [10, 0, 1], [11, 0, 0]]
        # A quarter turn about y takes z to x and x to -z.
        np.testing.assert_allclose(second, [[10, 0, 0], [12, 0, 0], [10, 0, -2]], atol=1e-15)
        assert third.tolist() == [[0, 5, 0], [0, 5, 1], [1, 5, 0]]

    def test_a_mirror_keeps_the_front_in_front(self, tmp_path):
        gltf = Gltf()
        gltf.show({"mesh": gltf.triangles(TRIANGLE), "scale": [-1, 1, 1]})
        a, b, c = corners_of(load(tmp_path, "a.glb", gltf.glb()))[0]
        assert np.cross(b - a, c - a)[1] > 0

    @pytest.mark.parametrize(
        ("mode", "expected"),
        [
            (4, [[0, 1, 2]]),
            (5, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
            (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0]]),
        ],
    )
    @pytest.mark.parametrize("corners", [None, range(5)])
    def test_lists_strips_and_fans(self, tmp_path, mode, expected, corners):
        gltf = Gltf()
        positions = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 2), (3, 1, 1)]
        gltf.show({"mesh": gltf.triangles(positions, corners, mode)})
        scene = load(tmp_path, "a.glb", gltf.glb())
        assert corners_of(scene).tolist() == np.array(positions)[expected].tolist()

    def test_points_and_lines_are_no_triangles(self, tmp_path):
        gltf = Gltf()
        gltf.show({"mesh": gltf.triangles(TRIANGLE)}, {"mesh": gltf.triangles(TRIANGLE, mode=1)})
        assert len(load(tmp_path, "a.glb", gltf.glb()).faces) == 1

    @pytest.mark.parametrize("where", ["file", "data"])
    def test_buffers_outside_of_the_json(self, tmp_path, where):
        gltf = Gltf()
        gltf.show({"mesh": gltf.triangles(TRIANGLE)})
        (tmp_path / "with space.bin").write_bytes(gltf.binary)
        encoded = base64.b64encode(gltf.binary).decode()
        uri = {"file": "with%20space.bin", "data": f"data:application/gltf-buffer;base64,{encoded}"}
        assert len(load(tmp_path, "a.gltf", gltf.gltf(uri[where])).faces) == 1

    def test_quantised_positions(self, tmp_path):
        gltf = Gltf()
        positions = np.array(TRIANGLE) * 32767
        accessor = gltf.accessor(positions, "VEC3", "i2", normalized=True)
        gltf.tree["extensionsRequired"] = ["KHR_mesh_quantization"]
        gltf.show({"mesh": gltf.mesh({"attributes": {"POSITION": accessor}})})
        scene = load(tmp_path, "a.glb", gltf.glb())
        assert corners_of(scene)[0].tolist() == np.array(TRIANGLE).tolist()

    @pytest.mark.parametrize("base", [True, False])
    def test_sparse_positions(self, tmp_path, base):
        gltf = Gltf()
        positions = gltf.accessor(np.zeros((3, 3)), "VEC3", "f4")
        indices = gltf.accessor([1, 2], "SCALAR", "u1")
        values = gltf.accessor(TRIANGLE[1:], "VEC3", "f4")
        gltf.tree["accessors"][positions]["sparse"] = {
            "count": 2,
            "indices": {"bufferView": indices, "componentType": 5121},
            "values": {"bufferView": values},
        }
        if not base:
            del gltf.tree["accessors"][positions]["bufferView"]
        gltf.show({"mesh": gltf.mesh({"attributes": {"POSITION": positions}})})
        scene = load(tmp_path, "a.glb", gltf.glb())
        assert corners_of(scene)[0].tolist() == np.array(TRIANGLE).tolist()

    def test_interleaved_positions_that_primitives_share(self, tmp_path):
        gltf = Gltf()
        positions = np.arange(60).reshape(10, 6) ** 2.0
        accessor = gltf.accessor(positions, "VEC3", "f4")
        gltf.tree["bufferViews"][-1]["byteStride"] = 24
        parts = [
            {"attributes": {"POSITION": accessor}, "indices": gltf.accessor(ids, "SCALAR", "u4")}
            for ids in ([7, 8, 9], [1, 5, 2])
        ]
        gltf.show({"mesh": gltf.mesh(*parts)})
        scene = load(tmp_path, "a.glb", gltf.glb())
        assert corners_of(scene).tolist() == positions[[[7, 8, 9], [1, 5, 2]], :3].tolist()
        assert len(scene.vertices) == 6

    def test_without_a_scene_all_root_nodes_are_shown(self, tmp_path):
        gltf = Gltf()
        mesh = gltf.triangles(TRIANGLE)
        gltf.show({"children": [1]}, {"mesh": mesh}, {"mesh": mesh, "translation": [1, 0, 0]})
        del gltf.tree["scenes"]
        assert len(load(tmp_path, "a.glb", gltf.glb()).faces) == 2


class TestOptions:
    def test_scale_and_up(self, tmp_path):
        scene = load(tmp_path, "a.obj", write_obj(L_VERTICES, L_FACES), up="z", scale=0.5)
        assert scene.up == (0, 0, 1)
        assert scene.vertices.tolist() == (np.array(L_VERTICES) / 2).tolist()

    @pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf, "2", None, True, 10**400])
    def test_an_impossible_scale_is_named(self, scale):
        with pytest.raises(SettingsError, match=r"scale is .*; it must be a finite number above 0"):
            load_scene("there is no such file.obj", scale=scale)

    def test_up_is_checked_before_the_file_is_read(self):
        with pytest.raises(SettingsError, match="up is 'w'"):
            load_scene("there is no such file.obj", up="w")


REAL_SCENES = {
    "aws-robomaker/hospital_three_floors.glb": 435_855,
    "aws-robomaker/small_house.glb": 145_844,
    "city/delft_3dfier.obj": 36_267,
    "city/delft_3dfier_rdnap_offset.obj": 36_264,
    "game-maps-obj/zdm2.obj": 70_754,
    "ifc/Ifc2x3_Duplex_Architecture_nodoors.obj": 25_332,
    "librequake/lq_e1m1.obj": 43_137,
    "mesh_navigation/parking_garage.obj": 662,
    "mesh_navigation/parking_garage_flipped.obj": 662,
    "movingai/Berlin_0_256.obj": 15_948,
    "movingai/arena.obj": 378,
    "nasa-ammos/dingo_gap_961k.glb": 960_674,
    "recast/dungeon.obj": 10_133,
    "recast/nav_test.obj": 1_612,
    "recast/undulating.obj": 5_202,
}


@pytest.mark.compiled_only
@needs_scenes
@pytest.mark.parametrize("name", REAL_SCENES)
def test_real_scenes_are_complete(name):
    scene = load_scene(SCENES / name)
    assert len(scene.faces) + scene.left_out.total == REAL_SCENES[name]


@needs_scenes
@pytest.mark.parametrize(
    "name", ["aws-robomaker/small_house.glb", "recast/dungeon.obj", "dirty/trimesh/soup.stl"]
)
def test_trimesh_sees_the_same_triangles(name):
    import trimesh

    mesh = trimesh.load_scene(SCENES / name, process=False, skip_materials=True).to_mesh()
    scene = load_scene(SCENES / name)
    a, b, c = corners_of(scene).transpose(1, 0, 2)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    # Triangles without area, and repeats, are not in the scene.
    theirs = np.sort(mesh.area_faces)[scene.left_out.total :]
    np.testing.assert_allclose(np.sort(areas), theirs, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(scene.bounds, mesh.bounds, rtol=1e-9)
