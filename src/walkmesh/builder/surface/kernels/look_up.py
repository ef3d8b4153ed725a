"""Looking up along normals: whether anything is there.

Trees over faces may have a long sliver in several leaves, see
:meth:`walkmesh.builder.surface.stages.faces.Sides.fine_tree`.
"""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import dot
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_sweep import gather_along
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items


@kernel(kt.POINTS, kt.POINTS, kt.TRIANGLES, kt.TREE, kt.FLOAT, kt.OUT_BYTES)
def look_up(places, directions, faces, tree, height, found):
    """Tell above which places there is a face.

    Parameters
    ----------
    places, directions : (n, 3) float64
        Where to look from (metres), and unit vectors.
    faces, tree : TRIANGLES and TREE
        The faces with their normals, and a tree over them.
    height : float
        How far to look. [Unit: m]
    found : (n,) uint8, output
        1 where there is one.
    """
    points, triangles, _ = faces
    _, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box, way = np.empty(6, np.float64), np.empty(3, np.float64)
    for i in range(len(places)):
        for k in range(3):
            box[k], box[k + 3] = places[i, k] - tol.NEAR_BOX, places[i, k] + tol.NEAR_BOX
            way[k] = height * directions[i, k]
        found[i] = 0
        for item in range(gather_along(nodes, order, box, way, stack, near)):
            height_over = _height(places, directions, points, triangles, i, near[item])
            if tol.ABOVE_FACE < height_over < height - tol.ABOVE_FACE:
                found[i] = 1
                break


@kernel(kt.POINTS, kt.POINTS, kt.FLOAT, kt.TRIANGLES, kt.TREE, kt.FLOAT, kt.OUT_BYTES)
def touch_faces(places, directions, cosine, faces, tree, distance, found):
    """Tell which places are close to a face that faces a given way.

    Parameters
    ----------
    places, directions : (n, 3) float64
        Where to look (metres), and unit vectors.
    cosine : float
        Of the largest angle between a direction and the normal of a face.
    faces, tree : TRIANGLES and TREE
        The faces with their normals, and a tree over them.
    distance : float
        How far away is close. [Unit: m]
    found : (n,) uint8, output
        1 for those that are.
    """
    points, triangles, normals = faces
    _, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    for i in range(len(places)):
        for k in range(3):
            box[k], box[k + 3] = places[i, k] - distance, places[i, k] + distance
        found[i] = 0
        for item in range(gather_items(nodes, order, box, stack, near)):
            f = near[item]
            along = dot(directions, i, normals, f)
            if along >= cosine and is_near(points, triangles, normals, f, places[i], distance):
                found[i] = 1
                break


@kernel
def is_near(points, triangles, normals, f, place, distance):
    """Tell whether a place is no farther than a distance off a face, and beyond its sides."""
    a = triangles[f, 0]
    off = 0.0
    for k in range(3):
        off += normals[f, k] * (place[k] - points[a, k])
    if abs(off) > distance:
        return False
    for corner in range(3):
        a, b = triangles[f, corner], triangles[f, (corner + 1) % 3]
        square, beside = 0.0, 0.0
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            ei, ej = points[b, i] - points[a, i], points[b, j] - points[a, j]
            square += (points[b, k] - points[a, k]) ** 2
            # How far to the left of the side: (side x (place - a)) . normal
            beside += normals[f, k] * ei * (place[j] - points[a, j])
            beside -= normals[f, k] * ej * (place[i] - points[a, i])
        if beside < -distance * np.sqrt(square):
            return False
    return True


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
