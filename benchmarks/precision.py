"""Error against time: every method of ours, and Recast from coarse to fine cells.

What a navmesh gets wrong is measured by ``wm.evaluate``, against the scene's own triangles.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import walkmesh as wm
from named_scenes import make_scene, present
from ours import DEFAULT, METHODS, Ours
from page import Section, paragraphs, say, table
from plots import draw_error_against_time, draw_steps
from recast import Cell, Recast
from runs import Run, Runs, by_turns, digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


SCENES = ("nav_test", "dungeon", "undulating", "parking_garage", "Duplex", "house")
QUICK_SCENES = ("nav_test", "house")
# From what RecastDemo starts with down to a centimetre.
CELLS = (
    Cell(0.3, 0.2),
    Cell(0.2, 0.15),
    Cell(0.1, 0.1),
    Cell(0.05, 0.05),
    Cell(0.03, 0.02),
    Cell(0.02, 0.01),
    Cell(0.01, 0.01),
)
QUICK_CELLS = CELLS[:4]
TURNS = 5
ENOUGH_SECONDS = 5.0
# Once Recast has failed or taken this long, finer cells are not tried. [s]
PATIENCE_SECONDS = 20.0
# What takes longer than this is stopped. [s]
LIMIT_SECONDS = 30.0
SAMPLES = 10_000
QUICK_SAMPLES = 2_000
# Where it is looked at what a navmesh connects, which takes about 5 s for each.
CONNECTED_SCENES = ("house",)
PAIRS = 1_000


@dataclass(frozen=True)
class Result:
    """One navmesh of a scene.

    Attributes
    ----------
    scene : str
    builder : str
        The method, or Recast with its cell.
    cell : Cell or None
        Recast's.
    runs : Runs
        What it took.
    triangles : int
        Of the scene.
    figures : dict
        Of ``wm.evaluate``, as `Evaluation.as_dict` has them; empty without a navmesh.
    """

    scene: str
    builder: str
    cell: Cell | None
    runs: Runs
    triangles: int
    figures: dict[str, Any]

    @property
    def milliseconds(self) -> float:
        """On the wall for us, CPU time for Recast's one thread; the median."""
        return (self.runs.wall if self.cell is None else self.runs.cpu).median

    @property
    def error(self) -> float:
        """What of the free ground is missing, and what of the navmesh is not free, as shares."""
        recall, precision = self.figures["recall"], self.figures["precision"]
        return float((1.0 - recall["value"]) + (1.0 - precision["value"]))


def section(quick: bool) -> Section:
    names, missing = present(QUICK_SCENES if quick else SCENES)
    results = [result for name in names for result in measure(name, quick)]
    good = [result for result in results if result.figures]
    text = paragraphs(
        how(),
        missing,
        "![Error against time, one panel a scene](plots/error-against-time.svg)",
        *(describe([result for result in results if result.scene == name]) for name in names),
        "### Time by stage",
        "The median of all runs, in ms.",
        step_table([r for r in good if r.builder == DEFAULT]),
        step_table([r for r in good if r.cell == Cell(0.05, 0.05)]),
        "![Time by stage](plots/stages.svg)",
    )
    numbers = [asdict(result) for result in results]
    plots = {
        "error-against-time": draw_error_against_time(
            {
                name: [
                    (r.cell.size if r.cell else None, r.builder, r.milliseconds, r.error)
                    for r in good
                    if r.scene == name
                ]
                for name in names
            },
            QUICK_SAMPLES if quick else SAMPLES,
        ),
        "stages": draw_steps({r.scene: r.runs.steps for r in good if r.builder == DEFAULT}),
    }
    return Section("Error against time", text, numbers, plots)


