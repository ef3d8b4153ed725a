"""What the benchmarks make of numbers; what they measure is not tested here."""

import json
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

import cases
import gaps
import our_queries
import our_voxels
import plan
import precision
import queries
import recast
import results
import scaling
import startup
import surface
import voxel
import walkmesh as wm
from named_scenes import make_scene
from ours import BUILDERS, DEFAULT, METHODS, SURFACE, build_here
from page import Section, paragraphs, table
from plots import draw_error_against_time, draw_scaling, draw_steps
from recast import Answers, Cell, Recast
from runs import Run, Runs, Times, by_turns
from tests.makers.scenes import SCENES, needs_scenes

needs_driver = pytest.mark.skipif(
    not recast.DRIVER.is_file(), reason="the driver is built by `make bench`"
)


def share(value):
    return {"value": value, "low": value - 0.001, "high": value + 0.001, "samples": 1000}


def result(builder, milliseconds, recall, precision_value=1.0, *, mib=10.0, polygons=100):
    cell = Cell(*map(float, builder.split()[1].split("/"))) if "/" in builder else None
    run = Run(milliseconds, milliseconds, {"all": milliseconds}, polygons, peak_mib=mib)
    figures = {
        "recall": share(recall),
        "precision": share(precision_value),
        "height_error_median": 0.01,
        "height_error_95": None,
    }
    return precision.Result("hall", builder, cell, Runs((run, run)), 1000, figures)


# Tables and times


def test_a_table_is_markdown():
    assert table(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_a_row_must_fit_its_heads():
    with pytest.raises(AssertionError, match="does not fit"):
        table(["a", "b"], [["x"]])


def test_times_say_median_spread_and_runs():
    assert str(Times((1234.4, 1200.0, 1300.0))) == "1,234 (100, 3)"
    assert str(Times((1.2345,))) == "1.23 (one run)"


# Turns


def test_builders_take_turns():
    order = []

    def builder(name):
        def build():
            order.append(name)
            return Run(wall_ms=1.0)

        return build

    runs = by_turns({name: builder(name) for name in "ab"}, turns=3, enough_seconds=60.0)
    assert order == list("ababab")
    assert len(runs["a"].each) == 3


def test_who_failed_or_took_long_sits_out():
    builders = {
        "failed": lambda: Run(error="no room"),
        "slow": lambda: Run(wall_ms=9_000.0),
        "quick": lambda: Run(wall_ms=10.0),
    }
    runs = by_turns(builders, turns=4, enough_seconds=5.0)
    assert {name: len(each.each) for name, each in runs.items()} == {
        "failed": 1,
        "slow": 2,
        "quick": 4,
    }
    again = by_turns(builders, 4, 5.0, before={"slow": Run(wall_ms=9_000.0)})
    assert len(again["slow"].each) == 2
    assert runs["failed"].error == "no room"


# Who wins


def test_the_peer_wins_on_time_where_it_does():
    ours, coarse = result(DEFAULT, 45.0, 0.999, mib=180.0), result("Recast 0.3/0.2", 25.0, 0.9)
    sentence = precision.verdict([ours, coarse])
    assert (
        "Where cells of 0.3/0.2 m are enough, Recast wins on time: 25 ms against 45 ms" in sentence
    )
    assert "No cell that ran is as precise" in sentence
    assert precision.better(coarse, ours) == ["time", "memory"]


def test_the_peer_wins_on_precision_where_it_does():
    ours, fine = result(DEFAULT, 45.0, 0.9), result("Recast 0.05/0.05", 450.0, 0.99)
    sentence = precision.verdict([ours, fine])
    assert "walkmesh wins on time against every cell" in sentence
    assert (
        "Recast 0.05/0.05 is at least as precise (error 0.01), in 450 ms: 10 times our" in sentence
    )
    assert precision.better(fine, ours) == ["recall"]


def test_a_difference_within_the_intervals_is_none():
    ours, theirs = result(DEFAULT, 45.0, 0.9), result("Recast 0.1/0.1", 45.0, 0.901)
    assert precision.better(theirs, ours) == []


def test_cells_that_failed_are_said_to_have_failed():
    failed = precision.Result(
        "hall", "Recast 0.01/0.01", Cell(0.01, 0.01), Runs((Run(error="no room"),)), 1000, {}
    )
    lines = precision.rows([result(DEFAULT, 45.0, 0.99), failed])
    assert lines[1][:2] == ["Recast 0.01/0.01", "no room"]
    assert {len(line) for line in lines} == {len(precision.HEADS)}


def row(builder, milliseconds, enough):
    runs = {"hall": Runs((Run(milliseconds, milliseconds),))}
    return cases.Row(builder, runs, "", enough)


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        (True, False, "Exact() has enough detail in 20 ms; Recast has not"),
        (False, True, "Recast 0.1/0.1 has enough detail in 10 ms; walkmesh has not"),
        (True, True, "Both have enough detail; Recast 0.1/0.1 is 2 times faster: 10 ms against 20"),
        (False, False, "Nobody has enough detail."),
    ],
)
def test_a_case_names_its_winner(ours, theirs, words):
    rows = [row(DEFAULT, 20.0, ours), row("Recast 0.1/0.1", 10.0, theirs)]
    assert cases.verdict(rows).startswith(words)


