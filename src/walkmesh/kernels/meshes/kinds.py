"""Kinds of edges: what lies beyond an edge of the ground."""

# Shared by two polygons; or, at a boundary: a ledge, something that stands higher than a step, or
# the inner side of a wall.
INNER, OPEN, BLOCKED, INNER_WALL = 0, 1, 2, 3
