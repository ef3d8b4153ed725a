"""Three cases that need detail: doorways, a spiral and an overhang.

They are those that L. Sanchez, Generating High-Precision Navigation Mesh (Charles University,
Prague 2021) compares with Recast.

Whether a navmesh has the detail is measured on it, the same way for ours and for Recast's.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

import walkmesh as wm
from named_scenes import DOORS, make_scene
from ours import METHODS, Ours
from page import Section, paragraphs, say, table
from recast import Cell, Recast
from runs import Run, Runs, Times, by_turns, digits
from walkmesh.samples.soup import turn_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

TURNS = 5
ENOUGH_SECONDS = 5.0
# A place is on a navmesh if that comes so close; rooms shrink by the agent's radius and a cell. [m]
NEAR = 0.5
# A boundary is where it should be if it is no further off. [m]
ENOUGH_DETAIL = 0.02
# How many lines across the floor under the plate are looked at.
LINES = 41


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes
    ----------
    title, words : str
        What it is, and what counts as enough detail.
    scenes : sequence of str
        By name.
    cells : sequence of Cell
        Recast's: what RecastDemo starts with, then finer.
    look : callable
        Given the name of a scene and a navmesh, returns what is right about it.
    judge : callable
        Given what was seen in all scenes, returns words, and whether the detail is enough.
    """

    title: str
    words: str
    scenes: Sequence[str]
    cells: Sequence[Cell]
    look: Callable[[str, wm.NavMesh], tuple[float, ...]]
    judge: Callable[[Sequence[tuple[float, ...]]], tuple[str, bool]]


# Doorways


def look_at_doors(scene: str, navmesh: wm.NavMesh) -> tuple[float, ...]:
    """Return whether every door is right, and whether all those are open that should be."""
    rooms = wm.samples.doorway_rooms(len(DOORS) + 1, float(scene.partition(":")[2]))
    homes = components_at(navmesh, rooms)
    is_open = [a == b != -1 for a, b in pairwise(homes)]
    wanted = [width >= 2.0 * navmesh.agent.radius for width in DOORS]
    opened = all(found for found, want in zip(is_open, wanted, strict=True) if want)
    return float(is_open == wanted), float(opened)


def judge_doors(seen: Sequence[tuple[float, ...]]) -> tuple[str, bool]:
    right, opened = (int(sum(column)) for column in zip(*seen, strict=True))
    words = f"every door right at {right} of {len(seen)} angles, wide ones open at {opened}"
    return words, right == len(seen)


# The spiral


def look_at_spiral(scene: str, navmesh: wm.NavMesh) -> tuple[float, ...]:
    """Return how far from the middle the ground ends that can be reached from outside, in m."""
    bounds = make_scene(scene).bounds
    corner = bounds[0] + 2.0 * navmesh.agent.radius
    corner[1] = 0.0
    outside, middle = components_at(navmesh, [corner, (0.0, 0.0, 0.0)])
    if outside == middle != -1:
        return (0.0,)
    reached = np.repeat(navmesh.components == outside, np.diff(navmesh.polygon_offsets))
    points = navmesh.vertices[navmesh.polygon_vertices[reached]]
    return (float(np.hypot(points[:, 0], points[:, 2]).min()) if len(points) else np.inf,)


def judge_spiral(seen: Sequence[tuple[float, ...]]) -> tuple[str, bool]:
    words = ["the middle is reached" if s == 0.0 else f"ends {s:.2f} m before" for (s,) in seen]
    return "; ".join(words), not any(s for (s,) in seen)


# The overhang


