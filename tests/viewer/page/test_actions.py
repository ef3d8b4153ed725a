"""What the buttons of the page do, without a browser."""

import re
import threading
from html import unescape

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.samples import HOUSE_GOAL, HOUSE_START
from walkmesh.viewer.page.document import Document, open_upload
from walkmesh.viewer.page.route import Route, search


class Client:
    """Stands for a page that files are sent to."""

    def __init__(self):
        self.files = {}

    def send_file_download(self, name, content, save_immediately):
        assert save_immediately
        self.files[name] = content


@pytest.fixture
def view():
    """Return a function that gives the page of a viewer; all are closed in the end."""
    viewers = []

    def open_page(*shown, **settings):
        viewers.append(wm.view(*shown, port=0, open_browser=False, **settings))
        assert viewers[-1].page.wait(60.0)
        return viewers[-1].page

    yield open_page
    for viewer in viewers:
        viewer.close()


def said(page):
    """Return what is wrong, or else what was done."""
    line = page.panel._error if is_error(page) else page.panel._status
    return unescape(re.sub("<[^>]*>", "", line.content))


def is_error(page):
    return page.panel._error.visible


def test_what_needs_a_scene_or_a_navmesh_says_so(view):
    page = view()
    for action, words in (
        (page.generate, "There is no scene to build from"),
        (page.find_links, "Links need a scene and its navmesh"),
        (page.evaluate, "An evaluation needs a scene and its navmesh"),
        (lambda: page.save(".glb", Client()), "There is no navmesh to save"),
    ):
        action()
        assert page.wait(10.0)
        assert said(page).startswith(words)
        assert is_error(page)
    page.turn()  # nothing to turn
    page.search()  # nothing to search


def test_a_build_that_cannot_be_says_what_wm_build_does(view):
    page = view(wm.samples.floor(), agent=wm.Agent(radius=50.0))
    page.generate()
    assert page.wait(60.0)
    with pytest.raises(wm.BuildError) as error:
        wm.build(wm.samples.floor(), wm.Agent(radius=50.0))
    assert said(page) == str(error.value)
    assert is_error(page)
    assert page.document.navmesh is None


@pytest.mark.parametrize("method", [wm.Exact(), wm.Voxel(), wm.Voxel(partition="slices")])
def test_a_build_is_that_of_wm_build(view, method):
    scene = wm.samples.house()
    page = view(scene, method=method)
    page.generate()
    assert page.wait(60.0)
    expected = wm.build(scene, method=method)
    np.testing.assert_array_equal(page.document.navmesh.vertices, expected.vertices)
    assert [name for name, _ in page.document.stages] == list(method.stage_names)
    assert page.document.stages[-1][1] is page.document.navmesh
    page.panel.build.keep_stages.value = False
    page.generate()
    assert page.wait(60.0)
    assert page.document.stages == ()
    client = Client()
    for suffix in (".walkmesh", ".glb"):
        page.save(suffix, client)
    assert set(client.files) == {"scene.walkmesh", "scene.glb"}


def test_another_up_takes_the_same_scene(view):
    scene = wm.samples.house()
    page = view(scene)
    page.generate()
    assert page.wait(60.0)
    page.panel.file.up.value = "z"
    page.turn()
    assert page.wait(60.0)
    assert page.document.scene.up == (0.0, 0.0, 1.0)
    assert page.document.navmesh is None
    page.panel.file.scale.value = 0.01
    page.turn()
    assert page.wait(60.0)
    assert page.document.scene.vertices == pytest.approx(scene.vertices * 0.01)
    page.panel.file.scale.value = 0.0
    page.turn()
    assert page.wait(60.0)
    assert said(page) == "scale is 0.0; it must be a finite number above 0"
    assert page.document.scene.vertices == pytest.approx(scene.vertices * 0.01)
    # The panel says what is so.
    assert page.panel.file.scale.value == 0.01
    assert page.panel.file.up.value == "z"


