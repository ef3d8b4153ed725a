"""A subway station: two platforms with tracks between them, and a ticket hall above.

Plan of one half of the hall (u to the right; the other half is its mirror image), where > are
flights that climb from the platform below to the hall, along u::

    +---------------------------------------+----
    |        >>>>>      >>>>>               | gates
    |                                       |    ticket hall
    |        >>>>>      >>>>>               | gates
    +---------------------------------------+----

The cross section is the same all along: a platform, four tracks, and the other platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.samples.details import (
    Rectangle,
    boxes,
    flight,
    grid_points,
    pipes,
    spend,
    tiles,
)
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

STATION_START = (12.0, 1.1, 44.0)
"""World point (x, y, z), y up: at the far end of a platform."""

STATION_GOAL = (20.1, 5.1, 175.5)
"""World point (x, y, z), y up: in the ticket hall, behind the gates."""

LENGTH, WIDTH, HEIGHT = 351.05, 40.2, 8.3
# The halls are symmetric about the middle; tunnels lead out of both ends.
WEST, EAST = 40.0, LENGTH - 40.0
WALL = 0.4
TUNNEL_HEIGHT = 6.0
BED_SOUTH, BED_NORTH = 13.4, 26.8
PLATFORM = 1.1
HALL, HALL_SLAB = 5.1, 0.4
HALL_WEST, HALL_EAST = 95.0, LENGTH - 95.0
CEILING = HALL - HALL_SLAB

# Flights, all as long: where their feet are along u, and their lanes along v on the first platform.
RISE, RUN = HALL - PLATFORM, 7.6
FEET = (110.0, 135.0)
STAIRS_LANE, STAIRS_STEPS = (3.0, 5.4), 25
ESCALATOR_LANES, ESCALATOR_STEPS = ((5.7, 6.7), (7.0, 8.0)), 20
BALUSTRADES = (2.85, 5.4, 5.55, 6.7, 6.85, 8.0)
BALUSTRADE, BALUSTRADE_HEIGHT, BALUSTRADE_BEYOND = 0.15, 1.0, 0.6

COLUMN_RADIUS, CLADDING_RADIUS = 0.4, 0.45
COLUMN_ROWS = (1.5, 10.9, WIDTH - 10.9, WIDTH - 1.5)
COLUMNS = 45.0 + 9.0 * np.arange(30)
GATE_LINES = (165.0, LENGTH - 165.0)
# Beside the openings of the hall's floor, so that no lamp of the platforms hangs in one.
LAMP_ROWS = (9.4, 20.0, 30.6)
TRACKS = (15.1, 18.1, 22.1, 25.1)


def station(triangles: int = 568_418, up: str | Sequence[float] = "y") -> Scene:
    """Return a subway station of 351 by 40 by 8 m with exactly so many triangles.

    Two platforms at height 1.1, 271.05 by 13.0 m, lie on both sides of a track bed at height 0
    that is 13.4 m wide and 351.05 m long, in tunnels at both ends. The hall, a slab 0.4 m thick
    whose top is at 5.1, lies over the middle 161.05 m of both platforms and the tracks. From each
    platform four banks of flights lead up to it, each of one flight of stairs (25 risers of
    0.16 m, 2.4 m wide) and two escalators (20 steps of 0.2 by 0.4 m, 1.0 m wide) between
    balustrades 1 m high. Two lines of ticket gates, with passages 0.9 m wide, separate the ticket
    hall in the middle from the two ends that the flights arrive at.

    For an agent 1.8 m high with a radius of 0.3 m that takes steps of 0.4 m this makes exactly two
    components of more than 5 m2: both platforms with the hall, as stairs and gates join them, and
    the track bed, as the edges of the platforms are too high to climb. There is a way from
    `STATION_START` to `STATION_GOAL`, and none from there to the tracks.

    The least number of triangles is 13,848. More are spent on claddings of the columns, pipes,
    lamps, posters, handrails and sleepers first, and after that on floors, walls and ceilings,
    which are cut into smaller triangles.

    Parameters
    ----------
    triangles : int
        Their number, at least 13,848.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity. `STATION_START` and `STATION_GOAL` are for y.
    """
    soup = Soup()
    _add_walls(soup)
    _add_furniture(soup)
    for side in (False, True):
        for foot in FEET:
            for back in (False, True):
                _add_bank(soup, LENGTH - foot if back else foot, north=side, back=back)
    feet, heads = _columns()
    soup.add(pipes(feet, heads, COLUMN_RADIUS))
    spend(soup, triangles, _details(feet, heads), _surfaces())
    return soup.scene(up)


def _lane(lane: tuple[float, float], *, north: bool) -> tuple[float, float]:
    """Return where a lane of the first platform is along v, or its mirror image on the other."""
    low, high = lane
    return (WIDTH - high, WIDTH - low) if north else lane


def openings() -> list[Rectangle]:
    """Return the openings of the hall's floor, one above each bank of flights."""
    result: list[Rectangle] = []
    for north in (False, True):
        south, end = _lane((BALUSTRADES[0], BALUSTRADES[-1] + BALUSTRADE), north=north)
        for foot in FEET:
            result.append((foot, south, foot + RUN, end))
            result.append((LENGTH - foot - RUN, south, LENGTH - foot, end))
    return result


