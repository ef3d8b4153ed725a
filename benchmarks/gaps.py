"""Gaps: what bridges and automatic links take, beside the build that they come on top of."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import walkmesh as wm
from named_scenes import AGENTS, make_scene, present
from page import Section, paragraphs, say, table
from runs import Times, digits

SCENES = ("nav_test", "dungeon", "lq_e1m1", "undulating", "Duplex", "small_house", "delft")
QUICK_SCENES = ("dungeon", "lq_e1m1")
DISTANCE = 0.35  # m
REPEAT = 7
QUICK_REPEAT = 3


@dataclass(frozen=True)
class Result:
    """Builds of one scene without and with bridges, and the links of the first."""

    scene: str
    without: Times
    bridged: Times
    links: Times
    components: tuple[int, int]
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
    text = paragraphs(
        HOW,
        missing,
        table(HEADS, [row(result) for result in results]),
    )
    return Section("Gaps and links", text, {"gaps": [asdict(result) for result in results]})


def measure(name: str, repeat: int) -> Result:
    """Build one scene without and with bridges, and find its links, by turns."""
    say(f"gaps of {name}")
    scene, agent = make_scene(name), AGENTS.get(name, wm.Agent())
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
        bridge_triangles=counts["bridge_triangles"],
        blocked=counts["gaps_blocked"],
        kinds={
            kind.name.lower(): int((found["kind"] == kind).sum())
            for kind in wm.LinkKind
            if kind is not wm.LinkKind.CUSTOM
        },
    )


HOW = f"""`Exact(bridge_distance={DISTANCE})` beside `Exact()`, and `wm.find_links` as it is by
default on the latter's navmesh, by turns, on two threads and warm kernels; medians in ms with
(largest - smallest, runs). What bridges take is the difference of both builds, turn by turn, and in
it is what later stages take for the ground that was added. In the time of links is all that a fresh
navmesh needs for its first search. The agent is the default one, for lq_e1m1 that of the game."""
HEADS = (
    "scene",
    "build ms",
    "bridges ms",
    "of the build",
    "components",
    "with bridges",
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
        digits(result.bridge_triangles),
        digits(result.blocked),
        str(result.links),
        result.share(result.links),
        *(digits(count) for count in result.kinds.values()),
    ]
