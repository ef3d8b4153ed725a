import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm


def turned(scene, degrees):
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    return scene.vertices @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


@pytest.mark.parametrize("degrees", [0, 12.5, 33, 45, 90])
@pytest.mark.parametrize(("slope", "walkable"), [(44.0, True), (45.0, True), (46.0, False)])
def test_slope_filter(slope, walkable, degrees):
    sample = wm.samples.ramp(slope)
    floor = wm.samples.floor()
    vertices = np.concatenate([turned(sample, degrees), floor.vertices + (100, 0, 0)])
    scene = wm.Scene(vertices, np.concatenate([sample.faces, floor.faces + len(sample.vertices)]))
    # Without steps nothing in the navmesh slopes but the ramp's own top.
    navmesh = wm.build(scene, wm.Agent(max_slope=45, max_step=0))
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    twice_area = np.linalg.norm(normals, axis=1)
    slopes = np.degrees(np.arccos(np.minimum(normals[:, 1] / twice_area, 1.0)))
    assert ((slopes < 0.01) | (np.abs(slopes - slope) < 0.01)).all()
    # 5 m long and 2 m wide, less the radius on both sides.
    on_ramp = twice_area[slopes > 0.01].sum() / 2
    expected = 5.0 * 1.4 / math.cos(math.radians(slope)) if walkable else 0.0
    assert on_ramp == pytest.approx(expected, abs=1e-3)
    assert navmesh.component_count == (2 if walkable else 3)
    assert navmesh.validate() == []


def test_faces_that_face_down_are_no_ground():
    floor = wm.samples.floor()
    flipped = wm.Scene(floor.vertices, floor.faces[:, ::-1])
    with pytest.raises(wm.BuildError, match='sides="back" walks on them, if that is the right up'):
        wm.build(flipped)
    navmesh = wm.build(wm.Scene(floor.vertices, floor.faces[:, ::-1], up=(0, -1, 0)))
    assert navmesh.area == pytest.approx(69.56, abs=1e-9)  # (10 - 0.6) (8 - 0.6)


@pytest.mark.parametrize("up", ["x", "y", "z", (0, 0, -1), (0.3, 0.5, -0.8)])
def test_any_up_gives_the_same_navmesh(up):
    house = wm.samples.house()
    frame = wm.Scene(house.vertices, house.faces, up=up).frame
    plan = house.frame.to_plan(house.vertices)
    scene = wm.Scene(frame.to_world(plan), house.faces, up=up)
    # Positions are rounded to micrometres along the axes of each frame, and what simplification
    # takes from the boundary may hang on the last of them.
    method = wm.Exact(boundary_tolerance=0.0)
    here, there = wm.build(house, method=method), wm.build(scene, method=method)
    assert there.area == pytest.approx(here.area, abs=1e-6)
    assert there.component_count == here.component_count
    assert there.validate() == []


def test_house_has_a_path_up_for_one_who_fits():
    navmesh = wm.build(wm.samples.house())
    path = navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
    assert path.status == "complete"
    assert path.points[0] == pytest.approx(wm.samples.HOUSE_START)
    assert path.points[-1] == pytest.approx(wm.samples.HOUSE_GOAL)
    assert np.diff(path.points[:, 1]).min() > -0.011  # stairs lead up, and nothing else does
    main = navmesh.components[path.polygons[0]]
    area = np.bincount(navmesh.components, weights=polygon_areas(navmesh))
    assert area.argmax() == main
    # Less than the ground that the sample's documentation states, of which walls take the rest.
    assert area[main] < 170.155 + 15 * math.sqrt(1.09) + 92.75
    assert navmesh.validate() == []
    # Who is wider than the doors stays where they are.
    wide = wm.build(wm.samples.house(), wm.Agent(radius=0.55))
    assert wide.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL).status != "complete"
    assert wide.validate() == []


def polygon_areas(navmesh):
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return np.bincount(navmesh.triangle_polygons, weights=areas, minlength=navmesh.polygon_count)


