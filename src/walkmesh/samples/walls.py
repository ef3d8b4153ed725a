"""Scenes of walls that leave little room: doorways in a row, and a corridor wound up in a spiral.

What they tell apart is whether clearance is exact: both are passable by centimetres.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import read_count, read_length, read_number, read_numbers
from walkmesh.frame import Frame, up_vector
from walkmesh.samples.soup import Soup, turn_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

WALL_HEIGHT = 2.5

# A room's inner extent along u and v. Doors are in turn in the lower and the upper half of the
# walls, so that no straight line leads through two of them.
ROOM_LENGTH, ROOM_DEPTH = 2.0, 2.4
DOOR_MIDDLES = (0.8, 1.6)
WIDEST_DOOR = 1.5

# The spiral: radius of the corridor's middle line at its inner end, degrees from one of its
# vertices to the next, what lies between the walls of neighbouring turns, and the ground around.
SPIRAL_START = 1.2
SPIRAL_STEP = 15
SPIRAL_SPACE = 0.1
SPIRAL_MARGIN = 1.5


def doorways(
    widths: Sequence[float] = (0.61, 0.59, 0.61),
    angle: float = 0.0,
    thickness: float = 0.2,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a row of rooms, each joined to the next one by a doorway.

    Walls 2.5 m high stand on one floor, which reaches to their outer faces. Rooms are 2.0 m long
    along u and 2.4 m deep along v; doorways have no lintels. An agent of radius r gets from room i
    to room i + 1 exactly if ``widths[i] >= 2 r``; in every room it is free on all that is
    at least r away from the walls. Nobody is free on or inside the walls whose diameter exceeds
    `thickness`. `doorway_rooms` tells where the rooms are, and `doorway_walls` where the walls are.

    Parameters
    ----------
    widths : sequence of float
        Width of each doorway, at most 1.5; 0 for a wall without one. [Unit: m]
    angle : float
        How far the scene is turned about up, from u towards v. [Unit: degrees]
    thickness : float
        Of the walls, which are solids; 0 makes them single faces. [Limit: >= 0] [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> doorways((1.0, 0.5), angle=30)
    Scene(82 triangles, 246 vertices, up=(0.0, 1.0, 0.0))
    """
    walls = doorway_walls(widths, thickness)
    soup = Soup()
    soup.sheet(shapely.box(*shapely.total_bounds(walls)), 0.0)
    for wall in walls:
        if thickness > 0.0:
            soup.prism(wall, 0.0, WALL_HEIGHT)
        else:
            soup.curtain(shapely.get_coordinates(wall), 0.0, WALL_HEIGHT)
    soup.turn(angle)
    return soup.scene(up)


def doorway_rooms(
    count: int, angle: float = 0.0, thickness: float = 0.2, up: str | Sequence[float] = "y"
) -> Floats:
    """Return the middles of the floors of `count` rooms of `doorways`.

    Returns
    -------
    (count, 3) float64
        World coordinates. [Unit: m]
    """
    count = read_count("count", count, 0)
    thickness = read_length("thickness", thickness, above_minimum=False)
    u = np.arange(count) * (ROOM_LENGTH + thickness) + ROOM_LENGTH / 2.0
    middles = np.column_stack([u, np.full(count, ROOM_DEPTH / 2.0), np.zeros(count)])
    return Frame(up_vector(up)).to_world(turn_plan(middles, angle))


