"""The lengths and slacks that links are found by.

What each of them must be larger or smaller than stands beside it, and is tested.
"""

# Rounding

# Shares of an edge closer than this are equal.
SAME_SHARE = 1e-9
# A vertex closer to an edge than this lies on it. [m]
VERTEX_AT_EDGE = 1e-6
# How far inside of the boundary places are: a rounding does not take them off the ground. [m] Below
# REACH_SLACK.
INSIDE_BOUNDARY = 1e-6
# Distances closer than this are equal. [m] Below REACH_SLACK.
EQUAL = 1e-6
# Links longer, deeper or higher than their limit by less than this are not: places lie just inside
# of the boundary. [m] Above INSIDE_BOUNDARY, below OFF_GROUND.
REACH_SLACK = 1e-5
# Costs closer than this are equal, and ends closer than spacing by less are not close, so that a
# scene far from the origin gets the same links. [m] Above EQUAL.
SAME_COST = 1e-5
# How far, in plan, the ground may be from where a candidate was thought to end. [m]
OFF_GROUND = 1e-3

# The body

# How much closer than its radius, and lower or higher than its heights, a body lets things come: a
# navmesh ends exactly where there is room for it no more. [m] Far below THINNEST.
BODY_SLACK = 1e-3
# A body thinner than this is taken to be so thick: along a wall, one of no width would not know
# which side it is on. [m]
THINNEST = 0.05
# How far outwards a body must be able to move at all from where a link starts; meanwhile its feet
# rise or fall by no more. [m] Above BODY_SLACK.
PROBE = 0.05
# A piece of an arc is no longer than this in plan, and the feet rise or fall by no more. [m]
PIECE = 0.125

# Links

# The shortest link there is, in plan. [m] Above OFF_GROUND.
SHORTEST = 0.01
# How far past the nearest place that the body comes down at it does so in any case. [m] Above
# OFF_GROUND.
PAST_LEDGE = 0.01
# How much farther than past its ledge a link may lead down, even where no jump is that long. [m]
# Above PAST_LEDGE.
BEYOND_LEDGE = 0.5
# Candidates of a class are no closer together than this. [m] Above SHORTEST.
APART = 0.1
# Links are looked for at places no farther apart than this: on dungeon, nav_test and lq_e1m1, all
# parts that dense trials connected were found at twice as much. [m] Above APART.
SAMPLE_STEP = 0.25
# Lower ground is looked for at places so far apart, or farther where links lead far. [m] Above
# APART.
DROP_SPACING = 0.25