@given(
    st.permutations(range(6)),
    st.lists(st.one_of(st.floats(5e-5, 0.029), st.just(0.035)), min_size=5, max_size=5),
    st.floats(0, 90),
)
def test_slits_close_up_to_the_gap_distance_and_no_further(order, gaps, degrees):
    # Strips 2 m long and 1 m wide, in a row.
    starts = np.concatenate([[0.0], np.cumsum(2.0 + np.array(gaps))])
    vertices, faces = [], []
    for i in order:
        first = len(vertices)
        vertices += [(x + starts[i], 0.0, z) for x, z in ((0, 0), (0, 1), (2, 1), (2, 0))]
        faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    scene = wm.Scene(vertices, faces)
    navmesh = wm.build(wm.Scene(turned(scene, degrees), faces))
    ends = np.flatnonzero(np.array([*gaps, 1.0]) == 0.035) + 1
    rows = np.split(np.arange(6), ends)
    lengths = [starts[row[-1]] + 2.0 - starts[row[0]] for row in rows]
    assert navmesh.component_count == len(rows)
    assert navmesh.area == pytest.approx(sum((x - 0.6) * 0.4 for x in lengths), abs=2e-3)
    assert navmesh.validate() == []


def test_stages_are_those_of_the_build():
    scene = wm.samples.house()
    seen = []
    navmesh = wm.build(scene, on_stage=lambda name, mesh: seen.append((name, len(mesh.triangles))))
    assert [(name, len(mesh.triangles)) for name, mesh in wm.stages(scene)] == seen
    assert tuple(name for name, _ in seen) == wm.Exact.stage_names
    assert seen[-1][1] == len(navmesh.triangles)
    for _, mesh in wm.stages(scene):
        assert mesh.vertices.shape[1] == 3
        assert mesh.vertices.min() >= scene.bounds[0].min() - 1e-9


def test_report_tells_what_was_done():
    floor = wm.samples.floor()
    scene = wm.Scene(floor.vertices, [*floor.faces, floor.faces[0], (0, 0, 1)])
    navmesh = wm.build(scene, wm.Agent(radius=0.2))
    report = navmesh.report
    content = json.loads(json.dumps(report.as_dict()))
    assert content["version"] == wm.__version__
    assert content["method"] == "Exact"
    assert content["settings"] == {
        "sides": "front",
        "stair_slope": 45.0,
        "gap_distance": 0.03,
        "bridge_distance": 0.0,
        "wall_thickness": 0.0,
        "arc_error": 0.025,
        "boundary_tolerance": 0.025,
        "height_tolerance": 0.01,
        "min_patch_area": None,
    }
    assert content["agent"]["radius"] == 0.2
    assert content["scene"] == {"triangles": 2, "non_finite": 0, "no_area": 1, "repeated": 1}
    assert [stage["name"] for stage in content["stages"]] == list(wm.Exact.stage_names)
    assert sum(s["seconds"] for s in content["stages"]) == pytest.approx(content["total_seconds"])
    assert content["polygons"] == content["components"] == 1
    assert content["vertices"] == 4
    assert content["triangles"] == 2
    assert content["area"] == pytest.approx(72.96, abs=1e-9)  # (10 - 0.4) (8 - 0.4)
    assert content["peak_memory_bytes"] > 10_000_000
    assert content["notes"] == []
    assert type(report).from_dict(content) == report


def test_nothing_is_dropped_silently():
    scene = wm.samples.house()
    meshes = dict(wm.stages(scene))
    counts = {stage.name: stage.counts for stage in wm.build(scene).report.stages}
    slope = counts["slope"]
    assert slope["triangles_in"] == len(scene.faces)
    assert slope["ground"] == len(meshes["slope"].triangles)
    assert 0 < slope["walls"] <= slope["triangles_in"] - slope["ground"]
    for name in ("stitch", "clearance"):
        assert {"pieces_collapsed", "pieces_turned_over"} <= counts[name].keys()
    assert counts["stitch"]["patches_too_narrow"] > 0
    assert counts["gaps"].keys() == {
        "vertex_contractions",
        "vertex_edge_contractions",
        "contractions_refused",
        "thin_triangles_removed",
        "triangles_left_out",
        "low_kept",
        "low_dropped",
        "holes_filled",
        "closed_cut",
        "undersides",
        "patches_too_narrow",
    }
    assert counts["gaps"]["low_dropped"] > 0
    assert counts["patches"]["patches_too_small"] > 0
    assert counts["ramps"]["steps_from_treads"] <= counts["ramps"]["steps"]
    left_out = counts["ramps"]["triangles_without_area"] + counts["ramps"]["triangles_over_others"]
    assert left_out == 0
    for name in ("ramps", "simplify"):
        assert counts[name]["triangles_out"] == len(meshes[name].triangles)
    assert counts["polygons"]["polygons_out"] == meshes["polygons"].polygon_count
    assert all(type(n) is int and n >= 0 for stage in counts.values() for n in stage.values())


