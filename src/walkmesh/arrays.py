"""Arrays as walkmesh keeps them: C-contiguous, of one dtype, and read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Ids = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


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
