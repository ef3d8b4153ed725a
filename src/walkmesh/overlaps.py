"""Triangles and polygons that lie over each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.kernels.geometry.overlap import find_close_polygons, find_overlaps, fit_polygon_boxes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids

# Fewer triangles are looked at sooner than a thread is told to.
_SMALLEST_CHUNK = 1024


def overlapping_pairs(
    points: Floats,
    triangles: Ids,
    owners: Ids,
    height: float,
    width: float,
    workers: int | None = None,
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
    workers : int, optional
        How many threads there are; by default as many as cores.

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

    chunks = in_chunks(len(triangles), search, workers, _SMALLEST_CHUNK)
    pairs = [found for _, found in chunks]
    return np.concatenate([np.empty((0, 2), dtype=np.int32), *pairs])


def close_polygons(
    points: Floats,
    offsets: Ids,
    corners: Ids,
    triangles: Ids,
    owners: Ids,
    height: float,
    width: float,
) -> NDArray[np.int32]:
    """Find pairs of polygons that may lie over each other, in a fraction of the time.

    All that do are among them, and few others; :func:`overlapping_pairs` of their triangles tells.

    Parameters
    ----------
    offsets, corners : (p + 1,) and (c,) int32
        Polygons of vertex ids, convex but for rounding.
    triangles, owners : (t, 3) and (t,) int32
        Triangles, and the polygon of each; polygons without any are left out.
    points, height, width
        See :func:`overlapping_pairs`.

    Returns
    -------
    (k, 2) int32
        Pairs of polygons, the smaller first.
    """
    boxes = np.empty((len(offsets) - 1, 6), dtype=np.float64)
    fit_polygon_boxes(points, offsets, corners, triangles, owners, boxes)
    tree = BoxTree.around(boxes)
    found = np.empty((64, 2), dtype=np.int32)
    while True:
        count = find_close_polygons(
            points, offsets, corners, boxes, tree.order, tree.nodes, height, width, found
        )
        if count <= len(found):
            return found[:count]
        found = np.empty((count, 2), dtype=np.int32)
