"""Fans of triangles around vertices: one each, which starts at the boundary if it touches it."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import last_of, next_of


@kernel(kt.INTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS)
def split_fans(mates, corners, start, sources):
    """Give every fan of triangles a vertex of its own.

    Parameters
    ----------
    mates : (3 t,) int32
        The matching edge of each edge, negative where there is none.
    corners : (3 t,) int32, input and output
        Vertex ids of the triangles, counter-clockwise; renumbered.
    start : (3 t,) int32, output
        In its first places the first edge of each fan: its boundary edge if it has one.
    sources : (3 t,) int32, output
        In its first places the vertex that each fan was at.

    Returns
    -------
    int
        The number of fans.
    """
    seen = np.zeros(len(corners), np.uint8)
    count = 0
    for i in range(len(corners)):
        if seen[i]:
            continue
        first = _first_edge(mates, i)
        start[count], sources[count] = first, corners[i]
        edge = first
        while edge >= 0 and not seen[edge]:
            seen[edge] = 1
            corners[edge] = count
            edge = mates[last_of(edge)]
        count += 1
    return count


@kernel
def _first_edge(mates, edge):
    """Return the first edge of the fan around the vertex that `edge` starts from."""
    current = edge
    while mates[current] >= 0:
        current = next_of(mates[current])
        if current == edge:
            break
    return current


@kernel
def join_vertices(corners, mates, start, spokes, count, gone, kept):
    """Let one vertex take the place of another in its triangles, and remove those with both."""
    for k in range(count):
        corners[spokes[k]] = kept
    for k in range(count):
        face = 3 * (spokes[k] // 3)
        if (
            corners[face] == corners[face + 1]
            or corners[face + 1] == corners[face + 2]
            or corners[face + 2] == corners[face]
        ):
            _remove_face(corners, mates, start, face, kept)
    start[gone] = -1


@kernel
def previous_vertex(corners, mates, first):
    """Return the vertex before the one whose boundary edge is `first`, along the boundary."""
    last = last_of(first)
    while mates[last] >= 0:
        last = last_of(mates[last])
    return corners[last]


@kernel
def _remove_face(corners, mates, start, face, kept):
    """Take a triangle with two equal corners away, and join what lies across its other edges."""
    # The edge between equal corners; then x is the corner across it.
    short = face
    while corners[short] != corners[next_of(short)]:
        short += 1
    toward, back = next_of(short), last_of(short)  # kept -> x and x -> kept
    x = corners[back]
    one, two = mates[toward], mates[back]  # x -> kept and kept -> x, in the neighbours
    if one >= 0:
        mates[one] = two
    if two >= 0:
        mates[two] = one
    if mates[short] >= 0:
        mates[mates[short]] = -1
    for k in range(3):
        corners[face + k] = -1
        mates[face + k] = -1
    start[kept] = _first_edge(mates, two if two >= 0 else next_of(one))
    start[x] = _first_edge(mates, one if one >= 0 else next_of(two))
