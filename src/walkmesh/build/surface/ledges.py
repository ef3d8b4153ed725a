"""Ledges: edges of the boundary that clearance has to be measured from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.surface.kernels.blockers import NOTHING
from walkmesh.build.surface.kernels.open_edges import find_open_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Bools
    from walkmesh.build.surface.sheet import Sheet
    from walkmesh.build.surface.stages.faces import Sides
    from walkmesh.build.surface.turns import Turns


def find_ledges(sheet: Sheet, faces: Sides, edges: NDArray[np.integer], turns: Turns) -> Bools:
    """Tell which boundary edges are ledges: where the scene itself ends or turns away."""
    candidates = sheet.blockers[edges] == NOTHING
    chosen = edges[candidates]
    owners = sheet.owners[chosen]
    found = np.empty(len(chosen), dtype=np.uint8)
    find_open_edges(
        sheet.edges(chosen), sheet.sources[owners], faces.arrays, faces.walkable,
        faces.fine_tree.arrays, turns.limits[0], found,
    )  # fmt: skip
    result = np.zeros(len(edges), dtype=bool)
    result[candidates] = found == 1
    return _like_their_neighbors(sheet, edges, result)


def _like_their_neighbors(sheet: Sheet, edges: NDArray[np.integer], is_open: Bools) -> Bools:
    """Let the sides of joints be what the boundary before or after them is: open if either is."""
    joint = sheet.sources[sheet.owners[edges]] < 0
    is_open = is_open & ~joint
    if not joint.any():
        return is_open
    vertices, points = sheet.vertices
    place = np.full(len(points), -1)
    place[vertices[edges]] = np.arange(len(edges))
    after = place[vertices[sheet.following[edges]]]
    before = np.empty_like(after)
    before[after] = np.arange(len(edges))
    while True:
        spread = is_open | (joint & (is_open[after] | is_open[before]))
        if (spread == is_open).all():
            return is_open
        is_open = spread
