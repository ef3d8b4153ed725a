"""Floor plans: what triangulating, building and path finding take, beside GEOS."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

import walkmesh as wm
from named_scenes import FOLDER
from page import Section, paragraphs, say, table
from runs import Times, digits
from walkmesh.builder.plan.greedy import MAX_VERTICES, triangulate_greedily
from walkmesh.builder.triangulation import triangulate
from walkmesh.io.movingai import load_scenarios

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000, 100_000)
GEOS_ONCE = 100_000  # vertices that GEOS takes a quarter of a minute for; it is not asked for more
GREEDY_SIZES = (250, 500, 1_000, MAX_VERTICES)
QUICK_GREEDY_SIZES = (250, 500)
MAPS = ("arena", "Berlin_0_256")
RADIUS = 0.05  # m
REPEAT = 7
QUICK_REPEAT = 3


@dataclass(frozen=True)
class Triangulation:
    """One plan triangulated by us and, unless that takes too long, by GEOS."""

    vertices: int
    triangles: int
    ours: Times
    geos: Times | None

    @property
    def per_step(self) -> float:
        """Time of ours for each n log2 n. [Unit: ns]."""
        return 1e6 * self.ours.median / (self.vertices * math.log2(self.vertices))


@dataclass(frozen=True)
class Build:
    """One plan built, from outlines in memory to the navmesh."""

    name: str
    vertices: int
    radius: float
    plan: Times
    build: Times
    steps: dict[str, float]
    polygons: int
    peak_mib: float


@dataclass(frozen=True)
class Map:
    """One map of MovingAI, and all its scenarios."""

    name: str
    polygons: int
    load: Times
    build: Times
    paths: Times
    solved: int
    scenarios: int
    share: float  # the length of all paths, of those over cells


def section(quick: bool) -> Section:
    repeat = QUICK_REPEAT if quick else REPEAT
    # First, because of the memory.
    builds = [
        built(n, radius, repeat)
        for n in (10_000, 100_000)
        for radius in (0.0, RADIUS)
        if n < 100_000 or not quick
    ]
    made = [triangulation(n, repeat) for n in (QUICK_SIZES if quick else SIZES)]
    slow = [greedy(n, repeat) for n in (QUICK_GREEDY_SIZES if quick else GREEDY_SIZES)]
    folder = FOLDER / "movingai"
    maps = [solved(name, repeat) for name in MAPS if (folder / f"{name}.map").exists()]
    text = paragraphs(
        HOW,
        table(TRIANGULATION_HEADS, [triangulation_row(result) for result in made]),
        GREEDY,
        table(("vertices", "ms"), [[digits(n), str(times)] for n, times in slow]),
        BUILDS,
        table(BUILD_HEADS, [build_row(result) for result in builds]),
        PATHS if maps else "",
        table(MAP_HEADS, [map_row(result) for result in maps]) if maps else "",
    )
    numbers = {
        "triangulations": [asdict(result) for result in made],
        "greedy": [[n, times.each] for n, times in slow],
        "builds": [asdict(result) for result in builds],
        "maps": [asdict(result) for result in maps],
    }
    return Section("Floor plans", text, numbers)


def hall(vertices: int) -> NDArray[np.float64]:
    """(k, 4, 2) float64: turned squares, a metre apart, with so many corners in all but four."""
    generator = np.random.default_rng(0)
    count = (vertices - 4) // 4
    side = math.ceil(math.sqrt(count))
    middles = np.stack(np.divmod(np.arange(count), side), axis=1) + 0.5
    turn = generator.uniform(0.0, math.pi / 2, count)[:, None] + np.arange(4) * (math.pi / 2)
    corners = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    sizes = generator.uniform(0.1, 0.48, count)[:, None, None]
    return np.asarray(np.round(middles[:, None] + sizes * corners, 4))


def plan_of(squares: NDArray[np.float64]) -> wm.FloorPlan:
    side = math.ceil(math.sqrt(len(squares)))
    return wm.FloorPlan([(0, 0), (side, 0), (side, side), (0, side)], squares)


def rings_of(
    squares: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the corners of a hall and its squares on a grid, where rings start, and their ids."""
    side = math.ceil(math.sqrt(len(squares)))
    outline = np.array([[(0, 0), (side, 0), (side, side), (0, side)]], dtype=float)
    points = np.concatenate([outline, squares[:, ::-1]]).reshape(-1, 2)
    places = np.round(1e4 * points).astype(np.int64)
    return places, np.arange(0, len(places) + 1, 4), np.arange(len(places))


def triangulation(vertices: int, repeat: int) -> Triangulation:
    say(f"triangulating {vertices} vertices")
    rings = rings_of(hall(vertices))
    outline, *holes = rings[0].reshape(-1, 4, 2).astype(float)
    polygon = shapely.Polygon(outline, holes)
    triangles = triangulate(*rings)
    ours, geos = [], []
    for turn in range(repeat):
        ours.append(timed(lambda: triangulate(*rings)))
        if vertices < GEOS_ONCE or (vertices == GEOS_ONCE and turn == 0):
            geos.append(timed(lambda: shapely.constrained_delaunay_triangles(polygon)))
    theirs = Times(tuple(geos)) if geos else None
    return Triangulation(len(rings[0]), len(triangles), Times(tuple(ours)), theirs)


