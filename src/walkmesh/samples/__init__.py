"""Scenes made by code, whose answers are known.

Every docstring states what can be worked out by hand about its scene. Scenes are laid out in the
plan frame of :mod:`walkmesh.frame` (u and v span the plan, h is height), so that with y up the
plan point (u, v, h) is the world point (x, y, z) = (v, h, u).
"""

from walkmesh.samples.careless import careless_plates, rubble
from walkmesh.samples.houses import HOUSE_GOAL, HOUSE_START, house
from walkmesh.samples.shapes import (
    box_room,
    floor,
    headroom_line,
    kerb,
    ramp,
    sloping_plate,
    terrain,
    two_levels,
)
from walkmesh.samples.stairs import spiral_stairs, stairs, stairs_with_landing, storeys
from walkmesh.samples.walls import doorway_rooms, doorways, spiral_corridor

__all__ = [
    "HOUSE_GOAL",
    "HOUSE_START",
    "box_room",
    "careless_plates",
    "doorway_rooms",
    "doorways",
    "floor",
    "headroom_line",
    "house",
    "kerb",
    "ramp",
    "rubble",
    "sloping_plate",
    "spiral_corridor",
    "spiral_stairs",
    "stairs",
    "stairs_with_landing",
    "storeys",
    "terrain",
    "two_levels",
]
