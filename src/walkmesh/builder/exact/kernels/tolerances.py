"""Tolerances of the exact method: what counts as the same, as touching, as a step, as nothing.

Each says its unit, its reason, and what it must be larger or smaller than, which tests check.
"""

# Cutting faces by what stands over them.

# Heights closer than this are equal: as far as rounding coordinates to micrometres takes faces of
# one plane apart. More would not do, since being equal must not lead from one layer to the next and
# the next. It is no whole number of micrometres, which level faces are apart. [m]
SAME_PLANE = 2.5e-6
# Ground has the better of a low face this little above it, such as the back of a floor made of two
# sides; no whole number of micrometres either. [m] Larger than `SAME_PLANE`.
SAME_SHEET = 1.0005e-4
# Ground has the better of the back of a level face this little above it, such as the shell that
# draws an outline around an object. Layers this close are one. [m] Larger than `SAME_SHEET`, and
# less than what validation takes for one layer.
SAME_SHELL = 1.0005e-2
# Headroom that is short by less than this is enough. [m] Less than the slack of validation.
CUT_HEADROOM_SLACK = 1e-4
# Faces whose plans overlap by less than this lie beside each other. [m] Less than `SAME_PLANE`.
FACES_BESIDE = 1e-6

# Low faces, and ways over them.

# A face less steep than this, as rise over run, has no gradient to speak of. [1]
NO_GRADIENT = 0.05
# What is higher than a step by less than this is not. [m] Less than `MAYBE_A_STEP`.
STEP_SLACK = 1e-3
# What is higher than a step by less than this may yet be one, and is looked at. [m] Larger than
# `STEP_SLACK`.
MAYBE_A_STEP = 2e-3
# Ground that ends sooner than this behind a low polygon is what is left below a leaning wall. [m]
NARROW_GROUND = 1e-3
# A low thing ends no further than this from the middle of the last of its polygons. [m]
LOW_END = 0.04
# A way meets an edge that ends this close to it; and edges whose pieces overlap by as much. [m]
# Less than the distance at which corners are welded.
ASIDE = 1e-4
# A way is no further by less than this. [m]
NO_ADVANCE = 1e-9
# A way that passes the end of an edge by less than this part of its length crosses it. [1]
PAST_END = 1e-6
# A way whose cross product with an edge is no larger does not lead through it. [m]
PARALLEL_WAY = 1e-12
# Narrower parts of low polygons are not looked at at all. [m] Less than the slits that are closed
# by default.
THIN_PART = 0.004
# How close to the place where it ceases to be passable a polygon is cut. [m]
PART_END = 1e-3
# Added to distances that are divided by. [m]
NO_DISTANCE = 1e-12
# Corners of a hull where it turns by less, as the cross product of its sides, are none. [m2]
HULL_TURN = 1e-12

# Slits and gaps.

# Triangles with less than this area, doubled, are slivers. [m2]
SLIVER_AREA = 1e-5
# Triangles with a smaller altitude are removed before, since they keep slits from closing. [m]
# Larger than `LEAST_ALTITUDE`, less than the distance at which corners are welded.
THIN_TRIANGLE = 1e-4
# A triangle with a smaller altitude counts as turned over. [m]
LEAST_ALTITUDE = 1e-6
# No ground is steeper than this rise over run; the plane of a sliver may be, by rounding. [1]
STEEPEST = 6.0
# Areas this close, relative to their sum, are the same: rounding must not choose. [1]
SAME_AREA = 1e-9
# A foot this close to an end of the edge, in parts of the gap, is moved there: the way is a tenth
# longer at most. Edges bent by earlier contractions would otherwise leave corners behind. [1]
SNAP_SHARE = 0.45
# So is one at this distance, however narrow the gap: of careless corners, in an overlap, the wrong
# sides may be nearest. [m] Larger than `END_APART`.
SNAP_LEAST = 0.002
# A vertex made on an edge keeps this far from its ends. [m] Larger than `LEAST_ALTITUDE`.
END_APART = 1e-4
# A slit as wide as the gap distance is no wider than this, with both sides rounded to micrometres.
# [m]
SLIT_ROUNDING = 2e-6
# Distances are told apart in steps of this length, then heights decide. [m] Less than
# `SLIT_ROUNDING`.
GAP_STEP = 1e-7
# Points this close touch: which side of an edge they are on is noise. [m]
SIDES_TOUCH = 1e-4
# The end of a slit is blunt in any case if it is this short. [m] Larger than `SIDES_TOUCH`.
BLUNT_END = 5e-4
# Sine of the angle up to which a direction runs along an edge. [1]
ALONG_EDGE = 1e-6
# How far two pieces may overlap: twice the noise of careless models. [m]
OVERLAP = 0.005
# Edges at more than 117 degrees run against each other, as two of an equilateral triangle do:
# the square of the cosine. [1]
AGAINST = 0.2
# Sides of a slit that run apart by up to this angle are parallel. [radians]
PARALLEL_SIDES = 0.1

