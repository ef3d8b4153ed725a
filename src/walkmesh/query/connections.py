"""How the polygons of a navmesh hang together for a search: across sides, and by jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.query.islands import Islands
from walkmesh.query.jumps import Jumps
from walkmesh.query.kernels.mates import find_mates
from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


class PolygonConnections(NamedTuple):
    """What leads from polygon to polygon.

    Attributes
    ----------
    neighbors, mates : (c,) int32
        The polygon across each side, and the same side there; -1 for none.
    jumps : Jumps
    islands : Islands
    """

    neighbors: Ids
    mates: Ids
    jumps: Jumps
    islands: Islands

    @classmethod
    def of(
        cls,
        navmesh: NavMesh,
        to_search: Callable[[Floats], Floats],
        barred: NDArray[np.bool_] | None,
    ) -> PolygonConnections:
        """Return those of a navmesh, with jumps in the coordinates of a search.

        Polygons that are `barred`, (p,) bool, are not entered.
        """
        offsets, neighbors = navmesh.polygon_offsets, navmesh.neighbors
        jumps = Jumps.of(navmesh, to_search)
        if barred is not None:
            across = barred[np.maximum(neighbors, 0)] & (neighbors >= 0)
            closed = barred[corner_polygons(navmesh)] | across
            neighbors = np.where(closed, -1, neighbors).astype(np.int32)
            jumps = jumps.chosen(~(barred[jumps.origins] | barred[jumps.ends]))
        mates = np.empty(len(neighbors), dtype=np.int32)
        find_mates(offsets, navmesh.polygon_vertices, neighbors, mates)
        neighbors = np.where(mates >= 0, neighbors, -1).astype(np.int32)
        return cls(neighbors, mates, jumps, Islands.of(offsets, neighbors, jumps))


def tree_over(points: Floats, triangles: Ids, free: Ids | None) -> BoxTree:
    """Return a tree of boxes over triangles, all or those in `free`; boxes are those of all."""
    tree = BoxTree.over(points, triangles)
    if free is None:
        return tree
    part = BoxTree.around(tree.boxes[free])
    return BoxTree(tree.boxes, free[part.order], part.nodes)
