"""Tolerances that builds share: what counts as the same, as touching and as nothing.

Each says its unit, its reason, and what it must be larger or smaller than, which tests check.
"""

# Faces.

# A face of exactly the steepest slope counts as walkable whatever its rotation rounds to: by
# micrometres for positions, and for the cosine of level ground by its last digits. [radians, 1]
ANGLE_ROUNDING = 1e-5
COSINE_ROUNDING = 1e-12
# A steep face narrower than this, seen from above, is a wall. [m]
WALL_WIDTH = 1e-3
# A face with less plan area than this is nothing to stand on, nor in the way. [m2]
NO_FACE_AREA = 1e-12
# A face that moves sideways by less than this over the agent's height cuts a slit into the ground
# that is too narrow to stay one: twice the distance at which corners are welded. [m]
NARROW_CUT = 5e-4
# Parts of a face that leans no wider than this in plan are walls. [m] Less than `WALL_WIDTH`.
LEANING_PART = 8e-4
# How far vertices may lie from the plane of a sheet, in height: those of a level slab that were
# rounded to tenths of a millimetre do. [m]
SHEET_FLAT = 1.5e-4
# Vertices of a straight line that were rounded to micrometres lie this close to it. [m]
SHEET_STRAIGHT = 2e-6
# A place this far outside a triangle in plan, times the length of its side, is still under it. [m]
UNDER_EDGE = 1e-9
# Layers closer than this are one to a survey. [m]
SURVEY_LAYER = 0.01

# Pieces.

# A corner this close to a line lies on it. [m]
ON_SIDE = 1e-7
# An overlap this narrow is none, where regions know their neighbours' borders to the last digits.
# [m] Larger than `ON_SIDE`.
NO_OVERLAP = 1e-6
# Corners closer than this in plan are one, and a vertex this close to an edge lies on it. [m]
WELDED = 2.5e-4
# Corners this close are one that only rounding keeps apart. [m] Less than `WELDED`.
WELD_ROUNDING = 1e-5
# Steps that are higher than the highest by less than this are not. [m] Less than `SINGLE_STEP`.
STITCHED_STEP = 1e-6
# Ground that single precision parts in height is one even for agents that take no step. [m] Larger
# than `STITCHED_STEP`.
SINGLE_STEP = 1e-4
# A square of a length is less than another if it is less than this part of it. [1]
SHORTER = 1.0 - 1e-9

# Clearance, and what lies beyond edges.

# A line this close to an end leaves from it, or passes through it. [m]
PASSES_END = 1e-3
# Ends this close to each other get one sector. Not more: of a chain of ends, each close to the
# next, none would get one. [m] Less than `PASSES_END`.
SAME_END = 1e-7
# Bands reach this far beyond the boundary, which is straight only to a fraction of it. [m]
BEYOND_BOUNDARY = 1e-3
# Turns smaller than this leave no gap worth a sector. [radians]
NO_TURN = 1e-6
# A ledge as high as the highest step above the ground is in its way, rounded or not. [m]
LEDGE_SLACK = 1e-3
# How far beyond an edge the ground goes on if it does. [m]
BESIDE_EDGE = 2e-3
# Walls closer to each other than this are one with two sides. [m]
SAME_WALL = 2e-3
# The part of its normal along up that a wall beyond an edge has at most. [1]
UPRIGHT_EDGE = 0.1
# Slack of everything that is compared with the step. [m] Less than `BESIDE_EDGE`.
BAND_SLACK = 1e-3
# A cut of a face that is no longer than this is a point. [m]
NO_CUT = 1e-9

# Simplifying, and the ground inside polygons.

# A boundary may leave the old one outwards by this much, so that straight lines can be recognised.
# [m] Less than `STRAIGHT_BOUNDARY`.
OUTWARDS = 2e-8
# The boundary may always move inwards by this much where there is room, for the same reason;
# edges with more room than this may shrink. [m]
STRAIGHT_BOUNDARY = 1e-6
# New triangles are at least this wide, well above what the sign of an area can be trusted for.
# [m]
NEW_TRIANGLE_WIDTH = 1e-6
# No tolerance in height is less than this, or rounding would keep flat ground as it is. [m]
LEAST_HEIGHT_TOLERANCE = 1e-9
# An old vertex of the boundary is forgotten where it takes no more than this share of the room. [1]
FORGOTTEN_SHARE = 0.02
# The least room that a boundary has, for rounding. [m] Less than `OUTWARDS`.
LEAST_ROOM = 1e-9
# A place outside a triangle by less than this share of its height lies in it. [1]
OUTSIDE_SHARE = 1e-9
# The same where old vertices are compared with new triangles. [1] Larger than `OUTSIDE_SHARE`.
REPLACED_SHARE = 1e-7
# A corner of the ground this close to a side of a polygon lies on it. [m]
ON_POLYGON_SIDE = 1e-9
# Ground inside a polygon that is narrower than this has no area. [m] Larger than `ON_POLYGON_SIDE`.
NO_DETAIL_WIDTH = 1e-8

# Ground.

# Corners at heights closer than this are at one height. [m] Less than the exact method's
# `MERGED_FLAT`.
LEVEL_CORNERS = 1e-4
# A connected part this small is what rounding left over, at any setting. [m2]
NO_PATCH = 1e-6
