"""The sweep over agents: a small part of it, and that it sees what it is for."""

import dataclasses
import json
from functools import cache

import pytest

import sweep
from agents import AGENTS, DEFAULT
from sweep import METHODS, Result, Worker, build_and_judge, finding

BUILT = Result(
    "floor", DEFAULT, "exact", "built", cpu=2.0, recall=(0.999, 0.998, 1.0), precision=(1.0,) * 3
)


@cache
def on_kerb(agent, method):
    return build_and_judge(sweep.scene_named("kerb"), ("kerb", agent, method), samples=300)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_on_a_small_scene(agent, method):
    result = on_kerb(agent, method)
    # Times are not compared in tests.
    assert finding(dataclasses.replace(result, cpu=0.0), on_kerb(DEFAULT, method)) == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": "nothing", "words": "no headroom"}, ""),
        ({"outcome": "nothing"}, "without a reason"),
        ({"outcome": "crashed", "words": "with exit code -11"}, "crashed"),
        ({"outcome": "error", "words": "ValueError: x"}, "ValueError"),
        ({"violations": ("polygon 3 is not convex",)}, "not convex"),
        ({"cpu": 8.5}, "8.5 s, where"),
        ({"cpu": 7.5}, ""),
        ({"recall": (0.95, 0.94, 0.96)}, "recall 0.9500"),
        ({"recall": (0.99, 0.985, 0.995)}, ""),
        ({"precision": (0.9, 0.89, 0.91)}, "precision 0.9000"),
    ],
)
def test_what_is_a_finding(change, words):
    result = dataclasses.replace(BUILT, agent="cat", **change)
    found = finding(result, BUILT)
    assert words in found
    assert bool(found) == bool(words)


def test_a_sweep_outlives_what_hangs_and_goes_on_where_it_was(tmp_path, capsys):
    wanted = [("floor", DEFAULT, "voxel"), ("floor", "cat", "voxel")]
    file = tmp_path / "sweep.jsonl"
    worker = Worker(limit=0.0)
    try:
        assert worker.run(wanted[0]).outcome == "timed out"
    finally:
        worker.close()
    assert sweep.sweep(wanted[:1], 120.0, file) == []
    assert sweep.sweep(wanted, 120.0, file) == []
    assert len(file.read_text().splitlines()) == 2


def test_jobs_share_a_sweep_and_write_the_same(tmp_path):
    # The first build takes longer than all others.
    wanted = [
        ("house", DEFAULT, "exact"),
        *(("floor", agent, "exact") for agent in list(AGENTS)[:4]),
    ]
    written = []
    for jobs in (1, 2):
        file = tmp_path / f"{jobs}.jsonl"
        sweep.sweep(wanted[:jobs], 120.0, file, jobs)
        sweep.sweep(wanted, 120.0, file, jobs)
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        assert [(row["scene"], row["agent"], row["method"]) for row in rows] == wanted
        written.append([row | {"cpu": 0.0} for row in rows])
    assert written[0] == written[1]
