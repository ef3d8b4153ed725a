"""What finds paths of each kind on a navmesh, made when first asked for and then kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import read_flag
from walkmesh.query.arguments import (
    area_prices,
    extra_clearance,
    has_costs,
    refuse_with_clearance,
    snap_of,
)
from walkmesh.query.backend import PathKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.backend import Backend, PathFinder, PathQuery

# So many kinds of paths without area costs are kept for when they are asked for again.
_MOST_QUERIES = 64
# So many backends without some areas are kept.
_MOST_VARIANTS = 8


class Finders:
    """The backend that knows a kind of navmesh, and what finds paths of each kind with it."""

    def __init__(self, navmesh: NavMesh) -> None:
        self.navmesh = navmesh
        self._queries: dict[tuple[bool, float, bool], PathQuery] = {}
        self._variants: dict[bytes, Backend] = {}

    @cached_property
    def backend(self) -> Backend:
        """What knows this kind of navmesh, made at the first query."""
        if self.navmesh.surface:
            from walkmesh.query.surface.backend import SurfaceBackend

            return SurfaceBackend(self.navmesh)
        from walkmesh.query.ground.backend import GroundBackend

        return GroundBackend(self.navmesh)

    def of(
        self,
        radius: float | None,
        optimal: bool,
        area_costs: Mapping[int, float] | None,
        max_snap: float | None,
        partial: bool,
    ) -> PathFinder:
        """Return what finds the paths that these arguments of :meth:`Queries.find_path` ask for."""
        optimal, partial = read_flag("optimal", optimal), read_flag("partial", partial)
        snap = snap_of(self.navmesh.agent, max_snap)
        if radius is not None:
            extra = extra_clearance(radius, self.navmesh.agent)
            if extra > 0.0:
                finder = self.backend.clear_paths(radius, extra, snap)
                refuse_with_clearance(area_costs, partial)
                return finder
        return self.query(optimal, area_costs, snap, partial)

    def query(
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
        prices, areas = area_prices(area_costs), self.navmesh.areas
        barred = np.isinf(prices)
        backend = self._without(barred)
        # What is barred is never walked on; it must not make equal costs different.
        prices[barred] = prices[areas][~barred[areas]].min(initial=np.inf)
        prices[np.isinf(prices)] = 1.0
        return backend.path_query(_kind(backend, prices[areas], optimal, max_snap, partial))

    @cached_property
    def _even_prices(self) -> Floats:
        """(p,) float64: what a metre costs on each polygon, which is 1."""
        return np.ones(self.navmesh.polygon_count)

    def _without(self, areas: NDArray[np.bool_]) -> Backend:
        """Return the backend without the polygons of some areas, (256,)."""
        barred = areas[self.navmesh.areas]
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
    return navmesh._finders.backend
