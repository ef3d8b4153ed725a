"""Paths on the ground: one, or many over threads, and how long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.query.ground.kernels.paths import (
    COST,
    IS_OPTIMAL,
    LENGTH,
    LINKS_END,
    OPTIMAL,
    PARTLY,
    POINTS_END,
    PRUNED,
    STATUS,
)
from walkmesh.query.kernels.tolerances import GROUND_TOLERANCE
from walkmesh.query.located import STOREY_HEIGHTS
from walkmesh.query.path import Paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.backend import PathKind
    from walkmesh.query.ends import Ends, Pairs
    from walkmesh.query.ground.backend import GroundBackend
    from walkmesh.query.located import Footing
    from walkmesh.query.path import Path

_NOT_LOCATED: Ids = np.empty((0, 2), dtype=np.int32)
# A search for a shortest path has no more nodes than this, of 0.2 kB each. Only on navmeshes with
# thousands of links one would have more: each link is a place to look from.
_MOST_NODES = 1 << 21
# Many paths are searched in so many chunks: more of them cost more than they even out.
_MOST_CHUNKS = 16
# From so many goals on, one search for all of them takes less time than one for each.
_MANY_GOALS = 8


class GroundPaths:
    """Finds paths of one kind on the ground; see :mod:`walkmesh.query.ground.kernels.paths`."""

    def __init__(self, backend: GroundBackend, kind: PathKind) -> None:
        self.backend = backend
        self.costs = kind.prices
        # The straight way must never seem longer than it is.
        scale = min(kind.least_price, 1.0)
        self.flags = (PARTLY if kind.partial else 0) | (
            OPTIMAL if kind.optimal and kind.even else 0
        )
        # Elsewhere, a way may pay that leaves the blocks between start and goal and comes back.
        self.flags |= PRUNED if kind.even and scale >= 1.0 else 0
        agent = backend.agent
        self.settings = np.array(
            [
                agent.max_step,
                STOREY_HEIGHTS * agent.height,
                kind.max_snap,
                GROUND_TOLERANCE,
                scale,
                _MOST_NODES,
                *backend.mesh.axes.ravel().tolist(),
            ]
        )
        self._max_snap = kind.max_snap

    def find_path(self, points: Floats) -> Path:
        """Find the path between two points, (1, 6) float64."""
        pool = self.backend.scratch
        scratch = pool.take()
        scratch.answer(points, _NOT_LOCATED, self)
        path = scratch.only_path()
        pool.put_back(scratch)
        return path

    def find_paths(self, ends: Ends, workers: int | None) -> Paths:
        """Find many paths over threads, by default as many as there are cores."""
        if len(ends.start_polygons) != len(ends.goal_polygons):
            return self._between(*ends.locate(self.backend, self._max_snap), workers)
        places = np.concatenate([ends.starts, ends.goals], axis=1)
        if len(ends.start_polygons) != len(places):
            return self._find(places, _NOT_LOCATED, workers)
        return self._find(places, np.stack([ends.start_polygons, ends.goal_polygons], 1), workers)

    def _between(self, starts: Footing, goals: Footing, workers: int | None) -> Paths:
        places = np.concatenate([starts.points, goals.points], axis=1)
        return self._find(places, np.stack([starts.cells, goals.cells], axis=1), workers)

    def _find(self, places: Floats, polygons: Ids, workers: int | None) -> Paths:
        """Find the paths between (n, 6) points on (n, 2) polygons, or (0, 2) to be found."""
        pool = self.backend.scratch

        def work(start: int, stop: int) -> tuple[NDArray[Any], ...]:
            scratch = pool.take()
            scratch.answer(places[start:stop], polygons[start:stop], self)
            paths = scratch.all_paths(stop - start)
            pool.put_back(scratch)
            return paths

        parts = [part for _, part in in_chunks(len(places), work, workers, most=_MOST_CHUNKS)]
        if not parts:
            return Paths.of([])
        ends_in_part = [part[0][:, POINTS_END : LINKS_END + 1].astype(np.int64) for part in parts]
        counts = np.concatenate([np.diff(stops, axis=0, prepend=0) for stops in ends_in_part])
        offsets = np.zeros((3, len(counts) + 1), dtype=np.int64)
        np.cumsum(counts.T, axis=1, out=offsets[:, 1:])
        results, points, ways, links = (np.concatenate(p) for p in zip(*parts, strict=True))
        return Paths(
            points, offsets[0].copy(), ways, offsets[1].copy(), links, offsets[2].copy(),
            results[:, STATUS].astype(np.uint8), results[:, LENGTH].copy(),
            results[:, COST].copy(), results[:, IS_OPTIMAL] == 1.0,
        )  # fmt: skip

    def measure(self, pairs: Pairs, workers: int | None) -> Floats:
        """Return the (m,) lengths of the paths between pairs of points."""
        pool, groups, starts = self.backend.scratch, pairs.groups(), pairs.starts
        result = np.full(len(pairs.first), np.inf)
        least = _MANY_GOALS if self.flags & OPTIMAL else np.inf
        large = [group for group in groups if len(group) >= least]
        small = [group for group in groups if len(group) < least]

        def work(begin: int, stop: int) -> None:
            scratch = pool.take()
            for group in large[begin:stop]:
                k, goals = pairs.first[group[0]], pairs.goals.chosen(pairs.second[group])
                if starts.cells[k] >= 0:
                    result[group] = scratch.distances(
                        starts.points[k : k + 1], int(starts.cells[k]), goals.points, goals.cells,
                        self,
                    )  # fmt: skip
            pool.put_back(scratch)

        for _ in in_chunks(len(large), work, workers, smallest=1):
            pass
        if small:
            alone = np.concatenate(small)
            froms = starts.chosen(pairs.first[alone])
            tos = pairs.goals.chosen(pairs.second[alone])
            result[alone] = self._between(froms, tos, workers).lengths
        return result
