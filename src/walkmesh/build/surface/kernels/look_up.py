"""Looking up along normals: whether anything is there."""

import numpy as np

from walkmesh.kernels.box_tree import DEPTH_LIMIT, gather_items
from walkmesh.kernels.kernel import FLOAT, INTS, OUT_BYTES, POINTS, TRIPLES, kernel

# Faces closer than this above a place are what it lies on. [m]
_ON_FACE = 1e-3


@kernel(POINTS, POINTS, POINTS, TRIPLES, INTS, POINTS, FLOAT, OUT_BYTES)
def look_up(places, directions, points, triangles, order, nodes, height, found):
    """Tell above which places there is a face.

    Parameters
    ----------
    places, directions : (n, 3) float64
        Where to look from (metres), and unit vectors.
    points, triangles
        The faces.
    order, nodes
        A tree of boxes over them.
    height : float
        How far to look. [Unit: m]
    found : (n,) uint8, output
        1 where there is one.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    for i in range(len(places)):
        for k in range(3):
            end = places[i, k] + height * directions[i, k]
            box[k], box[k + 3] = min(places[i, k], end), max(places[i, k], end)
        found[i] = 0
        for item in range(gather_items(nodes, order, box, stack, near)):
            height_over = _height(places, directions, points, triangles, i, near[item])
            if _ON_FACE < height_over < height - _ON_FACE:
                found[i] = 1
                break


@kernel
def _height(places, directions, points, triangles, i, f):
    """Return how far up along its direction a place meets a face; negative if it does not."""
    a, b, c = triangles[f, 0], triangles[f, 1], triangles[f, 2]
    # Signed volumes of the line with each side tell whether it passes through (Moeller, Trumbore).
    p, e, g, s = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for k in range(3):
        e[k], g[k] = points[b, k] - points[a, k], points[c, k] - points[a, k]
        s[k] = places[i, k] - points[a, k]
    for k in range(3):
        x, y = (k + 1) % 3, (k + 2) % 3
        p[k] = directions[i, x] * g[y] - directions[i, y] * g[x]
    whole = e[0] * p[0] + e[1] * p[1] + e[2] * p[2]
    if whole == 0.0:
        return -1.0
    u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / whole
    if u < 0.0 or u > 1.0:
        return -1.0
    for k in range(3):
        x, y = (k + 1) % 3, (k + 2) % 3
        p[k] = s[x] * e[y] - s[y] * e[x]
    v = p[0] * directions[i, 0] + p[1] * directions[i, 1] + p[2] * directions[i, 2]
    v /= whole
    if v < 0.0 or u + v > 1.0:
        return -1.0
    return (g[0] * p[0] + g[1] * p[1] + g[2] * p[2]) / whole
