"""Scenes made by code, whose answers are known.

Every docstring states what can be worked out by hand about its scene. Scenes are laid out in the
plan frame of :mod:`walkmesh.frame` (u and v span the plan, h is height), so that with y up the
plan point (u, v, h) is the world point (x, y, z) = (v, h, u). Floor plans have x and y.
"""

from walkmesh.samples.buildings import BUILDINGS_GOAL, BUILDINGS_START, buildings
from walkmesh.samples.careless import careless_plates, rubble
from walkmesh.samples.houses import HOUSE_GOAL, HOUSE_START, house
from walkmesh.samples.plans import OFFICE_GOAL, OFFICE_START, office, office_building
from walkmesh.samples.platform import PLATFORM_GOAL, PLATFORM_START, platform
from walkmesh.samples.rough import rock_cave, ruin, scanned_room, trimmed_level
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
from walkmesh.samples.station import STATION_GOAL, STATION_START, station
from walkmesh.samples.surfaces import cave, cube, planet, room, sphere, torus, tunnel
from walkmesh.samples.tilted_ramps import tilted_ramps
from walkmesh.samples.walls import doorway_rooms, doorways, spiral_corridor

__all__ = [
    "BUILDINGS_GOAL",
    "BUILDINGS_START",
    "HOUSE_GOAL",
    "HOUSE_START",
    "OFFICE_GOAL",
    "OFFICE_START",
    "PLATFORM_GOAL",
    "PLATFORM_START",
    "STATION_GOAL",
    "STATION_START",
    "box_room",
    "buildings",
    "careless_plates",
    "cave",
    "cube",
    "doorway_rooms",
    "doorways",
    "floor",
    "headroom_line",
    "house",
    "kerb",
    "office",
    "office_building",
    "planet",
    "platform",
    "ramp",
    "rock_cave",
    "room",
    "rubble",
    "ruin",
    "scanned_room",
    "sloping_plate",
    "sphere",
    "spiral_corridor",
    "spiral_stairs",
    "stairs",
    "stairs_with_landing",
    "station",
    "storeys",
    "terrain",
    "tilted_ramps",
    "torus",
    "trimmed_level",
    "tunnel",
    "two_levels",
]