def look_at_plate(scene: str, navmesh: wm.NavMesh) -> tuple[float, ...]:
    """Return the mean and the largest distance between true boundary and navmesh, in m.

    The true boundary is a straight line across the floor, where the plate is as high as the agent
    plus the agent's radius. Distances are negative where the navmesh goes beyond it.
    """
    agent = navmesh.agent
    plan = turn_plan(navmesh.frame.to_plan(navmesh.vertices), -float(scene.partition(":")[2]))
    triangles = plan[navmesh.triangles]
    on_floor = triangles[:, :, 2].max(axis=1) < agent.max_step
    ground = shapely.union_all(shapely.polygons(triangles[on_floor][:, :, :2]))
    line = wm.samples.headroom_line(30.0, height=agent.height) + agent.radius
    sides = (NEAR, 3.0 - NEAR)
    rays = [shapely.LineString([(0.0, v), (line + 1.0, v)]) for v in np.linspace(*sides, LINES)]
    starts = shapely.bounds(shapely.intersection(ground, rays))[:, 0]
    # Nothing within a metre of the line is a metre too far.
    gaps = np.nan_to_num(starts - line, nan=1.0)
    return float(gaps.mean()), float(gaps[np.abs(gaps).argmax()])


def judge_plate(seen: Sequence[tuple[float, ...]]) -> tuple[str, bool]:
    # Whole millimetres, and no -0.
    tenths = [[round(metres * 100.0, 1) + 0.0 for metres in pair] for pair in seen]
    words = [f"{mean:.1f} cm, at most {most:.1f}" for mean, most in tenths]
    return "; ".join(words), all(abs(most) <= ENOUGH_DETAIL for _, most in seen)


ANGLES = (0.0, 7.0, 17.0, 30.0, 45.0, 61.3, 88.0)
QUICK_ANGLES = (0.0, 17.0)
DEMO = Cell(0.3, 0.2)


def cases(quick: bool) -> list[Case]:
    angles = QUICK_ANGLES if quick else ANGLES
    return [
        Case(
            "Rooms and doorways",
            f"Six rooms in a row, joined by doors 1 cm wider and 1 cm narrower than the agent, at "
            f"{len(angles)} angles against the grid; times and triangles are of all angles "
            "together. The detail is enough when every wide door is open and every narrow one "
            "shut, at every angle.",
            [f"doorways:{angle:g}" for angle in angles],
            (DEMO, *(Cell(s, max(s, 0.01)) for s in (0.1, 0.05, 0.04, 0.02, 0.01, 0.005))),
            look_at_doors,
            judge_doors,
        ),
        Case(
            "Spiral",
            "Two corridors that wind twice around the middle, 12 cm and 2 cm wider than the agent. "
            "The detail is enough when the navmesh leads from outside into the middle of both.",
            ("spiral:0.12", "spiral:0.02"),
            (DEMO, *(Cell(s, s) for s in (0.1, 0.05, 0.03, 0.02, 0.01))),
            look_at_spiral,
            judge_spiral,
        ),
        Case(
            "Overhang",
            "A floor under a plate that rises at 30 degrees, along the grid and turned by 17 "
            "degrees: how far the navmesh ends from the true boundary under the plate. The detail "
            f"is enough when that is nowhere more than {ENOUGH_DETAIL * 100:g} cm.",
            ("plate:0", "plate:17"),
            (DEMO, Cell(0.1, 0.1), Cell(0.05, 0.05), Cell(0.03, 0.01), Cell(0.01, 0.01)),
            look_at_plate,
            judge_plate,
        ),
    ]


def components_at(navmesh: wm.NavMesh, places: ArrayLike) -> list[int]:
    """Return the component at each place, -1 where the navmesh is too far away."""
    found = navmesh.nearest(places)
    near = found.distances < NEAR
    return [int(c) for c in np.where(near, navmesh.components[found.polygons], -1)]


# Measuring


@dataclass(frozen=True)
class Row:
    """One navmesh of each of a case's scenes, by one builder."""

    builder: str
    runs: dict[str, Runs]
    words: str
    enough: bool

    @property
    def times(self) -> Times:
        """All scenes together, turn by turn. [Unit: ms]."""
        ours = not self.builder.startswith("Recast")
        turns = [(runs.wall if ours else runs.cpu).each for runs in self.runs.values()]
        return Times(tuple(sum(turn) for turn in zip(*turns, strict=False)))

    @property
    def triangles(self) -> int:
        """Of all scenes' navmeshes."""
        return sum(runs.last.triangles for runs in self.runs.values())


