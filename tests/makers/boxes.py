"""Boxes as a scene."""

import numpy as np

import walkmesh as wm


def boxes(*extents):
    """Return boxes as a scene."""
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    triples = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    corners = [
        np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)], dtype=float)
        for low, high in extents
    ]
    faces = [np.array(triples) + 8 * i for i in range(len(extents))]
    return wm.Scene(np.concatenate(corners), np.concatenate(faces))
