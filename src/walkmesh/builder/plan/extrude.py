"""From a floor plan to a scene: the floor as triangles, and walls that stand on its outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.agent import Agent
from walkmesh.arguments import read_length
from walkmesh.builder.plan.grid import Grid
from walkmesh.builder.plan.stages.outline import lay_out
from walkmesh.builder.plan.stairs import footprints, lay_flights
from walkmesh.builder.plan.triangles import triangulate_sheets
from walkmesh.errors import SettingsError
from walkmesh.floor_plan import in_world
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from walkmesh.arrays import Indices
    from walkmesh.builder.plan.sheet import PlanSheet
    from walkmesh.building import Building

# How far from the outline of stairs an edge along it may be, in the middle. [steps]
_BESIDE = 1.5


def extrude(building: Building, wall_height: float, headroom: float, up: str) -> Scene:
    """Return floors and stairs as triangles, with walls on the outlines of floors.

    Parameters
    ----------
    wall_height : float
        How high walls are. [Unit: m]
    headroom : float
        Floors are cut where stairs are less than this above or below. [Unit: m]
    up : {"z", "y"}
        Which way is up in the scene.
    """
    if not isinstance(up, str) or up not in ("z", "y"):
        raise SettingsError(f"up is {up!r}; it must be 'z' or 'y'")
    rise = in_world(np.zeros((1, 2)), np.array([read_length("wall_height", wall_height)]), up)
    # All stairs are part of the scene, also those that are too steep for someone.
    climber = Agent(
        height=read_length("headroom", headroom), max_slope=89.9, radius=0.0, max_step=0.0
    )
    grid = Grid.over(building.bounds)
    layout, _ = lay_out(building, grid, climber, 0.0)
    flights = lay_flights(building, grid, climber)
    ground, _ = triangulate_sheets(layout, "delaunay", lambda _: None)
    corners = layout.world_corners(up)
    floors = zip(layout.starts, layout.sheets, building.floors, strict=False)
    first = np.concatenate(
        [
            start + _wall_edges(sheet, footprints(flights, floor.height, climber.height))
            for start, sheet, floor in floors
        ]
    )
    last = layout.following()[first]
    above_first, above_last = len(corners) + first, len(corners) + last
    # Their fronts face the floor, which lies to the left of an edge.
    walls = np.concatenate(
        [np.stack([last, first, above_first], axis=1), np.stack([last, above_first, above_last], 1)]
    )
    faces = np.concatenate([ground, walls]).astype(np.int32)
    return Scene(np.concatenate([corners, corners + rise]), faces, up)


def _wall_edges(floor: PlanSheet, taken: list[shapely.Polygon]) -> Indices:
    """(k,) int: the edges of a floor that have a wall: those that stairs did not make."""
    middles = (floor.corners + floor.corners[floor.following]) / 2.0
    away = shapely.distance(shapely.points(middles), shapely.union_all(taken))
    return np.flatnonzero(~(away <= _BESIDE))  # which is NaN without stairs