# Holes, and what is closed below and around them.

# Boundaries that run back over each other by less than this have no gap between them. [radians]
NO_ANGLE = 1e-6
# What is higher than a step around a hole by less than this is not. [m] Larger than `STEP_SLACK`.
HOLE_STEP_SLACK = 2e-3
# Ground that reaches further than this out of the face it comes from was moved. [m]
MOVED = 1e-3
# What reaches out by less did not move at all. [m] Less than `MOVED`.
NOT_MOVED = 1e-5
# A polygon narrower than this is a sliver, which is left out or stays as most of it does. [m]
CLOSED_SLIVER = 1e-3
# Areas cut from closed ground that are smaller than this are rounding. [m2]
CLOSED_AREA = 1e-6
# Areas cut from ground below bridges that are smaller than this are rounding. [m2] Less than
# `CLOSED_AREA`.
BELOW_AREA = 1e-8
# Parts that are as far apart as may be, but for rounding. [m]
APART_ROUNDING = 1e-5

# Walls and edges.

# A wall that reaches into the band above the ground by less than this does not. [m]
WALL_SLACK = 1e-4
# A wall this close to an edge stands on it. [m]
WALL_ON_EDGE = 1e-3
# A face that is over less than this part of the way out of an edge only touches it. [1]
TOUCHES_EDGE = 1e-3
# Shorter pieces of wall than this are none. [m]
SHORT_WALL = 1e-3
# A wall that departs from an edge by more than this, over the length of the edge, crosses it: of
# the edge it stands beside a tenth at most. [m]
CROSSES_EDGE = 40.0 * WALL_ON_EDGE
# Sine of the angle up to which a wall runs along the side of a polygon. [1]
ALONG_SIDE = 1e-12
# Wall lines that differ by less than this in direction, sideways and in height lie on one line.
# The joined line runs from the first one to the last one, so what is sideways is lost as
# clearance. [radians, m, m]
SAME_WALL_ANGLE = 1e-4
SAME_WALL_LINE = 1e-4
SAME_WALL_HEIGHT = 0.05
# Lines on one line that are no further apart than this touch. [m] Larger than `SAME_WALL_LINE`.
WALLS_TOUCH = 1e-3
# Places on an edge closer than this are one. [m]
SAME_PLACE_ON_EDGE = 1e-3
# How far corners may lie from the straight line that edges become, sideways and in height. [m]
# Sideways less than the distance at which corners are welded.
LINE_SIDEWAYS = 2e-4
LINE_HEIGHT = 0.02

# Bridges.

# Bridges that are steeper than the steepest slope by less than this are not. [1]
SAME_SLOPE = 1e-6
# What is this far from a bridge in plan does not touch it. [m]
BESIDE_BRIDGE = 1e-3

# Level pieces, and what is sound.

# How far merged pieces may leave the ground, in height; and so how far apart two may be that lie
# on the same. [m]
MERGED_FLAT = 1e-3
MERGED_APART = 2.0 * MERGED_FLAT
# A corner this close to the line through its neighbours is none. [m]
MERGED_STRAIGHT = 1e-7
# Edges this short may be collapsed: twice the distance at which stitching makes vertices one. [m]
SHORT_EDGE = 5e-4
# With no radius at all walls still cut the ground in two, this far on either side. [m]
LEAST_RADIUS = 1e-3
