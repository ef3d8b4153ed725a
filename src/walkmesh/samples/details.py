"""Shapes that large places are made of in great numbers, and how many of them to add.

Shapes come in batches: (n, t, 3, 3) arrays of n pieces of t triangles each, with points (u, v, h)
in the plan frame and faces seen from outside. A place is built of what it cannot do without,
then details are added until it has exactly the number of triangles that was asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import shapely

from walkmesh.arguments import read_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.samples.soup import Soup

Rectangle = tuple[float, float, float, float]
"""West, south, east and north side, as in shapely.box."""

# The rails of a railing: how high above the ground, and how thick.
RAILS = (0.55, 1.1)
RAIL_RADIUS = 0.03

# The quads of a box as corners (0 is low and 1 is high along u, v and h), seen from outside.
BOX_QUADS = np.array(
    [
        [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)],
        [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
        [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)],
        [(1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)],
        [(1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)],
        [(0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)],
    ]
)


def placed(piece: Floats, offsets: ArrayLike) -> Floats:
    """Return one (t, 3, 3) piece moved to each of (n, 3) places."""
    return np.asarray(piece[None] + np.asarray(offsets, dtype=np.float64)[:, None, None])


def grid_points(*ticks: ArrayLike) -> Floats:
    """Return the (n, 3) points of a grid with the given coordinates along u, v and h."""
    grid = np.meshgrid(*(np.atleast_1d(np.asarray(t, dtype=np.float64)) for t in ticks))
    return np.stack(grid, axis=-1).reshape(-1, 3)


def boxes(lows: ArrayLike, highs: ArrayLike) -> Floats:
    """Return closed boxes of 12 triangles between (n, 3) opposite corners."""
    low = np.asarray(lows, dtype=np.float64).reshape(-1, 1, 1, 3)
    high = np.asarray(highs, dtype=np.float64).reshape(-1, 1, 1, 3)
    return _halved(np.where(BOX_QUADS == 0, low, high))


def pipes(
    starts: ArrayLike, ends: ArrayLike, radius: float, sides: int = 8, lengths: int = 1
) -> Floats:
    """Return closed cylinders, standing or lying or sloping, as prisms of many sides.

    Their axes have (n, 3) starts and ends, their edges are `radius` away. One side looks up if
    `sides` is even and the pipe lies; every side is divided into `lengths` parts along the axis.
    Each has ``2 * sides * lengths + 2 * (sides - 2)`` triangles.
    """
    start = np.asarray(starts, dtype=np.float64).reshape(-1, 1, 3)
    end = np.asarray(ends, dtype=np.float64).reshape(-1, 1, 3)
    axis = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    across = np.cross(axis, (0.0, 0.0, 1.0))
    upright = np.linalg.norm(across, axis=2, keepdims=True) < 1e-9
    across = np.where(upright, (1.0, 0.0, 0.0), across)
    across /= np.linalg.norm(across, axis=2, keepdims=True)
    angles = (np.arange(sides + 1) % sides + 0.5)[:, None] * (2.0 * np.pi / sides)
    ring = radius * (np.cos(angles) * across + np.sin(angles) * np.cross(axis, across))
    share = np.linspace(0.0, 1.0, lengths + 1)[:, None, None]
    middles = start[:, None] * (1.0 - share) + end[:, None] * share
    points = middles + ring[:, None]  # (n, lengths + 1, sides + 1, 3)
    near, far = points[:, :-1], points[:, 1:]
    quads = np.stack([near[:, :, :-1], near[:, :, 1:], far[:, :, 1:], far[:, :, :-1]], axis=3)
    sheath = _halved(quads.reshape(len(start), -1, 4, 3))
    return np.concatenate([sheath, _fan(points[:, 0])[:, :, ::-1], _fan(points[:, -1])], axis=1)


def cones(bases: ArrayLike, radius: float, height: float, sides: int = 12) -> Floats:
    """Return closed cones of ``2 * sides - 2`` triangles that stand on (n, 3) points."""
    base = np.asarray(bases, dtype=np.float64).reshape(-1, 1, 3)
    angles = (np.arange(sides + 1) % sides + 0.5) * (2.0 * np.pi / sides)
    ring = base + radius * np.column_stack([np.cos(angles), np.sin(angles), 0.0 * angles])
    tip = np.broadcast_to(base + (0.0, 0.0, height), (len(base), sides, 3))
    mantle = np.stack([ring[:, :-1], ring[:, 1:], tip], axis=2)
    return np.concatenate([mantle, _fan(ring)[:, :, ::-1]], axis=1)


def lattice(start: Sequence[float], end: Sequence[float], width: float, bays: int) -> Floats:
    """Return the members of a square lattice beam: four chords, and in every bay eight others."""
    low, high = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    axis = (high - low) / np.linalg.norm(high - low)
    across = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.5 else (0.0, 1.0, 0.0))
    across /= np.linalg.norm(across)
    other = np.cross(axis, across)
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (width / 2.0)
    corners = signs[:, :1] * across + signs[:, 1:] * other
    joints = np.linspace(low, high, bays + 1)[:, None] + corners
    turned = np.roll(joints, 1, axis=1)
    starts = [joints[0], joints[1:].reshape(-1, 3), joints[:-1].reshape(-1, 3)]
    ends = [joints[-1], turned[1:].reshape(-1, 3), turned[1:].reshape(-1, 3)]
    return pipes(np.concatenate(starts), np.concatenate(ends), width / 16.0, sides=4)


def rails(starts: ArrayLike, ends: ArrayLike) -> Floats:
    """Return the two rails over each of n lines on the ground, without posts."""
    above = np.array(RAILS)[:, None, None] * (0.0, 0.0, 1.0)
    start = (np.asarray(starts, dtype=np.float64).reshape(-1, 3) + above).reshape(-1, 3)
    end = (np.asarray(ends, dtype=np.float64).reshape(-1, 3) + above).reshape(-1, 3)
    return pipes(start, end, RAIL_RADIUS, sides=4)


def posts(starts: ArrayLike, ends: ArrayLike, spacing: float) -> Floats:
    """Return posts for `rails`, at both ends and in between, about `spacing` apart."""
    feet = []
    for start, end in zip(np.reshape(starts, (-1, 3)), np.reshape(ends, (-1, 3)), strict=True):
        count = max(1, round(float(np.linalg.norm(end - start)) / spacing))
        feet.append(np.linspace(start, end, count + 1))
    foot = np.unique(np.round(np.concatenate(feet), 4), axis=0)
    return pipes(foot, foot + (0.0, 0.0, RAILS[-1]), RAIL_RADIUS)


def ring_lines(rectangle: Rectangle, height: float) -> tuple[Floats, Floats]:
    """Return starts and ends of the four sides of a rectangle, counter-clockwise from the south."""
    west, south, east, north = rectangle
    corners = np.array([(west, south), (east, south), (east, north), (west, north)])
    level = np.column_stack([corners, np.full(4, height)])
    return level, np.roll(level, -1, axis=0)


def flight(
    foot: float,
    floor: float,
    riser: float,
    tread: float,
    steps: int,
    *,
    back: bool = False,
    thickness: float | None = None,
) -> shapely.Polygon:
    """Return the side view, in (u, h), of a straight flight with ``steps - 1`` treads.

    The first riser is at `foot` and stands on `floor`; the last one is the edge of the floor above.
    It climbs towards smaller u if it goes `back`, and is solid down to the floor unless it has a
    thickness below the inner corners of its steps.
    """
    run, rise = (steps - 1) * tread, (steps - 1) * riser
    if thickness is None:
        outline = [(run, 0.0), (0.0, 0.0)]
    else:
        outline = [(run, rise - thickness), (thickness * tread / riser, 0.0), (0.0, 0.0)]
    for step in range(1, steps):
        outline += [((step - 1) * tread, step * riser), (step * tread, step * riser)]
    sign = -1.0 if back else 1.0
    return shapely.Polygon([(foot + sign * u, floor + h) for u, h in outline])


def tiles(
    first: ArrayLike,
    second: ArrayLike,
    at: float,
    along: Literal["u", "v", "h"] = "h",
    *,
    holes: Sequence[Rectangle] = (),
    turned: bool = False,
) -> Floats:
    """Return the (t, 3, 3) triangles of a flat grid of rectangles, two each, for `spend`.

    Its lines are at `first` and `second`: along u and v for a grid at a height, v and h for one
    across u, u and h for one across v. It lies `at` a place of the axis that it faces along, or
    against if `turned`. The sides of `holes`, which are without triangles, must be lines of the
    grid.
    """
    a, b = (np.unique(np.round(np.asarray(t, dtype=np.float64), 6)) for t in (first, second))
    low = np.stack(np.meshgrid(a[:-1], b[:-1], indexing="ij"), axis=-1).reshape(-1, 2)
    high = np.stack(np.meshgrid(a[1:], b[1:], indexing="ij"), axis=-1).reshape(-1, 2)
    middle = (low + high) / 2.0
    for hole in holes:
        outside = np.any((middle < hole[:2]) | (middle > hole[2:]), axis=1)
        low, high, middle = low[outside], high[outside], middle[outside]
    # Every triangle starts at the corner opposite to the diagonal, which `spend` bisects first.
    corners = np.array([[(1, 0), (1, 1), (0, 0)], [(0, 1), (0, 0), (1, 1)]])
    flat = np.where(corners == 0, low[:, None, None], high[:, None, None]).reshape(-1, 3, 2)
    triangles = np.concatenate([flat, np.full((len(flat), 3, 1), at)], axis=2)
    if along == "u":
        triangles = triangles[:, :, [2, 0, 1]]
    elif along == "v":
        # Swapping two axes turns every face inside out.
        triangles, turned = triangles[:, :, [0, 2, 1]], not turned
    return triangles[:, [0, 2, 1]] if turned else triangles


def spend(soup: Soup, triangles: int, pieces: Sequence[Floats], surfaces: Sequence[Floats]) -> None:
    """Add surfaces and details until the soup has exactly so many triangles.

    Every batch of (n, t, 3, 3) pieces gives the same share of its pieces, all of them if there are
    triangles enough. What is left is spent on the (t, 3, 3) surfaces, made by `tiles` or with the
    edge to be cut first opposite to the first corner, whose largest triangles are cut in two until
    the number is reached.
    """
    surface = np.concatenate(surfaces)
    bare = len(soup.triangles()) + len(surface)
    triangles = read_count("triangles", triangles, bare)
    left = int(triangles) - bare
    wanted = sum(math.prod(batch.shape[:2]) for batch in pieces)
    budget = min(left, wanted)
    for batch in pieces:
        count = len(batch) * budget // max(wanted, 1)
        soup.add(batch[np.arange(count) * len(batch) // max(count, 1)])
        left -= count * batch.shape[1]
    soup.add(_bisected(surface, left))


def _bisected(triangles: Floats, more: int) -> Floats:
    """Return the triangles with so many more of them, by cutting the largest ones in two."""
    while more > 0:
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        # Cut the edge opposite to the corner that came last; so the two sides of an edge that all
        # of a grid is cut along are cut at the same point, and angles stay as wide as they are.
        cut = np.flatnonzero(areas > areas.max() * 0.51)[:more]
        middle = (b[cut] + c[cut]) / 2.0
        halves = [
            np.stack([middle, a[cut], b[cut]], axis=1),
            np.stack([middle, c[cut], a[cut]], axis=1),
        ]
        pairs = np.stack(halves, axis=1).reshape(-1, 3, 3)
        triangles = np.concatenate([np.delete(triangles, cut, axis=0), pairs])
        more -= len(cut)
    return triangles


def _halved(quads: Floats) -> Floats:
    """Return (n, q, 4, 3) quads as (n, 2 q, 3, 3) triangles."""
    return np.concatenate([quads[:, :, [0, 1, 2]], quads[:, :, [0, 2, 3]]], axis=1)


def _fan(ring: Floats) -> Floats:
    """Return the (n, s - 2, 3, 3) triangles inside (n, s + 1, 3) closed rings of s points."""
    first = np.broadcast_to(ring[:, :1], ring[:, 1:-2].shape)
    return np.stack([first, ring[:, 1:-2], ring[:, 2:-1]], axis=2)
