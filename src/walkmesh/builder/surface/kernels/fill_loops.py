r"""Closing the holes that are left where several joints meet.

In the corner of a room three joints leave a triangle; around a pillar two of them leave a fan. A
hole is closed by the triangles of least area that have its corners (a dynamic programme over all
ways to cut its outline, as for any polygon in space).
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

_MOST_CORNERS = 48


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.BYTES, kt.BYTES, kt.POINTS, kt.FLOAT, kt.OUT_POINTS)
def fill_loops(corners, edges, after, joint, is_open, normals, most, triangles):
    """Close the holes between joints.

    Parameters
    ----------
    corners : (c, 3) float64
        Positions of all corners. [Unit: m]
    edges : (b,) int32
        Boundary edges, named by their first corner.
    after : (c,) int32
        The boundary edge after each along the boundary.
    joint : (c,) uint8
        1 for the edges of joints.
    is_open : (c,) uint8
        1 for ledges.
    normals : (c, 3) float64
        The normal of the polygon of each edge.
    most : float
        How long the edges of a hole that are not those of joints may be in all: less than there is
        around anything that stands in the way. [Unit: m]
    triangles : (t, 9) float64, output
        Corners of the triangles, as many as there is room for.

    Returns
    -------
    int
        How many triangles there are.
    """
    ring = np.empty(_MOST_CORNERS, np.int32)
    best = np.empty((_MOST_CORNERS, _MOST_CORNERS), np.float64)
    cuts = np.empty((_MOST_CORNERS, _MOST_CORNERS), np.int32)
    stack = np.empty((_MOST_CORNERS, 2), np.int32)
    up = np.empty(3, np.float64)
    seen = np.zeros(len(after), np.uint8)
    count = 0
    for edge in edges:
        if seen[edge]:
            continue
        length, joints, fits = 0, 0, True
        current = edge
        while current >= 0 and not seen[current]:
            seen[current] = 1
            joints += joint[current]
            fits = fits and (joint[current] == 1 or is_open[current] == 0)
            if length < _MOST_CORNERS:
                ring[length] = current
            length += 1
            current = after[current]
        fits = fits and current == edge and 3 <= length <= _MOST_CORNERS and joints >= 1
        if not fits or _rest(corners, after, joint, ring, length) > most:
            continue
        for k in range(3):
            up[k] = 0.0
            for i in range(length):
                up[k] += normals[ring[i], k]
        count = _cut_hole(corners, ring, length, up, best, cuts, stack, triangles, count)
    return count


@kernel
def _rest(corners, after, joint, ring, length):
    """Return how long the edges of a hole that are not those of joints are in all."""
    total = 0.0
    for i in range(length):
        edge = ring[i]
        if joint[edge] == 0:
            square = 0.0
            for k in range(3):
                square += (corners[after[edge], k] - corners[edge, k]) ** 2
            total += np.sqrt(square)
    return total


@kernel
def _cut_hole(corners, ring, length, up, best, cuts, stack, triangles, count):
    """Write the triangles of least area that close a hole; return how many there are now."""
    for i in range(length):
        best[i, (i + 1) % length] = 0.0
    for gap in range(2, length):
        for i in range(length - gap):
            j = i + gap
            best[i, j], cuts[i, j] = np.inf, -1
            for k in range(i + 1, j):
                area = _area(corners, ring[i], ring[k], ring[j], up)
                below = best[i, k] if k > i + 1 else 0.0
                above = best[k, j] if j > k + 1 else 0.0
                if below + area + above < best[i, j]:
                    best[i, j], cuts[i, j] = below + area + above, k
    if not best[0, length - 1] < np.inf:
        return count
    stack[0, 0], stack[0, 1] = 0, length - 1
    depth = 1
    while depth > 0:
        depth -= 1
        i, j = stack[depth, 0], stack[depth, 1]
        if j < i + 2:
            continue
        k = cuts[i, j]
        if count < len(triangles):
            # The boundary runs with the surface on its left: a hole is run around the other way.
            for axis in range(3):
                triangles[count, axis] = corners[ring[j], axis]
                triangles[count, 3 + axis] = corners[ring[k], axis]
                triangles[count, 6 + axis] = corners[ring[i], axis]
        count += 1
        stack[depth, 0], stack[depth, 1] = i, k
        stack[depth + 1, 0], stack[depth + 1, 1] = k, j
        depth += 2
    return count


@kernel
def _area(corners, a, b, c, up):
    """Return twice the area of a triangle of a hole; infinite if it faces away from `up`."""
    square, rise = 0.0, 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        x = (corners[b, i] - corners[c, i]) * (corners[a, j] - corners[c, j])
        x -= (corners[b, j] - corners[c, j]) * (corners[a, i] - corners[c, i])
        square += x * x
        rise += x * up[k]
    return np.sqrt(square) if rise > 0.0 else np.inf