def test_scaling_names_its_winners():
    runs = {
        DEFAULT: Runs((Run(2_000.0, 2_000.0, peak_mib=300.0),)),
        "Recast 0.3/0.2": Runs((Run(1_000.0, 1_000.0, peak_mib=30.0),)),
    }
    sentence = scaling.verdict(scaling.Result("hills", 5_000, runs), "Recast 0.3/0.2")
    assert "Recast 0.3/0.2 wins on time by 2 times, 1 against 2 s" in sentence
    assert "Recast 0.3/0.2 wins on memory by 10 times, 30 against 300 MiB" in sentence


# The voxel method


def test_scenes_are_turned_about_up():
    scene, other = make_scene("house"), make_scene("house@90")
    before, after = (s.frame.to_plan(s.vertices) for s in (scene, other))
    np.testing.assert_allclose(after, before[:, [1, 0, 2]] * (-1, 1, 1), atol=1e-9)
    assert np.array_equal(scene.faces, other.faces)


def test_recast_is_said_to_be_better_at_equal_cells_where_it_is():
    ours = replace(result("slices 0.1/0.1", 45.0, 0.9, polygons=200), cell=None)
    close, far = result("Recast 0.1/0.1", 90.0, 0.901), result("Recast 0.1/0.1", 20.0, 0.95)
    assert voxel.wins(ours, close) == ["polygons"]
    assert voxel.wins(ours, far) == ["time", "recall", "polygons"]
    words = voxel.equal_verdict([(ours, close), (ours, far)])
    assert words.startswith("Of 2 of our results, Recast is better in: recall hall slices 0.1/0.1;")
    assert "precision nowhere; time hall slices 0.1/0.1; height nowhere" in words
    failed = precision.Result("hall", "Recast", Cell(1, 1), Runs((Run(error="no room"),)), 9, {})
    assert voxel.wins(ours, failed) == []
    lines = voxel.equal_rows([ours], far) + voxel.equal_rows([ours], failed)
    assert {len(line) for line in lines} == {len(voxel.EQUAL_HEADS)}
    assert lines[3][1] == "no room"


def speed(recast_ms, one_ms, two_ms, error=""):
    steps = {"all": 1.0}
    ours = {
        threads: Run(milliseconds, milliseconds, steps, 10, peak_mib=500.0, error=error)
        for threads, milliseconds in ((1, one_ms), (2, two_ms))
    }
    return voxel.Speed(
        "hall",
        1000,
        Cell(0.1, 0.1),
        Runs((Run(recast_ms, recast_ms, peak_mib=20.0),)),
        {threads: our_voxels.Build(run, 200.0) for threads, run in ours.items()},
        {threads: Runs((run,)) for threads, run in ours.items()},
    )


