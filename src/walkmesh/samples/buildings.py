"""A part of a town: streets, blocks of buildings, and a park in the middle.

Ten by ten blocks of 40 by 40 m lie between streets 10 m wide; the four in the middle, with the
streets between them, are the park. Each other block has four buildings of 14 by 14 m with
pavement around and between them. Those in the south of a block have their doors to the south, the
others to the north.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.samples.details import (
    Rectangle,
    boxes,
    cones,
    flight,
    grid_points,
    pipes,
    placed,
    spend,
    tiles,
)
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

BUILDINGS_START = (2.5, 0.0, 2.5)
"""World point (x, y, z), y up: on the street in the corner at the origin."""

BUILDINGS_GOAL = (497.5, 0.0, 497.5)
"""World point (x, y, z), y up: on the street in the opposite corner."""

SIZE, BLOCKS = 500.0, 10
PITCH, STREET, BLOCK = 50.0, 10.0, 40.0
KERB = 0.15
PARK: Rectangle = (205.0, 205.0, 295.0, 295.0)
PARK_CELLS, PARK_RISE = 30, 2.0

BUILDING, WALL, SLAB = 14.0, 0.3, 0.2
SLOTS = ((4.0, 4.0), (22.0, 4.0), (4.0, 22.0), (22.0, 22.0))
STOREY, PARAPET = 3.0, 0.85
DOOR, DOOR_WIDTH, DOOR_HEIGHT = 6.4, 1.2, 2.2

RISER, TREAD, STEPS = 0.2, 0.28, 15
RUN, STAIRS_WIDTH = (STEPS - 1) * TREAD, 1.2
# Foot, south side and whether it climbs back, of the flights that start on even and odd storeys.
FLIGHTS = ((3.0, 10.0, False), (8.5, 7.5, True))


def buildings(triangles: int = 1_121_127, up: str | Sequence[float] = "y") -> Scene:
    """Return a part of a town, 500 by 500 by 16 m, with exactly so many triangles.

    Streets at height 0 are 10 m wide (5 m along the border). The 96 blocks and the park have
    kerbs of 0.15 m; the park rises gently to at most 3 m in its middle. There are 384 buildings
    of 2 to 5 storeys of 3.0 m, each with a door 1.2 m wide to a ground floor of 13.4 by 13.4 m at
    the height of the pavement. In 24 of them, one in every fourth block, flights of stairs (15
    risers of 0.2 m, treads of 0.28 m, 1.2 m wide) lead through all storeys up to the roof, which
    has a parapet. The other 360 are closed above their ground floor and have flat roofs of 14 by
    14 m that nothing leads up to.

    For an agent 1.8 m high with a radius of 0.3 m that takes steps of 0.4 m this makes exactly 361
    components of more than 10 m2: one of all streets, pavements, ground floors, the park and the
    storeys with stairs, and 360 roofs of 13.4 by 13.4 m, at heights from 6.15 to 15.15. There is
    a way from `BUILDINGS_START` to `BUILDINGS_GOAL`, from one corner to the opposite one.

    The least number of triangles is 44,192. More are spent on windows, parked cars, trees and lamp
    posts first, and after that on streets and pavements, which are cut into smaller triangles.

    Parameters
    ----------
    triangles : int
        Their number, at least 44,192.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity. `BUILDINGS_START` and `BUILDINGS_GOAL` are for y.
    """
    soup = Soup()
    corners = block_corners()
    kerb = Soup()
    kerb.curtain(shapely.box(0.0, 0.0, BLOCK, BLOCK).exterior.coords, 0.0, KERB)
    soup.add(placed(kerb.triangles(), np.column_stack([corners, np.zeros(len(corners))])))
    _add_park(soup)
    for (storeys, walk_up, north), places in sorted(_houses().items()):
        soup.add(placed(_house(storeys, walk_up=walk_up, north=north), places))
    spend(soup, triangles, [_windows(), *_street_furniture(corners)], _surfaces(corners))
    return soup.scene(up)


def block_corners() -> Floats:
    """Return the (96, 2) corners with the smallest coordinates of all blocks with buildings."""
    corners = grid_points(np.arange(BLOCKS), np.arange(BLOCKS), 0.0)[:, :2] * PITCH + STREET / 2.0
    in_park = np.all((corners > PARK[0] - 1.0) & (corners < PARK[2]), axis=1)
    return np.asarray(corners[~in_park])


def _houses() -> dict[tuple[int, bool, bool], list[tuple[float, float, float]]]:
    """Return the places of all buildings by storeys, stairs inside, and door to the north."""
    kinds: dict[tuple[int, bool, bool], list[tuple[float, float, float]]] = {}
    for u, v in block_corners().tolist():
        i, j = int(u // PITCH), int(v // PITCH)
        for slot, (east, north) in enumerate(SLOTS):
            storeys = 2 + (7 * i + 3 * j + 5 * slot) % 4
            walk_up = slot == 0 and (i + 2 * j) % 4 == 0
            kind = (storeys, walk_up, slot >= 2)
            kinds.setdefault(kind, []).append((u + east, v + north, KERB))
    return kinds


def _house(storeys: int, *, walk_up: bool, north: bool) -> Floats:
    """Return one building whose corner on the pavement is the origin."""
    soup = Soup()
    size, top = BUILDING, storeys * STOREY
    height = top + PARAPET if walk_up else STOREY
    front = shapely.Polygon(
        [
            (0.0, 0.0), (DOOR, 0.0), (DOOR, DOOR_HEIGHT), (DOOR + DOOR_WIDTH, DOOR_HEIGHT),
            (DOOR + DOOR_WIDTH, 0.0), (size, 0.0), (size, height), (0.0, height),
        ]
    )  # fmt: skip
    soup.prism(front, 0.0, WALL, along="v")
    soup.box((0.0, size - WALL, 0.0), (size, size, height))
    for west in (0.0, size - WALL):
        soup.box((west, WALL, 0.0), (west + WALL, size - WALL, height))
    if walk_up:
        inside = shapely.box(WALL, WALL, size - WALL, size - WALL)
        for storey in range(storeys):
            foot, south, back = FLIGHTS[storey % 2]
            floor, west = storey * STOREY, foot - RUN if back else foot
            side_view = flight(foot, floor, RISER, TREAD, STEPS, back=back, thickness=0.1)
            soup.prism(side_view, south, south + STAIRS_WIDTH, along="v")
            opening = shapely.box(west, south, west + RUN, south + STAIRS_WIDTH)
            slab = shapely.Polygon(inside.exterior, [opening.exterior])
            soup.prism(slab, floor + STOREY - SLAB, floor + STOREY)
    else:
        # All that is above the ground floor is one closed block.
        soup.box((0.0, 0.0, STOREY), (size, size, top))
    house = soup.triangles()
    return np.array([size, size, 0.0]) + house * (-1.0, -1.0, 1.0) if north else house


def park_height(u: Floats, v: Floats) -> Floats:
    """Return the height of the park's ground, which ends at the kerb on all sides."""
    west, south, east, north = PARK
    x, y = np.pi * (u - west) / (east - west), np.pi * (v - south) / (north - south)
    hill = (np.sin(x) * np.sin(y)) ** 2
    return np.asarray(KERB + PARK_RISE * hill * (1.0 + 0.25 * np.sin(5.0 * x) * np.cos(4.0 * y)))


