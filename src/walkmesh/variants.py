"""Variants of a navmesh: with some arrays replaced, or of some polygons alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.navmesh import NavMesh
from walkmesh.ragged import offsets_of
from walkmesh.topology import corner_polygons, detail_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids

_ARRAYS = (
    "vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components", "links",
)  # fmt: skip


def changed(navmesh: NavMesh, **arrays: Any) -> NavMesh:
    """Return a navmesh with some arrays replaced; for None as :class:`NavMesh` derives them.

    Agent, up and whether it is of a surface are kept, and the report, unless there is another.
    """
    values = {name: getattr(navmesh, name) for name in (*_ARRAYS, "report")}
    detail = detail_of(navmesh)
    if detail is not None:
        values["triangles"], values["triangle_polygons"] = detail
    return NavMesh(
        **(values | arrays),
        agent=navmesh.agent,
        up=navmesh.up,
        surface=navmesh.surface,
    )


def without_unused(vertices: Floats, *ids: Ids) -> tuple[Floats, list[Ids]]:
    """Return the vertices that some of the ids name, and the ids renumbered."""
    used = np.zeros(len(vertices), dtype=bool)
    for some in ids:
        used[some] = True
    renumbered = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return vertices[used], [renumbered[some] for some in ids]


def keep_polygons(navmesh: NavMesh, kept: NDArray[np.bool_]) -> NavMesh:
    """Return the navmesh of some polygons (p,) alone, numbered anew in the same order.

    Links that start or end on another polygon are left out.
    """
    numbers = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    chosen = kept[corner_polygons(navmesh)]
    across = navmesh.neighbors[chosen]
    corners = navmesh.polygon_vertices[chosen]
    links = navmesh.links[usable_links(navmesh)]
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
    if detail_of(navmesh) is None:
        vertices, (corners,) = without_unused(navmesh.vertices, corners)
    else:
        own = kept[navmesh.triangle_polygons]
        vertices, (corners, triangles) = without_unused(
            navmesh.vertices, corners, navmesh.triangles[own]
        )
        arrays["triangles"] = triangles
        arrays["triangle_polygons"] = numbers[navmesh.triangle_polygons[own]]
    return changed(navmesh, vertices=vertices, polygon_vertices=corners, **arrays)


def usable_links(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which links (k,) have both ends on polygons that exist."""
    ends = np.stack([navmesh.links["start_polygon"], navmesh.links["goal_polygon"]])
    return np.asarray(((ends >= 0) & (ends < navmesh.polygon_count)).all(axis=0))
