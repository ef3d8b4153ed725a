"""Our builds, in a process of their own: what it has in memory is then the build's alone.

``python benchmarks/ours.py METHOD`` loads the kernels, builds the scene that each line it reads
names, and answers with one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Self

import walkmesh as wm
from machine import peak_mebibytes
from named_scenes import make_scene
from runs import Run

if TYPE_CHECKING:
    from walkmesh.builder import Method

# What is compared with Recast, by the names that the tables have.
METHODS: dict[str, Method] = {
    "Exact()": wm.Exact(),
    "Exact(min_patch_area=0)": wm.Exact(min_patch_area=0.0),
    "Exact(boundary_tolerance=0, arc_error=0.001)": wm.Exact(
        boundary_tolerance=0.0, arc_error=0.001
    ),
}
DEFAULT = "Exact()"
SURFACE = "Surface()"
# All that can be built here.
BUILDERS: dict[str, Method] = {**METHODS, SURFACE: wm.Surface()}


class Ours:
    """One method in a process of its own, for a ``with`` statement."""

    def __init__(self, method: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, method],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def build(self, scene: str) -> Run:
        """Build a scene once, by its name; a process that died is an error of the run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{scene}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._process.stdout.readline()
        return Run(**json.loads(answer)) if answer else Run(error="the process died")


def build_here(scene: wm.Scene, method: Method) -> Run:
    """Build in this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        navmesh = wm.build(scene, method=method)
    except wm.WalkmeshError as error:
        return Run(error=str(error))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    report = navmesh.report
    assert report is not None
    return Run(
        wall_ms=wall * 1e3,
        cpu_ms=cpu * 1e3,
        steps_ms={stage.name: (stage.seconds or 0.0) * 1e3 for stage in report.stages},
        polygons=report.polygons,
        triangles=report.triangles,
        components=report.components,
        peak_mib=peak_mebibytes(),
    )


def main() -> None:
    method = BUILDERS[sys.argv[1]]
    scene = cache(make_scene)
    # The kernels are loaded by a small scene, so that no run is about that.
    wm.build(wm.samples.box_room(), method=method)
    for line in sys.stdin:
        print(json.dumps(asdict(build_here(scene(line.strip()), method))), flush=True)


if __name__ == "__main__":
    main()
