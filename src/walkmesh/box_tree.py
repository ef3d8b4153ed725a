"""A tree of boxes over the parts of a mesh, for finding what is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.box_tree import LEAF, fit_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


@dataclass(frozen=True)
class BoxTree:
    """Boxes and the tree above them; see :mod:`walkmesh.kernels.box_tree`.

    Attributes
    ----------
    boxes : (n, 6) float64
        Lowest u, v, h and highest u, v, h of each item. [Unit: m]
    order : (n,) int32
        Items in the order of the leaves.
    nodes : (m, 6) float64
        Boxes of the nodes in heap order.
    """

    boxes: Floats
    order: Ids
    nodes: Floats

    @classmethod
    def over(cls, points: Floats, items: NDArray[np.int32]) -> BoxTree:
        """Build the tree over items of k corners each.

        Parameters
        ----------
        points : (n, 3) float64
            Positions.
        items : (m, k) int32
            The points of each item.
        """
        low, high = points[items[:, 0]], points[items[:, 0]]
        for k in range(1, items.shape[1]):
            corners = points[items[:, k]]
            np.minimum(low, corners, out=low)
            np.maximum(high, corners, out=high)
        return cls.around(np.concatenate([low, high], axis=1))

    @classmethod
    def around(cls, boxes: Floats) -> BoxTree:
        """Build the tree over (n, 6) boxes."""
        order = np.argsort(_morton_codes(boxes), kind="stable").astype(np.int32)
        leaves = 1
        while leaves * LEAF < len(boxes):
            leaves *= 2
        nodes = np.empty((2 * leaves - 1, 6), dtype=np.float64)
        fit_nodes(boxes, order, nodes)
        return cls(boxes, order, nodes)


def _morton_codes(boxes: Floats) -> NDArray[np.uint64]:
    """Return the place of each box' middle along a Morton curve through all of them."""
    if len(boxes) == 0:
        return np.empty(0, dtype=np.uint64)
    middles = boxes[:, :3] + boxes[:, 3:]
    low = middles.min(axis=0)
    size = max(float((middles.max(axis=0) - low).max()), np.finfo(np.float64).tiny)
    cells = ((middles - low) / size * (2**21 - 1)).astype(np.uint64)
    code = np.zeros(len(boxes), dtype=np.uint64)
    for axis in range(3):
        code |= _spread(cells[:, axis]) << np.uint64(axis)
    return code


def _spread(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Put two zero bits after each of the lowest 21 bits."""
    for shift, mask in (
        (32, 0x1F00000000FFFF),
        (16, 0x1F0000FF0000FF),
        (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3),
        (2, 0x1249249249249249),
    ):
        values = (values | (values << np.uint64(shift))) & np.uint64(mask)
    return values
