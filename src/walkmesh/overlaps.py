"""Triangles that lie over each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.kernels.overlap import find_overlaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


def overlapping_pairs(
    points: Floats, triangles: Ids, owners: Ids, height: float, width: float
) -> NDArray[np.int32]:
    """Find pairs of triangles of different polygons that lie over each other.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids, counter-clockwise.
    owners : (m,) int32
        The polygon of each triangle.
    height : float
        How far apart in height they must be. [Unit: m]
    width : float
        An overlap no wider than this in plan is none. [Unit: m]

    Returns
    -------
    (k, 2) int32
        Pairs of polygons, the smaller first; once for each pair of their triangles.
    """
    tree = BoxTree.over(points, triangles)

    def search(start: int, stop: int) -> NDArray[np.int32]:
        found = np.empty((64, 2), dtype=np.int32)
        while True:
            count = find_overlaps(
                points, triangles, owners, tree.boxes, tree.order, tree.nodes, start, stop,
                height, width, found,
            )  # fmt: skip
            if count <= len(found):
                return found[:count]
            found = np.empty((count, 2), dtype=np.int32)

    pairs = [found for _, found in in_chunks(len(triangles), search)]
    return np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])
