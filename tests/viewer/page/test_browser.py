"""The page in a real browser, from opening a scene to saving its navmesh."""

import re

import numpy as np
import pytest

import walkmesh as wm
from tests.makers.browser import Tab, is_blue, is_grey, is_vermilion, launched, wait_until
from walkmesh.samples import HOUSE_GOAL, HOUSE_START


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


@pytest.fixture
def view(browser):
    """Return a function that shows something in a tab; all is closed in the end."""
    opened = []

    def open_tab(shown=None, size=(1000, 640), **settings):
        viewer = wm.view(shown, port=0, open_browser=False, **settings)
        opened.append(viewer)
        tab = Tab(browser, viewer, size)
        opened.append(tab)
        return tab

    yield open_tab
    for thing in reversed(opened):
        thing.close()
        if isinstance(thing, Tab):
            assert thing.errors == []


def write_house(folder):
    path = folder / "house.obj"
    scene = wm.samples.house()
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in scene.vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (scene.faces + 1).tolist()]
    path.write_text("\n".join(lines))
    return path


def test_upload_generate_save_and_load_back(view, tmp_path):
    tab = view()
    assert "Nothing is open" in tab.words("about")
    tab.upload(write_house(tmp_path))
    tab.wait_for("about", r"house: 2,014 triangles")
    tab.wait_for_pixels(is_grey, 20_000)
    tab.wait_for_pixels(is_blue, 0, 100)  # once the browser's own message is gone
    tab.button("Generate (G)").click()
    tab.wait_for("about", r"navmesh: 194 polygons, 8 components")
    tab.wait_for_pixels(is_blue, 8_000)

    expected = wm.build(wm.samples.house())
    tab.open_tab("File")
    files = {}
    for suffix in (".walkmesh", ".obj", ".glb", ".ply"):
        tab.choose("format", suffix)
        saved = tab.download("Save the navmesh")
        assert saved.suggested_filename == f"house{suffix}"
        files[suffix] = tmp_path / f"saved{suffix}"
        saved.save_as(files[suffix])
        navmesh = wm.load_navmesh(files[suffix])
        np.testing.assert_array_equal(navmesh.vertices, expected.vertices)
        np.testing.assert_array_equal(navmesh.polygon_vertices, expected.polygon_vertices)

    tab.upload(files[".glb"])
    tab.wait_for("status", "opened saved")
    # The scene stays, since the navmesh is of it.
    about = tab.words("about")
    assert "2,014 triangles" in about
    assert "194 polygons" in about


def test_a_dropped_scene_is_opened_and_built(view, tmp_path):
    tab = view()
    tab.open_tab("Show")  # the button for files is in another tab
    tab.drop(write_house(tmp_path))
    tab.wait_for("about", r"house: 2,014 triangles")
    tab.wait_for("about", r"navmesh: 194 polygons, 8 components")
    tab.wait_for("status", "built")
    # A navmesh is opened, and nothing is built.
    wm.build(wm.samples.floor()).save(tmp_path / "other.walkmesh")
    tab.drop(tmp_path / "other.walkmesh")
    tab.wait_for("status", "opened other")
    # An upload by the button builds nothing.
    tab.upload(write_house(tmp_path))
    tab.wait_for("status", "opened house")
    assert tab.viewer.page.document.navmesh is None


def test_a_dropped_file_that_is_too_large_is_refused(view, tmp_path):
    tab = view(max_upload=1000)
    tab.drop(write_house(tmp_path))
    tab.wait_for("error", r"house.obj has .* at most can be uploaded")
    assert tab.viewer.page.document.scene is None


def test_stages_can_be_stepped_through(view):
    tab = view(wm.samples.house())
    tab.button("Generate (G)").click()
    tab.wait_for("about", "navmesh")
    tab.open_tab("Show")
    tab.choose("show", "Navmesh")
    tab.wait_for("stage", r"10 of 10: polygons")
    whole = tab.wait_for_pixels(is_blue, 8_000)
    seen = {}
    for number, name in enumerate(wm.Exact.stage_names[:-1], start=1):
        tab.set_slider("stage", number)
        tab.wait_for("stage", rf"^{number} of 10: {name}, [\d,]+ triangles$")
        tab.viewer.page.wait(10)
        seen[name] = tab.wait_for_pixels(is_blue, 5_000)
    # What the slope filter leaves of the scene reaches up to the walls.
    assert seen["slope"] > 1.15 * whole
    assert seen["clearance"] < 0.95 * seen["detail"]


