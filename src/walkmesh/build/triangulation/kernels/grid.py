"""Exact predicates on an integer grid, and the order along a Hilbert curve.

Differences of coordinates stay below 2^30 by a margin, so turns are exact in int64.
"""

from walkmesh.kernels.kernel import LONGS_2D, OUT_LONGS, borrowing, kernel, shared_borrowing

# Coordinates that count from zero fit into this many bits.
BITS = 30
# The relative error of the float sum in `in_circle` is less than half of this.
_ROUNDING = 1e-15


@kernel(LONGS_2D, OUT_LONGS)
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


@borrowing
def turn_at(points, a, b, x, y):
    """Return twice the area of the triangle a, b, (x, y), positive when it turns left."""
    return (points[b, 0] - points[a, 0]) * (y - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        x - points[a, 0]
    )


@borrowing
def turn(points, a, b, c):
    """Return twice the area of the triangle a, b, c, positive when it turns left."""
    return turn_at(points, a, b, points[c, 0], points[c, 1])


@borrowing
def along(points, a, b, c):
    """Return how far c lies along a -> b, times the length of a -> b."""
    return (points[b, 0] - points[a, 0]) * (points[c, 0] - points[a, 0]) + (
        points[b, 1] - points[a, 1]
    ) * (points[c, 1] - points[a, 1])


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
    return one + two < -_ROUNDING * (abs(one) + abs(two))
