"""Pruning: only what can be reached stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.edit.arguments import offsets_of
from walkmesh.edit.changed import changed, without_unused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Ids
    from walkmesh.navmesh import NavMesh


def reachable_polygons(navmesh: NavMesh, polygons: Ids) -> NDArray[np.bool_]:
    """Tell which polygons (p,) can be reached from some, on foot or by links."""
    _, components = np.unique(navmesh.components, return_inverse=True)
    reached = np.zeros(components.max(initial=-1) + 1, dtype=bool)
    reached[components[polygons]] = True
    links = navmesh.links[_usable(navmesh)]
    back = links["two_way"]
    starts = components[np.concatenate([links["start_polygon"], links["goal_polygon"][back]])]
    goals = components[np.concatenate([links["goal_polygon"], links["start_polygon"][back]])]
    while True:
        new = goals[reached[starts] & ~reached[goals]]
        if len(new) == 0:
            return np.asarray(reached[components])
        reached[new] = True


def _usable(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which links (k,) have both ends on polygons that exist."""
    ends = np.stack([navmesh.links["start_polygon"], navmesh.links["goal_polygon"]])
    return np.asarray(((ends >= 0) & (ends < navmesh.polygon_count)).all(axis=0))


def keep_polygons(navmesh: NavMesh, kept: NDArray[np.bool_]) -> NavMesh:
    """Return the navmesh of some polygons (p,) alone, numbered anew in the same order.

    Links that start or end on another polygon are left out.
    """
    numbers = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    chosen = kept[navmesh.corner_polygons]
    across = navmesh.neighbors[chosen]
    corners = navmesh.polygon_vertices[chosen]
    links = navmesh.links[_usable(navmesh)]
    ends = numbers[links["start_polygon"]], numbers[links["goal_polygon"]]
    whole = (ends[0] >= 0) & (ends[1] >= 0)
    links = links[whole]
    links["start_polygon"], links["goal_polygon"] = ends[0][whole], ends[1][whole]
    arrays: dict[str, Any] = {
        "polygon_offsets": offsets_of(np.diff(navmesh.polygon_offsets)[kept]),
        "neighbors": np.where(across >= 0, numbers[across], -1),
        "areas": navmesh.areas[kept],
        "components": np.unique(navmesh.components[kept], return_inverse=True)[1],
        "links": links,
    }
    if navmesh.detail is None:
        vertices, (corners,) = without_unused(navmesh.vertices, corners)
    else:
        own = kept[navmesh.triangle_polygons]
        vertices, (corners, triangles) = without_unused(
            navmesh.vertices, corners, navmesh.triangles[own]
        )
        arrays["triangles"] = triangles
        arrays["triangle_polygons"] = numbers[navmesh.triangle_polygons[own]]
    return changed(navmesh, vertices=vertices, polygon_vertices=corners, **arrays)
