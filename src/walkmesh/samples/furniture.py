"""Furniture of plain boxes, each piece standing on the floor of a room.

All lengths are in metres; (u, v) is the corner of a piece with the smallest coordinates, and
`floor` the height it stands at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from walkmesh.samples.soup import Soup

TABLE_HEIGHT = 0.74
SEAT_HEIGHT = 0.46
MATTRESS_HEIGHT = 0.5
LEG = 0.06
BOARD = 0.04

Side = Literal["west", "east", "south", "north"]
"""Towards smaller u, larger u, smaller v, larger v."""


def add_table(soup: Soup, u: float, v: float, width: float, depth: float, floor: float) -> None:
    """Add four legs and a top whose corner with the smallest u and v is given."""
    _add_legs(soup, u, v, width, depth, floor, TABLE_HEIGHT - BOARD)
    soup.box(
        (u, v, floor + TABLE_HEIGHT - BOARD),
        (u + width, v + depth, floor + TABLE_HEIGHT),
    )


def add_chair(soup: Soup, u: float, v: float, back: Side, floor: float) -> None:
    """Add a chair of 0.44 by 0.44 m whose back is on the given side."""
    size = 0.44
    _add_legs(soup, u, v, size, size, floor, SEAT_HEIGHT - BOARD)
    seat = floor + SEAT_HEIGHT
    soup.box((u, v, seat - BOARD), (u + size, v + size, seat))
    _add_back(soup, (u, v, u + size, v + size), back, BOARD, seat, seat + 0.45)


def add_bed(
    soup: Soup, u: float, v: float, width: float, depth: float, head: Side, floor: float
) -> None:
    """Add a mattress on a base, with a board at its head."""
    soup.box((u, v, floor), (u + width, v + depth, floor + MATTRESS_HEIGHT))
    top = floor + MATTRESS_HEIGHT
    _add_back(soup, (u, v, u + width, v + depth), head, 0.06, top, top + 0.5)


def add_sofa(
    soup: Soup, u: float, v: float, width: float, depth: float, back: Side, floor: float
) -> None:
    """Add a low seat with a back."""
    seat = floor + 0.42
    soup.box((u, v, floor), (u + width, v + depth, seat))
    _add_back(soup, (u, v, u + width, v + depth), back, 0.2, seat, seat + 0.4)


def add_block(
    soup: Soup, u: float, v: float, width: float, depth: float, height: float, floor: float
) -> None:
    """Add what is a closed box as far as walking goes: a shelf, a counter, a tub."""
    soup.box((u, v, floor), (u + width, v + depth, floor + height))


def _add_legs(
    soup: Soup, u: float, v: float, width: float, depth: float, floor: float, height: float
) -> None:
    for leg_u in (u, u + width - LEG):
        for leg_v in (v, v + depth - LEG):
            soup.box((leg_u, leg_v, floor), (leg_u + LEG, leg_v + LEG, floor + height))


def _add_back(
    soup: Soup,
    seat: tuple[float, float, float, float],
    side: Side,
    thickness: float,
    low: float,
    high: float,
) -> None:
    """Add an upright board along one side of the rectangle (u, v, u, v)."""
    west, south, east, north = seat
    if side == "west":
        east = west + thickness
    elif side == "east":
        west = east - thickness
    elif side == "south":
        north = south + thickness
    else:
        south = north - thickness
    soup.box((west, south, low), (east, north, high))
