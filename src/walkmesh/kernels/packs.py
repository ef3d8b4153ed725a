"""Types of arguments that belong together, as one argument of an entry point.

A pack is a plain tuple, unpacked where it is used. Unlike for the fields of a named tuple, writable
arrays are accepted in it where read-only ones are declared, and a call takes no longer.
"""

from __future__ import annotations

from numba import types

from walkmesh.kernels.kernel import INTS, OUT_INTS, OUT_LONGS, OUT_POINTS, POINTS, TRIPLES


def packed(*parts: types.Type) -> types.Tuple:
    """Return the type of a tuple of such parts."""
    return types.Tuple(parts)


# A tree of boxes: (boxes, order, nodes), see :attr:`walkmesh.box_tree.BoxTree.arrays`.
TREE = packed(POINTS, INTS, POINTS)
# Triangles: positions (n, 3), vertex ids (m, 3) and unit normals or planes (m, 3).
TRIANGLES = packed(POINTS, TRIPLES, POINTS)
# Convex polygons: where their corners start (p + 1,), corners (c, 3) and normals or planes (p, 3).
POLYGONS = packed(INTS, POINTS, POINTS)
# Pieces that a kernel writes: where their corners start (p + 1,), corners (c, 3), what each was cut
# from (p,), and how many pieces and corners there are (2,).
OUT_PIECES = packed(OUT_INTS, OUT_POINTS, OUT_INTS, OUT_LONGS)
