"""A house of two storeys, modelled the way building software exports one.

Plan of the ground floor, 12 by 9 m (u to the right, v upwards; the ramp runs along the front)::

    +-----------+------+-----------------+
    |   study   = bath |     bedroom     |     = and a single | are doorways
    |           |      |                 |
    +---|-------+------+---------|-------+
    =  hall     [ stairs up  > ]         |
    +---|----------------+-------|-------+
    |   living room      =    kitchen    |
    |                    |               |
    +--------------------+---------------+
     [ ramp up  >                  ]landing

and of the upper floor::

    +-----------+----------------+-------+
    |   office  =    library     |       |
    |           |                |  bath |
    +---|-------+----------------+-|-----+
    |  hall     [   stairwell    ]       |
    +----|-------------|------------+-|--+
    | parents   | children          |lobby
    |           |                   |    |
    +-----------+-------------------+-|--+
                                    landing
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from walkmesh.samples import furniture
from walkmesh.samples.details import flight
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.scene import Scene

HOUSE_START = (7.6, 0.0, 10.6)
"""World point (x, y, z), y up: in the bedroom of the ground floor, far from the ramp's foot."""

HOUSE_GOAL = (7.4, 3.0, 7.6)
"""World point (x, y, z), y up: in the library, the room of the upper floor farthest inside."""

STOREY = 3.0
SLAB = 0.3
WALL_HEIGHT = STOREY - SLAB
DOOR_WIDTH = 0.9
DOOR_HEIGHT = 2.0
BALUSTRADE = 1.0

RISERS = 16
TREAD = 0.28
# A straight flight of 16 risers has 15 treads: the sixteenth is the upper floor.
STAIRS_WEST, STAIRS_SOUTH, STAIRS_NORTH = 4.0, 5.05, 6.05
STAIRS_EAST = STAIRS_WEST + (RISERS - 1) * TREAD

RAMP_WEST, RAMP_EAST, RAMP_SOUTH, RAMP_NORTH = 0.5, 10.5, -1.5, 0.0
PARAPET = 0.1

# Polygons are cut on a grid of a millimetre, on which all of the plan's coordinates lie.
GRID = 0.001


@dataclass(frozen=True)
class Wall:
    """An upright wall along u or v.

    Attributes
    ----------
    west, south, east, north : float
        Its rectangle in plan; the longer side is the wall's direction. [Unit: m]
    doors : tuple of float
        Where each door starts, along the wall's direction in plan coordinates. [Unit: m]
    height : float
        [Unit: m]
    """

    west: float
    south: float
    east: float
    north: float
    doors: tuple[float, ...] = ()
    height: float = WALL_HEIGHT

    @property
    def along_u(self) -> bool:
        """Whether the wall runs along u."""
        return self.east - self.west > self.north - self.south

    def footprint(self) -> shapely.Geometry:
        """Return the plan of the wall without its doorways."""
        return _cut(
            shapely.box(self.west, self.south, self.east, self.north),
            *(
                shapely.box(door, self.south, door + DOOR_WIDTH, self.north)
                if self.along_u
                else shapely.box(self.west, door, self.east, door + DOOR_WIDTH)
                for door in self.doors
            ),
        )

    def add_to(self, soup: Soup, floor: float) -> None:
        """Add the wall as one closed solid that stands on `floor`, with lintels over its doors."""
        start, end = (self.west, self.east) if self.along_u else (self.south, self.north)
        elevation = _cut(
            shapely.box(start, floor, end, floor + self.height),
            *(
                shapely.box(door, floor, door + DOOR_WIDTH, floor + DOOR_HEIGHT)
                for door in self.doors
            ),
        )
        if self.along_u:
            soup.prism(elevation, self.south, self.north, along="v")
        else:
            soup.prism(elevation, self.west, self.east, along="u")


GROUND_WALLS = (
    Wall(0.0, 0.0, 12.0, 0.2),
    Wall(0.0, 8.8, 12.0, 9.0),
    Wall(0.0, 0.2, 0.2, 8.8, doors=(4.6,)),
    Wall(11.8, 0.2, 12.0, 8.8),
    Wall(0.2, 3.9, 11.8, 4.05, doors=(2.0, 9.0)),
    Wall(0.2, 6.05, 11.8, 6.2, doors=(2.4, 9.3)),
    Wall(7.0, 0.2, 7.15, 3.9, doors=(1.5,)),
    Wall(4.5, 6.2, 4.65, 8.8, doors=(7.0,)),
    Wall(6.6, 6.2, 6.75, 8.8),
    # The two columns under the landing of the ramp.
    Wall(11.8, -1.6, 12.0, -1.4),
    Wall(11.8, -0.2, 12.0, 0.0),
)

