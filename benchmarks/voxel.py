"""The voxel method: beside Recast at the same cells, on large scenes, and at a paper's settings."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import walkmesh as wm
from named_scenes import agent_for, make_scene, present
from our_voxels import Build, Job, OurVoxels
from page import Section, paragraphs, say, table
from precision import Result, better, centimetres, share
from recast import Cell, Recast
from runs import Run, Runs, Times, by_turns, digits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def section(quick: bool) -> Section:
    texts, numbers = [], {}
    for name, part in (("precision", equal_cells), ("speed", large_scenes), ("paper", paper)):
        text, numbers[name] = part(quick)
        texts.append(text)
    return Section("The voxel method", paragraphs(*texts), numbers)


def settings(cell: Cell) -> dict[str, float]:
    """Return the voxel method's settings for a cell of Recast's."""
    return {"cell_size": cell.size, "cell_height": cell.height}


# Precision at equal cells

# The lattice is where it is; copies turned against it are scenes of their own.
SCENES = (
    "nav_test", "dungeon", "undulating", "Duplex", "parking_garage", "small_house", "lq_e1m1",
    "zdm2", "delft", "house", "station", "trimmed_level", "ruin",
    "Duplex@30", "Duplex@45", "house@30", "house@45", "dungeon@30", "dungeon@45",
)  # fmt: skip
QUICK_SCENES = ("nav_test",)
CELLS = (Cell(0.3, 0.2), Cell(0.1, 0.1), Cell(0.05, 0.05))
QUICK_CELLS = CELLS[:2]
PARTITIONS = ("watershed", "slices")
TURNS = 3
ENOUGH_SECONDS = 4.0
SAMPLES = 10_000
QUICK_SAMPLES = 2_000

EQUAL = """\
### At Recast's cells

`Voxel(cell_size=..., cell_height=...)` by watershed and by slices, and Recast in one piece, with
the same cells, in the same run, measured as in the first section: times in ms, the median of some
runs by turns with (largest - smallest, runs), on the wall on all cores for us, CPU time for Recast.
`@45` is a scene turned by 45 degrees about its up direction. The last column says where Recast is
better than that row: recall and precision beyond the intervals, time in every run."""

EQUAL_HEADS = ("navmesh by", "ms", "CPU ms", "recall", "precision", "height error cm (95 %)",
               "polygons", "Recast is better in")  # fmt: skip


def equal_cells(quick: bool) -> tuple[str, Any]:
    """Return text and numbers of precision at equal cells."""
    names, missing = present(QUICK_SCENES if quick else SCENES)
    parts, pairs, numbers = [EQUAL, missing], [], []
    for name in names:
        found = measure_equal(name, quick)
        pairs += [(one, theirs) for ours, theirs in found for one in ours]
        numbers += [asdict(one) for ours, theirs in found for one in (*ours, theirs)]
        parts += [
            f"#### {name}, {found[0][1].triangles:,} triangles",
            table(EQUAL_HEADS, [row for results in found for row in equal_rows(*results)]),
        ]
    parts.append(equal_verdict(pairs))
    return paragraphs(*parts), numbers


def measure_equal(name: str, quick: bool) -> list[tuple[list[Result], Result]]:
    """Return our results, one a partition, and Recast's at every cell."""
    say(f"{name}, at equal cells")
    scene, agent = make_scene(name), agent_for(name)
    cells = QUICK_CELLS if quick else CELLS
    samples = QUICK_SAMPLES if quick else SAMPLES
    with tempfile.TemporaryDirectory() as folder, OurVoxels() as ours:
        recast = Recast(scene, agent, Path(folder))
        builders: dict[tuple[str, Cell], Callable[[], Run]] = {}
        for cell in cells:
            for partition in PARTITIONS:
                job = Job(name, {**settings(cell), "partition": partition}, asdict(agent))
                builders[partition, cell] = lambda job=job: ours.build(job).run  # type: ignore[misc]
            builders["Recast", cell] = partial(recast.build, cell)
        measured = by_turns(builders, 2 if quick else TURNS, ENOUGH_SECONDS)

        def judge(builder: tuple[str, Cell]) -> dict[str, Any]:
            who, cell = builder
            if measured[builder].error:
                return {}
            if who == "Recast":
                navmesh: wm.Scene | wm.NavMesh = recast.detail(cell)
            else:
                method = wm.Voxel(**settings(cell), partition=who)  # type: ignore[arg-type]
                navmesh = wm.build(scene, agent, method)
            return wm.evaluate(scene, navmesh, agent, samples=samples, pairs=0).as_dict()

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            figures = dict(zip(builders, pool.map(judge, builders), strict=True))
    results = {
        (who, cell): Result(
            name,
            f"{who} {cell}",
            cell if who == "Recast" else None,
            measured[who, cell],
            len(scene.faces),
            figures[who, cell],
        )
        for who, cell in builders
    }
    return [
        ([results[partition, cell] for partition in PARTITIONS], results["Recast", cell])
        for cell in cells
    ]


