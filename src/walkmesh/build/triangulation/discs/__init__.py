"""Triangulations by ears and of the least surface, made from the Delaunay triangulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.triangulation.discs.kernels.polygons import retriangulate
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids, Longs

# Polygons with more corners, those of cuts to holes included, keep their Delaunay triangles.
MAX_CORNERS_OF_LEAST_AREA = 500


def clip_ears(points: Longs, delaunay: Ids, mates: Longs) -> Ids:
    """Return the triangles that ear clipping makes of the polygons of a triangulation.

    Parameters
    ----------
    points : (n, 2) int64
        Vertices on a grid.
    delaunay : (t, 3) int32
        Vertex ids of the triangles.
    mates : (3 t,) int64, changed
        Their matching edges.
    """
    return _retriangulate(points, np.zeros(len(points)), delaunay, mates, 0)


def minimize_area(points: Longs, heights: Floats, delaunay: Ids, mates: Longs) -> Ids:
    """Return the triangles of the least surface in space, as for :func:`clip_ears`.

    Polygons of more than `MAX_CORNERS_OF_LEAST_AREA` corners keep their triangles.

    Parameters
    ----------
    heights : (n,) float64
        Heights of the vertices. [Unit: grid steps]
    """
    return _retriangulate(points, heights, delaunay, mates, MAX_CORNERS_OF_LEAST_AREA)


def _retriangulate(points: Longs, heights: Floats, delaunay: Ids, mates: Longs, limit: int) -> Ids:
    triangles = np.empty_like(delaunay)
    if retriangulate(points, heights, delaunay, mates, limit, triangles) != len(delaunay):
        raise BuildError("no triangulation: the rings bound no region")
    return triangles