UPPER_WALLS = (
    Wall(0.0, 0.0, 12.0, 0.2, doors=(10.8,)),
    Wall(0.0, 8.8, 12.0, 9.0),
    Wall(0.0, 0.2, 0.2, 8.8),
    Wall(11.8, 0.2, 12.0, 8.8),
    Wall(0.2, 3.9, 11.8, 4.05, doors=(2.6, 7.2, 10.6)),
    Wall(0.2, 6.05, 11.8, 6.2, doors=(2.0, 9.6)),
    Wall(5.0, 0.2, 5.15, 3.9),
    Wall(10.1, 0.2, 10.25, 3.9),
    Wall(3.8, 6.2, 3.95, 8.8, doors=(7.0,)),
    Wall(8.45, 6.2, 8.6, 8.8),
    # Balustrades of the stairwell, whose east end is where the stairs arrive, and of the landing.
    Wall(STAIRS_WEST - 0.1, 4.95, STAIRS_EAST, STAIRS_SOUTH, height=BALUSTRADE),
    Wall(STAIRS_WEST - 0.1, STAIRS_SOUTH, STAIRS_WEST, STAIRS_NORTH, height=BALUSTRADE),
    Wall(RAMP_EAST, RAMP_SOUTH - PARAPET, 12.0, RAMP_SOUTH, height=BALUSTRADE),
    Wall(11.9, RAMP_SOUTH, 12.0, RAMP_NORTH, height=BALUSTRADE),
)

YARD = shapely.box(-1.5, -3.0, 13.5, 10.5)
HOUSE = shapely.box(0.0, 0.0, 12.0, 9.0)
LANDING = shapely.box(RAMP_EAST, RAMP_SOUTH - PARAPET, 12.0, RAMP_NORTH)
RAMP = shapely.box(RAMP_WEST, RAMP_SOUTH, RAMP_EAST, RAMP_NORTH)
RAMP_PARAPET = shapely.box(RAMP_WEST, RAMP_SOUTH - PARAPET, RAMP_EAST, RAMP_SOUTH)
STAIRWELL = shapely.box(STAIRS_WEST, STAIRS_SOUTH, STAIRS_EAST, STAIRS_NORTH)


def house(up: str | Sequence[float] = "y") -> Scene:
    """Return the demo scene: a furnished house of two storeys in a yard.

    Six rooms below, seven above, joined by doorways 0.9 m wide and 2.0 m high. Stairs (16 risers
    of 0.1875 m, treads of 0.28 m, 1.0 m wide) and an outside ramp (10.0 m long in plan, 1.5 m
    wide, 16.7 degrees) both lead from the ground at height 0 to the upper floor at 3.0. There is no
    roof, so that pictures can look inside.

    As in an export of building software, walls are solids with their doorways cut out, and the
    floor of a storey is one surface of the rooms, doorways and, below, the yard, without what
    walls, stairs and ramp stand on. Furniture stands on a floor that goes on below it. The ramp
    shares its lower edge with the ground and its upper edge with the landing; so the faces that
    face up and are less steep than 45 degrees hold together by equal edges as follows:

    - the ground (170.155 m2), the top of the ramp (15 * sqrt(1.09) m2) and the upper floor with
      its landing (92.75 m2) are one component of 278.5655 m2, by far the largest;
    - each of the 15 treads (0.28 m2) is one on its own;
    - all others are tops of walls and of furniture, none above 4 m2.

    The library (11.7 m2), which `HOUSE_GOAL` lies in, has one doorway: between u = 3.8 and 3.95,
    from v = 7.0 to 7.9.

    Parameters
    ----------
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity. `HOUSE_START` and `HOUSE_GOAL` are for y.
    """
    soup = Soup()
    for walls, height in ((GROUND_WALLS, 0.0), (UPPER_WALLS, STOREY)):
        for wall in walls:
            wall.add_to(soup, height)
    soup.sheet(ground_plan(), 0.0)
    _add_upper_floor(soup)
    _add_stairs(soup)
    _add_ramp(soup)
    _furnish_ground(soup)
    _furnish_upper(soup, STOREY)
    return soup.scene(up)


def ground_plan() -> shapely.Geometry:
    """Return where one can set foot at height 0, in (u, v)."""
    plan = _cut(YARD, *(w.footprint() for w in GROUND_WALLS), STAIRWELL, RAMP, RAMP_PARAPET)
    # The ramp's foot is half of a longer straight side of the plan. Its corners become vertices of
    # the plan, so that the triangulation has the ramp's lower edge as an edge.
    foot = shapely.MultiPoint([(RAMP_WEST, RAMP_SOUTH), (RAMP_WEST, RAMP_NORTH)])
    return shapely.snap(plan, foot, GRID)


