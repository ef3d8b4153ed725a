"""The lengths and slacks of the evaluation: none is shared with the build that it judges.

What each of them must be larger or smaller than stands beside it, and is tested.
"""

# Rounding

# Lines shorter than this along the walk have one height; ends of walks are compared so closely. [m]
# Far below every other length here, and above the rounding of coordinates of some kilometres.
LINE_ROUNDING = 1e-12
# How far beyond its ends a line still counts as met; and how close to its line a walk is on it. [m]
# Above LINE_ROUNDING, below BISECTED, so that a walk never falls between two faces that meet.
ON_LINE = 1e-9
# The cosine of a slope may fall short of that of the steepest one by so much.
SLOPE_SLACK = 1e-9
# The share of a cell, and the area in m2, by which a triangle may seem to be apart from it: being
# in too many cells does no harm.
CELL_SHARE, CELL_SLACK = 1e-9, 1e-12
# How far outside a triangle a place in the plan may lie and still be on it. [m] Below SLIT, so that
# no gap is closed by it.
PLAN_SLACK = 1e-6
# A stride along a face ends so far before the face does. [m] Above ON_LINE, below BISECTED.
BEFORE_END = 1e-6
# How closely the place is found where the ground ends or begins. [m] Below LEAST_ADVANCE.
BISECTED = 1e-5
# Past a change a walk goes on by so much at least. [m] Above BISECTED, below STRIDE.
LEAST_ADVANCE = 1e-4
# How far behind its beginning ground is looked at. [m] Above ON_LINE, below SLACK.
BEHIND_RIM = 1e-4

# The agent

# Slack of everything that is compared with the agent's height and step. [m] Below LAYER.
SLACK = 1e-3
# Slack of a rise or a drop, for scenes in single precision. [m] Below SLACK.
STEP_ROUNDING = 1e-4
# Layers of ground closer than this are one, and the upper one counts. [m]
LAYER = 0.01
# Heights of a place that is reached from two sides differ by less. [m] Above LAYER.
SAME_GROUND = 0.02
# The rise over one stride, on top of the steepest slope, that is a step. [m] Above STEP_ROUNDING.
LEVEL_RISE = 0.01

# Walks

# One stride of a walk. [m] Below SLIT, so that no slit is stepped over unseen.
STRIDE = 0.01
# Gaps without any face that can be stepped over, unless told otherwise. [m]
SLIT = 0.03
# Within how much of standable ground, on both sides, a navmesh may bridge a slit. [m] Above SLIT.
BRIDGE = 0.05
# How wide a thing may be that a walk ends on, such as a kerb that the walk goes along. [m] Above
# SLIT, below BEYOND.
ACROSS = 0.3
# How far beyond the radius the ground may begin again behind what is stepped over. [m]
BEYOND = 0.5
# The widest thing that is stepped over. [m] Above BEYOND.
WIDEST_STEP = 0.6
# How far around a sample the ground must be without steps for its height to be compared. [m]
LEVEL_REACH = 0.6
# How far beside a triangle a direction may lie and still be looked at for it. [radians] Far below
# the angle between two directions.
AIM_SLACK = 1e-4

# Discs

# Only what is closer to its centre than this share of the radius lies in a disc: the next disc in a
# passage, moved to its middle, may have its centre a little inside the last one. Below 1.
IN_DISC = 0.9
# A place is moved to the middle of a passage if it is further off than this. [m] Below FINEST.
OFF_CENTRE = 1e-3
# Discs that passages are searched with are no smaller than this. [m]
FINEST = 0.01
# Discs of this radius and more are looked for everywhere; smaller ones only where ground is not
# connected yet. [m] Above FINEST.
COARSE = 0.1
# Where there is less than this share of the room on both sides, there is a passage. Below 1.
NARROW = 0.9
# Room is measured up to this much more than the radius, and further in large scenes. [m] Above
# COARSE.
WIDE = 0.5

# Gaps

# Cells that gaps are looked at in are a tenth of the widest gap, but within these limits. [m] Below
# SLIT, so that their edges leave no trace.
SMALLEST_GAP_CELL, LARGEST_GAP_CELL = 0.01, 0.02
# Cells in a row that differ in height by no more than this make one piece. [m] Below LAYER.
LEVEL_CELLS = 1e-3
# Edges of the ground are the same if their ends, in these units, are. [m] Below LEVEL_CELLS.
SAME_EDGE = 1e-4
# How much wider a gap may seem, of its width, from the directions that are looked in: as much as
# `RAYS` of `crossings` may be off, and more.
WIDTH_SLACK = 0.003
# No agent steps across a gap that is wider. [m] Above WIDEST_STEP.
WIDEST_GAP = 2.0

# Triangles

# Those whose normals have a smaller vertical part are upright: nothing lies under them.
UPRIGHT_NORMAL = 1e-3
# The grid over a scene reaches so far beyond it. [m] Above PLAN_SLACK.
GRID_MARGIN = 1e-3
# Its cells are no smaller. [m]
SMALLEST_CELL = 0.3
# Vertices of foreign triangles closer than this are one. [m]
SAME_VERTEX = 1e-3
# Beyond an edge of those, so far away and at places so far apart, a neighbour is looked for. [m]
# Above SAME_VERTEX.
PAST_EDGE, PLACES_APART = 2e-3, 0.1
