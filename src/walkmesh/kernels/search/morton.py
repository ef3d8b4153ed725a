"""The order of boxes along a Morton curve, in which near ones are mostly close to each other."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# Bits of each coordinate of a box' place; and of a code, so many at a time are sorted by.
_BITS = 21
_DIGIT = 11
_PASSES = 6
# No cube is smaller than this. [m]
_LEAST = float(np.finfo(np.float64).tiny)


@kernel(kt.POINTS, kt.TRIPLES, kt.OUT_POINTS)
def fit_boxes(points, items, boxes):
    """Fit a box around each item.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    items : (m, k) int32
        The points of each item.
    boxes : (m, 6) float64, output
        Lowest u, v, h and highest u, v, h. [Unit: m]
    """
    for item in range(len(items)):
        for axis in range(3):
            low = points[items[item, 0], axis]
            high = low
            for corner in range(1, items.shape[1]):
                x = points[items[item, corner], axis]
                low, high = min(low, x), max(high, x)
            boxes[item, axis], boxes[item, axis + 3] = low, high


@kernel(kt.POINTS, kt.OUT_INTS)
def sort_boxes(boxes, order):
    """Sort boxes by where their middles are along a Morton curve through all of them.

    Parameters
    ----------
    boxes : (n, 6) float64
        Lowest u, v, h and highest u, v, h. [Unit: m]
    order : (n,) int32, output
        Boxes in order; those at one place by their numbers.
    """
    count = len(boxes)
    low, size = _cube_of(boxes)
    codes = np.empty(count, np.int64)
    for i in range(count):
        code = 0
        for axis in range(3):
            middle = boxes[i, axis] + boxes[i, axis + 3]
            code |= _spread(int((middle - low[axis]) / size * (2**_BITS - 1))) << axis
        codes[i] = code
        order[i] = i
    _sort_by_digits(codes, order)


@kernel
def _cube_of(boxes):
    """Return the lowest corner, and the side, of a cube around the middles of boxes, doubled."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i in range(len(boxes)):
        for axis in range(3):
            middle = boxes[i, axis] + boxes[i, axis + 3]
            low[axis], high[axis] = min(low[axis], middle), max(high[axis], middle)
    size = _LEAST
    for axis in range(3):
        size = max(size, high[axis] - low[axis])
    return low, size


@kernel
def _spread(value):
    """Put two zero bits after each of the lowest 21 bits."""
    value = (value | (value << 32)) & 0x1F00000000FFFF
    value = (value | (value << 16)) & 0x1F0000FF0000FF
    value = (value | (value << 8)) & 0x100F00F00F00F00F
    value = (value | (value << 4)) & 0x10C30C30C30C30C3
    return (value | (value << 2)) & 0x1249249249249249


@kernel
def _sort_by_digits(codes, order):
    """Sort items by their codes, digit by digit from the last; equal ones stay in order."""
    count = len(codes)
    radix = 1 << _DIGIT
    ends = np.zeros((_PASSES, radix + 1), np.int64)
    for i in range(count):
        for k in range(_PASSES):
            ends[k, ((codes[i] >> (k * _DIGIT)) & (radix - 1)) + 1] += 1
    other_codes, other = np.empty(count, np.int64), np.empty(count, np.int32)
    for k in range(_PASSES):
        shift = k * _DIGIT
        if count == 0 or ends[k, ((codes[0] >> shift) & (radix - 1)) + 1] == count:
            continue  # all have the same digit
        for digit in range(radix):
            ends[k, digit + 1] += ends[k, digit]
        for i in range(count):
            digit = (codes[i] >> shift) & (radix - 1)
            place = ends[k, digit]
            ends[k, digit] += 1
            other_codes[place], other[place] = codes[i], order[i]
        for i in range(count):
            codes[i], order[i] = other_codes[i], other[i]