def _add_park(soup: Soup) -> None:
    west, south, east, north = PARK
    ticks = np.linspace(0.0, 1.0, PARK_CELLS + 1)
    ground = tiles(west + ticks * (east - west), south + ticks * (north - south), 0.0)
    ground[:, :, 2] = park_height(ground[:, :, 0], ground[:, :, 1])
    soup.add(ground)
    soup.curtain(shapely.box(*PARK).exterior.coords, 0.0, KERB)


def _surfaces(corners: Floats) -> list[Floats]:
    """Return streets and pavements, which may be cut into smaller triangles."""
    lines = np.arange(BLOCKS)[:, None] * PITCH + (STREET / 2.0, STREET / 2.0 + BLOCK)
    lines = np.concatenate([[0.0, SIZE], lines.ravel()])
    blocks: list[Rectangle] = [(u, v, u + BLOCK, v + BLOCK) for u, v in corners.tolist()]
    pavement = tiles((0.0, BLOCK), (0.0, BLOCK), KERB)
    places = np.column_stack([corners, np.zeros(len(corners))])
    return [
        tiles(lines, lines, 0.0, holes=[*blocks, PARK]),
        placed(pavement, places).reshape(-1, 3, 3),
    ]


def _windows() -> Floats:
    """Return panes with sills on all sides of the buildings, above the ground floor."""
    pane = boxes([(0.0, -0.05, 1.0), (-0.05, -0.12, 0.94)], [(1.4, 0.0, 2.4), (1.45, 0.0, 1.0)])
    piece = pane.reshape(-1, 3, 3)
    south = placed(piece, grid_points((1.6, 6.3, 11.0), 0.0, 0.0))
    quarter = south[..., [1, 0, 2]] * (-1.0, 1.0, 1.0) + (BUILDING, 0.0, 0.0)
    storey = np.concatenate([south, quarter])
    storey = np.concatenate([storey, storey * (-1.0, -1.0, 1.0) + (BUILDING, BUILDING, 0.0)])
    places = [
        (u, v, h + level * STOREY)
        for (storeys, _, _), corners in sorted(_houses().items())
        for (u, v, h), level in product(corners, range(1, storeys))
    ]
    return np.concatenate([placed(window, places) for window in storey])


