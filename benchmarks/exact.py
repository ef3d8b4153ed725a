"""How long the exact method takes, stage by stage, and how that compares with Recast.

Every scene is built in a process of its own: once for the first time, then some more times, of
which the median counts. Memory is the peak of that process, with the loaded scene. Real scenes are
looked for in ``../shared/scenes`` beside the repository, and left out where they are missing.

``--recast PROGRAM`` names a program that runs Recast (see recast.py). Its time is CPU time of one
thread; ours is given both as time on the wall and as CPU time of all threads together.

Run it with ``python benchmarks/exact.py``; ``--only peers`` makes one of the tables alone, and any
scene file after the flags is measured too, with y up unless ``--up z`` is given.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import walkmesh as wm
from machine import describe
from recast import RecastRun, run_recast

if TYPE_CHECKING:
    from collections.abc import Sequence

SCENES = Path(__file__).resolve().parents[2] / "shared" / "scenes"
REAL = {
    "nav_test": ("recast/nav_test.obj", "y"),
    "dungeon": ("recast/dungeon.obj", "y"),
    "undulating": ("recast/undulating.obj", "y"),
    "garage": ("mesh_navigation/parking_garage.obj", "z"),
    "duplex": ("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z"),
    "delft": ("city/delft_3dfier.obj", "z"),
    "small_house": ("aws-robomaker/small_house.glb", "y"),
    "hospital": ("aws-robomaker/hospital_three_floors.glb", "y"),
    "mars": ("nasa-ammos/dingo_gap_961k.glb", "y"),
}

# With which cells (size, height) Recast builds each scene: 5 cm, which is fine for a game, and for
# the building the finest two that it manages.
RECAST_CELLS = {
    "nav_test": [(0.05, 0.05)],
    "dungeon": [(0.05, 0.05)],
    "undulating": [(0.05, 0.05)],
    "garage": [(0.05, 0.05)],
    "duplex": [(0.02, 0.01), (0.01, 0.01)],
}
LARGE = ["delft", "small_house", "hospital", "mars"]

# The doors: a centimetre wider and narrower than the agent, and the cells that Recast is tried
# with until all of them come out right.
DOORS = (0.61, 0.59, 0.61, 0.61, 0.59)
DOOR_ANGLES = (0.0, 7.0, 17.0, 30.0, 45.0, 61.3, 88.0)
DOOR_CELLS = (0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.005)
# Recast counts an agent's height in at most 255 cells.
LOWEST_DOOR_CELL = 0.01

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
HOUSE_PITCH = (16.0, 14.5)  # m from one copy of the house to the next, so that yards do not meet

RUNS = 5
# Turns of ours and Recast on each scene.
ROUNDS = 5
# No more runs are started after so many seconds.
ENOUGH = 60.0


@dataclass(frozen=True)
class Measured:
    """What building one scene took.

    Attributes
    ----------
    triangles, polygons, components : int
    area : float
        [Unit: square metres]
    first, median, spread, processor : float
        The first build of the process; of the later ones the median, the largest less the
        smallest, and the median CPU time of all threads. [Unit: ms]
    stages : dict of str to float
        The median of each stage. [Unit: ms]
    peak_mebibytes : float
    error : str
        Why there is no navmesh; empty otherwise.
    """

    triangles: int = 0
    polygons: int = 0
    components: int = 0
    area: float = 0.0
    first: float = 0.0
    median: float = 0.0
    spread: float = 0.0
    processor: float = 0.0
    stages: dict[str, float] | None = None
    peak_mebibytes: float = 0.0
    error: str = ""


# Scenes by name


def make_scene(name: str, up: str = "y") -> wm.Scene:
    """Return a real scene by its name, a sample such as ``houses:10000``, or a file's scene."""
    kind, _, value = name.partition(":")
    if kind == "terrain":
        return wm.samples.terrain(int(value))
    if kind == "houses":
        return houses(int(value))
    if kind == "doorways":
        return wm.samples.doorways(DOORS, float(value))
    if name in REAL:
        file, up = REAL[name]
        return wm.load_scene(SCENES / file, up=up)
    return wm.load_scene(name, up=up)


