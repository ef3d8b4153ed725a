"""Which way three points of an integer grid turn, exactly.

Differences of coordinates stay below 2^30 by a margin, so products of two are exact in int64.
"""

from walkmesh.kernels.kernel import borrowing


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
