"""The surface method and its settings: what is refused, what is promised, what changes nothing."""

import json
import math

import numpy as np
import pytest

import walkmesh as wm
from tests.checks.surface_checks import room_area
from tests.makers.surface_builds import (
    AGENT,
    R,
    build,
    has_one_layer,
    is_closed,
    moved,
    shuffled,
    together,
)
from walkmesh import samples

ARRAYS = ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components")


# Values

LIMITS = {
    "max_turn_convex": (0.0, 180.0),
    "max_turn_concave": (0.0, 180.0),
    "max_tilt": (0.0, 180.0),
    "gap_distance": (0.0, 0.5),
    "arc_error": (1e-4, 1.0),
    "boundary_tolerance": (0.0, 1.0),
    "height_tolerance": (0.0, math.inf),
    "min_patch_area": (0.0, math.inf),
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("wrong", ["below", "above", math.nan, math.inf, "1", None, True, [1.0]])
def test_impossible_settings_are_named(name, wrong):
    if name == "min_patch_area" and wrong is None:
        return  # it comes from the agent then
    low, high = LIMITS[name]
    value = {"below": low - 1e-3, "above": high + 1e-3}.get(str(wrong), wrong)
    with pytest.raises(wm.SettingsError, match=rf"Surface\.{name} is"):
        wm.Surface(**{name: value})


@pytest.mark.parametrize("name", LIMITS)
def test_limits_themselves_are_allowed(name):
    for value in LIMITS[name]:
        if math.isfinite(value):
            assert getattr(wm.Surface(**{name: value}), name) == value


@pytest.mark.parametrize(
    "value",
    [(0, 0), (0, 0, 0, 0), 5.0, "0 0 0", "abc", (0, 0, math.nan), (0, math.inf, 0), (0, 0, None),
     (0, 0, "up"), np.zeros((3, 3))],
)  # fmt: skip
def test_impossible_centers_are_named(value):
    with pytest.raises(wm.SettingsError, match=r"Surface\.gravity_center is"):
        wm.Surface(gravity_center=value)


@pytest.mark.parametrize("value", ["top", "Front", "", None, 1, ("front",)])
def test_impossible_sides_are_named(value):
    with pytest.raises(wm.SettingsError, match=r"Surface\.sides is"):
        wm.Surface(sides=value)


def test_settings_are_frozen_keyword_only_and_compare():
    with pytest.raises(AttributeError):
        wm.Surface().max_tilt = 1.0
    with pytest.raises(TypeError):
        wm.Surface(120.0)
    assert wm.Surface(gravity_center=np.array([1, 2, 3])) == wm.Surface(gravity_center=(1, 2, 3))
    assert wm.Surface(gravity_center=[1, 2, 3]).gravity_center == (1.0, 2.0, 3.0)


# The build


@pytest.mark.parametrize(
    ("scene", "settings"),
    [
        pytest.param(samples.house(), {}, id="house"),
        pytest.param(samples.planet(subdivisions=4), {}, id="planet"),
        pytest.param(samples.rubble(), {"sides": "both"}, id="rubble"),
    ],
)
def test_the_same_arrays_whatever_the_workers_and_every_time(scene, settings):
    first, *others = (
        wm.build(scene, AGENT, wm.Surface(**settings), workers=workers) for workers in (1, 2, 2, 1)
    )
    assert first.validate() == []
    for other in others:
        for name in ARRAYS:
            assert np.array_equal(getattr(first, name), getattr(other, name)), name


def test_progress_goes_through_all_stages():
    calls = []
    wm.build(
        samples.house(), method=wm.Surface(), progress=lambda *call: calls.append(call), workers=1
    )
    names = list(dict.fromkeys(name for name, _ in calls))
    assert tuple(names) == wm.Surface.stage_names
    for name in names:
        shares = [share for stage, share in calls if stage == name]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("stage", wm.Surface.stage_names)
def test_any_stage_can_be_cancelled(stage):
    def stop(name, _share):
        if name == stage:
            raise wm.Cancelled

    with pytest.raises(wm.Cancelled):
        wm.build(samples.room(), method=wm.Surface(), progress=stop)


def test_stages_are_those_of_the_build():
    scene, seen = samples.tilted_ramps(), []
    navmesh = wm.build(
        scene,
        method=wm.Surface(),
        on_stage=lambda name, mesh: seen.append((name, len(mesh.triangles))),
    )
    found = [(name, len(mesh.triangles)) for name, mesh in wm.stages(scene, None, wm.Surface())]
    assert found == seen
    assert tuple(name for name, _ in seen) == wm.Surface.stage_names
    assert seen[-1][1] == len(navmesh.triangles)


def test_the_report_tells_what_was_done():
    room = samples.room(cells=2)
    # Once more in other words: the first triangle with vertices of its own.
    vertices = np.concatenate([room.vertices, room.vertices[room.faces[0]]])
    last = len(room.vertices)
    faces = np.concatenate([room.faces, [(last + 1, last + 2, last)]])
    navmesh = build(wm.Scene(vertices, faces), max_tilt=135.0)
    content = json.loads(json.dumps(navmesh.report.as_dict()))
    assert content["method"] == "Surface"
    assert content["settings"]["max_tilt"] == 135.0
    assert content["settings"]["gravity_center"] is None
    assert content["settings"]["sides"] == "front"
    counts = {stage["name"]: stage for stage in content["stages"]}
    assert tuple(counts) == wm.Surface.stage_names
    assert content["scene"]["triangles"] + content["scene"]["repeated"] == 49
    assert counts["faces"]["faces"] == 48
    assert counts["faces"]["walkable"] == 40  # all but the ceiling
    assert counts["faces"]["without_width"] == 0
    assert counts["clearance"]["edges_open"] == 0
    assert counts["clearance"]["edges_blocked"] > 0
    assert counts["joints"]["joints"] >= 8 * 2 + 4  # two triangles for each edge, one a corner
    assert counts["polygons"]["polygons_out"] == navmesh.polygon_count == content["polygons"]
    assert content["area"] == pytest.approx(navmesh.area)


def test_the_report_counts_patches_that_are_too_small():
    small = moved(samples.floor(0.8, 0.8), shift=(20.0, 0.0, 0.0))
    scene = together(samples.floor(), small)
    navmesh = build(scene)
    counts = {stage.name: stage.counts for stage in navmesh.report.stages}
    assert counts["patches"]["patches_too_small"] == 1
    assert navmesh.component_count == 1
    assert build(scene, min_patch_area=0.0).component_count == 2


# Scenes that are hardly any


def test_one_triangle():
    scene = wm.Scene([(0, 0, 0), (0, 0, 6), (8, 0, 0)], [(0, 1, 2)])
    # Its inner circle has a radius of 2 m; what is left is smaller in proportion.
    assert build(scene).area == pytest.approx(24.0 * ((2.0 - R) / 2.0) ** 2, rel=1e-6)
    assert build(scene, sides="back").area == pytest.approx(24.0 * ((2.0 - R) / 2.0) ** 2)
    with pytest.raises(wm.BuildError):
        build(scene, sides="back", max_tilt=45.0)
    with pytest.raises(wm.BuildError):
        build(scene, wm.Agent(radius=2.01))


@pytest.mark.parametrize("width", [0.0, 1e-300, 1e-9, 1e-7, 1e-6, 1e-5])
def test_triangles_without_width(width):
    with pytest.raises((wm.SceneError, wm.BuildError)):
        build(wm.Scene([(0, 0, 0), (0, 0, width), (8, 0, 0)], [(0, 1, 2)]))


@pytest.mark.parametrize("size", [1e6, 1e7])
def test_huge_plates(size):
    navmesh = build(samples.floor(size, size))
    assert navmesh.area == pytest.approx(size * size, rel=1e-3)


@pytest.mark.parametrize("far", [1e6, 1e9])
def test_huge_coordinates(far):
    navmesh = build(moved(samples.room(), shift=(far, far, -far)))
    assert navmesh.area == pytest.approx(room_area(6.0, 4.0, 3.0, R), rel=1e-3)
    assert is_closed(navmesh)


# Scenes that say things twice


@pytest.mark.parametrize("scene", [samples.room(cells=2), samples.cube(), samples.tilted_ramps()])
def test_faces_that_are_there_twice_change_nothing(scene):
    navmesh = build(scene)
    twice = build(together(scene, scene))
    assert twice.area == pytest.approx(navmesh.area, rel=1e-6)
    assert twice.component_count == navmesh.component_count


@pytest.mark.parametrize("shift", [(0, 0, 0), (1.3, 0, 0.7)])
def test_sheets_on_each_other_are_one_layer(shift):
    # As one of them is cut along the other diagonal, no triangle is there twice.
    one = wm.Scene([(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0)], [(0, 1, 2), (0, 2, 3)])
    two = wm.Scene(one.vertices + shift, [(0, 1, 3), (1, 2, 3)])
    navmesh = build(together(one, two), boundary_tolerance=0.0, arc_error=1e-3)
    assert has_one_layer(navmesh)
    assert navmesh.component_count == 1
    dx, _, dz = shift
    # The outline has two corners that point inwards, around which the clearance is round.
    union = 2 * 64.0 - (8.0 - dx) * (8.0 - dz)
    around = 2 * (16.0 + dx + dz)
    corners = 4 * R * R if dx == 0 else 6 * R * R - 2 * math.pi / 4 * R * R
    assert navmesh.area == pytest.approx(union - around * R + corners, rel=1e-3)


def test_interpenetrating_boxes():
    one, two = samples.cube(4.0), moved(samples.cube(4.0), shift=(2.0, 2.0, 2.0))
    # Too tall to stand inside of one on the sides of the other.
    agent = wm.Agent(height=2.5)
    navmesh = build(together(one, two), agent, max_turn_concave=60.0, arc_error=1e-3)
    assert has_one_layer(navmesh)
    # Of each cube, three sides lack what is inside of the other, or closer to it than the radius.
    lost = 4.0 + 2 * 2.0 * R + math.pi / 4.0 * R * R
    assert navmesh.component_count == 2
    assert navmesh.area == pytest.approx(2 * (96.0 - 3 * lost), rel=1e-3)


@pytest.mark.parametrize(
    ("scene", "tolerance"),
    [
        pytest.param(samples.room(cells=3), 1e-3, id="room"),
        pytest.param(samples.house(), 1e-3, id="house"),
        pytest.param(samples.tilted_ramps(), 1e-3, id="ramps"),
        pytest.param(samples.stairs(), 1e-3, id="stairs"),
        pytest.param(samples.planet(subdivisions=3), 1e-3, id="planet"),
        # Of edges that are equally far away from several others, any one is joined.
        pytest.param(samples.rubble(), 4e-3, id="rubble"),
    ],
)
def test_the_order_of_triangles_does_not_matter(scene, tolerance):
    here, there = build(scene), build(shuffled(scene))
    assert there.area == pytest.approx(here.area, rel=tolerance)
    assert there.component_count == here.component_count


def test_the_order_of_triangles_does_not_matter_to_components():
    house = samples.house()
    counts = {build(shuffled(house, seed)).component_count for seed in range(5)}
    assert len(counts) == 1