def houses(triangles: int) -> wm.Scene:
    """Return copies of the furnished house side by side, with about so many triangles."""
    one = wm.samples.house()
    count = max(1, round(triangles / len(one.faces)))
    columns = max(1, round(count**0.5))
    places = np.arange(count)
    shift = np.zeros((count, 1, 3))
    shift[:, 0, 2] = places % columns * HOUSE_PITCH[0]
    shift[:, 0, 0] = places // columns * HOUSE_PITCH[1]
    vertices = (one.vertices + shift).reshape(-1, 3)
    faces = (one.faces + (places * len(one.vertices))[:, None, None]).reshape(-1, 3)
    return wm.Scene(vertices, faces)


# Measuring


def measure_here(name: str, up: str, runs: int) -> Measured:
    """Build a scene several times in this process."""
    scene = make_scene(name, up)
    # Kernels are loaded by a scene of no size, so that the first build is about this scene.
    wm.build(wm.samples.floor())
    walls: list[float] = []
    processors: list[float] = []
    stages: list[dict[str, float]] = []
    start = time.perf_counter()
    while not walls or (len(walls) <= runs and time.perf_counter() - start < ENOUGH):
        wall, processor = time.perf_counter(), time.process_time()
        try:
            navmesh = wm.build(scene)
        except wm.WalkmeshError as error:
            return Measured(len(scene.faces), error=str(error))
        walls.append((time.perf_counter() - wall) * 1e3)
        processors.append((time.process_time() - processor) * 1e3)
        report = navmesh.report
        assert report is not None
        stages.append({stage.name: (stage.seconds or 0.0) * 1e3 for stage in report.stages})
        peak = (report.peak_memory_bytes or 0) / 2**20
    later = slice(1, None) if len(walls) > 1 else slice(None)
    return Measured(
        triangles=len(scene.faces),
        polygons=navmesh.polygon_count,
        components=navmesh.component_count,
        area=navmesh.area,
        first=walls[0],
        median=statistics.median(walls[later]),
        spread=max(walls[later]) - min(walls[later]),
        processor=statistics.median(processors[later]),
        stages={
            stage: statistics.median(run[stage] for run in stages[later]) for stage in stages[0]
        },
        peak_mebibytes=peak,
    )


