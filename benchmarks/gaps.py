"""Gaps: which are crossed, by us and by Recast, and what bridges and automatic links take."""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import walkmesh as wm
from named_scenes import agent_for, make_scene, present
from page import Section, paragraphs, say, table
from recast import Cell, Recast
from runs import Times, digits

SCENES = ("nav_test", "dungeon", "lq_e1m1", "undulating", "Duplex", "small_house", "delft")
QUICK_SCENES = ("dungeon", "lq_e1m1")
DISTANCE = 0.35  # m
REPEAT = 7
CELLS = (Cell(0.3, 0.2), Cell(0.1, 0.1), Cell(0.05, 0.05))
# Recast's at which the components of scenes are counted.
SCENE_CELL = CELLS[1]
GAPS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.35, 0.4)  # m
QUICK_GAPS = GAPS[::4]
# How the plates beside a gap lie to Recast's cells matters, so they are moved by parts of a cell.
PLACES = 8
QUICK_PLACES = 2
QUICK_REPEAT = 3


@dataclass(frozen=True)
class Result:
    """Builds of one scene without and with bridges, and the links of the first."""

    scene: str
    without: Times
    bridged: Times
    links: Times
    components: tuple[int, int]
    recast_components: int
    bridge_triangles: int
    blocked: int
    kinds: dict[str, int]

    def share(self, times: Times) -> str:
        """Return times as a share of the build's."""
        return f"{times.median / self.without.median:.0%}"

    @property
    def bridging(self) -> Times:
        """What a build with bridges takes longer, turn by turn."""
        pairs = zip(self.bridged.each, self.without.each, strict=True)
        return Times(tuple(more - less for more, less in pairs))


def section(quick: bool) -> Section:
    names, missing = present(QUICK_SCENES if quick else SCENES)
    results = [measure(name, QUICK_REPEAT if quick else REPEAT) for name in names]
    gaps, places = (QUICK_GAPS, QUICK_PLACES) if quick else (GAPS, PLACES)
    crossed = {gap: measure_crossing(gap, places) for gap in gaps}
    text = paragraphs(
        CROSSED,
        table(["gap m", *next(iter(crossed.values()))], crossing_rows(crossed, places)),
        HOW,
        missing,
        table(HEADS, [row(result) for result in results]),
    )
    numbers = {"gaps": [asdict(result) for result in results], "crossed": crossed}
    return Section("Gaps and links", text, numbers)


def plates(gap: float, moved: float) -> wm.Scene:
    """Return two plates of 4 m x 4 m beside each other, the first of which is longer by `moved`."""
    first = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, 0.0)])
    second = first + (4.0 + moved + gap, 0.0, 0.0)
    first[2:, 0] += moved
    return wm.Scene(np.concatenate([first, second]), [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])


def measure_crossing(gap: float, places: int) -> dict[str, int]:
    """Return how often two plates are joined by whom, of `places` times."""
    say(f"a gap of {gap:g} m")
    ours = {"Exact()": wm.Exact(), f"Exact({DISTANCE})": wm.Exact(bridge_distance=DISTANCE)}
    joined = dict.fromkeys([*ours, *(f"Recast {cell}" for cell in CELLS)], 0)
    for cell in CELLS:
        for place in range(places):
            scene = plates(gap, cell.size * place / places)
            ends = [(2.0, 0.0, 2.0)], [(6.0 + cell.size * place / places + gap, 0.0, 2.0)]
            with tempfile.TemporaryDirectory() as folder:
                recast = Recast(scene, wm.Agent(), Path(folder))
                recast.build(cell)
                joined[f"Recast {cell}"] += bool(recast.polygons(cell).reachable(*ends)[0])
            if cell == CELLS[0]:
                for name, method in ours.items():
                    navmesh = wm.build(scene, wm.Agent(), method)
                    joined[name] += bool(navmesh.reachable(*ends)[0])
    return joined


def crossing_rows(crossed: dict[float, dict[str, int]], places: int) -> list[list[str]]:
    """Return a row for each gap: whether it is crossed, or how often."""
    words = {0: "no", places: "yes"}
    return [
        [f"{gap:g}", *(words.get(count, f"{count} of {places}") for count in joined.values())]
        for gap, joined in crossed.items()
    ]


def components_by_recast(scene: wm.Scene, agent: wm.Agent) -> int:
    """Return how many components Recast's polygons have."""
    with tempfile.TemporaryDirectory() as folder:
        recast = Recast(scene, agent, Path(folder))
        run = recast.build(SCENE_CELL)
        return 0 if run.error else recast.polygons(SCENE_CELL).component_count


def measure(name: str, repeat: int) -> Result:
    """Build one scene without and with bridges, and find its links, by turns."""
    say(f"gaps of {name}")
    scene, agent = make_scene(name), agent_for(name)
    methods = (wm.Exact(), wm.Exact(bridge_distance=DISTANCE))
    apart, bridged = (wm.build(scene, agent, method) for method in methods)
    found = wm.find_links(scene, apart)  # kernels are loaded now
    assert bridged.report is not None
    counts = next(stage.counts for stage in bridged.report.stages if stage.name == "gaps")
    times: list[list[float]] = [[], [], []]
    for _ in range(repeat):
        apart, again = (wm.build(scene, agent, method) for method in methods)
        for navmesh, each in ((apart, times[0]), (again, times[1])):
            assert navmesh.report is not None
            each.append(1e3 * (navmesh.report.total_seconds or 0.0))
        start = time.perf_counter()
        wm.find_links(scene, apart)
        times[2].append(1e3 * (time.perf_counter() - start))
    return Result(
        name,
        Times(tuple(times[0])),
        Times(tuple(times[1])),
        Times(tuple(times[2])),
        components=(apart.component_count, bridged.component_count),
        recast_components=components_by_recast(scene, agent),
        bridge_triangles=counts["bridge_triangles"],
        blocked=counts["gaps_blocked"],
        kinds={
            kind.name.lower(): int((found["kind"] == kind).sum())
            for kind in wm.LinkKind
            if kind is not wm.LinkKind.CUSTOM
        },
    )


CROSSED = f"""Two plates with a gap between them: whether there is a way from one to the other, at
{PLACES} places of the plates in Recast's cells. `Exact({DISTANCE})` is
`Exact(bridge_distance={DISTANCE})`. Recast has no setting for gaps: what is narrower than a cell
may vanish in it, depending on where it lies, and nothing else is crossed."""
HOW = f"""`Exact(bridge_distance={DISTANCE})` beside `Exact()`, and `wm.find_links` as it is by
default on the latter's navmesh, by turns, on two threads and warm kernels; medians in ms with
(largest - smallest, runs). What bridges take is the difference of both builds, turn by turn, and in
it is what later stages take for the ground that was added. In the time of links is all that a fresh
navmesh needs for its first search. The agent is the default one, for lq_e1m1 that of the game.
Recast's components are those at cells of {SCENE_CELL}, 0 where it fails."""
HEADS = (
    "scene",
    "build ms",
    "bridges ms",
    "of the build",
    "components",
    "with bridges",
    "Recast's",
    "bridge triangles",
    "cells blocked",
    "links ms",
    "of the build",
    "jumps",
    "drops",
    "climbs",
)


def row(result: Result) -> list[str]:
    return [
        result.scene,
        str(result.without),
        str(result.bridging),
        result.share(result.bridging),
        *(digits(count) for count in result.components),
        digits(result.recast_components),
        digits(result.bridge_triangles),
        digits(result.blocked),
        str(result.links),
        result.share(result.links),
        *(digits(count) for count in result.kinds.values()),
    ]
