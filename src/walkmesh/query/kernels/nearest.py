"""The nearest place on a triangle."""

from walkmesh.kernels.kernel import shared_borrowing


@shared_borrowing
def nearest_on_triangle(points, triangles, i, u, v, h):
    """Return the place on triangle i that is nearest to (u, v, h).

    The regions around a triangle are told apart by the projections onto its sides (C. Ericson,
    Real-Time Collision Detection, 5.1.5).
    """
    a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    au, av, ah = points[a, 0], points[a, 1], points[a, 2]
    bu, bv, bh = points[b, 0] - au, points[b, 1] - av, points[b, 2] - ah
    cu, cv, ch = points[c, 0] - au, points[c, 1] - av, points[c, 2] - ah
    pu, pv, ph = u - au, v - av, h - ah
    d1 = bu * pu + bv * pv + bh * ph
    d2 = cu * pu + cv * pv + ch * ph
    if d1 <= 0.0 and d2 <= 0.0:
        return au, av, ah
    d3 = d1 - (bu * bu + bv * bv + bh * bh)
    d4 = d2 - (bu * cu + bv * cv + bh * ch)
    if d3 >= 0.0 and d4 <= d3:
        return points[b, 0], points[b, 1], points[b, 2]
    d5 = d1 - (bu * cu + bv * cv + bh * ch)
    d6 = d2 - (cu * cu + cv * cv + ch * ch)
    if d6 >= 0.0 and d5 <= d6:
        return points[c, 0], points[c, 1], points[c, 2]
    beside_c = d1 * d4 - d3 * d2
    if beside_c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return au + s * bu, av + s * bv, ah + s * bh
    beside_b = d5 * d2 - d1 * d6
    if beside_b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return au + t * cu, av + t * cv, ah + t * ch
    beside_a = d3 * d6 - d5 * d4
    if beside_a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        s = 1.0 - t
    else:
        whole = beside_a + beside_b + beside_c
        s, t = beside_b / whole, beside_c / whole
    return au + s * bu + t * cu, av + s * bv + t * cv, ah + s * bh + t * ch
