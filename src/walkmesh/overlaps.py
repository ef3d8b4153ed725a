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
    """Find pairs of polygons whose triangles lie over each other, less than `height` apart.

    Triangles, (m, 3), are counter-clockwise, of (n, 3) points in the plan frame; `owners` are their
    polygons. An overlap no wider than `width` in plan is none. [Unit: m] Returns (k, 2), the
    smaller polygon first, once for each pair of triangles.
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
    Polygons are ragged and convex but for rounding; those without triangles are left out.
    """
    boxes = np.empty((len(offsets) - 1, 6), dtype=np.float64)
    fit_polygon_boxes(points, offsets, corners, triangles, owners, boxes)
    tree = BoxTree.around(boxes)
    find = partial(
        find_close_polygons, points, offsets, corners, boxes, tree.order, tree.nodes, height, width
    )
    return find_all(find)


def vertices_on_edges(points: Floats, edges: Ids, distance: float) -> Ids:
    """Find (k, 2) pairs of a vertex and an edge that it lies on and does not belong to.

    It lies no farther than `distance` from the edge, and farther from its ends. [Unit: m]
    """
    if len(edges) == 0:
        return np.empty((0, 2), dtype=np.int32)
    tree = BoxTree.over(points, edges)
    return find_all(partial(find_t_junctions, points, edges, tree.order, tree.nodes, distance))
