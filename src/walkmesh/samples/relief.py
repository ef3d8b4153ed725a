"""Sheets of small triangles in the plan frame, and what makes them rough.

Triangles are (t, 3, 3) float64, points (u, v, h). [Unit: m]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.samples.soup import Soup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from walkmesh.arrays import Floats

# How many waves make up noise.
_WAVES = 48


def sheet(
    origin: Sequence[float], along: Sequence[float], across: Sequence[float], spacing: float
) -> Floats:
    """(t, 3, 3) float64: a rectangle of small triangles; it faces along x across."""
    side, other = np.asarray(along, dtype=np.float64), np.asarray(across, dtype=np.float64)
    columns, rows = (max(1, round(float(np.linalg.norm(v)) / spacing)) for v in (side, other))
    i, j = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1), indexing="ij")
    points = (i / columns)[..., None] * side + (j / rows)[..., None] * other
    points += np.asarray(origin, dtype=np.float64)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    # Diagonals run both ways by turns, as in a mesh without a grain.
    odd = ((i + j)[:-1, :-1] % 2 == 1)[..., None, None, None]
    even_pair = np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2)
    odd_pair = np.stack([np.stack([a, b, d], 2), np.stack([b, c, d], 2)], 2)
    return np.asarray(np.where(odd, odd_pair, even_pair).reshape(-1, 3, 3))


def solid(low: Sequence[float], high: Sequence[float], spacing: float) -> Floats:
    """(t, 3, 3) float64: a closed box of small triangles."""
    (u0, v0, h0), (u1, v1, h1) = low, high
    du, dv, dh = (u1 - u0, 0, 0), (0, v1 - v0, 0), (0, 0, h1 - h0)
    sides = [
        ((u0, v0, h1), du, dv),
        ((u0, v0, h0), dv, du),
        ((u0, v0, h0), du, dh),
        ((u0, v1, h0), dh, du),
        ((u0, v0, h0), dh, dv),
        ((u1, v0, h0), dv, dh),
    ]
    return np.concatenate([sheet(*side, spacing) for side in sides])


def smooth_noise(
    random: np.random.Generator, lengths: tuple[float, float]
) -> Callable[[Floats], Floats]:
    """Return a smooth function of points with mean 0 and deviation 1, of waves of given lengths."""
    direction = random.normal(size=(_WAVES, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    number = 2.0 * np.pi / random.uniform(*lengths, _WAVES)
    phase = random.uniform(0.0, 2.0 * np.pi, _WAVES)
    waves = direction * number[:, None]

    def evaluate(points: Floats) -> Floats:
        return np.asarray(np.sin(points @ waves.T + phase).sum(axis=-1) * np.sqrt(2.0 / _WAVES))

    return evaluate


def waver(
    random: np.random.Generator, triangles: Floats, deviation: float, lengths: tuple[float, float]
) -> Floats:
    """Displace corners, those at one place alike."""
    places, inverse = np.unique(np.round(triangles.reshape(-1, 3), 6), axis=0, return_inverse=True)
    moved = places.copy()
    for axis in range(3):
        moved[:, axis] += deviation * smooth_noise(random, lengths)(places)
    return np.asarray(moved[inverse.ravel()].reshape(-1, 3, 3))


def bump(
    random: np.random.Generator,
    triangles: Floats,
    extent: tuple[float, float],
    count: int,
    heights: tuple[float, float],
    widths: tuple[float, float],
) -> Floats:
    """Lift what is close to the floor by bumps, down to nothing at 20 cm above it."""
    lift = np.zeros(triangles.shape[:2])
    for _ in range(count):
        place, height = random.uniform((0.0, 0.0), extent), random.uniform(*heights)
        width = random.uniform(*widths)
        square = ((triangles[:, :, :2] - place) ** 2).sum(axis=2)
        lift += height * np.exp(-square / (2.0 * (width / 2.0) ** 2))
    fading = np.clip(1.0 - triangles[:, :, 2] / 0.2, 0.0, 1.0)
    return lifted(triangles, lift * fading)


def pierce(
    random: np.random.Generator, triangles: Floats, count: int, radii: tuple[float, float]
) -> Floats:
    """Leave out the triangles in balls around random ones."""
    middles = triangles.mean(axis=1)
    kept = np.ones(len(triangles), dtype=bool)
    for centre in middles[random.integers(0, len(middles), count)]:
        kept &= ((middles - centre) ** 2).sum(axis=1) > random.uniform(*radii) ** 2
    return np.asarray(triangles[kept])


def lifted(triangles: Floats, by: Floats) -> Floats:
    """Return triangles lifted by (t, 3) heights."""
    return np.concatenate([triangles[:, :, :2], triangles[:, :, 2:] + by[:, :, None]], axis=2)


def turned(corners: Floats, angles: Sequence[float] | Floats) -> Floats:
    """Return points turned about u, v and then h. [Unit: radians]."""
    for angle, (i, j) in zip(angles, ((1, 2), (0, 2), (0, 1)), strict=True):
        a, b = corners[..., i].copy(), corners[..., j].copy()
        corners = corners.copy()
        corners[..., i] = a * np.cos(angle) - b * np.sin(angle)
        corners[..., j] = a * np.sin(angle) + b * np.cos(angle)
    return corners


def box_triangles(size: Sequence[float] | Floats) -> Floats:
    """(12, 3, 3) float64: a box around the origin."""
    soup = Soup()
    half = np.asarray(size, dtype=np.float64) / 2.0
    soup.box(tuple(-half), tuple(half))
    return soup.triangles()
