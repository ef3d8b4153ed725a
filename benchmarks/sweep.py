"""Every agent on every scene with every method: builds that are sound, right and not slow.

A build must succeed or say why nothing can stand; its navmesh must have no violations, recall and
precision like those of the default agent in the same scene, and take at most four times its CPU
time. Each build runs in a process of its own making, which may crash or hang without ending the
sweep. Findings are printed as they come, and all results are kept in
``benchmarks/.build/sweep.jsonl``, so that a sweep that was stopped goes on where it was. With
``--jobs`` several processes share the builds; what is printed and kept is the same, in the same
order.

Run ``python benchmarks/sweep.py --help``, or ``make sweep``, which takes hours.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing as mp
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import walkmesh as wm
from agents import AGENTS, DEFAULT
from named_scenes import FOLDER, REAL, make_scene

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection

RESULTS = Path(__file__).parent / ".build" / "sweep.jsonl"
# Small parts stay, since the ground truth counts them whatever the agent is.
METHODS: dict[str, wm.Exact | wm.Voxel | wm.Surface] = {
    "exact": wm.Exact(min_patch_area=0.0),
    "voxel": wm.Voxel(min_patch_area=0.0),
    "bridges": wm.Exact(min_patch_area=0.0, bridge_distance=0.3),
    "surface": wm.Surface(min_patch_area=0.0),
}
SAMPLES = (
    "floor", "house", "rubble", "station", "terrain:20000", "doorways:17", "spiral:0.12",
    "plate:17", "stairs", "spiral_stairs", "two_levels", "kerb", "careless_plates",
    "scanned_room", "rock_cave", "ruin", "trimmed_level",
)  # fmt: skip
# Scenes that are too large for hundreds of builds, unless they are asked for by name.
LARGE = ("hospital", "mars")
# Surfaces have no ground truth to compare with, and are built for the smaller scenes.
SURFACE_LIMIT = 30_000
# What takes less than this is not slow, whatever the default agent takes. [s]
QUICK = 1.0
SLOWER = 4.0
# Shares may differ by this beyond their confidence intervals, as boundaries weigh more where agents
# are small or the free ground is narrow.
SHARE_SLACK = 0.005
EVALUATION_SAMPLES = 2_000
BAND = 0.02  # m
MEMORY = 12 << 30


@dataclass(frozen=True)
class Result:
    """What came of one build.

    Attributes
    ----------
    scene, agent, method : str
    outcome : str
        "built", "nothing" (with the reason), or what went wrong: "crashed", "timed out", "error".
    words : str
        The reason, or the error.
    cpu : float
        Of the build. [Unit: s]
    violations : tuple of str
    recall, precision : tuple of float
        Value and both ends of the confidence interval; NaN if unknown.
    """

    scene: str
    agent: str
    method: str
    outcome: str
    words: str = ""
    cpu: float = 0.0
    violations: tuple[str, ...] = ()
    recall: tuple[float, ...] = (math.nan,) * 3
    precision: tuple[float, ...] = (math.nan,) * 3

    @property
    def key(self) -> tuple[str, str, str]:
        """What was built."""
        return self.scene, self.agent, self.method


def scene_named(name: str) -> wm.Scene:
    """Return a scene of `named_scenes`, or a sample by its function's name."""
    if hasattr(wm.samples, name):
        scene: wm.Scene = getattr(wm.samples, name)()
        return scene
    return make_scene(name)


def build_and_judge(
    scene: wm.Scene, names: tuple[str, str, str], samples: int = EVALUATION_SAMPLES
) -> Result:
    """Build and evaluate one navmesh; anything but a BuildError is an error of ours.

    Along boundaries voxels may be off by a cell. Where little ground is free that is much of it, so
    there nothing is counted.
    """
    agent, method = AGENTS[names[1]], METHODS[names[2]]
    before = time.process_time()
    try:
        navmesh = wm.build(scene, agent, method)
    except wm.BuildError as error:
        return Result(*names, "nothing", str(error), time.process_time() - before)
    except Exception as error:
        return Result(*names, "error", f"{type(error).__name__}: {error}")
    cpu = time.process_time() - before
    violations = tuple(str(violation) for violation in navmesh.validate()[:5])
    if navmesh.surface:
        return Result(*names, outcome="built", cpu=cpu, violations=violations)
    band = method.cell_size if isinstance(method, wm.Voxel) else BAND
    judged = wm.evaluate(scene, navmesh, samples=samples, band=band, pairs=0)
    return Result(
        *names,
        outcome="built",
        cpu=cpu,
        violations=violations,
        recall=judged.recall[:3],
        precision=judged.precision[:3],
    )


