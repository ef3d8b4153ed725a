"""Ground: outlines become triangles that follow the heights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh
from walkmesh.build.triangulation import refine, triangulate
from walkmesh.build.voxel.contours import GRID
from walkmesh.chunks import in_chunks

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.triangulation import Method
    from walkmesh.build.voxel.contours import Contours
    from walkmesh.frame import Frame


def lay_ground(
    contours: Contours,
    cell: float,
    method: Method,
    height_tolerance: float,
    frame: Frame,
    workers: int | None,
    on_chunk: Callable[[float], None],
) -> TriangleMesh:
    """Triangulate patches, and add the vertices that their heights need.

    Parameters
    ----------
    contours : Contours
        The outlines of the patches.
    cell : float
        The side of a cell. [Unit: m]
    method : {"delaunay", "ears", "min_area"}
        How outlines are triangulated.
    height_tolerance : float
        How far the triangles may leave the heights that are known. [Unit: m]
    """

    def run(start: int, stop: int) -> list[tuple[Ids, Floats, Ids]]:
        return [
            _lay_patch(contours, patch, cell, method, height_tolerance)
            for patch in range(start, stop)
        ]

    count = len(contours.patch_rings) - 1
    places, heights = [contours.points], [contours.heights]
    triangles: list[Ids] = []
    base = len(contours.points)
    for reached, chunk in in_chunks(count, run, workers, smallest=1):
        for new_places, new_heights, ids in chunk:
            # Vertices of the contours keep their numbers; negative ones are new.
            triangles.append(np.where(ids < 0, base - 1 - ids, ids).astype(np.int32))
            places.append(new_places)
            heights.append(new_heights)
            base += len(new_places)
        on_chunk(reached / count)
    plan = np.concatenate(places) * (cell / GRID)
    points = np.column_stack([plan, np.concatenate(heights)])
    return TriangleMesh(points, np.concatenate(triangles), frame)


def _lay_patch(
    contours: Contours, patch: int, cell: float, method: Method, height_tolerance: float
) -> tuple[Ids, Floats, Ids]:
    """Return new vertices, their heights, and triangles in which -1 - k is the k-th new vertex."""
    low, high = contours.patch_rings[patch], contours.patch_rings[patch + 1]
    offsets = contours.ring_offsets[low : high + 1]
    corners = contours.rings[offsets[0] : offsets[-1]]
    names, rings = np.unique(corners, return_inverse=True)
    points, heights = contours.points[names], contours.heights[names]
    unit = GRID / cell
    triangles = triangulate(
        points, offsets - offsets[0], rings.astype(np.int32), method, heights * unit
    )
    low, high = contours.patch_samples[patch], contours.patch_samples[patch + 1]
    finer, finer_heights, triangles = refine(
        points,
        heights,
        triangles,
        contours.samples[low:high],
        contours.sample_heights[low:high],
        height_tolerance,
    )
    old = len(points)
    ids = np.where(triangles < old, names[np.minimum(triangles, old - 1)], old - 1 - triangles)
    return finer[old:], finer_heights[old:], ids.astype(np.int32)