def equal_rows(ours: Sequence[Result], theirs: Result) -> list[list[str]]:
    """Return the rows of `EQUAL_HEADS` for one cell."""
    lines = []
    for result in (*ours, theirs):
        if not result.figures:
            lines.append([result.builder, result.runs.error, *[""] * (len(EQUAL_HEADS) - 2)])
            continue
        times = result.runs.wall if result.cell is None else result.runs.cpu
        lines.append(
            [
                result.builder,
                str(times),
                digits(result.runs.cpu.median),
                share(result.figures["recall"]),
                share(result.figures["precision"]),
                f"{centimetres(result, 'height_error_median')} "
                f"({centimetres(result, 'height_error_95')})",
                f"{result.runs.last.polygons:,}",
                "" if result is theirs else ", ".join(wins(result, theirs)),
            ]
        )
    return lines


def wins(ours: Result, theirs: Result) -> list[str]:
    """Return in which of the table's columns Recast is better beyond doubt."""
    if not ours.figures or not theirs.figures:
        return []
    return [word for word in better(theirs, ours) if word != "memory"]


def equal_verdict(pairs: Sequence[tuple[Result, Result]]) -> str:
    """Return for how many of our results Recast is better at what, in words."""
    both = [(ours, theirs) for ours, theirs in pairs if ours.figures and theirs.figures]
    words = []
    for what in ("recall", "precision", "time", "height", "polygons"):
        where = [f"{o.scene} {o.builder}" for o, t in both if what in wins(o, t)]
        words.append(f"{what} {', '.join(where) if where else 'nowhere'}")
    return f"Of {len(both)} of our results, Recast is better in: {'; '.join(words)}."


# Speed

LARGE = ("terrain:100000", "terrain:1000000", "houses:100000", "houses:1000000", "hospital")
QUICK_LARGE = ("houses:100000",)
LARGE_CELLS = (Cell(0.1, 0.1), Cell(0.05, 0.05))
# Cells along the side of Recast's tiles, as in the scaling section.
TILE = 128
LIMIT_SECONDS = 60.0
# What took longer the first time is not built again.
LONG_SECONDS = 6.0
THREADS = (1, 2)
# What the voxel method is to reach: Recast's time divided by ours, by threads, and its memory.
GOALS = {1: 1.0, 2: 1.7}
MEMORY_GOAL = 1024.0  # MiB beyond the scene

SPEED = f"""\
### Speed and memory

The same cells on large scenes. Recast has one thread and tiles of {TILE} x {TILE} cells, and its
CPU time is given; ours is CPU time on one thread too, and time on the wall on two, in a process of
its own for each, with kernels loaded. The first build is given apart, on the wall, what follows by
turns as the median with (largest - smallest, runs); what takes longer than {LONG_SECONDS:g} s is
built once, and Recast is stopped after {LIMIT_SECONDS:g} s. Ratios are Recast's time divided by
ours: the goals are {GOALS[1]:g} on one thread and {GOALS[2]:g} on two. Memory is the peak of our
process while it builds for the first time on two threads, and what of it is beyond what the process
had before, with the scene and the kernels; the goal is less than {MEMORY_GOAL:,.0f} MiB. Recast's
is the peak of its process."""

SPEED_HEADS = ("scene", "triangles", "cell", "Recast ms", "1 thread ms", "first ms", "2 threads ms",
               "first ms", "ratio on 1", "ratio on 2", "polygons", "Recast's", "MiB",
               "beyond scene", "Recast's MiB")  # fmt: skip


