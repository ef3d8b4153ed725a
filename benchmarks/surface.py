"""Walls and ceilings: what the surface method takes against triangles, on scenes, and for paths."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import walkmesh as wm
from named_scenes import agent_for, make_scene, present
from ours import DEFAULT, SURFACE, Ours
from page import Section, paragraphs, say, table
from plots import draw_scaling
from runs import Runs, Times, by_turns, digits

if TYPE_CHECKING:
    from collections.abc import Callable

# What is built at each size, by kind of scene.
SIZES = {
    "planet": ("planet:4", "planet:5", "planet:6", "planet:7"),
    "hollow": ("hollow:4", "hollow:5", "hollow:6", "hollow:7"),
    "terrain": ("terrain:5000", "terrain:50000", "terrain:500000"),
}
QUICK_SIZES = {
    "planet": ("planet:3", "planet:4"),
    "hollow": ("hollow:3", "hollow:4"),
    "terrain": ("terrain:1000", "terrain:5000"),
}
# Where all that one can walk on is seen from above, so that both methods cover the same ground.
BESIDE_EXACT = "terrain"
SCENES = ("house", "rubble", "parking_garage", "nav_test", "dungeon", "lq_e1m1")
QUICK_SCENES = ("house", "rubble")
TURNS = 5
QUICK_TURNS = 2
ENOUGH_SECONDS = 20.0
RADIUS = 10.0  # m, of the sphere
SIDE = 4.0  # m, of the cube
SUBDIVISIONS = 5
QUICK_SUBDIVISIONS = 4
REPEAT = 9
QUICK_REPEAT = 3


@dataclass(frozen=True)
class Size:
    """One scene of a known number of triangles, and the runs of every builder by name."""

    scene: str
    triangles: int
    runs: dict[str, Runs]


@dataclass(frozen=True)
class Named:
    """One scene by name; without navmesh, all but the scene and the error is empty."""

    scene: str
    triangles: int
    build: Times | None = None
    polygons: int = 0
    components: int = 0
    area: float = 0.0
    violations: int = 0
    validate: Times | None = None
    error: str = ""


@dataclass(frozen=True)
class Way:
    """One path; lengths in m, the exact one that on the shape that the triangles stand for."""

    name: str
    polygons: int
    length: float
    exact: float
    search: Times


def section(quick: bool) -> Section:
    turns = QUICK_TURNS if quick else TURNS
    kinds = {
        kind: [measure_size(name, turns) for name in names]
        for kind, names in (QUICK_SIZES if quick else SIZES).items()
    }
    sizes = [size for each in kinds.values() for size in each]
    names, missing = present(QUICK_SCENES if quick else SCENES)
    named = [measure_named(name, turns) for name in names]
    subdivisions = QUICK_SUBDIVISIONS if quick else SUBDIVISIONS
    ways, validated = measure_paths(subdivisions, QUICK_REPEAT if quick else REPEAT)
    text = paragraphs(
        HOW,
        "![Time and memory of the surface method against triangles](plots/surface.svg)",
        table(SIZE_HEADS, [size_row(size, builder) for size in sizes for builder in size.runs]),
        verdict(kinds[BESIDE_EXACT][-1]),
        f"Time of `{SURFACE}` by stage, in ms:",
        stage_table(sizes),
        "### Scenes with walls and ceilings",
        SCENES_HOW,
        missing,
        table(NAMED_HEADS, [named_row(result) for result in named]),
        "### Paths around spheres and cubes",
        describe_paths(20 * 4**subdivisions, validated),
        table(WAY_HEADS, [way_row(way) for way in ways]),
    )
    numbers = {
        "sizes": [asdict(size) for size in sizes],
        "scenes": [asdict(result) for result in named],
        "paths": [asdict(way) for way in ways],
        "validate": asdict(validated),
    }
    plots = {"surface": draw_scaling({kind: lines(each) for kind, each in kinds.items()})}
    return Section("Walls and ceilings", text, numbers, plots)


# Measuring


def measure_size(name: str, turns: int) -> Size:
    """Build one scene in processes of their own, by turns where there is more than one method."""
    say(f"surface of {name}")
    methods = (SURFACE, DEFAULT) if name.startswith(BESIDE_EXACT) else (SURFACE,)
    with ExitStack() as stack:
        builders = {
            method: partial(stack.enter_context(Ours(method)).build, name) for method in methods
        }
        runs = by_turns(builders, turns, ENOUGH_SECONDS)
    return Size(name, len(make_scene(name).faces), runs)


def measure_named(name: str, turns: int) -> Named:
    """Build one scene some times in this process, and validate each navmesh."""
    say(f"surface of {name}")
    scene, agent = make_scene(name), agent_for(name)
    builds: list[float] = []
    checks: list[float] = []
    wm.build(wm.samples.cube(), method=wm.Surface()).validate()  # kernels are loaded now
    for _ in range(turns):
        try:
            navmesh = wm.build(scene, agent, wm.Surface())
        except wm.WalkmeshError as error:
            return Named(name, len(scene.faces), error=str(error))
        start = time.perf_counter()
        violations = navmesh.validate()
        checks.append(1e3 * (time.perf_counter() - start))
        assert navmesh.report is not None
        builds.append(1e3 * (navmesh.report.total_seconds or 0.0))
        if len(builds) > 1 and sum(builds) > 1e3 * ENOUGH_SECONDS:
            break
    return Named(
        name,
        len(scene.faces),
        Times(tuple(builds)),
        navmesh.polygon_count,
        navmesh.component_count,
        navmesh.area,
        len(violations),
        Times(tuple(checks)),
    )


def measure_paths(subdivisions: int, repeat: int) -> tuple[list[Way], Times]:
    """Search paths around a sphere and a cube, and validate the sphere's navmesh."""
    say("paths on surfaces")
    sphere = wm.build(wm.samples.sphere(RADIUS, subdivisions), method=wm.Surface())
    cube = wm.build(wm.samples.cube(SIDE), method=wm.Surface())
    pole, other = (0.0, RADIUS, 0.0), (0.0, -RADIUS, 0.0)
    wanted = (
        ("sphere, pole to pole", sphere, pole, other, math.pi * RADIUS),
        ("sphere, a quarter", sphere, pole, (RADIUS, 0.0, 0.0), math.pi * RADIUS / 2.0),
        # Two sides laid flat are a rectangle, twice as long as wide.
        ("cube, corner to corner", cube, (0.0, 0.0, 0.0), (SIDE, SIDE, SIDE), math.sqrt(5) * SIDE),
    )
    ways = []
    for name, navmesh, start, goal, exact in wanted:
        path = navmesh.find_path(start, goal)  # what all later ones need is ready now
        search = timed(partial(navmesh.find_path, start, goal), repeat)
        ways.append(Way(name, navmesh.polygon_count, path.length, exact, search))
    sphere.validate()
    return ways, timed(sphere.validate, repeat)


