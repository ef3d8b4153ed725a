"""The tolerance of triangulations on a grid; all else that they compute is exact."""

# The float sum that tells whether a point lies in a circle is of two products. Each is off by three
# roundings of 2**-53 at most, and their sum by one more: 4.4e-16 of their sizes. More than twice
# that, so that what is told for certain is certain.
CIRCLE_ROUNDING = 1e-15
