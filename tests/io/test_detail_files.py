"""Detail triangles in files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.navmesh_files import (
    assert_equal,
    assert_refused_when_changed,
    change_members,
    npy,
)
from tests.makers.hills import one_hill, pyramid, two_hills
from tests.twins import naive_mesh
from walkmesh.topology import detail_of

pytestmark = pytest.mark.plain_python

SUFFIXES = (".walkmesh", ".obj", ".glb", ".ply")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("make", [pyramid, one_hill, two_hills])
def test_saving_then_loading_keeps_everything(tmp_path, suffix, make):
    navmesh = make()
    file, again = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    navmesh.save(file)
    loaded = wm.load_navmesh(file)
    assert_equal(loaded, navmesh)
    assert loaded.triangle_polygons.tolist() == navmesh.triangle_polygons.tolist()
    assert detail_of(loaded) is not None
    assert loaded.area == navmesh.area
    loaded.save(again)
    assert file.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_derived_triangles_are_not_stored(tmp_path, suffix):
    naive_mesh.grid_mesh(2, 2).save(tmp_path / f"a{suffix}")
    assert detail_of(wm.load_navmesh(tmp_path / f"a{suffix}")) is None
    assert b"triangle_polygons" not in (tmp_path / f"a{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_triangles_at_all(tmp_path, suffix):
    navmesh = wm.NavMesh([], [0], [], triangles=[], triangle_polygons=[])
    assert navmesh.validate() == []
    navmesh.save(tmp_path / f"a{suffix}")
    loaded = wm.load_navmesh(tmp_path / f"a{suffix}")
    assert_equal(loaded, navmesh)
    assert detail_of(loaded) is not None


@pytest.mark.parametrize("suffix", [".glb", ".ply"])
def test_others_see_the_triangles(tmp_path, suffix):
    one_hill().save(tmp_path / f"a{suffix}")
    assert wm.load_scene(tmp_path / f"a{suffix}").faces.shape == one_hill().triangles.shape


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"triangles": None}, "no triangles.npy"),
        ({"triangle_polygons": None}, "no triangle_polygons.npy"),
        ({"triangles": np.full((4, 3), 5, "<i4")}, "triangles has ids out of range"),
        ({"triangles": np.full((4, 3), -1, "<i4")}, "triangles has ids out of range"),
        ({"triangles": np.zeros((3, 3), "<i4")}, "triangle_polygons has shape"),
        ({"triangles": np.zeros((4, 2), "<i4")}, "triangles has shape"),
        ({"triangles": np.zeros((4, 3), "<i8")}, "triangles is of type"),
        ({"triangle_polygons": np.ones(4, "<i4")}, "triangle_polygons has ids out of range"),
        ({"triangle_polygons": np.array([0, 0, 0, -1], "<i4")}, "does not ascend"),
        ({"triangle_polygons": np.zeros((2, 2), "<i4")}, "triangle_polygons has shape"),
    ],
)
def test_a_hostile_archive_is_refused(tmp_path, changes, words):
    file = tmp_path / "mesh.walkmesh"
    pyramid().save(file)
    change_members(file, {f"{n}.npy": None if a is None else npy(a) for n, a in changes.items()})
    with pytest.raises(wm.FormatError, match=words):
        wm.load_navmesh(file)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"triangles":[[0,1,4]', b'"triangles":[[0,1,5]'),
        (b'"triangles":[[0,1,4]', b'"triangles":[[0,1]'),
        (b'"triangles":[[0,1,4]', b'"triangles":[["a",1,4]'),
        (b'"triangles":[[0,1,4]', b'"triangles":[{"a":1}'),
        (b'"triangle_polygons":[0,0,0,0]', b'"triangle_polygons":[0,0,0]'),
        (b'"triangle_polygons":[0,0,0,0]', b'"triangle_polygons":[0,0,0,1]'),
        (b'"triangle_polygons":[0,0,0,0]', b'"triangle_polygons":null'),
        (b'"triangle_polygons":[0,0,0,0]', b'"nothing":0'),
    ],
)
def test_a_hostile_obj_of_polygons_is_refused(tmp_path, old, new):
    assert_refused_when_changed(pyramid(), tmp_path / "mesh.obj", old, new, polygons=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\nf 1 2 5\n", b"\nf 1 2 5 4\n"),
        (b"\nf 1 2 5\n", b"\n"),
        (b'"polygon_offsets":[0,4]', b'"polygon_offsets":[0,3]'),
        (b'"polygon_vertices":[0,1,2,3]', b'"polygon_vertices":[0,1,2,9]'),
        (b'"polygon_vertices":[0,1,2,3]', b'"polygon_vertices":null'),
        (b'"triangle_polygons":[0,0,0,0]', b'"triangle_polygons":[0,0,0,1]'),
    ],
)
def test_a_hostile_obj_is_refused(tmp_path, old, new):
    assert_refused_when_changed(pyramid(), tmp_path / "mesh.obj", old, new)


def test_an_obj_of_polygons_is_read_back_too(tmp_path):
    navmesh = pyramid()
    navmesh.save(tmp_path / "mesh.obj", polygons=True)
    again = wm.load_navmesh(tmp_path / "mesh.obj")
    assert np.array_equal(again.triangles, navmesh.triangles)
    assert np.array_equal(again.polygon_vertices, navmesh.polygon_vertices)
    assert np.array_equal(again.vertices, navmesh.vertices)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"element detail 4", b"element detail 3"),
        (b"property int polygon", b"property int nothing"),
        (b"vertex_indices", b"vertex_index__"),
        (b"\x03\x00\x00\x00\x00\x01", b"\x03\x09\x00\x00\x00\x01"),
    ],
)
def test_a_hostile_ply_is_refused(tmp_path, old, new):
    assert_refused_when_changed(pyramid(), tmp_path / "mesh.ply", old, new)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.data())
def test_a_damaged_file_never_fails_in_another_way(tmp_path_factory, suffix, data):
    file = tmp_path_factory.mktemp("damaged") / f"mesh{suffix}"
    pyramid().save(file)
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(content)
    try:
        navmesh = wm.load_navmesh(file)
    except wm.FormatError:
        return
    navmesh.validate()