def _add_bank(soup: Soup, foot: float, *, north: bool, back: bool) -> None:
    """Add one flight of stairs and two escalators beside each other, and what stands beside."""
    for lane, steps in (
        (STAIRS_LANE, STAIRS_STEPS),
        *((e, ESCALATOR_STEPS) for e in ESCALATOR_LANES),
    ):
        side_view = flight(foot, PLATFORM, RISE / steps, RUN / (steps - 1), steps, back=back)
        soup.prism(side_view, *_lane(lane, north=north), along="v")
    sign = -1.0 if back else 1.0
    head, beyond = foot + sign * RUN, sign * BALUSTRADE_BEYOND
    outline = [
        (foot - beyond, PLATFORM),
        (foot - beyond, PLATFORM + BALUSTRADE_HEIGHT),
        (foot, PLATFORM + BALUSTRADE_HEIGHT),
        (head, HALL + BALUSTRADE_HEIGHT),
        (head + beyond, HALL + BALUSTRADE_HEIGHT),
        (head + beyond, HALL),
        (head, HALL),
        (head, PLATFORM),
    ]
    for start in BALUSTRADES:
        lane = _lane((start, start + BALUSTRADE), north=north)
        soup.prism(shapely.Polygon(outline), *lane, along="v")
    # The parapets of the opening above, on all sides but where the flights arrive.
    south, end = _lane((BALUSTRADES[0], BALUSTRADES[-1] + BALUSTRADE), north=north)
    west, east = sorted((foot, head))
    top = HALL + BALUSTRADE_HEIGHT
    for low, high in ((south - BALUSTRADE, south), (end, end + BALUSTRADE)):
        soup.box((west, low, HALL), (east, high, top))
    low, high = sorted((foot, foot - sign * BALUSTRADE))
    soup.box((low, south - BALUSTRADE, HALL), (high, end + BALUSTRADE, top))
    soup.curtain(shapely.box(west, south, east, end, ccw=False).exterior.coords, CEILING, HALL)


def _add_walls(soup: Soup) -> None:
    """Add the walls of the station, of its tunnels and of the hall, as solids."""
    for south in (0.0, WIDTH - WALL):
        soup.box((WEST - WALL, south, 0.0), (EAST + WALL, south + WALL, HEIGHT))
    mouth = shapely.box(BED_SOUTH, 0.0, BED_NORTH, TUNNEL_HEIGHT)
    end_wall = shapely.difference(shapely.box(WALL, 0.0, WIDTH - WALL, HEIGHT), mouth)
    for west, start, end in ((WEST - WALL, 0.0, WEST - WALL), (EAST, EAST + WALL, LENGTH)):
        soup.prism(end_wall, west, west + WALL, along="u")
        for south in (BED_SOUTH - WALL, BED_NORTH):
            soup.box((start, south, 0.0), (end, south + WALL, TUNNEL_HEIGHT))
    for west in (HALL_WEST, HALL_EAST - WALL):
        soup.box((west, WALL, CEILING), (west + WALL, WIDTH - WALL, HEIGHT))


def _add_furniture(soup: Soup) -> None:
    """Add ticket gates and machines, benches and the rails of the tracks, all as boxes."""
    gates = grid_points(GATE_LINES, 1.3 + 1.15 * np.arange(33), HALL)
    soup.add(boxes(gates - (0.8, 0.0, 0.0), gates + (0.8, 0.25, 1.05)))
    machines = grid_points(168.0 + 2.0 * np.arange(8), (WALL, WIDTH - WALL - 0.5), HALL)
    soup.add(boxes(machines, machines + (1.0, 0.5, 1.9)))
    benches = grid_points(49.5 + 18.0 * np.arange(15), (WALL, WIDTH - WALL - 0.5), PLATFORM)
    soup.add(boxes(benches, benches + (2.0, 0.5, 0.45)))
    rails = grid_points(0.0, [t + side for t in TRACKS for side in (-0.75, 0.68)], 0.0)
    soup.add(boxes(rails, rails + (LENGTH, 0.07, 0.2)))


