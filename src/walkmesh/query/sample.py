"""Random places on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.arguments import read_count
from walkmesh.errors import SettingsError
from walkmesh.query.located import Located

if TYPE_CHECKING:
    from walkmesh.navmesh import NavMesh


def sample(navmesh: NavMesh, n: Any, seed: Any) -> Located:
    """Draw places on the ground, uniformly by surface; see :meth:`NavMesh.sample`."""
    count = read_count("n", n, 0, None)
    random = np.random.default_rng(read_count("seed", seed, 0, None))
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    x, y, z = np.cross(b - a, c - a).T
    # Sums in a fixed order, so that the places are the same on every machine.
    until = np.cumsum(np.sqrt(x * x + y * y + z * z))
    if count > 0 and (len(until) == 0 or until[-1] == 0.0):
        raise SettingsError(f"n is {count}; it must be 0 for a navmesh without ground")
    try:
        draws = random.random((count, 3))
    except (MemoryError, ValueError):
        raise SettingsError(
            f"n is {count}; so many places do not fit into this machine's memory"
        ) from None
    # A product may be rounded up to the whole.
    chosen = np.searchsorted(until[:-1], draws[:, 0] * until[-1:], side="right")
    # The square root, because a triangle has more ground towards its base.
    root = np.sqrt(draws[:, 1:2])
    share = draws[:, 2:3]
    along = a[chosen] + root * (b[chosen] - a[chosen])
    points = along + root * share * (c[chosen] - b[chosen])
    return Located(
        polygons=navmesh.triangle_polygons[chosen], points=points, distances=np.zeros(count)
    )
