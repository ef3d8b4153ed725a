"""Stairs: straight, with a landing, spiral, and between two storeys.

All of them have `steps` risers and treads in between, flat ground at both ends, and are either
closed (solid, standing on the ground) or have open risers (boards with nothing between them). The
flat tops do not overlap and leave no gaps in plan, and no two of different heights share an edge:
whoever climbs takes steps of `riser`. So bottom and top are in one component exactly if `riser` is
at most the agent's `max_step`, and if it fits into the width.

Lengths are in metres and must be above 0; `up` is as in :class:`walkmesh.scene.Scene`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import read_count, read_flag, read_length, read_lengths, read_number
from walkmesh.errors import SettingsError
from walkmesh.samples.shapes import GROUND_THICKNESS, LANDING
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.scene import Scene

BOARD_THICKNESS = 0.04

# Walls along the sides of a flight: their thickness, and how far they rise above its top.
SIDE_WALL = 0.1
SIDE_WALL_ABOVE = 1.0

# Two flights beside each other, after a landing at which one turns back.
FLIGHTS_APART = 0.2

# Spiral stairs: radius of the walking line, and the most degrees that one chord of an arc spans.
WALKING_LINE = 1.2
CHORD = 10.0
# More would bring the end of the stairs over their beginning.
WIDEST_TURN = 300.0

# Two storeys: the lowest that leaves headroom under the upper floor, how far its opening reaches
# out over the foot of the stairs, and the ground floor around them.
LOWEST_STOREY = 2.4
OPENING_BEFORE = 0.6
STOREY_MARGIN = 1.5


def stairs(
    riser: float = 0.18,
    tread: float = 0.28,
    steps: int = 10,
    width: float = 1.2,
    *,
    open_risers: bool = False,
    nosing: float = 0.0,
    side_walls: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a straight flight of stairs that climbs along u, with flat ground at both ends.

    It has `steps` risers and so rises by ``steps * riser``; the top of the last step is the upper
    landing. Seen from above, all ``steps + 1`` flat tops together fill a rectangle of ``2 +
    (steps - 1) * tread`` metres (a landing of 1 m at either end, the first riser at u = 0) by
    `width`, without gaps. No two of them share an edge: whoever climbs takes steps of `riser`.

    Parameters
    ----------
    riser, tread : float
        Height of a step, and its length along u. [Unit: m]
    steps : int
        Number of risers, at least 1.
    width : float
        Extent along v. [Unit: m]
    open_risers : bool, default False
        Make every top a board of 4 cm with nothing between the boards; otherwise the whole flight
        is one closed solid. Risers must then be higher than the boards are thick.
    nosing : float, default 0
        How far every board reaches out over the one below; only with open risers.
        [Limit: >= 0 and < tread] [Unit: m]
    side_walls : bool, default False
        Add a wall along either side, 0.1 m thick, up to 1 m above the top.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    riser, tread, steps, width, open_risers = _read(riser, tread, steps, width, open_risers)
    nosing = read_number("nosing", nosing, unit="m", maximum=tread, below_maximum=True)
    side_walls = read_flag("side_walls", side_walls)
    if nosing > 0.0 and not open_risers:
        raise SettingsError(f"nosing is {nosing:g} m; only stairs with open risers have one")
    starts = np.concatenate([[-LANDING], np.arange(steps) * float(tread)])
    ends = np.append(starts[1:], starts[-1] + LANDING)
    heights = np.arange(steps + 1) * riser
    soup = Soup()
    if open_risers:
        for start, end, height in zip(starts, ends, heights, strict=True):
            front = start - (nosing if height > 0.0 else 0.0)
            soup.box((front, 0.0, height - BOARD_THICKNESS), (end, width, height))
    else:
        tops = np.column_stack([starts, heights, ends, heights]).reshape(-1, 2)
        base = [(ends[-1], -GROUND_THICKNESS), (starts[0], -GROUND_THICKNESS)]
        soup.prism(shapely.Polygon([*tops, *base]), 0.0, width, along="v")
    if side_walls:
        top = float(heights[-1]) + SIDE_WALL_ABOVE
        for low, high in ((-SIDE_WALL, 0.0), (width, width + SIDE_WALL)):
            soup.box((starts[0], low, -GROUND_THICKNESS), (ends[-1], high, top))
    return soup.scene(up)


def stairs_with_landing(
    riser: float = 0.18,
    tread: float = 0.28,
    steps: int = 6,
    width: float = 1.2,
    turn: int = 90,
    *,
    open_risers: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return two flights with a landing between them, at which the way turns to the left.

    Each flight has `steps` risers, so everything rises by ``2 * steps * riser``. The first one
    climbs along u between v = 0 and `width`, its first riser at u = 0, and its last riser at
    ``u = (steps - 1) * tread`` is the edge of the landing. With a turn of 90 degrees the landing
    is a square and the second flight climbs along v; with 180 it is 0.2 m longer than two widths
    along v, and the second flight comes back along u beside the first, 0.2 m from it. Flat ground
    of 1 m is before the first flight and after the second.

    Parameters
    ----------
    riser, tread : float
        Height of a step, and its length. [Unit: m]
    steps : int
        Number of risers of each flight, at least 1.
    width : float
        Of both flights. [Unit: m]
    turn : {90, 180}
        How far the way turns at the landing. [Unit: degrees]
    open_risers : bool, default False
        Make every top a board of 4 cm, otherwise a solid that stands on the ground.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    riser, tread, steps, width, open_risers = _read(riser, tread, steps, width, open_risers)
    if not isinstance(turn, int | float) or turn not in (90, 180):
        raise SettingsError(f"turn is {turn!r}; it must be 90 or 180 degrees")
    run = (steps - 1) * tread
    tops = [
        shapely.box(start, 0.0, end, width) for start, end in _along(0.0, tread, steps, ending=0.0)
    ]
    if turn == 90:
        tops.append(shapely.box(run, 0.0, run + width, width))
        tops += [
            shapely.box(run, start, run + width, end)
            for start, end in _along(width, tread, steps, before=0.0)
        ]
    else:
        across = 2.0 * width + FLIGHTS_APART
        tops.append(shapely.box(run, 0.0, run + width, across))
        tops += [
            shapely.box(run - end, width + FLIGHTS_APART, run - start, across)
            for start, end in _along(0.0, tread, steps, before=0.0)
        ]
    soup = Soup()
    _add_steps(soup, tops, riser, open_risers=open_risers)
    return soup.scene(up)


def spiral_stairs(
    riser: float = 0.18,
    tread: float = 0.28,
    steps: int = 12,
    width: float = 1.2,
    *,
    open_risers: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return stairs that wind to the left around the origin.

    Treads are sectors of a ring `width` wide whose middle line, on which `tread` is measured as an
    arc, has a radius of 1.2 m. The first riser is at the angle 0, from u towards v. Flat ground
    of 1 m along the middle line is before the first riser and after the last.

    Parameters
    ----------
    riser, tread : float
        Height of a step, and its length on the middle line. [Unit: m]
    steps : int
        Number of risers, at least 1; landings included, the stairs must not turn by more than 300
        degrees.
    width : float
        Extent across, below 2.2. [Unit: m]
    open_risers : bool, default False
        Make every top a board of 4 cm, otherwise a solid that stands on the ground.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    riser, tread, steps, width, open_risers = _read(riser, tread, steps, width, open_risers)
    width = read_length("width", width, maximum=2.0 * WALKING_LINE - 0.2, below_maximum=True)
    turn = math.degrees((2.0 * LANDING + (steps - 1) * tread) / WALKING_LINE)
    if turn > WIDEST_TURN:
        raise SettingsError(
            f"steps is {steps}; with treads of {tread:g} m the stairs turn by {turn:.0f} degrees, "
            f"and must not by more than {WIDEST_TURN:g}"
        )
    inner, outer = WALKING_LINE - width / 2.0, WALKING_LINE + width / 2.0
    arcs = np.degrees(np.array(_along(0.0, tread, steps)) / WALKING_LINE)
    soup = Soup()
    _add_steps(
        soup,
        [_sector(inner, outer, start, end) for start, end in arcs],
        riser,
        open_risers=open_risers,
    )
    return soup.scene(up)


def storeys(
    riser: float = 0.18,
    tread: float = 0.28,
    steps: int = 15,
    width: float = 1.2,
    *,
    open_risers: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return two storeys joined by a straight flight through an opening in the upper floor.

    The flight climbs along u between v = 0 and `width`, its first riser at u = 0. Both floors
    reach 1.5 m beyond it to either side and 2.1 m beyond its ends, the lower one at height 0 also
    on below the stairs. The upper floor is a slab of 0.2 m whose top is at ``steps * riser``; its
    opening is as wide as the flight and reaches from 0.6 m before the first riser to the last
    riser, where the stairs arrive.

    Parameters
    ----------
    riser, tread : float
        Height of a step, and its length along u. [Unit: m]
    steps : int
        Number of risers; they must rise by at least 2.4 m, so that there is headroom below.
    width : float
        Of the flight. [Unit: m]
    open_risers : bool, default False
        Make every top a board of 4 cm, otherwise a solid that stands on the ground.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    riser, tread, steps, width, open_risers = _read(riser, tread, steps, width, open_risers)
    height = steps * riser
    read_number("steps * riser", height, unit="m", minimum=LOWEST_STOREY)
    run = (steps - 1) * tread
    reach = STOREY_MARGIN + OPENING_BEFORE
    around = shapely.box(-reach, -STOREY_MARGIN, run + reach, width + STOREY_MARGIN)
    opening = shapely.box(-OPENING_BEFORE, 0.0, run, width)
    treads = [
        shapely.box(start, 0.0, end, width)
        for start, end in _along(0.0, tread, steps, before=0.0, ending=0.0)
    ]
    soup = Soup()
    soup.sheet(around, 0.0)
    _add_steps(soup, treads, riser, open_risers=open_risers, lowest=1, ground=0.0)
    slab = shapely.Polygon(around.exterior, [opening.exterior])
    soup.prism(slab, height - GROUND_THICKNESS, height)
    return soup.scene(up)


def _read(
    riser: float, tread: float, steps: int, width: float, open_risers: bool
) -> tuple[float, float, int, float, bool]:
    """Return what all stairs are asked for, checked."""
    riser, tread, width = read_lengths(riser=riser, tread=tread, width=width)
    steps = read_count("steps", steps, 1)
    open_risers = read_flag("open_risers", open_risers)
    if open_risers and riser <= BOARD_THICKNESS:
        raise SettingsError(
            f"riser is {riser:g} m; open risers must be above {BOARD_THICKNESS:g} m, which the "
            "boards are thick"
        )
    return riser, tread, steps, width, open_risers


def _along(
    start: float, tread: float, steps: int, before: float = LANDING, ending: float = LANDING
) -> list[tuple[float, float]]:
    """Return where each flat top of a flight starts and ends, with the ground at both ends.

    `before` and `ending` are the lengths of that ground; there is none where they are 0.
    """
    edges = start + tread * np.arange(steps)
    tops = [(start - before, start)] if before else []
    tops += list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    if ending:
        tops.append((float(edges[-1]), float(edges[-1]) + ending))
    return tops


def _add_steps(
    soup: Soup,
    tops: Sequence[shapely.Polygon],
    riser: float,
    *,
    open_risers: bool,
    lowest: int = 0,
    ground: float = -GROUND_THICKNESS,
) -> None:
    """Add flat tops, each one riser above the one before, as boards or as solids."""
    for index, top in enumerate(tops, start=lowest):
        height = index * riser
        soup.prism(top, height - BOARD_THICKNESS if open_risers else ground, height)


def _sector(inner: float, outer: float, start: float, end: float) -> shapely.Polygon:
    """Return a sector of a ring around the origin, between two angles in degrees."""
    chords = max(1, math.ceil((end - start) / CHORD))
    angles = np.radians(np.linspace(start, end, chords + 1))
    arc = np.column_stack([np.cos(angles), np.sin(angles)])
    return shapely.Polygon([*(outer * arc), *(inner * arc[::-1])])
