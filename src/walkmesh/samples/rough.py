"""Rough ground: a scanned room, a cave, a ruin and a level full of trims.

Such scenes have many triangles that are small, steep or in each other's way, and no tidy answer;
:func:`walkmesh.evaluate` tells how right a navmesh of them is. All are made of random numbers; the
same seed gives the same scene.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from walkmesh.arguments import read_count, read_length, read_seed
from walkmesh.samples.relief import (
    box_triangles,
    bump,
    lifted,
    pierce,
    sheet,
    smooth_noise,
    solid,
    turned,
    waver,
)
from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

# Finer sheets would have tens of millions of triangles. [m]
FINEST = 0.005


def scanned_room(
    seed: int = 0, spacing: float = 0.03, noise: float = 0.01, up: str | Sequence[float] = "y"
) -> Scene:
    """Return a room of 4 by 3 m as a depth camera sees it, with a table, a shelf and a step.

    Floor, walls and furniture are sheets of small triangles that waver by `noise`; there are bumps
    of up to 5 cm on the floor, holes of up to 6 cm where the camera saw nothing, and loose
    fragments of a few triangles in the air. The table is 0.75 m high, the shelf 1.6 m, and a step
    of 0.15 m runs along one wall. There is no ceiling.

    Parameters
    ----------
    seed : int
        Chooses noise, bumps, holes and fragments; at least 0.
    spacing : float, default 0.03
        Distance of neighbouring vertices. [Limit: >= 0.005] [Unit: m]
    noise : float, default 0.01
        Standard deviation of the displacement of vertices. [Limit: >= 0] [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    spacing = read_length("spacing", spacing, minimum=FINEST, above_minimum=False)
    noise = read_length("noise", noise, above_minimum=False)
    random = np.random.default_rng(read_seed(seed))
    width, depth, height = 4.0, 3.0, 2.2
    sheets = [
        sheet((0, 0, 0), (width, 0, 0), (0, depth, 0), spacing),
        sheet((0, 0, 0), (0, 0, height), (width, 0, 0), spacing),
        sheet((0, depth, 0), (width, 0, 0), (0, 0, height), spacing),
        sheet((0, 0, 0), (0, depth, 0), (0, 0, height), spacing),
        sheet((width, 0, 0), (0, 0, height), (0, depth, 0), spacing),
        solid((0.9, 1.1, 0.70), (2.0, 1.8, 0.75), spacing),
        *(
            solid((u, v, 0.0), (u + 0.06, v + 0.06, 0.72), spacing)
            for u in (0.92, 1.92)
            for v in (1.12, 1.72)
        ),
        solid((3.4, 0.3, -0.02), (3.95, 1.6, 1.6), spacing),
        solid((0.05, 2.6, -0.05), (2.4, 2.98, 0.15), spacing),
    ]
    triangles = np.concatenate(sheets)
    triangles = waver(random, triangles, noise, (0.05, 0.25))
    triangles = bump(random, triangles, (width, depth), 30, (0.02, 0.05), (0.05, 0.2))
    triangles = pierce(random, triangles, 40, (0.01, 0.03))
    soup = Soup()
    soup.add(triangles)
    soup.add(_fragments(random, (width, depth, height), 24, spacing))
    return soup.scene(up)


def rock_cave(seed: int = 0, spacing: float = 0.06, up: str | Sequence[float] = "y") -> Scene:
    """Return a cave of 8 by 6 m in rough rock, scanned: a floor that rises into walls, and a roof.

    The floor undulates by some 0.3 m, wavers by a centimetre and carries boulders of up to 0.4 m
    radius that are sunk into it; towards the outline it rises steeply. The roof is between 1.5
    and 3 m above it.

    Parameters
    ----------
    seed : int
        Chooses rock and boulders; at least 0.
    spacing : float, default 0.06
        Distance of neighbouring vertices. [Limit: >= 0.005] [Unit: m]
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    spacing = read_length("spacing", spacing, minimum=FINEST, above_minimum=False)
    random = np.random.default_rng(read_seed(seed))
    width, depth = 8.0, 6.0
    floor = sheet((0, 0, 0), (width, 0, 0), (0, depth, 0), spacing)
    undulating, roofed = smooth_noise(random, (1.5, 4.0)), smooth_noise(random, (1.0, 3.0))
    low = lifted(floor, 0.12 * undulating(floor) + _rim(floor, width, depth))
    roof = lifted(floor, 2.3 + 0.3 * roofed(floor) - _rim(floor, width, depth) / 3.0)[:, ::-1]
    boulders = [_boulder(random, width, depth) for _ in range(25)]
    rock = waver(random, np.concatenate([low, *boulders]), 0.01, (0.1, 0.4))
    soup = Soup()
    soup.add(np.concatenate([rock, roof]))
    return soup.scene(up)


def ruin(seed: int = 0, stones: int = 250, up: str | Sequence[float] = "y") -> Scene:
    """Return a ruin of 10 by 8 m: tilted slabs of a broken floor, stumps of walls, and rubble.

    Slabs are about 1 m wide, tilted by up to 6 degrees and up to 0.1 m higher or lower than their
    neighbours, over bare ground at -0.1 m. Walls of 0.4 m are broken off between 0.2 and 2 m above
    it. Stones, boxes of 5 to 50 cm turned any way, lie about, some in heaps.

    Parameters
    ----------
    seed : int
        Chooses slabs, walls and stones; at least 0.
    stones : int
        How many there are, at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    stones = read_count("stones", stones, 0)
    random = np.random.default_rng(read_seed(seed))
    width, depth = 10.0, 8.0
    soup = Soup()
    ground = sheet((-1, -1, -0.1), (width + 2, 0, 0), (0, depth + 2, 0), 0.25)
    soup.add(lifted(ground, 0.04 * smooth_noise(random, (0.6, 3.0))(ground)))
    for u in range(int(width)):
        for v in range(int(depth)):
            if random.random() < 0.8:
                soup.add(_slab(random, u, v))
    for _ in range(8):
        soup.add(_stump(random, width, depth))
    heaps = random.uniform((0, 0), (width, depth), (6, 2))
    for number in range(stones):
        place = random.uniform((0, 0), (width, depth))
        if number % 2:
            place = heaps[number % len(heaps)] + random.normal(0.0, 0.5, 2)
        soup.add(_stone(random, place))
    return soup.scene(up)


def trimmed_level(seed: int = 0, up: str | Sequence[float] = "y") -> Scene:
    """Return two rooms of a game level, with all the trims that artists put there.

    The rooms are 6 by 5 m each, joined by a doorway 1 m wide with a sill 3 cm high. Along walls run
    skirtings 10 cm high and 2 cm deep, and ledges 4 cm deep at 0.3 and 1.1 m; pilasters and columns
    have stepped bases. Pipes, grates of 1 cm, hatches with rims, bolts and stones are pushed into
    the floor; carpets lie on it, some of them thinner than a millimetre. A podium of 0.6 m is
    reached by three steps with noses of 2 cm.

    Parameters
    ----------
    seed : int
        Chooses what lies on the floor, and where; at least 0.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    """
    random = np.random.default_rng(read_seed(seed))
    soup = Soup()
    soup.sheet(shapely.box(-0.2, -0.2, 12.4, 5.2), 0.0)
    _add_walls(soup)
    _add_podium(soup)
    for u, v in ((1.5, 1.5), (4.5, 3.5), (8.0, 3.8)):
        _add_column(soup, u, v)
    for _ in range(14):
        _add_floor_detail(soup, random)
    return soup.scene(up)


def _fragments(
    random: np.random.Generator, extent: tuple[float, float, float], count: int, size: float
) -> Floats:
    """(t, 3, 3) float64: loose triangles in small clusters."""
    middles = random.uniform((0.0, 0.0, 0.0), extent, (count, 3))
    # Half of them are close to the floor.
    middles[::2, 2] *= 0.05
    return np.concatenate(
        [middle + random.normal(0.0, size, (random.integers(1, 6), 3, 3)) for middle in middles]
    )


def _rim(triangles: Floats, width: float, depth: float) -> Floats:
    """(t, 3) float64: how far the floor of the cave rises towards its outline."""
    u, v = triangles[:, :, 0], triangles[:, :, 1]
    away = np.minimum.reduce([u, width - u, v, depth - v])
    return np.asarray(2.2 * np.exp(-((away / 0.5) ** 2)))


def _boulder(random: np.random.Generator, width: float, depth: float) -> Floats:
    """(t, 3, 3) float64: a lumpy ellipsoid, sunk into the ground."""
    rows, columns = 10, 16
    theta = np.linspace(0.0, np.pi, rows + 1)
    phi = np.linspace(0.0, 2.0 * np.pi, columns + 1)[:-1]
    t, p = np.meshgrid(theta, phi, indexing="ij")
    points = np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], axis=2)
    points *= random.uniform(0.1, 0.4) * random.uniform(0.7, 1.3, 3)
    points += (*random.uniform((0.8, 0.8), (width - 0.8, depth - 0.8)), random.uniform(-0.1, 0.1))
    after = np.roll(points, -1, axis=1)
    a, b, c, d = points[:-1], points[1:], after[1:], after[:-1]
    faces = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)])
    faces = faces.reshape(-1, 3, 3)
    solid = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
    return np.asarray(faces[solid > 1e-9])


