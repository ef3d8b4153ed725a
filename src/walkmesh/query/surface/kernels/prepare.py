"""What searches need to know of a surface, found once."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.surface.kernels import columns as col


@kernel(kt.INTS, kt.INTS, kt.INTS, kt.INTS, kt.TRIPLES, kt.OUT_TRIPLES)
def pair_halves(offsets, corners, mates, grounds, triangles, halves):
    """Find each half of an edge as the triangle across has it.

    Parameters
    ----------
    offsets, corners : (p + 1,) and (c,) int32
        Ragged polygons.
    mates : (c,) int32
        The side of the neighbour that is the same as each side; -1 where there is none.
    grounds, triangles : (p + 1,) and (t, 3) int32
        The triangles that polygons are cut into, and where those of each start.
    halves : (3 t, 3) int32, output
        See :mod:`walkmesh.query.surface.kernels.mesh`; without fans.
    """
    sides = np.full(len(corners), -1, np.int32)  # the half along each side of a polygon
    for polygon in range(len(offsets) - 1):
        first, stop = 3 * grounds[polygon], 3 * grounds[polygon + 1]
        for half in range(first, stop):
            a, b = triangles[half // 3, half % 3], triangles[half // 3, (half + 1) % 3]
            halves[half, col.MATE], halves[half, col.CORNER] = -1, -1
            for i in range(offsets[polygon], offsets[polygon + 1]):
                if corners[i] == a and corners[next_corner(offsets, polygon, i)] == b:
                    halves[half, col.CORNER] = i
                    sides[i] = half
                    break
            if halves[half, col.CORNER] >= 0:
                continue
            for other in range(first, half):
                c, d = triangles[other // 3, other % 3], triangles[other // 3, (other + 1) % 3]
                if c == b and d == a:
                    halves[half, col.MATE], halves[other, col.MATE] = other, half
                    break
    for half in range(len(halves)):
        corner = halves[half, col.CORNER]
        if corner >= 0 and mates[corner] >= 0:
            halves[half, col.MATE] = sides[mates[corner]]


@kernel(kt.POINTS, kt.TRIPLES, kt.OUT_TRIPLES, kt.OUT_POINTS, kt.OUT_TRIPLES, kt.OUT_FLOATS)
def measure_halves(points, triangles, halves, shapes, fans, turns):
    """Measure the frames of halves, and go around every vertex.

    Parameters
    ----------
    points, triangles : (n, 3) float64 and (t, 3) int32
        The ground. [Unit: m]
    halves, shapes, fans, turns : outputs
        See :mod:`walkmesh.query.surface.kernels.mesh`; there is room for 3 t fans.

    Returns
    -------
    int
        How many fans there are.
    """
    for half in range(len(halves)):
        triangle, k = half // 3, half % 3
        a, b = triangles[triangle, k], triangles[triangle, (k + 1) % 3]
        c = triangles[triangle, (k + 2) % 3]
        ex, ey, ez = _from_to(points, a, b)
        fx, fy, fz = _from_to(points, a, c)
        length = math.sqrt(ex * ex + ey * ey + ez * ez)
        shapes[half, col.LENGTH], shapes[half, col.APEX_X], shapes[half, col.APEX_Y] = (
            length,
            0.0,
            0.0,
        )
        if length > 0.0:
            nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
            shapes[half, col.APEX_X] = (ex * fx + ey * fy + ez * fz) / length
            shapes[half, col.APEX_Y] = math.sqrt(nx * nx + ny * ny + nz * nz) / length
        halves[half, col.FAN] = -1
    count = 0
    for start in range(len(halves)):
        if halves[start, col.FAN] >= 0:
            continue
        first = start
        while True:  # clockwise to the boundary, or once around
            back = halves[first, col.MATE]
            if back < 0:
                break
            first = next_of(back)
            if first == start:
                break
        closed = halves[first, col.MATE] >= 0
        half, turn, size = first, 0.0, 0
        while True:
            halves[half, col.FAN] = count
            shapes[half, col.ANGLE] = turn
            turn += math.atan2(shapes[half, col.APEX_Y], shapes[half, col.APEX_X])
            size += 1
            half = halves[last_of(half), col.MATE]
            if half < 0 or half == first:
                break
        fans[count, col.VERTEX] = triangles[start // 3, start % 3]
        fans[count, col.FIRST], fans[count, col.COUNT] = first, size
        turns[count] = turn
        fans[count, col.TURNS] = col.NEVER
        if closed and turn > 2.0 * math.pi + tol.NO_SHADOW:
            fans[count, col.TURNS] = col.SADDLE
        elif not closed and turn > math.pi + tol.NO_SHADOW:
            fans[count, col.TURNS] = col.CORNERED
        count += 1
    return count


@borrowing
def _from_to(points, a, b):
    return points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
