"""Plan geometry: lengths, sides, distances and slopes seen from above."""

from walkmesh.kernels.geometry.vectors import way_between
from walkmesh.kernels.kernel import kernel


@kernel
def plan_square(points, p, q):
    """Return the square of the plan distance of two points."""
    return (points[q, 0] - points[p, 0]) ** 2 + (points[q, 1] - points[p, 1]) ** 2


@kernel
def gradient(points, p, q, r):
    """Return how a triangle rises along u and v, and twice its plan area; no rise without area."""
    eu, ev, eh = way_between(points, p, q)
    fu, fv, fh = way_between(points, p, r)
    area = eu * fv - ev * fu
    if area <= 0.0:
        return 0.0, 0.0, area
    return (eh * fv - fh * ev) / area, (fh * eu - eh * fu) / area, area


@kernel
def to_segment(xu, xv, au, av, bu, bv):
    """Return the squared distance of x from the segment a-b, and where on it the nearest point is.

    The place is 0 at a and 1 at b.
    """
    t, du, dv = way_to_segment(xu, xv, au, av, bu, bv)
    return du**2 + dv**2, t


@kernel
def way_to_segment(xu, xv, au, av, bu, bv):
    """Return where on the segment a-b the place nearest to x is, from 0 to 1, and the way there."""
    eu, ev = bu - au, bv - av
    square = eu * eu + ev * ev
    t = 0.0
    if square > 0.0:
        t = min(max(((xu - au) * eu + (xv - av) * ev) / square, 0.0), 1.0)
    return t, au + t * eu - xu, av + t * ev - xv
