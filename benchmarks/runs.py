"""Builds of one scene by anyone, and how to time several builders in fairness: by turns."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Name = TypeVar("Name")


@dataclass(frozen=True)
class Run:
    """One build.

    Attributes
    ----------
    wall_ms, cpu_ms : float
        From the scene in memory to the navmesh in memory; CPU time of all threads together.
        [Unit: ms]
    steps_ms : dict of str to float
        What each step took. [Unit: ms]
    polygons, triangles, components : int
        Of the navmesh; triangles are those that give it its heights.
    peak_mib : float
        The most that the process had in memory, the scene included. [Unit: MiB]
    error : str
        Why there is no navmesh, or why it cannot be right; empty otherwise.
    """

    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    steps_ms: dict[str, float] = field(default_factory=dict)
    polygons: int = 0
    triangles: int = 0
    components: int = 0
    peak_mib: float = 0.0
    error: str = ""


@dataclass(frozen=True)
class Times:
    """Repeated measurements of one thing. [Unit: ms]."""

    each: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.each)

    @property
    def spread(self) -> float:
        """The largest less the smallest."""
        return max(self.each) - min(self.each)

    def __str__(self) -> str:
        spread = "one run" if len(self.each) == 1 else f"{digits(self.spread)}, {len(self.each)}"
        return f"{digits(self.median)} ({spread})"


@dataclass(frozen=True)
class Runs:
    """All builds of one scene by one builder, at least one."""

    each: tuple[Run, ...]

    @property
    def error(self) -> str:
        """Of the first run that failed."""
        return next((run.error for run in self.each if run.error), "")

    @property
    def wall(self) -> Times:
        """Times on the wall."""
        return Times(tuple(run.wall_ms for run in self.each))

    @property
    def cpu(self) -> Times:
        """CPU times of all threads together."""
        return Times(tuple(run.cpu_ms for run in self.each))

    @property
    def steps(self) -> dict[str, float]:
        """The median of each step. [Unit: ms]."""
        names = self.each[0].steps_ms
        return {name: statistics.median(run.steps_ms[name] for run in self.each) for name in names}

    @property
    def last(self) -> Run:
        """The last run; all make the same navmesh."""
        return self.each[-1]


def by_turns(
    builders: Mapping[Name, Callable[[], Run]],
    turns: int,
    enough_seconds: float,
    before: Mapping[Name, Run] | None = None,
) -> dict[Name, Runs]:
    """Let every builder build once, then every one once more, and so on.

    The speed of a machine drifts; by turns, all builders get their share of every phase.

    Parameters
    ----------
    builders : mapping to callable
        Each builds the same scene.
    turns : int
        How often.
    enough_seconds : float
        A builder that has failed sits out, and so does one that has built twice and for so long.
        [Unit: s]
    before : mapping to Run, optional
        Runs that were made before and count too.
    """
    made = before or {}
    runs = {name: [made[name]] if name in made else [] for name in builders}
    for _ in range(turns):
        for name, build in builders.items():
            if not _sits_out(runs[name], enough_seconds):
                runs[name].append(build())
    return {name: Runs(tuple(each)) for name, each in runs.items()}


def _sits_out(runs: Sequence[Run], enough_seconds: float) -> bool:
    seconds = sum(run.wall_ms for run in runs) / 1e3
    return any(run.error for run in runs) or (len(runs) > 1 and seconds > enough_seconds)


def digits(value: float) -> str:
    """Return a number with three digits that count, or all before the point."""
    return f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}"
