"""The page with a surface: lifted along its normals, seen and clicked from one side."""

import json
import re
from html import unescape

import numpy as np
import pytest

import walkmesh as wm
from tests.makers import surface_shapes
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.report import Report
from walkmesh.topology import plan_points
from walkmesh.viewer.page.choices import COLOR_BY, Choices
from walkmesh.viewer.page.document import Document
from walkmesh.viewer.page.jobs import Outcome
from walkmesh.viewer.page.look import PageLook, route_things
from walkmesh.viewer.page.page_frame import LAYER
from walkmesh.viewer.page.pick import first_hit
from walkmesh.viewer.page.route import Route, search
from walkmesh.viewer.page.section import Section
from walkmesh.viewer.page.sheets import lifts_along, normal_at
from walkmesh.viewer.page.tabs import METHOD_HINTS, SAMPLES, built_with
from walkmesh.viewer.page.things import ColoredTriangles

ROOM = surface_shapes.box(inside=True, agent=wm.Agent())
BLOCK = surface_shapes.box(agent=wm.Agent())


def shown(navmesh, choices=None):
    """Return what is seen of a navmesh, and by how much a page is larger than the world."""
    document = Document(navmesh=navmesh)
    things = PageLook().things(document, choices or Choices(), Route())
    return things, document.page_frame


def inside_box(frame, page_points):
    """Return how far places of the page are inside the box around all vertices, in page units."""
    places = page_points.astype(float) / frame.scale + np.array(frame.frame.origin)
    gaps = np.minimum(places, np.array([4.0, 3.0, 5.0]) - places) * frame.scale
    return gaps.min(axis=-1)


@pytest.mark.parametrize(("navmesh", "side"), [(ROOM, 1.0), (BLOCK, -1.0)])
@pytest.mark.parametrize("color_by", COLOR_BY)
def test_everything_is_lifted_along_its_own_normal(navmesh, side, color_by):
    things, frame = shown(navmesh, Choices(color_by=color_by))
    faces = [t for name, t in things.items() if name.startswith("/navmesh/faces")]
    assert sum(len(t.faces) for t in faces) == 12
    for thing in faces:
        assert thing.one_sided
        middles = thing.points[thing.faces].mean(axis=1)
        assert inside_box(frame, middles) * side == pytest.approx(LAYER, abs=1e-4)
    # Edges on a fold are a layer above the faces of both sides.
    edges = things["/navmesh/edges/shared"].segments.mean(axis=1)
    assert len(edges) == 12
    assert "/navmesh/edges/boundary" not in things
    assert inside_box(frame, edges) * side == pytest.approx(2 * LAYER, abs=1e-4)


def test_edges_where_a_surface_ends():
    things, _ = shown(surface_shapes.stairs(2))
    assert len(things["/navmesh/edges/shared"].segments) == 3
    assert len(things["/navmesh/edges/boundary"].segments) == 10
    assert set(things) == {
        f"/navmesh/{part}" for part in ("faces/0", "edges/shared", "edges/boundary")
    }


def test_a_section_cuts_walls():
    _, frame = shown(ROOM)
    low, high = (frame.height_in_plan(height) for height in (1.0, 2.0))
    things, _ = shown(ROOM, Choices(section=Section(low, high)))
    faces = things["/navmesh/faces/0"]
    a, b, c = (faces.points[faces.faces[:, k]].astype(float) for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0 / frame.scale**2
    assert area == pytest.approx(18.0, rel=0.01)
    # Winding stays, or what is left would be seen from the wrong side.
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), -(a + b + c))
    assert (inwards > 0.0).all()


def test_stages_of_a_surface_lie_at_any_angle():
    mesh = TriangleMesh(plan_points(ROOM), ROOM.triangles, ROOM.frame)
    document = Document(navmesh=ROOM, stages=(("faces", mesh), ("polygons", ROOM)))
    things = PageLook().things(document, Choices(stage=0), Route())
    frame = document.page_frame
    assert things["/stage"].one_sided
    middles = things["/stage"].points[things["/stage"].faces].mean(axis=1)
    assert inside_box(frame, middles) == pytest.approx(LAYER, abs=1e-4)
    assert len(things["/navmesh/edges/shared"].segments) == 18


def test_a_ray_passes_the_back_of_what_has_one_side():
    points = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    faces = np.array([[0, 1, 2]])
    above, below = np.array([0.2, 0.2, 1.0]), np.array([0.2, 0.2, -1.0])
    assert first_hit(points, faces, above, -above, one_sided=True) is not None
    assert first_hit(points, faces, below, above - below, one_sided=True) is None
    assert first_hit(points, faces, below, above - below) is not None


def test_up_is_the_normal():
    assert normal_at(ROOM, np.array([4.0, 1.5, 2.5])) == pytest.approx((-1, 0, 0))
    assert normal_at(ROOM, np.array([2.0, 3.0, 2.5])) == pytest.approx((0, -1, 0))
    assert normal_at(wm.build(wm.samples.floor()), np.zeros(3)) is None