def test_goals_of_speed_are_said_to_be_reached_or_not():
    good, bad, failed = speed(10.0, 8.0, 4.0), speed(10.0, 20.0, 8.0), speed(1.0, 1.0, 1.0, "no")
    words = voxel.speed_verdict([good, bad, failed])
    assert "1 on one thread is reached in 1 of 2, and not in hall 0.1/0.1 (0.50)." in words
    assert "1.7 on 2 threads is reached in 1 of 2, and not in hall 0.1/0.1 (1.25)." in words
    assert "At most 300 MiB are used beyond the scene, less than 1,024." in words
    assert words.endswith("hall 0.1/0.1: Voxel on 1: no; Voxel on 2: no.")
    for one in (good, failed):
        assert len(voxel.speed_row(one)) == len(voxel.SPEED_HEADS)
    assert voxel.speed_row(good)[8:10] == ["1.25", "2.50"]
    assert voxel.speed_row(failed)[8:10] == ["-", "-"]


def test_the_settings_of_the_paper_have_a_row_each():
    assert voxel.voxels(wm.samples.floor(10, 8), voxel.SETTINGS[0]) == (201, 161, 1)
    for place in voxel.PLACES:
        assert set(place.published) == {setting.name for setting in voxel.SETTINGS}
    place, setting = voxel.PLACES[0], voxel.SETTINGS[0]
    paths = our_voxels.Paths(None, None, 6.0, 9.0)
    build = our_voxels.Build(Run(2_000.0, polygons=10), 100.0, 5, 7, paths)
    row = voxel.paper_row(place, setting, (1, 2, 3), build)
    assert row[3:9] == ["10 (12,288)", "1 x 2 x 3", "5", "7", "12 (18,088)", "2 (14.1)"]
    assert row[10:] == ["no path", "", "6 (9)"]
    failed = voxel.paper_row(place, setting, (1, 2, 3), our_voxels.Build(Run(error="no room")))
    assert len(row) == len(failed) == len(voxel.PAPER_HEADS)
    slow, quick = (replace(build, paths=our_voxels.Paths(1.0, 2.0, ms, 9.0)) for ms in (6.0, 4.0))
    every = [("hall def", slow), ("hall S2", quick), ("hall S3", build)]
    words = voxel.paper_verdict([*every, ("hall S4", our_voxels.Build(Run(error="no room")))])
    assert words == (
        "The median of paths is below 5 ms in 1 of 4, and not in hall def (6 ms), "
        "hall S3 (no path between its ends), hall S4 (no room)."
    )


def test_no_row_of_the_paper_is_left_out(monkeypatch):
    built = []

    class Nobody:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def build(self, job):
            built.append((job.scene, job.method["cell_size"], job.method["tile_voxels"]))
            return our_voxels.Build(Run(error="not today"))

    monkeypatch.setattr(voxel, "OurVoxels", Nobody)
    monkeypatch.setattr(voxel, "make_scene", lambda _: wm.samples.floor())
    text, numbers = voxel.paper(quick=False)
    assert len(set(built)) == len(numbers) == 15
    assert text.count("not today") == 15 + 15  # in the rows, and in the verdict
    assert "below 5 ms in 0 of 15" in text


def test_a_build_by_the_voxel_method_is_told_and_read_again():
    method = {"cell_size": 0.1, "cell_height": 0.02, "partition": "slices"}
    job = our_voxels.Job("floor", method, {"radius": 0.0}, 1, ((1, 0, 1), (4, 0, 5)))
    build = our_voxels.build_here(wm.samples.floor(10, 8), job)
    assert build.run.error == ""
    assert build.run.polygons > 0
    assert build.paths.ends_ms > 0.0
    assert build.paths.pairs_ms <= build.paths.slowest_ms
    assert our_voxels.read_build(json.dumps(asdict(build))) == build
    small = our_voxels.build_here(wm.samples.floor(0.1, 0.1), our_voxels.Job("", {}))
    assert "can stand nowhere" in small.run.error


