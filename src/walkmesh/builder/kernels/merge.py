"""Merging triangles into convex polygons (Hertel and Mehlhorn).

Every edge between two polygons is a diagonal; taking it away is allowed when the polygon left has
no reflex corner at either end and stays close to the ground below it::

        pa   .   na                pa       na
        ---> o --->                --->o--->
             |^          a, b              pa, nb and pb, na become neighbours
            a||b         gone
             v|                    <---o<---
        <--- o <---                nb       pb
        nb       pb

An angle only ever grows, so a diagonal refused once need not be tried again, but for one case: a
vertex left with two polygons around it lies on a straight line between them and belongs to no
third one. It is dropped, the two edges there become one, and that one is tried.

Edges are numbered by the corner they start from, three for each triangle.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import gradient
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.union_find import find_root


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.FLOAT, kt.FLOAT, kt.OUT_INTS, kt.OUT_BYTES)
def merge_convex(points, corners, matches, order, straight, tolerance, following, gone):
    """Take away diagonals, in the given order, while polygons stay convex and near the ground.

    Each polygon has a plane, and a band around it, in height, that holds the ground below the
    polygon. Two surfaces inside the same band are no further apart than it is wide, so a band no
    wider than `tolerance` keeps the polygon, however it is triangulated, that close to the ground.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    corners : (3 t,) int32
        Vertex ids of the triangles, counter-clockwise.
    matches : (3 t,) int32
        The matching edge of each edge, negative where there is none.
    order : (d,) int32
        The diagonals to try, each named by one of its two edges.
    straight : float
        How far a polygon may fall short of its convex hull, since rounding bends straight sides.
        [Unit: m]
    tolerance : float
        How far polygons may leave the ground, in height. [Unit: m]
    following : (3 t,) int32, output
        The edge that follows each edge around its polygon.
    gone : (3 t,) uint8, output
        1 for an edge that is no longer there.

    Returns
    -------
    int
        The number of polygons left.
    """
    count = len(corners) // 3
    preceding = np.empty(len(corners), np.int32)
    mates = np.empty(len(corners), np.int32)
    parent = np.empty(count, np.int32)
    size = np.empty(count, np.int32)
    planes = np.empty((count, 5), np.float64)
    # All reflex turns of a polygon, in radians, and its outline. Half the outline is more than the
    # polygon is wide, so the product of both is more than it can fall short of its hull. Corners
    # one by one would not do: a fine arc, bent inwards, is straight at every single one.
    bend = np.zeros(count, np.float64)
    outline = np.empty(count, np.float64)
    for triangle in range(count):
        parent[triangle] = triangle
        size[triangle] = 3
        _fit_plane(points, corners, triangle, planes)
        for k in range(3):
            edge = 3 * triangle + k
            following[edge] = 3 * triangle + (k + 1) % 3
            preceding[edge] = 3 * triangle + (k + 2) % 3
            mates[edge] = matches[edge]
            gone[edge] = 0
        outline[triangle] = 0.0
        for k in range(3):
            outline[triangle] += _length(points, corners, 3 * triangle + k, following)
    left = count
    pending = np.empty(len(order) + 1, np.int32)  # edges that became one, to be tried next
    waiting = 0
    trial = 0
    while waiting > 0 or trial < len(order):
        if waiting > 0:
            waiting -= 1
            a = pending[waiting]
        else:
            a = order[trial]
            trial += 1
        if gone[a]:
            continue
        b = mates[a]
        pa, na, pb, nb = preceding[a], following[a], preceding[b], following[b]
        into, other = find_root(parent, a // 3), find_root(parent, b // 3)
        if into == other:
            continue
        bent = _reflex_turn(points, corners, pa, nb, corners[na], following)
        bent += _reflex_turn(points, corners, pb, na, corners[nb], following)
        bent += bend[into] + bend[other]
        around = outline[into] + outline[other] - 2.0 * _length(points, corners, a, following)
        if bent * 0.5 * around > straight:
            continue
        if size[into] < size[other]:
            into, other, a, b = other, into, b, a
        if not _join_planes(points, corners, following, planes, into, a, other, b, tolerance):
            continue
        gone[a], gone[b] = 1, 1
        following[pa], preceding[nb] = nb, pa
        following[pb], preceding[na] = na, pb
        parent[other] = into
        size[into] += size[other] - 2
        bend[into], outline[into] = bent, around
        left -= 1
        for edge in (pa, pb):
            if _drop_vertex(edge, mates, following, preceding, gone):
                size[into] -= 1
                size[find_root(parent, mates[edge] // 3)] -= 1
                pending[waiting] = edge
                waiting += 1
    return left


@kernel
def _drop_vertex(a, mates, following, preceding, gone):
    """Drop the vertex after edge a if only two polygons meet there; a then takes in the next edge.

    A triangle keeps its corners.

    ::

            a       next                 a
        o ----> o ----> o          o ----------> o
        o <---- o <---- o          o <---------- o
          last      b                    b
    """
    after = following[a]
    last, b = mates[a], mates[after]
    if last < 0 or b < 0 or following[b] != last:
        return False
    if following[following[after]] == a or following[following[last]] == b:
        return False
    gone[after], gone[last] = 1, 1
    following[a] = following[after]
    preceding[following[a]] = a
    following[b] = following[last]
    preceding[following[b]] = b
    mates[a], mates[b] = b, a
    return True


@kernel
def _length(points, corners, edge, following):
    """Return the length of an edge in plan."""
    p, q = corners[edge], corners[following[edge]]
    return np.sqrt((points[q, 0] - points[p, 0]) ** 2 + (points[q, 1] - points[p, 1]) ** 2)


@kernel
def _reflex_turn(points, corners, incoming, outgoing, inner, following):
    """Return by how many radians the way turns right between two edges; infinite if it goes back.

    Turns to the left count as none, but for those by more than a right angle with the diagonal, to
    the vertex `inner`, outside of them: there two polygons meet that are both flat, and what looks
    like the tip of a needle is a whole turn. For turns that matter, the sine is the angle.
    """
    p, q, r = corners[incoming], corners[outgoing], corners[following[outgoing]]
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    fu, fv = points[r, 0] - points[q, 0], points[r, 1] - points[q, 1]
    cross = eu * fv - ev * fu
    back = eu * fu + ev * fv <= 0.0
    if cross > 0.0:
        gu, gv = points[inner, 0] - points[q, 0], points[inner, 1] - points[q, 1]
        outside = fu * gu + fv * gv < 0.0 or eu * gu + ev * gv > 0.0
        return np.inf if back and outside else 0.0
    if back:
        return np.inf
    return -cross / np.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))


@kernel
def _fit_plane(points, corners, triangle, planes):
    """Write a triangle's plane h = g u + k v + c, with a band of no width around it."""
    p, q, r = corners[3 * triangle], corners[3 * triangle + 1], corners[3 * triangle + 2]
    gu, gv, _ = gradient(points, p, q, r)
    planes[triangle, 0], planes[triangle, 1] = gu, gv
    planes[triangle, 2] = points[p, 2] - gu * points[p, 0] - gv * points[p, 1]
    planes[triangle, 3], planes[triangle, 4] = 0.0, 0.0
    for k in range(3):
        v = corners[3 * triangle + k]
        rest = points[v, 2] - gu * points[v, 0] - gv * points[v, 1] - planes[triangle, 2]
        planes[triangle, 3] = min(planes[triangle, 3], rest)
        planes[triangle, 4] = max(planes[triangle, 4], rest)


