"""Scenes that were modelled without care, or that nobody has tidied up.

A floor of plates that do not quite meet, and a corridor strewn with rubble. Both are made of
random numbers; the same seed gives the same scene.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import read_count, read_seed
from walkmesh.samples.relief import turned
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

# The floor of plates: its extent along u and v, how deep its rows are, and how long plates may be.
FLOOR_LENGTH, FLOOR_DEPTH = 9.0, 6.0
ROWS = 6
PLATES_A_ROW = 7

# How carelessly neighbours meet: each plate ends so much beyond the line between them. Two plates
# that both stay behind it leave a slit of 5 mm, two that both go beyond it overlap by 30 mm.
BEYOND = (-0.0025, 0.0, 0.015)
HEIGHT_OFFSET = 0.003
JUNK = 40
TINY = 0.0005

# The corridor with rubble.
CORRIDOR_LENGTH, CORRIDOR_WIDTH = 8.0, 2.0
CORRIDOR_WALL, CORRIDOR_WALL_HEIGHT = 0.1, 2.5
RUBBLE_FREE = 1.0
HIGHEST_RUBBLE = 0.3
LOG_RADIUS, LOG_MIDDLE, LOG_CORNERS = 0.12, 0.06, 10


def careless_plates(seed: int = 0, up: str | Sequence[float] = "y") -> Scene:
    """Return a floor of 42 plates that do not quite meet, with junk strewn in.

    The plates fill a rectangle of 9 by 6 m with one corner at the origin. They lie in six rows
    whose plates end at different places, so that corners of one row meet sides of the next
    (T-junctions). Neighbours meet exactly, leave a slit of up to 5 mm or overlap by up to 30 mm,
    and heights differ by up to 3 mm. Every fourth plate is there twice, one of them turned over.
    There are also 40 triangles without area, thinner than 0.1 mm or smaller than a millimetre, at
    most 3 mm above the floor.

    To walk on it is one floor: an agent of radius r is free on ``(9 - 2 r) * (6 - 2 r)`` square
    metres in one component, but for slits and steps that nobody notices.

    Parameters
    ----------
    seed : int
        Chooses plates, offsets and junk; at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    random = np.random.default_rng(read_seed(seed))
    soup = Soup()
    row_edges = np.linspace(0.0, FLOOR_DEPTH, ROWS + 1)
    for number, (south, north) in enumerate(pairwise(row_edges)):
        inner = np.arange(1, PLATES_A_ROW) + random.uniform(-0.3, 0.3, PLATES_A_ROW - 1)
        edges = np.concatenate([[0.0], inner, [PLATES_A_ROW]]) * (FLOOR_LENGTH / PLATES_A_ROW)
        for column, (west, east) in enumerate(pairwise(edges)):
            plate = _beyond(random, west, south, east, north)
            height = random.uniform(0.0, HEIGHT_OFFSET)
            soup.sheet(plate, height)
            if (number * PLATES_A_ROW + column) % 4 == 0:
                soup.sheet(plate, height)
                soup.add(_turned_over(plate, height))
    soup.add(_junk(random))
    return soup.scene(up)


def _beyond(
    random: np.random.Generator, west: float, south: float, east: float, north: float
) -> shapely.Polygon:
    """Return a plate that ends beyond or behind its lines, but not those of the outline."""
    beyond = random.choice(BEYOND, 4)
    beyond[np.array([west, south, east, north]) == (0.0, 0.0, FLOOR_LENGTH, FLOOR_DEPTH)] = 0.0
    return shapely.box(west - beyond[0], south - beyond[1], east + beyond[2], north + beyond[3])


def _turned_over(plate: shapely.Polygon, height: float) -> Floats:
    """Return the two triangles of a rectangle, facing down."""
    a, b, c, d = ((u, v, height) for u, v in shapely.get_coordinates(plate)[:4])
    # The box runs either way around, depending on the version of shapely.
    faces = np.array([[a, b, c], [a, c, d]])
    first = faces[0, 1:, :2] - faces[0, 0, :2]
    return faces if np.linalg.det(first) < 0.0 else faces[:, ::-1]