def how() -> str:
    """Return how it was measured; what Python takes is measured too."""
    with Ours(DEFAULT) as ours:
        base = ours.build("floor").peak_mib
    return f"""\
Recall is the share of the free ground that the navmesh covers, precision the share of the navmesh
that is free, each with its 95 % interval, by `wm.evaluate`, which tries every sampled place on the
scene's own triangles and leaves 2 cm around boundaries undecided. Error is what is missing of both
together, (1 - recall) + (1 - precision). The agent is 1.8 m high with a radius of 0.3 m, walks
slopes of 45 degrees and takes steps of 0.4 m. In the house it is also searched what is connected:
of {PAIRS} pairs of free places the share that the navmesh connects rightly, and of as many pairs
that the navmesh connects those between which there is a way.

Times are in ms: the median of some runs by turns, with (largest - smallest, runs). Ours is time on
the wall, and CPU time of all threads beside it; Recast has one thread, and its CPU time is given,
without loading the scene. Memory is the peak of the process; ours has Python, numpy and numba's
kernels in it, {base:.0f} MiB after building a floor of two triangles.

Both leave small things out: `Exact()` parts of the navmesh below 0.1 m2, which
`min_patch_area=0` keeps, and Recast regions below 8 x 8 cells, that is 5.8 m2 at cells of 0.3 m and
0.16 m2 at 0.05. Recast keeps whole cells away from walls, at cells of 0.2 m two of them, which is a
large part of what it misses. It is Debian's build, as anyone would install it, and run from coarse
to fine cells until it fails or takes more than {PATIENCE_SECONDS:g} s; the last column says where a
navmesh of Recast's is better than that of
`Exact()`, beyond intervals and in every run."""


# Measuring


def measure(name: str, quick: bool) -> Iterator[Result]:
    """Yield the results of one scene: ours, then Recast's from coarse to fine."""
    say(name)
    scene, agent = make_scene(name), wm.Agent()
    samples = QUICK_SAMPLES if quick else SAMPLES
    cells = QUICK_CELLS if quick else CELLS
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        recast = Recast(scene, agent, Path(folder))
        builders: dict[str | Cell, Callable[[], Run]] = {
            method: partial(stack.enter_context(Ours(method)).build, name) for method in METHODS
        }
        first: dict[str | Cell, Run] = {}
        stopped = ""
        for cell in cells:
            builders[cell] = partial(recast.build, cell, limit_seconds=LIMIT_SECONDS)
            first[cell] = run = Run(error=stopped) if stopped else builders[cell]()
            if not stopped and run.error:
                stopped = f"not tried, since {cell} failed"
            elif not stopped and run.wall_ms > PATIENCE_SECONDS * 1e3:
                stopped = f"not tried, since {cell} took {run.wall_ms / 1e3:.0f} s"
        measured = by_turns(builders, 2 if quick else TURNS, ENOUGH_SECONDS, first)

        def judge(builder: str | Cell) -> dict[str, Any]:
            if measured[builder].error:
                return {}
            if isinstance(builder, Cell):
                navmesh: wm.Scene | wm.NavMesh = recast.detail(builder)
            else:
                navmesh = wm.build(scene, agent, METHODS[builder])
            pairs = PAIRS if name in CONNECTED_SCENES and not quick else 0
            return wm.evaluate(scene, navmesh, agent, samples=samples, pairs=pairs).as_dict()

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            figures = pool.map(judge, measured)
            for (builder, runs), found in zip(measured.items(), figures, strict=True):
                theirs = builder if isinstance(builder, Cell) else None
                words = f"Recast {builder}" if theirs else str(builder)
                yield Result(name, words, theirs, runs, len(scene.faces), found)


# Writing

HEADS = ("navmesh by", "ms", "CPU ms", "recall", "precision", "error", "height error cm (95 %)",
         "polygons", "components", "connections kept", "connections right", "MiB",
         "better than ours in")  # fmt: skip


def describe(results: list[Result]) -> str:
    """Return one scene's heading, who wins in it, and its table."""
    heading = f"### {results[0].scene}, {results[0].triangles:,} triangles"
    return paragraphs(heading, verdict(results), table(HEADS, rows(results)))


