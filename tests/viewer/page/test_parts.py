"""The parts of the page, without a browser."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.viewer.page.choices import Choices
from walkmesh.viewer.page.document import (
    READ_SUFFIXES,
    Document,
    TooMany,
    can_keep_stages,
    kept_stage,
    open_file,
    open_upload,
)
from walkmesh.viewer.page.look import PageLook, triangle_colors
from walkmesh.viewer.page.page_frame import EXTENT, PageFrame
from walkmesh.viewer.page.pick import first_hit
from walkmesh.viewer.page.route import Route, search, stand
from walkmesh.viewer.page.section import EVERYTHING, Section, cut_faces, cut_lines
from walkmesh.viewer.page.things import ColoredTriangles, Lines, cylinder
from walkmesh.viewer.page.words import about, paragraph


def areas(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0


def lengths(segments):
    return np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)


# Frames


@pytest.mark.parametrize("up", ["x", "y", "z", (0.0, 0.6, 0.8)])
@pytest.mark.parametrize("middle", [0.0, 5e5])
def test_scenes_are_of_one_size_around_the_origin(up, middle):
    scene = wm.Scene(wm.samples.house().vertices + middle, wm.samples.house().faces, up)
    frame = Document(scene=scene).page_frame
    shown = frame.to_page(scene.vertices[scene.faces.ravel()])
    assert shown.dtype == np.float32
    along = shown @ frame.frame.axes.T.astype(np.float32)
    assert np.ptp(along, axis=0).max() == pytest.approx(EXTENT, rel=1e-4)
    assert np.abs(along).max() == pytest.approx(EXTENT / 2.0, rel=1e-4)
    # 32 bits of a page are enough for a tenth of a millimetre in a house, wherever it is.
    assert frame.to_world(shown.astype(float)) == pytest.approx(
        scene.vertices[scene.faces.ravel()], abs=1e-4
    )


def test_heights_of_a_frame_are_those_of_the_world():
    scene = wm.Scene(wm.samples.house().vertices + [7.0, 100.0, -3.0], wm.samples.house().faces)
    frame = Document(scene=scene).page_frame
    assert (frame.base, frame.top) == pytest.approx(scene.bounds[:, 1])
    place = np.array([[7.0, 101.0, 0.0]])
    assert frame.frame.to_plan(place)[0, 2] == pytest.approx(frame.height_in_plan(101.0))


def test_a_point_has_a_frame():
    frame = PageFrame.around((0.0, 0.0, 1.0), np.array([[3.0, 4.0, 5.0]]))
    assert frame.to_page(np.array([3.0, 4.0, 5.0])).tolist() == [0.0, 0.0, 0.0]


# Sections


heights = st.floats(-3.0, 3.0).map(lambda h: round(h, 2))


@given(low=heights, high=heights, seed=st.integers(0, 1000))
def test_parts_of_triangles_between_two_heights(low, high, seed):
    low, high = min(low, high), max(low, high)
    random = np.random.default_rng(seed)
    points = random.uniform(-3.0, 3.0, (30, 3))
    faces = random.permuted(np.tile(np.arange(30), (20, 1)), axis=1)[:, :3]
    whole, parts, sources = cut_faces(points, faces, Section(low, high))
    shown = whole[parts]
    assert shown[:, :, 2].min(initial=low) >= low - 1e-9
    assert shown[:, :, 2].max(initial=high) <= high + 1e-9
    # The parts below, between and above make up all of it.
    below, above = (
        cut_faces(points, faces, section) for section in (Section(high=low), Section(low=high))
    )
    totals = sum(
        np.bincount(who, areas(where, what), minlength=20)
        for where, what, who in (below, above, (whole, parts, sources))
    )
    assert totals == pytest.approx(areas(points, faces), abs=1e-9)
    # Parts face the way that they did.
    normals = [np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]) for t in (shown, points[faces])]
    assert np.all(np.einsum("ij,ij->i", normals[0], normals[1][sources]) >= -1e-12)


@given(low=heights, high=heights, seed=st.integers(0, 1000))
def test_parts_of_lines_between_two_heights(low, high, seed):
    low, high = min(low, high), max(low, high)
    segments = np.random.default_rng(seed).uniform(-3.0, 3.0, (20, 2, 3))
    segments[:5, 1, 2] = segments[:5, 0, 2]  # level ones
    parts, _ = cut_lines(segments, Section(low, high))
    assert parts[:, :, 2].min(initial=low) >= low - 1e-9
    assert parts[:, :, 2].max(initial=high) <= high + 1e-9
    others = [cut_lines(segments, s) for s in (Section(high=low), Section(low=high))]
    total = lengths(parts).sum() + sum(lengths(other).sum() for other, _ in others)
    level = segments[:5, 0, 2]
    if not np.isin(level, [low, high]).any():
        assert total == pytest.approx(lengths(segments).sum())


def test_an_upside_down_section_shows_nothing():
    points = np.array([(0.0, 0.0, 0.0), (4.0, 0.0, 4.0), (0.0, 4.0, 2.0)])
    assert len(cut_lines(points[None, :2], Section(3.0, 1.0))[0]) == 0
    assert len(cut_faces(points, np.array([[0, 1, 2]]), Section(3.0, 1.0))[1]) == 0


def test_without_a_section_arrays_are_handed_on():
    points, faces = wm.samples.house().vertices, wm.samples.house().faces
    shown, parts, sources = cut_faces(points, faces, EVERYTHING)
    assert shown is points
    assert parts is faces
    assert sources.tolist() == list(range(len(faces)))


# Clicks


def test_a_ray_meets_the_nearest_triangle():
    scene = wm.samples.two_levels()
    down = np.array([0.0, -1.0, 0.0])
    for seed in range(20):
        x, z = np.random.default_rng(seed).uniform(-1.0, 12.0, 2)
        origin = np.array([x, 50.0, z])
        hit = first_hit(scene.vertices, scene.faces, origin, down)
        # The slow twin: barycentric coordinates in plan of one triangle after the other.
        best = None
        for a, b, c in scene.vertices[scene.faces]:
            matrix = np.array([[b[0] - a[0], c[0] - a[0]], [b[2] - a[2], c[2] - a[2]]])
            if abs(np.linalg.det(matrix)) < 1e-12:
                continue
            u, v = np.linalg.solve(matrix, [x - a[0], z - a[2]])
            if u >= 0 and v >= 0 and u + v <= 1:
                distance = 50.0 - (a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]))
                best = distance if best is None else min(best, distance)
        assert hit == pytest.approx(best) if best is not None else hit is None


def test_a_ray_does_not_meet_what_is_behind_it():
    points = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    faces, place = np.array([[0, 1, 2]]), np.array([0.2, 0.2, 1.0])
    assert first_hit(points, faces, place, np.array([0.0, 0.0, -2.0])) == pytest.approx(0.5)
    assert first_hit(points, faces, place, np.array([0.0, 0.0, 2.0])) is None
    assert first_hit(points, faces[:0], place, np.array([0.0, 0.0, -2.0])) is None


# Documents


def test_a_navmesh_of_the_scene_keeps_it_and_another_does_not(tmp_path):
    scene = wm.samples.house()
    before = Document(name="house", scene=scene)
    wm.build(scene).save(tmp_path / "mine.glb")
    found = open_file(tmp_path / "mine.glb", "y", 1.0, before)
    assert found.scene is scene
    assert found.name == "mine"
    assert found.navmesh.polygon_count == 194
    far = wm.Scene(scene.vertices + 50.0, scene.faces)
    wm.build(far).save(tmp_path / "far.ply")
    assert open_file(tmp_path / "far.ply", "y", 1.0, before).scene is None
    # The other way round: the scene after its navmesh, but not after that of another scene.
    alone = Document(navmesh=found.navmesh)
    assert alone.with_scene(scene, 1.0, "house").navmesh is found.navmesh
    assert alone.with_scene(far, 1.0, "far").navmesh is None
    assert found.with_scene(scene, 1.0, "again").navmesh is None


def test_another_up_and_scale_of_the_same_scene():
    document = Document(scene=wm.samples.house(), scale=0.5, navmesh=wm.build(wm.samples.house()))
    turned = document.with_up("z", 1.0)
    assert turned.scene.up == (0.0, 0.0, 1.0)
    assert turned.navmesh is None
    assert turned.scene.vertices == pytest.approx(2.0 * document.scene.vertices)


def test_what_was_left_out_is_still_told_when_the_scene_is_turned():
    scene = wm.Scene([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 2), (0, 1, 2), (0, 1, 1)])
    document = Document().with_scene(scene, 1.0, "soup")
    assert document.left_out == 2
    assert document.with_up("z", 1.0).left_out == 2
    assert "2 triangles could not be used" in about(document.with_up("z", 1.0))


def test_an_oblique_scene_is_as_high_as_it_is():
    frame = Document(scene=wm.samples.house(up=(0.0, 0.6, 0.8))).page_frame
    assert frame.top - frame.base == pytest.approx(5.7, abs=0.01)


@pytest.mark.parametrize(
    "name", ["../../etc/x.obj", "/etc/passwd.obj", "a\\..\\b.obj", "c:\\x.obj", "x\0y.obj", ".obj"]
)
def test_an_upload_cannot_name_a_path(name, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    content = b"v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n"
    if name == ".obj":
        with pytest.raises(wm.SceneError, match="unsupported file type ''"):
            open_upload(name, content, "y", 1.0, Document())
        return
    found = open_upload(name, content, "y", 1.0, Document())
    assert len(found.scene.faces) == 2
    assert "/" not in found.name
    assert "\\" not in found.name
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"x", r"^a\.txt: unsupported file type '\.txt'; supported: \.obj"),
        ("a.obj", b"", r"^a\.obj: it is empty"),
        ("a.glb", b"glTF", r"^a\.glb: "),
        ("a.walkmesh", b"nonsense", r"^a\.walkmesh: "),
        ("", b"x", r"^file: unsupported file type"),
    ],
)
def test_a_bad_upload_is_named_as_its_sender_does(name, content, words, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(wm.WalkmeshError, match=words) as error:
        open_upload(name, content, "y", 1.0, Document())
    assert str(tmp_path) not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_an_uploaded_gltf_reads_no_other_files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "secret.bin").write_bytes(b"x" * 100)
    gltf = b'{"asset": {"version": "2.0"}, "buffers": [{"uri": "../secret.bin", "byteLength": 9}],'
    gltf += b'"bufferViews": [{"buffer": 0, "byteLength": 9}], "accessors": [{"bufferView": 0,'
    gltf += b'"componentType": 5126, "count": 3, "type": "VEC3"}], "meshes": [{"primitives":'
    gltf += b'[{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}],'
    gltf += b'"scenes": [{"nodes": [0]}], "scene": 0}'
    with pytest.raises(wm.SceneError, match="is not in the folder of the file"):
        open_upload("scene.gltf", gltf, "y", 1.0, Document())


def test_everything_that_is_saved_can_be_opened():
    assert {".obj", ".glb", ".gltf", ".ply", ".stl", ".off", ".walkmesh"} == set(READ_SUFFIXES)


# What is seen


@pytest.fixture(scope="module")
def house():
    scene = wm.samples.house()
    kept = []
    navmesh = wm.build(scene, on_stage=lambda *stage: kept.append(stage))
    return Document(scene=scene, navmesh=navmesh, stages=tuple(kept))


def test_things_cover_the_navmesh(house):
    things = PageLook().things(house, Choices(shown="Navmesh"), Route())
    faces = {n: t for n, t in things.items() if n.startswith("/navmesh/faces")}
    scale = house.page_frame.scale
    total = sum(areas(t.points.astype(float), t.faces).sum() for t in faces.values()) / scale**2
    assert total == pytest.approx(house.navmesh.area, rel=1e-4)
    assert "/scene" not in things
    assert set(PageLook().things(house, Choices(shown="Scene"), Route())) == {"/scene"}


def test_what_did_not_change_is_the_same_object(house):
    look = PageLook()
    first = look.things(house, Choices(), Route())
    again = look.things(house, Choices(), Route())
    other = look.things(house, Choices(scene_opacity=0.5), Route())
    assert again["/navmesh/edges/open"] is first["/navmesh/edges/open"]
    assert other["/scene"].points is first["/scene"].points
    assert other["/scene"].opacity == 0.5


@pytest.mark.parametrize("stage", range(9))
def test_every_stage_can_be_seen(house, stage):
    things = PageLook().things(house, Choices(stage=stage), Route())
    mesh = house.stages[stage][1]
    assert isinstance(mesh, TriangleMesh)
    assert len(things["/stage"].faces) == len(mesh.triangles)
    for kind, name in ((OPEN, "open"), (BLOCKED, "blocked"), (INNER_WALL, "inner_wall")):
        lines = things.get(f"/navmesh/edges/{name}")
        count = np.count_nonzero(mesh.edge_kinds == kind)
        assert (0 if lines is None else len(lines.segments)) == count
        assert count > 0 or kind == INNER_WALL
    inner = len(things["/navmesh/edges/shared"].segments)
    assert inner <= np.count_nonzero(mesh.edge_kinds == INNER) <= 2 * inner
    assert "/navmesh/edges/boundary" not in things


def test_a_stage_that_is_too_large_is_counted_and_not_shown(house, monkeypatch):
    monkeypatch.setattr("walkmesh.viewer.page.document.MOST_TRIANGLES", 1_000)
    slope, stitch = (house.stages[k][1] for k in (0, 2))
    assert kept_stage(slope) is slope
    large = kept_stage(stitch)
    assert large == TooMany(len(stitch.triangles))
    document = Document(scene=house.scene, navmesh=house.navmesh, stages=(("cut", large),))
    assert set(PageLook().things(document, Choices(stage=0), Route())) == {"/scene"}


def test_too_many_edges_are_counted_and_not_shown(house, monkeypatch):
    monkeypatch.setattr("walkmesh.viewer.page.look.MOST_EDGES", 500)
    look = PageLook()
    things = look.things(house, Choices(), Route())
    assert "/navmesh/edges/blocked" not in things
    assert "/navmesh/edges/open" in things
    (note,) = look.notes
    assert re.fullmatch(r"\d{3} blocked edges are too many to be shown", note)
    look.things(house, Choices(stage=0), Route())
    (note,) = look.notes
    assert re.fullmatch(r"\d{3} shared edges are too many to be shown", note)
    look.things(house, Choices(edges=False), Route())
    assert look.notes == []


def test_stages_of_too_many_cells_are_not_even_made():
    scene = wm.samples.house()  # 13.5 x 15 m
    assert can_keep_stages(scene, wm.Exact())
    assert can_keep_stages(scene, wm.Voxel(cell_size=0.02))
    assert not can_keep_stages(scene, wm.Voxel(cell_size=0.01))


def test_a_section_hides_what_is_above(house):
    frame = house.page_frame
    cut = frame.height_in_plan(1.0)
    things = PageLook().things(house, Choices(section=Section(high=cut)), Route())
    # Layers are lifted a little.
    limit = cut * frame.scale + 0.02
    for thing in things.values():
        points = thing.points if isinstance(thing, ColoredTriangles) else thing.segments
        assert points[..., 1].max() <= limit


def test_colours_tell_component_area_and_height(house):
    painted = house.navmesh.paint(3, box=[(-10, -1, -10), (3, 1, 30)])
    for navmesh, color_by, values in (
        (house.navmesh, "component", house.navmesh.components),
        (painted, "area", painted.areas),
    ):
        colors = triangle_colors(navmesh, color_by)
        largest = np.bincount(values[navmesh.triangle_polygons]).argmax()
        mine = values[navmesh.triangle_polygons] == largest
        assert len(np.unique(colors[mine], axis=0)) == 1
        assert not (colors[~mine] == colors[mine][0]).all(axis=1).any()
    colors = triangle_colors(house.navmesh, "height")
    height = house.navmesh.vertices[house.navmesh.triangles][:, :, 1].mean(axis=1)
    top, bottom = colors[height > 2.9], colors[height < 0.1]
    assert len(np.unique(bottom, axis=0)) == 1
    assert not (top == bottom[0]).all(axis=1).any()


def test_an_empty_document_shows_nothing():
    assert PageLook().things(Document(), Choices(), Route()) == {}
    empty = wm.NavMesh([], [0], [])
    assert PageLook().things(Document(navmesh=empty), Choices(), Route()) == {}
    assert PageLook().things(Document(navmesh=empty), Choices(color_by="height"), Route()) == {}


def test_links_are_arcs_with_heads():
    navmesh = wm.build(wm.samples.floor(width=10, depth=8))
    linked = navmesh.with_links(
        [(1, 0, 1), (2, 0, 2), (3, 0, 3)], [(4, 0, 5), (5, 0, 6), (6, 0, 6)],
        two_way=[True, False, False], kind=[1, 2, 200],
    )  # fmt: skip
    things = PageLook().things(Document(navmesh=linked), Choices(), Route())
    jump, drop, other = (things[f"/navmesh/links/{kind}"] for kind in (1, 2, 4))
    assert isinstance(jump, Lines)
    # Six pieces of the arc and two lines for each head.
    assert [len(lines.segments) for lines in (jump, drop, other)] == [10, 8, 8]
    assert jump.segments[..., 1].max() > 0.1


# Routes


def test_a_route_says_what_was_found():
    navmesh = wm.build(wm.samples.house())
    start, goal = np.array(wm.samples.HOUSE_START), np.array(wm.samples.HOUSE_GOAL)
    assert "Click a place" in Route().words
    assert "Click where to go" in Route(start).words
    route = search(navmesh, start, goal, radius=0.3, optimal=True, partial=False)
    assert "complete, 26.52 m, 28 polygons" in route.words
    assert route.seconds > 0.0
    corridor = search(navmesh, start, goal, radius=0.3, optimal=False, partial=False)
    assert " m, may not be the shortest, " in corridor.words
    table = navmesh.nearest([(100.0, 0.0, 0.0)]).points[0]
    assert stand(navmesh, table + [0.0, 0.1, 0.0]) == pytest.approx(table)
    assert stand(navmesh, np.array([100.0, 0.0, 0.0])) is None
    with pytest.raises(wm.SettingsError, match="radius"):
        search(navmesh, start, goal, radius=0.1, optimal=True, partial=False)


def test_a_cylinder_is_closed_above():
    points, faces = cylinder(0.3, 1.8, sides=64)
    assert points[:, 2].min() == 0.0
    assert points[:, 2].max() == 1.8
    assert areas(points, faces).sum() == pytest.approx(
        2 * np.pi * 0.3 * 1.8 + np.pi * 0.09, rel=5e-3
    )


# Words


def test_words_are_never_markup():
    assert "<img" not in paragraph("<img src=x onerror=alert(1)>")
    assert "&lt;img" in paragraph("<img src=x onerror=alert(1)>")