def _slab(random: np.random.Generator, u: float, v: float) -> Floats:
    """(t, 3, 3) float64: one slab of the broken floor."""
    slab = box_triangles((random.uniform(0.8, 1.02), random.uniform(0.8, 1.02), 0.15))
    tilt = np.radians(random.uniform(-6.0, 6.0, 3))
    return turned(slab, tilt) + (u + 0.5, v + 0.5, random.uniform(-0.1, 0.0))


def _stump(random: np.random.Generator, width: float, depth: float) -> Floats:
    """(t, 3, 3) float64: what is left of a wall: blocks side by side, broken off anywhere."""
    blocks = []
    turn = random.choice([0.0, np.pi / 2.0]) + random.normal(0.0, 0.05)
    start = random.uniform((0.0, 0.0), (width, depth))
    for number in range(random.integers(3, 8)):
        top = random.uniform(0.2, 2.0)
        block = box_triangles((0.5, 0.4, top + 0.3)) + (0.5 * number, 0.0, (top - 0.3) / 2.0)
        blocks.append(turned(block, (0.0, 0.0, turn)) + (*start, 0.0))
    return np.concatenate(blocks)


def _stone(random: np.random.Generator, place: Floats) -> Floats:
    """(t, 3, 3) float64: a box turned any way."""
    size = np.exp(random.uniform(np.log(0.05), np.log(0.5))) * random.uniform(0.5, 1.0, 3)
    stone = turned(box_triangles(size), random.uniform(-np.pi, np.pi, 3))
    return stone + (*place, random.uniform(-0.05, 0.1))


