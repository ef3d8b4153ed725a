"""Hostile scenes for all methods and agents: a sound navmesh, or a clear error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from fuzz.fault import Fault
from fuzz.values import Random, pick

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids

Mesh = tuple["Floats", "Ids"]


def prepare() -> None:
    """Do nothing: every case makes its own scene."""


def case(number: int) -> None:
    """Build the navmesh of a hostile scene for some agent by some method, and check it."""
    random = np.random.default_rng(number)
    points, faces = pick(random, _SCENES)(random)
    for _ in range(int(random.integers(3))):
        points, faces = pick(random, _DAMAGE)(random, points, faces)
    scene = wm.Scene(points, faces, up=pick(random, ["y", "y", "y", "z", "x"]))
    agent = _agent(random)
    method = _method(random)
    navmesh = wm.build(scene, agent, method, workers=1)
    _check(navmesh, type(method).__name__)
    if not navmesh.surface and random.random() < 0.3:
        distance = float(pick(random, [0.1, 0.5, 2.0]))
        _check(wm.bridge_gaps(navmesh, distance, scene), "bridges")


def _check(navmesh: wm.NavMesh, method: str) -> None:
    if not np.isfinite(navmesh.vertices).all():
        raise Fault(f"{method}: coordinates that are not finite")
    violations = navmesh.validate()
    if violations:
        raise Fault(f"{method}: {violations[0].kind}", f"{len(violations)}: {violations[:3]}")


def _agent(random: Random) -> wm.Agent:
    height = float(pick(random, [1.8, 1.8, 0.1, 0.5, 5.0, 40.0, 1e-3]))
    return wm.Agent(
        height=height,
        radius=float(pick(random, [0.3, 0.0, 0.01, 0.17, 0.05, 1.0, 4.0, 1e-6])),
        max_slope=float(pick(random, [45.0, 0.0, 20.0, 60.0, 89.99])),
        max_step=min(float(pick(random, [0.4, 0.0, 0.02, 1.0, 1e-6])), height),
    )


def _method(random: Random) -> wm.Exact | wm.Voxel | wm.Surface:
    kind = random.integers(10)
    if kind < 5:
        return wm.Exact()
    if kind < 7:
        return wm.Voxel(
            cell_size=float(pick(random, [0.1, 0.05, 0.3])),
            partition=pick(random, ["watershed", "slices"]),
        )
    return wm.Surface(
        sides=pick(random, ["front", "back", "both"]),
        max_tilt=float(pick(random, [180.0, 45.0])),
        gap_distance=float(pick(random, [0.03, 0.0, 0.5])),
    )


def _soup(random: Random) -> Mesh:
    """Return triangles anywhere."""
    count = int(random.integers(1, 60))
    spread = 10.0 ** random.uniform(-1.0, 1.5)
    corners = random.normal(0.0, spread, (count, 1, 3)) + random.normal(0.0, 2.0, (count, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


def _plates(random: Random) -> Mesh:
    """Return boxes and plates with corners on a lattice: many coplanar faces and shared edges."""
    boxes = [_box(random.integers(-4, 4, 3) * 0.5, random.integers(0, 9, 3) * 0.5)
             for _ in range(int(random.integers(1, 12)))]  # fmt: skip
    return _together(boxes)


def _fan(random: Random) -> Mesh:
    """Return a disc of needles around a centre, with a rough rim."""
    count = int(random.integers(3, 300))
    turns = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    reach = 10.0 ** random.uniform(-0.5, 1.3)
    heights = random.normal(0.0, 10.0 ** random.uniform(-4.0, 0.0), count)
    rim = np.stack([reach * np.cos(turns), heights, reach * np.sin(turns)], axis=1)
    i = np.arange(count)
    faces = np.stack([np.zeros(count, dtype=int), 1 + (i + 1) % count, 1 + i], axis=1)
    return np.concatenate([[[0.0, 0.0, 0.0]], rim]), faces


def _ground(random: Random) -> Mesh:
    """Return a height field with steps, holes and steep places."""
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
    return points, faces[random.random(len(faces)) < random.choice([1.0, 0.9])]


def _sample(random: Random) -> Mesh:
    """Return one of the sample scenes."""
    names = ["stairs", "box_room", "ramp", "kerb", "doorways", "careless_plates", "rubble", "cube"]
    scene = getattr(wm.samples, pick(random, names))()
    return np.array(scene.vertices), np.array(scene.faces)


def _box(low: np.ndarray, size: np.ndarray) -> Mesh:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = np.array(
        [
            [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
            [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
        ]
    )  # fmt: skip
    return low + corners * size, faces


def _together(meshes: list[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(points) for points, _ in meshes)])
    faces = [start + mesh[1] for start, mesh in zip(starts, meshes, strict=False)]
    return np.concatenate([points for points, _ in meshes]), np.concatenate(faces)


def _scaled(random: Random, points: Floats, faces: Ids) -> Mesh:
    return points * 10.0 ** float(random.integers(-7, 4)), faces


def _moved(random: Random, points: Floats, faces: Ids) -> Mesh:
    return points + random.normal(0.0, 10.0 ** float(random.integers(0, 8)), 3), faces


def _shaken(random: Random, points: Floats, faces: Ids) -> Mesh:
    return points + random.normal(0.0, 10.0 ** random.uniform(-9.0, -1.0), points.shape), faces


def _turned_over(random: Random, points: Floats, faces: Ids) -> Mesh:
    chosen = random.random(len(faces)) < 0.3
    return points, np.where(chosen[:, None], faces[:, ::-1], faces)


def _twice(random: Random, points: Floats, faces: Ids) -> Mesh:
    again = points + random.choice([0.0, 1e-9, 1e-4, 0.02]) * random.normal(0.0, 1.0, 3)
    return np.concatenate([points, again]), np.concatenate([faces, faces + len(points)])


def _flat(random: Random, points: Floats, faces: Ids) -> Mesh:
    scale = np.ones(3)
    scale[random.integers(3)] = 10.0 ** float(random.integers(-9, 0))
    return points * scale, faces


def _not_finite(random: Random, points: Floats, faces: Ids) -> Mesh:
    points = points.copy()
    points[random.integers(len(points))] = random.choice([np.nan, np.inf, 1e300])
    return points, faces


_SCENES = [_soup, _plates, _fan, _ground, _sample]
_DAMAGE = [_scaled, _moved, _shaken, _turned_over, _twice, _flat, _not_finite]
