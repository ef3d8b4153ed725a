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
    # The ramp's own top is the only face between flat and vertical.
    vertices = np.concatenate([turned(sample, degrees), floor.vertices + (100, 0, 0)])
    scene = wm.Scene(vertices, np.concatenate([sample.faces, floor.faces + len(sample.vertices)]))
    navmesh = wm.build(scene, wm.Agent(max_slope=45))
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    steepest = np.degrees(np.arccos(normals[:, 1] / np.linalg.norm(normals, axis=1))).max()
    assert (steepest > 40) == walkable


def test_faces_that_face_down_are_no_ground():
    floor = wm.samples.floor()
    flipped = wm.Scene(floor.vertices, floor.faces[:, ::-1])
    with pytest.raises(wm.BuildError, match="is that the right up"):
        wm.build(flipped)
    assert wm.build(wm.Scene(floor.vertices, floor.faces[:, ::-1], up=(0, -1, 0))).area == 80.0


@pytest.mark.parametrize("up", ["x", "y", "z", (0, 0, -1), (0.3, 0.5, -0.8)])
def test_any_up_gives_the_same_navmesh(up):
    house = wm.samples.house()
    frame = wm.Scene(house.vertices, house.faces, up=up).frame
    plan = house.frame.to_plan(house.vertices)
    scene = wm.Scene(frame.to_world(plan), house.faces, up=up)
    here, there = wm.build(house), wm.build(scene)
    assert there.area == pytest.approx(here.area, abs=1e-6)
    assert there.component_count == here.component_count


def test_house_has_one_large_component_and_a_path_up():
    navmesh = wm.build(wm.samples.house())
    path = navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
    assert path.status == "complete"
    assert path.points[0] == pytest.approx(wm.samples.HOUSE_START)
    assert path.points[-1] == pytest.approx(wm.samples.HOUSE_GOAL)
    main = navmesh.components[path.polygons[0]]
    parts = [
        np.linalg.norm(np.cross(*(np.diff(navmesh.vertices[t], axis=0))))
        for t in navmesh.triangles[navmesh.components[navmesh.triangle_polygons] == main]
    ]
    # The three parts that the sample's documentation states, to the millimetre.
    assert sum(parts) / 2 == pytest.approx(170.155 + 15 * math.sqrt(1.09) + 92.75, abs=1e-3)
    kinds = {violation.kind for violation in navmesh.validate()}
    assert kinds <= {"overlap", "T-junction"}  # headroom and walls are not cut yet


@given(st.permutations(range(6)), st.integers(0, 2**16))
def test_welding_joins_what_is_close_and_nothing_else(order, seed):
    # Strips 2 m long: each next one starts 0.05 mm (welded) or 0.2 mm (not) off the last.
    rng = np.random.default_rng(seed)
    close = rng.random(5) < 0.5
    starts = np.concatenate([[0.0], np.cumsum(2.0 + np.where(close, 5e-5, 2e-4))])
    vertices, faces = [], []
    for i in order:
        first = len(vertices)
        vertices += [(x, 0.0, z) for x, z in ((0, 0), (0, 1), (2, 1), (2, 0))]
        for k in range(4):
            vertices[first + k] = (vertices[first + k][0] + starts[i], *vertices[first + k][1:])
        faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    navmesh = wm.build(wm.Scene(vertices, faces))
    assert navmesh.component_count == 1 + np.count_nonzero(~close)
    assert navmesh.area == pytest.approx(12.0, abs=1e-3)


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
    assert content["settings"] == {"height_tolerance": 0.01}
    assert content["agent"]["radius"] == 0.2
    assert content["scene"] == {"triangles": 2, "non_finite": 0, "no_area": 1, "repeated": 1}
    assert [stage["name"] for stage in content["stages"]] == list(wm.Exact.stage_names)
    assert sum(s["seconds"] for s in content["stages"]) == pytest.approx(content["total_seconds"])
    assert content["polygons"] == content["components"] == 1
    assert content["vertices"] == 4
    assert content["triangles"] == 2
    assert content["area"] == 80.0
    assert content["peak_memory_bytes"] > 10_000_000
    assert content["notes"]
    assert type(report).from_dict(content) == report


def test_nothing_is_dropped_silently():
    scene = wm.samples.house()
    slope, weld, _ = wm.build(scene).report.stages
    assert slope.counts["triangles_in"] == len(scene.faces)
    assert (
        slope.counts["triangles_in"] - slope.counts["too_steep_or_facing_down"]
        == slope.counts["triangles_out"]
        == weld.counts["triangles_in"]
    )
    discarded = weld.counts["triangles_collapsed"] + weld.counts["triangles_repeated"]
    assert weld.counts["triangles_in"] - discarded == weld.counts["triangles_out"]


def test_progress_goes_on_and_can_stop_the_build():
    calls = []
    wm.build(wm.samples.floor(), progress=lambda *call: calls.append(call))
    assert calls == [(name, fraction) for name in wm.Exact.stage_names for fraction in (0.0, 1.0)]

    def stop(stage, fraction):
        if stage == "weld":
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled):
        wm.build(wm.samples.floor(), progress=stop)


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


def test_a_scene_smaller_than_the_welding_distance_is_an_error():
    tiny = wm.Scene(np.array([(0, 0, 0), (0, 0, 1), (1, 0, 0)]) * 5e-5, [(0, 1, 2)])
    with pytest.raises(wm.BuildError, match="is the scale right"):
        wm.build(tiny)