def test_patches_that_are_too_small_or_too_narrow_are_counted():
    # Next to the floor: 0.9 m squares leave 0.09 m2, and strips 0.5 m wide nothing.
    scene = wm.samples.floor()
    vertices, faces = [scene.vertices], [scene.faces]
    for i, size in enumerate([(0.9, 0.9), (0.9, 0.9), (0.5, 4.0)]):
        patch = wm.samples.floor(width=size[0], depth=size[1])
        faces.append(patch.faces + sum(map(len, vertices)))
        vertices.append(patch.vertices + (20.0 + 5.0 * i, 0.0, 0.0))
    scene = wm.Scene(np.concatenate(vertices), np.concatenate(faces))
    navmesh = wm.build(scene)
    counts = {stage.name: stage.counts for stage in navmesh.report.stages}
    assert counts["stitch"]["patches_too_narrow"] == 1
    assert counts["patches"]["patches_too_small"] == 2
    assert navmesh.area == pytest.approx(69.56, abs=1e-9)
    all_of_it = wm.build(scene, method=wm.Exact(min_patch_area=0.08))
    assert all_of_it.component_count == 3
    assert all_of_it.area == pytest.approx(69.56 + 2 * 0.09, abs=1e-9)


def test_progress_goes_on_within_every_stage():
    calls = []
    wm.build(wm.samples.terrain(10_000), progress=lambda *call: calls.append(call))
    assert list(dict.fromkeys(name for name, _ in calls)) == list(wm.Exact.stage_names)
    assert calls == sorted(calls, key=lambda call: (wm.Exact.stage_names.index(call[0]), call[1]))
    for stage in wm.Exact.stage_names:
        fractions = [fraction for name, fraction in calls if name == stage]
        assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    # The stages that take longest say more than that they begin and end.
    for stage in ("cut", "clearance"):
        assert any(name == stage and 0.0 < fraction < 1.0 for name, fraction in calls)


@pytest.mark.parametrize("last", wm.Exact.stage_names)
@pytest.mark.parametrize("part", [0.0, 1.0])
def test_progress_can_stop_the_build_anywhere(last, part):
    seen = []

    def stop(stage, fraction):
        seen.append(stage)
        if (stage, fraction) == (last, part):
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled, match="enough"):
        wm.build(wm.samples.floor(), progress=stop)
    assert seen[-1] == last
    assert set(seen) == set(wm.Exact.stage_names[: wm.Exact.stage_names.index(last) + 1])


def test_same_input_gives_the_same_arrays():
    scene = wm.samples.terrain(5_000)
    first, second = wm.build(scene), wm.build(wm.Scene(scene.vertices, scene.faces))
    for name in ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "components"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()


def test_a_scene_far_away_gives_the_same_navmesh_moved():
    scene = wm.samples.house()
    offset = np.array([450_000.0, 200.0, -333_333.0])
    # Rounding where the house stands leaves coordinates that are exact in both places.
    vertices = np.round(scene.vertices * 2**20) / 2**20
    here = wm.build(wm.Scene(vertices, scene.faces))
    there = wm.build(wm.Scene(vertices + offset, scene.faces))
    assert (there.polygon_vertices == here.polygon_vertices).all()
    assert (there.vertices == here.vertices + offset).all()


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("scene.obj",), "scene"),
        ((None, "agent"), "agent"),
        ((None, None, "exact"), "method"),
        ((None, None, wm.Exact), "method"),
        ((None, {"radius": 1}), "agent"),
    ],
)
def test_what_is_no_scene_agent_or_method(arguments, name):
    scene = wm.samples.floor()
    arguments = tuple(scene if a is None and i == 0 else a for i, a in enumerate(arguments))
    with pytest.raises(wm.SettingsError, match=f"{name} is"):
        wm.build(*arguments)


def test_methods_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        wm.Exact().height_tolerance = 1.0