# The surface method


def size(surface_ms, exact_ms, error=""):
    steps = dict.fromkeys(wm.Surface.stage_names, 1.0)
    runs = {
        SURFACE: Runs((Run(surface_ms, surface_ms, steps, 10, peak_mib=300.0, error=error),)),
        DEFAULT: Runs((Run(exact_ms, exact_ms, {"all": 1.0}, 1, peak_mib=200.0),)),
    }
    return surface.Size("hills", 5_000, runs)


def test_the_faster_of_our_methods_is_named():
    slow, failed = size(200.0, 100.0), size(1.0, 1.0, "no room")
    where = "hills (5,000 triangles): "
    assert surface.verdict(slow) == f"{where}Exact() is 2 times faster, 100 against 200 ms."
    assert "Surface() is 4 times faster, 50 against 200 ms." in surface.verdict(size(50.0, 200.0))
    assert surface.verdict(failed) == f"{where}Surface(): no room."
    assert surface.size_row(slow, SURFACE)[5:] == ["40", "300", "10"]
    for one in (slow, failed):
        for builder in one.runs:
            assert len(surface.size_row(one, builder)) == len(surface.SIZE_HEADS)
    assert surface.stage_table([slow, failed]).count("hills") == 1
    assert surface.lines([slow, failed]) == {
        SURFACE: [(5_000, 0.2, 300.0)],
        DEFAULT: [(5_000, 0.1, 200.0), (5_000, 0.001, 200.0)],
    }


def test_the_surface_method_is_not_compared_with_recast():
    assert SURFACE in BUILDERS
    assert SURFACE not in METHODS
    run = build_here(make_scene("hollow:1"), BUILDERS[SURFACE])
    assert run.error == ""
    assert list(run.steps_ms) == list(wm.Surface.stage_names)


def test_surfaces_of_scenes_are_sound(monkeypatch):
    found = surface.measure_named("rubble", turns=2)
    assert found.violations == 0
    assert found.polygons >= found.components > 0
    assert len(found.build.each) == len(found.validate.each) == 2
    monkeypatch.setattr(surface, "make_scene", lambda _: wm.samples.floor(0.1, 0.1))
    failed = surface.measure_named("rubble", turns=2)
    assert surface.named_row(failed)[2] == failed.error != ""
    for one in (found, failed):
        assert len(surface.named_row(one)) == len(surface.NAMED_HEADS)


def test_paths_around_spheres_and_cubes_are_as_long_as_they_should_be():
    ways, validated = surface.measure_paths(subdivisions=3, repeat=2)
    half, quarter, corners = ways
    for way in (half, quarter):
        assert 0.99 * way.exact < way.length < way.exact
    assert corners.length == pytest.approx(corners.exact, abs=1e-9)
    assert len(validated.each) == 2
    for way in ways:
        assert len(surface.way_row(way)) == len(surface.WAY_HEADS)


# Paths


def paths_result(kind, theirs_ms, ours_ms, longer):
    batch = our_queries.Batch(2.0 * ours_ms, ours_ms, ours_ms / 2.0, 1000)
    return queries.Result(
        "hall 0.3/0.2",
        80,
        kind,
        1000,
        Answers(1000, 0, 0, theirs_ms, 2.0 * theirs_ms),
        our_queries.Measured(batch, batch, 30.0, 12.0, 100.0, 120.0),
        queries.Longer(longer / 10.0, longer),
        queries.Longer(0.0, 0.0),
    )


