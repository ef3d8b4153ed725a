"""Floor plans: navmeshes from outlines in two dimensions, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from walkmesh.builder.plan.stages import STAGES
from walkmesh.builder.plan.state import PlanBuild
from walkmesh.builder.stage import Stage, StagedMethod, arc_setting
from walkmesh.building import Building
from walkmesh.floor_plan import FloorPlan
from walkmesh.settings import choice, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.progress import Progress


@dataclass(frozen=True, kw_only=True)
class Planar(StagedMethod):
    """Settings of the method for floor plans, which works on an integer grid.

    The plan is snapped to the grid once. From then on, which side of a line a corner lies on is
    known exactly, so triangles cover the free floor without gaps, overlaps or T-junctions, and
    polygons are convex without a tolerance.

    Parameters
    ----------
    triangulator : {"delaunay", "greedy"}
        ``"delaunay"`` for the constrained Delaunay triangulation, in O(n log n), whose triangles
        are as little skinny as can be; ``"greedy"`` for triangles in the order in which they are
        found, in cubic time and more, for teaching.
    grid_step : float, default 0
        How far the lines of the grid are apart. 0 for a tenth of a millimetre, or the next power
        of ten at which the plan has no more than 2^26 steps. [Limit: >= 0] [Unit: m]
    arc_error : float, default 0.025
        How far the corners of the straight lines that stand for an arc around an obstacle may lie
        outside of it. [Limit: >= 0.0001, <= 1] [Unit: m]
    wall_thickness : float, default 0
        How thick walls are that are given as lines; at least four steps of the grid.
        [Limit: >= 0, <= 100] [Unit: m]
    up : {"z", "y"}
        Which way is up in the navmesh. A place (x, y) of the plan is (x, y, height) if it is
        ``"z"``, and (x, height, -y) if it is ``"y"``, as engines turn it.

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    triangulator: str = choice("delaunay", "How to triangulate", "greedy")
    grid_step: float = setting(
        0.0, "How far the lines of the grid are apart; 0 for as fine as can be", "m"
    )
    arc_error: float = arc_setting()
    wall_thickness: float = setting(
        0.0, "How thick walls are that are given as lines", "m", maximum=100.0
    )
    up: str = choice("z", "Which way is up in the navmesh", "y")

    stages: ClassVar = STAGES
    state: ClassVar = PlanBuild
    packages: ClassVar[tuple[str, ...]] = (
        "walkmesh.builder.plan",
        "walkmesh.builder.triangulation",
    )

    def run(
        self, scene: FloorPlan | Building, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        building = Building([scene]) if isinstance(scene, FloorPlan) else scene
        return super().run(building, agent, progress, workers)
