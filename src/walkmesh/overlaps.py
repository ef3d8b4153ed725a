"""Triangles and polygons that lie over each other, and vertices that lie on edges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import find_all
from walkmesh.box_tree import BoxTree
from walkmesh.chunks import in_chunks
from walkmesh.kernels.geometry.overlap import (
    find_close_polygons,
    find_overlaps,
    find_t_junctions,
    fit_polygon_boxes,
)

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
        find = partial(
            find_overlaps, points, triangles, owners, tree.boxes, tree.order, tree.nodes, start,
            stop, height, width,
        )  # fmt: skip
        return find_all(find)

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
    find = partial(
        find_close_polygons, points, offsets, corners, boxes, tree.order, tree.nodes, height, width
    )
    return find_all(find)


def vertices_on_edges(points: Floats, edges: Ids, distance: float) -> Ids:
    """Find vertices that lie on edges they do not belong to.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    edges : (m, 2) int32
        The vertices that each edge runs between.
    distance : float
        How close to the edge, and how far from its ends at least. [Unit: m]

    Returns
    -------
    (k, 2) int32
        Pairs of a vertex and an edge.
    """
    if len(edges) == 0:
        return np.empty((0, 2), dtype=np.int32)
    tree = BoxTree.over(points, edges)
    return find_all(partial(find_t_junctions, points, edges, tree.order, tree.nodes, distance))