def doorway_walls(widths: Sequence[float], thickness: float = 0.2) -> list[shapely.Geometry]:
    """Return the plan of each wall of `doorways` before it is turned, in (u, v).

    Polygons; lines if `thickness` is 0. The first is the ring around all rooms.
    """
    widths = [
        read_number(f"widths[{number}]", width, maximum=WIDEST_DOOR, unit="m")
        for number, width in enumerate(read_numbers("widths", widths))
    ]
    thickness = read_length("thickness", thickness, above_minimum=False)
    pitch = ROOM_LENGTH + thickness
    inside = shapely.box(0.0, 0.0, len(widths) * pitch + ROOM_LENGTH, ROOM_DEPTH)
    walls = [inside.exterior]
    if thickness > 0.0:
        outside = shapely.box(*(inside.bounds + np.array([-1, -1, 1, 1]) * thickness))
        walls = [shapely.Polygon(outside.exterior, [inside.exterior])]
    for i, width in enumerate(widths):
        start, end = i * pitch + ROOM_LENGTH, (i + 1) * pitch
        door = DOOR_MIDDLES[i % 2]
        sides = [(0.0, door - width / 2.0), (door + width / 2.0, ROOM_DEPTH)]
        for low, high in sides if width > 0.0 else [(0.0, ROOM_DEPTH)]:
            if thickness > 0.0:
                walls.append(shapely.box(start, low, end, high))
            else:
                walls.append(shapely.LineString([(start, low), (start, high)]))
    return walls


def spiral_corridor(
    clearance: float = 0.12,
    radius: float = 0.3,
    turns: int = 2,
    thickness: float = 0.0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a corridor between two spiral walls that leads from outside to the middle.

    Everywhere the corridor is ``2 * radius + clearance`` wide, measured across it, and it goes
    around the middle `turns` times. Walls are 2.5 m high and stand on one square floor with the
    origin at its middle, where a round room of at least 1.4 m across is; the floor's corners are
    outside. Whoever is no wider than the corridor is free in one component, and the shortest path
    from a corner to the middle goes around it `turns` times. For all others the middle is cut off.

    Parameters
    ----------
    clearance : float
        What an agent of `radius` has left on both sides together; negative is too narrow.
        [Unit: m]
    radius : float
        Of the agent that the corridor is made for, at most 0.4. [Unit: m]
    turns : int
        How often it goes around, 1 to 100.
    thickness : float
        Of the walls, which are solids; 0 makes them single faces. [Limit: >= 0] [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    radius = read_number("radius", radius, unit="m", maximum=0.4, above_minimum=True)
    thickness = read_length("thickness", thickness, above_minimum=False)
    clearance = read_number("clearance", clearance, unit="m", minimum=-radius, maximum=0.2)
    turns = read_count("turns", turns, 1, 100)
    half = radius + clearance / 2.0
    pitch = 2.0 * (half + thickness) + SPIRAL_SPACE
    angles = np.radians(np.arange(0, 360 * turns + 1, SPIRAL_STEP))
    along = SPIRAL_START + pitch * angles / (2.0 * math.pi)
    middle = along[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])

    reach = along[-1] + pitch + SPIRAL_MARGIN
    soup = Soup()
    soup.sheet(shapely.box(-reach, -reach, reach, reach), 0.0)
    for side in (-1.0, 1.0):
        near = _beside(middle, side * half)
        if thickness > 0.0:
            far = _beside(middle, side * (half + thickness))
            # One solid a segment would leave walls inside the wall; this one has none.
            soup.prism(shapely.Polygon([*near, *far[::-1]]), 0.0, WALL_HEIGHT)
        else:
            soup.curtain(near, 0.0, WALL_HEIGHT)
    return soup.scene(up)


def _beside(line: Floats, distance: float) -> Floats:
    """Return an (n, 2) line moved to its left, every segment by exactly `distance`."""
    directions = np.array([(b - a) / np.linalg.norm(b - a) for a, b in pairwise(line)])
    normals = np.column_stack([-directions[:, 1], directions[:, 0]])
    before = np.concatenate([normals[:1], normals])
    after = np.concatenate([normals, normals[-1:]])
    # Where two moved segments meet: along the sum of their normals, farther the more they turn.
    meeting = (before + after) / (1.0 + (before * after).sum(axis=1, keepdims=True))
    return np.asarray(line + distance * meeting)
