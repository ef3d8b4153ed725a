"""The memory that one thread searches the ground with, kept for the next search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.mesh import SCRATCH_FLOATS, SCRATCH_INTS
from walkmesh.query.ground.kernels.paths import (
    COST,
    DONE,
    IS_OPTIMAL,
    LENGTH,
    LINKS_END,
    MOST_NODES,
    POINTS_END,
    RESULT_COLUMNS,
    SCRATCH_FULL,
    STATUS,
    find_paths,
)
from walkmesh.query.ground.kernels.spread import measure_distances
from walkmesh.query.packed import make_room
from walkmesh.query.path import STATUSES, Path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.ground.mesh import GroundMesh
    from walkmesh.query.ground.paths import GroundPaths

# There is room for so many nodes of a search, and for so many points of paths, at first.
_NODES = 1 << 10
_POINTS = 1 << 8

_NO_LINKS = read_only([], np.int32)


class GroundScratch:
    """Scratch memory and answers, for one search after the other on one mesh.

    Both grow when a search needs more, and stay so.

    Attributes
    ----------
    results, path, ways, links
        The outputs of :func:`walkmesh.query.ground.kernels.paths.find_paths`.
    """

    def __init__(self, mesh: GroundMesh) -> None:
        self._mesh = mesh
        self._take_scratch(_NODES)
        self.results = np.empty((1, RESULT_COLUMNS))
        self.path = np.empty((_POINTS, 3))
        self.ways = np.empty(_POINTS, dtype=np.int32)
        self.links = np.empty(_POINTS, dtype=np.int32)
        self._used = np.empty(4, dtype=np.int64)

    def _take_scratch(self, nodes: int) -> None:
        self._nodes = nodes
        mesh = self._mesh
        floats, ints, scratch_layout = _make_scratch(mesh, nodes)
        layout = np.concatenate([mesh.layout, scratch_layout])
        self._arguments = (mesh.floats, mesh.ints, floats, ints, layout)

    def answer(self, ends: Floats, polygons: Ids, query: GroundPaths) -> None:
        """Find the paths between pairs of points; the answers are left in the attributes.

        See :func:`walkmesh.query.ground.kernels.paths.find_paths` for `ends` and `polygons`.
        """
        if len(self.results) < len(ends):
            self.results = np.empty((len(ends), RESULT_COLUMNS))
        first = 0
        while True:
            first = find_paths(
                ends, polygons, *self._arguments, query.costs, query.settings,
                query.flags, first, self.results, self.path, self.ways, self.links, self._used,
            )  # fmt: skip
            if self._used[3] == DONE:
                return
            self._grow()

    def distances(
        self, start: Floats, polygon: int, goals: Floats, goal_polygons: Ids, query: GroundPaths
    ) -> Floats:
        """Return the (m,) lengths of the shortest paths from (1, 3) a start to (m, 3) goals."""
        lengths = np.empty(len(goals))
        while True:
            measure_distances(
                start, polygon, goals, goal_polygons, *self._arguments, query.costs,
                query.settings, lengths, self.path, self.ways, self.links, self._used,
            )  # fmt: skip
            if self._used[3] == DONE:
                return lengths
            if self._used[3] == SCRATCH_FULL and self._nodes >= query.settings[MOST_NODES]:
                return self._lengths_of_paths(start, polygon, goals, goal_polygons, query)
            self._grow()

    def _lengths_of_paths(
        self, start: Floats, polygon: int, goals: Floats, goal_polygons: Ids, query: GroundPaths
    ) -> Floats:
        """Return the lengths of paths that are searched one by one."""
        ends = np.column_stack([np.broadcast_to(start, goals.shape), goals])
        polygons = np.column_stack([np.full(len(goals), polygon, dtype=np.int32), goal_polygons])
        self.answer(ends, polygons, query)
        return self.results[: len(goals), LENGTH].copy()

    def _grow(self) -> None:
        """Make room for what there was none for."""
        if self._used[3] == SCRATCH_FULL:
            self._take_scratch(2 * self._nodes)
        else:
            self.path = np.concatenate([self.path, np.empty_like(self.path)])
            self.ways = np.concatenate([self.ways, np.empty_like(self.ways)])
            self.links = np.concatenate([self.links, np.empty_like(self.links)])

    def only_path(self) -> Path:
        """Return the path that was found, if only one was asked for."""
        points_end, ways_end, links_end, _ = self._used.tolist()
        result = self.results[0].tolist()
        points, polygons = self.path[:points_end].copy(), self.ways[:ways_end].copy()
        points.flags.writeable = polygons.flags.writeable = False
        links = read_only(self.links[:links_end], np.int32) if links_end else _NO_LINKS
        return Path.made(
            points=points,
            polygons=polygons,
            links=links,
            status=STATUSES[int(result[STATUS])],
            length=result[LENGTH],
            cost=result[COST],
            optimal=result[IS_OPTIMAL] == 1.0,
        )

    def all_paths(self, count: int) -> tuple[NDArray[Any], ...]:
        """Return copies of what was found: results, points, polygons and links."""
        results = self.results[:count].copy()
        points, ways, links = results[-1, POINTS_END : LINKS_END + 1].astype(np.int64)
        return (
            results,
            self.path[:points].copy(),
            self.ways[:ways].copy(),
            self.links[:links].copy(),
        )


def _make_scratch(mesh: GroundMesh, room: int) -> tuple[Floats, Ids, NDArray[np.int64]]:
    """Make memory for searches of up to `room` nodes: floats, ints and layout, packed.

    The arrays are those of :data:`walkmesh.query.ground.kernels.mesh.Scratch`.
    """
    polygons, islands = len(mesh.polygons) - 1, len(mesh.exits) - 1
    facets = int(np.diff(mesh.polygons[:, col.GROUND]).max(initial=0))
    shapes = {
        "keys": (2 * room,),
        "items": (2 * room,),
        "spans": (room, 7),
        "nodes": (room, 5),
        "best": (2 * len(mesh.points) + len(mesh.jumps), 3),
        "marks": (len(mesh.tops),),
        "gone": (polygons, 3),
        "entries": (polygons,),
        "reached": (islands,),
        "islands": (islands,),
        "steps": (room,),
        "rights": (room + 2, 3),
        "lefts": (room + 2, 3),
        "crossings": (room + 2, 3),
        "ways": (room + 2,),
        "relief": (room + 2, 3),
        "cuts": (facets, 3),
        "profile": (4 * facets + 8, 3),
        "stack": (4 * facets + 8, 2),
        "clock": (1,),
    }
    return make_room(shapes, SCRATCH_FLOATS, SCRATCH_INTS)
