"""Scenes to walk on all around: floors, walls and ceilings, inside and outside.

Normals point to where the agent walks. Faces share their vertices, and every edge is shared by two
faces or lies on a rim. Lengths are in metres and must be above 0; `up` is as in
:class:`walkmesh.scene.Scene`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import (
    read_count,
    read_flag,
    read_length,
    read_lengths,
    read_number,
    read_seed,
)
from walkmesh.frame import Frame, up_vector
from walkmesh.samples.icosphere import icosphere, largest_turn, refined
from walkmesh.samples.shapes import grid_faces
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats, Ids

# The bumps of planets: how many waves, how many of them go around a planet, and the sum over all
# waves of amplitude times wave number, which no slope against the sphere can exceed.
WAVES = 12
WAVE_NUMBERS = (3.0, 12.0)
STEEPNESS = 0.8

# Caves have the faces of an icosphere of so many subdivisions, each of them flat.
CAVE_FACETS = 2
# Each subdivision makes four triangles of one, of 20 to begin with.
MOST_SUBDIVISIONS = 9
# Without bumps these faces turn by up to 11.4 degrees, so creases cannot be less.
LEAST_CREASE, LARGEST_CREASE = 15.0, 60.0


def sphere(
    radius: float = 10.0,
    subdivisions: int = 5,
    *,
    inside: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a sphere around the origin, each of whose triangles is about equally large.

    It is an icosahedron, every triangle of which was cut into four `subdivisions` times: with s of
    them it has ``20 * 4**s`` triangles over ``10 * 4**s + 2`` vertices, all of them `radius` away
    from the origin.

    On the outside nothing is above anyone, so all of it is free. On the inside, what stands
    `max_step` or `height` (s or H) above the ground is ``sqrt(2 * radius * s - s * s)`` away; an
    agent that is no wider than this at both is free everywhere.

    Parameters
    ----------
    radius : float
        Of the sphere. [Unit: m]
    subdivisions : int
        At least 0.
    inside : bool, default False
        Whether it is a hollow to walk in, and not a ball to walk on.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> sphere()
    Scene(20480 triangles, 10242 vertices, up=(0.0, 1.0, 0.0))
    """
    radius = read_length("radius", radius)
    subdivisions = read_count("subdivisions", subdivisions, 0, MOST_SUBDIVISIONS)
    inside = read_flag("inside", inside)
    directions, faces = icosphere(subdivisions)
    return _scene(radius * directions, faces, inside, up)