def timed(call: Callable[[], object], repeat: int) -> Times:
    """Return what each of some calls takes."""
    each = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        each.append(1e3 * (time.perf_counter() - start))
    return Times(tuple(each))


# Writing

HOW = f"""\
`{SURFACE}` makes a navmesh of floors, walls and ceilings. `planet` is a sphere with hills, walked
on all around, and `hollow` the inside of a sphere, each with its number of subdivisions; `terrain`
is one sheet of hills, where `{DEFAULT}` builds beside it, by turns; its polygons are flat in plan
only, with triangles for their heights, and those of `{SURFACE}` are flat in space. Times are in ms
on the wall, on all threads and warm kernels, the median with (largest - smallest, runs), and CPU
time of all threads beside it. Memory is the peak of the process with the scene in it. Recast is
not beside it, since it cannot do this: it knows one up for the whole scene, and slopes below 90
degrees only."""
SCENES_HOW = f"""\
`{SURFACE}` with its defaults; the area is that along the surface, and violations are those that
`validate` finds. The agent is the default one, for lq_e1m1 that of the game."""

SIZE_HEADS = ("scene", "triangles", "method", "ms", "CPU ms", "us a triangle", "MiB", "polygons")
NAMED_HEADS = ("scene", "triangles", "build ms", "polygons", "components", "m2", "violations",
               "validate ms")  # fmt: skip
