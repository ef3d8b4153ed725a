"""Greedy refinement: vertices where samples of the ground lie furthest from the triangles.

After Garland and Heckbert (1995), "Fast polygonal approximation of terrains and height fields".
The samples in a triangle are found row by row, each a run of ascending x, so none is listed
anywhere: only the triangles around a new vertex are looked over again.
"""

import numpy as np

from walkmesh.builder.triangulation.kernels.insertion import flip_around, split_edge, split_triangle
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.turns import turn_at
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.meshes.corners import next_of
from walkmesh.kernels.search.heap import heap_pop, heap_push

# Places in `state`.
VERTICES, TRIANGLES = 0, 1

# In `worst`, for a triangle: no sample is too far, or it was not looked over yet.
_NONE = -1
UNSEEN = -2


# See `refine_heights`.
_MESH = kt.packed(kt.OUT_LONGS_2D, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS)
_OUTLIERS = kt.packed(kt.OUT_FLOATS, kt.OUT_INTS)
_SURVEY = kt.packed(kt.TRIPLES, kt.FLOATS, kt.LONGS)


@kernel(_MESH, _OUTLIERS, _SURVEY, kt.FLOAT, kt.OUT_LONGS)
def refine_heights(mesh, outliers, survey, tolerance, state):
    """Insert the worst sample while one lies too far from the triangles, and there is room.

    Parameters
    ----------
    mesh : tuple, changed
        The vertices, (n, 2) int64, their heights, (n,) float64, the corners of triangles and their
        matching edges, (3 t,) int32, and one corner of each vertex, (n,) int32; with room for more
        vertices, and for two more triangles for each.
    outliers : tuple, changed
        How far the worst sample of each triangle lies from it, (t,) float64, and which one that is,
        (t,) int32; UNSEEN in the first call.
    survey : tuple
        Where the ground was measured, (m, 2) int32, in rows of the same y, each by ascending x; how
        high it is there, (m,) float64; and the ragged rows, (k + 1,) int64.
    tolerance : float
        How far a sample may lie from the triangles.
    state : (2,) int64, changed
        The numbers of vertices and of triangles.

    Returns
    -------
    bool
        Whether all is done; otherwise the room was not enough.
    """
    points, heights, corners, mates, start = mesh
    errors, worst = outliers
    samples, sample_heights, _ = survey
    capacity = 2 * len(worst) + 64
    keys, items = np.empty(capacity, np.float64), np.empty(capacity, np.int64)
    for triangle in range(state[TRIANGLES]):
        if worst[triangle] == UNSEEN:
            _look_over(mesh, triangle, survey, tolerance, outliers)
    waiting = _fill_heap(keys, items, errors, worst, state[TRIANGLES])
    while waiting > 0:
        key, triangle = heap_pop(keys, items, waiting)
        waiting -= 1
        sample = worst[triangle]
        if sample < 0 or -key != errors[triangle]:
            continue  # the triangle has changed since
        vertex, count = state[VERTICES], state[TRIANGLES]
        if vertex == len(heights):
            return False
        points[vertex, 0], points[vertex, 1] = samples[sample, 0], samples[sample, 1]
        heights[vertex] = sample_heights[sample]
        _insert(points, corners, mates, start, count, triangle, vertex)
        state[VERTICES], state[TRIANGLES] = vertex + 1, count + 2
        first = start[vertex]
        corner = first
        while True:
            triangle = np.int64(corner // 3)
            _look_over(mesh, triangle, survey, tolerance, outliers)
            if worst[triangle] >= 0:
                if waiting == capacity:  # by entries that are out of date
                    waiting = _fill_heap(keys, items, errors, worst, state[TRIANGLES])
                heap_push(keys, items, waiting, -errors[triangle], triangle)
                waiting += 1
            corner = next_of(mates[corner])
            if corner == first:
                break
    return True


@borrowing
def _fill_heap(keys, items, errors, worst, count):
    """Make a heap of the triangles with a sample too far, and return how many there are."""
    waiting = 0
    for triangle in range(count):
        if worst[triangle] >= 0:
            heap_push(keys, items, waiting, -errors[triangle], triangle)
            waiting += 1
    return waiting


@borrowing
def _insert(points, corners, mates, start, count, triangle, vertex):
    """Insert a vertex that lies in a triangle or on an edge between two."""
    on = -1
    for edge in range(3 * triangle, 3 * triangle + 3):
        a, b = corners[edge], corners[next_of(edge)]
        if turn_at(points, a, b, points[vertex, 0], points[vertex, 1]) == 0:
            on = edge
    if on >= 0:
        split_edge(corners, mates, start, count, on, vertex)
    else:
        split_triangle(corners, mates, start, count, triangle, vertex)
    flip_around(points, corners, mates, start, vertex)


@shared_borrowing
def _look_over(mesh, triangle, survey, tolerance, outliers):
    """Find the sample of a triangle that lies furthest from it in height.

    Samples at its corners and on boundary edges do not count.
    """
    points, heights, corners, mates, _ = mesh
    samples, sample_heights, row_offsets = survey
    a, b, c = corners[3 * triangle], corners[3 * triangle + 1], corners[3 * triangle + 2]
    ax, ay = points[a, 0], points[a, 1]
    bx, by = points[b, 0] - ax, points[b, 1] - ay
    cx, cy = points[c, 0] - ax, points[c, 1] - ay
    area = bx * cy - by * cx
    low, high = min(0, min(by, cy)), max(0, max(by, cy))
    base = heights[a]
    rise_b, rise_c = (heights[b] - base) / area, (heights[c] - base) / area
    most, found = tolerance, _NONE
    row = _first_row(samples, row_offsets, ay + low)
    while row < len(row_offsets) - 1:
        y = np.int64(samples[row_offsets[row], 1]) - ay
        if y > high:
            break
        left, right = min(0, min(bx, cx)), max(0, max(bx, cx))
        left, right = _narrow(left, right, np.int64(0), np.int64(0), bx, by, y)
        left, right = _narrow(left, right, bx, by, cx - bx, cy - by, y)
        left, right = _narrow(left, right, cx, cy, -cx, -cy, y)
        if left <= right:
            stop = row_offsets[row + 1]
            i = _first_in_row(samples, row_offsets[row], stop, ax + left)
            while i < stop:
                x = np.int64(samples[i, 0]) - ax
                if x > right:
                    break
                # The weights of b and c, times the area: exact.
                of_b, of_c = x * cy - y * cx, bx * y - by * x
                error = abs(base + of_b * rise_b + of_c * rise_c - sample_heights[i])
                if error > most and _is_free(mates, triangle, area, of_b, of_c):
                    most, found = error, i
                i += 1
        row += 1
    outliers[0][triangle], outliers[1][triangle] = most, found


@borrowing
def _is_free(mates, triangle, area, of_b, of_c):
    """Tell whether a sample with these weights lies at no corner, and on no boundary edge."""
    of_a = area - of_b - of_c
    if of_a == area or of_b == area or of_c == area:
        return False
    return not (
        (of_c == 0 and mates[3 * triangle] < 0)
        or (of_a == 0 and mates[3 * triangle + 1] < 0)
        or (of_b == 0 and mates[3 * triangle + 2] < 0)
    )


@borrowing
def _narrow(left, right, x, y, dx, dy, row):
    """Cut the places left..right of a row to those left of, or on, the edge (dx, dy) at (x, y)."""
    if dy > 0:
        right = min(right, x + dx * (row - y) // dy)
    elif dy < 0:
        left = max(left, x - (dx * (row - y)) // -dy)
    return left, right


@borrowing
def _first_row(samples, row_offsets, y):
    """Return the first row at y or above."""
    low, high = 0, len(row_offsets) - 1
    while low < high:
        middle = (low + high) // 2
        if samples[row_offsets[middle], 1] < y:
            low = middle + 1
        else:
            high = middle
    return low


@borrowing
def _first_in_row(samples, first, stop, x):
    """Return the first sample at x or right of it among those of one row."""
    low, high = first, stop
    while low < high:
        middle = (low + high) // 2
        if samples[middle, 0] < x:
            low = middle + 1
        else:
            high = middle
    return low
