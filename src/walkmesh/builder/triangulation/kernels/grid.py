"""The circle through points of an integer grid, and their order along a Hilbert curve."""

from walkmesh.builder.triangulation.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.turns import along, turn
from walkmesh.kernels.kernel import kernel, shared_borrowing

# Coordinates that count from zero fit into this many bits.
BITS = 30


@kernel(kt.LONGS_2D, kt.OUT_LONGS)
def hilbert_keys(points, keys):
    """Give points their numbers along a Hilbert curve; only equal places have equal ones.

    Parameters
    ----------
    points : (n, 2) int64
        Coordinates from 0 to 2^30 - 1.
    keys : (n,) int64, output
        Where on the curve each lies.
    """
    last = (1 << BITS) - 1
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        key = 0 * x
        for bit in range(BITS - 1, -1, -1):
            right, up = (x >> bit) & 1, (y >> bit) & 1
            key = 4 * key + ((3 * right) ^ up)
            if up == 0:
                if right == 1:
                    x, y = last - x, last - y
                x, y = y, x
        keys[i] = key


@shared_borrowing
def in_circle(points, p, q, r, s):
    """Tell whether s, right of p -> q, lies for certain inside the circle through p, q and r.

    It does when the angles at r and s are together more than two right angles. What rounding
    leaves open is no, so flipping edges by this test alone always ends. The four points are then
    a strictly convex quadrilateral.
    """
    sin_r, cos_r = float(turn(points, r, p, q)), float(along(points, r, p, q))
    sin_s, cos_s = float(turn(points, s, q, p)), float(along(points, s, q, p))
    one, two = sin_r * cos_s, cos_r * sin_s
    return one + two < -tol.CIRCLE_ROUNDING * (abs(one) + abs(two))