def upper_plan() -> shapely.Geometry:
    """Return where one can set foot on the upper floor, its landing included, in (u, v)."""
    storey = shapely.union(HOUSE, LANDING, grid_size=GRID)
    return _cut(storey, *(w.footprint() for w in UPPER_WALLS), STAIRWELL)


def _cut(polygon: shapely.Polygon, *others: shapely.Geometry) -> shapely.Geometry:
    """Return `polygon` without all the `others`, with coordinates on the grid."""
    return shapely.difference(polygon, shapely.union_all(others, grid_size=GRID), grid_size=GRID)


def _add_upper_floor(soup: Soup) -> None:
    """Add the walked-on surface of the upper floor and the slab below it."""
    soup.sheet(upper_plan(), STOREY)
    slab = _cut(shapely.union(HOUSE, LANDING, grid_size=GRID), STAIRWELL)
    soup.prism(slab, WALL_HEIGHT, STOREY, top=False)


def _add_stairs(soup: Soup) -> None:
    """Add a solid flight that climbs along u and stands on the ground."""
    side_view = flight(STAIRS_WEST, 0.0, STOREY / RISERS, TREAD, RISERS)
    soup.prism(side_view, STAIRS_SOUTH, STAIRS_NORTH, along="v")


def _add_ramp(soup: Soup) -> None:
    """Add the solid ramp and the parapet along its open side."""
    wedge = shapely.Polygon([(RAMP_WEST, 0.0), (RAMP_EAST, 0.0), (RAMP_EAST, STOREY)])
    soup.prism(wedge, RAMP_SOUTH, RAMP_NORTH, along="v")
    parapet = shapely.Polygon(
        [
            (RAMP_WEST, 0.0),
            (RAMP_EAST, 0.0),
            (RAMP_EAST, STOREY + BALUSTRADE),
            (RAMP_WEST, BALUSTRADE),
        ]
    )
    soup.prism(parapet, RAMP_SOUTH - PARAPET, RAMP_SOUTH, along="v")


def _furnish_ground(soup: Soup) -> None:
    # Living room.
    furniture.add_sofa(soup, 3.6, 0.3, 2.2, 0.9, "south", 0.0)
    furniture.add_table(soup, 4.1, 1.7, 1.2, 0.6, 0.0)
    furniture.add_block(soup, 0.25, 0.6, 0.4, 2.4, 2.0, 0.0)
    # Kitchen: a counter around the corner, and a table for four.
    furniture.add_block(soup, 8.2, 0.2, 3.0, 0.6, 0.9, 0.0)
    furniture.add_block(soup, 11.2, 0.2, 0.6, 2.6, 0.9, 0.0)
    furniture.add_table(soup, 8.4, 1.8, 1.6, 0.9, 0.0)
    for u in (8.6, 9.4):
        furniture.add_chair(soup, u, 1.3, "south", 0.0)
        furniture.add_chair(soup, u, 2.8, "north", 0.0)
    # Study.
    furniture.add_table(soup, 0.3, 7.2, 0.7, 1.4, 0.0)
    furniture.add_chair(soup, 1.1, 7.7, "east", 0.0)
    furniture.add_block(soup, 2.0, 8.4, 2.0, 0.35, 2.0, 0.0)
    # Bath and bedroom.
    furniture.add_block(soup, 5.8, 6.7, 0.75, 1.7, 0.55, 0.0)
    furniture.add_bed(soup, 7.6, 6.8, 2.0, 1.6, "west", 0.0)
    furniture.add_block(soup, 11.15, 6.5, 0.6, 1.0, 2.1, 0.0)


def _furnish_upper(soup: Soup, floor: float) -> None:
    # Parents.
    furniture.add_bed(soup, 1.0, 0.25, 1.8, 2.0, "south", floor)
    furniture.add_block(soup, 4.35, 0.4, 0.6, 2.2, 2.1, floor)
    # Children.
    furniture.add_bed(soup, 5.2, 0.3, 0.9, 2.0, "south", floor)
    furniture.add_bed(soup, 9.1, 0.3, 0.9, 2.0, "south", floor)
    furniture.add_table(soup, 7.0, 0.3, 1.2, 0.6, floor)
    furniture.add_chair(soup, 7.4, 1.0, "north", floor)
    # Office.
    furniture.add_table(soup, 0.3, 7.2, 0.7, 1.4, floor)
    furniture.add_chair(soup, 1.1, 7.7, "east", floor)
    # Library.
    furniture.add_block(soup, 4.2, 8.4, 4.0, 0.35, 2.0, floor)
    furniture.add_table(soup, 5.4, 6.9, 1.2, 0.8, floor)
    furniture.add_chair(soup, 5.8, 6.35, "south", floor)
    # Bath.
    furniture.add_block(soup, 11.0, 6.6, 0.75, 1.7, 0.55, floor)