def cube(
    size: float = 4.0,
    cells: int = 1,
    *,
    inside: bool = False,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a cube that stands on one corner of the plan, to walk on from all sides.

    It reaches from the origin to (size, size, size). Each side has ``2 * cells**2`` triangles, all
    sides together ``6 * cells**2 + 2`` vertices. All turns are by 90 degrees, and all of the
    outside is free for those who walk around such edges; for those who do not, and keep r away
    from them, ``6 * (size - 2 r)**2`` square metres in six components.

    Parameters
    ----------
    size : float
        Length of the edges. [Unit: m]
    cells : int
        How many squares a side is wide, at least 1.
    inside : bool, default False
        Whether it is a room to walk in, as `room` is, and not a block to walk on.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> cube()
    Scene(12 triangles, 8 vertices, up=(0.0, 1.0, 0.0))
    """
    size = read_length("size", size)
    cells = read_count("cells", cells, 1)
    inside = read_flag("inside", inside)
    return _scene(*_box((size, size, size), cells), inside, up)


def room(
    width: float = 6.0,
    depth: float = 4.0,
    height: float = 3.0,
    cells: int = 1,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return the inside of a box with one corner at the origin: floor, four walls and ceiling.

    An agent of radius r that is no higher than the room along any axis is free on all that is at
    least r away from the edges: ``(width - 2 r) * (depth - 2 r)`` square metres each of floor and
    ceiling, and likewise of the walls.

    Parameters
    ----------
    width, depth, height : float
        Extent along u, along v and along h. [Unit: m]
    cells : int
        How many rectangles each side is wide and high, at least 1.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Examples
    --------
    >>> room()
    Scene(12 triangles, 8 vertices, up=(0.0, 1.0, 0.0))
    """
    width, depth, height = read_lengths(width=width, depth=depth, height=height)
    cells = read_count("cells", cells, 1)
    return _scene(*_box((width, depth, height), cells), True, up)


def tunnel(
    radius: float = 3.0,
    length: float = 20.0,
    sides: int = 32,
    cells: int = 10,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return the inside of a tube along the axis of u, open at both ends.

    It has flat sides that turn by ``360 / sides`` degrees against each other, all of them together
    ``2 * sides * radius * sin(180 degrees / sides) * length`` square metres, and ``2 * sides *
    cells`` triangles. Each end is a rim of `sides` edges.

    Parameters
    ----------
    radius : float
        Distance of the edges from the axis. [Unit: m]
    length : float
        Extent along u, from 0 on. [Unit: m]
    sides : int
        At least 3.
    cells : int
        How many rectangles each side is long, at least 1.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    radius, length = read_lengths(radius=radius, length=length)
    sides = read_count("sides", sides, 3)
    cells = read_count("cells", cells, 1)
    angle = _around(sides)[None, :]
    along = np.linspace(0.0, length, cells + 1)[:, None]
    points = _points(along, radius * np.sin(angle), radius * np.cos(angle))
    return _scene(points, _woven(cells, sides, closed=False), True, up)


def torus(
    radius: float = 8.0,
    tube: float = 3.0,
    around: int = 64,
    across: int = 32,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return the outside of a ring that lies around the upright axis through the origin.

    With n edges `around` and m `across` it has ``2 n m`` triangles and encloses ``n / 2 * sin(360
    degrees / n) * radius * m * sin(360 degrees / m) * tube**2`` cubic metres. On the inner half,
    faces that follow each other around the ring turn towards each other (concave) by at most
    ``360 / n`` degrees.

    Parameters
    ----------
    radius : float
        Distance of the middle of the tube from the upright axis; above `tube`. [Unit: m]
    tube : float
        Radius of the tube. [Unit: m]
    around, across : int
        Edges around the ring, and around the tube, at least 3 each.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    tube = read_length("tube", tube)
    radius = read_length("radius", radius, minimum=tube)
    around = read_count("around", around, 3)
    across = read_count("across", across, 3)
    ring, section = _around(around)[:, None], _around(across)[None, :]
    reach = radius + tube * np.cos(section)
    points = _points(reach * np.cos(ring), reach * np.sin(ring), tube * np.sin(section))
    return _scene(points, _woven(around, across, closed=True), False, up)


def planet(
    radius: float = 10.0,
    subdivisions: int = 5,
    seed: int = 0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a sphere with hills and valleys, to walk on all around.

    It has the triangles of `sphere`, whose vertices are moved up and down by waves, so that every
    one is between 0.73 and 1.27 times `radius` away from the origin. Every face looks away from
    the origin; against the sphere the ground is nowhere steeper than 48 degrees, and its steepest
    slopes have mostly 15 to 25.

    Parameters
    ----------
    radius : float
        Of the sphere without hills. [Unit: m]
    subdivisions : int
        As for `sphere`; at least 0.
    seed : int
        Chooses the hills; at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    radius = read_length("radius", radius)
    subdivisions = read_count("subdivisions", subdivisions, 0, MOST_SUBDIVISIONS)
    seed = read_seed(seed)
    directions, faces = icosphere(subdivisions)
    random = np.random.default_rng(seed)
    wave = random.normal(size=(WAVES, 3))
    wave *= (random.uniform(*WAVE_NUMBERS, WAVES) / np.linalg.norm(wave, axis=1))[:, None]
    phase = random.uniform(0.0, 2.0 * np.pi, WAVES)
    amplitude = STEEPNESS / WAVES / np.linalg.norm(wave, axis=1)
    hills = np.sin(directions @ wave.T + phase) @ amplitude
    return _scene(radius * (1.0 + hills)[:, None] * directions, faces, False, up)


def cave(
    radius: float = 10.0,
    subdivisions: int = 4,
    crease: float = 40.0,
    seed: int = 0,
    up: str | Sequence[float] = "y",
) -> Scene:
    """Return a hollow with 320 flat facets, to walk in all around.

    The facets meet in edges that turn away from the middle (concave, for who walks inside) by up
    to exactly `crease` degrees, or towards it. Every face looks to the side where the origin is.
    There are ``20 * 4**subdivisions`` triangles.

    Parameters
    ----------
    radius : float
        Mean distance of the facets' corners from the origin. [Unit: m]
    subdivisions : int
        As for `sphere`; at least 2. Facets are triangles of 2 subdivisions, which more of them cut
        into smaller ones in the same plane.
    crease : float
        The sharpest concave turn. [Limit: 15 to 60] [Unit: degrees]
    seed : int
        Chooses the facets; at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    radius = read_length("radius", radius)
    subdivisions = read_count("subdivisions", subdivisions, CAVE_FACETS, MOST_SUBDIVISIONS)
    limits = {"minimum": LEAST_CREASE, "maximum": LARGEST_CREASE}
    crease = read_number("crease", crease, unit="degrees", **limits)
    seed = read_seed(seed)
    directions, faces = icosphere(CAVE_FACETS)
    bumps = np.random.default_rng(seed).uniform(-1.0, 1.0, len(directions))
    bumps = (bumps - bumps.mean())[:, None]
    # Turns grow with the bumps; halving the interval so often leaves nothing of it.
    low, high = 0.0, 0.5
    for _ in range(60):
        middle = (low + high) / 2.0
        gentle = largest_turn(directions * (1.0 + middle * bumps), faces) < crease
        low, high = (middle, high) if gentle else (low, middle)
    points = radius * (1.0 + low * bumps) * directions
    for _ in range(subdivisions - CAVE_FACETS):
        points, faces = refined(points, faces)
    return _scene(points, faces, True, up)


def _scene(points: Floats, faces: Ids, inside: bool, up: str | Sequence[float]) -> Scene:
    """Return a scene of points (u, v, h) and faces seen from outside, or turned inside out."""
    return Scene(Frame(up_vector(up)).to_world(points), faces[:, ::-1] if inside else faces, up)


def _around(count: int) -> Floats:
    """Return so many angles of a full turn, from 0 on. In radians."""
    return np.arange(count, dtype=np.float64) * (2.0 * math.pi / count)


def _points(u: Floats, v: Floats, h: Floats) -> Floats:
    """Return the (n, 3) points of coordinates that spread over one grid, row by row."""
    return np.stack(np.broadcast_arrays(u, v, h), axis=-1).reshape(-1, 3)


def _woven(rows: int, columns: int, *, closed: bool) -> Ids:
    """Return the (2 r c, 3) triangles of a grid whose columns go around.

    Seen from their front, the next row is to the left of the next column. Vertices are numbered
    row by row; the last row leads back to the first if the grid is `closed`, and otherwise there
    is one more row of vertices than of cells.
    """
    lines = rows if closed else rows + 1
    corner = np.arange(lines * columns, dtype=np.int32).reshape(lines, columns)
    beside = np.roll(corner, -1, axis=1)
    a, b = corner[:rows], np.roll(corner, -1, axis=0)[:rows]
    c, d = np.roll(beside, -1, axis=0)[:rows], beside[:rows]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)


def _box(extent: tuple[float, float, float], cells: int) -> tuple[Floats, Ids]:
    """Return points and triangles of a box from the origin on, seen from outside."""
    ticks = np.arange(cells + 1, dtype=np.int32)
    u, v = (grid.ravel() for grid in np.meshgrid(ticks, ticks, indexing="ij"))
    facing_up = grid_faces(cells)
    places: list[Ids] = []
    sides: list[Ids] = []
    for axis in range(3):
        for level, winding in ((cells, 1), (0, -1)):
            # Two axes and the one that follows them are right-handed in any turn of u, v, h.
            places.append(np.roll(np.stack([u, v, np.full_like(u, level)], axis=1), axis, axis=1))
            sides.append(facing_up[:, ::winding] + len(sides) * len(u))
    points, same = np.unique(np.concatenate(places), axis=0, return_inverse=True)
    faces = same.reshape(-1)[np.concatenate(sides)].astype(np.int32)
    return points * (np.asarray(extent) / cells), faces
