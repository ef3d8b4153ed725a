"""Jumps: links in the directions that they can be taken.

They are kept as (j, 7) float64: where each starts and ends, in the coordinates of the search, and
what it costs.
"""

START_U, START_V, START_H, END_U, END_V, END_H, COST = range(7)
# Where the columns of a place begin.
START, END = START_U, END_U