def greedy(vertices: int, repeat: int) -> tuple[int, Times]:
    say(f"greedily, {vertices} vertices")
    triangulate_greedily(*rings_of(hall(12)))  # kernels are loaded now
    rings = rings_of(hall(vertices))
    times = [timed(lambda: triangulate_greedily(*rings)) for _ in range(repeat)]
    return len(rings[0]), Times(tuple(times))


def built(vertices: int, radius: float, repeat: int) -> Build:
    say(f"plan of {vertices} vertices, radius {radius:g} m")
    squares, agent = hall(vertices), wm.Agent(radius=radius)
    navmesh = wm.build(plan_of(squares), agent)
    plans, builds = [], []
    steps: dict[str, list[float]] = {}
    for _ in range(repeat):
        plans.append(timed(lambda: plan_of(squares)))
        navmesh = wm.build(plan_of(squares), agent)
        assert navmesh.report is not None
        builds.append(1e3 * (navmesh.report.total_seconds or 0.0))
        for stage in navmesh.report.stages:
            steps.setdefault(stage.name, []).append(1e3 * (stage.seconds or 0.0))
    assert navmesh.report is not None
    return Build(
        f"{len(squares):,} squares",
        4 * len(squares) + 4,
        radius,
        Times(tuple(plans)),
        Times(tuple(builds)),
        {name: Times(tuple(each)).median for name, each in steps.items()},
        navmesh.polygon_count,
        (navmesh.report.peak_memory_bytes or 0) / 2**20,
    )


def solved(name: str, repeat: int) -> Map:
    say(f"map {name}")
    file = FOLDER / f"movingai/{name}.map"
    trips = load_scenarios(file.with_suffix(".map.scen"))
    starts, goals = (np.column_stack([p, np.zeros(len(p))]) for p in (trips.starts, trips.goals))
    agent = wm.Agent(radius=0)
    navmesh = wm.build(wm.load_plan(file), agent)
    paths = navmesh.find_paths(starts, goals)
    loads, builds, queries = [], [], []
    for _ in range(repeat):
        loads.append(timed(lambda: wm.load_plan(file)))
        plan = wm.load_plan(file)
        builds.append(timed(lambda: wm.build(plan, agent)))  # noqa: B023 - called at once
        queries.append(timed(lambda: navmesh.find_paths(starts, goals)))
    lengths = trips.lengths[paths.statuses == "complete"]
    return Map(
        name,
        navmesh.polygon_count,
        Times(tuple(loads)),
        Times(tuple(builds)),
        Times(tuple(queries)),
        int((paths.statuses == "complete").sum()),
        len(starts),
        float(paths.lengths[paths.statuses == "complete"].sum() / lengths.sum()),
    )


def timed(work: Callable[[], object]) -> float:
    """Return what something takes, in ms."""
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


HOW = """Squares at random angles, a metre apart, as holes of one floor. `triangulate`, the
constrained Delaunay triangulation of `Planar(triangulator="delaunay")`, on one thread, beside
`shapely.constrained_delaunay_triangles` (GEOS) on the same polygon, by turns; medians in ms with
(largest - smallest, runs). The last column would be the same everywhere if the time grew exactly as
n log2 n."""
TRIANGULATION_HEADS = (
    "vertices",
    "triangles",
    "walkmesh ms",
    "GEOS ms",
    "GEOS / ours",
    "ns a step",
)
GREEDY = f"""The greedy triangulation, `Planar(triangulator="greedy")`, of the same halls, up to the
most vertices that it takes, {MAX_VERTICES:,}."""
BUILDS = """From outlines in memory: a `FloorPlan` of them, and the navmesh, by stage. Memory is the
process's largest so far."""
BUILD_HEADS = (
    "plan",
    "vertices",
    "radius m",
    "FloorPlan ms",
    "build ms",
    "outline",
    "clearance",
    "triangles",
    "polygons",
    "polygons out",
    "MiB",
)
PATHS = """Maps of the MovingAI benchmarks, for an agent without a radius: loading and building the
plan, and the shortest paths of all scenarios, on two threads. Lengths are shares of the best ways
from cell middle to cell middle, which the files give."""
MAP_HEADS = (
    "map",
    "polygons",
    "load ms",
    "build ms",
    "all paths ms",
    "solved",
    "scenarios",
    "length",
)


def triangulation_row(result: Triangulation) -> list[str]:
    return [
        digits(result.vertices),
        digits(result.triangles),
        str(result.ours),
        str(result.geos) if result.geos else "-",
        f"{result.geos.median / result.ours.median:.1f}" if result.geos else "-",
        f"{result.per_step:.1f}",
    ]


def build_row(result: Build) -> list[str]:
    return [
        result.name,
        digits(result.vertices),
        f"{result.radius:g}",
        str(result.plan),
        str(result.build),
        *(digits(value) for value in result.steps.values()),
        digits(result.polygons),
        digits(result.peak_mib),
    ]


def map_row(result: Map) -> list[str]:
    return [
        result.name,
        digits(result.polygons),
        str(result.load),
        str(result.build),
        str(result.paths),
        digits(result.solved),
        digits(result.scenarios),
        f"{result.share:.4f}",
    ]
