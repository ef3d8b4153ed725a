"""What compiling for a processor level costs in speed, beside compiling for the processor at hand.

Kernels are compiled anew for each level, as `make wheel` does, and shipped in copies of the
package; builds and queries of the copies are measured by turns.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import llvmlite.binding as llvm

import walkmesh as wm
from page import Section, paragraphs, say, table
from walkmesh.kernels.object_code import runs_here

LEVELS = ("x86-64-v2", "x86-64-v3")
ROUNDS = 3
COMPILE = Path(__file__).parents[1] / "tools" / "compile_kernels.py"
# The least CPU time in ms of each thing that is done.
MEASURED = """
import json, time
import numpy as np
import walkmesh as wm

def least(work, count=7):
    work()
    times = []
    for _ in range(count):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1e3

house, planet = wm.samples.house(), wm.samples.planet()
terrain = wm.samples.terrain(20_000)
navmesh = wm.build(terrain)
ends = navmesh.sample(4000, seed=1).points
print(json.dumps({
    "house, exact": least(lambda: wm.build(house, workers=1)),
    "terrain of 20 k triangles, exact": least(lambda: wm.build(terrain, workers=1)),
    "house, voxel": least(lambda: wm.build(house, method=wm.Voxel(), workers=1)),
    "planet, surface": least(lambda: wm.build(planet, method=wm.Surface(), workers=1)),
    "2,000 shortest paths": least(lambda: navmesh.find_paths(ends[::2], ends[1::2], workers=1)),
}))
"""


def section(quick: bool) -> Section:
    levels = () if quick else tuple(level for level in LEVELS if runs_here(level))
    here = llvm.get_host_cpu_name()
    with tempfile.TemporaryDirectory() as name:
        copies = {level: compiled_copy(Path(name) / level, level) for level in levels}
        if copies:
            copies[here] = compiled_copy(Path(name) / here, here)
        rounds = [{level: measure(copy) for level, copy in copies.items()} for _ in range(ROUNDS)]
    best = {
        level: {what: min(turn[level][what] for turn in rounds) for what in rounds[0][level]}
        for level in copies
    }
    rows = [[what, *(f"{best[level][what]:.1f}" for level in best)] for what in best.get(here, {})]
    text = table(["CPU ms", *best], rows) if rows else "Not measured with --quick, or elsewhere."
    return Section("Processor levels", paragraphs(HOW, text), {"levels": best})


HOW = """\
Kernels compiled for processors of a level, as a wheel ships them, and for the processor at hand:
the least CPU time of 21 runs on one thread, by turns."""


def compiled_copy(folder: Path, level: str) -> Path:
    """Return a folder with a copy of the package whose kernels are compiled for a level."""
    say(f"compiling for {level}")
    package = folder / "walkmesh"
    ignored = shutil.ignore_patterns("__pycache__", "shipped")
    shutil.copytree(Path(wm.__file__).parent, package, ignore=ignored)
    if level in LEVELS:
        subprocess.run(
            [sys.executable, COMPILE, package / "kernels" / "shipped", level], check=True
        )
    return folder


def measure(folder: Path) -> dict[str, float]:
    """Measure a copy in a process of its own, once all kernels are compiled."""
    environ = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environ["PYTHONPATH"] = str(folder)
    command = [sys.executable, "-c", MEASURED]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times
