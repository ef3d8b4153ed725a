"""Triangles between the rings of sheets, by the triangulator one chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.plan.greedy import triangulate_greedily
from walkmesh.builder.triangulation import triangulate
from walkmesh.frame import Frame, up_vector
from walkmesh.kernels.meshes.union_find import unite_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Ids, Longs
    from walkmesh.builder.plan.sheet import Layout

TRIANGULATORS: dict[str, Callable[..., Ids]] = {
    "delaunay": triangulate,
    "greedy": triangulate_greedily,
}


def triangle_mesh(layout: Layout, triangles: Ids, up: str) -> TriangleMesh:
    """Return triangles on the corners of rings as a mesh in the world."""
    frame = Frame(up_vector(up))
    return TriangleMesh(frame.to_plan(layout.world_corners(up)), triangles, frame)


def layout_mesh(layout: Layout, up: str) -> TriangleMesh:
    """Return what lies between rings as a mesh to look at."""
    triangles, _ = triangulate_sheets(layout, "delaunay", lambda _: None)
    return triangle_mesh(layout, triangles, up)


def triangulate_sheets(
    layout: Layout, triangulator: str, progress: Callable[[float], None]
) -> tuple[Ids, Ids]:
    """Triangulate what lies between the rings of every sheet.

    Corners of rings are vertices; those where sheets meet are the same vertices for both.

    Parameters
    ----------
    layout : Layout
        The sheets.
    triangulator : {"delaunay", "greedy"}
        How.
    progress : callable
        Called with the part of the sheets that is done.

    Returns
    -------
    triangles : (t, 3) int32
        Corners of rings, as they are numbered in all sheets.
    sheets : (t,) int32
        The sheet of each triangle.
    """
    starts = layout.starts
    triangles, counts = [np.empty((0, 3), dtype=np.int32)], []
    for i, sheet in enumerate(layout.sheets):
        ids = np.arange(len(sheet.corners), dtype=np.int32)
        found = TRIANGULATORS[triangulator](sheet.corners, sheet.offsets, ids)
        triangles.append(found + starts[i])
        counts.append(len(found))
        progress((i + 1) / len(layout.sheets))
    sheets = np.repeat(np.arange(len(layout.sheets), dtype=np.int32), counts)
    return _welded(layout, np.concatenate(triangles)), sheets


def _welded(layout: Layout, triangles: Ids) -> Ids:
    """Return triangles (t, 3) with one vertex for corners of two sheets where these meet."""
    joints = layout.joints()
    if len(joints) == 0:
        return triangles
    heads = _heads(layout, triangles, joints.ravel())
    pairs = [pair for a, b in joints.tolist() for pair in ((a, heads[b]), (heads[a], b))]
    vertices = np.empty(layout.corner_count, dtype=np.int32)
    unite_pairs(np.array(pairs, dtype=np.int32), vertices)
    return vertices[triangles]


def _heads(layout: Layout, triangles: Ids, edges: Longs) -> dict[int, int]:
    """Return the vertices that ring edges lead to in their triangles, by their first corners.

    Where rings touch, that need not be the next corner of the same ring.
    """
    places = np.concatenate([sheet.corners for sheet in layout.sheets])
    ends = places[layout.following()]
    tails, tips = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    chosen = np.isin(tails, edges) & (ends[tails] == places[tips]).all(axis=1)
    return dict(zip(tails[chosen].tolist(), tips[chosen].tolist(), strict=True))
