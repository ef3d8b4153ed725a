"""All tolerances of queries: what each is for, in which unit, and what it has to be beside others.

Coordinates are float64 of up to some kilometres, so that rounding is of the order of 1e-12 m; what
:data:`LARGER_THAN` says is checked by the tests.
"""

# Places, lengths and offsets that differ by less than this are one. [m]
SAME_POINT = 1e-9
# Two directions that differ by less than this are one, as when a path is pulled tight around a
# vertex. [radians]
SAME_DIRECTION = 1e-12
# Of an agent's arc around a corner, a turn of less than this is none: the disc is not in the
# way. It adds up places on circles, whose directions are known less well. [radians]
SAME_TURN = 1e-10
# A line through a corner is parallel to a wall if the sine between them is smaller than this, and
# an arc goes on to a tangent's end only if that is ahead by more. [radians]
PARALLEL = 1e-9
ARC_AHEAD = 1e-7
# A point that lies this close to the straight way between its neighbours is no corner of a path,
# and no place where planes differ. [m]
STRAIGHT_WAY = 1e-7
# A vertex at a boundary with ground around it on half a turn, but for this, lets paths turn there:
# rounding may have bent a straight boundary. [radians]
HALF_TURN_SLACK = 1e-6
# On a surface, a vertex with no more ground than this beyond a full turn, or half a turn at the
# boundary, lets all ways pass by: what lies in its shadow is reached around it, longer by less
# than rounding. [radians]
NO_SHADOW = 1e-9

# How far in height a path may leave the ground. [m]
GROUND_TOLERANCE = 1e-3
# A polygon whose ground is nowhere farther from a plane than this counts as one: a straight line
# between two places on it is off the ground by no more than twice as much. [m]
PLANE_TOLERANCE = GROUND_TOLERANCE / 2.0
# A point that is no higher over the ground than this, or lower, stands on it, and a height that is
# no farther than this from the ground is left as it is. [m]
ON_GROUND = 1e-6
# A point this far beside the boundary of a surface still stands on it. [m]
BESIDE_SURFACE = 1e-6
# Where no triangle lies under a path, one that is no farther beside it than this does: triangles
# may fall short of their polygon's outline by a little, as vertices are rounded to micrometres and
# welded. [m]
BESIDE_TRIANGLE = 3e-5

# Ways along a surface whose lengths differ by less than this part of its size are equally long.
SAME_LENGTH_PART = 1e-12
# A window narrower than this part of its half is none: what is seen through it is next to what is
# seen through others.
NO_WINDOW_PART = 1e-12

# A passage may be narrower than the disc by this. [m]
PASSAGE_SLACK = 1e-7
# By how much a path may come closer to the boundary than it should. [m]
CLEARANCE_SLACK = 2e-7
# A radius that is larger than the navmesh' own by less than this is the same. [m]
NO_CLEARANCE = 1e-5
# A foot this close to the end of its wall is not worth a vertex: the way to that end is longer by
# less than a nanometre where a passage is wider than a millimetre. [m]
NEAR_WALL_END = 1e-6
# A vertex is outside a circle if the square of its distance is larger by more than this part.
OUTSIDE_PART = 1e-9

# The grid over the ground is no narrower than this part of its length, and than so much. [m]
NARROW_GRID_PART = 1e-6
NARROWEST_GRID = 1e-9

# Each pair: the first has to be larger than the second, and why.
LARGER_THAN = [
    (STRAIGHT_WAY, SAME_POINT, "a place that is none between others is none beside one of them"),
    (ON_GROUND, STRAIGHT_WAY, "a path that lost its straight points still stands on the ground"),
    (PLANE_TOLERANCE, BESIDE_TRIANGLE, "a slope beside its triangle is on the ground"),
    (BESIDE_TRIANGLE, ON_GROUND, "vertices are rounded to micrometres"),
    (GROUND_TOLERANCE, PLANE_TOLERANCE, "a line in a plane is off the ground by twice as much"),
    (SAME_TURN, SAME_DIRECTION, "an arc adds up the errors of a circle's places"),
    (ARC_AHEAD, PARALLEL, "a tangent that is as good as parallel is not ahead"),
    (HALF_TURN_SLACK, NO_SHADOW, "vertices in plan are rounded, those of triangles are exact"),
    (CLEARANCE_SLACK, PASSAGE_SLACK, "what fits through a passage has to be clear in it"),
    (NO_CLEARANCE, CLEARANCE_SLACK, "a path for another radius is told from one for the same"),
    (NO_CLEARANCE, NEAR_WALL_END, "a foot that is left out must not close a passage"),
    (PASSAGE_SLACK, SAME_POINT, "two ends of a passage that are one place close it"),
]
