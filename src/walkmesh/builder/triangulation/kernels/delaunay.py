"""The constrained Delaunay triangulation of the regions between rings."""

import numpy as np

from walkmesh.builder.triangulation.kernels.grid import in_circle
from walkmesh.builder.triangulation.kernels.insertion import insert
from walkmesh.builder.triangulation.kernels.recovery import (
    LOST,
    TWICE,
    WRONG_SIDE,
    ZERO_LENGTH,
    flip_marked,
    recover_edge,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of


@kernel(kt.LONGS_2D, kt.LONGS, kt.LONGS, kt.INTS, kt.INTS, kt.OUT_TRIPLES, kt.OUT_LONGS)
def triangulate_rings(places, keys, order, ring_offsets, rings, triangles, mates):
    """Triangulate what lies to the left of all rings.

    Corners at the same place are one point while triangles are made. What lies between two ring
    edges around such a point then gets the vertex of the ring edge that leaves the point there.

    Parameters
    ----------
    places : (c, 2) int64
        Where each corner of a ring lies, counted from zero.
    keys : (c,) int64
        Its key from `hilbert_keys`.
    order : (c,) int64
        The corners by ascending key.
    ring_offsets, rings : (r + 1,) and (c,) int32
        Ragged rings of vertex ids.
    triangles : (2 c, 3) int32, output
        Vertex ids.
    mates : (6 c,) int64, output
        The matching edge of each triangle's edge; -1 for ring edges.

    Returns
    -------
    int
        The number of triangles; or what is wrong, see `recovery`.
    """
    points = np.empty((len(places) + 4, 2), np.int64)
    point_of = np.empty(len(places), np.int64)
    count = _gather_points(places, keys, order, points, point_of)
    room = 6 * count + 6
    corners, across = np.empty(room, np.int64), np.empty(room, np.int64)
    start = np.empty(count + 4, np.int64)
    _insert_all(points, corners, across, start, count)
    marks = np.zeros(room, np.int64)
    fault = _recover_rings(points, corners, across, marks, start, ring_offsets, point_of)
    if fault < 0:
        return fault
    inside = np.zeros(room // 3, np.uint8)
    stack = np.empty(room, np.int64)
    fault = _flood(across, marks, inside, stack)
    if fault < 0:
        return fault
    on_stack = np.zeros(room, np.uint8)
    _flip_all(points, corners, across, marks, start, inside, stack, on_stack)
    rows = np.empty(room // 3, np.int64)
    return _number(across, marks, inside, rings, stack, rows, triangles, mates)


@shared_borrowing
def _gather_points(places, keys, order, points, point_of):
    """Write the distinct places in their order, and a box around them; return their number."""
    count = 0
    width, height = np.int64(0), np.int64(0)
    for i in range(len(order)):
        corner = order[i]
        if i == 0 or keys[corner] != keys[order[i - 1]]:
            # One further from zero, so that the box has room around.
            points[count, 0], points[count, 1] = places[corner, 0] + 1, places[corner, 1] + 1
            width, height = max(width, points[count, 0]), max(height, points[count, 1])
            count += 1
        point_of[corner] = count - 1
    for k in range(4):
        points[count + k, 0] = width + 1 if k == 1 or k == 2 else 0
        points[count + k, 1] = height + 1 if k >= 2 else 0
    return count


@shared_borrowing
def _insert_all(points, corners, mates, start, count):
    """Triangulate the box with all points in it."""
    for k in range(6):
        mates[k] = -1
    mates[2], mates[3] = 3, 2
    corners[0], corners[1], corners[2] = count, count + 1, count + 2
    corners[3], corners[4], corners[5] = count, count + 2, count + 3
    for k in range(6):
        start[corners[k]] = k
    triangle = np.int64(0)
    for point in range(count):
        triangle = insert(points, corners, mates, start, 2 * point + 2, triangle, point)


@shared_borrowing
def _recover_rings(points, corners, mates, marks, start, ring_offsets, point_of):
    """Make every ring edge an edge, marked with its first corner's number in the rings plus one."""
    for ring in range(len(ring_offsets) - 1):
        first, stop = ring_offsets[ring], ring_offsets[ring + 1]
        for corner in range(first, stop):
            a = point_of[corner]
            b = point_of[corner + 1 if corner + 1 < stop else first]
            if a == b:
                return ZERO_LENGTH
            edge = recover_edge(points, corners, mates, marks, start, a, b)
            if edge < 0:
                return edge
            if marks[edge] != 0:
                return TWICE
            marks[edge] = corner + 1
    return 0


@shared_borrowing
def _flood(mates, marks, inside, stack):
    """Find the triangles to the left of ring edges, and those that no ring edge parts from them."""
    waiting = 0
    for edge in range(len(mates)):
        if marks[edge] != 0 and not inside[edge // 3]:
            inside[edge // 3] = 1
            stack[waiting] = edge // 3
            waiting += 1
    while waiting > 0:
        waiting -= 1
        triangle = stack[waiting]
        for edge in range(3 * triangle, 3 * triangle + 3):
            mate = mates[edge]
            if mate < 0:
                return WRONG_SIDE
            if marks[edge] == 0 and marks[mate] == 0 and not inside[mate // 3]:
                inside[mate // 3] = 1
                stack[waiting] = mate // 3
                waiting += 1
    for edge in range(len(mates)):
        if marks[edge] != 0 and marks[mates[edge]] == 0 and inside[mates[edge] // 3]:
            return WRONG_SIDE
    return 0


@shared_borrowing
def _flip_all(points, corners, mates, marks, start, inside, stack, on_stack):
    """Flip edges inside until all are Delaunay, but for ring edges."""
    waiting = 0
    for edge in range(len(mates) - 1, -1, -1):
        if inside[edge // 3] and mates[edge] > edge:
            on_stack[edge] = 1
            stack[waiting] = edge
            waiting += 1
    while waiting > 0:
        waiting -= 1
        e = stack[waiting]
        on_stack[e] = 0
        m = mates[e]
        if marks[e] != 0 or marks[m] != 0:
            continue
        if not in_circle(points, corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]):
            continue
        flip_marked(corners, mates, marks, start, e, m)
        for side in (e, last_of(e), m, last_of(m)):
            lower = min(side, mates[side])
            if inside[lower // 3] and not on_stack[lower]:
                on_stack[lower] = 1
                stack[waiting] = lower
                waiting += 1


@shared_borrowing
def _number(across, marks, inside, rings, vertices, rows, triangles, mates):
    """Write the triangles inside with their vertices, and return how many there are."""
    for corner in range(len(across)):
        vertices[corner] = -1
    for edge in range(len(across)):
        if marks[edge] == 0:
            continue
        corner = edge
        while True:  # around the point, to the left, up to the next ring edge
            vertices[corner] = rings[marks[edge] - 1]
            last = last_of(corner)
            corner = across[last]
            if marks[last] != 0 or marks[corner] != 0:
                break
    count = 0
    for triangle in range(len(inside)):
        if inside[triangle]:
            rows[triangle] = count
            count += 1
    if count > len(triangles):
        return LOST
    for triangle in range(len(inside)):
        if not inside[triangle]:
            continue
        row = rows[triangle]
        for k in range(3):
            edge = 3 * triangle + k
            if vertices[edge] < 0:
                return LOST
            triangles[row, k] = vertices[edge]
            mate = across[edge]
            if marks[edge] != 0 or marks[mate] != 0:
                mates[3 * row + k] = -1
            else:
                mates[3 * row + k] = 3 * rows[mate // 3] + mate % 3
    return count
