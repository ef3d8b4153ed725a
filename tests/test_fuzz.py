"""The fuzzers, for a few cases each, and what they do with cases that fail."""

import sys

import pytest

from fuzz import campaign
from fuzz.fault import Fault
from fuzz.worker import attempt, check_bounds_checked
from walkmesh.errors import SceneError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")

# Tests must not wait for compiling longer than for anything else.
LIMIT = 120.0


@pytest.mark.parametrize(
    ("target", "first", "cases"), [("files", 0, 400), ("builds", 5, 18), ("queries", 0, 150)]
)
def test_short_run(target, first, cases, tmp_path):
    outcome = campaign.run(target, first=first, cases=cases, case_limit=LIMIT, folder=tmp_path)
    assert outcome.findings == {}, [file.read_text() for file in (tmp_path / target).iterdir()]
    assert outcome.passed > 0
    assert outcome.refused > 0
    assert str(outcome).startswith(f"{cases} cases: ")


def run_cases(tmp_path, monkeypatch, body, **options):
    """Run cases of a module that only exists for the test."""
    package = tmp_path / "path" / "fuzz"
    package.mkdir(parents=True)
    for name in ("__init__.py", "worker.py", "fault.py"):
        (package / name).write_text((campaign.ROOT / "fuzz" / name).read_text())
    (package / "mine.py").write_text(f"import os, time\ndef prepare(): pass\n{body}")
    monkeypatch.setattr(campaign, "ROOT", tmp_path / "path")
    return campaign.run("mine", cases=3, folder=tmp_path / "found", **options)


def test_a_crash_is_a_finding_and_not_the_end(tmp_path, monkeypatch):
    body = "def case(number):\n    if number == 1: os.abort()\n"
    outcome = run_cases(tmp_path, monkeypatch, body)
    assert outcome.findings == {"exit -6": [1]}
    assert outcome.passed == 2
    assert (tmp_path / "found/mine/1-exit--6.txt").read_text().startswith("case 1: exit -6\n")


@pytest.mark.parametrize(("hang", "limit"), [("time.sleep(600)", 0.3), ("while True: pass", 2.0)])
def test_a_hang_is_a_finding_and_not_the_end(hang, limit, tmp_path, monkeypatch):
    body = f"def case(number):\n    if number == 0:\n        {hang}\n"
    outcome = run_cases(tmp_path, monkeypatch, body, case_limit=limit)
    assert outcome.findings == {"hang": [0]}
    assert outcome.passed == 2


def test_memory_is_limited(tmp_path, monkeypatch):
    body = "def case(number):\n    bytearray(1 << 36)\n"
    outcome = run_cases(tmp_path, monkeypatch, body)
    assert outcome.findings == {"MemoryError in nowhere": [0, 1, 2]}


def raising(error):
    def case(number):
        raise error

    return case


def test_outcomes():
    assert attempt(lambda _: None, 0) == {"result": "passed"}
    assert attempt(raising(SceneError("no triangles")), 0) == {"result": "refused"}
    for error, kind in (
        (Fault("not finite"), "not finite"),
        (ValueError("a"), "ValueError in test_fuzz.py:case"),
        (SceneError(""), "message of several lines"),
    ):
        answer = attempt(raising(error), 0)
        assert (answer["result"], answer["kind"]) == ("failed", kind)


def test_kernels_that_do_not_check_bounds_are_noticed(monkeypatch):
    import numba

    if numba.config.DISABLE_JIT:
        pytest.skip("plain Python always checks")
    if numba.config.BOUNDSCHECK:
        check_bounds_checked()
        return
    monkeypatch.setattr("fuzz.worker._is_checked", lambda: False)
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    with pytest.raises(SystemExit, match="do not check bounds"):
        check_bounds_checked()
