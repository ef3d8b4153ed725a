"""Scenes of one shape: a floor, a room, a ramp, a kerb, two levels, a sloping plate, a terrain.

Lengths are in metres and must be above 0; `up` is as in :class:`walkmesh.scene.Scene`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import (
    read_angle,
    read_count,
    read_length,
    read_lengths,
    read_number,
    read_seed,
)
from walkmesh.frame import Frame, up_vector
from walkmesh.samples.soup import DECIMALS, Soup
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats, Ids

# The flat ground before and after stairs and ramps, so that an agent can stand at either end.
LANDING = 1.0
GROUND_THICKNESS = 0.2

# The sloping plate, and how far the floor goes on from where an agent of 1.8 m fits under it.
PLATE_LENGTH, PLATE_WIDTH = 4.0, 3.0
PLATE_THICKNESS = 0.05
PLATE_OVERHANG = 0.5

# Terrains: the distance between neighbouring vertices, and the sum over all waves of amplitude
# times wave number, which no slope of the surface along u or along v can exceed.
TERRAIN_SPACING = 0.5
TERRAIN_WAVES = 8
TERRAIN_STEEPNESS = 0.5


def floor(width: float = 10.0, depth: float = 8.0, up: str | Sequence[float] = "y") -> Scene:
    """Return a flat rectangle with one corner at the origin.

    Two triangles, one component, ``width * depth`` square metres. An agent of radius r is free on
    ``(width - 2 r) * (depth - 2 r)`` of them.

    Parameters
    ----------
    width, depth : float
        Extent along u and along v. [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> floor()
    Scene(2 triangles, 6 vertices, up=(0.0, 1.0, 0.0))
    """
    width, depth = read_lengths(width=width, depth=depth)
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, width, depth), 0.0)
    return soup.scene(up)


def box_room(
    width: float = 6.0,
    depth: float = 4.0,
    height: float = 2.5,
    thickness: float = 0.2,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a room without doors or ceiling: four walls that stand on a floor.

    The walls are one closed solid around the rectangle from (0, 0) to (width, depth); the floor
    reaches to their outer faces, so it must be cut. The room has ``width * depth`` square metres;
    an agent of radius r is free on ``(width - 2 r) * (depth - 2 r)`` of them in one component.
    The tops of the walls, ``2 * thickness * (width + depth + 2 * thickness)`` square metres, face
    up as well; nobody is free there whose diameter exceeds `thickness`.

    Parameters
    ----------
    width, depth : float
        Inner extent along u and along v. [Unit: m]
    height, thickness : float
        Of the walls. [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    width, depth, height, thickness = read_lengths(
        width=width, depth=depth, height=height, thickness=thickness
    )
    inside = shapely.box(0.0, 0.0, width, depth)
    outside = shapely.box(-thickness, -thickness, width + thickness, depth + thickness)
    soup = Soup()
    soup.sheet(outside, 0.0)
    soup.prism(shapely.Polygon(outside.exterior, [inside.exterior]), 0.0, height)
    return soup.scene(up)


def ramp(
    slope_degrees: float = 20.0,
    length: float = 5.0,
    width: float = 2.0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a ramp that climbs along u, with 1 m of flat ground at both ends, as one solid.

    It rises by ``length * tan(slope)``; its sloping top has ``length * width / cos(slope)`` square
    metres, and each landing `width`. Landings and ramp share their edges: one component where the
    slope can be walked, two where it is too steep.

    Parameters
    ----------
    slope_degrees : float
        Angle against the horizontal, above 0 and below 90. [Unit: degrees]
    length : float
        Extent of the sloping part along u, measured in plan. [Unit: m]
    width : float
        Extent along v. [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    slope_degrees = read_angle("slope_degrees", slope_degrees, 90.0)
    length, width = read_lengths(length=length, width=width)
    rise = length * math.tan(math.radians(slope_degrees))
    return _climb(length, rise, LANDING, width, up)


def kerb(
    bevel_degrees: float = 60.0,
    height: float = 0.15,
    length: float = 2.0,
    width: float = 3.0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return two pavements at heights 0 and `height`, joined by a bevelled kerb, as one solid.

    The lower pavement reaches from u = ``-length`` to 0, the bevel from there to ``height /
    tan(bevel)``, and the upper pavement goes on for `length`. Both pavements share their edge with
    the bevel. However steep the bevel is, they are one component for an agent whose `max_step` is
    at least `height`; for others only if the bevel is a slope that they can walk.

    Parameters
    ----------
    bevel_degrees : float
        Angle of the bevel against the horizontal, above 0; 90 makes a plain step. [Unit: degrees]
    height : float
        Of the upper pavement over the lower one. [Unit: m]
    length, width : float
        Extent of each pavement along u, and of everything along v. [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    bevel_degrees = read_angle("bevel_degrees", bevel_degrees, 90.0, below_maximum=False)
    height, length, width = read_lengths(height=height, length=length, width=width)
    run = height / math.tan(math.radians(bevel_degrees))
    return _climb(run, height, length, width, up)


def _climb(
    run: float, rise: float, landing: float, width: float, up: str | Sequence[float]
) -> Scene:
    """Return a solid that climbs along u between flat ground of some length at both ends."""
    side_view = shapely.Polygon(
        [
            (-landing, -GROUND_THICKNESS),
            (run + landing, -GROUND_THICKNESS),
            (run + landing, rise),
            (run, rise),
            (0.0, 0.0),
            (-landing, 0.0),
        ]
    )
    soup = Soup()
    soup.prism(side_view, 0.0, width, along="v")
    return soup.scene(up)


def sloping_plate(
    slope_degrees: float = 30.0,
    low: float = 0.5,
    angle: float = 0.0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a floor under a sloping plate, which rises along u from `low` at u = 0.

    The underside of the plate is ``low + u * tan(slope)`` above the floor, so an agent of height H
    can stand where u is at least ``(H - low) / tan(slope)``, and with a radius of r it is free
    where u is at least r more than that. For a height of 1.8 m, `headroom_line` is that place. The
    floor goes on for 4 m beyond it and is 3 m wide, from v = 0 to 3; the plate covers all of it
    and reaches over its sides by 0.5 m. Free are ``(4 - 2 r) * (3 - 2 r)`` square metres of it.
    The upper side of the plate, 5 cm higher, can be walked on if it is not too steep.

    Parameters
    ----------
    slope_degrees : float
        Angle of the plate against the horizontal, above 0 and below 90. [Unit: degrees]
    low : float
        Height of its lower end; below 1.8. [Unit: m]
    angle : float
        How far the scene is turned about up, from u towards v. [Unit: degrees]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    end = headroom_line(slope_degrees, low) + PLATE_LENGTH
    high = low + end * math.tan(math.radians(slope_degrees))
    side_view = shapely.Polygon(
        [(0.0, low), (end, high), (end, high + PLATE_THICKNESS), (0.0, low + PLATE_THICKNESS)]
    )
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, end, PLATE_WIDTH), 0.0)
    soup.prism(side_view, -PLATE_OVERHANG, PLATE_WIDTH + PLATE_OVERHANG, along="v")
    soup.turn(angle)
    return soup.scene(up)


def headroom_line(slope_degrees: float, low: float = 0.5, height: float = 1.8) -> float:
    """Return at which u an agent of the given height fits under the `sloping_plate`, in metres."""
    slope_degrees = read_angle("slope_degrees", slope_degrees, 90.0)
    height = read_length("height", height)
    low = read_number("low", low, minimum=0.0, maximum=height, unit="m", below_maximum=True)
    return (height - low) / math.tan(math.radians(slope_degrees))


def two_levels(
    gap: float = 3.0,
    width: float = 6.0,
    depth: float = 4.0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return two equal plates, one straight above the other.

    Four triangles, two components of ``width * depth`` square metres at heights 0 and `gap`. An
    agent can stand on the upper plate always, and on the lower one only if it is no taller than
    `gap`.

    Parameters
    ----------
    gap : float
        Height of the upper plate above the lower one. [Unit: m]
    width, depth : float
        Extent along u and along v. [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    gap, width, depth = read_lengths(gap=gap, width=width, depth=depth)
    plate = shapely.box(0.0, 0.0, width, depth)
    soup = Soup()
    soup.sheet(plate, 0.0)
    soup.sheet(plate, gap)
    return soup.scene(up)


def terrain(triangles: int = 10_000, seed: int = 0, up: str | Sequence[float] = "y") -> Scene:
    """Return smooth hills over a square: a height field of about so many triangles.

    With ``n = round(sqrt(triangles / 2))`` there are exactly ``2 n n`` triangles over ``(n + 1)
    ** 2`` shared vertices, one component whose plan is a square of ``n / 2`` metres. No triangle
    is steeper than 35.3 degrees: the slope along u and the slope along v are at most 0.5 each.

    Parameters
    ----------
    triangles : int
        How many triangles are wanted, at least 2.
    seed : int
        Chooses the hills.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> terrain(1_000)
    Scene(968 triangles, 529 vertices, up=(0.0, 1.0, 0.0))
    """
    triangles = read_count("triangles", triangles, 2)
    seed = read_seed(seed)
    cells = max(1, round(math.sqrt(triangles / 2.0)))
    ticks = TERRAIN_SPACING * np.arange(cells + 1, dtype=np.float64)
    u, v = np.meshgrid(ticks, ticks, indexing="ij")
    points = np.stack([u, v, _hills(ticks, seed)], axis=2).reshape(-1, 3)
    return Scene(Frame(up_vector(up)).to_world(points), grid_faces(cells), up)


def _hills(ticks: Floats, seed: int) -> Floats:
    """Return the (n, n) heights of waves of random direction, length and phase."""
    random = np.random.default_rng(seed)
    direction = random.uniform(0.0, 2.0 * np.pi, TERRAIN_WAVES)
    phase = random.uniform(0.0, 2.0 * np.pi, TERRAIN_WAVES)
    wave_number = 2.0 * np.pi / random.uniform(10.0, 60.0, TERRAIN_WAVES)
    amplitude = TERRAIN_STEEPNESS / TERRAIN_WAVES / wave_number
    along_u = np.outer(ticks, wave_number * np.cos(direction)) + phase
    along_v = np.outer(ticks, wave_number * np.sin(direction))
    # sin(a + b) taken apart, so that sines are needed along two sides only and not all over.
    heights = (np.sin(along_u) * amplitude) @ np.cos(along_v).T
    heights += (np.cos(along_u) * amplitude) @ np.sin(along_v).T
    result: Floats = np.round(heights, DECIMALS)
    return result


def grid_faces(cells: int) -> Ids:
    """Return the (2 n n, 3) triangles of a square grid of n by n cells, facing up."""
    corner = np.arange((cells + 1) ** 2, dtype=np.int32).reshape(cells + 1, cells + 1)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
