"""What kernels of builds take together, see :mod:`walkmesh.kernels.types`."""

from walkmesh.kernels import types as kt

# The faces of a scene in the plan frame, see :attr:`walkmesh.builder.faces.Faces.arrays`: positions
# (n, 3), vertex ids (m, 3), planes (m, 3) and roles (m,).
FACES = kt.packed(kt.POINTS, kt.TRIPLES, kt.POINTS, kt.BYTES)
# Convex regions of the plan, each with a height: sides (s, 3), which are lines (a, b, c), positive
# inside, of all regions end to end; where those of each start (r + 1,); planes (r, 3), the height
# of each; and boxes (r, 6) around them.
REGIONS = kt.packed(kt.POINTS, kt.LONGS, kt.POINTS, kt.POINTS)
# The same when they are written, and how many regions and sides there are (2,), also if there was
# not enough room for them.
OUT_REGIONS = kt.packed(kt.OUT_POINTS, kt.OUT_LONGS, kt.OUT_POINTS, kt.OUT_POINTS, kt.OUT_LONGS)