def test_paths_name_their_winners():
    results = [paths_result("connected", 10.0, 5.0, 0.2), paths_result("any", 10.0, 40.0, 0.1)]
    corridor, optimal, lengths = queries.verdict(results)
    assert corridor.startswith("By corridor")
    assert optimal.startswith("By shortest path")
    for sentence in (corridor, optimal):
        assert "faster than Detour in 1 of 2 sets: 0.25 times" in sentence
        assert "2 at best (hall 0.3/0.2, connected pairs)" in sentence
    assert "1.50% longer than the shortest on average, and up to 20.0%" in lengths
    row = queries.rate_row(results[0])
    rates = ["100,000", "200,000", "200,000", "50,000", "100,000", "100,000", "400,000", "400,000"]
    assert row[3:11] == rates
    for heads, line in (
        (queries.RATE_HEADS, row),
        (queries.LENGTH_HEADS, queries.length_row(results[0])),
        (queries.CALL_HEADS, queries.call_row("hall", results[0].ours)),
    ):
        assert len(heads) == len(line)


def test_short_and_missing_paths_are_not_compared():
    theirs = np.array([11.0, 22.0, 5.0, -1.0, 3.0])
    shortest = np.array([10.0, 20.0, 0.5, 10.0, -1.0])
    assert str(queries.longer(theirs, shortest)) == "10.00%, 10.0%"
    assert queries.longer(theirs[3:], shortest[3:]) == queries.Longer(0.0, 0.0)


def test_lengths_of_ragged_paths():
    points = np.array([(0, 0, 0), (3, 9, 4), (7, 0, 7), (1, 0, 1), (1, 5, 2), (1, 0, 4)], float)
    found = our_queries.plan_lengths(wm.NavMesh([], [0], []), points, np.array([0, 2, 2, 3, 6]))
    assert found.tolist() == [5.0, -1.0, 0.0, 3.0]


def test_pairs_are_drawn_on_their_polygons_and_by_area():
    free = np.ones((40, 20), dtype=bool)
    free[10] = False
    navmesh = queries.squares(free)
    assert navmesh.component_count == 2
    for kind, share in (("any", 0.25), ("connected", 10**2 / (10**2 + 29**2))):
        pairs = queries.random_pairs(navmesh, 4000, kind, seed=3)
        for points, polygons in (
            (pairs.starts, pairs.start_polygons),
            (pairs.goals, pairs.goal_polygons),
        ):
            found = navmesh.nearest(points)
            assert points.shape == (4000, 3)
            assert found.distances.max() < 1e-5
            assert np.mean(found.polygons == polygons) > 0.999
            assert np.mean(points[:, 0] < 10.0) == pytest.approx(share, abs=0.03)
        homes = navmesh.components[[pairs.start_polygons, pairs.goal_polygons]]
        assert np.all(homes[0] == homes[1]) == (kind == "connected")


def test_the_large_navmesh_is_sound_and_connected():
    navmesh = queries.grid_navmesh(60, seed=1)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert 0.8 * 60**2 < navmesh.polygon_count <= 0.9 * 60**2


# What is looked at in the three cases


def test_our_navmesh_has_the_detail_of_every_case():
    for case in cases.cases(quick=True):
        name = case.scenes[-1]
        navmesh = wm.build(cases.make_scene(name))
        words, enough = case.judge([case.look(name, navmesh)])
        assert enough, f"{case.title}: {words}"


def built_for_another(scene, agent):
    """Return the navmesh for one agent as one for the default agent, which it is not."""
    built = wm.build(scene, agent)
    return wm.NavMesh(
        built.vertices, built.polygon_offsets, built.polygon_vertices, agent=wm.Agent()
    )


def test_what_is_too_wide_lacks_the_detail_of_every_case():
    doors, spiral, plate = cases.cases(quick=True)
    wide, thin = wm.Agent(radius=0.33), wm.Agent(radius=0.28)
    for case, agent in ((doors, wide), (doors, thin), (spiral, wide)):
        name = case.scenes[-1]
        judged = built_for_another(cases.make_scene(name), agent)
        assert not case.judge([case.look(name, judged)])[1]
    judged = built_for_another(cases.make_scene("plate:17"), wide)
    mean, most = plate.look("plate:17", judged)
    assert mean == pytest.approx(0.03, abs=0.005)
    assert most == pytest.approx(0.03, abs=0.005)


# The page


