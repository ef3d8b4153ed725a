"""Triangulating a disc: a polygon without holes whose corners may touch.

Corners of the same place are different corners, each with an angle of its own, so that a disc may
be a region with holes that was cut open: both sides of the cut are edges. Coordinates are exact.
"""

import numpy as np

from walkmesh.kernels.geometry.segments import are_parted
from walkmesh.kernels.geometry.turns import along, lies_between, turn
from walkmesh.kernels.kernel import borrowing, shared_borrowing


@shared_borrowing
def clip_ears(points, vertices, before, after, ears, triangles, row):
    """Cut off one ear after another, and return the row after the last triangle; -1 if it fails.

    Cutting an ear changes only its two neighbours, so the time is quadratic in the corners. These
    are given counter-clockwise, by their places and vertex ids. Triangles are written from `row`
    on; the neighbours of each corner and whether it is an ear, (k,) each, are scratch.
    """
    size = len(vertices)
    for i in range(size):
        before[i], after[i] = (i + size - 1) % size, (i + 1) % size
    for i in range(size):
        ears[i] = _is_ear(points, before, after, i)
    b = 0
    for left in range(size, 2, -1):
        for _ in range(left):
            if ears[b]:
                break
            b = after[b]
        if not ears[b]:
            return -1
        a, c = before[b], after[b]
        triangles[row, 0], triangles[row, 1], triangles[row, 2] = (
            vertices[a],
            vertices[b],
            vertices[c],
        )
        row += 1
        after[a], before[c] = c, a
        if left > 3:
            ears[a] = _is_ear(points, before, after, a)
            ears[c] = _is_ear(points, before, after, c)
        # Going on behind the neighbour spreads the cuts, and leaves fewer slivers than a fan.
        b = after[c]
    return row


@shared_borrowing
def minimize_area(points, heights, vertices, before, after, least, thirds, triangles, row):
    """Write the triangulation of the least surface, and return the row after; -1 if it fails.

    The least surface between two corners is the least over all third corners, of the triangle and
    of what lies beyond its other two sides (Klincsek 1980, "Minimal triangulations of polygonal
    domains"). The time is cubic in the number of corners.

    As for `clip_ears`, with the heights of the corners in the unit of `points`. `least` and
    `thirds`, (k, k) each, are scratch: the least surface between two corners, both ways, so that
    the inner loop reads along rows; and the third corner of the triangle there.
    """
    size = len(vertices)
    for i in range(size):
        before[i], after[i] = (i + size - 1) % size, (i + 1) % size
        for j in range(size):
            least[i, j] = 0.0 if abs(i - j) == 1 else np.inf
    for gap in range(2, size):
        for i in range(size - gap):
            j = i + gap
            if gap < size - 1 and not _is_diagonal(points, before, after, i, j):
                continue
            for k in range(i + 1, j):
                beyond = least[i, k] + least[j, k]
                if beyond < least[i, j] and turn(points, i, k, j) > 0:
                    area = beyond + _surface(points, heights, i, k, j)
                    if area < least[i, j]:
                        least[i, j], thirds[i, j] = area, k
            least[j, i] = least[i, j]
    if not least[0, size - 1] < np.inf:
        return -1
    # Neither list of neighbours is needed any more: they hold the ends that wait.
    before[0], after[0] = 0, size - 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        i, j = before[waiting], after[waiting]
        k = thirds[i, j]
        triangles[row, 0], triangles[row, 1], triangles[row, 2] = (
            vertices[i],
            vertices[k],
            vertices[j],
        )
        row += 1
        if k - i > 1:
            before[waiting], after[waiting] = i, k
            waiting += 1
        if j - k > 1:
            before[waiting], after[waiting] = k, j
            waiting += 1
    return row


@borrowing
def _surface(points, heights, a, b, c):
    """Return the area of a triangle in space."""
    eu, ev = float(points[b, 0] - points[a, 0]), float(points[b, 1] - points[a, 1])
    fu, fv = float(points[c, 0] - points[a, 0]), float(points[c, 1] - points[a, 1])
    eh, fh = heights[b] - heights[a], heights[c] - heights[a]
    return 0.5 * np.sqrt(
        (ev * fh - eh * fv) ** 2 + (eh * fu - eu * fh) ** 2 + (eu * fv - ev * fu) ** 2
    )


@shared_borrowing
def _is_ear(points, before, after, b):
    """Tell whether the triangle at corner b can be cut off."""
    a, c = before[b], after[b]
    return turn(points, a, b, c) > 0 and (
        after[c] == a or _is_diagonal(points, before, after, a, c)
    )


@shared_borrowing
def _is_diagonal(points, before, after, a, b):
    """Tell whether the segment between two corners lies inside the polygon but for its ends."""
    if not (_opens_to(points, before, after, a, b) and _opens_to(points, before, after, b, a)):
        return False
    p = a
    side = turn(points, a, b, p)
    while True:
        q = after[p]
        side_q = turn(points, a, b, q)
        if side_q == 0:
            # A corner in the middle of the segment would be left out of both parts.
            if lies_between(points, a, b, q):
                return False
        elif (side > 0) != (side_q > 0) and side != 0 and are_parted(points, p, q, a, b):
            return False
        p, side = q, side_q
        if p == a:
            return True


@shared_borrowing
def _opens_to(points, before, after, corner, target):
    """Tell whether the polygon's angle at a corner has the direction to another inside."""
    last, following = before[corner], after[corner]
    angle = turn(points, last, corner, following)
    if angle > 0:
        return (
            turn(points, corner, following, target) > 0 and turn(points, corner, target, last) > 0
        )
    if angle == 0 and along(points, corner, last, following) > 0:  # a full turn around a cut's end
        return turn(points, corner, last, target) != 0 or along(points, corner, last, target) < 0
    return turn(points, corner, last, target) < 0 or turn(points, corner, target, following) < 0
