"""What hangs together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.evaluate.kernels.forest import grow_forest

if TYPE_CHECKING:
    from walkmesh.arrays import Ids


def label_joined(firsts: Ids, seconds: Ids, count: int) -> Ids:
    """(count,) int32: the same label for nodes that are joined by edges.

    Parameters
    ----------
    firsts, seconds : (m,) int32
        The ends of the edges.
    count : int
        How many nodes there are. A label is the id of one of its nodes.
    """
    labels = np.empty(count, dtype=np.int32)
    grow_forest(firsts, seconds, labels, np.empty_like(labels))
    while not np.array_equal(labels, labels[labels]):
        labels = labels[labels]
    return labels
