"""Types of arguments that belong together in the surface method; see `walkmesh.kernels.types`."""

from walkmesh.kernels import types as kt

# The sides of a scene's triangles: positions (n, 3), vertex ids (m, 3), counter-clockwise around
# the unit normals (m, 3); the edge across each edge (3 m,) and the side on the back of each (m,),
# negative where there is none; and which can be walked on (m,).
SIDES = kt.packed(kt.POINTS, kt.TRIPLES, kt.POINTS, kt.INTS, kt.INTS, kt.BYTES)
# Boundary edges: where they start and end (b, 3), with their polygon on the left, and the unit
# normals of these (b, 3).
EDGES = kt.packed(kt.POINTS, kt.POINTS, kt.POINTS)
# Polygons that hang together: offsets, corners, mates and normals as of
# :class:`walkmesh.builder.surface.sheet.Sheet`, and the polygon of each corner (c,).
SHEET = kt.packed(kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.INTS)
# Regions that a kernel writes: the polygon of each (r,), where its sides start (r + 1,), the sides
# (s, 3), and how many regions and sides there are (2,), also if there was no room for them.
OUT_REGIONS = kt.packed(kt.OUT_INTS, kt.OUT_LONGS, kt.OUT_POINTS, kt.OUT_LONGS)