def test_the_first_run_is_watched_from_loading_to_the_end(tmp_path):
    startup.write_house(tmp_path / "house.obj")
    times = startup.run_build(tmp_path, Path(wm.__file__).parents[1], "exact")
    assert list(times) == list(startup.EVENTS)
    assert 0.0 < times["load_scene"] < times["build"] < times["end"]


def test_what_was_measured_before_a_section_failed_is_kept(tmp_path, monkeypatch):
    def fail(_):
        raise RuntimeError("no peer")

    monkeypatch.setattr(results, "HERE", tmp_path)
    first = Section("First", "figures", {"seconds": 1.0})
    monkeypatch.setattr(results, "SECTIONS", {"first": lambda _: first, "second": fail})
    monkeypatch.setattr("sys.argv", ["results.py", "--json", str(tmp_path / "all.json")])
    with pytest.raises(RuntimeError, match="no peer"):
        results.main()
    assert not (tmp_path / "RESULTS.md").exists()
    assert "## First\n\nfigures" in (tmp_path / ".build" / "RESULTS.md").read_text()
    assert json.loads((tmp_path / "all.json").read_text())["first"] == {"seconds": 1.0}


def test_the_page_is_written_with_its_plots(tmp_path):
    points = [(None, DEFAULT, 45.0, 0.0), (0.3, "Recast 0.3/0.2", 25.0, 0.1)]
    plots = {
        "error": draw_error_against_time({"hall": points}, 1000),
        "scaling": draw_scaling({"hills": {DEFAULT: [(10, 1.0, 5.0), (20, 2.0, 6.0)]}}),
        "steps": draw_steps({"hall": {"cut": 1.0, "stitch": 3.0}}),
    }
    section = Section("Precision", paragraphs("Words.", "", "More."), [], plots)
    file = results.write([section], tmp_path, "quick", 90.0)
    text = file.read_text()
    assert text.startswith("# Benchmarks\n\nWritten by `make bench` with --quick on ")
    assert "in 1.5 minutes" in text
    assert "## Precision\n\nWords.\n\nMore.\n" in text
    assert "numba" in text
    assert sorted(path.name for path in tmp_path.rglob("*.svg")) == [
        "error.svg",
        "scaling.svg",
        "steps.svg",
    ]


# The driver


@needs_driver
def test_recast_gets_a_floor_right(tmp_path):
    scene, cell = wm.samples.floor(10, 8, up="z"), Cell(0.1, 0.1)
    builder = Recast(scene, wm.Agent(), tmp_path)
    for tile in (0, 32):
        run = builder.build(cell, tile=tile)
        assert run.error == ""
        assert run.components == 1
        assert run.cpu_ms > 0.0
        # Recast rounds inwards: up to two cells on every side.
        assert 9.0 * 7.0 < builder.polygons(cell).area <= 9.4 * 7.4 + 1e-3
        found = wm.evaluate(scene, builder.detail(cell), wm.Agent(), samples=500)
        assert found.precision.value == 1.0
        assert found.recall.value > 0.9


@needs_driver
@needs_scenes
@pytest.mark.parametrize(
    ("cell", "recall", "precision"),
    [(Cell(0.3, 0.2), 0.907, 0.965), (Cell(0.1, 0.1), 0.987, 0.9997)],
)
def test_recast_on_real_scenes_is_as_right_as_others_have_found(tmp_path, cell, recall, precision):
    scene = wm.load_scene(SCENES / "recast/nav_test.obj")
    builder = Recast(scene, wm.Agent(), tmp_path)
    assert builder.build(cell).error == ""
    found = wm.evaluate(scene, builder.detail(cell), wm.Agent())
    assert found.recall.value == pytest.approx(recall, abs=0.01)
    assert found.precision.value == pytest.approx(precision, abs=0.005)


@needs_driver
def test_recast_says_why_there_is_no_navmesh(tmp_path):
    builder = Recast(wm.samples.floor(0.4, 0.4), wm.Agent(), tmp_path)
    assert builder.build(Cell(0.1, 0.1)).error == "an empty navmesh"
    assert builder.build(Cell(0.1, 0.005)).error == "the agent is higher than 255 cells"


