"""Time and memory against triangles, from ten thousand to a million, and of large real scenes."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import walkmesh as wm
from named_scenes import make_scene, present
from ours import DEFAULT, Ours
from page import Section, paragraphs, say, table
from plots import draw_scaling
from recast import Cell, Recast
from runs import Run, Runs, by_turns, digits

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = ("terrain", "houses")
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES = (10_000, 30_000)
LARGE = ("delft", "small_house", "hospital", "mars")
CELLS = (Cell(0.3, 0.2), Cell(0.1, 0.1))
# Cells along the side of Recast's tiles: of 64, 128, 256 and 512 the fastest for most of these.
TILE = 128
TURNS = 3
ENOUGH_SECONDS = 6.0
LIMIT_SECONDS = 60.0


@dataclass(frozen=True)
class Result:
    """One scene: its triangles, and the runs of every builder by name."""

    scene: str
    triangles: int
    runs: dict[str, Runs]

    def seconds(self, builder: str) -> float:
        """On the wall for us, CPU time for Recast's one thread."""
        runs = self.runs[builder]
        return (runs.wall if builder == DEFAULT else runs.cpu).median / 1e3


def section(quick: bool) -> Section:
    sizes = QUICK_SIZES if quick else SIZES
    parts, numbers, lines = [HOW], [], {}
    for kind in KINDS:
        results = [measure(f"{kind}:{size}", 2 if quick else TURNS) for size in sizes]
        parts += [f"### {kind.capitalize()}", *describe(results)]
        numbers += [asdict(result) for result in results]
        lines[kind] = {
            builder: [
                (r.triangles, r.seconds(builder), r.runs[builder].last.peak_mib)
                for r in results
                if not r.runs[builder].error
            ]
            for builder in results[0].runs
        }
    if not quick:
        names, missing = present(LARGE)
        results = [measure(name, TURNS) for name in names]
        parts += ["### Large real scenes", missing, *describe(results)]
        numbers += [asdict(result) for result in results]
    parts.insert(1, "![Time and memory against triangles](plots/scaling.svg)")
    text = paragraphs(*parts)
    return Section(
        "Time and memory against triangles", text, numbers, {"scaling": draw_scaling(lines)}
    )


HOW = f"""\
`terrain` is one sheet of hills, `houses` are copies of the furnished house side by side. Times are
in ms, the median of some runs by turns with (largest - smallest, runs): on the wall for us, with
CPU time of all threads beside it, and CPU time for Recast, which is built in tiles of {TILE} x
{TILE} cells, as a world of this size would be. Memory is the peak of the process with the scene in
it. What the navmeshes are worth at these cells is in the first section."""


def measure(name: str, turns: int) -> Result:
    """Build one scene with everyone, by turns."""
    say(name)
    scene = make_scene(name)
    with tempfile.TemporaryDirectory() as folder, Ours(DEFAULT) as ours:
        recast = Recast(scene, wm.Agent(), Path(folder))
        builders: dict[str, Callable[[], Run]] = {DEFAULT: partial(ours.build, name)}
        for cell in CELLS:
            builders[f"Recast {cell}"] = partial(
                recast.build, cell, tile=TILE, limit_seconds=LIMIT_SECONDS
            )
        runs = by_turns(builders, turns, ENOUGH_SECONDS)
    return Result(name, len(scene.faces), runs)


def describe(results: list[Result]) -> list[str]:
    """Return the tables of some scenes, and what they say in words."""
    if not results:
        return []
    theirs = [f"Recast {cell}" for cell in CELLS]
    heads = ["scene", "triangles", f"{DEFAULT} ms", "CPU ms", "MiB", "polygons"]
    for builder in theirs:
        heads += [f"{builder} ms", "MiB", "polygons"]
    stages = list(results[0].runs[DEFAULT].steps)
    return [
        table(heads, [cells(result) for result in results]),
        *(verdict(results[-1], builder) for builder in theirs),
        "Time by stage, in ms:",
        table(
            ["scene", *stages],
            [
                [r.scene, *(digits(value) for value in r.runs[DEFAULT].steps.values())]
                for r in results
                if not r.runs[DEFAULT].error
            ],
        ),
    ]


def cells(result: Result) -> list[str]:
    line = [result.scene, f"{result.triangles:,}"]
    for builder, runs in result.runs.items():
        ours = builder == DEFAULT
        if runs.error:
            line += [runs.error, *[""] * (3 if ours else 2)]
            continue
        line += [str(runs.wall), digits(runs.cpu.median)] if ours else [str(runs.cpu)]
        line += [f"{runs.last.peak_mib:,.0f}", f"{runs.last.polygons:,}"]
    return line


def verdict(result: Result, builder: str) -> str:
    """Return who wins at one scene, in a sentence made of the numbers."""
    where = f"{result.scene} ({result.triangles:,} triangles)"
    failed = [f"{b}: {result.runs[b].error}" for b in (DEFAULT, builder) if result.runs[b].error]
    if failed:
        return f"{where}: {'; '.join(failed)}."
    words = []
    memory = {b: runs.last.peak_mib for b, runs in result.runs.items()}
    for what, unit, ours, theirs in (
        ("time", "s", result.seconds(DEFAULT), result.seconds(builder)),
        ("memory", "MiB", memory[DEFAULT], memory[builder]),
    ):
        winner = DEFAULT if ours < theirs else builder
        low, high = sorted((ours, theirs))
        words.append(
            f"{winner} wins on {what} by {high / low:.3g} times, {digits(low)} against "
            f"{digits(high)} {unit}"
        )
    return f"{where}: {'; '.join(words)}."