def _work(pipe: Connection) -> None:
    """Serve builds until the pipe is closed; a scene is kept while it stays the same."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    loaded: dict[str, wm.Scene] = {}
    while True:
        try:
            names: tuple[str, str, str] = pipe.recv()
        except EOFError:
            return
        if names[0] not in loaded:
            loaded = {names[0]: scene_named(names[0])}
        try:
            result = build_and_judge(loaded[names[0]], names)
        except Exception as error:
            result = Result(*names, "error", f"{type(error).__name__}: {error}")
        pipe.send(result)


class Worker:
    """A process that builds, and that is replaced when it crashes or hangs."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = mp.Pipe()
        self._process = mp.get_context("spawn").Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def run(self, names: tuple[str, str, str]) -> Result:
        """Return what came of one build, whatever it was."""
        self._pipe.send(names)
        try:
            if self._pipe.poll(self._limit):
                result: Result = self._pipe.recv()
                return result
            outcome, words = "timed out", f"after {self._limit:g} s"
        except EOFError:
            self._process.join()
            outcome, words = "crashed", f"with exit code {self._process.exitcode}"
        self.close()
        self._start()
        return Result(*names, outcome, words)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def cases(
    scenes: Iterable[str], agents: Iterable[str], methods: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield what to build: scene by scene, and the default agent first."""
    ordered = [DEFAULT, *(name for name in agents if name != DEFAULT)]
    for scene in scenes:
        large = "surface" in methods and len(scene_named(scene).faces) > SURFACE_LIMIT
        for method in methods:
            if method == "surface" and large:
                continue
            for agent in ordered:
                yield scene, agent, method


def finding(result: Result, default: Result | None) -> str:
    """Return what is wrong with a result, or nothing."""
    if result.outcome == "nothing":
        return "" if result.words else "nothing was built, without a reason"
    if result.outcome != "built":
        return f"{result.outcome} {result.words}"
    if result.violations:
        return "; ".join(result.violations)
    if default is None or default.outcome != "built" or result is default:
        return ""
    if result.cpu > max(QUICK, SLOWER * default.cpu):
        return f"{result.cpu:.1f} s, where the default agent takes {default.cpu:.1f} s"
    for name in ("recall", "precision"):
        mine, theirs = getattr(result, name), getattr(default, name)
        if mine[2] < min(theirs[1], 1.0) - SHARE_SLACK:
            return f"{name} {mine[0]:.4f}, where the default agent has {theirs[0]:.4f}"
    return ""


def run_all(wanted: Sequence[tuple[str, str, str]], limit: float, jobs: int) -> Generator[Result]:
    """Yield what came of builds, in their order, while so many processes work ahead."""
    workers = [Worker(limit) for _ in range(min(jobs, len(wanted)))]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def run(names: tuple[str, str, str]) -> Result:
        worker = idle.get()
        try:
            return worker.run(names)
        finally:
            idle.put(worker)

    try:
        with ThreadPoolExecutor(max(len(workers), 1)) as threads:
            yield from threads.map(run, wanted)
    finally:
        for worker in workers:
            worker.close()


def sweep(
    wanted: Sequence[tuple[str, str, str]], limit: float, file: Path, jobs: int = 1
) -> list[str]:
    """Build everything that is not in the file yet, and return what is wrong with any of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done = {result.key: result for result in _read(file)}
    fresh = run_all([names for names in wanted if names not in done], limit, jobs)
    defaults: dict[tuple[str, str], Result] = {}
    findings = []
    with file.open("a") as results, closing(fresh):
        for names in wanted:
            result = done.get(names)
            if result is None:
                result = next(fresh)
                results.write(json.dumps(asdict(result)) + "\n")
                results.flush()
            if names[1] == DEFAULT:
                defaults[names[0], names[2]] = result
            wrong = finding(result, defaults.get((names[0], names[2])))
            if wrong:
                findings.append(f"{names[0]}, {names[1]}, {names[2]}: {wrong}")
                print(findings[-1], flush=True)
    return findings


def _read(file: Path) -> Iterator[Result]:
    if not file.exists():
        return
    for line in file.read_text().splitlines():
        content: dict[str, Any] = json.loads(line)
        for name in ("violations", "recall", "precision"):
            content[name] = tuple(content[name])
        yield Result(**content)


def main() -> int:
    """Run a sweep from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    real = [name for name in REAL if (FOLDER / REAL[name][0]).exists() and name not in LARGE]
    parser.add_argument("--scenes", nargs="*", default=[*SAMPLES, *real])
    parser.add_argument("--agents", nargs="*", default=list(AGENTS), choices=list(AGENTS))
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--limit", type=float, default=300.0, help="longest build, in seconds")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the builds")
    parser.add_argument("--results", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    wanted = list(cases(chosen.scenes, chosen.agents, chosen.methods))
    findings = sweep(wanted, chosen.limit, chosen.results, chosen.jobs)
    print(f"{len(wanted)} builds, {len(findings)} findings; results in {chosen.results}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
