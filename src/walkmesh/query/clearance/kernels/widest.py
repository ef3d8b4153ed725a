"""How wide the widest way between two triangles is."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel


@kernel(kt.INTS, kt.INTS, kt.FLOATS, kt.INTS, kt.OUT_INTS, kt.OUT_FLOATS)
def grow_forest(order, mates, lengths, roots, above, widths):
    """Join triangles through their sides, the longest first (J. B. Kruskal).

    A tree is hung under the root of a larger one, so none is higher than the logarithm of its
    size, and the widths only fall on the way up.

    Parameters
    ----------
    order : (k,) int32
        The sides to look at, longest first.
    mates : (3 t,) int32
        The matching side of each side.
    lengths : (3 t,) float64
        How long each side is. [Unit: m]
    roots : (t,) int32
        The triangles themselves.
    above : (t,) int32, output
        The triangle that each hangs under; itself for a root.
    widths : (t,) float64, output
        The length of the side that joined the two; 0 for a root. [Unit: m]
    """
    sizes = np.ones(len(above), np.int32)
    for triangle in range(len(above)):
        above[triangle], widths[triangle] = roots[triangle], 0.0
    for i in range(len(order)):
        side = order[i]
        a, b = (
            widest_root(above, widths, side // 3, 0.0),
            widest_root(above, widths, mates[side] // 3, 0.0),
        )
        if a == b:
            continue
        if sizes[a] < sizes[b]:
            a, b = b, a
        above[b], widths[b] = a, lengths[side]
        sizes[a] += sizes[b]


@borrowing
def widest_root(above, widths, triangle, width):
    """Return the triangle that stands for all that can be reached through sides of a width."""
    while above[triangle] != triangle and widths[triangle] >= width:
        triangle = above[triangle]
    return triangle
