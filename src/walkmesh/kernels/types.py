"""The types of entry points' arguments, imported as ``kt`` wherever they are declared.

Arguments that belong together are one, a pack. It is a plain tuple, unpacked where it is used.
Unlike for the fields of a named tuple, writable arrays are accepted in it where read-only ones are
declared, and a call takes no longer.
"""

from __future__ import annotations

from numba import types

FLOAT = types.float64
INT = types.int64


def _array(dtype: types.Type, ndim: int, *, out: bool = False) -> types.Array:
    return types.Array(dtype, ndim, "C", readonly=not out)


POINTS = _array(types.float64, 2)  # (n, k) float64
FLOATS = _array(types.float64, 1)
SINGLES = _array(types.float32, 1)
SINGLES_2D = _array(types.float32, 2)  # (n, k) float32
INTS = _array(types.int32, 1)  # ids
TRIPLES = _array(types.int32, 2)  # (n, k) ids
CUBES = _array(types.float64, 3)  # (n, k, l) float64
LONGS = _array(types.int64, 1)
LONGS_2D = _array(types.int64, 2)
BYTES = _array(types.uint8, 1)

OUT_POINTS = _array(types.float64, 2, out=True)
OUT_FLOATS = _array(types.float64, 1, out=True)
OUT_SINGLES = _array(types.float32, 1, out=True)
OUT_SINGLES_2D = _array(types.float32, 2, out=True)
OUT_INTS = _array(types.int32, 1, out=True)
OUT_TRIPLES = _array(types.int32, 2, out=True)
OUT_LONGS = _array(types.int64, 1, out=True)
OUT_LONGS_2D = _array(types.int64, 2, out=True)
OUT_BYTES = _array(types.uint8, 1, out=True)


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