def measure(case: Case, turns: int) -> list[Row]:
    """Build all scenes of a case with every method and every cell, by turns."""
    agent = wm.Agent()
    measured: dict[str, dict[str, Runs]] = {}
    seen: dict[str, list[tuple[float, ...]]] = {}
    with ExitStack() as stack:
        ours = {method: stack.enter_context(Ours(method)) for method in METHODS}
        for name in case.scenes:
            say(name)
            scene = make_scene(name)
            recast = Recast(scene, agent, Path(stack.enter_context(tempfile.TemporaryDirectory())))
            builders: dict[str, Callable[[], Run]] = {
                **{method: partial(ours[method].build, name) for method in METHODS},
                **{f"Recast {cell}": partial(recast.build, cell) for cell in case.cells},
            }
            navmeshes: dict[str, Callable[[], wm.NavMesh]] = {
                **{m: partial(wm.build, scene, agent, how) for m, how in METHODS.items()},
                **{f"Recast {cell}": partial(recast.polygons, cell) for cell in case.cells},
            }
            for builder, runs in by_turns(builders, turns, ENOUGH_SECONDS).items():
                measured.setdefault(builder, {})[name] = runs
                if not runs.error:
                    seen.setdefault(builder, []).append(case.look(name, navmeshes[builder]()))
    rows = []
    for builder, runs_of in measured.items():
        errors = [runs.error for runs in runs_of.values() if runs.error]
        words, enough = (errors[0], False) if errors else case.judge(seen[builder])
        rows.append(Row(builder, runs_of, words, enough))
    return rows


# Writing


def section(quick: bool) -> Section:
    parts, numbers = [HOW], {}
    for case in cases(quick):
        rows = measure(case, 2 if quick else TURNS)
        parts += [f"### {case.title}", case.words, table(HEADS, [cells(row) for row in rows])]
        parts.append(verdict(rows))
        numbers[case.title] = [asdict(row) for row in rows]
    return Section("Three cases that need detail", paragraphs(*parts), numbers)


HOW = """\
The three cases in which L. Sanchez, *Generating High-Precision Navigation Mesh* (master thesis,
Charles University, Prague 2021), compares his method with Recast, here with scenes of `wm.samples`
whose answers are known. Times are in ms, the median of some runs by turns with (largest -
smallest, runs): on the wall for us, CPU time for Recast. Recast's first cell is what RecastDemo
starts with."""

HEADS = ("algorithm", "ms", "triangles", "measured", "enough detail")


def cells(row: Row) -> list[str]:
    """Return one row of `HEADS`."""
    return [
        row.builder,
        str(row.times),
        f"{row.triangles}",
        row.words,
        "yes" if row.enough else "no",
    ]


def verdict(rows: Sequence[Row]) -> str:
    """Return who wins, in a sentence made of the numbers."""
    enough = sorted((row for row in rows if row.enough), key=lambda row: row.times.median)
    theirs = next((row for row in enough if row.builder.startswith("Recast")), None)
    ours = next((row for row in enough if not row.builder.startswith("Recast")), None)
    winner = enough[0] if enough else None
    if winner is None:
        return "Nobody has enough detail."
    time = f"{digits(winner.times.median)} ms"
    if theirs is None:
        return (
            f"{winner.builder} has enough detail in {time}; Recast has not, at any of these cells."
        )
    if ours is None:
        return f"{winner.builder} has enough detail in {time}; walkmesh has not."
    other = ours if winner is theirs else theirs
    ratio = other.times.median / winner.times.median
    return (
        f"Both have enough detail; {winner.builder} is {ratio:.3g} times faster: {time} against "
        f"{digits(other.times.median)} ms of {other.builder}."
    )