def measure(name: str, up: str, runs: int, timeout: float) -> Measured:
    """Build a scene in a process of its own."""
    arguments = [sys.executable, __file__, "--one", name, "--up", up, "--runs", str(runs)]
    try:
        done = subprocess.run(
            arguments, capture_output=True, text=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return Measured(error=f"no result within {timeout:g} s")
    if done.returncode != 0:
        return Measured(error=done.stderr.strip().splitlines()[-1] if done.stderr else "died")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return Measured(**answer)


def present(names: list[str]) -> list[str]:
    """Return the real scenes that are there, and say which are not."""
    missing = [name for name in names if not (SCENES / REAL[name][0]).is_file()]
    if missing:
        print(f"Left out, since their files are not in {SCENES}: {', '.join(missing)}\n")
    return [name for name in names if name not in missing]


# Tables


def print_table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    """Print a Markdown table, numbers to the right."""
    print(f"## {title}\n")
    print(f"| {' | '.join(heads)} |")
    print(f"|---|{'---:|' * (len(heads) - 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print(flush=True)


OUR_HEADS = ["scene", "triangles", "polygons", "components", "first ms", "ms (spread)", "CPU ms",
             "peak MiB"]  # fmt: skip


def our_cells(name: str, ours: Measured) -> list[str]:
    """Return one row of `OUR_HEADS`."""
    if ours.error:
        return [name, f"{ours.triangles}", ours.error, "", "", "", "", ""]
    return [
        name,
        f"{ours.triangles}",
        f"{ours.polygons}",
        f"{ours.components}",
        f"{ours.first:.0f}",
        f"{ours.median:.0f} ({ours.spread:.0f})",
        f"{ours.processor:.0f}",
        f"{ours.peak_mebibytes:.0f}",
    ]


def print_stages(title: str, results: dict[str, Measured]) -> None:
    """Print what each stage took, one row a scene."""
    names = list(next((m.stages for m in results.values() if m.stages), {}))
    rows = [
        [name, *(f"{(measured.stages or {}).get(stage, 0.0):.1f}" for stage in names)]
        for name, measured in results.items()
        if not measured.error
    ]
    print_table(f"{title}: stages in ms", ["scene", *names], rows)


def table_peers(program: Path | None, runs: int, timeout: float) -> None:
    """Print real scenes, beside Recast where it can be asked."""
    results: dict[str, Measured] = {}
    rows: list[list[str]] = []
    agent = wm.Agent()
    for name in present(list(RECAST_CELLS)):
        if program is None:
            results[name] = measure(name, "y", runs, timeout)
            continue
        # By turns, since the machine may be faster at one time than at another.
        scene = make_scene(name)
        ours: list[Measured] = []
        theirs: list[list[RecastRun]] = []
        for _ in range(ROUNDS):
            ours.append(measure(name, "y", runs, timeout))
            theirs.append(
                [run_recast(program, scene, agent, *cell, runs=1) for cell in RECAST_CELLS[name]]
            )
        results[name] = sorted(ours, key=lambda measured: measured.median)[ROUNDS // 2]
        for with_cell in zip(*theirs, strict=True):
            middle = sorted(with_cell, key=lambda run: run.milliseconds)[ROUNDS // 2]
            rows.append([name, *recast_cells(middle), *compared(with_cell, ours)])
    print_table("Real scenes", OUR_HEADS, [our_cells(*item) for item in results.items()])
    print_stages("Real scenes", results)
    if rows:
        print_table("Against Recast", ["scene", *RECAST_HEADS, *COMPARED_HEADS], rows)


RECAST_HEADS = ["cell", "Recast CPU ms", "Recast polygons", "Recast components", "Recast MiB"]
COMPARED_HEADS = ["our ms", "our polygons", "times faster", "times less CPU"]


def recast_cells(theirs: RecastRun) -> list[str]:
    """Return one row of `RECAST_HEADS`."""
    cell = f"{theirs.cell_size:g}/{theirs.cell_height:g}"
    if theirs.error:
        return [cell, theirs.error, "", "", ""]
    return [
        cell,
        f"{theirs.milliseconds:.0f}",
        f"{theirs.polygons}",
        f"{theirs.components}",
        f"{theirs.peak_mebibytes:.0f}",
    ]


def compared(theirs: Sequence[RecastRun], ours: Sequence[Measured]) -> list[str]:
    """Return one row of `COMPARED_HEADS` for runs by turns: the medians of each turn's ratio."""
    if failed := [run.error for run in theirs if run.error] + [us.error for us in ours if us.error]:
        return [failed[0], "", "", ""]
    turns = list(zip(theirs, ours, strict=True))
    faster = statistics.median(them.milliseconds / us.median for them, us in turns)
    cheaper = statistics.median(them.milliseconds / us.processor for them, us in turns)
    return [
        f"{statistics.median(us.median for us in ours):.0f}",
        f"{ours[0].polygons}",
        f"{faster:.1f}",
        f"{cheaper:.1f}",
    ]


def table_doors(program: Path | None, runs: int, timeout: float) -> None:
    """Print doorways at several angles: what is right, and what it takes to get there."""
    wanted = [width >= 2 * wm.Agent().radius for width in DOORS]
    results = {f"{a:g} degrees": measure(f"doorways:{a}", "y", runs, timeout) for a in DOOR_ANGLES}
    rows = []
    for (name, ours), angle in zip(results.items(), DOOR_ANGLES, strict=True):
        navmesh = wm.build(wm.samples.doorways(DOORS, angle))
        homes = navmesh.components[navmesh.nearest(_rooms(angle)).polygons]
        right = [bool(a == b) for a, b in pairwise(homes)] == wanted
        rows.append([*our_cells(name, ours), "yes" if right else "no"])
    print_table("Doors 1 cm wider and narrower than the agent", [*OUR_HEADS, "right"], rows)
    if program is None:
        return
    together = sum(ours.median for ours in results.values())
    processor = sum(ours.processor for ours in results.values())
    rows = []
    for cell in DOOR_CELLS:
        angles_right, opened, milliseconds, polygons = 0, 0, 0.0, 0
        for angle in DOOR_ANGLES:
            scene = wm.samples.doorways(DOORS, angle)
            pairs = np.array(list(pairwise(_rooms(angle))))
            height = max(cell, LOWEST_DOOR_CELL)
            theirs = run_recast(program, scene, wm.Agent(), cell, height, runs=1, pairs=pairs)
            if theirs.error:
                print(f"Recast at {cell:g}/{height:g}, {angle:g} degrees: {theirs.error}\n")
                continue
            angles_right += theirs.joined == wanted
            opened += [a and b for a, b in zip(theirs.joined, wanted, strict=True)] == wanted
            milliseconds += theirs.milliseconds
            polygons += theirs.polygons
        rows.append(
            [
                f"{cell:g}",
                f"{angles_right} of {len(DOOR_ANGLES)}",
                f"{opened} of {len(DOOR_ANGLES)}",
                f"{milliseconds:.0f}",
                f"{polygons}",
                f"{together:.0f}",
                f"{sum(ours.polygons for ours in results.values())}",
                f"{milliseconds / together:.1f}",
                f"{milliseconds / processor:.1f}",
            ]
        )
        if angles_right == len(DOOR_ANGLES):
            break
    heads = ["Recast's cell", "every door right", "wide doors open", *RECAST_HEADS[1:3]]
    heads += COMPARED_HEADS
    print_table("Doors against Recast, all angles together", heads, rows)


def _rooms(angle: float) -> Any:
    return wm.samples.doorway_rooms(len(DOORS) + 1, angle)


def table_alone(title: str, names: list[str], up: str, runs: int, timeout: float) -> None:
    """Print scenes for us alone."""
    results = {name: measure(name, up, runs, timeout) for name in names}
    print_table(title, OUR_HEADS, [our_cells(*item) for item in results.items()])
    print_stages(title, results)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the exact method, beside Recast if given.")
    parser.add_argument("files", nargs="*", help="scene files to measure too")
    parser.add_argument("--up", default="y", help="the direction against gravity of these files")
    parser.add_argument("--recast", type=Path, help="a program that runs Recast, see recast.py")
    parser.add_argument("--runs", type=int, default=RUNS, help="warm runs of each scene")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one scene")
    tables = ["peers", "doors", "large", "scaling"]
    parser.add_argument("--only", choices=tables, action="append", help="make only these tables")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    runs, timeout = options.runs, options.timeout
    if options.one:
        measured = measure_here(options.one, options.up, runs)
        print(json.dumps(replace(measured, stages=measured.stages or {}).__dict__))
        return
    print(describe("walkmesh", "numba", "numpy"))
    print(f"first build, then the median of up to {runs} more (largest - smallest)")
    # Figures of a method that leaves something out must not be read without saying so.
    print("\n".join(["", *wm.Exact.notes, ""]) if wm.Exact.notes else "")
    chosen = options.only or ([] if options.files else tables)
    if options.files:
        table_alone("Given scenes", options.files, options.up, runs, timeout)
    if "peers" in chosen:
        table_peers(options.recast, runs, timeout)
    if "doors" in chosen:
        table_doors(options.recast, runs, timeout)
    if "large" in chosen:
        table_alone("Large scenes", present(LARGE), "y", runs, timeout)
    if "scaling" in chosen:
        names = [f"{kind}:{size}" for kind in ("terrain", "houses") for size in SIZES]
        table_alone("Scaling", names, "y", runs, timeout)


if __name__ == "__main__":
    main()
