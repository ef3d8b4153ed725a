"""How long a command takes before its work starts: the first time, and every later time.

The first time is measured on a copy of the package with an empty cache, where `walkmesh build`
compiles all kernels. Later times are the median of some runs of `walkmesh build` on a floor of two
triangles: until loading the scene starts, until the first stage starts, and altogether.

Run it with ``python benchmarks/startup.py``.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import walkmesh
from machine import describe

RUNS = 9
FLOOR = "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n"
# The command line with a watch on it: prints when loading, building and everything is done.
WATCHED = """
import sys, time
import walkmesh.cli as cli
def watch(name):
    function = getattr(cli, name)
    def watched(*arguments, **options):
        print(name, time.time())
        return function(*arguments, **options)
    setattr(cli, name, watched)
watch("load_scene")
watch("build")
code = cli.run(sys.argv[1:])
print("end", time.time())
"""


def run_build(folder: Path, package: Path) -> dict[str, float]:
    """Run one `walkmesh build` and return the seconds from its start to each event."""
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
    return {e[0]: float(e[1]) - start for e in events if e[0] in ("load_scene", "build", "end")}


def main() -> None:
    print(describe("walkmesh", "numba", "numpy"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "floor.obj").write_text(FLOOR)
        source = Path(walkmesh.__file__).parent
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, folder / "cold" / "walkmesh", ignore=ignored)
        first = run_build(folder, folder / "cold")
        print(f"first navmesh ever, kernels compiled: {first['end']:.1f} s")
        later = [run_build(folder, folder / "cold") for _ in range(RUNS)]
    print(f"every later command, median of {RUNS} (and the slowest):")
    for event, words in (
        ("load_scene", "until loading the scene starts"),
        ("build", "until the first stage starts"),
        ("end", "altogether"),
    ):
        seconds = [run[event] for run in later]
        print(f"  {words:32}{statistics.median(seconds):6.2f} s ({max(seconds):.2f} s)")


if __name__ == "__main__":
    main()
