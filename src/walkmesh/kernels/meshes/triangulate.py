"""Triangulating convex polygons, also those with corners in the middle of a straight side."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import kernel

# Of a polygon with no more corners than this every diagonal is tried.
_FEW = 64


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.OUT_TRIPLES)
def triangulate_convex(points, offsets, corners, triangles):
    """Cut every convex polygon into triangles, none of them without area if it can be helped.

    A polygon of k corners is halved by the diagonal that leaves the smaller part as large as
    possible, and the parts likewise. Unlike a fan, this never cuts along a straight side: a
    diagonal between two corners of one side would leave a part without area. Both the cut and the
    order of the triangles depend on the polygon alone.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame; only u and v count.
    offsets, corners : (p + 1,) and (c,) int32
        Ragged polygons of at least 3 corners, counter-clockwise.
    triangles : (c - 2 p, 3) int32, output
        Vertex ids, counter-clockwise; polygon p's are k - 2 rows from offsets[p] - 2 p on.
    """
    longest = 3
    for polygon in range(len(offsets) - 1):
        longest = max(longest, offsets[polygon + 1] - offsets[polygon])
    # A part is a run of places in `ring`; cutting [start, stop) at i < j leaves the corners from i
    # to j, and those from j around to i. Parts are kept on a stack, corner lists end to end.
    ring = np.empty(3 * longest, np.int32)
    part = np.empty(longest, np.int32)
    sums = np.empty(longest + 1, np.float64)
    stack = np.empty(longest + 1, np.int32)
    row = 0
    for polygon in range(len(offsets) - 1):
        start = offsets[polygon]
        size = offsets[polygon + 1] - start
        for i in range(size):
            ring[i] = corners[start + i]
        stack[0] = 0
        depth = 1
        top = size
        while depth > 0:
            depth -= 1
            begin = stack[depth]
            count = top - begin
            if count == 3:
                for k in range(3):
                    triangles[row, k] = ring[begin + k]
                row += 1
                top = begin
                continue
            for i in range(count):
                part[i] = ring[begin + i]
            i, j = _best_diagonal(points, part, count, sums)
            # The part from i to j goes first on the stack, the rest on top of it.
            stack[depth] = begin
            top = begin
            for k in range(i, j + 1):
                ring[top] = part[k]
                top += 1
            stack[depth + 1] = top
            depth += 2
            for k in range(j, count):
                ring[top] = part[k]
                top += 1
            for k in range(i + 1):
                ring[top] = part[k]
                top += 1


@kernel
def _best_diagonal(points, part, count, sums):
    """Return the places i < j of the diagonal whose smaller side is as large as possible."""
    # sums[k] is twice the area between the first corner and the chain from corner 0 to corner k,
    # taken from the first corner so that a polygon far from the origin loses no digits.
    u0, v0 = points[part[0], 0], points[part[0], 1]
    sums[0] = 0.0
    for k in range(count):
        a, b = part[k], part[(k + 1) % count]
        sums[k + 1] = sums[k] + (
            turn_of(u0, v0, points[a, 0], points[a, 1], points[b, 0], points[b, 1])
        )
    # The further j is from i the larger is the part between them, and the further i is the smaller.
    # So the last j before half of the area, and the one after it, only ever move on with i. In a
    # polygon no wider than rounding this need not be so; where corners are few, all are tried.
    window = count if count <= _FEW else 1
    best, best_i, best_j = -np.inf, 0, 2
    half = 0.5 * sums[count]
    middle = 2
    for i in range(count - 2):
        last = count - 1 if i > 0 else count - 2
        middle = max(middle, i + 2)
        while middle < last and _cut_off(points, part, sums, u0, v0, i, middle) < half:
            middle += 1
        for j in range(max(middle - window, i + 2), min(middle + window, last + 1)):
            area = _cut_off(points, part, sums, u0, v0, i, j)
            smaller = min(area, sums[count] - area)
            if smaller > best:
                best, best_i, best_j = smaller, i, j
    return best_i, best_j


@kernel
def _cut_off(points, part, sums, u0, v0, i, j):
    """Return twice the area between the chain from corner i to corner j and the diagonal."""
    ui, vi = points[part[i], 0] - u0, points[part[i], 1] - v0
    uj, vj = points[part[j], 0] - u0, points[part[j], 1] - v0
    return sums[j] - sums[i] + (uj * vi - ui * vj)
