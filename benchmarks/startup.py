"""How long a first navmesh takes, and every command before its work starts.

From source, the first navmesh is measured on a copy of the package without any compiled kernel.
With a wheel of ``make wheel`` in ``dist``, commands are measured as its user has them: in an
environment of their own that cannot be written to, without a home folder, as another user than
root. There, the file cache is warm, or cold: the system is asked to forget all files before each
run, which only root may ask.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import walkmesh as wm
from installed import forbid_writing, install, interpreter, run, wheels_in
from page import Section, paragraphs, say, table
from runs import Times

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 9
COLD_RUNS = 5
QUICK_RUNS = 3
DIST = Path(__file__).parents[1] / "dist"
FORGET = Path("/proc/sys/vm/drop_caches")
# The command line with a watch on it: prints when loading, building and everything is done.
WATCHED = """
import importlib, sys, time
from walkmesh import cli
def watch(command, name):
    module = importlib.import_module("walkmesh.cli." + command)
    function = getattr(module, name)
    def watched(*arguments, **options):
        print(name, time.time())
        return function(*arguments, **options)
    setattr(module, name, watched)
watch("build", "load_scene")
watch("products", "build")
code = cli.run(sys.argv[1:])
print("end", time.time())
"""
EVENTS = {
    "load_scene": "until loading the scene starts",
    "build": "until the first stage starts",
    "end": "altogether",
}
ENDS = ("--from", ",".join(map(str, wm.samples.HOUSE_START)), "--to",
        ",".join(map(str, wm.samples.HOUSE_GOAL)))  # fmt: skip


def section(quick: bool) -> Section:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        write_house(folder / "house.obj")
        rows, measured = from_source(folder, quick)
        more, installed = from_wheel(folder, QUICK_RUNS if quick else RUNS)
    return Section(
        "First run and warm start",
        paragraphs(
            HOW,
            table(["from source", "s"], rows),
            table(["from a wheel", "file cache warm, s", "cold, s"], more)
            if more
            else "There is no wheel in `dist`, or nobody to try it; `make wheel` builds it.",
        ),
        {"source": measured, "wheel": installed},
    )


HOW = """\
The sample house (2,014 triangles) from an OBJ file. From source, the first time is that of a copy
of the package without any compiled kernel, on all cores; later times are those of
`walkmesh build`. From a wheel, nothing is compiled and nothing can be written but the result. Times
are in s on the wall from the start of the process, the median with (largest - smallest, runs)."""


def write_house(file: Path) -> None:
    scene = wm.samples.house()
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in scene.vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (scene.faces + 1).tolist()]
    file.write_text("\n".join(lines) + "\n")


def from_source(folder: Path, quick: bool) -> tuple[list[list[str]], dict[str, list[float]]]:
    """Measure this package, and unless `quick` copies of it without any compiled kernel."""
    package = Path(wm.__file__).parent
    measured: dict[str, list[float]] = {}
    rows = []
    place = package.parent
    if not quick:
        for method in ("exact", "voxel"):
            say(f"the first navmesh ever, {method}")
            place = folder / method
            ignored = shutil.ignore_patterns("__pycache__", "shipped")
            shutil.copytree(package, place / "walkmesh", ignore=ignored)
            measured[method] = [run_build(folder, place, method)["end"]]
            rows.append([f"first navmesh ever, {method}", seconds(measured[method])])
        place = folder / "exact"
    later = [run_build(folder, place, "exact") for _ in range(QUICK_RUNS if quick else RUNS)]
    for event, words in EVENTS.items():
        measured[event] = [run[event] for run in later]
        rows.append([f"every later command, {words}", seconds(measured[event])])
    return rows, measured


def run_build(folder: Path, package: Path, method: str) -> dict[str, float]:
    """Run one `walkmesh build` and return the seconds from its start to each of `EVENTS`."""
    arguments = ["build", str(folder / "house.obj"), "-o", str(folder / "house.walkmesh")]
    environ = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    start = time.time()
    printed = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments, "--method", method],
        env=environ | {"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    events = [line.split() for line in printed.splitlines()]
    return {e[0]: float(e[1]) - start for e in events if e[0] in EVENTS}


def from_wheel(folder: Path, count: int) -> tuple[list[list[str]], dict[str, list[float]]]:
    """Measure commands of an installed wheel; nothing if there is none."""
    wheels = wheels_in(DIST)
    if not wheels or interpreter() is None:
        return [], {}
    say("an installed wheel")
    python = install(wheels[-1], folder / "env")
    forbid_writing(folder / "env")
    results = folder / "results"
    results.mkdir()
    results.chmod(0o777)
    command = python.parent / "walkmesh"
    commands = {
        "walkmesh build": [command, "build", folder / "house.obj", "-o", "house.walkmesh"],
        "walkmesh path": [command, "path", "house.walkmesh", *ENDS],
        "walkmesh info": [command, "info", "house.walkmesh"],
        "walkmesh --help": [command, "--help"],
    }
    may_forget = os.access(FORGET, os.W_OK)
    rows, measured = [], {}
    for name, words in commands.items():
        once = partial(run_once, words, results)
        once()
        warm = [once() for _ in range(count)]
        cold = [once(forget) for _ in range(min(count, COLD_RUNS))] if may_forget else []
        rows.append([f"`{name}`", seconds(warm), seconds(cold) if cold else "not measured"])
        measured[name], measured[f"{name}, cold"] = warm, cold
    return rows, measured


def run_once(
    command: list[object], folder: Path, before: Callable[[], None] | None = None
) -> float:
    """Return how long a command takes; it must succeed in silence about kernels. [Unit: s]."""
    if before is not None:
        before()
    start = time.perf_counter()
    done = run(command, folder)
    took = time.perf_counter() - start
    if done.returncode != 0 or "kernels" in done.stderr:
        raise RuntimeError(f"{command}: {done.stderr}")
    return took


def forget() -> None:
    """Have the system forget the contents of all files."""
    os.sync()
    FORGET.write_text("3\n")


def seconds(each: list[float]) -> str:
    """Format times in seconds."""
    times = Times(tuple(each))
    if len(each) == 1:
        return f"{times.median:.1f}"
    return f"{times.median:.2f} ({times.spread:.2f}, {len(each)})"
