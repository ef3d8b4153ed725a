"""An offshore platform: eleven decks one above the other, with stairs, pipes, tanks and cranes.

Plan of a deck (u to the right, v upwards). Flights climb towards > from even decks and towards <
from odd ones; o are legs, and in the middle a tank stands on an even deck and comes up through a
well of the odd one above::

    +------------------------+
    | o                    o |
    |                <<<     |
    |                  >>>   |
    |        +------+        |
    |        | tank |        |
    |        +------+        |
    |    <<<                 |
    |   >>>                  |
    | o                    o |
    +------------------------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.samples.details import (
    Rectangle,
    cones,
    flight,
    grid_points,
    lattice,
    pipes,
    posts,
    rails,
    ring_lines,
    spend,
    tiles,
)
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

PLATFORM_START = (20.0, 0.0, 30.0)
"""World point (x, y, z), y up: on the lowest deck."""

PLATFORM_GOAL = (12.0, 40.0, 30.0)
"""World point (x, y, z), y up: on the highest deck."""

LENGTH, DEPTH = 40.0, 52.25
DECKS, STOREY, PLATE = 11, 4.0, 0.1
HIGHEST = (DECKS - 1) * STOREY

RISER, TREAD, STEPS = 0.2, 0.25, 20
RUN, STAIRS_WIDTH, STRINGER = (STEPS - 1) * TREAD, 1.2, 0.15
# Where the flights from even and from odd decks start, in (u, v), and whether they climb back.
EVEN_FLIGHTS = ((6.0, 8.0, False), (34.0, DEPTH - 9.2, True))
ODD_FLIGHTS = ((12.0, 11.0, True), (28.0, DEPTH - 12.2, False))

WELL: Rectangle = (14.0, 20.0, 26.0, 32.0)
MIDDLE = (20.0, 26.0)
RAILING_INSET = 0.05
LEGS = ((3.0, 3.0), (37.0, 3.0), (3.0, 49.25), (37.0, 49.25))
RISER_PIPES = ((37.5, 26.0), (2.5, 20.0), (38.5, 30.0))
SMALL_TANKS = ((32.0, 10.0), (8.0, 42.0))
CRANES = (((14.0, 8.0), 20.0), ((26.0, 44.0), -20.0))


def platform(triangles: int = 119_601, up: str | Sequence[float] = "y") -> Scene:
    """Return an offshore platform of 40 by 52 by 48 m with exactly so many triangles.

    Eleven decks of 40 by 52.25 m lie at heights 0, 4, ... 40. Two flights of stairs (20 risers of
    0.2 m, treads of 0.25 m, 1.2 m wide, 38.7 degrees) lead from each to the next one, through
    openings of their size. The five odd decks have a well of 12 by 12 m in the middle for the
    tanks that stand on the decks below. Railings with two rails are around decks and openings and
    along the flights. Pipes lie 0.15, 1.0 and 3.3 m above each deck but the highest; they, legs,
    risers and braces run through each other and through the decks, which have no holes for them.
    Two lattice cranes stand on the highest deck and reach up to 48 m.

    For an agent 1.8 m high with a radius of 0.3 m that takes steps of 0.4 m there is exactly one
    component of more than 30 m2, which has all eleven decks: stairs join them, and tanks end in
    cones steeper than 45 degrees. So there is a way from `PLATFORM_START` on the lowest deck to
    `PLATFORM_GOAL` on the highest. Tanks and legs are hollow, and the deck goes on inside: in
    each of the five large tanks (16 sides, radius 3 m) an agent would be free on 22.22 m2, and
    nowhere else on more than 5 m2.

    The least number of triangles is 17,494. More are spent on posts of the railings, flanges and
    cables first, and after that on the decks, which are cut into smaller triangles.

    Parameters
    ----------
    triangles : int
        Their number, at least 17,494.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity. `PLATFORM_START` and `PLATFORM_GOAL` are for y.
    """
    soup = Soup()
    surfaces = []
    for deck in range(DECKS):
        surfaces += _deck(soup, deck)
    for deck in range(DECKS - 1):
        for foot, south, back in _flights(deck):
            side_view = flight(
                foot, deck * STOREY, RISER, TREAD, STEPS, back=back, thickness=STRINGER
            )
            soup.prism(side_view, south, south + STAIRS_WIDTH, along="v")
    starts, ends = _railings()
    soup.add(rails(starts, ends))
    lines = _pipes()
    for line in lines:
        soup.add(pipes(*line))
    _add_tanks(soup)
    for (u, v), reach in CRANES:
        top = HIGHEST + 6.5
        soup.add(lattice((u, v, HIGHEST), (u, v, top), 1.2, 5))
        soup.add(lattice((u, v, top), (u, v + reach, HIGHEST + 7.53), 0.8, 16))
    spend(soup, triangles, _details(starts, ends, lines), surfaces)
    return soup.scene(up)


def _flights(deck: int) -> tuple[tuple[float, float, bool], ...]:
    """Return the flights that start on a deck: foot, south side, and whether it climbs back."""
    return ODD_FLIGHTS if deck % 2 else EVEN_FLIGHTS


def openings(deck: int) -> list[Rectangle]:
    """Return the openings of a deck: those of the flights from below, and the well."""
    result: list[Rectangle] = []
    if deck > 0:
        for foot, south, back in _flights(deck - 1):
            west = foot - RUN if back else foot
            result.append((west, south, west + RUN, south + STAIRS_WIDTH))
    return [*result, WELL] if deck % 2 else result


def _deck(soup: Soup, deck: int) -> list[Floats]:
    """Add the narrow sides of a deck, and return its upper and lower side."""
    holes, top = openings(deck), deck * STOREY
    us = [0.0, LENGTH, *(h[0] for h in holes), *(h[2] for h in holes)]
    vs = [0.0, DEPTH, *(h[1] for h in holes), *(h[3] for h in holes)]
    soup.curtain(shapely.box(0.0, 0.0, LENGTH, DEPTH).exterior.coords, top - PLATE, top)
    for hole in holes:
        soup.curtain(shapely.box(*hole, ccw=False).exterior.coords, top - PLATE, top)
    return [
        tiles(us, vs, top, holes=holes),
        tiles(us, vs, top - PLATE, holes=holes, turned=True),
    ]


def _railings() -> tuple[Floats, Floats]:
    """Return starts and ends of all railings, on the ground that they stand on."""
    inset = RAILING_INSET
    pairs = []
    for deck in range(DECKS):
        height = deck * STOREY
        pairs.append(ring_lines((inset, inset, LENGTH - inset, DEPTH - inset), height))
        if deck % 2:
            west, south, east, north = WELL
            around = (west - inset, south - inset, east + inset, north + inset)
            pairs.append(ring_lines(around, height))
    for deck in range(DECKS - 1):
        floor, top = deck * STOREY, (deck + 1) * STOREY
        for foot, south, back in _flights(deck):
            head = foot - RUN if back else foot + RUN
            beyond = foot + inset if back else foot - inset
            low, high = south - inset, south + STAIRS_WIDTH + inset
            # Along both sides of the flight, and around its opening but where it arrives.
            starts = [(foot, v, floor) for v in (low + 2 * inset, high - 2 * inset)]
            ends = [(head, v, top) for v in (low + 2 * inset, high - 2 * inset)]
            starts += [(head, low, top), (beyond, low, top), (beyond, high, top)]
            ends += [(beyond, low, top), (beyond, high, top), (head, high, top)]
            pairs.append((np.array(starts), np.array(ends)))
    return (
        np.concatenate([start for start, _ in pairs]),
        np.concatenate([end for _, end in pairs]),
    )


def _pipes() -> list[tuple[Floats, Floats, float]]:
    """Return starts, ends and radius of pipes and legs, many of which run through each other."""
    floors = np.arange(DECKS - 1) * STOREY
    runs = (
        # At the ankle, at the waist and overhead, from (u, v) to (u, v).
        ((4.0, 14.0), (4.0, 38.0), 0.15, 0.1),
        ((28.0, 34.0), (28.0, 38.5), 0.15, 0.1),
        ((14.0, 16.0), (36.0, 16.0), 1.0, 0.15),
        ((30.0, 24.0), (30.0, 36.0), 1.0, 0.15),
        ((36.0, 1.0), (36.0, 51.0), 3.3, 0.25),
        ((1.0, 48.0), (39.0, 48.0), 3.3, 0.25),
        ((1.0, 6.0), (39.0, 6.0), 3.3, 0.2),
    )
    lines = []
    for (u, v), (end_u, end_v), above, radius in runs:
        start = grid_points(u, v, floors + above)
        lines.append((start, start + (end_u - u, end_v - v, 0.0), radius))
    # Legs end inside the highest plate; risers come out of it, and braces cross all decks.
    feet = np.array([(u, v, -0.05) for u, v in LEGS])
    lines.append((feet, feet + (0.0, 0.0, HIGHEST), 1.0))
    feet = np.array([(u, v, 0.5) for u, v in RISER_PIPES])
    lines.append((feet, feet + (0.0, 0.0, HIGHEST), 0.25))
    braces = np.array([(1.0, 3.0, -0.05), (39.0, 49.25, -0.05)])
    lines.append((braces, braces + [(0.0, 46.25, HIGHEST), (0.0, -46.25, HIGHEST)], 0.25))
    return lines


def _add_tanks(soup: Soup) -> None:
    """Add tanks whose tops are too steep to stand on."""
    large = grid_points(*MIDDLE, np.arange(0, DECKS - 1, 2) * STOREY)
    small = np.concatenate(
        [grid_points(u, v, np.arange(DECKS - 1) * STOREY) for u, v in SMALL_TANKS]
    )
    for feet, radius, height, tip in ((large, 3.0, 3.85, 3.7), (small, 1.2, 2.2, 1.45)):
        head = feet + (0.0, 0.0, height)
        soup.add(pipes(feet, head, radius, sides=16))
        soup.add(cones(head, radius, tip, sides=16))


def _details(
    starts: Floats, ends: Floats, lines: Sequence[tuple[Floats, Floats, float]]
) -> list[Floats]:
    """Return what is added only if there are triangles enough; none of it is in anybody's way."""
    flanges = []
    for start, end, radius in lines[:7]:
        along = np.arange(1.0, np.linalg.norm(end[0] - start[0]), 2.0)
        direction = (end[0] - start[0]) / np.linalg.norm(end[0] - start[0])
        middles = (start[:, None] + along[:, None] * direction).reshape(-1, 3)
        flanges.append(pipes(middles, middles + 0.08 * direction, radius + 0.04, sides=12))
    floors = np.arange(DECKS - 1) * STOREY
    cables = grid_points(0.5 + 2.0 * np.arange(19), (2.0, 2.2, 2.4, 14.0, 14.2, 38.0), floors + 3.7)
    return [
        posts(starts, ends, 1.5),
        *flanges,
        pipes(cables, cables + (2.0, 0.0, 0.0), 0.04),
    ]
