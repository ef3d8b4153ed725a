"""Arrays that were packed into one, see :mod:`walkmesh.query.packed`."""

from walkmesh.kernels.kernel import kernel


@kernel
def table(values, layout, k):
    """Return array k of two dimensions."""
    start, rows, columns = layout[k, 0], layout[k, 1], layout[k, 2]
    return values[start : start + rows * columns].reshape((rows, columns))


@kernel
def row(values, layout, k):
    """Return array k of one dimension."""
    return values[layout[k, 0] : layout[k, 0] + layout[k, 1]]
