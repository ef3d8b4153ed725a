"""Saving and loading navmeshes."""

import json
import struct
import zipfile

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.navmesh_files import (
    assert_equal,
    assert_refused_when_changed,
    change_members,
    npy,
)
from tests.makers import surface_shapes
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE
from walkmesh.topology import detail_of, plan_points

SUFFIXES = (".walkmesh", ".obj", ".glb", ".ply")


@st.composite
def navmeshes(draw):
    """Any navmesh at all, sound or not, with every bit of its coordinates in use."""
    vertex_count = draw(st.integers(3, 12))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    polygons = draw(
        st.lists(
            st.lists(st.integers(0, vertex_count - 1), min_size=3, max_size=6, unique=True),
            max_size=6,
        )
    )
    count = len(polygons)
    links = np.zeros(draw(st.integers(0, 3)), dtype=LINK_DTYPE)
    links["start"] = rng.normal(size=links["start"].shape)
    links["goal_polygon"] = 2
    links["two_way"] = True
    links["cost"] = rng.random(len(links))
    corners = [corner for polygon in polygons for corner in polygon]
    return wm.NavMesh(
        rng.normal(size=(vertex_count, 3)) * 10.0 ** rng.integers(-8, 8),
        np.cumsum([0, *map(len, polygons)]),
        corners,
        areas=rng.integers(0, 256, count) if draw(st.booleans()) else None,
        neighbors=rng.integers(-1, count, len(corners)) if count and draw(st.booleans()) else None,
        links=links,
        agent=wm.Agent(radius=0.1, height=rng.uniform(1, 2)),
        up=draw(st.sampled_from(["x", "y", "z", (0.1, 0.7, -0.2)])),
        surface=draw(st.booleans()),
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(navmesh=navmeshes())
def test_saving_then_loading_gives_the_same_arrays(tmp_path_factory, suffix, navmesh):
    file = tmp_path_factory.mktemp("formats") / f"mesh{suffix}"
    navmesh.save(file)
    assert_equal(wm.load_navmesh(file), navmesh)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_built_navmesh_keeps_its_report_and_the_same_build_gives_the_same_bytes(tmp_path, suffix):
    scene = wm.samples.house()
    files = [tmp_path / f"{name}{suffix}" for name in ("first", "second", "third")]
    first, second = wm.build(scene), wm.build(scene)
    first.save(files[0])
    second.save(files[1])
    wm.load_navmesh(files[0]).save(files[2])
    assert_equal(wm.load_navmesh(files[0]), first)
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_navmesh_can_be_saved(tmp_path, suffix):
    navmesh = wm.NavMesh([], [0], [])
    navmesh.save(tmp_path / f"empty{suffix}")
    assert_equal(wm.load_navmesh(tmp_path / f"empty{suffix}"), navmesh)


def test_polygons_with_more_than_255_corners(tmp_path):
    angles = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    circle = np.column_stack([np.sin(angles), np.zeros(1000), np.cos(angles)]) * 50
    navmesh = wm.NavMesh(circle, [0, 1000], range(1000))
    assert navmesh.validate() == []
    for suffix in SUFFIXES:
        navmesh.save(tmp_path / f"circle{suffix}")
        assert_equal(wm.load_navmesh(tmp_path / f"circle{suffix}"), navmesh)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.data())
def test_a_cut_off_file_is_refused(tmp_path_factory, suffix, data):
    file = tmp_path_factory.mktemp("cut") / f"mesh{suffix}"
    naive_mesh.grid_mesh(3, 3).save(file)
    content = file.read_bytes()
    file.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(wm.FormatError) as caught:
        wm.load_navmesh(file)
    assert str(caught.value).startswith(str(file))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.data())
def test_a_damaged_file_never_fails_in_another_way(tmp_path_factory, suffix, data):
    file = tmp_path_factory.mktemp("damaged") / f"mesh{suffix}"
    naive_mesh.grid_mesh(2, 2).save(file)
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(content)
    try:
        navmesh = wm.load_navmesh(file)
    except wm.FormatError:
        return
    navmesh.validate()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"PK\x03\x04 no zip at all",
        b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n",
        b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
        b"property float z\nend_header\n",
        struct.pack("<4sII", b"glTF", 2, 12),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, suffix, content):
    file = tmp_path / f"foreign{suffix}"
    file.write_bytes(content)
    with pytest.raises(wm.FormatError, match="foreign"):
        wm.load_navmesh(file)


