"""Proportions of a scene: which way its faces lie, and how large they are."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# Sizes are counted in this many classes for every doubling, from 2 ** -20 m up.
CLASSES = 4
SMALLEST = -20
SIZES = 64 * CLASSES

# Faces this close to an axis, as the cosine of the angle, lie across it; and exactly across it.
_ACROSS = 0.7071
_EXACTLY = 0.999
# Faces whose normals have a smaller vertical part are upright.
_UPRIGHT = 0.1


@kernel(
    kt.POINTS, kt.TRIPLES, kt.FLOATS, kt.FLOATS, kt.OUT_FLOATS, kt.OUT_POINTS, kt.OUT_FLOATS,
    kt.OUT_FLOATS,
)  # fmt: skip
def weigh_faces(points, triangles, lowest, bins, across, layers, edges, walls):
    """Add up the areas of faces by the axis they lie across, and count their sizes.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    lowest, bins : (3,) float64
        The lowest coordinates, and the size of a layer along each axis. [Unit: m]
    across : (4,) float64, output
        The area of faces that lie across each axis, and that of all. [Unit: m2]
    layers : (3, l) float64, output
        The area of faces exactly across each axis, by where they are along it. [Unit: m2]
    edges : (SIZES,) float64, output
        How many faces have a longest side of each size.
    walls : (SIZES,) float64, output
        The area of upright faces, by how high they are. [Unit: m2]
    """
    normal = np.empty(3, np.float64)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        longest = 0.0
        for p, q in ((a, b), (b, c), (c, a)):
            length = 0.0
            for k in range(3):
                length += (points[q, k] - points[p, k]) ** 2
            longest = max(longest, length)
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            normal[k] = (points[b, i] - points[a, i]) * (points[c, j] - points[a, j])
            normal[k] -= (points[b, j] - points[a, j]) * (points[c, i] - points[a, i])
        twice = math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
        if twice <= 0.0 or longest <= 0.0:
            continue
        area = twice / 2.0
        across[3] += area
        edges[_size(math.sqrt(longest))] += 1.0
        for k in range(3):
            cosine = abs(normal[k]) / twice
            if cosine > _ACROSS:
                across[k] += area
            if cosine > _EXACTLY:
                layer = int((points[a, k] - lowest[k]) / bins[k])
                layers[k, min(max(layer, 0), layers.shape[1] - 1)] += area
        if abs(normal[2]) < _UPRIGHT * twice:
            top = max(points[a, 2], points[b, 2], points[c, 2])
            height = top - min(points[a, 2], points[b, 2], points[c, 2])
            if height > 0.0:
                walls[_size(height)] += area


@kernel
def _size(length):
    """Return the class of a length."""
    return min(max(int((math.log2(length) - SMALLEST) * CLASSES), 0), SIZES - 1)
