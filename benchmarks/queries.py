"""Paths: queries a second and lengths beside Detour, on the same polygons; and a large navmesh."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import our_queries
import walkmesh as wm
from named_scenes import make_scene, present
from our_queries import Batch, Measured
from page import Section, paragraphs, say, table
from recast import Answers, Cell, Pairs, Recast
from runs import digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SCENES = ("nav_test", "dungeon", "undulating")
QUICK_SCENES = ("nav_test",)
CELLS = (Cell(0.3, 0.2), Cell(0.1, 0.1))
QUICK_CELLS = (Cell(0.3, 0.2),)
# Pairs of places in one component, and of any places.
KINDS = ("connected", "any")
PAIRS = 5_000
QUICK_PAIRS = 1_000
REPEAT = 10
QUICK_REPEAT = 10
LARGE_REPEAT = 2
# A thousand queries take Detour a few ms, which is little to measure.
DETOUR_REPEAT = 20
# Shorter paths are left out of ratios: Detour's coordinates have 32 bits. [m]
SHORT = 1.0
# Cells along the side of the large navmesh, which has about 100,000 of them left.
SIDE = 335
QUICK_SIDE = 100
LARGE_PAIRS = 200
QUICK_LARGE_PAIRS = 20
HOLES = 0.1  # the share of its cells that is missing


@dataclass(frozen=True)
class Longer:
    """How much longer paths are than the shortest ones, as a share of these."""

    mean: float
    most: float

    def __str__(self) -> str:
        return f"{self.mean:.2%}, {self.most:.1%}"


@dataclass(frozen=True)
class Result:
    """All paths between some pairs on one navmesh."""

    navmesh: str
    polygons: int
    kind: str
    pairs: int
    detour: Answers
    ours: Measured
    detour_longer: Longer
    corridor_longer: Longer

    def rate(self, milliseconds: float) -> float:
        """Return the queries a second, given the time of all."""
        return self.pairs / milliseconds * 1e3


def section(quick: bool) -> Section:
    names, missing = present(QUICK_SCENES if quick else SCENES)
    results = [
        result
        for name in names
        for cell in (QUICK_CELLS if quick else CELLS)
        for result in measure(name, cell, quick)
    ]
    say("a large navmesh")
    navmesh = grid_navmesh(QUICK_SIDE if quick else SIDE, seed=1)
    count = QUICK_LARGE_PAIRS if quick else LARGE_PAIRS
    pairs = random_pairs(navmesh, count, "connected", seed=1)
    large, lengths = our_queries.find_paths(navmesh, pairs, LARGE_REPEAT)
    corridor_longer = longer(lengths[0], lengths[1])
    calls = [call_row(r.navmesh, r.ours) for r in results if r.kind == KINDS[0]]
    text = paragraphs(
        HOW,
        missing,
        *(verdict(results) if results else ()),
        table(RATE_HEADS, [rate_row(result) for result in results]),
        table(LENGTH_HEADS, [length_row(result) for result in results]),
        "### A large navmesh",
        describe_large(navmesh, count, large, corridor_longer),
        "### A single call",
        CALL,
        table(CALL_HEADS, [*calls, call_row("squares", large)]),
    )
    numbers = {
        "paths": [asdict(result) for result in results],
        "large": {"polygons": navmesh.polygon_count, "pairs": count, **asdict(large)},
    }
    return Section("Paths", text, numbers)


# Measuring


def measure(name: str, cell: Cell, quick: bool) -> list[Result]:
    """Search paths on Recast's polygons of one scene with Detour, then with ours."""
    results = []
    scene = make_scene(name)
    with tempfile.TemporaryDirectory() as folder:
        recast = Recast(scene, wm.Agent(), Path(folder))
        run = recast.build(cell)
        if run.error:
            raise SystemExit(f"Recast {cell} on {name}: {run.error}")
        navmesh = recast.polygons(cell)
        for kind in KINDS:
            say(f"{name} {cell}, {kind} pairs")
            pairs = random_pairs(navmesh, QUICK_PAIRS if quick else PAIRS, kind, seed=1)
            repeat = QUICK_REPEAT if quick else REPEAT
            theirs, their_lengths = recast.find_paths(cell, pairs, DETOUR_REPEAT)
            ours, lengths = our_queries.find_paths(navmesh, pairs, repeat)
            results.append(
                Result(
                    f"{name} {cell}",
                    navmesh.polygon_count,
                    kind,
                    len(pairs.starts),
                    theirs,
                    ours,
                    longer(their_lengths, lengths[1]),
                    longer(lengths[0], lengths[1]),
                )
            )
    return results


