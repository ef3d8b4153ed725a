"""A tree of boxes over the parts of a mesh, for finding what is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.search.box_tree import LEAF, find_close, fit_nodes
from walkmesh.kernels.search.morton import fit_boxes, sort_boxes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


@dataclass(frozen=True)
class BoxTree:
    """Boxes and the tree above them; see :mod:`walkmesh.kernels.search.box_tree`.

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

    @property
    def arrays(self) -> tuple[Floats, Ids, Floats]:
        """All three, as kernels take them: a `TREE` of :mod:`walkmesh.kernels.types`."""
        return self.boxes, self.order, self.nodes

    def close_to(self, boxes: Floats, width: float, height: float) -> NDArray[np.bool_]:
        """(k,) bool: which of (k, 6) boxes have any of the tree's so close in plan and height."""
        close = np.empty(len(boxes), dtype=np.uint8)
        find_close(boxes, self.boxes, self.order, self.nodes, width, height, close)
        return np.asarray(close == 1)

    @classmethod
    def over(cls, points: Floats, items: NDArray[np.int32]) -> BoxTree:
        """Build the tree over (m, k) items, which name k of (n, 3) points each."""
        boxes = np.empty((len(items), 6), dtype=np.float64)
        fit_boxes(np.ascontiguousarray(points), np.ascontiguousarray(items), boxes)
        return cls.around(boxes)

    @classmethod
    def over_lines(cls, lines: Floats) -> BoxTree:
        """Build the tree over (n, 6) lines, each from its start to its end."""
        ends = np.arange(2 * len(lines), dtype=np.int32).reshape(-1, 2)
        return cls.over(lines.reshape(-1, 3), ends)

    @classmethod
    def around(cls, boxes: Floats) -> BoxTree:
        """Build the tree over (n, 6) boxes."""
        order = np.empty(len(boxes), dtype=np.int32)
        sort_boxes(boxes, order)
        leaves = 1
        while leaves * LEAF < len(boxes):
            leaves *= 2
        nodes = np.empty((2 * leaves - 1, 6), dtype=np.float64)
        fit_nodes(boxes, order, nodes)
        return cls(boxes, order, nodes)