@needs_driver
def test_detour_walks_straight_across_a_floor(tmp_path):
    cell = Cell(0.1, 0.1)
    builder = Recast(wm.samples.floor(10, 8, up="z"), wm.Agent(), tmp_path)
    assert builder.build(cell).error == ""
    navmesh = builder.polygons(cell)
    pairs = queries.random_pairs(navmesh, 50, "connected", seed=1)
    answers, lengths = builder.find_paths(cell, pairs, repeat=2)
    assert (answers.complete, answers.partial, answers.failed) == (50, 0, 0)
    assert min(answers.path_ms, answers.nearest_and_path_ms) > 0.0
    assert lengths == pytest.approx(
        np.linalg.norm((pairs.goals - pairs.starts)[:, :2], axis=1), abs=1e-4
    )


@needs_driver
@needs_scenes
def test_detour_reaches_what_is_connected_and_nothing_else(tmp_path):
    cell = Cell(0.3, 0.2)
    builder = Recast(wm.load_scene(SCENES / "recast/nav_test.obj"), wm.Agent(), tmp_path)
    assert builder.build(cell).error == ""
    navmesh = builder.polygons(cell)
    pairs = queries.random_pairs(navmesh, 500, "any", seed=1)
    alike = navmesh.components[pairs.start_polygons] == navmesh.components[pairs.goal_polygons]
    answers, lengths = builder.find_paths(cell, pairs, repeat=1)
    assert answers.complete == alike.sum() > 0
    assert answers.complete + answers.partial + answers.failed == 500
    assert np.array_equal(lengths >= 0.0, alike)


@needs_driver
@pytest.mark.parametrize("text", ["", "0 1 2 3 0 1 2", "0 1 2 3 99 1 2 3"])
def test_the_driver_refuses_queries_that_are_none(tmp_path, text):
    builder = Recast(wm.samples.floor(10, 8), wm.Agent(), tmp_path)
    assert builder.build(Cell(0.1, 0.1)).error == ""
    (tmp_path / "queries.txt").write_text(text)
    words = ["scene.obj", "--queries", "queries.txt"]
    done = subprocess.run(
        [recast.DRIVER, *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@needs_driver
@pytest.mark.parametrize("words", [[], ["no.obj"], ["a.obj", "--cs"], ["a.obj", "--cs", "-1"]])
def test_the_driver_refuses_bad_usage_in_one_line(words):
    done = subprocess.run([recast.DRIVER, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


# Floor plans


def test_halls_of_squares_have_so_many_corners():
    rings = plan.rings_of(plan.hall(1000))
    assert len(rings[0]) == 1000
    navmesh = wm.build(plan.plan_of(plan.hall(1000)), wm.Agent(radius=0))
    assert navmesh.component_count == 1
    assert len(navmesh.vertices) == 1000


def test_triangulations_beside_geos_and_without():
    done = plan.Triangulation(1024, 2000, Times((2.0, 2.0, 2.0)), Times((5.0,)))
    assert plan.triangulation_row(done) == [
        "1,024", "2,000", "2 (0, 3)", "5 (one run)", "2.5", "195.3"
    ]  # fmt: skip
    alone = plan.Triangulation(1024, 2000, Times((2.0,)), None)
    assert plan.triangulation_row(alone)[3:5] == ["-", "-"]


# Gaps


def test_gaps_that_are_crossed_at_some_places_are_counted():
    rows = gaps.crossing_rows({0.02: {"Exact()": 8, "Recast": 3}, 0.4: {"Exact()": 0, "R": 0}}, 8)
    assert rows == [["0.02", "yes", "3 of 8"], ["0.4", "no", "no"]]
    scene = gaps.plates(0.3, 0.1)
    assert scene.vertices[4:, 0].min() - scene.vertices[:4, 0].max() == pytest.approx(0.3)
    assert wm.build(scene).component_count == 2
