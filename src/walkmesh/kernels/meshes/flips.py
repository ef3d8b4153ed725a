"""Flipping edges: better angles in plan, as near to the ground as before."""

import numpy as np

from walkmesh.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of


@kernel(kt.POINTS, kt.FLOATS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_POINTS, kt.OUT_BYTES)
def flip_edges(points, limits, corners, mates, start, bands, touched):
    """Flip edges until the triangulation is Delaunay in plan, as far as the ground allows.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    limits, corners, mates, start, bands
        As for `collapse_edges`.
    touched : (n,) uint8, output
        1 for the vertices around a flip.

    Returns
    -------
    int
        The number of flips.
    """
    stack = np.empty(len(corners), np.int32)
    on_stack = np.zeros(len(corners), np.uint8)
    waiting = stack_inner_edges(corners, mates, stack, on_stack)
    flips = 0
    left = 20 * len(corners)  # rounding must not make it go round in circles
    while waiting > 0 and left > 0:
        left -= 1
        waiting -= 1
        e = np.int64(stack[waiting])
        on_stack[e] = 0
        m = np.int64(mates[e])
        if m < 0 or not _should_flip(points, corners, mates, start, bands, limits, e, m):
            continue
        flip(corners, mates, start, e, m)
        flips += 1
        for side in (e, last_of(e), m, last_of(m)):
            touched[corners[side]] = 1
        waiting = stack_edges_around(mates, e, m, stack, on_stack, waiting)
    return flips


@borrowing
def stack_inner_edges(corners, mates, stack, on_stack):
    """Stack one side of every inner edge, the first on top, and return how many there are."""
    waiting = 0
    for edge in range(len(corners) - 1, -1, -1):
        if corners[edge] >= 0 and mates[edge] > edge:
            stack[waiting] = edge
            on_stack[edge] = 1
            waiting += 1
    return waiting


@borrowing
def stack_edges_around(mates, e, m, stack, on_stack, waiting):
    """Stack the edges around two triangles, and return how many are on the stack."""
    for side in (e, last_of(e), m, last_of(m)):
        if mates[side] >= 0:
            lower = min(side, mates[side])
            if not on_stack[lower]:
                on_stack[lower] = 1
                stack[waiting] = lower
                waiting += 1
    return waiting


@kernel
def _should_flip(points, corners, mates, start, bands, limits, e, m):
    r"""Tell whether a flip makes the smallest angle larger and is allowed; then update the bands.

    ::

            r                    r
          /   \                / | \
         p --e-> q     ->     p  |  q
          \   /                \ | /
            s                    s
    """
    if not wants_flip(points, corners, e, m):
        return False
    p, q, r, s = corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]
    area_p, area_q = turn(points, p, s, r), turn(points, s, q, r)
    across = plan_square(points, r, s)
    longest = max(across, plan_square(points, p, s), plan_square(points, r, p))
    if area_p * area_p <= limits[1] * limits[1] * longest:
        return False
    longest = max(across, plan_square(points, q, s), plan_square(points, r, q))
    if area_q * area_q <= limits[1] * limits[1] * longest:
        return False
    # The surface moves most where both diagonals cross.
    above_r, above_s = turn(points, r, p, q), turn(points, s, q, p)
    along_new = above_s / (above_r + above_s)  # heights of s and r above p-q are as these areas
    along_old = area_p / (area_p + area_q)
    rise = (points[s, 2] + along_new * (points[r, 2] - points[s, 2])) - (
        points[p, 2] + along_old * (points[q, 2] - points[p, 2])
    )
    one, two = e // 3, m // 3
    low = min(bands[one, 0], bands[two, 0]) + min(0.0, -rise)
    high = max(bands[one, 1], bands[two, 1]) + max(0.0, -rise)
    if low < -limits[0] or high > limits[0]:
        return False
    if _has_edge(corners, mates, start[r], s):
        return False
    for face in (one, two):
        bands[face, 0], bands[face, 1] = low, high
    return True


@kernel
def wants_flip(points, corners, e, m):
    """Tell whether the other diagonal of two triangles is Delaunay's, and lies inside of them.

    It is when the angles at r and s, see `_should_flip`, are together more than two right angles.
    """
    p, q, r, s = corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]
    au, av = points[p, 0] - points[r, 0], points[p, 1] - points[r, 1]
    bu, bv = points[q, 0] - points[r, 0], points[q, 1] - points[r, 1]
    cu, cv = points[q, 0] - points[s, 0], points[q, 1] - points[s, 1]
    du, dv = points[p, 0] - points[s, 0], points[p, 1] - points[s, 1]
    sin_r, cos_r = au * bv - av * bu, au * bu + av * bv
    sin_s, cos_s = cu * dv - cv * du, cu * du + cv * dv
    scale = np.sqrt(
        (au * au + av * av) * (bu * bu + bv * bv) * (cu * cu + cv * cv) * (du * du + dv * dv)
    )
    if sin_r * cos_s + cos_r * sin_s >= -tol.FLIP_ROUNDING * scale:
        return False
    return turn(points, p, s, r) > 0.0 and turn(points, s, q, r) > 0.0


@kernel
def _has_edge(corners, mates, first, target):
    """Tell whether an edge of the fan that begins with `first` leads to a vertex."""
    edge = first
    while True:
        if corners[next_of(edge)] == target:
            return True
        last = last_of(edge)
        edge = mates[last]
        if edge < 0:
            return corners[last] == target
        if edge == first:
            return False


@borrowing
def join_edges(mates, edge, mate):
    """Make two edges each other's mates; `mate` may be negative for none."""
    mates[edge] = mate
    if mate >= 0:
        mates[mate] = edge


@borrowing
def turn_diagonal(corners, mates, e, m):
    """Turn the edge between two triangles into the other diagonal of their quadrilateral."""
    e1, m1 = next_of(e), next_of(m)
    r, s = corners[last_of(e)], corners[last_of(m)]
    below, above = mates[m1], mates[e1]
    corners[e1], corners[m1] = s, r
    join_edges(mates, e, below)
    join_edges(mates, m, above)
    join_edges(mates, e1, m1)


@kernel
def flip(corners, mates, start, e, m):
    """Turn the edge between two triangles, and keep an edge that starts at each vertex."""
    e1, m1, p, q = next_of(e), next_of(m), corners[e], corners[m]
    turn_diagonal(corners, mates, e, m)
    if start[p] == m1:
        start[p] = e
    if start[q] == e1:
        start[q] = m
