"""What a build says it lost: the cause, the area and the setting that would change it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.boxes import boxes
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.builder.losses import mesh_opened_area
from walkmesh.cli import run

METHODS = (wm.Exact, wm.Voxel)
SAMPLES = {
    "floor": wm.samples.floor,
    "house": wm.samples.house,
    "rubble": wm.samples.rubble,
    "terrain": lambda: wm.samples.terrain(5000),
    "doorways": wm.samples.doorways,
}
REAL = {
    "nav_test": ("recast/nav_test.obj", "y"),
    "dungeon": ("recast/dungeon.obj", "y"),
    "parking_garage": ("mesh_navigation/parking_garage.obj", "z"),
    "Duplex": ("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z"),
    "arena": ("movingai/arena.obj", "y"),
}


def scaled(scene, factor):
    return wm.Scene(scene.vertices * factor, scene.faces, up=scene.up)


def notes_of(scene, method=wm.Exact, agent=None, **settings):
    """Return the notes of a build, or the reason why there is none."""
    try:
        return " ".join(wm.build(scene, agent, method(**settings)).report.notes)
    except wm.BuildError as error:
        return str(error)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SAMPLES)
def test_where_nothing_is_wrong_nothing_is_said(method, name):
    assert wm.build(SAMPLES[name](), method=method()).report.notes == ()


@needs_scenes
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", REAL)
def test_of_real_scenes_nothing_is_said(method, name):
    file, up = REAL[name]
    assert wm.build(wm.load_scene(SCENES / file, up=up), method=method()).report.notes == ()


@needs_scenes
@pytest.mark.parametrize("factor", [1000.0, 100.0, 0.0254, 0.01])
@pytest.mark.parametrize("name", [*REAL, "house"])
def test_a_wrong_unit_is_told(name, factor):
    file, up = REAL.get(name, ("", ""))
    scene = wm.load_scene(SCENES / file, up=up) if file else wm.samples.house()
    # Cells of a tenth of a metre would be too many, and the words are the same.
    words = "looks too large" if factor > 1.0 else "looks too small|most headroom"
    notes = notes_of(scaled(scene, factor))
    assert any(word in notes for word in words.split("|"))
    if factor >= 100.0:
        assert ("millimetres" if factor == 1000.0 else "centimetres") in notes


@needs_scenes
@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("name", ["nav_test", "dungeon", "parking_garage", "arena"])
def test_a_wrong_up_is_told(name, up):
    file, right = REAL[name]
    notes = notes_of(wm.load_scene(SCENES / file, up=up))
    if up == right:
        assert notes == ""
    else:
        assert f"is {right} up?" in notes


@needs_scenes
@pytest.mark.parametrize("height", [0.1, 0.5])
@pytest.mark.parametrize("name", ["nav_test", "Duplex"])
def test_insides_of_solids_are_not_reversed_for_low_agents(name, height):
    file, up = REAL[name]
    agent = wm.Agent(height=height, radius=0.1, max_step=0.05)
    assert "wound" not in notes_of(wm.load_scene(SCENES / file, up=up), agent=agent)


@pytest.mark.parametrize("height", [0.5, 1.8])
def test_ceilings_over_steep_ground_are_not_reversed(height):
    agent = wm.Agent(height=height)
    cave = wm.samples.rock_cave()
    assert "wound" not in notes_of(cave, agent=agent)
    turned = wm.Scene(cave.vertices, cave.faces[:, ::-1], up=cave.up)
    assert "wound" not in notes_of(turned, agent=agent, sides="back")


@pytest.mark.parametrize("up", ["x", "z"])
def test_the_wrong_up_of_a_scan_is_told(up):
    """A room about as high as it is wide, whose floor and ceiling are as rough as its walls."""
    scan = wm.samples.scanned_room()
    scene = wm.Scene(scan.vertices, scan.faces, up=up)
    for method in METHODS:
        assert f"up is {up}, but most floors seem to lie across y" in notes_of(scene, method)


@pytest.mark.parametrize("method", METHODS)
def test_ground_that_is_too_low_is_told(method):
    """A hall 20 m long, of which 8 m have a ceiling at 1.6 m."""
    scene = boxes(((0, -0.2, 0), (20, 0, 10)), ((0, 1.6, 0), (8, 2, 10)))
    report = wm.build(scene, method=method()).report
    (note,) = report.notes
    # The ceiling's own top is ground too: 80 of 80 + 80 + 120 m2.
    assert report.lost_areas["headroom"] == pytest.approx(80.0, rel=0.1)
    assert "m2 of the ground (29 %) has less headroom than the agent's height of 1.8 m" in note
    assert "a smaller height keeps it" in note
    lower = wm.build(scene, wm.Agent(height=1.5), method()).report
    assert lower.notes == ()


def comb(width, count=10, length=10.0):
    """Return a hall, 4 m wide, with corridors between blocks that lead away from it.

    The blocks are so thin that their tops are too small to count.
    """
    pitch = width + 0.1
    depth = count * pitch
    blocks = [((4, 0, i * pitch + width), (4 + length, 3, (i + 1) * pitch)) for i in range(count)]
    return boxes(((0, -0.2, 0), (4 + length, 0, depth)), *blocks)


@pytest.mark.parametrize("method", METHODS)
def test_ground_that_is_too_narrow_is_told(method):
    scene = comb(0.5)
    report = wm.build(scene, method=method()).report
    (note,) = report.notes
    assert report.lost_areas["narrow"] == pytest.approx(10 * 0.5 * 10.0, rel=0.3)
    assert "is too narrow for the agent's radius of 0.3 m; a smaller radius keeps more" in note
    assert wm.build(scene, wm.Agent(radius=0.2), method()).report.notes == ()


@pytest.mark.parametrize("method", METHODS)
def test_ground_in_small_parts_is_told(method):
    plates = [((3 * i, -0.2, 0), (3 * i + 1.5, 0, 1.5)) for i in range(6)]
    scene = boxes(*plates, ((0, -0.2, 5), (3, 0, 8)))
    report = wm.build(scene, method=method(min_patch_area=1.0)).report
    (note,) = report.notes
    assert report.lost_areas["small"] == pytest.approx(6 * 0.9**2, rel=0.1)
    assert "in parts with less than 1 m2; a smaller min_patch_area keeps them" in note
    assert wm.build(scene, method=method()).report.notes == ()


@pytest.mark.parametrize("method", METHODS)
def test_triangles_that_are_not_finite_are_told(method):
    floor = wm.samples.terrain(1000)
    vertices = floor.vertices.copy()
    vertices[::9] = np.nan
    scene = wm.Scene(vertices, floor.faces)
    # First of all; the holes that they leave make ground narrow besides.
    note = wm.build(scene, method=method()).report.notes[0]
    assert "triangles are left out" in note
    assert f"{scene.left_out.non_finite:,} have a corner that is not finite" in note


@pytest.mark.parametrize("method", METHODS)
def test_the_likely_cause_of_nothing(method):
    room = boxes(((0, -0.2, 0), (8, 0, 8)), ((0, 1.5, 0), (8, 1.7, 8)), ((0, 2.9, 0), (8, 4.0, 8)))
    top = boxes(*[((0, h, 0), (8, h + 0.2, 8)) for h in (-0.2, 1.4, 3.0)])
    tall = wm.Agent(height=8.0)
    assert "no ground with headroom is 0.6 m wide" in notes_of(
        boxes(((0, 0, 0), (0.5, 5, 9)), ((3, 0, 0), (3.5, 5, 9))), method
    )
    for scene in (room, top):
        assert "can stand nowhere" not in notes_of(scene, method)
    covered = wm.Scene(
        np.concatenate([room.vertices, [(0, 9, 0), (0, 9, 8), (8, 9, 8), (8, 9, 0)]]),
        np.concatenate([room.faces, [(24, 26, 25), (24, 27, 26)]]),
    )
    assert "the most headroom over any ground is about 5 m" in notes_of(covered, method, tall)


def test_notes_are_on_the_command_line_and_in_files(tmp_path, capsys):
    path = tmp_path / "comb.obj"
    scene = comb(0.5)
    lines = [f"v {x} {y} {z}" for x, y, z in scene.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in scene.faces + 1]
    path.write_text("\n".join(lines))
    target = tmp_path / "comb.walkmesh"
    assert run(["build", str(path), "-o", str(target)]) == 0
    assert "note: about" in capsys.readouterr().err
    report = wm.load_navmesh(target).report
    assert report.notes == wm.build(scene).report.notes
    assert report.lost_areas == pytest.approx(wm.build(scene).report.lost_areas)


def test_notes_are_the_same_for_any_number_of_workers():
    scene = comb(0.5)
    for method in (wm.Exact(), wm.Voxel(tile_voxels=32)):
        one, two = (wm.build(scene, method=method, workers=n).report for n in (1, 2))
        assert one.notes == two.notes
        assert one.lost_areas == two.lost_areas


@given(width=st.floats(0.1, 20.0), depth=st.floats(0.1, 20.0), radius=st.floats(0.0, 2.0))
def test_a_disc_in_a_rectangle_covers_it_but_for_the_corners(width, depth, radius):
    points = np.array([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
    offsets, corners = np.array([0, 4], dtype=np.int32), np.arange(4, dtype=np.int32)
    edges = np.full(4, -1, dtype=np.int32)
    opened = mesh_opened_area(points, offsets, corners, edges, radius)
    full = (width + 2.0 * radius) * (depth + 2.0 * radius)
    assert opened == pytest.approx(full - (4.0 - math.pi) * radius**2)


# The smallest part that stays


@pytest.mark.parametrize("method", [*METHODS, wm.Surface])
@pytest.mark.parametrize("radius", [0.0, 0.1, 0.3, 1.0])
def test_parts_smaller_than_the_agent_are_left_out(method, radius):
    agent = wm.Agent(radius=radius)
    # A square that fits into the agent's footprint.
    least = math.sqrt(2.0) * max(radius, 0.05)
    sides = [f * least + 2.0 * radius for f in (0.8, 1.3)]
    plates = [((10 * i, -0.2, 0), (10 * i + side, 0, side)) for i, side in enumerate(sides)]
    corners = boxes(*plates, ((0, -0.2, 20), (10, 0, 30)))
    settings = {"cell_size": 0.02, "cell_height": 0.02} if method is wm.Voxel else {}
    if method is wm.Surface:
        settings["max_tilt"] = 10.0
    areas = wm.build(corners, agent, method(**settings))
    assert areas.component_count == 2
    everything = wm.build(corners, agent, method(min_patch_area=0.0, **settings))
    assert everything.component_count == 3


@pytest.mark.parametrize("radius", [0.1, 0.3])
@pytest.mark.parametrize("turn", [0.0, 0.4])
@pytest.mark.parametrize("method", [*METHODS, wm.Surface])
def test_passages_stay_however_narrow(method, turn, radius):
    """A long one is of use, a short one is not, and both have less area than the agent."""
    cell = radius / 8.0
    settings = {"cell_size": cell, "cell_height": 0.02} if method is wm.Voxel else {}
    if method is wm.Surface:
        settings["max_tilt"] = 10.0
    width = 2.0 * radius + 3.0 * cell
    lengths = [2.0 * radius + f * radius for f in (3.0, 5.0)]
    plates = [((0, -0.2, 9 * i), (length, 0, 9 * i + width)) for i, length in enumerate(lengths)]
    scene = boxes(*plates, ((20, -0.2, 0), (30, 0, 10)))
    cos, sin = math.cos(turn), math.sin(turn)
    around = np.array([[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]])
    scene = wm.Scene(scene.vertices @ around, scene.faces)
    navmesh = wm.build(scene, wm.Agent(radius=radius), method(**settings))
    assert navmesh.component_count == 2
    corners = navmesh.vertices[navmesh.triangles]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    parts = np.bincount(navmesh.components[navmesh.triangle_polygons], areas / 2.0)
    assert parts.min() < 2.0 * radius**2


@pytest.mark.parametrize("method", METHODS)
def test_a_broad_agent_in_the_house(method):
    """It has no room as large as itself, but one in which it can go as far as it is wide."""
    navmesh = wm.build(wm.samples.house(), wm.Agent(radius=1.0), method())
    assert navmesh.validate() == []
    assert navmesh.area < math.pi


def test_what_the_smallest_part_may_be():
    for method in (*METHODS, wm.Surface):
        assert method().min_patch_area is None
        assert method(min_patch_area=2).min_patch_area == 2.0
        with pytest.raises(wm.SettingsError, match="at least 0 m2, or None"):
            method(min_patch_area=-1)
