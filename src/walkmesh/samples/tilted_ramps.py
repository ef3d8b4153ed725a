"""Ramps of several slopes beside each other, on a floor."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import (
    read_angle,
    read_count,
    read_flag,
    read_length,
    read_lengths,
    read_numbers,
)
from walkmesh.frame import Frame, up_vector
from walkmesh.samples.soup import Soup
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats

# Corners that are meant to be one are equal but for the last digits of a float.
WELD_DECIMALS = 6


def tilted_ramps(
    angles: Sequence[float] = (15.0, 30.0, 45.0, 60.0, 75.0),
    width: float = 3.0,
    height: float = 2.0,
    gap: float = 0.0,
    margin: float = 3.0,
    *,
    solids: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return ramps that climb along u from u = 0 to the same height, side by side along v.

    Each is a wedge with upright sides and an upright back at ``u = height / tan(angle)``; in the
    side view, of two of them::

             /|  /|       the ramp has height * width / sin(angle) square metres, the back has
            / | / |       height * width, and each side height**2 / tan(angle) / 2
           / /|/  |
         _//__|___|___    u

    The floor is a rectangle that reaches `margin` beyond all wedges, the first of which has its
    side at v = 0. Without a gap neighbours share a plane, and only what one of them has more of
    than the other is seen of it. Ramps and floor turn towards each other (concave) by the ramp's
    angle, ramp and back away from each other (convex) by 90 degrees more than that.

    All together they are one sheet without holes, whose rim is that of the floor; no face is
    inside a solid.

    Parameters
    ----------
    angles : sequence of float
        Slope of each ramp, above 0 and below 90; at least one. [Unit: degrees]
    width, height : float
        Of each wedge along v, and of its back. [Unit: m]
    gap : float
        Between neighbours. [Limit: >= 0] [Unit: m]
    margin : float
        Of the floor around all wedges. [Unit: m]
    solids : bool, default False
        Whether to leave each wedge a closed solid on a floor that goes on below it, as one gets
        them from modellers. Then sides that touch lie in one plane, each through the other.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    slopes = [
        read_angle(f"angles[{number}]", angle, 90.0)
        for number, angle in enumerate(read_numbers("angles", angles))
    ]
    read_count("number of angles", len(slopes), 1)
    gap = read_length("gap", gap, above_minimum=False)
    width, height, margin = read_lengths(width=width, height=height, margin=margin)
    solids = read_flag("solids", solids)
    lengths = [height / math.tan(math.radians(angle)) for angle in slopes]
    places = np.arange(len(slopes)) * (width + gap)
    outline = (-margin, -margin, max(lengths) + margin, places[-1] + width + margin)
    soup = Soup()
    if solids:
        soup.sheet(shapely.box(*outline), 0.0)
        for v, length in zip(places, lengths, strict=True):
            soup.prism(_side_view(length, height), v, v + width, along="v")
        return _welded(soup, up)
    rows = [(v, [length]) for v, length in zip(places, lengths, strict=True)]
    if gap == 0.0:
        rows = [(0.0, lengths)]
    footprints = []
    for v, row in rows:
        lines = v + width * np.arange(len(row) + 1)
        footprints.append(_footprint(row, lines))
        _add_row(soup, row, lines, height)
    soup.sheet(shapely.Polygon(shapely.box(*outline).exterior, footprints), 0.0)
    return _welded(soup, up)


def _side_view(length: float, height: float) -> shapely.Polygon:
    """Return a wedge in (u, h)."""
    return shapely.Polygon([(0.0, 0.0), (length, 0.0), (length, height)])


def _footprint(row: list[float], lines: Floats) -> list[tuple[float, float]]:
    """Return the outline in plan of wedges between lines along u, with all of their corners."""
    feet = [(0.0, v) for v in lines]
    backs = [(u, v) for u, sides in zip(row, pairwise(lines), strict=True) for v in sides]
    # Backs of equal length share a corner.
    return feet + list(dict.fromkeys(reversed(backs)))


def _add_row(soup: Soup, row: list[float], lines: Floats, height: float) -> None:
    """Add what is seen of wedges that touch: ramps, backs and sides."""
    neighbors = [0.0, *row, 0.0]
    for number, length in enumerate(row):
        low, high = lines[number : number + 2]
        beside = ((neighbors[number], low), (neighbors[number + 2], high))
        # Where the backs of shorter neighbours end on the ramp, and longer ramps on the back.
        on_ramp = [[(u, v)] if 0.0 < u < length else [] for u, v in beside]
        on_back = [[(v, height * length / u)] if u > length else [] for u, v in beside]
        corners = [(0.0, low), *on_ramp[0], (length, low), (length, high), *on_ramp[1], (0.0, high)]
        soup.add(_lifted(corners, height / length))
        corners = [(low, 0.0), (high, 0.0), *on_back[1], (high, height), (low, height), *on_back[0]]
        soup.add(_upright(corners, length))
    for v, (before, after) in zip(lines, pairwise(neighbors), strict=True):
        for seen, hidden, winding in ((before, after, -1), (after, before, 1)):
            if seen > 0.0:
                rest = _side_view(seen, height)
                if hidden > 0.0:
                    rest = rest.difference(_side_view(hidden, height))
                if not rest.is_empty:
                    flat = _triangles(rest)[:, ::winding]
                    soup.add(np.insert(flat, 1, v, axis=2))


def _triangles(polygon: shapely.Polygon) -> Floats:
    """Return the (t, 3, 2) triangles of a polygon, counter-clockwise."""
    soup = Soup()
    soup.sheet(polygon, 0.0)
    return soup.triangles()[:, :, :2]


def _lifted(plan: list[tuple[float, float]], slope: float) -> Floats:
    """Return the triangles of a polygon in (u, v), lifted to where they rise along u."""
    flat = _triangles(shapely.Polygon(plan))
    return np.concatenate([flat, slope * flat[:, :, :1]], axis=2)


def _upright(elevation: list[tuple[float, float]], u: float) -> Floats:
    """Return the triangles of a polygon in (v, h), seen along -u from beyond."""
    return np.insert(_triangles(shapely.Polygon(elevation)), 0, u, axis=2)


def _welded(soup: Soup, up: str | Sequence[float]) -> Scene:
    """Return the triangles as a scene in which equal corners are one vertex."""
    points = soup.triangles().reshape(-1, 3)
    _, first, same = np.unique(
        np.round(points, WELD_DECIMALS) + 0.0, axis=0, return_index=True, return_inverse=True
    )
    return Scene(Frame(up_vector(up)).to_world(points[first]), same.reshape(-1, 3), up)
