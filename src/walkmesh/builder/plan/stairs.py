"""Stairs: their parts as sheets, what they take from floors, and where they meet them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from walkmesh.builder.plan.sheet import Layout, Meeting, PlanSheet, beside_line
from walkmesh.errors import SceneError

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Longs
    from walkmesh.builder.plan.grid import Grid
    from walkmesh.building import Building, Stairs


# A headroom that ends this close to a section ends there. [m]
_SLACK = 1e-6
# Flights drawn over each other in a strip no wider than this lie beside each other. [steps]
_WIDEST = 40.0
# A corner this close to a section is on it. [steps]
_ON_SECTION = 1.0
# Headroom between flights that is short by less than this is enough. [m]
_HEADROOM_SLACK = 1e-3


class Flight(NamedTuple):
    """One flight of stairs on the grid."""

    number: int  # in the building
    floors: tuple[int, int]
    sections: Longs  # (k, 2, 2) places
    heights: Floats  # (k,) in metres
    too_steep: bool
    others: Longs  # (n, 2): corners of the other flights

    def part(self, k: int) -> shapely.Polygon:
        """Return the outline between two sections, with the corners of others along it."""
        (a, b), (c, d) = self.sections[k : k + 2]
        sides = (a, b, _ON_SECTION), (b, d, _WIDEST), (d, c, _ON_SECTION), (c, a, _WIDEST)
        return shapely.Polygon(np.concatenate([_between(*side, self.others) for side in sides]))

    def sides(self) -> Longs:
        """(m, 2, 2) int64: the ends of the lines between sections, on either side."""
        ends = np.stack([self.sections[:-1], self.sections[1:]], axis=2)
        return ends.reshape(-1, 2, 2)


def lay_flights(building: Building, grid: Grid, agent: Agent) -> list[Flight]:
    """Return the flights of a building, with a section wherever the headroom of a floor ends."""
    flights: list[Flight] = []
    for number, stairs in enumerate(building.stairs):
        flights.append(_lay_flight(number, stairs, building, grid, agent, flights))
    corners = [flight.sections.reshape(-1, 2) for flight in flights]
    nothing = np.empty((0, 2), dtype=np.int64)
    return [
        flight._replace(others=np.concatenate([nothing, *corners[:i], *corners[i + 1 :]]))
        for i, flight in enumerate(flights)
    ]


def footprints(flights: list[Flight], height: float, headroom: float) -> list[shapely.Polygon]:
    """Return what flights take from a floor: where they are less than the headroom above or below.

    Also those that are too steep to climb: they stand in the way all the same.

    Parameters
    ----------
    height : float
        How high the floor lies. [Unit: m]
    headroom : float
        The agent's height. [Unit: m]

    Returns
    -------
    list of shapely.Polygon
        On the grid.
    """
    taken = []
    for flight in flights:
        for k in range(len(flight.sections) - 1):
            low, high = flight.heights[k : k + 2]
            rises_past = max(low, height - headroom) < min(high, height + headroom) - _SLACK
            if rises_past or (low == high and abs(low - height) < headroom):
                taken.append(flight.part(k))
    return taken


def meet(floors: Layout, flights: list[Flight], flight_parts: list[list[PlanSheet]]) -> Layout:
    """Add the parts of flights to floors, so that they have edges in common where they meet.

    Raises
    ------
    SceneError
        When a flight begins or ends where there is no floor.
    """
    beside = list(floors.sheets)
    for parts in flight_parts:
        for sheet in parts:
            beside = _share_corners(beside, sheet)
    sheets, meetings = beside.copy(), []
    for flight, parts in zip(flights, flight_parts, strict=True):
        first = len(sheets)
        sheets += [_with_corners_of(sheet, beside) for sheet in parts]
        last = len(sheets) - 1
        meetings += [
            Meeting(first + k, first + k + 1, flight.sections[k + 1]) for k in range(last - first)
        ]
        for part, floor, line, name in (
            (first, flight.floors[0], flight.sections[0], "first"),
            (last, flight.floors[1], flight.sections[-1], "last"),
        ):
            meetings.append(Meeting(floor, part, line))
            if not len(Layout(floors.grid, tuple(sheets), (meetings[-1],)).joints()):
                raise SceneError(
                    f"stairs {flight.number}: there is no floor {floor} in front of the {name} "
                    "section; it must lie on the edge of free floor"
                )
    return Layout(floors.grid, tuple(sheets), tuple(meetings))


def lay_parts(flights: list[Flight], headroom: float) -> list[list[PlanSheet]]:
    """Return the parts of each flight, of which no two lie over each other without headroom.

    Of two that are drawn over each other by a little, the later one ends where the other begins.

    Raises
    ------
    SceneError
        Naming both flights, or the one that lies over itself, when that is more than a little.
    """
    flight_parts = [_parts(flight) for flight in flights]
    parts = [part for parts in flight_parts for part in parts]
    owners = [i for i, parts in enumerate(flight_parts) for _ in parts]
    outlines = np.array(
        [flight.part(k) for flight in flights for k in range(len(flight.sections) - 1)],
        dtype=object,
    )
    covering: dict[int, list[shapely.Polygon]] = {}
    pairs = shapely.STRtree(outlines).query(outlines, predicate="intersects").T
    for i, j in pairs[pairs[:, 0] < pairs[:, 1]].tolist():
        common = shapely.intersection(outlines[i], outlines[j])
        if common.area == 0.0:
            continue
        places = shapely.get_coordinates(common)
        apart = parts[i].heights(places) - parts[j].heights(places)
        crossing = apart.min() * apart.max() <= 0.0
        if not crossing and np.abs(apart).min() >= headroom - _HEADROOM_SLACK:
            continue
        if common.area > _WIDEST * common.length / 2.0:  # half of which is as long as the strip
            first, second = flights[owners[i]].number, flights[owners[j]].number
            what = f"stairs {first}" if first == second else f"stairs {first} and {second}"
            raise SceneError(
                f"{what}: they lie over each other in plan, closer in height than the agent's "
                f"{headroom:g} m"
            )
        covering.setdefault(j, []).append(outlines[i])
    for j, others in covering.items():
        rest = shapely.difference(outlines[j], shapely.union_all(others), grid_size=1.0)
        parts[j] = PlanSheet.of(rest, parts[j].ends, parts[j].rise)
    return [
        [part for part, owner in zip(parts, owners, strict=True) if owner == i]
        for i in range(len(flights))
    ]


def _share_corners(floors: list[PlanSheet], part: PlanSheet) -> list[PlanSheet]:
    """Return floors that have the same corners along a part of stairs, its own among them.

    Otherwise they would reach over its edges, and over each other's, by what snapping moved a
    corner of one of them.
    """
    for line in part.sides():
        on_line = [floor.corners[floor.is_on(line)] for floor in floors]
        places = np.unique(np.concatenate([line, *on_line]), axis=0)
        floors = [floor.with_corners(places) for floor in floors]
    return floors


def _with_corners_of(part: PlanSheet, floors: list[PlanSheet]) -> PlanSheet:
    """Return a part of stairs with the corners that floors have along it."""
    for line in part.sides():
        for floor in floors:
            part = part.with_corners(floor.corners[floor.is_on(line)])
    return part


def _lay_flight(
    number: int, stairs: Stairs, building: Building, grid: Grid, agent: Agent, earlier: list[Flight]
) -> Flight:
    heights = stairs.rises(*(building.floors[floor].height for floor in stairs.floors))
    run, rise = np.diff(stairs.way), np.diff(heights)
    steepest = np.degrees(np.arctan2(rise, run)).max()
    ends = [floor.height + s * agent.height for floor in building.floors for s in (-1.0, 1.0)]
    sections, levels = [stairs.sections[0]], [heights[0]]
    for k in range(len(heights) - 1):
        before, after = stairs.sections[k : k + 2]
        low, high = heights[k : k + 2]
        # A part that winds is no plane, so where its headroom ends is no line across it.
        if _parallel(before, after):
            for end in sorted(e for e in ends if low + _SLACK < e < high - _SLACK):
                sections.append(before + (end - low) / (high - low) * (after - before))
                levels.append(end)
        sections.append(after)
        levels.append(high)
    places = grid.snap(np.concatenate(sections)).astype(np.int64)
    places = _beside(earlier, places).reshape(-1, 2, 2)
    too_steep = bool(steepest > agent.max_slope + 1e-9)
    nothing = np.empty((0, 2), dtype=np.int64)
    flight = Flight(number, stairs.floors, places, np.array(levels), too_steep, nothing)
    for k in range(len(places) - 1):
        if not flight.part(k).is_valid or not flight.part(k).area > 0.0:
            raise SceneError(
                f"stairs {number}: they are finer than the grid, whose step is {grid.step:g} m"
            )
    return flight


def _between(start: Longs, end: Longs, reach: float, places: Longs) -> Longs:
    """(n, 2) int64: the start of a line, and the places along it no farther beside than `reach`."""
    along, beside, length = beside_line(start, end, places)
    near = np.flatnonzero(
        (along > _ON_SECTION) & (along < length - _ON_SECTION) & (beside <= reach)
    )
    _, first = np.unique(places[near], axis=0, return_index=True)
    near = near[first]
    return np.concatenate([start[None], places[near[np.argsort(along[near], kind="stable")]]])


def _beside(earlier: list[Flight], places: Longs) -> Longs:
    """Return (n, 2) places of a flight, moved to earlier ones that they are as good as beside.

    Corners that were meant to be one, or to lie on a side, would otherwise be a few steps off,
    where rounding decides which of them lies on whose side.
    """
    if not earlier:
        return places
    corners = np.concatenate([flight.sections.reshape(-1, 2) for flight in earlier])
    distances = np.hypot(*(places[:, None] - corners[None]).transpose(2, 0, 1))
    nearest = distances.argmin(axis=1)
    is_near = distances.min(axis=1) <= _WIDEST
    sides = np.concatenate([flight.sides() for flight in earlier])
    lines, points = shapely.linestrings(sides), shapely.points(places)
    away = shapely.distance(points[:, None], lines[None])
    side = lines[away.argmin(axis=1)]
    feet = shapely.line_interpolate_point(side, shapely.line_locate_point(side, points))
    at_side = np.round(shapely.get_coordinates(feet)).astype(np.int64)
    moved = np.where((away.min(axis=1) <= _WIDEST)[:, None], at_side, places)
    return np.where(is_near[:, None], corners[nearest], moved)


def _parallel(a: Floats, b: Floats) -> bool:
    """Tell whether two sections are parallel, but for rounding."""
    (ux, uy), (vx, vy) = a[1] - a[0], b[1] - b[0]
    return bool(abs(ux * vy - uy * vx) <= 1e-6 * math.hypot(ux, uy) * math.hypot(vx, vy))


def _parts(flight: Flight) -> list[PlanSheet]:
    """Return the sheets between the sections of a flight."""
    sheets = []
    for k in range(len(flight.sections) - 1):
        rise = float(flight.heights[k]), float(flight.heights[k + 1])
        sheets.append(PlanSheet.of(flight.part(k), flight.sections[k : k + 2], rise))
    return sheets
