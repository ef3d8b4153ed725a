"""Rays along the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


@dataclass(frozen=True, eq=False)
class Rays:
    """How far one can walk straight on.

    Attributes
    ----------
    hits : (n,) bool
        Whether each walk is stopped by a wall, or could not start.
    points : (n, 3) float64
        Where it ends, on the ground, in world coordinates. [Unit: m]
    polygons : (n,) int32
        The polygon where it ends; -1 if its start is not on the navmesh.
    edges : (n,) int32
        The edge, by its corner's place in `polygon_vertices`, that stops it; -1 for none.
    distances : (n,) float64
        How far it leads, seen from above. [Unit: m]
    """

    hits: NDArray[np.bool_]
    points: Floats
    polygons: Ids
    edges: Ids
    distances: Floats
