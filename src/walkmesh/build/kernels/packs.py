"""What goes into kernels together, as plain tuples of arrays; kernels take them apart at once.

Arrays that are alone in locals cost no counting of references, and no more compile time than
arguments of their own do.
"""

from numba import types

from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    INTS,
    LONGS,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    TRIPLES,
)

# A tree of boxes, see :mod:`walkmesh.kernels.search.box_tree`.
# nodes: (m, 6) float64; order: (n,) int32; boxes: (n, 6) float64, around each item. [m]
TREE = types.Tuple((POINTS, INTS, POINTS))

# The faces of a scene in the plan frame, see :class:`walkmesh.build.faces.Faces`.
# points: (n, 3) float64 [m]; triangles: (m, 3) int32, vertex ids; planes: (m, 3) float64,
# h = planes[0] u + planes[1] v + planes[2]; roles: (m,) uint8, what each face is.
FACES = types.Tuple((POINTS, TRIPLES, POINTS, BYTES))

# Polygons of ground, see :class:`walkmesh.build.ground.Ground`, with planes.
# offsets: (p + 1,) int32, where the corners of each start; corners: (c, 3) float64, (u, v, h) [m];
# mates: (c,) int32, the edge across each edge, negative where there is none; planes: (p, 3)
# float64, the plane of each.
POLYGONS = types.Tuple((INTS, POINTS, INTS, POINTS))

# Pieces that are written: where their corners start (p + 1,), corners (c, 3), what each was cut
# from (p,), and how many pieces and corners there are (2,).
OUT_PIECES = types.Tuple((OUT_INTS, OUT_POINTS, OUT_INTS, OUT_LONGS))

# Convex regions of the plan, each with a height.
# sides: (s, 3) float64, lines (a, b, c), positive inside, of all regions end to end;
# offsets: (r + 1,) int64, where those of each start; planes: (r, 3) float64, the height of each,
# h = planes[0] u + planes[1] v + planes[2]; boxes: (r, 6) float64, around each. [m]
REGIONS = types.Tuple((POINTS, LONGS, POINTS, POINTS))
# The same when they are written, and how many regions and sides there are (2,), also if there was
# not enough room for them.
OUT_REGIONS = types.Tuple((OUT_POINTS, OUT_LONGS, OUT_POINTS, OUT_POINTS, OUT_LONGS))

# Three lengths that go together. [m]
LENGTHS = types.UniTuple(FLOAT, 3)
