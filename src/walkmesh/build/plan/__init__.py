"""Floor plans: navmeshes from outlines in two dimensions, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from walkmesh.build.mesh import Stage, check_any
from walkmesh.build.plan.clearance import keep_clear
from walkmesh.build.plan.grid import Grid
from walkmesh.build.plan.outline import lay_out
from walkmesh.build.plan.polygons import make_navmesh, triangle_mesh
from walkmesh.build.plan.triangles import triangulate_sheets
from walkmesh.building import Building
from walkmesh.floor_plan import FloorPlan
from walkmesh.settings import check, choice, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.build.mesh import TriangleMesh
    from walkmesh.build.plan.sheet import Layout
    from walkmesh.progress import Progress


@dataclass(frozen=True, kw_only=True)
class Planar:
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
    arc_error: float = setting(
        0.025,
        "How far corners may lie outside an arc around an obstacle",
        "m",
        minimum=1e-4,
        maximum=1.0,
    )
    wall_thickness: float = setting(
        0.0, "How thick walls are that are given as lines", "m", maximum=100.0
    )
    up: str = choice("z", "Which way is up in the navmesh", "y")

    stage_names: ClassVar[tuple[str, ...]] = ("outline", "clearance", "triangles", "polygons")
    notes: ClassVar[tuple[str, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ("walkmesh.build.plan", "walkmesh.build.triangulation")

    def __post_init__(self) -> None:
        check(self)

    def run(
        self, scene: FloorPlan | Building, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        building = Building([scene]) if isinstance(scene, FloorPlan) else scene

        def look_at(sheets: Layout) -> TriangleMesh:
            triangles, _ = triangulate_sheets(sheets, "delaunay", lambda _: None)
            return triangle_mesh(sheets, triangles, self.up)

        progress("outline", 0.0)
        grid = Grid.over(building.bounds, self.grid_step)
        floors, counts = lay_out(building, grid, agent, self.wall_thickness)
        yield Stage.of("outline", lambda: look_at(floors), **counts)

        progress("clearance", 0.0)
        if agent.radius > 0.0 and floors.corner_count:
            layout = keep_clear(
                floors, agent, self.arc_error, partial(progress, "clearance"), workers
            )
        else:
            layout = floors
        check_any(layout.following(), agent)
        yield Stage.of(
            "clearance",
            lambda: look_at(layout),
            stair_parts_too_narrow=sum(
                not len(sheet.corners) for sheet in layout.sheets if sheet.ends is not None
            ),
            corners_out=layout.corner_count,
        )

        progress("triangles", 0.0)
        triangles, _ = triangulate_sheets(layout, self.triangulator, partial(progress, "triangles"))
        yield Stage.of(
            "triangles",
            lambda: triangle_mesh(layout, triangles, self.up),
            triangles_out=len(triangles),
        )

        progress("polygons", 0.0)
        navmesh = make_navmesh(layout, triangles, agent, self.up)
        yield Stage.of("polygons", lambda: navmesh, polygons_out=navmesh.polygon_count)