def _junk(random: np.random.Generator) -> Floats:
    """Return (t, 3, 3) triangles that mean nothing: lines, points and crumbs."""
    extent = (FLOOR_LENGTH - 0.2, FLOOR_DEPTH - 0.2, HEIGHT_OFFSET)
    first = random.uniform((0.1, 0.1, 0.0), extent, (JUNK, 3))
    second = first + random.uniform(-0.1, 0.1, (JUNK, 3)) * (1.0, 1.0, 0.0)
    triangles = np.stack([first, second, (first + second) / 2.0], axis=1)
    triangles[1::4, 2] = triangles[1::4, 1]
    triangles[2::4] = first[2::4, None]
    triangles[3::4] = first[3::4, None] + random.uniform(-TINY, TINY, (JUNK // 4, 3, 3))
    triangles[:, :, 2] = np.clip(triangles[:, :, 2], 0.0, HEIGHT_OFFSET)
    return np.asarray(triangles)


def rubble(seed: int = 0, pieces: int = 40, up: str | Sequence[float] = "y") -> Scene:
    """Return a corridor strewn with rubble that can be stepped over, and a log across it.

    The corridor is 8 m long, from u = 0 to 8, and 2 m wide, from v = 0 to 2, between two walls
    0.1 m thick and 2.5 m high. Boxes, some of them tilted, and tetrahedra lie about between u = 1
    and 7, through each other, through the floor and a little above it. The log, 0.24 m thick and
    partly sunk into the floor, lies across the whole corridor at u = 4 and ends inside the
    walls. Nothing but the walls is higher than 0.3 m above the floor.

    So whoever can take steps of 0.3 m gets from one end to the other: the floor at u = 0.5 and at
    u = 7.5 is in one component.

    Parameters
    ----------
    seed : int
        Chooses the rubble; at least 0.
    pieces : int
        Number of boxes and tetrahedra, at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    pieces = read_count("pieces", pieces, 0, 10_000)
    random = np.random.default_rng(read_seed(seed))
    soup = Soup()
    outside = (CORRIDOR_LENGTH, CORRIDOR_WIDTH + CORRIDOR_WALL)
    soup.sheet(shapely.box(0.0, -CORRIDOR_WALL, *outside), 0.0)
    for low in (-CORRIDOR_WALL, CORRIDOR_WIDTH):
        high = low + CORRIDOR_WALL
        soup.box((0.0, low, 0.0), (CORRIDOR_LENGTH, high, CORRIDOR_WALL_HEIGHT))
    angles = np.arange(LOG_CORNERS) * 2.0 * np.pi / LOG_CORNERS
    section = np.column_stack([np.cos(angles), np.sin(angles)]) * LOG_RADIUS
    section += (CORRIDOR_LENGTH / 2.0, LOG_MIDDLE)
    reach = CORRIDOR_WALL / 2.0
    soup.prism(shapely.Polygon(section), -reach, CORRIDOR_WIDTH + reach, along="v")
    for number in range(pieces):
        corners, faces = BOX if number % 2 else TETRAHEDRON
        soup.add(_piece(random, np.array(corners, dtype=np.float64))[np.array(faces)])
    return soup.scene(up)


def _piece(random: np.random.Generator, corners: Floats) -> Floats:
    """Return the corners of one piece of rubble, sized, tilted, turned and put somewhere."""
    corners = corners * random.uniform(0.08, 0.4, 3)
    tilt = random.uniform(-0.5, 0.5, 2) * random.integers(0, 2)
    corners = turned(corners, (*tilt, random.uniform(0.0, 2.0 * np.pi)))
    # Some stick in the floor and some lie hollow; none reaches up too far.
    highest = random.uniform(0.05, HIGHEST_RUBBLE)
    corners[:, 2] += highest - corners[:, 2].max()
    low = np.array([RUBBLE_FREE, 0.0]) - corners[:, :2].min(axis=0)
    high = np.array([CORRIDOR_LENGTH - RUBBLE_FREE, CORRIDOR_WIDTH]) - corners[:, :2].max(axis=0)
    corners[:, :2] += random.uniform(low, high)
    return corners


# Corners of a unit cube and of a tetrahedron inside it, and their faces seen from outside.
BOX = (
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
    [
        (0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4),
        (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7),
    ],
)  # fmt: skip
TETRAHEDRON = (
    [(0, 0, 0), (1, 0, 0), (0.5, 1, 0), (0.5, 0.4, 1)],
    [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
)
