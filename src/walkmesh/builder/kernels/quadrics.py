"""Quadrics of heights (Garland and Heckbert): how far a vertex would leave its old planes."""

from walkmesh.kernels.geometry.plan import gradient
from walkmesh.kernels.kernel import kernel


@kernel
def add_plane(points, corners, triangle, quadrics):
    """Add the plane of a triangle, weighted with its area, to the quadrics of its corners.

    A quadric is a sum of w * (gu, gv, -1, c) squared: the gradient of a plane and its height above
    the vertex, in the order uu, uv, u, vv, v, 1, uc, vc, c, cc.
    """
    p, q, r = corners[3 * triangle], corners[3 * triangle + 1], corners[3 * triangle + 2]
    gu, gv, area = gradient(points, p, q, r)
    if area <= 0.0:
        return
    for k in range(3):
        v = corners[3 * triangle + k]
        quadrics[v, 0] += area * gu * gu
        quadrics[v, 1] += area * gu * gv
        quadrics[v, 2] += area * gu
        quadrics[v, 3] += area * gv * gv
        quadrics[v, 4] += area * gv
        quadrics[v, 5] += area


@kernel
def quadric_error(points, quadrics, v, pu, pv, ph):
    """Return the error of a point by the quadric of vertex v."""
    du, dv, dh = pu - points[v, 0], pv - points[v, 1], ph - points[v, 2]
    square = (
        quadrics[v, 0] * du * du
        + quadrics[v, 3] * dv * dv
        + quadrics[v, 5] * dh * dh
        + 2.0 * (quadrics[v, 1] * du * dv - quadrics[v, 2] * du * dh - quadrics[v, 4] * dv * dh)
        + 2.0 * (quadrics[v, 6] * du + quadrics[v, 7] * dv - quadrics[v, 8] * dh)
        + quadrics[v, 9]
    )
    return max(square, 0.0)


@kernel
def move_quadric(points, quadrics, gone, kept, apex, shrink):
    """Add the quadric of the vertex that goes to that of the one that stays, at the apex."""
    for turn in range(2):
        v = kept if turn == 0 else gone
        if turn == 0 and not shrink:
            continue
        du, dv, dh = apex[0] - points[v, 0], apex[1] - points[v, 1], apex[2] - points[v, 2]
        error = quadric_error(points, quadrics, v, apex[0], apex[1], apex[2])
        quadrics[v, 6] += quadrics[v, 0] * du + quadrics[v, 1] * dv - quadrics[v, 2] * dh
        quadrics[v, 7] += quadrics[v, 1] * du + quadrics[v, 3] * dv - quadrics[v, 4] * dh
        quadrics[v, 8] += quadrics[v, 2] * du + quadrics[v, 4] * dv - quadrics[v, 5] * dh
        quadrics[v, 9] = error
    for k in range(10):
        quadrics[kept, k] += quadrics[gone, k]
