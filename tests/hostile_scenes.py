"""Hostile scenes, made by chance: soups, needles, fans, layers in one place, and more.

A scene and the agent for it depend on the seed alone.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import walkmesh as wm


def hostile_scene(seed: int) -> tuple[str, wm.Scene, wm.Agent]:
    """Return the kind of a hostile scene, the scene, and an agent for it."""
    random = np.random.default_rng(seed)
    kind = list(KINDS)[seed % len(KINDS)]
    corners = KINDS[kind](random).reshape(-1, 3)
    if random.random() < 0.3:
        corners = corners + random.choice([1e2, 1e4, 5e5]) * random.normal(size=3)
    scene = wm.Scene(corners, np.arange(len(corners)).reshape(-1, 3))
    height = random.choice([0.2, 1.0, 1.8, 1.8, 3.0])
    agent = wm.Agent(
        radius=float(random.choice([0.0, 0.0, 0.05, 0.1, 0.3, 0.5])),
        height=float(height),
        max_step=float(min(height, random.choice([0.0, 0.02, 0.2, 0.4]))),
        max_slope=float(random.choice([5.0, 30.0, 45.0, 60.0, 80.0])),
    )
    return kind, scene, agent


def hostile_method(seed: int, name: str) -> wm.Exact | wm.Voxel | wm.Surface:
    """Return settings of a method by its name: exact, bridges, voxel, slices or surface."""
    match name:
        case "exact":
            return wm.Exact(min_patch_area=0.0 if seed % 3 == 0 else 0.1)
        case "bridges":
            return wm.Exact(bridge_distance=(0.1, 0.5, 2.0)[seed % 3])
        case "voxel":
            return wm.Voxel(cell_size=(0.05, 0.1, 0.3)[seed % 3], cell_height=0.05)
        case "surface":
            return wm.Surface()
    raise ValueError(name)


def soup(random: np.random.Generator) -> np.ndarray:
    """Triangles of any size, anywhere, flat enough to stand on."""
    count = int(random.integers(5, 120))
    middles = random.uniform(-4.0, 4.0, (count, 1, 3)) * (1.0, random.choice([0.0, 0.1, 1.0]), 1.0)
    sizes = 10.0 ** random.uniform(-2.0, 0.7, (count, 1, 1))
    return middles + sizes * random.normal(size=(count, 3, 3)) * (1.0, 0.1, 1.0)


def needles(random: np.random.Generator) -> np.ndarray:
    """A floor, and long triangles a hair wide in and above it."""
    count = int(random.integers(5, 60))
    starts = random.uniform(-4.0, 4.0, (count, 3)) * (1.0, random.choice([0.0, 0.05]), 1.0)
    ends = random.uniform(-4.0, 4.0, (count, 3)) * (1.0, random.choice([0.0, 0.05]), 1.0)
    width = 10.0 ** random.uniform(-7.0, -2.0, (count, 1))
    thirds = ends + width * random.normal(size=(count, 3)) * (1.0, 0.1, 1.0)
    return np.concatenate([_floor(4.0), _upwards(np.stack([starts, ends, thirds], axis=1))])


def fans(random: np.random.Generator) -> np.ndarray:
    """Fans of many triangles around one point, over each other and not quite closed."""
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


def layers(random: np.random.Generator) -> np.ndarray:
    """The same floor several times, turned a little, in one place or nearly so."""
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


def scales(random: np.random.Generator) -> np.ndarray:
    """Things of a millimetre beside things of a hundred metres."""
    parts = [_floor(random.choice([10.0, 100.0]))]
    for _ in range(int(random.integers(3, 25))):
        size = 10.0 ** random.uniform(-3.0, 1.0)
        place = random.uniform(-3.0, 3.0, 3) * (1.0, 0.0, 1.0)
        parts.append(place + _box(*(size * random.uniform(0.05, 1.0, 3))))
    return np.concatenate(parts)


def combs(random: np.random.Generator) -> np.ndarray:
    """Teeth side by side, with slits of any width between them."""
    count = int(random.integers(5, 50))
    pitch = random.choice([0.01, 0.05, 0.2])
    parts = [_floor(1.0) - (0.0, random.choice([0.0, 0.1, 1.0]), 0.0)]
    for k in range(count):
        gap = pitch * random.choice([0.0, 1e-6, 1e-3, 0.1, 0.5])
        tooth = _box(pitch - gap, random.choice([0.0, 0.02, 0.3]), random.uniform(0.5, 3.0))
        parts.append(tooth + (k * pitch - 2.0, 0.0, 0.0))
    return np.concatenate(parts)


def rubble(random: np.random.Generator) -> np.ndarray:
    """A floor strewn with tilted boxes that stick in it and in each other."""
    parts = [_grid(3, random)]
    for _ in range(int(random.integers(5, 40))):
        rotation = np.linalg.qr(random.normal(size=(3, 3)))[0]
        rotation *= np.sign(np.linalg.det(rotation))
        box = _box(*random.uniform(0.02, 0.8, 3)) @ rotation.T
        parts.append(box + random.uniform(-2.0, 2.0, 3) * (1.0, 0.1, 1.0))
    return np.concatenate(parts)


KINDS = {
    "soup": soup,
    "needles": needles,
    "fans": fans,
    "layers": layers,
    "scales": scales,
    "combs": combs,
    "rubble": rubble,
}


def _upwards(triangles: np.ndarray) -> np.ndarray:
    """Turn over the triangles (t, 3, 3) that face down."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.where((across[:, 1] < 0.0)[:, None, None], triangles[:, ::-1], triangles)


def _floor(half: float) -> np.ndarray:
    """(2, 3, 3) float64: a square at height 0."""
    corners = half * np.array([[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1, 0, -1]])
    return corners[[[0, 1, 2], [0, 2, 3]]]


def _grid(cells: int, random: np.random.Generator) -> np.ndarray:
    """(2 n^2, 3, 3) float64: a square of 4 m at height 0, in uneven cells."""
    lines = np.sort(np.concatenate([[-2.0, 2.0], random.uniform(-2.0, 2.0, cells - 1)]))
    parts = []
    for x, x1 in pairwise(lines):
        for z, z1 in pairwise(lines):
            corners = np.array([[x, 0.0, z], [x, 0.0, z1], [x1, 0.0, z1], [x1, 0.0, z]])
            parts.append(corners[[[0, 1, 2], [0, 2, 3]]])
    return np.concatenate(parts)


def _box(width: float, height: float, depth: float) -> np.ndarray:
    """(12, 3, 3) float64: a box from the origin on, facing outwards."""
    corners = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    return (corners * (width, height, depth))[np.array(faces)]
