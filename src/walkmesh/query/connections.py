"""How polygons hang together for a search: across sides, by jumps, and as islands.

From everywhere in an island, all else of it can be reached; one-way links lead from one to another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.kernels.meshes.adjacency import label_components
from walkmesh.kernels.meshes.union_find import unite_pairs
from walkmesh.query.jumps import Jumps
from walkmesh.query.kernels.islands import compare_islands
from walkmesh.query.kernels.mates import find_mates
from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


class Islands(NamedTuple):
    """The islands of a navmesh.

    Attributes
    ----------
    labels : (p,) int32
        The island of each polygon.
    exits : (i + 1,) int32
        Where the one-way links from each island start in `shores`.
    shores : (e,) int32
        The islands that they lead to.
    """

    labels: Ids
    exits: Ids
    shores: Ids

    @classmethod
    def of(cls, offsets: Ids, neighbors: Ids, jumps: Jumps) -> Islands:
        """Find the islands of polygons from the one across each of their sides, -1 for none."""
        components = np.empty(len(offsets) - 1, dtype=np.int32)
        count = label_components(offsets, neighbors, components)
        ways = np.stack([components[jumps.origins], components[jumps.ends]], axis=1)
        labels = np.empty(count, dtype=np.int32)
        unite_pairs(np.ascontiguousarray(ways[jumps.both_ways]), labels)
        one_way = labels[ways[~jumps.both_ways]]
        one_way = np.unique(one_way[one_way[:, 0] != one_way[:, 1]], axis=0)
        exits = np.searchsorted(one_way[:, 0], np.arange(count + 1)).astype(np.int32)
        shores = np.ascontiguousarray(one_way[:, 1], dtype=np.int32)
        return cls(labels[components], exits, shores)

    def reaches(self, starts: Ids, goals: Ids) -> NDArray[np.bool_]:
        """Tell whether there are ways from (n,) polygons to those beside them, -1 for none."""
        result = np.empty(len(starts), dtype=np.uint8)
        count = len(self.exits) - 1
        compare_islands(
            starts, goals, *self, np.zeros(count), np.empty(count, dtype=np.int32), result
        )
        return result.astype(np.bool_)

    def within_reach(self, polygon: int) -> NDArray[np.bool_]:
        """Tell to which polygons (p,) there are ways from one."""
        reached = np.zeros(len(self.exits) - 1, dtype=np.bool_)
        waiting = [self.labels[polygon]]
        while waiting:
            island = waiting.pop()
            if not reached[island]:
                reached[island] = True
                waiting.extend(self.shores[self.exits[island] : self.exits[island + 1]])
        return reached[self.labels]


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
