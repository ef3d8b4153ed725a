"""Vectors in space, of points and directions that are rows of arrays."""

from walkmesh.kernels.kernel import kernel


@kernel
def way_between(points, p, q):
    """Return the way from point p to point q."""
    return points[q, 0] - points[p, 0], points[q, 1] - points[p, 1], points[q, 2] - points[p, 2]


@kernel
def dot(a, i, b, j):
    """Return the scalar product of two rows."""
    return a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2]