def test_a_section_looks_into_the_lower_storey(view):
    tab = view(wm.samples.house())
    tab.button("Generate (G)").click()
    tab.wait_for("about", "navmesh")
    whole = tab.wait_for_pixels(is_blue, 8_000)
    # A place in a room of the lower storey, under the floor of the upper one.
    x, y = map(int, tab.screen((3.0, 0.0, 4.0)))

    def is_seen():
        return bool(is_blue(*tab.picture()[y, x]))

    tab.open_tab("Show")
    tab.set_slider("cut above [m]", 4.0)
    tab.viewer.page.wait(10)
    assert not is_seen()
    tab.set_slider("cut above [m]", 1.0)
    wait_until(is_seen)
    tab.screenshot("viewer-section.png")
    tab.set_slider("cut below [m]", 0.8)
    # What lies between is walls, and parts of stairs and ramp.
    tab.wait_for_pixels(is_blue, 0, whole // 4)


def test_colours_edges_and_opacity(view):
    tab = view(wm.samples.house())
    tab.button("Generate (G)").click()
    tab.wait_for("about", "navmesh")
    tab.open_tab("Show")
    tab.choose("show", "Navmesh")
    blue = tab.wait_for_pixels(is_blue, 8_000)

    def is_dark(red, green, blue):
        return (red < 90) & (green < 110) & (blue < 140)

    assert tab.wait_for_pixels(is_dark, 500)
    tab.page.get_by_label("edges", exact=True).click()
    tab.wait_for_pixels(is_dark, 0, 50)
    # The lowest ground, which is the most, is violet in viridis.
    tab.choose("color by", "height")
    tab.wait_for_pixels(is_blue, 0, blue // 4)
    tab.choose("color by", "area")
    tab.wait_for_pixels(is_blue, blue // 2)
    tab.set_slider("navmesh opacity", 0)
    tab.wait_for_pixels(is_blue, 0, 50)


def test_walls_can_be_seen_through(view):
    scene = wm.samples.house()
    tab = view(scene, size=(1280, 760))
    tab.button("Generate (G)").click()
    tab.wait_for("about", "navmesh")
    before = tab.wait_for_pixels(is_blue, 8_000)
    tab.viewer.page.put_agent(HOUSE_START)
    tab.viewer.page.put_agent(HOUSE_GOAL)
    tab.open_tab("Show")
    tab.wait_for_pixels(is_vermilion, 100)
    tab.set_slider("scene opacity", 0.25)
    tab.wait_for_pixels(is_vermilion, 400)
    tab.screenshot("viewer.png")
    # The navmesh is tinted by the walls before it, and still more of it is seen.
    tab.choose("show", "Navmesh")
    tab.wait_for_pixels(is_blue, int(1.5 * before))


def test_two_clicks_are_a_path(view):
    scene = wm.samples.house()
    navmesh = wm.build(scene)
    tab = view(navmesh, scene=scene, size=(1280, 720))
    tab.wait_for_pixels(is_blue, 8_000)
    tab.open_tab("Show")
    tab.set_slider("cut above [m]", 0.5)
    tab.open_tab("Path")
    tab.viewer.page.wait(10)
    assert tab.wait_for_pixels(is_vermilion, 0) < 50
    start, goal = np.array(HOUSE_START), np.array([2.0, 0.0, 2.0])
    goal = navmesh.nearest([goal]).points[0]
    expected = navmesh.find_path(start, goal)
    tab.click(start)
    tab.wait_for("route", "Click where to go")
    tab.click(goal)
    words = tab.wait_for("route", r"complete, [\d.]+ m, \d+ polygons, [\d.]+ ms")
    assert float(re.search(r"complete, ([\d.]+) m", words)[1]) == pytest.approx(
        expected.length, abs=0.2
    )
    tab.wait_for_pixels(is_vermilion, 200)
    tab.screenshot("viewer-path.png")
    # A wider agent goes another way or none; it is asked again at once.
    tab.set_number("radius [m]", "0.9")
    wait_until(lambda: tab.viewer.page.route.radius == 0.9)
    wide = navmesh.find_path(start, goal, radius=0.9)
    tab.wait_for("route", wide.status)
    tab.button("Clear").click()
    tab.wait_for("route", "Click a place")
    tab.wait_for_pixels(is_vermilion, 0, 50)


def test_an_unreachable_place_says_so(view):
    scene = wm.samples.two_levels()
    navmesh = wm.build(scene)
    low, high = (navmesh.polygon(p).mean(axis=0) for p in (0, navmesh.polygon_count - 1))
    assert not navmesh.reachable([low], [high])[0]
    tab = view(navmesh, scene=scene)
    tab.open_tab("Path")
    tab.viewer.page.put_agent(low)
    tab.viewer.page.put_agent(high)
    tab.wait_for("route", r"unreachable\.$")


def test_a_long_build_is_cancelled(view):
    tab = view(wm.samples.terrain(400_000))
    tab.wait_for("about", "399,618 triangles")
    tab.button("Generate (G)").click()
    wait_until(lambda: tab.button("Cancel").is_enabled())
    assert tab.button("Generate (G)").is_disabled()
    tab.wait_for("status", r"Generate: (slope|cut|stitch|gaps|detail)")
    tab.button("Cancel").click()
    tab.wait_for("status", "Generate: cancelled")
    assert tab.viewer.page.document.navmesh is None
    assert tab.button("Generate (G)").is_enabled()
    assert tab.button("Cancel").is_disabled()


def test_a_bad_file_shows_its_error_and_the_page_lives_on(view, tmp_path):
    tab = view()
    bad = tmp_path / "<b>bad.obj"
    bad.write_text("v 0 0\nf 1 2 3\n")
    tab.upload(bad)
    words = tab.wait_for("error", "bad")
    assert words.startswith("<b>bad.obj: ")
    assert "/tmp" not in words
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    tab.upload(other)
    tab.wait_for("error", r"notes\.txt: unsupported file type '\.txt'; supported: \.obj")
    empty = tmp_path / "empty.glb"
    empty.write_bytes(b"")
    tab.upload(empty)
    tab.wait_for("error", r"empty\.glb: it is empty")
    tab.upload(write_house(tmp_path))
    tab.wait_for("about", "2,014 triangles")
    tab.open_tab("Build")
    tab.set_number("max step [m]", "2")
    tab.button("Generate (G)").click()
    tab.wait_for("error", r"Agent\.max_step is 2; it must be at most the agent's height, 1\.8 m")
    tab.set_number("max step [m]", "0.4")
    tab.button("Generate (G)").click()
    tab.wait_for("about", "194 polygons")


def test_an_upload_that_is_too_large_is_refused(view, tmp_path):
    tab = view(max_upload=100_000)
    tab.upload(write_house(tmp_path))
    tab.wait_for("error", r"house\.obj has \d MB; 0 MB at most can be uploaded")
    assert "Nothing is open" in tab.words("about")
    small = tmp_path / "small.obj"
    small.write_text("v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n")
    tab.upload(small)
    tab.wait_for("about", "small: 2 triangles")


def test_a_scale_is_typed_digit_by_digit(view):
    tab = view(wm.samples.house())
    tab.open_tab("File")
    tab.control("scale [m]").click()
    tab.page.keyboard.press("Control+a")
    tab.page.keyboard.type("0.0254", delay=60)
    tab.button("Apply the scale").click()
    tab.wait_for("status", r"a unit is 0\.0254 m")
    assert tab.viewer.page.document.scale == 0.0254
    assert tab.words("error") == ""


def test_two_tabs_show_the_same(browser, view):
    first = view(wm.samples.house())
    second = Tab(browser, first.viewer)
    try:
        first.button("Generate (G)").click()
        for tab in (first, second):
            tab.wait_for("about", "194 polygons")
            tab.wait_for_pixels(is_blue, 8_000)
        # Each has its own camera.
        second.page.keyboard.down("d")
        before = np.array(first.client.camera.position)
        wait_until(lambda: np.linalg.norm(second.client.camera.position - before) > 1.0)
        second.page.keyboard.up("d")
        assert first.client.camera.position == pytest.approx(before)
        first.open_tab("Path")
        second.viewer.page.put_agent(HOUSE_START)
        second.viewer.page.put_agent(HOUSE_GOAL)
        first.wait_for("route", r"complete, 26\.52 m")
        assert second.errors == []
    finally:
        second.close()
    first.button("Generate (G)").click()
    first.wait_for("status", "built")


def test_keys_generate_look_and_move(view):
    tab = view(wm.samples.house())
    tab.wait_for("about", "2,014 triangles")
    tab.page.mouse.click(30, 300)
    tab.page.keyboard.press("g")
    tab.wait_for("about", "194 polygons")

    def moved(shift):
        tab.page.keyboard.press("l")
        wait_until(lambda: np.linalg.norm(tab.client.camera.look_at) < 1e-3)
        before = np.array(tab.client.camera.position)
        if shift:
            tab.page.keyboard.down("Shift")
        for _ in range(20):
            tab.page.keyboard.down("w")
            tab.page.wait_for_timeout(40)
        tab.page.keyboard.up("w")
        tab.page.keyboard.up("Shift")
        tab.page.wait_for_timeout(1500)
        way = np.array(tab.client.camera.position) - before
        # Forward is level, towards what is looked at.
        assert way[1] == pytest.approx(0.0, abs=1e-3)
        assert way @ before < 0.0
        return np.linalg.norm(way)

    slow, fast = moved(shift=False), moved(shift=True)
    assert slow > 0.3
    assert fast > 1.5 * slow


def test_evaluation_and_links_are_shown(view):
    scene = wm.samples.house()
    # Cells so coarse that much is missed.
    navmesh = wm.build(scene, method=wm.Voxel(cell_size=0.4, cell_height=0.2))
    tab = view(navmesh, scene=scene)
    tab.wait_for_pixels(is_blue, 5_000)
    assert tab.wait_for_pixels(is_vermilion, 0) < 50
    tab.open_tab("Check")
    tab.set_number("samples", "5000")
    tab.set_number("pairs", "0")
    tab.button("Evaluate").click()
    tab.wait_for("status", r"recall 0\.\d+, precision")
    assert "recall" in tab.words("figures")
    tab.wait_for_pixels(is_vermilion, 100)
    tab.screenshot("viewer-evaluation.png")
    tab.open_tab("Show")
    tab.page.get_by_label("evaluation", exact=True).click()
    tab.wait_for_pixels(is_vermilion, 0, 50)
    tab.open_tab("Build")
    tab.open_folder("Links", "Find links")
    tab.button("Find links").click()
    tab.wait_for("status", r"\d+ links found")
    assert len(tab.viewer.page.document.navmesh.links) > 0


def test_the_exported_view_opens_without_a_server(browser, view, tmp_path):
    scene = wm.samples.house()
    tab = view(wm.build(scene), scene=scene)
    blue = tab.wait_for_pixels(is_blue, 8_000)
    tab.open_tab("File")
    saved = tab.download("Export the view")
    assert saved.suggested_filename == "navmesh.html"
    saved.save_as(tmp_path / "view.html")
    tab.viewer.close()
    page = browser.new_page(viewport={"width": 1000, "height": 640})
    page.context.set_offline(True)
    page.goto(f"file://{tmp_path}/view.html")
    assert page.title() == "walkmesh"
    alone = Tab.__new__(Tab)
    alone.page = page
    assert alone.wait_for_pixels(is_blue, blue // 2) < 2 * blue
    page.close()


def test_a_million_triangles_are_shown_and_clicked(view):
    tab = view(wm.samples.terrain(1_000_000))
    tab.wait_for("about", "999,698 triangles")
    tab.wait_for_pixels(is_grey, 20_000)
    tab.open_tab("Path")
    tab.page.mouse.click(400, 330)
    tab.wait_for("route", r"At \(")
