"""How long a command takes before its work starts: the first time, and every later time.

The first time is measured on a copy of the package with an empty cache, where `walkmesh build`
compiles all kernels. Later times are those of `walkmesh build` on a floor of two triangles: until
loading the scene starts, until the first stage starts, and altogether.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import walkmesh
from page import Section, paragraphs, say, table
from runs import Times

RUNS = 9
QUICK_RUNS = 3
FLOOR = "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n"
# The command line with a watch on it: prints when loading, building and everything is done.
WATCHED = """
import sys, time
from walkmesh import cli
def watch(command, name):
    module = sys.modules["walkmesh.cli." + command]
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


def section(quick: bool) -> Section:
    package = Path(walkmesh.__file__).parent
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "floor.obj").write_text(FLOOR)
        first: dict[str, float] = {}
        if not quick:
            say("the first run ever")
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(package, folder / "cold" / "walkmesh", ignore=ignored)
            first = run_build(folder, folder / "cold")
        later = [
            run_build(folder, package.parent if quick else folder / "cold")
            for _ in range(QUICK_RUNS if quick else RUNS)
        ]
    rows = [
        [f"every later command, {words}", str(Times(tuple(run[event] for run in later)))]
        for event, words in EVENTS.items()
    ]
    if first:
        rows.insert(0, ["first navmesh ever, kernels compiled", str(Times((first["end"],)))])
    return Section(
        "First run and warm start",
        paragraphs(HOW, table(["what", "ms"], rows)),
        {"first": first, "later": later},
    )


HOW = """\
`walkmesh build` on a floor of two triangles. The first time is that of a copy of the package
without any compiled kernel. Times are in ms on the wall, the median with (largest - smallest,
runs)."""


def run_build(folder: Path, package: Path) -> dict[str, float]:
    """Run one `walkmesh build` and return the ms from its start to each of `EVENTS`."""
    arguments = ["build", str(folder / "floor.obj"), "-o", str(folder / "floor.walkmesh")]
    start = time.time()
    printed = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    events = [line.split() for line in printed.splitlines()]
    return {e[0]: (float(e[1]) - start) * 1e3 for e in events if e[0] in EVENTS}
