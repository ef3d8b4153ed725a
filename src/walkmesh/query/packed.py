"""Arrays packed into one, for kernels that take many: each argument of a call costs 0.1 µs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


def pack_both(
    arrays: Mapping[str, NDArray[Any]], floats: Sequence[str], ints: Sequence[str]
) -> tuple[Floats, Ids, NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Put arrays of at most two dimensions end to end: those of float64, and those of int32.

    They lie in the order of the names in `floats` and `ints`. Returns all values of both,
    read-only; (k, 3) int64 where each array starts, its rows and its columns; and the arrays as
    they lie there.
    """
    packed, layouts = [], []
    views: dict[str, NDArray[Any]] = {}
    for names in (floats, ints):
        layouts.append(lay_out([arrays[name].shape for name in names]))
        packed.append(np.concatenate([arrays[name].ravel() for name in names]))
        packed[-1].flags.writeable = False
        views |= views_of(packed[-1], layouts[-1], {name: arrays[name].shape for name in names})
    return packed[0], packed[1], np.concatenate(layouts), views


def views_of(
    packed: NDArray[Any], layout: NDArray[np.int64], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of these shapes that lie end to end."""
    starts = layout[:, 0].tolist()
    return {
        name: packed[start : start + math.prod(shape)].reshape(shape)
        for (name, shape), start in zip(shapes.items(), starts, strict=True)
    }


def lay_out(shapes: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """Return where arrays of these shapes lie end to end, see :func:`pack_both`."""
    layout = np.ones((len(shapes), 3), dtype=np.int64)
    for row, shape in zip(layout, shapes, strict=True):
        row[1 : 1 + len(shape)] = shape
    layout[:, 0] = np.cumsum(layout[:, 1] * layout[:, 2]) - layout[:, 1] * layout[:, 2]
    return layout


def total_size(layout: NDArray[np.int64]) -> int:
    """Return how many values there are in a layout."""
    return int(layout[-1].dot((1, 0, 0)) + layout[-1, 1] * layout[-1, 2])


def make_room(
    shapes: Mapping[str, tuple[int, ...]], floats: Sequence[str], ints: Sequence[str]
) -> tuple[Floats, Ids, NDArray[np.int64]]:
    """Make cleared arrays of some shapes, end to end: those of float64, and those of int32.

    The arguments and what is returned are those of :func:`pack_both`.
    """
    layouts = [lay_out([shapes[name] for name in names]) for names in (floats, ints)]
    return (
        np.zeros(total_size(layouts[0])),
        np.zeros(total_size(layouts[1]), dtype=np.int32),
        np.concatenate(layouts),
    )
