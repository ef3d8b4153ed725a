"""Triangulations by ears and of the least surface, made from the Delaunay triangulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.triangulation.discs.kernels.polygons import retriangulate
from walkmesh.errors import BuildError

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids, Longs

# Polygons with more corners, those of cuts to holes included, keep their Delaunay triangles.
MAX_CORNERS_OF_LEAST_AREA = 500


def cut_anew(points: Longs, heights: Floats, delaunay: Ids, mates: Longs, method: str) -> Ids:
    """Return the triangles that ears, or the least surface, make of polygons of a triangulation.

    Parameters
    ----------
    points, heights : (n, 2) int64 and (n,) float64
        Vertices on a grid, and their heights, which ears do not depend on. [Unit: grid steps]
    delaunay : (t, 3) int32
        Vertex ids of the triangles.
    mates : (3 t,) int64, changed
        Their matching edges.
    method : {"ears", "min_area"}
        With the latter, polygons of more than `MAX_CORNERS_OF_LEAST_AREA` corners keep their
        triangles.
    """
    limit = 0 if method == "ears" else MAX_CORNERS_OF_LEAST_AREA
    triangles = np.empty_like(delaunay)
    if retriangulate(points, heights, delaunay, mates, limit, triangles) != len(delaunay):
        raise BuildError("no triangulation: the rings bound no region")
    return triangles
