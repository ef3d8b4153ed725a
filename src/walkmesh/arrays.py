"""Arrays as walkmesh keeps them: C-contiguous, of one dtype, and read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.errors import WalkmeshError

Scalar = TypeVar("Scalar", bound=np.generic)

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Ids = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
Indices = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
Integers = np.ndarray[tuple[int, ...], np.dtype[np.integer]]
Longs = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Singles = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def read_only(values: ArrayLike, dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return `values` as a C-contiguous read-only array that the caller cannot change later.

    An array that is read-only and owns its values, as those from here do, is shared; any other
    is copied, since a read-only view may show what someone else can still change.
    """
    array = np.asarray(values)
    result: NDArray[Scalar] = np.ascontiguousarray(array, dtype=dtype)
    frozen = result.flags.owndata and not result.flags.writeable
    if not frozen and np.may_share_memory(result, array):
        result = result.copy()
    result.flags.writeable = False
    return result


def as_floats(values: ArrayLike) -> Floats:
    """Return `values` as float64; TypeError, ValueError or OverflowError if they are not numbers.

    Complex numbers are refused, of which numpy would take the real part.
    """
    array = np.asarray(values)
    if np.iscomplexobj(array):
        raise TypeError("complex numbers")
    return np.asarray(array, dtype=np.float64)


def as_points(name: str, values: ArrayLike, error: type[WalkmeshError]) -> Floats:
    """Return `values` as read-only (n, 3) float64, or say what is wrong with them."""
    try:
        array = as_floats(values)
    except (TypeError, ValueError, OverflowError) as reason:
        raise error(f"{name} is not an array of numbers: {reason}") from None
    if array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise error(f"{name} has shape {array.shape}; it must have shape (n, 3)")
    return read_only(array, np.float64)


def find_all(find: Callable[[Ids], int], columns: int = 2, room: int = 256) -> Ids:
    """(k, columns) int32: what a kernel finds that says how much it is, given room for all of it.

    `find` writes rows to an array as far as there is room, and returns how many there are.
    """
    while True:
        found = np.empty((room, columns), dtype=np.int32)
        count = int(find(found))
        if count <= room:
            return found[:count].copy()
        room = count
