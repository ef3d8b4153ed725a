"""Paths along a surface: one, or many over threads, and how long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.query.ends import ends_of
from walkmesh.query.located import Footing
from walkmesh.query.path import Path, Paths
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.corridor import find_corridor
from walkmesh.query.surface.kernels.lay import lay_path
from walkmesh.query.threads import find_each

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.backend import PathKind
    from walkmesh.query.ends import Ends, Pairs
    from walkmesh.query.path import Status
    from walkmesh.query.surface.backend import SurfaceBackend

# From so many goals on, one search for all of them takes less time than one for each.
_MANY = 3

_NOWHERE = Footing(np.empty((0, 3)), np.empty(0, dtype=np.int32), np.empty(0))


class SurfacePaths:
    """Finds paths of one kind along a surface."""

    def __init__(self, backend: SurfaceBackend, kind: PathKind) -> None:
        self.backend = backend
        self._kind = kind
        self._optimal = kind.optimal and kind.even

    def find_path(self, points: Floats) -> Path:
        """Find the path between two points, (1, 6) float64."""
        starts, goals = ends_of(points).locate(self.backend, self._kind.max_snap)
        return self._answer(starts, goals, points[:, 3:], partial=self._kind.partial)

    def find_paths(self, ends: Ends, workers: int | None) -> Paths:
        """Find many paths over threads, by default as many as there are cores."""
        starts, goals = ends.locate(self.backend, self._kind.max_snap)

        def find(i: int) -> Path:
            one = slice(i, i + 1)
            return self._answer(
                starts.chosen(one), goals.chosen(one), ends.goals[one], partial=self._kind.partial
            )

        return find_each(len(ends.starts), find, workers)

    def measure(self, pairs: Pairs, workers: int | None) -> Floats:
        """Return the (m,) lengths of the paths between pairs of points."""
        groups, result = pairs.groups(), np.full(len(pairs.first), np.inf)

        def work(begin: int, stop: int) -> None:
            for group in groups[begin:stop]:
                k = int(pairs.first[group[0]])
                start, goals = pairs.starts.chosen(slice(k, k + 1)), pairs.second[group]
                result[group] = self._distances_from(start, pairs.goals.chosen(goals))

        for _ in in_chunks(len(groups), work, workers, smallest=1):
            pass
        return result

    def measure_walls(self, places: Footing) -> Floats:
        """Return how far (n,) places are from the boundary, along the surface.

        NaN for places on no triangle, infinite where there is no boundary. Where the search takes
        too much memory, the length of a way that may not be the shortest.
        """
        backend, bounded = self.backend, self.backend.mesh.bounded
        result = np.full(len(places.points), np.nan)
        polygons, labels = backend.polygons_of(places.cells), backend.islands.labels

        def work(begin: int, stop: int) -> None:
            scratch = backend.scratch.take()
            for i in range(begin, stop):
                if places.cells[i] < 0:
                    continue
                result[i] = np.inf
                if bounded[labels[polygons[i]]]:
                    start = places.chosen(slice(i, i + 1))
                    found = scratch.spread(start, _NOWHERE, col.BOUNDARY, 1.0)
                    # Without enough memory, the shortest way so far, if there is one at all.
                    result[i] = scratch.best[0]
                    if not found:
                        nowhere = start._replace(cells=np.array([-1], dtype=np.int32))
                        way = self._corridor(start, nowhere, "complete")
                        result[i] = min(result[i], way.cost)
            backend.scratch.put_back(scratch)

        for _ in in_chunks(len(result), work, None, smallest=16):
            pass
        return result

    def _reaches(self, starts: Ids, goals: Ids) -> NDArray[np.bool_]:
        """Tell whether there are ways from (n,) triangles to those beside them, -1 for none."""
        of = self.backend.polygons_of
        return self.backend.islands.reaches(of(starts), of(goals))

    def _answer(self, start: Footing, goal: Footing, wanted: Floats, *, partial: bool) -> Path:
        """Find the path from one place to another; the goal was `wanted` at (1, 3)."""
        backend = self.backend
        status: Status = "complete"
        if start.cells[0] < 0:
            return Path.unreachable()
        if not self._reaches(start.cells, goal.cells)[0]:
            if not partial:
                return Path.unreachable()
            status = "partial"
            reached = backend.islands.within_reach(int(backend.mesh.owners[start.cells[0]]))
            allowed = reached[backend.mesh.owners].astype(np.uint8)
            goal = backend.locate(wanted, np.inf, allowed)
        way = self._shortest_way(start, goal) if self._optimal else None
        if way is not None:
            return self._lay(*way, status, optimal=True)
        return self._corridor(start, goal, status)

    def _shortest_way(self, start: Footing, goal: Footing) -> tuple[Floats, Ids] | None:
        """Return the shortest way, or None if it takes too much memory or rounding closed a gap."""
        pool = self.backend.scratch
        scratch = pool.take()
        found = scratch.spread(start, goal, col.ONE_GOAL, self._kind.least_price)
        way = scratch.trace(goal, 0) if found and scratch.arrivals[0] >= 0 else None
        pool.put_back(scratch)
        return way

    def _corridor(self, start: Footing, goal: Footing, status: Status) -> Path:
        """Return the path of the cheapest corridor; to a goal on no triangle, to the boundary."""
        mesh = self.backend.mesh
        scale = self._kind.least_price if goal.cells[0] >= 0 else 0.0
        room = 2 * len(mesh.triangles) + 4
        line, ways = np.empty((room, 3)), np.empty(room, dtype=np.int32)
        count = find_corridor(
            mesh.floats, mesh.ints, mesh.layout, self._kind.prices, start.points[0],
            int(start.cells[0]), goal.points[0], int(goal.cells[0]), scale, line, ways,
        )  # fmt: skip
        return self._lay(line[:count], ways[:count], status, optimal=False)

    def _distances_from(self, start: Footing, goals: Footing) -> Floats:
        """Return the (m,) lengths of paths from one place to others."""
        pool, count = self.backend.scratch, len(goals.points)
        reached = self._reaches(np.repeat(start.cells, count), goals.cells)
        if self._optimal and count >= _MANY and reached.any():
            cells = np.where(reached, goals.cells, -1).astype(np.int32)
            wanted, scratch = goals._replace(cells=cells), pool.take()
            found = scratch.spread(start, wanted, col.MANY_GOALS, 1.0)
            found = found and bool((scratch.arrivals[reached] >= 0).all())
            lengths = np.full(count, np.inf)
            if found:
                for k in np.flatnonzero(reached).tolist():
                    way = scratch.trace(wanted, k)
                    lengths[k] = self._lay(*way, "complete", optimal=True).length
            pool.put_back(scratch)
            if found:
                return lengths
        ones = [slice(k, k + 1) for k in range(count)]
        paths = [
            self._answer(start, goals.chosen(one), goals.points[one], partial=False) for one in ones
        ]
        return np.array([path.length for path in paths])

    def _lay(self, line: Floats, ways: Ids, status: Status, *, optimal: bool) -> Path:
        """Make a path of the places where a way crosses edges; none of no places."""
        if len(line) == 0:
            return Path.unreachable(certain=False)
        mesh, count = self.backend.mesh, len(line)
        points, counts, sums = np.empty((count, 3)), np.empty(3, dtype=np.int64), np.empty(2)
        polygons, links = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        lay_path(
            line, ways, mesh.owners, self._kind.prices, mesh.jumps, mesh.targets, points, polygons,
            links, counts, sums,
        )  # fmt: skip
        corners, passed, taken = counts.tolist()
        return Path.of(
            points[:corners], polygons[:passed], float(sums[0]), float(sums[1]), optimal,
            links[:taken], status,
        )  # fmt: skip
