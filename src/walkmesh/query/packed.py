"""Arrays packed into one, for kernels that take many: each argument of a call costs 0.1 µs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def pack(arrays: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Put arrays of one dtype and at most two dimensions end to end.

    Returns
    -------
    packed : (n,) array
        All of their values.
    layout : (k, 3) int64
        Where each array starts, its rows and its columns.
    """
    layout = lay_out([array.shape for array in arrays])
    return np.concatenate([array.ravel() for array in arrays]), layout


def lay_out(shapes: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """Return where arrays of these shapes lie when they are put end to end, see :func:`pack`."""
    layout = np.ones((len(shapes), 3), dtype=np.int64)
    for row, shape in zip(layout, shapes, strict=True):
        row[1 : 1 + len(shape)] = shape
    layout[:, 0] = np.cumsum(layout[:, 1] * layout[:, 2]) - layout[:, 1] * layout[:, 2]
    return layout


def total_size(layout: NDArray[np.int64]) -> int:
    """Return how many values there are in a layout."""
    return int(layout[-1].dot((1, 0, 0)) + layout[-1, 1] * layout[-1, 2])
