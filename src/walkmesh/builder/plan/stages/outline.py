"""The outline of the free floor: floors without obstacles and walls, on the grid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from walkmesh.builder.plan.grid import Grid
from walkmesh.builder.plan.sheet import Layout, PlanSheet
from walkmesh.builder.plan.stairs import footprints, lay_flights, lay_parts, meet
from walkmesh.builder.plan.triangles import layout_mesh
from walkmesh.builder.triangulation import triangulate
from walkmesh.errors import BuildError
from walkmesh.ragged import following_corners, offsets_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools
    from walkmesh.builder.plan.state import PlanBuild
    from walkmesh.builder.stage import Stage
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan

# Half of how thick a wall is that is given as a line: enough to stay a wall when it is snapped.
# [steps]
_LEAST_HALF = 2.0
# A corner sharper than this, given by its cosine, is a spike: of its tip the grid may lose what is
# narrower than a step, which is a millimetre of it at six degrees and more of a sharper one.
_SPIKE = math.cos(math.radians(6.0))


def run(build: PlanBuild) -> Stage:
    """Lay out the floors and stairs on a grid."""
    grid = Grid.over(build.scene.bounds, build.method.grid_step)
    floors, counts = lay_out(build.scene, grid, build.agent, build.method.wall_thickness)
    build.layout = floors
    return build.made(lambda: layout_mesh(floors, build.method.up), **counts)


def lay_out(
    building: Building, grid: Grid, agent: Agent, wall_thickness: float
) -> tuple[Layout, dict[str, int]]:
    """Lay the floors and stairs of a building on a grid.

    Parameters
    ----------
    wall_thickness : float
        How thick walls are that are given as lines. [Unit: m]

    Returns
    -------
    Layout
        The floors, without obstacles, walls and what stairs take, and then the parts of stairs.
    dict of str to int
        Counts of what there was, and of what was left out.

    Raises
    ------
    SceneError
        When stairs begin or end where there is no floor, or lie over each other.
    """
    flights = lay_flights(building, grid, agent)
    climbable = [flight for flight in flights if not flight.too_steep]
    parts = lay_parts(climbable, agent.height)
    sheets = []
    for floor in building.floors:
        taken = footprints(flights, floor.height, agent.height)
        sheets.append(_free_sheet(floor, grid, wall_thickness, taken))
    layout = meet(Layout(grid, tuple(sheets)), climbable, parts)
    counts = {
        "stairs_too_steep": len(flights) - len(climbable),
        "corners_out": layout.corner_count,
    }
    return layout, counts


def _free_sheet(
    floor: FloorPlan, grid: Grid, wall_thickness: float, taken: list[shapely.Polygon]
) -> PlanSheet:
    """Return what is left of a floor, with its corners on the grid."""
    rise = floor.height, floor.height
    ground = _snapped(grid, np.array([floor.boundary]))
    obstacles = np.array([*floor.obstacles, None])[:-1]
    blocks = _snapped(grid, obstacles)
    half = max(wall_thickness / 2.0 / grid.step, _LEAST_HALF)
    walls = _thick(grid, floor.walls, half)
    # What is thinner than a step may vanish on the grid, but what it kept apart stays apart.
    thin = shapely.get_exterior_ring(obstacles[_are_thin(blocks)])
    hairs = _thick(grid, [*floor.hairlines, *thin], _LEAST_HALF)
    # United as far as they touch: uniting all with all at once takes ten times as long.
    blocked = shapely.disjoint_subset_union_all([*blocks, *walls, *hairs, *taken])
    if blocked.is_empty:
        whole = PlanSheet.of(ground[0], rise=rise)
        if _bounds_a_region(whole):
            return whole
    return PlanSheet.of(shapely.difference(ground[0], blocked, grid_size=1.0), rise=rise)


def _bounds_a_region(sheet: PlanSheet) -> bool:
    """Tell whether rings have a corner wherever they touch.

    Maps of robots have a million corners and no obstacle but their own holes: to triangulate them
    takes half a second, and to look for crossings that are not there takes GEOS fifteen.
    """
    try:
        triangulate(sheet.corners, sheet.offsets, np.arange(len(sheet.corners)))
    except BuildError:
        return False
    return True


def _thick(grid: Grid, lines: Sequence[shapely.LineString], half: float) -> Any:
    """(n,) object: the pieces of lines on the grid with so many steps on either side."""
    places, owners = shapely.get_coordinates(np.array([*lines, None])[:-1], return_index=True)
    # Piece by piece: of a line that comes back to its start in a spike, GEOS would lose the spike.
    ends = np.stack([grid.steps(places)[:-1], grid.steps(places)[1:]], axis=1)
    pieces = shapely.linestrings(ends[owners[:-1] == owners[1:]])
    return shapely.buffer(pieces, half, cap_style="square")


def _snapped(grid: Grid, shapes: Any) -> Any:
    """Return shapes with their corners on the grid."""
    snapped = shapely.transform(shapes, grid.snap)
    broken = ~shapely.is_valid(snapped)
    if broken.any():
        snapped[broken] = shapely.set_precision(shapely.transform(shapes[broken], grid.steps), 1.0)
    return snapped


def _are_thin(blocks: Any) -> Bools:
    """(n,) bool: which obstacles on the grid are narrower than a step or so, or have a spike."""
    areas = shapely.area(blocks)
    thin = (areas == 0.0) | (areas < 0.5 * shapely.length(blocks))
    thin |= shapely.get_type_id(blocks) != shapely.GeometryType.POLYGON  # a neck is lost
    rings, owners = shapely.get_rings(blocks, return_index=True)
    corners, loops = shapely.get_coordinates(rings, return_index=True)
    ahead = np.diff(corners, axis=0)[loops[1:] == loops[:-1]]
    ahead /= np.maximum(np.hypot(*ahead.T), np.finfo(float).tiny)[:, None]
    following = following_corners(offsets_of(shapely.get_num_coordinates(rings) - 1))
    goes_back = (ahead * ahead[following]).sum(axis=1) < -_SPIKE
    edges = np.repeat(owners, shapely.get_num_coordinates(rings) - 1)
    thin[edges[goes_back]] = True
    return np.asarray(thin)