def random_pairs(navmesh: wm.NavMesh, count: int, kind: str, seed: int) -> Pairs:
    """Return pairs of places, uniformly by area seen from above.

    Parameters
    ----------
    navmesh : NavMesh
        Where they are.
    count : int
        How many pairs.
    kind : {"connected", "any"}
        Whether only pairs within a component are taken.
    seed : int
        The same pairs for the same seed.
    """
    rng = np.random.default_rng(seed)
    corners = navmesh.frame.to_plan(navmesh.vertices)[navmesh.triangles]
    sides = corners[:, 1:, :2] - corners[:, :1, :2]
    areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    ends: list[list[NDArray[np.int64]]] = [[], []]
    found = 0
    while found < count:
        drawn = rng.choice(len(areas), size=(2, 4 * count), p=areas / areas.sum())
        polygons = navmesh.triangle_polygons[drawn]
        alike = navmesh.components[polygons[0]] == navmesh.components[polygons[1]]
        kept = drawn[:, alike] if kind == "connected" else drawn
        for end, triangles in zip(ends, kept, strict=True):
            end.append(triangles)
        found += kept.shape[1]
    starts, goals = (np.concatenate(end)[:count] for end in ends)
    return Pairs(
        places_in(navmesh, starts, rng),
        places_in(navmesh, goals, rng),
        navmesh.triangle_polygons[starts],
        navmesh.triangle_polygons[goals],
    )


