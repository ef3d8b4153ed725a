"""What the benchmarks make of numbers; what they measure is not tested here."""

import subprocess

import pytest

import cases
import precision
import recast
import results
import scaling
import walkmesh as wm
from ours import DEFAULT
from page import Section, paragraphs, table
from plots import draw_error_against_time, draw_scaling, draw_steps
from recast import Cell, Recast
from runs import Run, Runs, Times, by_turns
from scenes import SCENES, needs_scenes

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


# What is looked at in the three cases


def test_our_navmesh_has_the_detail_of_every_case():
    for case in cases.cases(quick=True):
        name = case.scenes[-1]
        navmesh = wm.build(cases.make_scene(name))
        words, enough = case.judge([case.look(name, navmesh)])
        assert enough, f"{case.title}: {words}"


def test_what_is_too_wide_lacks_the_detail_of_every_case():
    doors, spiral, plate = cases.cases(quick=True)
    wide, thin = wm.Agent(radius=0.33), wm.Agent(radius=0.28)
    for case, agent in ((doors, wide), (doors, thin), (spiral, wide)):
        name = case.scenes[-1]
        # Judged as a navmesh for an agent of 0.3 m, which it is not.
        navmesh = wm.build(cases.make_scene(name), agent)
        judged = wm.NavMesh(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
        assert not case.judge([case.look(name, judged)])[1]
    navmesh = wm.build(cases.make_scene("plate:17"), wide)
    judged = wm.NavMesh(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
    mean, most = plate.look("plate:17", judged)
    assert mean == pytest.approx(0.03, abs=0.005)
    assert most == pytest.approx(0.03, abs=0.005)


# The page


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
@pytest.mark.parametrize("words", [[], ["no.obj"], ["a.obj", "--cs"], ["a.obj", "--cs", "-1"]])
def test_the_driver_refuses_bad_usage_in_one_line(words):
    done = subprocess.run([recast.DRIVER, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
