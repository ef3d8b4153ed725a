"""Slivers: long thin faces and edges, which a tree finds in several boxes along them.

One box around a sliver that lies askew is nearly empty. In a fan of slivers every place lies in the
boxes of a quarter of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.surface.kernels.tolerances import BOX_MARGIN
from walkmesh.ragged import ranges

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids, Longs

# What is so many times wider in its box, across the longest side of that, than thick is cut.
_SHAPE = 4.0
# The most parts of one face, and of all together for each face.
_MOST_PARTS, _MOST_FOR_EACH = 64, 16


def tree_over_faces(points: Floats, triangles: Ids, whole: BoxTree) -> BoxTree:
    """Return a tree over parts of triangles; its order names a triangle once for each of its parts.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    whole : BoxTree
        The tree over whole triangles, which is returned if there are no slivers.
    """
    corners = _longest_first(points[triangles])
    a, b, c = corners.transpose(1, 0, 2)
    length = np.linalg.norm(b - a, axis=1)
    twice = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    thick = np.divide(twice, length, out=np.ones_like(twice), where=twice > 0.0)
    counts = _part_counts(a, b, thick)
    return whole if (counts == 1).all() else _tree(corners, counts)


def tree_over_edges(points: Floats, edges: Ids) -> BoxTree:
    """Return a tree over parts of edges (m, 2), in the same way; only long ones have several."""
    a, b = points[edges].transpose(1, 0, 2)
    typical = np.full(len(edges), _askew(a, b).mean())
    counts = _part_counts(a, b, typical)
    if (counts == 1).all():
        return BoxTree.over(points, edges)
    return _tree(np.stack([a, b, a], axis=1), counts)


def _askew(a: Floats, b: Floats) -> Floats:
    """(m,) float64: how wide the box around each line is, across its longest side. [Unit: m]."""
    return np.asarray(np.sort(np.abs(b - a), axis=1)[:, 1])


def _part_counts(a: Floats, b: Floats, thick: Floats) -> Longs:
    """(m,) int: into how many parts what lies along each line is cut, 1 for most."""
    counts = np.clip(_askew(a, b) / np.maximum(_SHAPE * thick, 1e-300), 1.0, _MOST_PARTS)
    spare = _MOST_FOR_EACH * len(counts) / counts.sum()
    whole = np.maximum(np.floor(counts * min(spare, 1.0)), 1.0)
    return np.asarray(whole, dtype=np.int64)


def _tree(corners: Floats, counts: Longs) -> BoxTree:
    """Return the tree over so many parts of each of (m, 3, 3) triangles, longest side first."""
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    step = ranges(np.zeros_like(counts), counts) / counts[owners]
    tree = BoxTree.around(_boxes(corners[owners], step, step + 1.0 / counts[owners]))
    return BoxTree(tree.boxes, np.ascontiguousarray(owners[tree.order]), tree.nodes)


def _longest_first(corners: Floats) -> Floats:
    """Return the corners of triangles (t, 3, 3), the longest side from the first to the second."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    turned = (sides.argmax(axis=1)[:, None] + np.arange(3)) % 3
    return np.take_along_axis(corners, turned[:, :, None], axis=1)


def _boxes(corners: Floats, first: Floats, last: Floats) -> Floats:
    """(k, 6) float64: boxes around parts of triangles, between two shares of the longest side."""
    a, b, c = corners.transpose(1, 0, 2)
    way = b - a
    square = np.maximum((way * way).sum(axis=1), 1e-300)
    peak = np.clip(((c - a) * way).sum(axis=1) / square, 0.0, 1.0)
    places = []
    for share in (first, last, np.clip(peak, first, last)):
        # Straight across from the longest side, on the two others.
        up = np.where(share < peak, share / np.maximum(peak, 1e-300), 1.0)
        down = np.where(share > peak, (share - peak) / np.maximum(1.0 - peak, 1e-300), 0.0)
        there = a + up[:, None] * (c - a) + down[:, None] * (b - c)
        places += [a + share[:, None] * way, there]
    every = np.stack(places, axis=1)
    boxes = np.concatenate([every.min(axis=1) - BOX_MARGIN, every.max(axis=1) + BOX_MARGIN], axis=1)
    return np.ascontiguousarray(boxes)