def test_samples_can_be_opened(view):
    page = view()
    page.panel.file.up.value = "z"
    page.open_sample("spiral stairs")
    assert page.wait(60.0)
    assert page.document.name == "spiral_stairs"
    assert page.panel.file.up.value == "y"
    page.generate()
    assert page.wait(60.0)
    assert page.document.navmesh.polygon_count > 3


def test_places_that_are_clicked(view):
    scene = wm.samples.house()
    page = view(scene)
    place = np.array(HOUSE_START)
    # Without a navmesh the agent just stands there.
    page.put_agent(place)
    assert page.route.start == pytest.approx(place)
    assert page.route.path is None
    assert "There is no navmesh yet" in page.route.words
    page.generate()
    assert page.wait(60.0)
    assert page.route.start is None
    page.put_agent(place)
    page.put_agent(HOUSE_GOAL)
    assert page.route.path.status == "complete"
    page.put_agent(place)
    assert page.route.path is None
    page.put_agent((500.0, 0.0, 0.0))
    assert said(page) == "The navmesh has nothing within 1.8 m of that place."
    page.put_agent(HOUSE_GOAL)
    page.panel.path.radius.value = 0.1
    page.search()
    assert is_error(page)
    assert "radius" in said(page)
    page.clear_route()
    assert page.route.start is None


@pytest.mark.parametrize("up", ["x", "y", "z", (0.0, 0.6, 0.8)])
def test_a_ray_from_the_camera_finds_the_ground(view, up):
    # A slope of 1 in 5, somewhere far away.
    corners = np.array([(0, 0, 0), (10, 0, 2), (10, 10, 2), (0, 10, 0)], dtype=float)
    frame = wm.Scene(corners, [(0, 1, 2), (0, 2, 3)], up).frame
    world = frame.to_world(corners) + 1000.0
    page = view(wm.Scene(world, [(0, 1, 2), (0, 2, 3)], up))
    target = frame.to_world(np.array([5.0, 5.0, 1.0])) + 1000.0
    origin = np.array(page._viewpoint)
    shown = page.document.page_frame.to_page(target).astype(float)
    assert page.find_place(origin, shown - origin) == pytest.approx(target, abs=1e-3)
    assert page.find_place(origin, origin) is None


def test_clicks_go_through_what_is_seen_through(view):
    scene = wm.samples.two_levels()
    page = view(scene)
    frame = page.document.page_frame
    top = frame.frame.to_plan(scene.vertices)[scene.faces].mean(axis=1)
    upper = frame.from_plan(top[top[:, 2].argmax()]).astype(float)
    down = -frame.turned(np.array([0.0, 0.0, 1.0]))
    high = page.find_place(upper - 5.0 * down, down)[1]
    assert high > 1.0
    page.panel.show.cut_above.value = 1.0
    assert page.wait(10.0)
    assert page.find_place(upper - 5.0 * down, down)[1] < 1.0


def test_links_and_figures_come_onto_the_page(view):
    scene = wm.samples.house()
    page = view(scene)
    page.generate()
    assert page.wait(60.0)
    page.find_links()
    assert page.wait(60.0)
    assert len(page.document.navmesh.links) == 17
    assert len(page.document.stages) == 10
    page.panel.check.samples.value, page.panel.check.pairs.value = 1000, 10
    page.evaluate()
    assert page.wait(60.0)
    assert re.fullmatch(r"recall (1\.0000|0\.99\d\d), precision (1\.0000|0\.99\d\d)", said(page))
    page.panel.build.limits._inputs["spacing"].value = 0.0
    page.find_links()
    assert said(page) == "spacing is 0.0; it must be a finite number above 0 m"
    # Whatever is wrong with it, a new navmesh has no evaluation yet.
    page.generate()
    assert page.wait(60.0)
    assert page.document.evaluation is None


