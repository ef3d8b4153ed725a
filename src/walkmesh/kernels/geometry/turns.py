"""Which way three places turn in plan, and what follows from that for segments.

With coordinates of an integer grid all of it is exact: differences of coordinates stay below 2^30
by a margin, so products of two fit into int64.
"""

from walkmesh.kernels.kernel import borrowing


@borrowing
def turn_of(au, av, bu, bv, cu, cv):
    """Return twice the plan area of the triangle a, b, c, positive when it turns left."""
    return (bu - au) * (cv - av) - (bv - av) * (cu - au)


@borrowing
def turn_at(points, a, b, u, v):
    """Return twice the plan area of the triangle a, b, (u, v), positive when it turns left."""
    return turn_of(points[a, 0], points[a, 1], points[b, 0], points[b, 1], u, v)


@borrowing
def turn(points, a, b, c):
    """Return twice the plan area of the triangle a, b, c, positive when it turns left."""
    return turn_at(points, a, b, points[c, 0], points[c, 1])


@borrowing
def along(points, a, b, c):
    """Return how far c lies along a -> b, times the length of a -> b."""
    return (points[b, 0] - points[a, 0]) * (points[c, 0] - points[a, 0]) + (
        points[b, 1] - points[a, 1]
    ) * (points[c, 1] - points[a, 1])


@borrowing
def lies_between(points, a, b, c):
    """Tell whether c, which lies on the line through a and b, lies strictly between them."""
    return along(points, a, b, c) > 0 and along(points, b, a, c) > 0
