r"""Flat triangles: rounding to the grid makes some between places on one straight line.

::

            s                 s
          /   \             / | \         r lies on the line p q, but for rounding; then its
         p --e-- q   ->    p  |  q        triangle is nothing to stand on, and one of the next
          '- r -'           '-r-'         triangle's sides would pass by the vertex r
"""

import numpy as np

from walkmesh.builder.bridges.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import flip

# Flips can make other triangles flat.
_ROUNDS = 8


@kernel(kt.LONGS_2D, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_BYTES)
def flip_flat(points, corners, mates, is_line):
    """Flip the longest side of flat triangles, unless it is a line.

    Parameters
    ----------
    points : (n, 2) int64
        Places on the grid.
    corners, mates : (3 t,) int32, changed
        The triangles, and the side across each side.
    is_line : (3 t,) uint8, changed
        1 for sides that stay.

    Returns
    -------
    int
        The number of flips.
    """
    start = np.zeros(len(points), np.int32)
    flips = 0
    for _ in range(_ROUNDS):
        before = flips
        for t in range(len(corners) // 3):
            e, longest = 3 * t, np.int64(-1)
            for side in range(3 * t, 3 * t + 3):
                square = plan_square(points, corners[side], corners[next_of(side)])
                if square > longest:
                    e, longest = side, square
            p, q, r = corners[e], corners[next_of(e)], corners[last_of(e)]
            if (
                turn(points, p, q, r) > tol.FLAT_STEPS * np.sqrt(longest)
                or is_line[e]
                or mates[e] < 0
            ):
                continue
            m = mates[e]
            s = corners[last_of(m)]
            if turn(points, p, s, r) <= 0 or turn(points, s, q, r) <= 0:
                continue
            e_next, m_next = next_of(e), next_of(m)
            is_line[e], is_line[m] = is_line[m_next], is_line[e_next]
            is_line[e_next], is_line[m_next] = 0, 0
            flip(corners, mates, start, e, m)
            flips += 1
        if flips == before:
            break
    return flips