def test_one_thing_is_done_at_a_time(view):
    page = view(wm.samples.terrain(200_000))
    page.generate()
    page.generate()
    assert said(page) == "Generate is under way; cancel it first."
    page.open_sample("house")
    assert said(page) == "Generate is under way; cancel it first."
    # Nor can it be turned meanwhile, and the panel says so.
    page.panel.file.up.value = "z"
    page.turn()
    assert page.panel.file.up.value == "y"
    page.cancel()
    assert page.wait(60.0)
    assert re.sub("<[^>]*>", "", page.panel._status.content) == "Generate: cancelled"
    assert page.document.navmesh is None


def test_a_fault_is_told_and_the_page_lives_on(view, monkeypatch, capsys):
    page = view(wm.samples.floor())

    def broken(*_, **__):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("walkmesh.viewer.page.jobs.build", broken)
    page.generate()
    assert page.wait(60.0)
    assert said(page) == "Generate failed, which is a fault of walkmesh: ZeroDivisionError('oh')"
    assert "ZeroDivisionError: oh" in capsys.readouterr().err
    monkeypatch.undo()
    page.generate()
    assert page.wait(60.0)
    assert page.document.navmesh is not None


def test_memory_that_is_not_there_is_told(view, monkeypatch):
    page = view(wm.samples.floor())

    def large(*_, **__):
        raise MemoryError

    monkeypatch.setattr("walkmesh.viewer.page.jobs.build", large)
    page.generate()
    assert page.wait(60.0)
    assert said(page) == "Generate needs more memory than this machine has."


def test_an_exported_view_is_the_same_every_time_and_large_enough(view):
    scene = wm.samples.house()
    page = view(wm.build(scene), scene=scene)
    first = page.as_html()
    assert len(first) > 500_000
    page.panel.show.shown.value = "Navmesh"
    assert page.wait(10.0)
    assert len(page.as_html()) < len(first)


def test_closing_in_the_middle_of_a_build_is_quiet(capfd):
    with wm.view(wm.samples.terrain(200_000), port=0, open_browser=False) as viewer:
        viewer.page.generate()
    viewer.page.work.wait(60.0)
    assert capfd.readouterr() == ("", "")


def test_a_route_belongs_to_its_navmesh(view):
    scene = wm.samples.house()
    page = view(wm.build(scene), scene=scene)
    page.put_agent(HOUSE_START)
    assert not isinstance(page.route.start, type(None))
    page.open_sample("house")
    assert page.wait(60.0)
    assert vars(page.route) == vars(Route())


def test_opening_is_cancelled(view, monkeypatch):
    page = view(wm.samples.floor())
    scene, going, go_on = page.document.scene, threading.Event(), threading.Event()

    def slow(*arguments):
        going.set()
        assert go_on.wait(30.0)
        return open_upload(*arguments)

    monkeypatch.setattr("walkmesh.viewer.page.page.open_upload", slow)
    page.open_upload("plate.obj", b"v 0 0 0\nv 0 0 4\nv 4 0 4\nf 1 2 3\n")
    assert going.wait(30.0)
    page.cancel()
    go_on.set()
    assert page.wait(30.0)
    assert said(page) == "Open: cancelled"
    assert page.document.scene is scene


def test_a_build_is_of_the_scene_that_is_open_when_it_starts(view, monkeypatch):
    page = view(wm.samples.floor())
    started = page._start

    def another_first(*arguments):
        page._show(Document(scene=wm.samples.house()))
        return started(*arguments)

    monkeypatch.setattr(page, "_start", another_first)
    page.generate()
    assert page.wait(60.0)
    assert page.document.navmesh.polygon_count == 194


