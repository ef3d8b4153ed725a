"""How long a build takes, stage by stage, from ten thousand to a million triangles.

Warm kernels; the median of some runs and their spread. Memory is the peak of the whole process, so
the sizes run in rising order. Validation is timed beside it.

Run it with ``python benchmarks/build.py``.
"""

from __future__ import annotations

import statistics
import time

import walkmesh as wm
from machine import describe

RUNS = 5
SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    print(describe("walkmesh", "numba", "numpy"))
    print(f"median of {RUNS} runs, in milliseconds (largest - smallest)\n")
    names = wm.Exact.stage_names
    heads = ["triangles", *names, "together", "validate", "polygons", "peak MiB"]
    print("".join(f"{head:>16}" for head in heads))
    agent = wm.Agent(max_slope=60)
    wm.build(wm.samples.terrain(1_000), agent).validate()
    for size in SIZES:
        scene = wm.samples.terrain(size)
        rows: dict[str, list[float]] = {name: [] for name in (*names, "together", "validate")}
        for _ in range(RUNS):
            navmesh = wm.build(scene, agent)
            report = navmesh.report
            assert report is not None
            for stage in report.stages:
                rows[stage.name].append(stage.seconds or 0.0)
            rows["together"].append(report.total_seconds or 0.0)
            start = time.perf_counter()
            violations = navmesh.validate()
            rows["validate"].append(time.perf_counter() - start)
            assert not violations, violations[0]
        cells = [
            f"{statistics.median(times) * 1e3:.0f} ({(max(times) - min(times)) * 1e3:.0f})"
            for times in rows.values()
        ]
        assert report is not None
        peak = (report.peak_memory_bytes or 0) / 2**20
        cells = [f"{len(scene.faces)}", *cells, f"{report.polygons}", f"{peak:.0f}"]
        print("".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
