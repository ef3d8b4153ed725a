"""Triangle soup: which triangles are valid or repeated, and which points are equal."""

import numpy as np

from walkmesh.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import way_between
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.hashing import hash_bits, hash_pair, table_size

VALID, NON_FINITE, NO_AREA = 0, 1, 2


@kernel(kt.POINTS, kt.TRIPLES, kt.OUT_BYTES)
def measure_triangles(vertices, triangles, state):
    """Tell which triangles have finite measures and an area.

    Parameters
    ----------
    vertices : (n, 3) float64
        Positions.
    triangles : (m, 3) int32
        Vertex ids.
    state : (m,) uint8, output
        VALID, NON_FINITE or NO_AREA.
    """
    for i in range(len(triangles)):
        a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        ux, uy, uz = way_between(vertices, a, b)
        vx, vy, vz = way_between(vertices, a, c)
        wx, wy, wz = way_between(vertices, b, c)
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        twice_area = np.sqrt(nx * nx + ny * ny + nz * nz)
        longest = max(
            ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz
        )
        if not (np.isfinite(twice_area) and np.isfinite(longest)):
            state[i] = NON_FINITE
        elif twice_area <= tol.NO_HEIGHT * longest:
            state[i] = NO_AREA
        else:
            state[i] = VALID


@kernel(kt.LONGS_2D, kt.OUT_INTS)
def match_positions(bits, representative):
    """Find, for every point, the first point with exactly the same coordinates.

    Parameters
    ----------
    bits : (n, 3) int64
        Coordinates, as whole numbers or as the bit patterns of floats.
    representative : (n,) int32, output
        Index of the first point that equals this one.

    Returns
    -------
    int
        The number of different points.
    """
    size = table_size(len(bits))
    table = np.full(size, -1, np.int32)
    different = 0
    for i in range(len(bits)):
        a, b, c = bits[i, 0], bits[i, 1], bits[i, 2]
        place = hash_bits(a, b, c, size - 1)
        while True:
            j = table[place]
            if j < 0:
                table[place] = i
                representative[i] = i
                different += 1
                break
            if bits[j, 0] == a and bits[j, 1] == b and bits[j, 2] == c:
                representative[i] = j
                break
            place = (place + 1) & (size - 1)
    return different


@kernel(kt.TRIPLES, kt.OUT_BYTES)
def mark_repeats(triangles, repeated):
    """Mark every triangle that has the same corners, in the same winding, as an earlier one.

    Parameters
    ----------
    triangles : (n, 3) int32
        Vertex ids; equal positions have equal ids.
    repeated : (n,) uint8, output
        1 for a repeat, 0 for the first of its kind.
    """
    size = table_size(len(triangles))
    table = np.full(size, -1, np.int32)
    for i in range(len(triangles)):
        a, b, c = _rotated(triangles, i)
        place = hash_pair(a, b ^ (c >> 3), size - 1)
        repeated[i] = 0
        while True:
            j = table[place]
            if j < 0:
                table[place] = i
                break
            other = _rotated(triangles, j)
            if other[0] == a and other[1] == b and other[2] == c:
                repeated[i] = 1
                break
            place = (place + 1) & (size - 1)


@kernel
def _rotated(triangles, i):
    """Return the corners of triangle i, smallest id first, in the same winding."""
    a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    if b < a and b <= c:
        return b, c, a
    if c < a and c <= b:
        return c, a, b
    return a, b, c