def rows(results: list[Result]) -> list[list[str]]:
    """Return the rows of `HEADS` for one scene."""
    ours = next(result for result in results if result.builder == DEFAULT)
    lines = []
    for result in results:
        run = result.runs.last
        if not result.figures:
            lines.append([result.builder, result.runs.error, *[""] * (len(HEADS) - 2)])
            continue
        wall = str(result.runs.wall) if result.cell is None else str(result.runs.cpu)
        lines.append(
            [
                result.builder,
                wall,
                digits(result.runs.cpu.median),
                share(result.figures["recall"]),
                share(result.figures["precision"]),
                f"{result.error:.2g}",
                f"{centimetres(result, 'height_error_median')} "
                f"({centimetres(result, 'height_error_95')})",
                f"{run.polygons}",
                f"{run.components}",
                share(result.figures.get("connections_kept")),
                share(result.figures.get("connections_right")),
                f"{run.peak_mib:.0f}",
                ", ".join(better(result, ours)) if result.cell and ours.figures else "",
            ]
        )
    return lines


def share(value: dict[str, float] | None) -> str:
    """Return a share with its interval; a dash for one that is not known."""
    if value is None or value["value"] is None:
        return "-"
    return f"{value['value']:.4f} ({value['low']:.4f}-{value['high']:.4f})"


def centimetres(result: Result, name: str) -> str:
    """Return a figure in metres in centimetres; a dash for one that is not known."""
    value = result.figures[name]
    return "-" if value is None else f"{value * 100.0:.1f}"


def better(theirs: Result, ours: Result) -> list[str]:
    """Return in what a result beats another beyond doubt.

    Shares must lie outside each other's interval, and each of its runs must be faster than each of
    the other's.
    """
    words = []
    if max(theirs.runs.cpu.each) < min(ours.runs.wall.each):
        words.append("time")
    for name in ("recall", "precision", "connections_kept", "connections_right"):
        them, us = theirs.figures.get(name), ours.figures.get(name)
        if them and us and None not in (them["low"], us["high"]) and them["low"] > us["high"]:
            words.append(name.replace("_", " "))
    them, us = (side.figures["height_error_median"] for side in (theirs, ours))
    if them is not None and us is not None and them < us:
        words.append("height")
    if theirs.runs.last.polygons < ours.runs.last.polygons:
        words.append("polygons")
    if theirs.runs.last.peak_mib < ours.runs.last.peak_mib:
        words.append("memory")
    return words


def verdict(results: list[Result]) -> str:
    """Return who wins at what in one scene, in words, from the numbers."""
    ours = [r for r in results if r.figures and r.builder == DEFAULT]
    theirs = [r for r in results if r.figures and r.cell is not None]
    if not ours or not theirs:
        return ""
    us = ours[0]
    own = f"{digits(us.milliseconds)} ms"
    faster = [r for r in theirs if r.milliseconds < us.milliseconds]
    if faster:
        finest = min(faster, key=lambda r: r.error)
        first = (
            f"Where cells of {finest.cell} m are enough, Recast wins on time: "
            f"{digits(finest.milliseconds)} ms against {own}, with an error of "
            f"{finest.error:.2g} against {us.error:.2g}."
        )
    else:
        quickest = min(theirs, key=lambda r: r.milliseconds)
        first = (
            f"walkmesh wins on time against every cell; the quickest, {quickest.builder}, "
            f"takes {digits(quickest.milliseconds)} ms against {own}, with an error of "
            f"{quickest.error:.2g} against {us.error:.2g}."
        )
    equal = [r for r in theirs if r.error <= us.error]
    if equal:
        cheapest = min(equal, key=lambda r: r.milliseconds)
        ratio = cheapest.milliseconds / us.milliseconds
        than = f"{ratio:.3g} times our time" if ratio >= 1.0 else f"{1 / ratio:.3g} times faster"
        second = (
            f"{cheapest.builder} is at least as precise (error {cheapest.error:.2g}), in "
            f"{digits(cheapest.milliseconds)} ms: {than}."
        )
    else:
        best = min(theirs, key=lambda r: r.error)
        second = (
            f"No cell that ran is as precise; the best, {best.builder}, has an error of "
            f"{best.error:.2g} and takes {digits(best.milliseconds)} ms against {own}."
        )
    return f"{first} {second}"


def step_table(results: list[Result]) -> str:
    """Return what each step took, one row a scene; nothing without results."""
    if not results:
        return ""
    names = list(results[0].runs.steps)
    lines = [[r.scene, *(digits(r.runs.steps[name]) for name in names)] for r in results]
    return table([results[0].builder, *names], lines)
