"""Floor plans made by code: an office, and a building of several."""

from __future__ import annotations

import math

from walkmesh.arguments import read_count
from walkmesh.building import Building, Stairs
from walkmesh.floor_plan import FloorPlan

# The office: rooms on both sides of a corridor, and a hall at its end. [m]
ROOMS, ROOM_WIDTH, ROOM_DEPTH = 5, 4.0, 5.0
CORRIDOR, HALL, WALL, DOOR = 2.0, 8.0, 0.12, 0.9
LENGTH = ROOMS * ROOM_WIDTH + HALL
DEPTH = 2.0 * ROOM_DEPTH + CORRIDOR
STOREY = 3.2

OFFICE_START = (3.0, 3.0, 0.0)
"""A place in the first room of the office."""
OFFICE_GOAL = (26.0, 11.0, 0.0)
"""A place at the far end of its hall."""


def office(height: float = 0.0) -> FloorPlan:
    """Return the plan of an office: ten rooms with desks along a corridor, and a hall with columns.

    All rooms have a doorway of 0.9 m, so an agent with a radius below 0.45 m can go everywhere,
    and one with a larger radius is shut into whatever room it is in.

    Parameters
    ----------
    height : float, default 0
        How high the floor lies. [Unit: m]

    Examples
    --------
    >>> office()
    FloorPlan(28 x 12 m, 45 obstacles, 0 walls, height=0)
    """
    boundary = _rectangle(0.0, 0.0, LENGTH, DEPTH)
    obstacles = []
    for side in (0, 1):
        low = 0.0 if side == 0 else DEPTH - ROOM_DEPTH
        front = ROOM_DEPTH - WALL if side == 0 else low
        desk = low + 0.8 if side == 0 else low + ROOM_DEPTH - 1.6
        for room in range(ROOMS):
            left = room * ROOM_WIDTH
            right = left + ROOM_WIDTH
            door = left + 0.6 + 0.3 * room
            obstacles += [
                _rectangle(right - WALL, low, right, low + ROOM_DEPTH),
                _rectangle(left, front, door, front + WALL),
                _rectangle(door + DOOR, front, right, front + WALL),
                _rectangle(left + 1.2, desk, left + 2.8, desk + 0.8),
            ]
    for column in range(5):
        middle = LENGTH - HALL + 1.2 + 1.1 * column, DEPTH / 2.0 + 2.2 * (-1) ** column
        turns = [math.pi / 4.0 * k + math.pi / 8.0 for k in range(8)]
        obstacles.append(
            [(middle[0] + 0.3 * math.cos(t), middle[1] + 0.3 * math.sin(t)) for t in turns]
        )
    return FloorPlan(boundary, obstacles, height=height)


def office_building(floors: int = 3) -> Building:
    """Return offices one above the other, with a flight of stairs in the hall of each.

    Parameters
    ----------
    floors : int, default 3
        How many. [Limit: >= 1]

    Examples
    --------
    >>> office_building()
    Building(3 floors, 2 stairs)
    """
    floors = read_count("floors", floors, 1, 1000)
    plans = [office(height=STOREY * i) for i in range(floors)]
    right = LENGTH - 1.0
    flights = [[(x, y) for x in (right - 1.4, right)] for y in (2.0, 7.0)]
    return Building(plans, [Stairs(flights, (i, i + 1)) for i in range(floors - 1)])


def _rectangle(left: float, low: float, right: float, high: float) -> list[tuple[float, float]]:
    return [(left, low), (right, low), (right, high), (left, high)]
