"""Pruning: only what can be reached stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.variants import usable_links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Ids
    from walkmesh.navmesh import NavMesh


def reachable_polygons(navmesh: NavMesh, polygons: Ids) -> NDArray[np.bool_]:
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