def test_a_path_that_is_found_too_late_is_not_shown(view, monkeypatch):
    scene = wm.samples.house()
    page = view(wm.build(scene), scene=scene)

    def late(*arguments, **settings):
        route = search(*arguments, **settings)
        page._show(Document(scene=wm.samples.floor()))
        return route

    monkeypatch.setattr("walkmesh.viewer.page.page.search", late)
    page.put_agent(HOUSE_START)
    page.put_agent(HOUSE_GOAL)
    assert page.route.path is None
    assert page.route.start is None


def test_a_click_in_a_large_scene_is_on_the_ground(view):
    corners = [(0, 0, 0), (0, 0, 20_000), (20_000, 0, 20_000), (20_000, 0, 0)]
    scene = wm.Scene(corners, [(0, 1, 2), (0, 2, 3)])
    page = view(wm.build(scene), scene=scene)
    frame = page.document.page_frame
    above = frame.to_page(np.array([5_000.0, 100.0, 7_000.0])).astype(float)
    place = page.find_place(above, np.array([0.0, -1.0, 0.0]))
    # 32 bits are good for a few millimetres of 20 km.
    assert place == pytest.approx([5_000.0, 0.0, 7_000.0], abs=0.01)
    page.put_agent(place)
    assert page.route.start is not None


def test_a_radius_is_shown_before_there_is_a_goal(view):
    scene = wm.samples.house()
    page = view(wm.build(scene), scene=scene)
    page.put_agent(HOUSE_START)
    page.panel.path.radius.value = 0.5
    page.search()
    assert page.route.radius == 0.5
    assert page.route.path is None


def test_a_damaged_navmesh_is_not_opened(view, monkeypatch):
    damaged = wm.NavMesh([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [0, 3], [0, 1, 7])
    with pytest.raises(wm.FormatError, match="polygon_vertices has ids out of range"):
        view(damaged)
    page = view(wm.samples.floor())
    monkeypatch.setattr("walkmesh.viewer.page.document.load_navmesh", lambda _: damaged)
    page.open_upload("odd.walkmesh", b"x")
    assert page.wait(60.0)
    assert said(page).startswith("odd.walkmesh: polygon_vertices has ids out of range")
    assert page.document.scene is not None


def test_building_again_keeps_the_section(view):
    page = view(wm.samples.house())
    page.panel.show.cut_above.value = 1.0
    page.generate()
    assert page.wait(60.0)
    assert page.panel.show.cut_above.value == 1.0


def test_an_oblique_up_is_shown(view):
    page = view(wm.samples.house(up=(0.0, 0.6, 0.8)))
    assert page.panel.file.up.value == "0,0.6,0.8"
    page.open_sample("house")
    assert page.wait(60.0)
    assert page.panel.file.up.value == "y"
    assert page.panel.file.up.options == ("y", "z", "x")


def test_a_view_that_cannot_be_drawn_is_not_exported(view, monkeypatch, capsys):
    page = view(wm.samples.floor())

    def broken(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(page._look, "things", broken)
    page.redraw()
    with pytest.raises(wm.BuildError, match="could not be drawn"):
        page.as_html()
    client = Client()
    page.export(client)
    assert client.files == {}
    assert "could not be drawn" in said(page)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_an_evaluation_is_cancelled_soon(view):
    scene = wm.samples.terrain(20_000)
    page = view(wm.build(scene), scene=scene)
    told = []

    def progress(stage, _):
        told.append(stage)
        if told.count("connections") == 5:
            raise wm.Cancelled

    with pytest.raises(wm.Cancelled):
        wm.evaluate(scene, page.document.navmesh, samples=2000, pairs=200, progress=progress)


def test_floor_plans_are_shown_as_scenes(view):
    plan = wm.samples.office()
    for shown, options in ((plan, {}), (wm.build(plan), {"scene": plan})):
        scene = view(shown, **options).document.scene
        assert scene.up == (0.0, 0.0, 1.0)
        assert scene.bounds[1].tolist() == [28.0, 12.0, 2.5]
    with pytest.raises(wm.SettingsError, match=r"^scene is given twice"):
        wm.view(plan, scene=plan)