@kernel
def _join_planes(points, corners, following, planes, into, a, other, b, tolerance):
    """Find a plane and band for the ground below two polygons; False if none is narrow enough.

    First the plane of the larger polygon, which only asks for a look at the smaller one: merging
    a large flat floor then takes time in proportion to n log n. Then the mean of both.
    """
    gu, gv, c = planes[into, 0], planes[into, 1], planes[into, 2]
    low, high = _band(points, corners, following, planes, other, b, gu, gv, c)
    low, high = min(low, planes[into, 3]), max(high, planes[into, 4])
    if high - low > tolerance:
        gu = 0.5 * (gu + planes[other, 0])
        gv = 0.5 * (gv + planes[other, 1])
        c = 0.5 * (c + planes[other, 2])
        low, high = _band(points, corners, following, planes, other, b, gu, gv, c)
        low_into, high_into = _band(points, corners, following, planes, into, a, gu, gv, c)
        low, high = min(low, low_into), max(high, high_into)
        if high - low > tolerance:
            return False
    planes[into, 0], planes[into, 1], planes[into, 2] = gu, gv, c
    planes[into, 3], planes[into, 4] = low, high
    return True


@kernel
def _band(points, corners, following, planes, polygon, edge, gu, gv, c):
    """Return the band around another plane that holds the band of `polygon`, which has `edge`.

    The distance between two planes is linear, so over a convex polygon it is largest and smallest
    at corners.
    """
    du, dv, dc = planes[polygon, 0] - gu, planes[polygon, 1] - gv, planes[polygon, 2] - c
    low, high = np.inf, -np.inf
    current = edge
    while True:
        v = corners[current]
        distance = du * points[v, 0] + dv * points[v, 1] + dc
        low, high = min(low, distance), max(high, distance)
        current = following[current]
        if current == edge:
            break
    return low + planes[polygon, 3], high + planes[polygon, 4]


@kernel(kt.INTS, kt.INTS, kt.BYTES, kt.OUT_INTS, kt.OUT_INTS)
def collect_loops(corners, following, gone, offsets, loops):
    """Write down the polygons that are left, in the order of their first edges.

    Parameters
    ----------
    corners, following : (3 t,) int32
        The vertex that each edge starts from, and the edge that follows it.
    gone : (3 t,) uint8
        1 for an edge that is no longer there.
    offsets : (p + 1,) int32, output
        Where each polygon's corners start.
    loops : (3 t,) int32, output
        Vertex ids of the polygons, in its first places.

    Returns
    -------
    int
        The number of corners written.
    """
    seen = np.zeros(len(corners), np.uint8)
    polygon = 0
    filled = 0
    for first in range(len(corners)):
        if gone[first] or seen[first]:
            continue
        offsets[polygon] = filled
        polygon += 1
        edge = first
        while not seen[edge]:
            seen[edge] = 1
            loops[filled] = corners[edge]
            filled += 1
            edge = following[edge]
    offsets[polygon] = filled
    return filled