@dataclass(frozen=True)
class Speed:
    """One scene at one cell.

    Attributes
    ----------
    scene : str
    triangles : int
    cell : Cell
    recast : Runs
    first : dict of int to Build
        Our first build by threads.
    later : dict of int to Runs
        Those that follow, or the first where there are none.
    """

    scene: str
    triangles: int
    cell: Cell
    recast: Runs
    first: dict[int, Build]
    later: dict[int, Runs]

    @property
    def errors(self) -> list[str]:
        """Of everyone who failed."""
        ours = {f"Voxel on {threads}": runs.error for threads, runs in self.later.items()}
        return [
            f"{who}: {why}" for who, why in {"Recast": self.recast.error, **ours}.items() if why
        ]

    def ratio(self, threads: int) -> float:
        """Recast's time divided by ours; NaN if someone failed."""
        if self.recast.error or self.later[threads].error:
            return float("nan")
        return self.recast.cpu.median / self.times(threads).median

    def times(self, threads: int) -> Times:
        """CPU time on one thread, as Recast's; on more it is on the wall."""
        runs = self.later[threads]
        return runs.cpu if threads == 1 else runs.wall


def large_scenes(quick: bool) -> tuple[str, Any]:
    """Return text and numbers of large scenes."""
    names, missing = present(QUICK_LARGE if quick else LARGE)
    cells = LARGE_CELLS[:1] if quick else LARGE_CELLS
    results = [measure_speed(name, cell) for name in names for cell in cells]
    stages = list(next((r.later[1].steps for r in results if not r.errors), {}))
    text = paragraphs(
        SPEED,
        missing,
        table(SPEED_HEADS, [speed_row(result) for result in results]),
        speed_verdict(results),
        "Our time by stage on one thread, in ms:",
        table(
            ["scene", "cell", *stages],
            [
                [r.scene, str(r.cell), *(digits(r.later[1].steps[name]) for name in stages)]
                for r in results
                if not r.later[1].error
            ],
        ),
    )
    return text, [asdict(result) for result in results]


def measure_speed(name: str, cell: Cell) -> Speed:
    """Build one scene at one cell with everyone, by turns."""
    say(f"{name}, {cell}")
    scene = make_scene(name)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        recast = Recast(scene, wm.Agent(), Path(folder))
        builders: dict[int, Callable[[], Run]] = {
            0: partial(recast.build, cell, tile=TILE, limit_seconds=LIMIT_SECONDS)
        }
        first = {}
        for threads in THREADS:
            ours = stack.enter_context(OurVoxels())
            job = Job(name, settings(cell), workers=threads)
            first[threads] = ours.build(job)
            builders[threads] = lambda ours=ours, job=job: ours.build(job).run  # type: ignore[misc]
        before = {0: builders[0](), **{threads: build.run for threads, build in first.items()}}
        again = {
            who: build
            for who, build in builders.items()
            if not before[who].error and before[who].wall_ms < LONG_SECONDS * 1e3
        }
        later = by_turns(again, TURNS, LONG_SECONDS)
    runs = {who: later.get(who, Runs((run,))) for who, run in before.items()}
    return Speed(name, len(scene.faces), cell, runs.pop(0), first, runs)


def speed_row(result: Speed) -> list[str]:
    """Return one row of `SPEED_HEADS`."""
    line = [result.scene, f"{result.triangles:,}", str(result.cell)]
    line.append(result.recast.error or str(result.recast.cpu))
    for threads in THREADS:
        runs, first = result.later[threads], result.first[threads].run
        line += (
            [runs.error, ""] if runs.error else [str(result.times(threads)), digits(first.wall_ms)]
        )
    for threads in THREADS:
        ratio = result.ratio(threads)
        line.append("-" if np.isnan(ratio) else f"{ratio:.2f}")
    line += [f"{runs.last.polygons:,}" for runs in (result.later[1], result.recast)]
    build = result.first[THREADS[-1]]
    line += [f"{mib:,.0f}" for mib in (build.run.peak_mib, build.beyond_mib)]
    return [*line, f"{result.recast.last.peak_mib:,.0f}"]


