"""Vertices inside the edges of other polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.overlaps import vertices_on_edges
from walkmesh.tolerances import TOUCHING
from walkmesh.topology import corner_polygons, edge_ends
from walkmesh.triangles import compact
from walkmesh.validate.shapes import polygon_at
from walkmesh.validate.violation import Violation, at_corner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def t_junctions(
    navmesh: NavMesh,
    usable: NDArray[np.bool_],
    mates: Ids,
    points: Floats,
    together: Callable[[int, list[int]], bool] | None = None,
) -> Iterator[Violation]:
    """Find vertices inside the edges of usable polygons, (p,), that they do not belong to.

    `mates`, (c,), are the corners at which the same edges start in the other polygons, negative if
    there is none. `together` tells of a vertex and the corners that an edge starts at in its
    polygons whether they should be connected; by default they always should.
    """
    # Of an edge that two polygons share, one side is enough.
    once = (mates < np.arange(len(mates))) & usable[corner_polygons(navmesh)]
    corners = np.flatnonzero(once)
    if len(corners) == 0:
        return
    edges = np.stack([navmesh.polygon_vertices, edge_ends(navmesh)], axis=1)[corners]
    # Only vertices of usable polygons matter, of which detail has many others.
    vertices = np.unique(edges)
    points, edges = compact(points, edges)
    pairs = vertices_on_edges(points, edges, TOUCHING)
    pairs[:, 0] = vertices[pairs[:, 0]]
    for vertex, edge in pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))]:
        corner = corners[edge]
        # A corner of the polygons on both sides only shows how thin they are.
        beside = [corner] if mates[corner] < 0 else [corner, mates[corner]]
        if any(vertex in polygon_at(navmesh, side) for side in beside):
            continue
        if together is None or together(vertex, beside):
            has = corner_polygons(navmesh)[navmesh.polygon_vertices == vertex]
            yield at_corner(
                navmesh, "T-junction", corner, f"has vertex {vertex} inside it", int(has[0])
            )