def test_a_line_around_corners_is_above_both_sides():
    line = np.array([(1.0, 0.0, 2.0), (4.0, 0.0, 2.0), (4.0, 3.0, 2.0), (2.0, 3.0, 2.0)])
    expected = [(0, 1, 0), (-1, 1, 0), (-1, -1, 0), (0, -1, 0)]
    assert lifts_along(ROOM, line) == pytest.approx(np.array(expected, dtype=float))
    assert lifts_along(ROOM, line[:1]) == pytest.approx(np.array([(0.0, 1.0, 0.0)]))


def test_an_agent_stands_off_the_wall_that_it_walks_on():
    frame = Document(navmesh=ROOM).page_frame
    start, goal = np.array([2.0, 0.0, 2.5]), np.array([4.0, 1.5, 2.5])
    route = search(ROOM, start, goal, radius=0.3, optimal=True, partial=False)
    things = route_things(route, frame)
    places = {
        name: thing.points.astype(float) / frame.scale + np.array(frame.frame.origin)
        for name, thing in things.items()
        if isinstance(thing, ColoredTriangles)
    }
    height = ROOM.agent.height
    assert np.ptp(places["/route/start"], axis=0) == pytest.approx((0.6, height, 0.6), abs=1e-3)
    assert np.ptp(places["/route/goal"], axis=0) == pytest.approx((height, 0.6, 0.6), abs=1e-3)
    assert places["/route/goal"][:, 0].max() < 4.0
    assert places["/route/start"][:, 1].min() > 0.0


@pytest.fixture
def page():
    viewer = wm.view(ROOM, port=0, open_browser=False)
    assert viewer.page.wait(60.0)
    yield viewer.page
    viewer.close()


def test_clicks_meet_the_sides_that_are_seen(page):
    frame = page.document.page_frame
    # From above, through the back of the ceiling, down to the floor.
    above = frame.to_page(np.array([2.0, 9.0, 2.5])).astype(float)
    place = page.find_place(above, np.array([0.0, -1.0, 0.0]))
    assert place == pytest.approx((2.0, 0.0, 2.5), abs=0.01)
    page.put_agent(place)
    assert page.route.start_up == pytest.approx((0, 1, 0))
    inside = frame.to_page(np.array([2.0, 1.0, 2.5])).astype(float)
    wall = page.find_place(inside, np.array([3.0, 0.0, 0.0]))
    assert wall == pytest.approx((4.0, 1.0, 2.5), abs=0.01)
    page.put_agent(wall)
    assert page.route.goal_up == pytest.approx((-1, 0, 0))
    assert len(page.route.lifts) == len(page.route.path.points)


@pytest.mark.parametrize("action", ["find_links", "evaluate"])
def test_what_needs_plain_ground_says_so(page, action):
    scene = wm.Scene(ROOM.vertices, ROOM.triangles)
    page._take(Outcome({"scene": scene}, ""))
    getattr(page, action)()
    page.work.wait(120.0)
    assert "one of a surface" in unescape(re.sub("<[^>]*>", "", page.panel._error.content))


def test_a_surface_is_built_on_the_page():
    method = wm.Surface(max_tilt=135.0, gravity_center=(0.1, -2.0, 1e-7))
    agent = wm.Agent(height=0.5, radius=0.1, max_step=0.1)
    scene = wm.samples.cube(2.0)
    with wm.view(scene, agent=agent, method=method, port=0, open_browser=False) as viewer:
        page = viewer.page
        assert page.panel.build.read() == (agent, method)
        page.generate()
        assert page.wait(120.0)
        assert page.document.navmesh.surface
        assert built_with(page.document.navmesh) == method
        assert [name for name, _ in page.document.stages] == list(method.stage_names)


def test_a_point_is_typed_as_text():
    with wm.view(method=wm.Surface(), port=0, open_browser=False) as viewer:
        form = viewer.page.panel.build.methods["surface"]
        box = form._inputs["gravity_center"]
        assert box.value == ""
        assert form.read() == wm.Surface()
        method = wm.Surface(gravity_center=(1.0, -0.1, 1.0 / 3.0))
        form.write(method)
        assert box.value == "1, -0.1, 0.3333333333333333"
        assert form.read() == method
        box.value = " 1,2 , 3.5"
        assert form.read().gravity_center == (1.0, 2.0, 3.5)
        for text in ("1, 2", "here", "1, 2, inf", "1; 2; 3", ","):
            box.value = text
            words = r"Surface\.gravity_center is .*; it must be three finite numbers in m, or None"
            with pytest.raises(wm.SettingsError, match=words):
                form.read()
        form.write(wm.Surface())
        assert box.value == ""


@pytest.mark.parametrize("name", ["planet", "cave", "room"])
def test_samples_to_walk_on_all_around(name):
    assert len(SAMPLES[name]().faces) > 0
    assert "surface" in METHOD_HINTS


def test_a_report_comes_back_from_json():
    method = wm.Surface(gravity_center=(1.0, 2.0, 3.0))
    agent = wm.Agent(height=0.5, radius=0.1, max_step=0.1)
    report = wm.build(wm.samples.cube(2.0), agent, method).report
    again = Report.from_dict(json.loads(json.dumps(report.as_dict())))
    assert again == report
    assert again.settings["gravity_center"] == (1.0, 2.0, 3.0)
