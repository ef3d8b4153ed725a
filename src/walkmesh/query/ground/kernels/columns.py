"""Columns of the arrays of a mesh and of a search on it, imported as ``col``.

The arrays are those of :mod:`walkmesh.query.ground.kernels.mesh`.
"""

# Columns of `polygons`: where the polygon's sides, triangles and jumps start (those of the next
# polygon end them); its relief; the block above it and how many there are above; and its island.
FIRST, GROUND, JUMPS, RELIEF, UP, DEPTH, ISLAND = range(7)
# What relief a polygon's ground has: triangles of any heights; triangles whose corners are those of
# the polygon, so that its sides are straight; or one plane.
BROKEN, FACETED, PLANE = range(3)
# Columns of `sides`: the vertex at the corner; the polygon across the side and the same side there,
# -1 at a boundary; and the block.
VERTEX, NEIGHBOR, MATE, BLOCK = range(4)
# Columns of `targets`: the polygon where a jump ends, the one where it starts, its block, and the
# link that it is.
POLYGON, ORIGIN, JUMP_BLOCK, LINK = range(4)

# Columns of `spans`: the ends of a node's piece of a side, as seen from the root; the root, and how
# far that is from the start.
LEFT_U, LEFT_V, RIGHT_U, RIGHT_V, ROOT_U, ROOT_V, GONE = range(7)
# Columns of `nodes`: the node before; the step to here; the vertices at the ends of the piece, -1
# for none; and the root's row of `best`, -1 for the start.
PARENT, STEP, LEFT, RIGHT, ROOT = range(5)
