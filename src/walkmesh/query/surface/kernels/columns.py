"""Columns of the arrays of a mesh and of a search on it, imported as ``col``.

The arrays are those of :mod:`walkmesh.query.surface.kernels.mesh` and `search`.
"""

# Columns of `halves`: the same edge in the triangle across, -1 at a boundary; the fan around the
# half's origin; and the polygon's corner that the edge starts at, -1 for a cut through a polygon.
MATE, FAN, CORNER = range(3)
# Columns of `shapes`: the half's length, its triangle's apex in its frame, and its direction in the
# fan around its origin.
LENGTH, APEX_X, APEX_Y, ANGLE = range(4)
# Columns of `fans`: the vertex, the first half counter-clockwise, how many there are, and whether a
# shortest path may turn there.
VERTEX, FIRST, COUNT, TURNS = range(4)
# What `TURNS` says: no; around a vertex with more than a full turn of ground; at the boundary, with
# more than half a turn.
NEVER, SADDLE, CORNERED = range(3)
# Columns of `targets`: the triangles where it starts and ends, and the link.
FROM, TO, LINK = range(3)

# Columns of `spans`: a window's piece of its half, the root in the half's frame, how far the root
# is from the start, and whether no other root can be seen to both sides of it.
B0, B1, ROOT_X, ROOT_Y, GONE, FIRM = range(6)
# Columns of `roots`: where it is in the world, how far from the start, and the direction in its fan
# that it was reached from, NaN for a start in all directions.
PLACE, FAR, CAME_FROM = 0, 3, 4
# Columns of `kinds`: what a root is; its triangle, fan or jump; the triangle that the way to it
# leads through; and its node.
KIND, WHERE, THROUGH, NODE = range(4)
FROM_POINT, FROM_FAN, FROM_JUMP = range(3)
# Columns of `nodes`, which tell how a search came where it is: the half that a window looks
# through, or -1 - r for root r; the node before, or of one that is free, the next free one; and how
# many use it: nodes and goals that it leads to, and its window or root while that waits.
STEP, PARENT, USERS = range(3)

# What a search ends with: all there is to find, or not enough room.
DONE, NO_ROOM = 0, -1

# Places of `state`: how many nodes, windows and roots there are, -1 nodes if there is no room for
# more, and how many windows and roots wait; the first free node and the first free window; the
# search's stamp; what counts as the same length [m]; the least that a metre costs, on foot or by
# link; how long ways may be that are still of use; and how many goals have not been seen.
NODES, WINDOWS, ROOTS, WAITING, FREE_NODE, FREE_WINDOW = range(6)
STAMP, TOLERANCE, THRIFT, BOUND, MISSING, STATE_SIZE = range(6, 12)
# What a search is for: one goal, which it heads for; many goals; or the boundary.
ONE_GOAL, MANY_GOALS, BOUNDARY = range(3)
