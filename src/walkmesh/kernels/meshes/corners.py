"""Corners of triangles, ``3 * triangle + k``; an edge has the number of the corner it starts at."""

from walkmesh.kernels.kernel import borrowing


@borrowing
def next_of(corner):
    """Return the next corner of the same triangle."""
    return corner + 1 if corner % 3 < 2 else corner - 2


@borrowing
def last_of(corner):
    """Return the last corner before this one in the same triangle."""
    return corner - 1 if corner % 3 > 0 else corner + 2
