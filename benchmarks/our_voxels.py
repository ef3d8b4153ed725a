"""Builds by the voxel method, in a process of their own: what it has in memory is then theirs.

``python benchmarks/our_voxels.py`` loads the kernels, then reads one line of JSON for each build,
and answers with one line of JSON.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

import walkmesh as wm
from machine import memory_mebibytes, peak_mebibytes
from named_scenes import make_scene
from queries import random_pairs
from runs import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

# How often the one path between two ends is searched, and how many random pairs there are; fewer
# where these seconds are over.
REPEAT = 50
PAIRS = 200
ENOUGH_SECONDS = 5.0


@dataclass(frozen=True)
class Job:
    """What to build.

    Attributes
    ----------
    scene : str
        By its name.
    method, agent : dict
        Settings of ``wm.Voxel`` and ``wm.Agent`` that are not the default.
    workers : int or None
        Threads; by default as many as cores.
    ends : tuple of 2 places, optional
        With them, paths are timed too, between them and between random places.
    """

    scene: str
    method: dict[str, Any]
    agent: dict[str, float] = field(default_factory=dict)
    workers: int | None = None
    ends: tuple[tuple[float, ...], tuple[float, ...]] | None = None


@dataclass(frozen=True)
class Paths:
    """Paths one by one, by corridor, with kernels loaded and all prepared. [Unit: ms].

    Attributes
    ----------
    ends_ms, shortest_ms : float or None
        The median between the two ends, and of the shortest path there; None without a path.
    pairs_ms, slowest_ms : float
        Of random places that are connected: the median, and the slowest.
    """

    ends_ms: float | None
    shortest_ms: float | None
    pairs_ms: float
    slowest_ms: float


@dataclass(frozen=True)
class Build:
    """One build.

    Attributes
    ----------
    run : Run
        What it took; its peak is that of this build.
    scene_mib : float
        What the process had in memory before the build: Python, kernels, the scene. [Unit: MiB]
    links, shared_edges : int
        Of the navmesh: links at steps, and edges that two polygons share.
    paths : Paths or None
    """

    run: Run
    scene_mib: float = 0.0
    links: int = 0
    shared_edges: int = 0
    paths: Paths | None = None

    @property
    def beyond_mib(self) -> float:
        """The peak beyond what there was before. [Unit: MiB]."""
        return self.run.peak_mib - self.scene_mib


class OurVoxels:
    """A process that builds, for a ``with`` statement."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def build(self, job: Job) -> Build:
        """Build once; a process that died is an error of the run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asdict(job)) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._process.stdout.readline()
        return read_build(answer) if answer else Build(Run(error="the process died"))


def read_build(text: str) -> Build:
    """Return a build from the JSON of its fields."""
    numbers = json.loads(text)
    run, paths = Run(**numbers.pop("run")), numbers.pop("paths")
    return Build(run=run, paths=Paths(**paths) if paths else None, **numbers)


def build_here(scene: wm.Scene, job: Job) -> Build:
    """Build in this process."""
    forget_peak()
    before = memory_mebibytes()
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        navmesh = wm.build(
            scene, wm.Agent(**job.agent), wm.Voxel(**job.method), workers=job.workers
        )
    except wm.WalkmeshError as error:
        return Build(Run(error=str(error)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = peak_mebibytes()
    report = navmesh.report
    assert report is not None
    run = Run(
        wall_ms=wall * 1e3,
        cpu_ms=cpu * 1e3,
        steps_ms={stage.name: (stage.seconds or 0.0) * 1e3 for stage in report.stages},
        polygons=report.polygons,
        triangles=report.triangles,
        components=report.components,
        peak_mib=peak,
    )
    shared = int(np.count_nonzero(navmesh.neighbors >= 0)) // 2
    paths = find_paths(navmesh, *job.ends) if job.ends else None
    return Build(run, before, len(navmesh.links), shared, paths)


def forget_peak() -> None:
    """Start the peak of this process's memory again, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def find_paths(navmesh: wm.NavMesh, start: tuple[float, ...], goal: tuple[float, ...]) -> Paths:
    """Time calls of ``find_path``, one by one."""
    pairs = random_pairs(navmesh, PAIRS, "connected", seed=1)
    both = list(zip(pairs.starts, pairs.goals, strict=True))
    navmesh.find_path(*both[0])
    navmesh.find_path(*both[0], optimal=False)
    times = each_milliseconds(navmesh, both, optimal=False)
    between, shortest = None, None
    if navmesh.find_path(start, goal).status == "complete":
        ends = [(start, goal)] * REPEAT
        between = statistics.median(each_milliseconds(navmesh, ends, optimal=False))
        shortest = statistics.median(each_milliseconds(navmesh, ends, optimal=True))
    return Paths(between, shortest, statistics.median(times), max(times))


def each_milliseconds(
    navmesh: wm.NavMesh, pairs: Sequence[tuple[Any, Any]], *, optimal: bool
) -> list[float]:
    """Return what each call takes, until they have taken long enough."""
    times: list[float] = []
    for start, goal in pairs:
        began = time.perf_counter()
        navmesh.find_path(start, goal, optimal=optimal)
        times.append((time.perf_counter() - began) * 1e3)
        if sum(times) > ENOUGH_SECONDS * 1e3:
            break
    return times


def main() -> None:
    scene = cache(make_scene)
    # The kernels are loaded by a small scene, so that no run is about that.
    for method in (wm.Voxel(), wm.Voxel(partition="slices")):
        wm.build(wm.samples.house(), method=method)
    for line in sys.stdin:
        job = Job(**json.loads(line))
        print(json.dumps(asdict(build_here(scene(job.scene), job))), flush=True)


if __name__ == "__main__":
    main()
