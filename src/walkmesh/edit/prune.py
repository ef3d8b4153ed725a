"""Pruning: only what can be reached stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.edit.arguments import points_of, snapped
from walkmesh.errors import SettingsError
from walkmesh.query.arguments import snap_of
from walkmesh.variants import keep_polygons, usable_links

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Ids
    from walkmesh.navmesh import NavMesh


def prune(navmesh: NavMesh, seeds: ArrayLike, max_snap: float | None) -> NavMesh:
    """Return a navmesh of what can be reached from some places; see :meth:`NavMesh.prune`."""
    snap = snap_of(navmesh.agent, max_snap)
    places = points_of("seeds", seeds)
    if len(places) == 0:
        raise SettingsError("seeds has no places; it must have at least one")
    polygons = snapped(navmesh, "seeds", places, snap).polygons
    return keep_polygons(navmesh, _reachable_polygons(navmesh, polygons))


def _reachable_polygons(navmesh: NavMesh, polygons: Ids) -> NDArray[np.bool_]:
    """Tell which polygons (p,) can be reached from some, on foot or by links."""
    _, components = np.unique(navmesh.components, return_inverse=True)
    reached = np.zeros(components.max(initial=-1) + 1, dtype=bool)
    reached[components[polygons]] = True
    links = navmesh.links[usable_links(navmesh)]
    back = links["two_way"]
    starts = components[np.concatenate([links["start_polygon"], links["goal_polygon"][back]])]
    goals = components[np.concatenate([links["goal_polygon"], links["start_polygon"][back]])]
    while True:
        new = goals[reached[starts] & ~reached[goals]]
        if len(new) == 0:
            return np.asarray(reached[components])
        reached[new] = True