def speed_verdict(results: Sequence[Speed]) -> str:
    """Return which goals were reached, in words made of the numbers."""
    words = []
    for threads, goal in GOALS.items():
        known = [(f"{r.scene} {r.cell}", r.ratio(threads)) for r in results if not r.errors]
        missed = [f"{where} ({ratio:.2f})" for where, ratio in known if ratio < goal]
        on = "one thread" if threads == 1 else f"{threads} threads"
        words.append(
            f"A ratio of {goal:g} on {on} is reached in {len(known) - len(missed)} of {len(known)}"
            + (f", and not in {', '.join(missed)}." if missed else ".")
        )
    most = max((r.first[2].beyond_mib for r in results if not r.errors), default=0.0)
    words.append(
        f"At most {most:,.0f} MiB are used beyond the scene, "
        f"{'less' if most < MEMORY_GOAL else 'not less'} than {MEMORY_GOAL:,.0f}."
    )
    failed = [f"{r.scene} {r.cell}: {'; '.join(r.errors)}" for r in results if r.errors]
    return " ".join([*words, *(f"{why}." for why in failed)])


# The paper's settings


@dataclass(frozen=True)
class Setting:
    """A line of the paper's second table. [Unit: m and voxels]."""

    name: str
    cell_size: float
    cell_height: float
    tile_voxels: int = 256


SETTINGS = (
    Setting("def", 0.05, 0.02),
    Setting("S2", 0.0356, 0.02),
    Setting("S3", 0.0666, 0.501),
    Setting("S4", 0.666, 0.587),
    Setting("S5", 0.05, 0.02, 467),
)
QUICK_SETTINGS = SETTINGS[2:4]
# The agent steps as high as the paper's. The paper takes no radius off the ground.
PAPER_AGENT = {"height": 1.8, "radius": 0.0, "max_step": 0.5}
PATH_GOAL = 5.0  # ms


@dataclass(frozen=True)
class Place:
    """A scene like one of the paper's, where its path leads, and its table there."""

    scene: str
    start: tuple[float, ...]
    goal: tuple[float, ...]
    published: Mapping[str, tuple[int, int, float]]


PLACES = (
    Place(
        "station",
        wm.samples.STATION_START,
        wm.samples.STATION_GOAL,
        {
            "def": (12_288, 18_088, 14.122),
            "S2": (11_550, 24_358, 26.035),
            "S3": (2_342, 4_334, 5.314),
            "S4": (286, 650, 0.726),
            "S5": (11_188, 23_916, 19.79),
        },
    ),
    Place(
        "platform",
        wm.samples.PLATFORM_START,
        wm.samples.PLATFORM_GOAL,
        {
            "def": (21_331, 41_864, 9.727),
            "S2": (32_976, 65_488, 12.586),
            "S3": (9_511, 18_834, 3.339),
            "S4": (537, 972, 0.097),
            "S5": (30_424, 59_616, 15.812),
        },
    ),
    Place(
        "buildings",
        wm.samples.BUILDINGS_START,
        wm.samples.BUILDINGS_GOAL,
        {
            "def": (117_488, 235_964, 229.854),
            "S2": (180_173, 364_132, 612.833),
            "S3": (54_139, 107_122, 63.863),
            "S4": (2_622, 4_980, 1.591),
            "S5": (164_577, 333_554, 400.257),
        },
    ),
)

PAPER = f"""\
### The settings of a paper

`Voxel(partition="slices")` at the five settings (Table 2) that the paper which slices come from was
measured with, on `wm.samples.station()`, `platform()` and `buildings()`, made with as many
triangles as its three scenes have; those are not published, so its figures (Tables 3 to 5, in
brackets, on its machine) tell the order of magnitude and no more. The agent is 1.8 m high and takes
steps of 0.5 m; the paper erodes nothing, so its radius is 0, which is no agent to build for. With
S3 and S4 a voxel is higher than a step, so there are no links at steps. Voxels are rows x columns x
levels of the scene's extent. Links are those at steps; edges that two polygons share are beside
them, and the paper's links are both together. Paths are calls of `find_path` one by one, everything
warm: the median between the two ends of each scene, by corridor as in the paper and for the
shortest path, then by corridor of 200 random pairs that are connected with (the slowest), or of as
many as 5 s are enough for; the goal is a median below {PATH_GOAL:g} ms. Seconds
are one build on all cores, with kernels loaded."""

