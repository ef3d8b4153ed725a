"""Boxes such as planks, as triangles (u, v, h), and scenes of these with z up."""

import numpy as np

import walkmesh as wm

# The corners of a box in the order of (u, v, h), counter-clockwise from outside; the top first.
QUADS = [(1, 5, 7, 3), (0, 2, 6, 4), (0, 4, 5, 1), (2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5)]


def box(low, high, *, sides=True):
    """Return the triangles of a box, or of its top alone."""
    corners = np.array([(u, v, h) for u in (low[0], high[0]) for v in (low[1], high[1])
                        for h in (low[2], high[2])], dtype=float)  # fmt: skip
    quads = QUADS if sides else QUADS[:1]
    return corners[[t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]]


def scene_of(triangles):
    faces = np.arange(3 * len(triangles)).reshape(-1, 3)
    return wm.Scene(np.round(triangles, 6).reshape(-1, 3), faces, "z")
