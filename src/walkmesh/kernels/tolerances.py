"""The tolerances of what several rooms share; all are for rounding."""

# A triangle whose height is this small a part of its longest edge is rounding noise: the last few
# digits of a float64. [1]
NO_HEIGHT = 8.0 * 2.0**-52
# The angles across from a diagonal are more than two right angles, and it is flipped, if the sine
# of both together is below zero by more than this. Above NO_HEIGHT.
FLIP_ROUNDING = 1e-12
# What runs along an edge, with less than this across it, does not leave through it. [1]
RUNS_ALONG = 1e-12
