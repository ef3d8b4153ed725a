"""A navmesh with some of its arrays replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.navmesh import NavMesh

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids

_ARRAYS = (
    "vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components", "links",
)  # fmt: skip


def changed(navmesh: NavMesh, **arrays: Any) -> NavMesh:
    """Return a navmesh with some arrays replaced; for None as :class:`NavMesh` derives them.

    Agent, up and whether it is of a surface are kept, and the report, unless there is another.
    """
    values = {name: getattr(navmesh, name) for name in (*_ARRAYS, "report")}
    if navmesh.detail is not None:
        values["triangles"], values["triangle_polygons"] = navmesh.detail
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