def _columns() -> tuple[Floats, Floats]:
    """Return where columns stand and where they end, on platforms, tracks and in the hall."""
    feet = grid_points(COLUMNS, COLUMN_ROWS, PLATFORM)
    feet = np.concatenate([feet, grid_points(COLUMNS, WIDTH / 2.0, 0.0)])
    under = (feet[:, 0] > HALL_WEST) & (feet[:, 0] < HALL_EAST)
    heads = feet.copy()
    heads[:, 2] = np.where(under, CEILING, HEIGHT)
    above = grid_points(COLUMNS[(COLUMNS > HALL_WEST) & (COLUMNS < HALL_EAST)], COLUMN_ROWS, HALL)
    return (
        np.concatenate([feet, above]),
        np.concatenate([heads, above + (0.0, 0.0, HEIGHT - HALL)]),
    )


def _surfaces() -> list[Floats]:
    """Return floors and ceilings, which may be cut into smaller triangles."""
    around = (WALL, BED_SOUTH, BED_NORTH, WIDTH - WALL)
    holes = openings()
    us = [HALL_WEST, HALL_EAST, *(h[0] for h in holes), *(h[2] for h in holes)]
    vs = [WALL, WIDTH - WALL, *(h[1] for h in holes), *(h[3] for h in holes)]
    outside = (0.0, WEST, EAST, LENGTH)
    return [
        tiles(outside, around[1:3], 0.0),
        # As the flights are hollow, the platforms do not go on below them.
        tiles(
            (WEST, *us, EAST), [v for v in vs if v < BED_SOUTH] + [BED_SOUTH], PLATFORM, holes=holes
        ),
        tiles(
            (WEST, *us, EAST), [BED_NORTH] + [v for v in vs if v > BED_NORTH], PLATFORM, holes=holes
        ),
        tiles((WEST, EAST), (0.0, PLATFORM), BED_SOUTH, along="v"),
        tiles((WEST, EAST), (0.0, PLATFORM), BED_NORTH, along="v", turned=True),
        tiles(us, vs, HALL, holes=holes),
        tiles(us, vs, CEILING, holes=holes, turned=True),
        tiles((WEST, EAST), (WALL, WIDTH - WALL), HEIGHT, turned=True),
        *(
            tiles(side, around[1:3], TUNNEL_HEIGHT, turned=True)
            for side in (outside[:2], outside[2:])
        ),
    ]


def _details(feet: Floats, heads: Floats) -> list[Floats]:
    """Return what is added only if there are triangles enough; none of it is in anybody's way."""
    metres = np.arange(WEST, EAST - 1.0)
    cables = grid_points(metres, (WALL + 0.1, WIDTH - WALL - 0.1), (3.6, 3.9, 4.2))
    lamps = grid_points(WEST + 1.5 + 3.0 * np.arange(89), LAMP_ROWS, HEIGHT - 0.1)
    lower = lamps[(lamps[:, 0] > HALL_WEST) & (lamps[:, 0] < HALL_EAST - 1.2)]
    lamps = np.concatenate([lamps, lower - (0.0, 0.0, HEIGHT - CEILING)])
    posters = grid_points(51.5 + 6.0 * np.arange(43), (WALL, WIDTH - WALL - 0.03), PLATFORM + 1.0)
    sleepers = grid_points(0.2 + 0.65 * np.arange(539), TRACKS, 0.0)
    starts, ends = [], []
    for north in (False, True):
        for start in BALUSTRADES:
            middle = _lane((start, start + BALUSTRADE), north=north)[0] + BALUSTRADE / 2.0
            for foot in FEET:
                for u, run in ((foot, RUN), (LENGTH - foot, -RUN)):
                    starts.append((u, middle, PLATFORM + BALUSTRADE_HEIGHT))
                    ends.append((u + run, middle, HALL + BALUSTRADE_HEIGHT))
    return [
        # The claddings end a little before the columns do, so that no two faces coincide.
        pipes(feet, heads - (0.0, 0.0, 0.02), CLADDING_RADIUS, sides=40, lengths=8),
        pipes(cables, cables + (1.0, 0.0, 0.0), 0.06, sides=12),
        boxes(lamps, lamps + (1.2, 0.2, 0.1)),
        boxes(posters, posters + (2.0, 0.03, 1.4)),
        pipes(starts, ends, 0.06, lengths=20),
        boxes(sleepers - (0.0, 1.2, 0.0), sleepers + (0.25, 1.2, 0.1)),
    ]
