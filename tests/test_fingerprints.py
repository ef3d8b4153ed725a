"""Fingerprints: every bit counts, and what differs or is missing is told by its name."""

import json

import numpy as np
import pytest

import fingerprints
import walkmesh as wm
from build_cases import BUILDS, QUICK, cases_of
from prints import Prints, differences, fingerprint
from questions import ask
from small_files import write_plans, write_scenes

ARRAY = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    "other",
    [
        ARRAY + [[0.0, 0.0, 0.0], [0.0, 0.0, 1e-15]],
        ARRAY * [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],  # 0.0 becomes -0.0
        ARRAY.astype(np.float32),
        ARRAY.view(np.int64),
        ARRAY.reshape(3, 2),
        ARRAY.T,
        ARRAY[:1],
    ],
)
def test_a_fingerprint_tells_arrays_apart(other):
    assert fingerprint(other) != fingerprint(ARRAY)


def test_a_fingerprint_is_of_what_is_there_and_not_of_how_it_is_kept():
    assert fingerprint(np.asfortranarray(ARRAY)) == fingerprint(ARRAY)
    assert fingerprint({"b": 1, "a": (0.1, 2)}) == fingerprint({"a": [0.1, 2], "b": 1})
    assert fingerprint("a" * 1000) != fingerprint("a" * 999 + "b")


def test_differences_name_what_changed_is_missing_or_new():
    before = {"build/vertices": fingerprint(ARRAY), "build/area": "1.0", "build/notes": "[]"}
    after = {"build/vertices": fingerprint(ARRAY + 1e-12), "build/area": "1.0", "build/links": "[]"}
    assert differences(before, before) == []
    changed = differences(before, after)
    assert [line.split()[:2] for line in changed] == [
        ["new:", "build/links"],
        ["missing:", "build/notes"],
        ["differs:", "build/vertices"],
    ]


def test_two_files_are_compared_without_making_anything(tmp_path, capsys):
    def write(name, prints):
        file = tmp_path / name
        file.write_text(json.dumps({"about": {"quick": True}, "prints": prints}))
        return str(file)

    same, other = write("a.json", {"x": "1", "y": "2"}), write("b.json", {"x": "1"})
    assert fingerprints.main(["--compare", same, same]) == 0
    assert "0 of 2 fingerprints differ" in capsys.readouterr().out
    assert fingerprints.main(["--compare", same, other]) == 1
    assert "missing: y" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        fingerprints.main(["--compare", same])  # which would make all of them


def test_what_fails_is_a_result_too():
    prints = Prints()
    assert prints.attempt("agent", lambda: wm.Agent(radius=-1)) is None
    assert prints.unexpected == []
    prints.attempt("other", lambda: [][1])
    assert prints.entries["agent/error"].startswith('"SettingsError: Agent.radius is -1')
    assert prints.unexpected == ["other: IndexError: list index out of range"]
    with pytest.raises(KeyError, match="there already"):
        prints.add("agent/error", "")


def test_sections_look_at_builds_that_there_are():
    names = {case.name for scene in BUILDS for case in cases_of(scene, quick=True)}
    sections = (fingerprints.STAGED, fingerprints.SAVED, fingerprints.EVALUATED,
                fingerprints.LINKED, fingerprints.BRIDGED, fingerprints.DAMAGED)  # fmt: skip
    assert set().union(*sections) <= names
    assert set(QUICK) <= BUILDS.keys()


@pytest.mark.parametrize("method", [wm.Exact(), wm.Surface()])
def test_questions_have_the_same_answers_twice(method):
    navmesh = wm.build(wm.samples.stairs(), method=method)
    once, again = Prints(), Prints()
    ask(once, "stairs", navmesh, 8)
    ask(again, "stairs", wm.build(wm.samples.stairs(), method=method), 8)
    assert len(once.entries) > 200
    assert differences(once.entries, again.entries) == []


def test_small_files_can_all_be_read(tmp_path):
    write_scenes(tmp_path)
    scenes = [wm.load_scene(file) for file in tmp_path.iterdir()]
    assert len(scenes) == 10
    (tmp_path / "plans").mkdir()
    write_plans(tmp_path / "plans")
    building = tmp_path / "plans" / "storeys.geojson"
    assert len(wm.load_building(building).floors) == 2
    plans = [wm.load_plan(f) for f in (tmp_path / "plans").iterdir() if f != building]
    assert len(plans) == 11
