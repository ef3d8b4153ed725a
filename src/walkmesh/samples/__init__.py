"""Scenes made by code, whose answers are known.

Every docstring states what can be worked out by hand about its scene. Scenes are laid out in the
plan frame of :mod:`walkmesh.frame` (u and v span the plan, h is height), so that with y up the
plan point (u, v, h) is the world point (x, y, z) = (v, h, u).
"""

from walkmesh.samples.houses import HOUSE_GOAL, HOUSE_START, house
from walkmesh.samples.shapes import box_room, floor, ramp, stairs, terrain, two_levels

__all__ = [
    "HOUSE_GOAL",
    "HOUSE_START",
    "box_room",
    "floor",
    "house",
    "ramp",
    "stairs",
    "terrain",
    "two_levels",
]
