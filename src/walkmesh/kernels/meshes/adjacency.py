"""Adjacency: who lies across each edge, and which polygons hang together.

Polygons are ragged: polygon p has the corners ``corners[offsets[p] : offsets[p + 1]]``, and its
edge i runs from corner i to the next corner of the same polygon.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.union_find import number_sets, separate, unite
from walkmesh.kernels.search.hashing import hash_pair, table_size

# What the edge hash tells of an edge, in place of a neighbour.
BOUNDARY = -1
COMPLEX = -2


@kernel(kt.INTS, kt.INTS, kt.OUT_INTS)
def match_edges(offsets, corners, mates):
    """Find, for every edge, the same edge run through the other way by another polygon.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    corners : (c,) int32
        Vertex ids.
    mates : (c,) int32, output
        Index of the matching edge (of its first corner); BOUNDARY where there is none; COMPLEX
        where more than two polygons have the edge, or two run through it the same way.
    """
    ends = np.empty(len(corners), np.int32)
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            ends[i] = corners[next_corner(offsets, polygon, i)]
    size = table_size(len(corners))
    table = np.full(size, -1, np.int32)
    for i in range(len(corners)):
        a, b = corners[i], ends[i]
        place = hash_pair(min(a, b), max(a, b), size - 1)
        while True:
            j = table[place]
            if j < 0:
                table[place] = i
                mates[i] = BOUNDARY
                break
            if corners[j] == b and ends[j] == a and mates[j] == BOUNDARY:
                mates[i], mates[j] = j, i
                break
            if (corners[j] == a and ends[j] == b) or (corners[j] == b and ends[j] == a):
                if mates[j] >= 0:
                    mates[mates[j]] = COMPLEX
                mates[i], mates[j] = COMPLEX, COMPLEX
                break
            place = (place + 1) & (size - 1)


@kernel
def next_corner(offsets, polygon, i):
    """Return the corner of `polygon` that follows corner i."""
    return i + 1 if i + 1 < offsets[polygon + 1] else offsets[polygon]


@kernel(kt.INTS, kt.INTS, kt.OUT_INTS)
def label_components(offsets, neighbors, labels):
    """Label the connected sets of polygons, in the order of their first polygon.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    neighbors : (c,) int32
        The polygon across each edge; negative, or beyond the last polygon, means none.
    labels : (p,) int32, output
        The component of each polygon, from 0.

    Returns
    -------
    int
        The number of components.
    """
    count = len(offsets) - 1
    parent = np.empty(count, np.int32)
    separate(parent)
    for polygon in range(count):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if 0 <= neighbors[i] < count:
                unite(parent, polygon, neighbors[i])
    return number_sets(parent, labels)
