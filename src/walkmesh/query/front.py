"""The one front of all queries: it reads arguments, and asks what knows the kind of navmesh."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import read_distance, read_flag
from walkmesh.chunks import worker_count
from walkmesh.query.areas import area_prices
from walkmesh.query.arguments import (
    extra_clearance,
    has_costs,
    query_pair,
    query_points,
    refuse_with_clearance,
)
from walkmesh.query.backend import PathKind
from walkmesh.query.ends import Pairs, broadcast_points, pair_up
from walkmesh.query.located import Located

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.backend import Backend, PathFinder, PathQuery
    from walkmesh.query.path import Path, Paths
    from walkmesh.query.rays import Rays

# So many kinds of paths without area costs are kept for when they are asked for again.
_MOST_QUERIES = 64
# So many backends without some areas are kept.
_MOST_VARIANTS = 8


class Front:
    """Answers the queries of :class:`walkmesh.query.methods.Queries`, which say what they mean."""

    def __init__(self, navmesh: NavMesh) -> None:
        self._navmesh = navmesh
        self._agent = navmesh.agent
        self._queries: dict[tuple[bool, float, bool], PathQuery] = {}
        self._variants: dict[bytes, Backend] = {}

    @cached_property
    def backend(self) -> Backend:
        """What knows this kind of navmesh, made at the first query."""
        if self._navmesh.surface:
            from walkmesh.query.surface.backend import SurfaceBackend

            return SurfaceBackend(self._navmesh)
        from walkmesh.query.ground.backend import GroundBackend

        return GroundBackend(self._navmesh)

    def nearest(self, points: ArrayLike, max_snap: float) -> Located:
        """Find the ground that each point stands on."""
        places, snap = query_points("points", points), read_distance("max_snap", max_snap)
        found = self.backend.locate(places, snap)
        return Located(self.backend.polygons_of(found.cells), found.points, found.distances)

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Tell which points stand on the navmesh."""
        places = query_points("points", points)
        return self.backend.contains(places)

    def find_path(
        self,
        start: Sequence[float],
        goal: Sequence[float],
        radius: float | None,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float | None,
        partial: bool,
    ) -> Path:
        """Find a path from one point to another."""
        points = query_pair(start, goal)
        return self._finder(radius, optimal, area_costs, max_snap, partial).find_path(points)

    def find_paths(
        self,
        starts: ArrayLike | Located,
        goals: ArrayLike | Located,
        radius: float | None,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float | None,
        partial: bool,
        workers: int | None,
    ) -> Paths:
        """Find many paths, each from one of the starts to the goal beside it."""
        ends = pair_up(self._navmesh.polygon_count, starts, goals)
        threads = worker_count(workers)
        finder = self._finder(radius, optimal, area_costs, max_snap, partial)
        if finder.backend is not self.backend:  # the polygons that were found may be barred
            ends = ends.anywhere()
        return finder.find_paths(ends, threads)

    def distances(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        area_costs: Mapping[int, float] | None,
        max_snap: float | None,
        workers: int | None,
    ) -> Floats:
        """Measure how far it is from starts to goals."""
        snap, threads = self._snap(max_snap), worker_count(workers)
        query = self._query(True, area_costs, snap, False)
        backend = query.backend
        points, (first, second), shape = broadcast_points(starts, goals)
        froms, tos = (backend.locate(some, snap) for some in points)
        pairs = Pairs(froms, tos, first, second)
        # Where every way can be taken back, it does not matter which end is searched from.
        if len(tos.points) < len(froms.points) and backend.both_ways:
            pairs = pairs.turned()
        return query.measure(pairs, threads).reshape(shape)

    def reachable(self, starts: ArrayLike, goals: ArrayLike) -> NDArray[np.bool_]:
        """Tell whether there is a way from starts to goals."""
        backend = self.backend
        points, (first, second), shape = broadcast_points(starts, goals)
        froms, tos = (
            backend.polygons_of(backend.locate(some, self._agent.height).cells) for some in points
        )
        return backend.islands.reaches(froms[first], tos[second]).reshape(shape)

    def raycast(self, starts: ArrayLike, ends: ArrayLike) -> Rays:
        """Walk straight on until the navmesh ends."""
        pairs = pair_up(self._navmesh.polygon_count, starts, ends)
        return self.backend.cast(self.backend.locate(pairs.starts, self._agent.height), pairs.goals)

    def wall_distance(self, points: ArrayLike) -> Floats:
        """Measure how far points are from the boundary."""
        places = query_points("points", points)
        return self.backend.wall_distances(places)

    def _snap(self, max_snap: float | None) -> float:
        """Return how far points may be from the navmesh, by default the agent's height."""
        return self._agent.height if max_snap is None else read_distance("max_snap", max_snap)

    def _finder(
        self,
        radius: float | None,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float | None,
        partial: bool,
    ) -> PathFinder:
        """Return what finds the paths that these arguments of :meth:`Queries.find_path` ask for."""
        optimal, partial = read_flag("optimal", optimal), read_flag("partial", partial)
        snap = self._snap(max_snap)
        if radius is not None:
            extra = extra_clearance(radius, self._agent)
            if extra > 0.0:
                finder = self.backend.clear_paths(radius, extra, snap)
                refuse_with_clearance(area_costs, partial)
                return finder
        return self._query(optimal, area_costs, snap, partial)

    def _query(
        self,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float,
        partial: bool,
    ) -> PathQuery:
        """Return what finds paths of a kind, the same as before if it was asked for lately."""
        if has_costs(area_costs):
            return self._query_with_costs(optimal, area_costs, max_snap, partial)
        query = self._queries.get((optimal, max_snap, partial))
        if query is None:
            kind = _kind(self.backend, self._even_prices, optimal, max_snap, partial)
            query = self.backend.path_query(kind)
            if len(self._queries) < _MOST_QUERIES:
                self._queries[optimal, max_snap, partial] = query
        return query

    def _query_with_costs(
        self, optimal: bool, area_costs: Mapping[int, float], max_snap: float, partial: bool
    ) -> PathQuery:
        prices, areas = area_prices(area_costs), self._navmesh.areas
        barred = np.isinf(prices)
        backend = self._without(barred)
        # What is barred is never walked on; it must not make equal costs different.
        prices[barred] = prices[areas][~barred[areas]].min(initial=np.inf)
        prices[np.isinf(prices)] = 1.0
        return backend.path_query(_kind(backend, prices[areas], optimal, max_snap, partial))

    @cached_property
    def _even_prices(self) -> Floats:
        """(p,) float64: what a metre costs on each polygon, which is 1."""
        return np.ones(self._navmesh.polygon_count)

    def _without(self, areas: NDArray[np.bool_]) -> Backend:
        """Return the backend without the polygons of some areas, (256,)."""
        barred = areas[self._navmesh.areas]
        if not barred.any():
            return self.backend
        key = areas.tobytes()
        found = self._variants.get(key)
        if found is None:
            found = self.backend.without(barred)
            if len(self._variants) >= _MOST_VARIANTS:
                self._variants.clear()
            self._variants[key] = found
        return found


def _kind(
    backend: Backend, prices: Floats, optimal: bool, max_snap: float, partial: bool
) -> PathKind:
    """Return a kind of paths for what a metre costs on each polygon, (p,)."""
    # Without links it does not matter what a metre costs, if it costs the same everywhere.
    even = bool((prices == (1.0 if backend.has_links else prices[:1])).all())
    least_price = min(1.0 if even else float(prices.min()), backend.link_price)
    return PathKind(prices, even, least_price, optimal, partial, max_snap)


def backend_of(navmesh: NavMesh) -> Backend:
    """Return what knows the kind of a navmesh."""
    return navmesh._front.backend
