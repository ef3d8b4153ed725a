"""Where points stand, as searches have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


class Footing(NamedTuple):
    """Where points stand.

    Attributes
    ----------
    points : (n, 3) float64
        World coordinates. [Unit: m]
    cells : (n,) int32
        What they stand on, -1 for nothing: polygons of a navmesh of ground, triangles of one of a
        surface.
    distances : (n,) float64
        How far what was looked for is away; infinite for nothing. [Unit: m]
    """

    points: Floats
    cells: Ids
    distances: Floats

    def chosen(self, which: NDArray[np.intp] | slice) -> Footing:
        """Return some of them."""
        return Footing(self.points[which], self.cells[which], self.distances[which])
