"""The tolerances of bridges: every length that stands for "none" or "the same".

A comment before a value says what it must be larger or smaller than; the tests check that. Places
on the ground are rounded to micrometres.
"""

# Lengths. [m]

# Lengths, widths and heights that differ by less than this are equal; what is over a limit by less
# is not over it.
SAME_LENGTH = 1e-6
# Triangles no wider than this are lines.
LINE_WIDTH = 1e-6
# A polygon whose corners are this close to a plane has the same ground with further corners.
ONE_PLANE = 1e-6
# A gap as wide as the distance is no wider than this, with both sides rounded. > SAME_LENGTH
GAP_ROUNDING = 2e-6
# The step of the grid that gaps are laid out on, unless clusters are too large or too many for it.
# > GAP_ROUNDING
LAYOUT_GRID = 1e-5
# Vertices at one place in plan that are closer in height than this are one. > LAYOUT_GRID
SAME_HEIGHT = 1e-4
# A place this close to the end of an edge is the end. > LAYOUT_GRID
AT_EDGE_END = 2e-4
# Where a gap widens, its bridge ends this much before it is too wide, so that rounding the ends of
# the bridge never makes it longer than the distance. > AT_EDGE_END
WIDENING = 1e-3
# What stands on the rim, or is higher than a step or lower than the head by no more than this, is
# no obstacle. > SAME_HEIGHT
OBSTACLE_SLACK = 1e-3
# How far merged polygons may leave the bridges, in height. > SAME_HEIGHT
LEVEL = 1e-3
# How far from an obstacle a bridge ends, along the rim. > OBSTACLE_SLACK
FROM_OBSTACLE = 5e-3
# Ground this little below a bridge is beside it. > LEVEL
UNDER_BRIDGE = 1e-2
# Edges no longer than this are closed if something stands on them anywhere. > FROM_OBSTACLE
SHORT_RIM = 0.1

# On the grid. [grid steps]

# A gap is wider by less than this on the grid than it is: the diagonal of a square, since both of
# its sides are moved by half of it at most.
WIDER = 1.5
# Lines that were snapped to the grid lie this close to where they were. > WIDER
SNAPPED = 2.0
# A triangle that is no higher over its longest side is flat. > SNAPPED
FLAT_STEPS = 3.0

# Directions. [1]

# The cosine between directions to both sides of a gap is less than this.
OPPOSITE_SIDE = -0.5