def test_a_scene_is_no_navmesh(tmp_path):
    box = trimesh.creation.box()
    for suffix in (".obj", ".glb", ".ply"):
        box.export(tmp_path / f"box{suffix}")
        with pytest.raises(wm.FormatError, match="load_scene reads it"):
            wm.load_navmesh(tmp_path / f"box{suffix}")


def archive_with(tmp_path, **changes):
    """Save a navmesh and change members of the archive."""
    file = tmp_path / "mesh.walkmesh"
    naive_mesh.grid_mesh(1, 1).save(file)
    change_members(file, {name.replace("__", "."): to for name, to in changes.items()})
    return file


def header_of(text):
    """Return an npy file with any text as its header."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(96)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metadata__json": b"{"}, "damaged"),
        ({"metadata__json": b"[]"}, "not a navmesh"),
        ({"metadata__json": b'{"format": "walkmesh", "version": 99}'}, "version 99"),
        ({"metadata__json": b'{"format": "walkmesh", "version": 1}'}, "damaged"),
        ({"metadata__json": None}, "no metadata.json"),
        ({"vertices__npy": None}, "no vertices.npy"),
        ({"vertices__npy": b"nonsense"}, "damaged"),
        ({"vertices__npy": npy(np.zeros((4, 3)), shape=(4_000_000_000, 3))}, "claims shape"),
        ({"vertices__npy": npy(np.zeros((4, 3)), shape=(2**62, 2**62))}, "claims shape"),
        ({"vertices__npy": npy(np.zeros((4, 3)), shape=(-4, -3))}, "claims shape"),
        ({"vertices__npy": npy(np.zeros((4, 3)), descr="|O")}, "type"),
        ({"vertices__npy": npy(np.zeros((4, 3)), fortran_order=True)}, "type"),
        ({"vertices__npy": npy(np.zeros((4, 2)))}, "shape"),
        ({"vertices__npy": npy(np.zeros((2, 3)))}, "ids out of range"),
        ({"vertices__npy": npy(np.zeros((4, 3)), shape=(True, 12))}, "claims shape"),
        ({"vertices__npy": header_of(b"{'descr': '<f8', \n")}, "damaged"),
        ({"vertices__npy": header_of(b"{[]: 1}\n")}, "damaged"),
        ({"vertices__npy": header_of(b"(" * 300 + b"\n")}, "damaged"),
        ({"polygon_offsets__npy": npy(np.array([0, 5], dtype="<i4"))}, "polygon_offsets"),
    ],
)
def test_a_hostile_archive_is_refused(tmp_path, changes, words):
    file = archive_with(tmp_path, **changes)
    with pytest.raises(wm.FormatError, match=words):
        wm.load_navmesh(file)


def test_an_archive_that_swells_is_refused(tmp_path):
    file = tmp_path / "bomb.walkmesh"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", b" " * 10_000_000)
    with pytest.raises(wm.FormatError, match="compressed"):
        wm.load_navmesh(file)


def test_numpy_opens_the_native_format(tmp_path):
    navmesh = naive_mesh.grid_mesh(2, 1)
    navmesh.save(tmp_path / "mesh.walkmesh")
    with np.load(tmp_path / "mesh.walkmesh") as content:
        assert (content["vertices"] == navmesh.vertices).all()
        assert (content["polygon_vertices"] == navmesh.polygon_vertices).all()


@pytest.mark.parametrize("up", ["y", "z", (0, 0, -1)])
@pytest.mark.parametrize("offset", [0.0, 450_000.0])
def test_viewers_see_a_glb_with_y_up_where_it_belongs(tmp_path, up, offset):
    house = wm.samples.house(up="z" if up == "z" else "y")
    vertices = house.vertices * ((1, -1, -1) if up == (0, 0, -1) else 1)
    if up == (0, 0, -1):  # y up to z down: a turn about x
        vertices = np.column_stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]])
    navmesh = wm.build(wm.Scene(vertices + (offset, 0, 0), house.faces, up=up))
    navmesh.save(tmp_path / "house.glb")
    seen = trimesh.load_scene(tmp_path / "house.glb").to_mesh()
    assert seen.area == pytest.approx(navmesh.area, rel=1e-4)
    a, b, c = (plan_points(navmesh)[navmesh.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    upwards = normals[:, 2] / np.linalg.norm(normals, axis=1)
    assert len(seen.faces) == len(navmesh.triangles)
    assert (seen.face_normals[:, 1] > 0.0).all()
    assert np.sort(seen.face_normals[:, 1]) == pytest.approx(np.sort(upwards), abs=1e-2)
    heights = plan_points(navmesh)[:, 2]
    assert seen.bounds[:, 1] == pytest.approx([heights.min(), heights.max()], abs=1e-3)
    assert np.abs(seen.vertices).max() == pytest.approx(np.abs(navmesh.vertices).max(), abs=1e-3)
    # What is stored in single precision stays small.
    size = struct.unpack_from("<I", (tmp_path / "house.glb").read_bytes(), 12)[0]
    tree = json.loads((tmp_path / "house.glb").read_bytes()[20 : 20 + size])
    assert max(tree["accessors"][0]["max"]) < 1025


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".glb", " as polygons.obj"])
def test_other_tools_and_load_scene_read_the_ground(tmp_path, suffix):
    agent = wm.Agent(max_slope=80)
    navmesh = wm.build(wm.samples.terrain(500), agent)
    assert len(navmesh.triangles) > 2 * navmesh.polygon_count  # with detail
    as_polygons = suffix == " as polygons.obj"
    navmesh.save(tmp_path / f"ground{suffix}", polygons=as_polygons)
    other = trimesh.load_scene(tmp_path / f"ground{suffix}").to_mesh()
    # In plan all of them cover the same.
    a, b, c = (plan_points(navmesh)[navmesh.triangles[:, k]] for k in range(3))
    plan_area = np.cross(b - a, c - a)[:, 2].sum() / 2
    assert (other.area_faces * other.face_normals[:, 1]).sum() == pytest.approx(plan_area, rel=1e-5)
    # Faces are the detail, with the area of the ground; or the polygons, without heights inside.
    polygons = wm.NavMesh(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
    if as_polygons:
        assert other.area == pytest.approx(polygons.area, rel=1e-2)
    else:
        assert len(other.faces) == len(navmesh.triangles)
        assert other.area == pytest.approx(navmesh.area, rel=1e-6)
    scene = wm.load_scene(tmp_path / f"ground{suffix}")
    assert len(scene.faces) == len(other.faces)
    again = wm.build(scene, wm.Agent(radius=0, max_slope=80))
    assert again.area == pytest.approx(other.area, rel=1e-4)
    assert again.component_count == navmesh.component_count
    # The radius is taken off once more from what is a scene again: 0.3 m on all four sides.
    assert wm.build(scene, agent).area < again.area


@pytest.mark.parametrize("name", ["mesh.fbx", "mesh", "missing/mesh.obj", "folder.obj"])
def test_what_cannot_be_saved(tmp_path, name):
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(wm.FormatError, match="cannot write"):
        naive_mesh.grid_mesh(1, 1).save(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["folder.obj"]


@pytest.mark.parametrize("name", ["missing.obj", "folder.obj", "mesh.fbx"])
def test_what_cannot_be_loaded(tmp_path, name):
    (tmp_path / "folder.obj").mkdir()
    (tmp_path / "mesh.fbx").write_bytes(b"x")
    with pytest.raises(wm.FormatError, match=name):
        wm.load_navmesh(tmp_path / name)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch, suffix):
    file = tmp_path / f"mesh{suffix}"
    naive_mesh.grid_mesh(1, 1).save(file)
    before = file.read_bytes()

    def interrupted(self, content):
        with self.open("wb") as stream:
            stream.write(content[: len(content) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(type(file), "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        naive_mesh.grid_mesh(9, 9).save(file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"links":[]', b'"links":[[[0,0,0],[0,0,0],1099511627776,0,true,0.0,0]]'),
        (b'"links":[]', b'"links":[[[0,0,0],[0,0,0],Infinity,0,true,0.0,0]]'),
        (b'"links":[]', b'"links":[[1]]'),
        (b'"links":[]', b'"links":5'),
        (b'"triangles_in":2', b'"triangles_in":Infinity'),
        (b'"up":[0.0,1.0,0.0]', b'"up":5'),
        (b'"arrays":{}', b'"arrays":[]'),
        (b'"arrays":{}', b'"arrays":{"areas":[{"a":1}]}'),
        (b'"arrays":{}', b'"arrays":{"polygon_offsets":[0,4]}'),
    ],
)
def test_a_changed_description_is_refused(tmp_path, old, new):
    floor = wm.build(wm.samples.floor())
    assert_refused_when_changed(floor, tmp_path / "floor.obj", old, new, polygons=True)


def test_only_obj_files_hold_polygons_as_faces(tmp_path):
    navmesh = naive_mesh.grid_mesh(2, 2)
    navmesh.save(tmp_path / "mesh.obj", polygons=True)
    assert (tmp_path / "mesh.obj").read_bytes().count(b"\nf ") == navmesh.polygon_count
    for suffix in (".glb", ".ply", ".walkmesh"):
        with pytest.raises(wm.FormatError, match=r"only \.obj files can hold polygons"):
            navmesh.save(tmp_path / f"mesh{suffix}", polygons=True)


def test_a_glb_whose_navmesh_starts_at_infinity_is_refused(tmp_path):
    file = tmp_path / "floor.glb"
    wm.build(wm.samples.floor()).save(file)
    content = file.read_bytes()
    place = content.rindex(b'"byteOffset":')
    file.write_bytes(content[:place] + b'"byteOffset":1e999' + content[place + 18 :])
    with pytest.raises(wm.FormatError):
        wm.load_navmesh(file)


SURFACES = {
    "room": surface_shapes.box(inside=True),
    "ball": surface_shapes.sphere(1, up="z"),
    "plates": surface_shapes.plates(0.0, second="down", areas=[3, 7]),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", SURFACES)
def test_surfaces_come_back_as_they_were(tmp_path, suffix, name):
    navmesh = SURFACES[name]
    file = tmp_path / f"mesh{suffix}"
    navmesh.save(file)
    loaded = wm.load_navmesh(file)
    assert_equal(loaded, navmesh)
    assert loaded.surface
    assert detail_of(loaded) is None
    assert loaded.validate() == []


@pytest.mark.parametrize("suffix", [".glb", ".ply"])
@pytest.mark.parametrize("name", SURFACES)
def test_triangles_of_surfaces_face_the_same_way_in_other_tools(tmp_path, suffix, name):
    navmesh = SURFACES[name]
    file = tmp_path / f"mesh{suffix}"
    navmesh.save(file)
    mesh = trimesh.load(file, force="mesh", process=False)
    assert mesh.area == pytest.approx(navmesh.area, rel=1e-6)
    if name == "plates":
        assert np.linalg.norm((mesh.face_normals * mesh.area_faces[:, None]).sum(axis=0)) < 1e-6
    else:
        inwards = -1.0 if name == "room" else 1.0
        assert np.sign(mesh.volume) == inwards


@pytest.mark.parametrize(("surface", "sides"), [(False, b"true"), (True, b"false")])
def test_other_tools_see_a_surface_from_one_side(tmp_path, surface, sides):
    square = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    wm.NavMesh(square, [0, 4], range(4), surface=surface).save(tmp_path / "square.glb")
    assert b'"doubleSided":' + sides in (tmp_path / "square.glb").read_bytes()


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".walkmesh", ".glb"])
@pytest.mark.parametrize("value", [b"1", b"null", b'"yes"'])
def test_a_surface_is_true_or_false(tmp_path, suffix, value):
    navmesh = SURFACES["room"]
    if suffix in (".obj", ".ply"):
        old, new = b'"surface":true', b'"surface":' + value
    else:
        old, new = b'"surface": true', b'"surface": ' + value.ljust(4)
    assert_refused_when_changed(navmesh, tmp_path / f"mesh{suffix}", old, new)


def test_detail_triangles_are_not_of_a_surface(tmp_path):
    square = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    navmesh = wm.NavMesh(
        square, [0, 4], range(4), triangles=[(0, 1, 2), (0, 2, 3)], triangle_polygons=[0, 0]
    )
    for suffix in (".obj", ".ply"):
        assert_refused_when_changed(
            navmesh, tmp_path / f"mesh{suffix}", b'"surface":false', b'"surface":true'
        )
