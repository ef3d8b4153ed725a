"""Leaning walls: tall faces so steep that they are next to upright where an agent meets them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.kernels.faces import LOW
from walkmesh.build.kernels.tolerances import LEANING_PART, NARROW_CUT

if TYPE_CHECKING:
    from walkmesh.arrays import Bytes, Floats, Ids

# What is less steep is never all but upright, however low the agent is. [1]
_STEEP = 50.0


def slice_leaning(
    points: Floats, triangles: Ids, roles: Bytes, planes: Floats, height: float
) -> tuple[Floats, Ids]:
    """Cut tall faces that are all but upright into level parts, each as narrow as a wall in plan.

    Over the agent's height, a facade of 30 m that leans by 4 mm moves sideways by a quarter of a
    millimetre. What it takes from the ground is too narrow to be seen, and seen as a whole the
    facade is too wide in plan to be a wall.

    Parameters
    ----------
    points, triangles : (n, 3) float64 and (m, 3) int32
        The faces.
    roles, planes : (m,) uint8 and (m, 3) float64
        What they are, see :mod:`walkmesh.build.kernels.faces`.
    height : float
        Of the agent. [Unit: m]

    Returns
    -------
    (k, 3) float64 and (l, 3) int32
        With the parts at the end, and without the faces that they are made from; what was given
        if there is none.
    """
    gradients = np.hypot(planes[:, 0], planes[:, 1])
    leaning = (roles == LOW) & (gradients > max(height / NARROW_CUT, _STEEP))
    if not leaning.any():
        return points, triangles
    chosen = np.flatnonzero(leaning)
    parts = [_sliced(points[triangles[i]], LEANING_PART * gradients[i]) for i in chosen]
    added = np.concatenate(parts)
    numbers = len(points) + np.arange(3 * len(added), dtype=np.int32).reshape(-1, 3)
    return (
        np.concatenate([points, added.reshape(-1, 3)]),
        np.concatenate([triangles[~leaning], numbers.astype(np.int32)]),
    )


def _sliced(triangle: Floats, tallest: float) -> Floats:
    """(k, 3, 3) float64: a triangle cut at levels, into parts no taller than a height."""
    low, high = triangle[:, 2].min(), triangle[:, 2].max()
    levels = np.linspace(low, high, int(np.ceil((high - low) / tallest)) + 1)
    parts = []
    for bottom, top in itertools.pairwise(levels):
        part = _below(_below(triangle, top, 1.0), -bottom, -1.0)
        parts += [part[[0, k, k + 1]] for k in range(1, len(part) - 1)]
    return np.array(parts)


def _below(polygon: Floats, level: float, sign: float) -> Floats:
    """Return the part of a convex polygon whose height times a sign is no more than a level."""
    over = sign * polygon[:, 2] - level
    kept = []
    for k in range(len(polygon)):
        j = (k + 1) % len(polygon)
        if over[k] <= 0.0:
            kept.append(polygon[k])
        if over[k] * over[j] < 0.0:
            kept.append(polygon[k] + over[k] / (over[k] - over[j]) * (polygon[j] - polygon[k]))
    return np.array(kept)
