"""Sheets: floors and parts of stairs, each without overlaps in plan, as rings on the grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from walkmesh.floor_plan import in_world
from walkmesh.ragged import (
    RaggedPolygons,
    following_corners,
    offsets_keeping,
    offsets_of,
    offsets_with,
)
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids, Longs
    from walkmesh.builder.plan.grid import Grid

    Places = Longs


@dataclass(frozen=True, eq=False)
class PlanSheet(RaggedPolygons):
    """What can be walked on, between rings on the grid."""

    corners: Places  # (c, 2): outlines counter-clockwise, holes clockwise [steps of the grid]
    # (2, 2, 2): the sections between which a part of stairs rises; None for a floor [steps]
    ends: Places | None
    rise: tuple[float, float]  # the heights of those sections; twice the same for a floor [m]

    @classmethod
    def of(
        cls, area: shapely.Geometry, ends: Places | None = None, rise: tuple[float, float] = (0, 0)
    ) -> PlanSheet:
        """Return the sheet of an area whose corners are places of the grid."""
        offsets, corners = _rings(area)
        return cls(*_without_flat_corners(offsets, corners), ends, rise)

    @cached_property
    def edges(self) -> dict[tuple[int, ...], int]:
        """The first corner of every ring edge, by the places of both."""
        rows = np.concatenate([self.corners, self.corners[self.following]], axis=1)
        return {tuple(row): i for i, row in enumerate(rows.tolist())}

    def heights(self, places: Places) -> Floats:
        """(n,) float64: how high the sheet lies at (n, 2) places of the grid. In metres."""
        low, high = self.rise
        if self.ends is None:
            return np.full(len(places), low)
        below, above = (_distances(places, line) for line in self.ends)
        return np.asarray(low + (high - low) * below / (below + above))

    def sides(self) -> Places:
        """(c, 2, 2) int64: both ends of every ring edge."""
        return np.stack([self.corners, self.corners[self.following]], axis=1)

    def is_on(self, line: Places) -> Bools:
        """(c,) bool: which corners lie on a line between two places, or a step beside it."""
        along, beside, length = beside_line(line[0], line[1], self.corners)
        return np.asarray((along >= -1.0) & (along <= length + 1.0) & (beside <= 1.0))

    def with_corners(self, places: Places) -> PlanSheet:
        """Return the sheet with corners where places lie on, or a step beside, its edges."""
        inserted, before, ways = [], [], []
        ahead = self.corners[self.following]
        for place in places:
            if np.all(self.corners == place, axis=1).any():
                continue
            along, beside = _along_and_beside(self.corners, ahead, place)
            for edge in np.flatnonzero((along > 0.0) & (along < 1.0) & (beside <= 1.0)):
                inserted.append(place)
                before.append(int(edge) + 1)
                ways.append(along[edge])
        if not inserted:
            return self
        order = np.lexsort((ways, before))
        at = np.array(before)[order]
        corners = np.insert(self.corners, at, np.array(inserted)[order], axis=0)
        return PlanSheet(offsets_with(self.offsets, at - 1), corners, self.ends, self.rise)


class Meeting(NamedTuple):
    """Two sheets that are joined where they have edges in common along a line."""

    first: int
    second: int
    line: Places  # (2, 2), its ends


@dataclass(frozen=True, eq=False)
class Layout:
    """The sheets of a plan or building, floors first, and where they meet."""

    grid: Grid  # what their places mean
    sheets: tuple[PlanSheet, ...]
    meetings: tuple[Meeting, ...] = ()  # where they are joined

    @property
    def starts(self) -> Ids:
        """(s + 1,) int32: where the corners of each sheet start among those of all."""
        return offsets_of(np.array([len(sheet.corners) for sheet in self.sheets]))

    @property
    def corner_count(self) -> int:
        """The number of corners of all sheets."""
        return int(self.starts[-1])

    def joints(self) -> Longs:
        """(k, 2) int64: pairs of edges between sheets, by their first corners among all."""
        starts = self.starts
        pairs: list[tuple[int, int]] = []
        joined: set[int] = set()
        for a, b, line in self.meetings:
            here, there = self.sheets[a], self.sheets[b]
            on_line = here.is_on(line)
            for edge in np.flatnonzero(on_line & on_line[here.following]).tolist():
                ends = here.corners[here.following[edge]], here.corners[edge]
                across = there.edges.get(tuple(np.concatenate(ends).tolist()))
                if across is None:
                    continue
                pair = int(starts[a] + edge), int(starts[b] + across)
                if joined.isdisjoint(pair):  # of flights that start at one place, the first
                    pairs.append(pair)
                    joined.update(pair)
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def following(self) -> Longs:
        """(c,) int64: the corner after each in its ring, among those of all sheets."""
        parts = [s + sheet.following for s, sheet in zip(self.starts, self.sheets, strict=False)]
        return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)

    def points(self) -> Floats:
        """(c, 3) float64: all corners, in metres from the grid's origin."""
        parts = [
            np.column_stack([sheet.corners * self.grid.step, sheet.heights(sheet.corners)])
            for sheet in self.sheets
        ]
        return np.concatenate([np.empty((0, 3)), *parts])

    def world_corners(self, up: str) -> Floats:
        """(c, 3) float64: all corners in the world, where y is up or z."""
        places = np.concatenate([sheet.corners for sheet in self.sheets])
        return in_world(self.grid.world(places), self.points()[:, 2], up)