def places_in(
    navmesh: wm.NavMesh, triangles: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return a place in each triangle, in world coordinates that 32 bits can hold."""
    weights = rng.dirichlet((1.0, 1.0, 1.0), size=len(triangles))
    places = np.einsum("nk,nkd->nd", weights, navmesh.vertices[navmesh.triangles[triangles]])
    rounded: NDArray[np.float64] = places.astype(np.float32).astype(np.float64)
    return rounded


def longer(lengths: NDArray[np.float64], shortest: NDArray[np.float64]) -> Longer:
    """Compare the lengths of complete paths with those of the shortest."""
    compared = (lengths >= 0.0) & (shortest >= SHORT)
    if not compared.any():
        return Longer(0.0, 0.0)
    shares = lengths[compared] / shortest[compared] - 1.0
    return Longer(float(shares.mean()), float(shares.max()))


def grid_navmesh(side: int, seed: int) -> wm.NavMesh:
    """Return a navmesh of unit squares with square holes, of which only what is connected."""
    rng = np.random.default_rng(seed)
    free = np.ones((side, side), dtype=bool)
    while free.mean() > 1.0 - HOLES:
        x, z = rng.integers(0, side, size=2)
        size = rng.integers(1, 9)
        free[x : x + size, z : z + size] = False
    whole = squares(free)
    largest = np.bincount(whole.components).argmax()
    free[tuple(index[whole.components != largest] for index in np.nonzero(free))] = False
    return squares(free)


def squares(free: NDArray[np.bool_]) -> wm.NavMesh:
    """Return a navmesh of a unit square a free cell, in the order of ``np.nonzero``, y up."""
    x, z = np.nonzero(free)
    ids = np.arange((free.shape[0] + 1) * (free.shape[1] + 1)).reshape(np.add(free.shape, 1))
    corners = np.column_stack([ids[x, z], ids[x, z + 1], ids[x + 1, z + 1], ids[x + 1, z]])
    used, corners = np.unique(corners, return_inverse=True)
    columns, rows = np.divmod(used, free.shape[1] + 1)
    vertices = np.column_stack([columns, np.zeros(len(used)), rows])
    return wm.NavMesh(vertices, np.arange(0, corners.size + 1, 4), corners.ravel())


# Writing

HOW = f"""\
Recast's polygons of a scene, by the cell in m, are searched by Detour and by us. Places are drawn
uniformly by area: `connected` pairs lie in one component, `any` pairs anywhere, and some have no
path then. Detour's `findPath` and `findStraightPath` (one thread, 65,535 nodes) are measured with
the polygons of both ends known, and with `findNearestPoly` to find them first (`+ nearest`); ours,
`find_paths`, likewise, with `Located` ends and with points. Ours also lays paths onto the ground.
`corridor` is `optimal=False`, a search from polygon to polygon and a string
pulled tight as Detour has it; `optimal` finds the shortest path. Figures are queries a second, the
fastest repetition: by CPU time on one thread, and by time on the wall on two, from points. Detour
searches to the end where there is no path, and leads to the place nearest to the goal; we look at
components first.

Lengths are seen from above, and compared where the shortest path is at least {SHORT:g} m long."""

CALL = """\
`first call` is that of `find_path` in a new process with the navmesh loaded and all kernels
compiled, and prepares what all later ones need. `a call` is what a later one takes beyond a query's
share of a batch, for paths that lead nowhere: the price of calling from Python. Memory is the peak
of the process, before the first call and after all paths."""

RATE_HEADS = ("navmesh", "polygons", "pairs", "Detour", "corridor", "optimal",
              "Detour + nearest", "corridor + nearest", "optimal + nearest",
              "corridor, two threads", "optimal, two threads",
              "complete: Detour", "ours")  # fmt: skip
LENGTH_HEADS = ("navmesh", "pairs", "Detour longer: mean, most", "corridor longer: mean, most")
CALL_HEADS = ("navmesh", "first call ms", "a call us", "MiB before", "MiB after")


def rate_row(result: Result) -> list[str]:
    """Return one row of `RATE_HEADS`."""
    theirs, ours = result.detour, result.ours
    batches = (ours.corridor, ours.optimal)
    times = [
        theirs.path_ms,
        *(batch.located_ms for batch in batches),
        theirs.nearest_and_path_ms,
        *(batch.cpu_ms for batch in batches),
        *(batch.two_threads_ms for batch in batches),
    ]
    return [
        result.navmesh,
        f"{result.polygons:,}",
        result.kind,
        *(digits(result.rate(time)) for time in times),
        f"{theirs.complete:,}",
        f"{ours.optimal.complete:,}",
    ]


def length_row(result: Result) -> list[str]:
    """Return one row of `LENGTH_HEADS`."""
    return [result.navmesh, result.kind, str(result.detour_longer), str(result.corridor_longer)]


def call_row(navmesh: str, ours: Measured) -> list[str]:
    """Return one row of `CALL_HEADS`."""
    return [
        navmesh,
        digits(ours.first_ms),
        digits(ours.call_us),
        f"{ours.loaded_mib:.0f}",
        f"{ours.peak_mib:.0f}",
    ]


def describe_large(navmesh: wm.NavMesh, count: int, ours: Measured, corridor: Longer) -> str:
    """Return what the paths across the large navmesh take, in a sentence."""

    def each(batch: Batch) -> str:
        return f"{digits(batch.cpu_ms / count)} ms ({digits(batch.two_threads_ms / count)})"

    return (
        f"{navmesh.polygon_count:,} unit squares with holes, {count} pairs anywhere on it: a query "
        f"takes {each(ours.corridor)} by corridor and {each(ours.optimal)} for the shortest path, "
        f"on one thread (and on two). Corridors are {corridor.mean:.2%} longer on average, "
        f"{corridor.most:.1%} at most."
    )


def verdict(results: Sequence[Result]) -> list[str]:
    """Return who wins, in sentences made of the numbers."""
    sentences = []
    for what, batch in (("corridor", "corridor"), ("shortest path", "optimal")):
        ratios = {
            f"{r.navmesh}, {r.kind} pairs": r.detour.path_ms / getattr(r.ours, batch).located_ms
            for r in results
        }
        won = sum(ratio > 1.0 for ratio in ratios.values())
        best, worst = (pick(ratios, key=ratios.__getitem__) for pick in (max, min))
        sentences.append(
            f"By {what}, on one thread and with the polygons of both ends known, walkmesh "
            f"is faster than Detour in {won} of {len(ratios)} sets: {ratios[worst]:.3g} times "
            f"its queries a second at worst ({worst}), {ratios[best]:.3g} at best ({best})."
        )
    mean = float(np.mean([r.detour_longer.mean for r in results]))
    most = max(results, key=lambda r: r.detour_longer.most)
    sentences.append(
        f"Detour's paths are {mean:.2%} longer than the shortest on average, and up to "
        f"{most.detour_longer.most:.1%} ({most.navmesh}, {most.kind} pairs)."
    )
    return sentences
