r"""Taking away triangles without width, which vertices in the middle of edges leave behind.

The longest side of a sliver is flipped, so that the vertex across it belongs to the triangle on
the other side; at a boundary the sliver just goes::

        c                    c
       / \                  /|\
      /   \        ->      / | \
     a --m-- b            a--m--b
     (a, b, m without width)
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import join_edges
from walkmesh.kernels.meshes.union_find import point_at_roots, separate, unite

# Every sliver is tried so often, since flips can make new ones.
_TRIES = 8


@kernel(kt.POINTS, kt.TRIPLES, kt.FLOAT, kt.OUT_INTS)
def join_ends(points, triangles, length, first):
    """Make the ends of short sides one vertex.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids.
    length : float
        Sides shorter than this are short. [Unit: m]
    first : (n,) int32, output
        The first of the vertices that each is one with.
    """
    separate(first)
    for t in range(len(triangles)):
        for k in range(3):
            a, b = triangles[t, k], triangles[t, (k + 1) % 3]
            square = 0.0
            for axis in range(3):
                square += (points[b, axis] - points[a, axis]) ** 2
            if square < length * length:
                unite(first, a, b)
    point_at_roots(first)


@kernel(kt.POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.FLOAT)
def flip_slivers(points, corners, mates, width):
    """Flip slivers away.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    corners, mates : (3 t,) int32, input and output
        Vertex ids of triangles, and the edge across each edge; -1 for the corners of triangles that
        are gone.
    width : float
        Triangles lower than this over their longest side are slivers. [Unit: m]

    Returns
    -------
    int
        How many slivers there were.
    """
    count = 0
    for _ in range(_TRIES):
        found = 0
        for t in range(len(corners) // 3):
            if corners[3 * t] < 0:
                continue
            longest, low = _lowest(points, corners, t)
            if low >= width:
                continue
            found += 1
            edge = 3 * t + longest
            mate = mates[edge]
            if mate < 0 or mate // 3 == t:
                _remove(corners, mates, t)
            elif not _flip(points, corners, mates, edge, mate):
                found -= 1
        count += found
        if found == 0:
            break
    return count


@kernel
def _lowest(points, corners, t):
    """Return which side of a triangle is the longest, and how high the triangle is over it."""
    longest, most = 0, -1.0
    for k in range(3):
        length = _square(points, corners[3 * t + k], corners[3 * t + (k + 1) % 3])
        if length > most:
            longest, most = k, length
    return longest, _height(points, corners[3 * t], corners[3 * t + 1], corners[3 * t + 2])


@kernel
def _square(points, a, b):
    square = 0.0
    for k in range(3):
        square += (points[b, k] - points[a, k]) ** 2
    return square


@kernel
def _height(points, a, b, c):
    """Return how high a triangle is over its longest side."""
    square = 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        across = (points[b, i] - points[a, i]) * (points[c, j] - points[a, j])
        across -= (points[b, j] - points[a, j]) * (points[c, i] - points[a, i])
        square += across * across
    longest = max(_square(points, a, b), _square(points, b, c), _square(points, c, a))
    return np.sqrt(square / longest) if longest > 0.0 else 0.0


@kernel
def _remove(corners, mates, t):
    """Take a triangle away; what lies across its sides has a boundary there."""
    for k in range(3):
        edge = 3 * t + k
        if mates[edge] >= 0:
            mates[mates[edge]] = -1
        corners[edge], mates[edge] = -1, -1


@kernel
def _flip(points, corners, mates, edge, mate):
    """Flip the edge between two triangles; False if that leaves a triangle as low as before."""
    a, b = edge, mate
    an, al = next_of(a), last_of(a)
    bn, bl = next_of(b), last_of(b)
    p, m = corners[a], corners[al]
    q, c = corners[b], corners[bl]
    if m == c:
        return False
    before = min(_height(points, p, q, m), _height(points, q, p, c))
    if min(_height(points, m, p, c), _height(points, c, q, m)) <= before:
        return False
    # p -> q -> m and q -> p -> c become m -> p -> c and c -> q -> m.
    across_pm, across_mq = mates[al], mates[an]
    across_cq, across_pc = mates[bl], mates[bn]
    corners[a], corners[an], corners[al] = m, p, c
    corners[b], corners[bn], corners[bl] = c, q, m
    # Sides: m -> p, p -> c, c -> m and c -> q, q -> m, m -> c.
    join_edges(mates, a, across_pm)
    join_edges(mates, an, across_pc)
    join_edges(mates, b, across_cq)
    join_edges(mates, bn, across_mq)
    join_edges(mates, al, bl)
    return True