@pytest.mark.parametrize("triangles", [10_000, 200_000])
def test_terrain_is_one_component_within_its_tolerance(triangles):
    scene = wm.samples.terrain(triangles)
    navmesh = wm.build(scene, wm.Agent(max_slope=80))
    assert navmesh.component_count == 1
    assert navmesh.validate() == []
    assert navmesh.polygon_count < triangles / 2
    # In plan a rectangle with the radius off every side.
    points, ground = navmesh.vertices[:, [2, 0]], scene.vertices[:, [2, 0]]
    low, high = ground.min(axis=0) + 0.3, ground.max(axis=0) - 0.3
    assert points.min(axis=0) == pytest.approx(low, abs=1e-3)
    assert points.max(axis=0) == pytest.approx(high, abs=1e-3)
    a, b, c = (points[navmesh.triangles[:, k]] for k in range(3))
    area = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]).sum() / 2
    # The outline moves inwards by no more than its tolerance.
    width, depth = high - low
    assert width * depth - 0.025 * 2 * (width + depth) <= area <= width * depth + 1e-3


def corner(size, lift=0.0):
    """Return a triangle with two sides of a size, which may rise along one of them."""
    return wm.Scene(np.array([(0, 0, 0), (0, 0, 1), (1, lift, 0)]) * size, [(0, 1, 2)])


NOWHERE = {
    "a triangle of micrometres": (corner(1e-6), {}, {}),
    "a triangle of 50 micrometres": (corner(5e-5), {}, {}),
    "a triangle of a millimetre": (corner(1e-3), {"radius": 0}, {}),
    "a triangle of a centimetre": (corner(1e-2), {"radius": 0}, {}),
    "wide enough as a box alone": (corner(1.0), {}, {}),
    "walls alone": (
        wm.Scene([(0, 0, 0), (4, 0, 0), (4, 3, 0), (0, 3, 0)], [(0, 1, 2), (0, 2, 3)]),
        {},
        {},
    ),
    "too steep": (corner(4.0, lift=2.0), {}, {}),
    "an agent as wide as the floor": (wm.samples.floor(width=0.6, depth=5), {}, {}),
    "an agent wider than the scene": (wm.samples.house(), {"radius": 100}, {}),
    "walls thicker than the rooms": (wm.samples.house(), {"radius": 9}, {"wall_thickness": 9}),
    "no patch large enough": (wm.samples.floor(), {}, {"min_patch_area": 69.6}),
}


@pytest.mark.parametrize("name", NOWHERE)
def test_a_scene_with_nowhere_to_stand_is_one_clear_line(name):
    scene, agent, settings = NOWHERE[name]
    words = (
        "is the scale right|is that the right up|has 69.6 m2; .* min_patch_area=0 keeps all parts"
    )
    with pytest.raises(wm.BuildError, match=words) as caught:
        wm.build(scene, wm.Agent(**agent), wm.Exact(**settings))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "agent",
    [
        {"radius": 0},
        {"radius": 1e-9},
        {"max_step": 0},
        {"max_step": 1.8},
        {"height": 0.01, "max_step": 0.001},
        {"height": 1e-6, "max_step": 0},
        {"height": 1e6},
        {"max_slope": 0},
        {"max_slope": 89.9},
    ],
    ids=str,
)
def test_extreme_agents_have_a_sound_navmesh(agent):
    agent = wm.Agent(**agent)
    floor = wm.build(wm.samples.floor(), agent)
    expected = (10 - 2 * agent.radius) * (8 - 2 * agent.radius)
    assert floor.area == pytest.approx(expected, abs=0.05)  # walls keep a millimetre at least
    for scene in (wm.samples.floor(), wm.samples.house(), wm.samples.ramp(44.0)):
        navmesh = wm.build(scene, agent)
        assert navmesh.polygon_count > 0
        assert navmesh.validate() == []


@pytest.mark.parametrize(
    "settings",
    [
        {"gap_distance": 0},
        {"boundary_tolerance": 0},
        {"height_tolerance": 0},
        {"height_tolerance": 1e3},
        {"arc_error": 1e-4},
        {"arc_error": 1.0},
        {"min_patch_area": 0},
        {"stair_slope": 10},
        {"stair_slope": 89},
        {"gap_distance": 0, "boundary_tolerance": 0, "height_tolerance": 0, "min_patch_area": 0},
    ],
    ids=str,
)
def test_extreme_settings_have_a_sound_navmesh(settings):
    method = wm.Exact(**settings)
    assert wm.build(wm.samples.floor(), method=method).area == pytest.approx(69.56, abs=1e-9)
    for scene in (wm.samples.house(), wm.samples.ramp(44.0)):
        navmesh = wm.build(scene, method=method)
        assert navmesh.polygon_count > 0
        assert navmesh.validate() == []
