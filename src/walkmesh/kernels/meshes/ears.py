r"""Ear clipping: cutting faces of any shape into triangles.

An *ear* is a corner b between its neighbours a and c whose triangle lies inside the polygon::

    e-------d
     \       \      cutting b off along a c leaves the polygon a c d e,
      a . . . c     which has one corner less
       \     /
        \   /
          b

Everything happens in the coordinate plane that faces the polygon most, so that no coordinate is
rounded; the polygon there is turned to run counter-clockwise.
"""

import numpy as np

from walkmesh.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.geometry.segments import cross
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.geometry.vectors import way_between
from walkmesh.kernels.kernel import kernel


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.OUT_TRIPLES, rare=True)
def cut_into_triangles(vertices, offsets, corners, triangles):
    """Cut every face into triangles that keep its winding.

    A strictly convex face becomes a fan around its first corner. Any other is cut ear by ear, so
    that neither a notch nor a corner in the middle of a straight side is lost. A face that crosses
    itself gives triangles on its corners that need not make sense. A face with fewer than three
    corners becomes one triangle without area.

    Parameters
    ----------
    vertices : (n, 3) float64
        Positions; n is at least 1.
    offsets, corners : (f + 1,) and (c,) int32
        Ragged faces.
    triangles : (sum of max(1, k - 2) over the faces' numbers of corners k, 3) int32, output
        Vertex ids.
    """
    longest = 3
    for face in range(len(offsets) - 1):
        longest = max(longest, offsets[face + 1] - offsets[face])
    plane = np.empty((longest, 2), np.float64)
    before = np.empty(longest, np.int32)
    after = np.empty(longest, np.int32)
    ears = np.empty(longest, np.uint8)
    row = 0
    for face in range(len(offsets) - 1):
        start, stop = offsets[face], offsets[face + 1]
        size = stop - start
        if size <= 3:
            for k in range(3):
                triangles[row, k] = corners[min(start + k, stop - 1)] if size > 0 else 0
            row += 1
        elif not _lay_flat(vertices, corners, start, size, plane) or _is_convex(plane, size):
            for k in range(1, size - 1):
                triangles[row, 0] = corners[start]
                triangles[row, 1] = corners[start + k]
                triangles[row, 2] = corners[start + k + 1]
                row += 1
        else:
            row = _clip_ears(plane, corners, start, size, before, after, ears, triangles, row)


@kernel
def _lay_flat(vertices, corners, start, size, plane):
    """Write the corners' coordinates in the plane that faces the polygon most.

    Returns whether there is such a plane; a polygon without area or with a corner that is not
    finite has none.
    """
    # Newell's normal, from the first corner so that a face far from the origin loses no digits.
    origin = corners[start]
    normal_x, normal_y, normal_z = 0.0, 0.0, 0.0
    for k in range(size):
        a, b = corners[start + k], corners[start + (k + 1) % size]
        ax, ay, az = way_between(vertices, origin, a)
        bx, by, bz = way_between(vertices, origin, b)
        normal_x += ay * bz - az * by
        normal_y += az * bx - ax * bz
        normal_z += ax * by - ay * bx
    x, y, z = abs(normal_x), abs(normal_y), abs(normal_z)
    if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z) and x + y + z > 0.0):
        return False
    if x >= y and x >= z:
        u, v, direction = 1, 2, normal_x
    elif y >= z:
        u, v, direction = 2, 0, normal_y
    else:
        u, v, direction = 0, 1, normal_z
    if direction < 0.0:
        u, v = v, u
    for k in range(size):
        plane[k, 0] = vertices[corners[start + k], u] - vertices[origin, u]
        plane[k, 1] = vertices[corners[start + k], v] - vertices[origin, v]
    return True


@kernel
def _turns_left(plane, a, b, c):
    """Tell whether the triangle a b c turns left by more than rounding."""
    longest = max(plan_square(plane, a, b), plan_square(plane, b, c), plan_square(plane, c, a))
    return turn(plane, a, b, c) > tol.NO_HEIGHT * longest


@kernel
def _is_convex(plane, size):
    """Tell whether a fan around the first corner has only triangles that turn left.

    Every corner must turn left too, which together leaves strictly convex polygons.
    """
    for k in range(size):
        if not _turns_left(plane, k, (k + 1) % size, (k + 2) % size):
            return False
        if 0 < k < size - 1 and not _turns_left(plane, 0, k, k + 1):
            return False
    return True


@kernel
def _clip_ears(plane, corners, start, size, before, after, ears, triangles, row):
    """Clip ears until a triangle is left, and return the row after the last one written.

    Cutting an ear off a simple polygon can change only its two neighbours into ears or back
    (O'Rourke 1998, "Computational Geometry in C", 1.6.5), so the whole takes a time that is
    quadratic in the number of corners.
    """
    for k in range(size):
        before[k] = (k + size - 1) % size
        after[k] = (k + 1) % size
    for k in range(size):
        ears[k] = _is_ear(plane, before, after, k)
    b = 0
    for left in range(size, 3, -1):
        b = _choose_ear(plane, before, after, ears, b, left)
        a, c = before[b], after[b]
        triangles[row, 0] = corners[start + a]
        triangles[row, 1] = corners[start + b]
        triangles[row, 2] = corners[start + c]
        row += 1
        after[a] = c
        before[c] = a
        ears[a] = _is_ear(plane, before, after, a)
        ears[c] = _is_ear(plane, before, after, c)
        # Going on behind the neighbour spreads the cuts, and leaves fewer slivers than a fan.
        b = after[c]
    triangles[row, 0] = corners[start + before[b]]
    triangles[row, 1] = corners[start + b]
    triangles[row, 2] = corners[start + after[b]]
    return row + 1


@kernel
def _choose_ear(plane, before, after, ears, first, left):
    """Return the first ear from `first` on; without one, the corner that turns least.

    No ear is left when the rest has no area, or when the face crosses itself.
    """
    b = first
    for _ in range(left):
        if ears[b]:
            return b
        b = after[b]
    best, least = first, np.inf
    for _ in range(left):
        twice = abs(turn(plane, before[b], b, after[b]))
        if twice < least:
            best, least = b, twice
        b = after[b]
    return best


@kernel
def _is_ear(plane, before, after, b):
    """Tell whether the triangle at corner b has area and holds nothing else of the polygon."""
    a, c = before[b], after[b]
    if not _turns_left(plane, a, b, c):
        return False
    p = after[c]
    while p != a:
        # A corner on a side of b blocks nothing; one in the middle of the cut would be lost.
        if (
            turn(plane, c, a, p) >= 0.0
            and turn(plane, a, b, p) > 0.0
            and turn(plane, b, c, p) > 0.0
        ):
            return False
        # Where corners coincide (a hole joined to the outline), an edge may pass through unseen.
        if cross(plane, c, a, p, after[p]):
            return False
        p = after[p]
    return True