def _street_furniture(corners: Floats) -> list[Floats]:
    """Return parked cars, trees and lamp posts along all blocks."""
    wheels = grid_points((0.8, 3.4), (0.0, 1.6), 0.3)
    car = np.concatenate(
        [
            *boxes([(0.0, 0.0, 0.25), (1.0, 0.1, 0.8)], [(4.4, 1.8, 0.8), (3.4, 1.7, 1.45)]),
            *pipes(wheels, wheels + (0.0, 0.2, 0.0), 0.3, sides=16),
        ]
    )
    trunk = pipes([(0.0, 0.0, KERB)], [(0.0, 0.0, 2.8)], 0.15)
    crown = cones([(0.0, 0.0, h) for h in (2.5, 3.5, 4.5)], 1.0, 2.0)
    tree = np.concatenate([*trunk, *crown])
    lamp = np.concatenate(
        [
            *pipes([(0.0, 0.0, KERB)], [(0.0, 0.0, 6.0)], 0.06),
            *pipes([(0.0, 0.0, 5.9)], [(0.0, -1.5, 6.1)], 0.04),
            *boxes([(-0.15, -1.9, 6.0)], [(0.15, -1.3, 6.15)]),
        ]
    )
    # What stands along the south side of a block goes along all of its sides.
    cars = placed(car, grid_points((8.0, 17.0, 26.0), -2.1, 0.0))
    trees = placed(tree, grid_points((4.0, 14.0, 24.0, 34.0), 1.0, 0.0))
    lamps = placed(lamp, grid_points((9.0, 29.0), 0.6, 0.0))
    places = np.column_stack([corners, np.zeros(len(corners))])
    result = []
    for side in (cars, trees, lamps):
        ring = np.concatenate([_turned(side, quarters) for quarters in range(4)])
        result.append((ring[None] + places[:, None, None, None]).reshape(-1, *side.shape[1:]))
    return result


def _turned(pieces: Floats, quarters: int) -> Floats:
    """Return pieces of the south side of a block turned about its middle."""
    middle = np.array([BLOCK / 2.0, BLOCK / 2.0, 0.0])
    turned = pieces - middle
    for _ in range(quarters):
        turned = turned[..., [1, 0, 2]] * (-1.0, 1.0, 1.0)
    return np.asarray(turned + middle)