def _add_walls(soup: Soup) -> None:
    """Add the walls of the level, with skirtings, ledges, pilasters and a sill."""
    height = 3.0
    walls = [
        ((-0.2, -0.2), (12.4, 0.0)),
        ((-0.2, 5.0), (12.4, 5.2)),
        ((-0.2, 0.0), (0.0, 5.0)),
        ((12.2, 0.0), (12.4, 5.0)),
        ((6.0, 0.0), (6.2, 2.0)),
        ((6.0, 3.0), (6.2, 5.0)),
    ]
    for low, high in walls:
        soup.box((*low, 0.0), (*high, height))
        for depth, bottom, top in ((0.02, -0.02, 0.1), (0.04, 0.27, 0.3), (0.04, 1.05, 1.1)):
            soup.box(
                (low[0] - depth, low[1] - depth, bottom), (high[0] + depth, high[1] + depth, top)
            )
    soup.box((6.0, 2.0, -0.05), (6.2, 3.0, 0.03))
    for u in (2.0, 4.0, 8.5, 10.5):
        for v, way in ((0.0, 1.0), (5.0, -1.0)):
            for half, depth, top in ((0.15, 0.1, height), (0.18, 0.13, 0.25), (0.2, 0.15, 0.12)):
                near, far = sorted((v - way * 0.05, v + way * depth))
                soup.box((u - half, near, -0.01), (u + half, far, top))


def _add_column(soup: Soup, u: float, v: float) -> None:
    """Add a column with a base of three steps, each a little smaller."""
    for half, top in ((0.35, 0.06), (0.3, 0.14), (0.26, 0.3)):
        soup.box((u - half, v - half, -0.02), (u + half, v + half, top))
    corners = np.linspace(0.0, 2.0 * np.pi, 13)[:-1]
    around = np.column_stack([u + 0.2 * np.cos(corners), v + 0.2 * np.sin(corners)])
    soup.prism(shapely.Polygon(around), 0.0, 3.0)


def _add_podium(soup: Soup) -> None:
    """Add a podium that three steps lead up to."""
    soup.box((9.5, 1.0, 0.0), (12.2, 4.0, 0.6))
    for number in range(3):
        top, end = 0.2 * (number + 1), 9.5 - 0.3 * (2 - number)
        soup.box((end - 0.3, 1.5, 0.0), (9.52, 3.5, top - 0.03))
        soup.box((end - 0.32, 1.48, top - 0.03), (9.52, 3.52, top))


def _add_floor_detail(soup: Soup, random: np.random.Generator) -> None:
    """Add one of the things that are pushed into a floor or lie on it."""
    u, v = random.uniform((0.6, 0.6), (9.0, 4.4))
    turn = random.uniform(0.0, 2.0 * np.pi)
    detail = Soup()
    match random.integers(0, 6):
        case 0:  # a pipe, half sunk
            angles = np.linspace(0.0, 2.0 * np.pi, 9)[:-1]
            section = 0.06 * np.column_stack([np.cos(angles), np.sin(angles)])
            detail.prism(shapely.Polygon(section), -0.8, 0.8, along="v")
        case 1:  # a grate of bars
            for bar in range(8):
                detail.box((0.08 * bar, 0.0, -0.02), (0.08 * bar + 0.02, 0.6, 0.01))
            detail.box((-0.02, -0.02, -0.02), (0.62, 0.62, 0.004))
        case 2:  # a hatch with a rim
            detail.box((-0.4, -0.4, -0.05), (0.4, 0.4, 0.02))
            detail.box((-0.34, -0.34, -0.05), (0.34, 0.34, 0.035))
        case 3:  # a carpet
            detail.box((-0.7, -0.4, 0.0), (0.7, 0.4, random.choice([0.0006, 0.004, 0.02])))
        case 4:  # bolts
            for number in range(6):
                detail.box((0.1 * number, 0.0, -0.01), (0.1 * number + 0.03, 0.03, 0.02))
        case _:  # stones
            for _ in range(6):
                detail.add(_stone(random, random.normal(0.0, 0.3, 2)) - (0.0, 0.0, 0.05))
    soup.add(turned(detail.triangles(), (0.0, 0.0, turn)) + (u, v, 0.0))
