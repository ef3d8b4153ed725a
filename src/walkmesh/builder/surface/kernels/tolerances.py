"""The tolerances of the surface method: every length and angle that stands for "none".

A comment before a value says what it must be larger or smaller than; the tests check that. Places
are rounded to a micrometre when the scene comes in, so what is one can differ by that much.
"""

# Lengths. [m]

# Boxes around parts of slivers are larger than these, far more than rounding moves a corner.
BOX_MARGIN = 1e-7
# Corners of a shadow closer than this are one, and shadows that overlap by less lie beside each
# other. A line this close to a box passes through it; a vertex this close to the line between its
# neighbours is not needed by it.
SHADOW_CORNER = 1e-6
NEAR_BOX = 1e-6
STRAIGHT_LINE = 1e-6
# Triangles lower than this over their longest side have no normal to rely on, and no width: a place
# rounded to a micrometre is up to half of that off along each axis. > 1e-6
FACE_WIDTH = 2e-6
# Edges may reach behind each other by as little as this.
BEHIND = 1e-5
# Faces closer to one plane than this are in it. > FACE_WIDTH
FACE_PLANE = 1e-5
# An overlap of a region and a piece that is no wider than this is none. Shadows of faces that share
# an edge, seen from a third face's plane, have borders this far apart; and what is left over by it
# is welded away. > FACE_PLANE, < WELD
NARROW_OVERLAP = 2e-5
# How far a polygon of the navmesh may be from flat.
FLAT_POLYGON = 2e-5
# Corners closer than this are one, and a vertex this close to an edge lies on it. > NARROW_OVERLAP
WELD = 3e-5
# Headroom that is short by less than this is enough, and a step higher by less is no higher.
HEIGHT_SLACK = 1e-4
# What is lower than this over a polygon is part of it. > FACE_PLANE
PART_OF_FACE = 1e-4
# Overlaps of edges, and what is left of them, shorter than this are none; sides of triangles
# shorter than this have no length. > WELD
SHORT_SIDE = 1e-4
# A place of the boundary this close to a face lies on it. > WELD
ON_FACE = 1e-4
# How far beyond an edge it is looked what blocks it. More than welding moves it. > WELD
BEYOND_EDGE = 2e-4
# How far beyond an edge it is looked whether a face goes on. > ON_FACE
AHEAD = 1e-3
# Faces closer than this above a place are what it lies on. > ON_FACE
ABOVE_FACE = 1e-3
# An edge this close to a plane lies in it. > BEYOND_EDGE
IN_PLANE = 1e-3
# An agent without width still does not walk through walls: it keeps this far away. > WELD
LEAST_BODY = 1e-3
# What is narrower than this and folded flat onto itself is none. > FACE_WIDTH
NARROW_FOLD = 1e-3
# How much farther away than expected the sides of a corner may be. > IN_PLANE
CORNER_SLACK = 2e-3
# A vertex on an edge is closer to an end of it than this share of the distance at which vertices
# are welded only if it is that end. [1]
END_SHARE = 0.01
# How much longer than arcs what is left over between joints may be.
ARC_SLACK = 0.1

# Areas. [m2]

# A polygon of the navmesh, or twice the shadow of a face, with less area is what rounding left.
NO_AREA = 1e-9

# Angles. [radians]

# Beams narrower than this are lost, as angles and in metres.
NARROW_BEAM = 1e-9
# Pages of the book of faces around an edge closer to each other than this lie on each other.
# > NARROW_BEAM
SAME_PAGE = 1e-4
# How far charts may be tilted against a polygon, so that what is convex in one is so in its own
# plane as well. [degrees]
TILT = 10.0
# Numbers of tangents that are closer than this to a whole number are that.
NEARLY_WHOLE = 1e-6

# Cosines of angles, and how much these may differ. [1]

# A face this close to upright has no shadow.
UPRIGHT = 1e-6
# Of faces that face an edge alike within this the first stays its blocker.
SAME_FACING = 1e-6
# Planes do not meet if one leads towards the other by less than this.
NO_MEETING = 1e-6
# From here on two normals are the same.
SAME_NORMAL = 1.0 - 1e-6
# From here on there is no corner between two sides. < SAME_NORMAL
NO_CORNER = 0.98
# How much the sides of a corner may bend along it. < NO_CORNER
SAME_SIDE = 0.86
# How much edges that face each other may differ in direction.
OPPOSITE_EDGE = -0.8
# The square of the sine of a turn is taken for no less, to divide by it.
LEAST_SQUARE_SINE = 1e-12
# By how much the cosine of a turn may differ along a corner.
TURN_SLACK = 0.15
