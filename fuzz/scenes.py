"""Hostile scenes, made by chance: soups, needles, fans, layers in one place, and damage to them.

Every shape is a function of a random generator alone and returns the corners of its triangles,
(t, 3, 3) float64. [Unit: m]
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from fuzz.values import Random, pick

if TYPE_CHECKING:
    from walkmesh.arrays import Floats


def soup(random: Random) -> Floats:
    """Return triangles anywhere, as steep as they come."""
    count = int(random.integers(1, 60))
    spread = 10.0 ** random.uniform(-1.0, 1.5)
    return random.normal(0.0, spread, (count, 1, 3)) + random.normal(0.0, 2.0, (count, 3, 3))


def flat_soup(random: Random) -> Floats:
    """Return triangles of any size, anywhere, flat enough to stand on."""
    count = int(random.integers(5, 120))
    middles = random.uniform(-4.0, 4.0, (count, 1, 3)) * (1.0, random.choice([0.0, 0.1, 1.0]), 1.0)
    sizes = 10.0 ** random.uniform(-2.0, 0.7, (count, 1, 1))
    return middles + sizes * random.normal(size=(count, 3, 3)) * (1.0, 0.1, 1.0)


def needles(random: Random) -> Floats:
    """Return a floor, and long triangles a hair wide in and above it."""
    count = int(random.integers(5, 60))
    starts = random.uniform(-4.0, 4.0, (count, 3)) * (1.0, random.choice([0.0, 0.05]), 1.0)
    ends = random.uniform(-4.0, 4.0, (count, 3)) * (1.0, random.choice([0.0, 0.05]), 1.0)
    width = 10.0 ** random.uniform(-7.0, -2.0, (count, 1))
    thirds = ends + width * random.normal(size=(count, 3)) * (1.0, 0.1, 1.0)
    return np.concatenate([_floor(4.0), _upwards(np.stack([starts, ends, thirds], axis=1))])


def fans(random: Random) -> Floats:
    """Return fans of many triangles around one point, over each other and not quite closed."""
    parts = []
    for _ in range(int(random.integers(1, 6))):
        count = int(random.integers(3, 60))
        turns = np.sort(random.uniform(0.0, 2.0 * np.pi * random.choice([1.0, 1.01, 2.0]), count))
        radius = random.uniform(0.5, 4.0) * random.uniform(0.5, 1.0, count)
        rise = random.choice([0.0, 0.001, 0.1]) * random.normal(size=count)
        rim = np.stack([radius * np.sin(turns), rise, radius * np.cos(turns)], axis=1)
        hub = np.zeros((count, 3))
        place = random.uniform(-2.0, 2.0, 3) * (1.0, random.choice([0.0, 1e-4, 0.1]), 1.0)
        parts.append(place + np.stack([hub, rim, np.roll(rim, -1, axis=0)], axis=1))
    return _upwards(np.concatenate(parts))


def layers(random: Random) -> Floats:
    """Return the same floor several times, turned a little, in one place or nearly so."""
    parts = []
    for _ in range(int(random.integers(2, 9))):
        turn = random.choice([0.0, 1e-9, 1e-4, 0.1, np.pi / 4.0])
        rotation = np.array(
            [[np.cos(turn), 0.0, np.sin(turn)], [0.0, 1.0, 0.0], [-np.sin(turn), 0.0, np.cos(turn)]]
        )
        tilt = np.array([1.0, random.choice([0.0, 1e-6, 1e-3]), 1.0])
        floor = _grid(int(random.integers(1, 5)), random) @ rotation * tilt
        parts.append(floor + (0.0, random.choice([0.0, 1e-12, 1e-7, 1e-4, 0.02, 0.3]), 0.0))
    return np.concatenate(parts)


def scales(random: Random) -> Floats:
    """Return things of a millimetre beside things of a hundred metres."""
    parts = [_floor(random.choice([10.0, 100.0]))]
    for _ in range(int(random.integers(3, 25))):
        size = 10.0 ** random.uniform(-3.0, 1.0)
        place = random.uniform(-3.0, 3.0, 3) * (1.0, 0.0, 1.0)
        parts.append(place + _box(*(size * random.uniform(0.05, 1.0, 3))))
    return np.concatenate(parts)


def combs(random: Random) -> Floats:
    """Return teeth side by side, with slits of any width between them."""
    count = int(random.integers(5, 50))
    pitch = random.choice([0.01, 0.05, 0.2])
    parts = [_floor(1.0) - (0.0, random.choice([0.0, 0.1, 1.0]), 0.0)]
    for k in range(count):
        gap = pitch * random.choice([0.0, 1e-6, 1e-3, 0.1, 0.5])
        tooth = _box(pitch - gap, random.choice([0.0, 0.02, 0.3]), random.uniform(0.5, 3.0))
        parts.append(tooth + (k * pitch - 2.0, 0.0, 0.0))
    return np.concatenate(parts)


def rubble(random: Random) -> Floats:
    """Return a floor strewn with tilted boxes that stick in it and in each other."""
    parts = [_grid(3, random)]
    for _ in range(int(random.integers(5, 40))):
        rotation = np.linalg.qr(random.normal(size=(3, 3)))[0]
        rotation *= np.sign(np.linalg.det(rotation))
        box = _box(*random.uniform(0.02, 0.8, 3)) @ rotation.T
        parts.append(box + random.uniform(-2.0, 2.0, 3) * (1.0, 0.1, 1.0))
    return np.concatenate(parts)


def plates(random: Random) -> Floats:
    """Return boxes and plates with corners on a lattice: many coplanar faces and shared edges."""
    boxes = [
        0.5 * random.integers(-4, 4, 3) + _box(*(0.5 * random.integers(0, 9, 3)))
        for _ in range(int(random.integers(1, 12)))
    ]
    return np.concatenate(boxes)


def disc(random: Random) -> Floats:
    """Return a disc of needles around a centre, with a rough rim."""
    count = int(random.integers(3, 300))
    turns = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    reach = 10.0 ** random.uniform(-0.5, 1.3)
    heights = random.normal(0.0, 10.0 ** random.uniform(-4.0, 0.0), count)
    rim = np.stack([reach * np.cos(turns), heights, reach * np.sin(turns)], axis=1)
    return np.stack([np.zeros((count, 3)), np.roll(rim, -1, axis=0), rim], axis=1)


def height_field(random: Random) -> Floats:
    """Return ground with steps, holes and steep places."""
    cells = int(random.integers(2, 20))
    u, v = np.meshgrid(np.arange(cells + 1) * 0.5, np.arange(cells + 1) * 0.5, indexing="ij")
    rough = random.normal(0.0, 10.0 ** random.uniform(-3.0, 0.5), u.shape)
    if random.random() < 0.5:
        rough = np.round(rough / 0.2) * 0.2
    points = np.stack([u, rough, v], axis=2).reshape(-1, 3)
    i = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    faces = np.concatenate(
        [np.stack([i, i + 1, i + cells + 1], 1), np.stack([i + 1, i + cells + 2, i + cells + 1], 1)]
    )
    kept = random.random(len(faces)) < random.choice([1.0, 0.9])
    return np.asarray(points[faces[kept]])


def sample(random: Random) -> Floats:
    """Return one of the sample scenes."""
    names = ["stairs", "box_room", "ramp", "kerb", "doorways", "careless_plates", "rubble", "cube"]
    scene: wm.Scene = getattr(wm.samples, pick(random, names))()
    return scene.vertices[scene.faces]


SHAPES = {
    "flat soup": flat_soup,
    "needles": needles,
    "fans": fans,
    "layers": layers,
    "scales": scales,
    "combs": combs,
    "rubble": rubble,
    "soup": soup,
    "plates": plates,
    "disc": disc,
    "height field": height_field,
    "sample": sample,
}
"""All shapes by name."""


def scaled(random: Random, corners: Floats) -> Floats:
    """Return a scene in another unit, a good or a bad one."""
    return np.asarray(corners * 10.0 ** float(random.integers(-7, 4)))


def moved(random: Random, corners: Floats) -> Floats:
    """Move a scene far from the origin."""
    return corners + random.normal(0.0, 10.0 ** float(random.integers(0, 8)), 3)


def shaken(random: Random, corners: Floats) -> Floats:
    """Add noise that is the same wherever triangles meet."""
    places, which = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    noise = random.normal(0.0, 10.0 ** random.uniform(-9.0, -1.0), places.shape)
    return np.asarray((places + noise)[which]).reshape(-1, 3, 3)


def torn(random: Random, corners: Floats) -> Floats:
    """Add noise that tears triangles apart."""
    return corners + random.normal(0.0, 10.0 ** random.uniform(-9.0, -1.0), corners.shape)


def turned_over(random: Random, corners: Floats) -> Floats:
    """Turn some triangles over."""
    chosen = random.random(len(corners)) < 0.3
    return np.where(chosen[:, None, None], corners[:, ::-1], corners)


def twice(random: Random, corners: Floats) -> Floats:
    """Return a scene twice, in one place or nearly so."""
    again = corners + random.choice([0.0, 1e-9, 1e-4, 0.02]) * random.normal(0.0, 1.0, 3)
    return np.concatenate([corners, again])


def flattened(random: Random, corners: Floats) -> Floats:
    """Leave next to nothing along one axis."""
    scale = np.ones(3)
    scale[random.integers(3)] = 10.0 ** float(random.integers(-9, 0))
    return corners * scale


def not_finite(random: Random, corners: Floats) -> Floats:
    """Put a vertex nowhere, or as good as nowhere."""
    places = corners.reshape(-1, 3).copy()
    broken = places[random.integers(len(places))].copy()
    places[(places == broken).all(axis=1)] = random.choice([np.nan, np.inf, 1e300])
    return places.reshape(-1, 3, 3)


DAMAGE = [scaled, moved, shaken, torn, turned_over, twice, flattened, not_finite]
"""All that can happen to a scene."""


def _upwards(triangles: Floats) -> Floats:
    """Turn over the triangles (t, 3, 3) that face down."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.where((across[:, 1] < 0.0)[:, None, None], triangles[:, ::-1], triangles)


def _floor(half: float) -> Floats:
    """(2, 3, 3) float64: a square at height 0."""
    corners = half * np.array([[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1, 0, -1]])
    return corners[[[0, 1, 2], [0, 2, 3]]]


def _grid(cells: int, random: Random) -> Floats:
    """(2 n^2, 3, 3) float64: a square of 4 m at height 0, in uneven cells."""
    lines = np.sort(np.concatenate([[-2.0, 2.0], random.uniform(-2.0, 2.0, cells - 1)]))
    parts = []
    for x, x1 in pairwise(lines):
        for z, z1 in pairwise(lines):
            corners = np.array([[x, 0.0, z], [x, 0.0, z1], [x1, 0.0, z1], [x1, 0.0, z]])
            parts.append(corners[[[0, 1, 2], [0, 2, 3]]])
    return np.concatenate(parts)


def _box(width: float, height: float, depth: float) -> Floats:
    """(12, 3, 3) float64: a box from the origin on, facing outwards."""
    corners = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    return np.asarray((corners * (width, height, depth))[np.array(faces)])
