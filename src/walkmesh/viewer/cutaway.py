"""The cutaway: what of a scene a view from above shows, so that nothing hides the navmesh.

Roofs and ceilings over the topmost ground are lifted off, and what is far from the navmesh, such as
the sky around a level, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.viewer.page.section import Section, cut_faces
from walkmesh.viewer.painter import cut_triangles
from walkmesh.viewer.plan import steep

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids

# What is further away from the navmesh than this is left out, in parts of its longest side, and at
# least so many metres.
REACH, LEAST_REACH = 0.5, 5.0
# So many agents above the highest ground even walls are left out: they are those of the sky.
HIGHEST_WALL = 4.0
# A ceiling is this share of the agent's height above the ground, or more.
CEILING = 0.9


def cut_away(faces: Floats, ground: Floats, height: float, pieces_across: int) -> Floats:
    """Return (m, 3, 3) pieces of a scene without what hides or dwarfs its navmesh.

    The triangles of the scene, `faces`, and of the navmesh, `ground`, without which everything is
    returned, are in plan coordinates; `height` is the agent's. [Unit: m] Along the longest side of
    what is left there are `pieces_across` pieces or more.
    """
    if len(faces) == 0 or len(ground) == 0:
        return faces
    low, high = ground.min(axis=(0, 1)), ground.max(axis=(0, 1))
    reach = max(REACH * float((high - low).max()), LEAST_REACH, 2.0 * height)
    top = high[2] + HIGHEST_WALL * height
    faces = _clip(faces, low - reach, np.array([*(high[:2] + reach), top]))
    if len(faces) == 0:
        return faces
    longest = (float(np.ptp(faces.reshape(-1, 3), axis=0).max()) or 1.0) / pieces_across
    pieces, _ = cut_triangles(faces, longest)
    is_lid = ~steep(pieces)
    floor = _ground_below(pieces[is_lid], ground, longest, high[2])
    hides = pieces[is_lid][:, :, 2].min(axis=1) >= floor + CEILING * height
    kept = np.ones(len(pieces), dtype=np.bool_)
    kept[np.flatnonzero(is_lid)[hides]] = False
    return pieces[kept]


def _clip(faces: Floats, low: Floats, high: Floats) -> Floats:
    """Return the parts of (n, 3, 3) triangles inside a box."""
    inside = (faces.min(axis=1) < high).all(axis=1) & (faces.max(axis=1) > low).all(axis=1)
    points = faces[inside].reshape(-1, 3)
    triangles: Ids = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    for axis in range(3):
        # Sections are cut across the third axis.
        turned = np.roll(points, 2 - axis, axis=1)
        section = Section(float(low[axis]), float(high[axis]))
        turned, kept, _ = cut_faces(turned, triangles, section)
        triangles = kept.astype(np.int32)
        points = np.roll(turned, axis - 2, axis=1)
    return np.asarray(points[triangles])


def _ground_below(pieces: Floats, ground: Floats, size: float, highest: float) -> Floats:
    """(n,) float64: the highest ground around each piece; `highest` where there is none. [m]."""
    walked, _ = cut_triangles(ground, size)
    low = np.minimum(walked.min(axis=(0, 1)), pieces.min(axis=(0, 1)))[:2] - size
    cells = [
        ((x.mean(axis=1)[:, :2] - low) // (2.0 * size)).astype(np.intp) for x in (walked, pieces)
    ]
    shape = np.maximum(cells[0].max(axis=0), cells[1].max(axis=0)) + 3
    tops = np.full(shape, -np.inf)
    np.maximum.at(tops, tuple(cells[0].T + 1), walked[:, :, 2].max(axis=1))
    # The ground ends short of the walls that a ceiling reaches to.
    around = np.full_like(tops, -np.inf)
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            around = np.maximum(around, np.roll(tops, (i, j), axis=(0, 1)))
    found = around[tuple(cells[1].T + 1)]
    return np.asarray(np.where(np.isfinite(found), found, highest))