PAPER_HEADS = ("setting", "cell", "tile", "polygons (paper)", "voxels", "links", "shared edges",
               "both (paper)", "s (paper)", "beyond scene MiB", "path ms",
               "shortest ms", "random paths ms")  # fmt: skip


def paper(quick: bool) -> tuple[str, Any]:
    """Return text and numbers of the paper's settings, with a row for each, won or lost."""
    places, chosen = (PLACES[:1], QUICK_SETTINGS) if quick else (PLACES, SETTINGS)
    parts, numbers = [PAPER], []
    every: list[tuple[str, Build]] = []
    for place in places:
        scene = make_scene(place.scene)
        rows = []
        for setting in chosen:
            say(f"{place.scene}, {setting.name}")
            with OurVoxels() as ours:
                build = ours.build(paper_job(place, setting))
            rows.append(paper_row(place, setting, voxels(scene, setting), build))
            numbers.append({"scene": place.scene, "setting": asdict(setting), **asdict(build)})
            every.append((f"{place.scene} {setting.name}", build))
        parts += [
            f"#### {place.scene}, {len(scene.faces):,} triangles",
            table(PAPER_HEADS, rows),
        ]
    parts.append(paper_verdict(every))
    return paragraphs(*parts), numbers


def paper_job(place: Place, setting: Setting) -> Job:
    """Return what to build for a line of the table."""
    method = {
        "cell_size": setting.cell_size,
        "cell_height": setting.cell_height,
        "tile_voxels": setting.tile_voxels,
        "partition": "slices",
    }
    return Job(place.scene, method, PAPER_AGENT, ends=(place.start, place.goal))


def voxels(scene: wm.Scene, setting: Setting) -> tuple[int, int, int]:
    """Return rows, columns and levels of the voxels over a scene."""
    plan = scene.frame.to_plan(scene.vertices[np.unique(scene.faces)])
    sides = np.array([setting.cell_size, setting.cell_size, setting.cell_height])
    low, high = np.floor(plan.min(axis=0) / sides), np.floor(plan.max(axis=0) / sides)
    rows, cols, levels = (int(count) for count in high - low + 1)
    return rows, cols, levels


def paper_row(
    place: Place, setting: Setting, size: tuple[int, int, int], build: Build
) -> list[str]:
    """Return one row of `PAPER_HEADS`."""
    polygons, links, seconds = place.published[setting.name]
    line = [
        setting.name,
        f"{setting.cell_size:g}/{setting.cell_height:g}",
        f"{setting.tile_voxels}",
    ]
    run, paths = build.run, build.paths
    if run.error or paths is None:
        return [*line, run.error, *[""] * (len(PAPER_HEADS) - len(line) - 1)]
    return [
        *line,
        f"{run.polygons:,} ({polygons:,})",
        " x ".join(str(count) for count in size),
        f"{build.links:,}",
        f"{build.shared_edges:,}",
        f"{build.links + build.shared_edges:,} ({links:,})",
        f"{digits(run.wall_ms / 1e3)} ({digits(seconds)})",
        f"{build.beyond_mib:,.0f}",
        "no path" if paths.ends_ms is None else digits(paths.ends_ms),
        "" if paths.shortest_ms is None else digits(paths.shortest_ms),
        f"{digits(paths.pairs_ms)} ({digits(paths.slowest_ms)})",
    ]


def paper_verdict(every: Sequence[tuple[str, Build]]) -> str:
    """Return whether paths are as fast as they should be, in words; what failed is not."""
    missed = [f"{where} ({why})" for where, build in every if (why := _path_miss(build))]
    return (
        f"The median of paths is below {PATH_GOAL:g} ms in {len(every) - len(missed)} of "
        f"{len(every)}" + (f", and not in {', '.join(missed)}." if missed else ".")
    )


def _path_miss(build: Build) -> str:
    """Return why the paths of a build miss the goal; nothing if they reach it."""
    paths = build.paths
    if build.run.error or paths is None:
        return build.run.error or "no paths"
    if paths.ends_ms is None:
        return "no path between its ends"
    slowest = max(paths.ends_ms, paths.pairs_ms)
    return f"{digits(slowest)} ms" if slowest >= PATH_GOAL else ""