WAY_HEADS = ("path", "polygons", "length m", "exact m", "difference", "ms")


def size_row(size: Size, builder: str) -> list[str]:
    """Return one row of `SIZE_HEADS`."""
    runs, start = size.runs[builder], [size.scene, f"{size.triangles:,}", builder]
    if runs.error:
        return [*start, runs.error, "", "", "", ""]
    return [
        *start,
        str(runs.wall),
        digits(runs.cpu.median),
        digits(1e3 * runs.wall.median / size.triangles),
        f"{runs.last.peak_mib:,.0f}",
        f"{runs.last.polygons:,}",
    ]


def stage_table(sizes: list[Size]) -> str:
    """Return the table of what each stage of the surface method took."""
    rows = [
        [size.scene, *(digits(value) for value in size.runs[SURFACE].steps.values())]
        for size in sizes
        if not size.runs[SURFACE].error
    ]
    return table(["scene", *wm.Surface.stage_names], rows)


def verdict(size: Size) -> str:
    """Return which of our methods is faster where both can build, made of the numbers."""
    where = f"{size.scene} ({size.triangles:,} triangles)"
    failed = [f"{name}: {runs.error}" for name, runs in size.runs.items() if runs.error]
    if failed:
        return f"{where}: {'; '.join(failed)}."
    surface, exact = (size.runs[builder].wall.median for builder in (SURFACE, DEFAULT))
    (low, winner), (high, _) = sorted([(surface, SURFACE), (exact, DEFAULT)])
    return (
        f"{where}: {winner} is {high / low:.3g} times faster, {digits(low)} against "
        f"{digits(high)} ms."
    )


def named_row(result: Named) -> list[str]:
    """Return one row of `NAMED_HEADS`."""
    start = [result.scene, f"{result.triangles:,}"]
    if result.error:
        return [*start, result.error, *[""] * (len(NAMED_HEADS) - 3)]
    return [
        *start,
        str(result.build),
        f"{result.polygons:,}",
        f"{result.components:,}",
        digits(result.area),
        f"{result.violations:,}",
        str(result.validate),
    ]


def describe_paths(triangles: int, validated: Times) -> str:
    """Return what is searched on, and how long it takes to validate, in sentences."""
    return (
        f"Shortest paths by `find_path` on the navmeshes that `{SURFACE}` makes of a sphere of "
        f"{triangles:,} triangles with a radius of {RADIUS:g} m and of a cube of {SIDE:g} m, in "
        "ms, after a first call that prepares what all need. Exact lengths are those on the round "
        "sphere, whose triangles lie inside of it, and on the cube. To validate the sphere's "
        f"navmesh takes {validated} ms."
    )


def way_row(way: Way) -> list[str]:
    """Return one row of `WAY_HEADS`."""
    return [
        way.name,
        f"{way.polygons:,}",
        f"{way.length:.4f}",
        f"{way.exact:.4f}",
        f"{way.length / way.exact - 1.0:.3%}",
        str(way.search),
    ]


def lines(sizes: list[Size]) -> dict[str, list[tuple[int, float, float]]]:
    """Return triangles, seconds and MiB by builder, for the plot."""
    return {
        builder: [
            (size.triangles, runs.wall.median / 1e3, runs.last.peak_mib)
            for size in sizes
            if not (runs := size.runs[builder]).error
        ]
        for builder in sizes[0].runs
    }
