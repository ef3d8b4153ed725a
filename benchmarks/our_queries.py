"""Our paths, in a process of their own: what it has in memory is then theirs alone.

``python benchmarks/our_queries.py NAVMESH PAIRS LENGTHS REPEAT`` reads a navmesh and pairs of
places, searches paths, writes their lengths, and prints one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from machine import peak_mebibytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recast import Pairs

# How many paths are searched one by one, to see what a call costs.
CALLS = 200
CALL_REPEAT = 50


@dataclass(frozen=True)
class Batch:
    """All queries in one call of ``find_paths``, the fastest repetition.

    Attributes
    ----------
    cpu_ms : float
        CPU time on one thread. [Unit: ms]
    located_ms : float
        The same with the polygons of both ends known. [Unit: ms]
    two_threads_ms : float
        Time on the wall on two threads. [Unit: ms]
    complete : int
        How many paths lead to the goal.
    """

    cpu_ms: float
    located_ms: float
    two_threads_ms: float
    complete: int


@dataclass(frozen=True)
class Measured:
    """Our paths between some pairs.

    Attributes
    ----------
    corridor, optimal : Batch
        With ``optimal=False`` and ``optimal=True``.
    first_ms : float
        The first call of ``find_path``, with all that it prepares. [Unit: ms]
    call_us : float
        What a later call of ``find_path`` takes beyond a query's share of a batch. [Unit: us]
    loaded_mib, peak_mib : float
        The most that the process had in memory, before and after all paths. [Unit: MiB]
    """

    corridor: Batch
    optimal: Batch
    first_ms: float
    call_us: float
    loaded_mib: float
    peak_mib: float


def find_paths(
    navmesh: wm.NavMesh, pairs: Pairs, repeat: int
) -> tuple[Measured, NDArray[np.float64]]:
    """Search paths in a process of their own.

    Returns
    -------
    Measured
        What it took.
    (2, n) float64
        Lengths of corridor and optimal paths seen from above, -1 where there is none. [Unit: m]
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        navmesh.save(folder / "navmesh.walkmesh")
        np.savez(folder / "pairs.npz", starts=pairs.starts, goals=pairs.goals)
        files = [folder / file for file in ("navmesh.walkmesh", "pairs.npz", "lengths.npy")]
        answer = subprocess.run(
            [sys.executable, __file__, *files, str(repeat)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        lengths: NDArray[np.float64] = np.load(files[2])
    numbers = json.loads(answer)
    corridor, optimal = (Batch(**numbers.pop(kind)) for kind in ("corridor", "optimal"))
    return Measured(corridor=corridor, optimal=optimal, **numbers), lengths


def main() -> None:
    files, repeat = [Path(word) for word in sys.argv[1:4]], int(sys.argv[4])
    navmesh = wm.load_navmesh(files[0])
    pairs = np.load(files[1])
    measured, lengths = measure(navmesh, pairs["starts"], pairs["goals"], repeat)
    np.save(files[2], lengths)
    print(json.dumps(asdict(measured)))


def measure(
    navmesh: wm.NavMesh, starts: NDArray[np.float64], goals: NDArray[np.float64], repeat: int
) -> tuple[Measured, NDArray[np.float64]]:
    """Search paths in this process, which has searched none before."""
    loaded = peak_mebibytes()
    start = time.perf_counter()
    navmesh.find_path(starts[0], goals[0])
    first = time.perf_counter() - start
    located = navmesh.nearest(starts), navmesh.nearest(goals)
    batches, lengths = [], []
    for optimal in (False, True):
        cpu, known, wall = [], [], []
        for _ in range(repeat):
            start = time.process_time()
            paths = navmesh.find_paths(starts, goals, optimal=optimal, workers=1)
            cpu.append(time.process_time() - start)
            start = time.process_time()
            navmesh.find_paths(*located, optimal=optimal, workers=1)
            known.append(time.process_time() - start)
            start = time.perf_counter()
            navmesh.find_paths(starts, goals, optimal=optimal, workers=2)
            wall.append(time.perf_counter() - start)
        found = plan_lengths(navmesh, paths.points, paths.offsets)
        fastest = [min(seconds) * 1e3 for seconds in (cpu, known, wall)]
        batches.append(Batch(fastest[0], fastest[1], fastest[2], int((found >= 0.0).sum())))
        lengths.append(found)
    call = call_seconds(navmesh, starts[:CALLS], CALL_REPEAT)
    peak = peak_mebibytes()
    corridor, best = batches
    measured = Measured(corridor, best, first * 1e3, call * 1e6, loaded, peak)
    return measured, np.array(lengths)


def plan_lengths(
    navmesh: wm.NavMesh, points: NDArray[np.float64], offsets: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the (n,) lengths of ragged paths seen from above, -1 for those without points."""
    steps = np.diff(navmesh.frame.to_plan(points)[:, :2], axis=0)
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(steps[:, 0], steps[:, 1]))])
    result = np.full(len(offsets) - 1, -1.0)
    some = np.diff(offsets) > 0
    result[some] = walked[offsets[1:][some] - 1] - walked[offsets[:-1][some]]
    return result


def call_seconds(navmesh: wm.NavMesh, places: NDArray[np.float64], repeat: int) -> float:
    """Return the CPU time of a call of ``find_path`` beyond a query's share of a batch.

    The paths lead nowhere, so that the difference is not one of two long times.
    """
    calls, batch = [], []
    for _ in range(repeat):
        start = time.process_time()
        for place in places:
            navmesh.find_path(place, place)
        calls.append(time.process_time() - start)
        start = time.process_time()
        navmesh.find_paths(places, places, workers=1)
        batch.append(time.process_time() - start)
    return (min(calls) - min(batch)) / len(places)


if __name__ == "__main__":
    main()