def beside_line(start: Places, end: Places, places: Places) -> tuple[Floats, Floats, float]:
    """Return how far along and beside a line places (n, 2) lie, and its length; in steps."""
    way, offset = end - start, places - start
    length = math.hypot(*way)
    along = (offset * way).sum(axis=1) / length
    return along, np.abs(way[0] * offset[:, 1] - way[1] * offset[:, 0]) / length, length


def _rings(area: shapely.Geometry) -> tuple[Ids, Places]:
    """Return the rings of an area, outlines counter-clockwise and holes clockwise."""
    parts = shapely.get_parts(area)
    parts = parts[(shapely.get_type_id(parts) == shapely.GeometryType.POLYGON)]
    polygons = shapely.orient_polygons(parts[shapely.area(parts) > 0.0])
    rings = shapely.get_rings(polygons)
    places, owners = shapely.get_coordinates(rings, return_index=True)
    closing = np.append(owners[1:] != owners[:-1], True)[: len(owners)]
    sizes = np.bincount(owners[~closing], minlength=len(rings))
    return offsets_of(sizes), np.round(places[~closing]).astype(np.int64)


def _without_flat_corners(offsets: Ids, corners: Places) -> tuple[Ids, Places]:
    """Drop corners in the middle of straight sides, but for those where rings touch."""
    if len(corners) == 0:
        return offsets, corners
    following = following_corners(offsets)
    after = corners[following] - corners
    before = np.empty_like(after)
    before[following] = after
    straight = before[:, 0] * after[:, 1] == before[:, 1] * after[:, 0]
    _, place, counts = np.unique(corners, axis=0, return_inverse=True, return_counts=True)
    dropped = straight & (counts[place.ravel()] == 1)
    return offsets_keeping(offsets, ~dropped), corners[~dropped]


def _distances(places: Places, line: Places) -> Floats:
    """(n,) float64: distances of places from the line through two others. In steps."""
    (ax, ay), (bx, by) = line.tolist()
    cross = (bx - ax) * (places[:, 1] - ay) - (by - ay) * (places[:, 0] - ax)
    return np.asarray(np.abs(cross) / np.hypot(bx - ax, by - ay))


def _along_and_beside(starts: Places, ends: Places, place: Places) -> tuple[Floats, Floats]:
    """Return which part of each edge lies before a place, and how far beside, in steps."""
    way, offset = ends - starts, place - starts
    square = (way * way).sum(axis=1)
    along = (way * offset).sum(axis=1) / square
    cross = plan_cross(way, offset)
    return along, np.abs(cross) / np.sqrt(square)
