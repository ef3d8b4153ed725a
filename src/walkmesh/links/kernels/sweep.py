r"""The agent's cylinder, swept along arcs, against the triangles of the scene.

An arc says how high the feet are on the way from the higher end of a link to the lower one, which
is straight in plan. With a share s of the way done, from height a to height b::

        LEGS    straight out, then straight down      o------.
                                                             |
                                                             x
        LEAP    H - (p - s (p + q))^2, the                .-'-.
        BOUND   parabola whose top H is over a by       o      \
                an eighth or a quarter of the way;              x
                p^2 = H - a and q^2 = H - b

The body reaches from `low` to `high` over the feet. An arc is cut into pieces; of each, the body is
taken to reach from its lowest to its highest place there, all along. So it is never taken to be
smaller than it is, and what is clear is clear.
"""

import math
from collections import namedtuple

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_to_plane
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.segments import cross_of
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches
from walkmesh.links.kernels import tolerances as tol

LEGS, LEAP, BOUND = 0, 1, 2
ARCS = 3
# How far the top of a leap, and of a bound, is over the higher end, for a metre of way in plan. A
# bound between level ends starts at 45 degrees.
LEAP_SHARE, BOUND_SHARE = 0.125, 0.25
_MOST_PIECES = 64

# The scene in the plan frame: (p, 3) float64, points [m]; (t, 3) int32, its triangles; and the tree
# of boxes over them.
SCENE = kt.packed(kt.POINTS, kt.TRIPLES, kt.TREE)
# The body: how close things may come, and from where to where over the feet. [m]
Body = namedtuple("Body", "radius low high")
BODY = kt.packed(kt.FLOAT, kt.FLOAT, kt.FLOAT)


@kernel(kt.POINTS, kt.POINTS, kt.INTS, kt.BYTES, SCENE, BODY, kt.OUT_INTS, kt.OUT_INTS)
def sweep_links(highs, lows, groups, falls, scene, cylinder, chosen, arcs):
    """Find the first of each group of ways that is clear, and along which arc.

    Parameters
    ----------
    highs, lows : (n, 3) float64
        Higher and lower end of each way, in the plan frame. [Unit: m]
    groups : (g + 1,) int32
        Where each group starts.
    falls : (n,) uint8
        Whether a way may go along `LEGS`.
    scene : SCENE
    cylinder : Body
    chosen : (g,) int32, output
        The way of each group; -1 if none is clear.
    arcs : (g,) int32, output
        Its arc.
    """
    points, triangles, (boxes, order, nodes) = scene
    body = Body(*cylinder)
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    box = np.empty(6, np.float64)
    corners = np.empty((2, 8, 4), np.float64)
    for group in range(len(groups) - 1):
        chosen[group], arcs[group] = -1, -1
        for way in range(groups[group], groups[group + 1]):
            _enclose_way(highs, lows, way, body, box)
            count = gather_items(nodes, order, box, stack, found)
            near = 0
            for i in range(count):
                if touches(boxes, found[i], box):
                    found[near] = found[i]
                    near += 1
            for arc in range(LEGS if falls[way] != 0 else LEAP, ARCS):
                if _is_clear(
                    highs, lows, way, arc, points, triangles, boxes, found, near, body, corners
                ):
                    chosen[group], arcs[group] = way, arc
                    break
            if chosen[group] >= 0:
                break


@kernel(kt.POINTS, SCENE, BODY, kt.FLOAT, kt.OUT_BYTES)
def probe_outwards(places, scene, cylinder, away, clear):
    """Tell where on a boundary the body can move outwards at all: not where there is a wall.

    Parameters
    ----------
    places : (n, 5) float64
        Places with their outward directions, see :func:`sample_boundary`.
    scene, cylinder
        See :func:`sweep_links`.
    away : float
        How far to move. [Unit: m]
    clear : (n,) uint8, output
        1 where nothing is in the way.
    """
    points, triangles, (boxes, order, nodes) = scene
    radius, low, high = cylinder
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    box = np.empty(6, np.float64)
    corners = np.empty((2, 8, 4), np.float64)
    for i in range(len(places)):
        u, v = places[i, 0] + away * places[i, 3], places[i, 1] + away * places[i, 4]
        bottom, top = places[i, 2] + low, places[i, 2] + high
        box[0], box[1], box[2] = u - radius, v - radius, bottom
        box[3], box[4], box[5] = u + radius, v + radius, top
        count = gather_items(nodes, order, box, stack, found)
        clear[i] = 1
        for k in range(count):
            if touches(boxes, found[k], box) and _comes_close(
                points, triangles, found[k], u, v, u, v, radius, bottom, top, corners
            ):
                clear[i] = 0
                break


@borrowing
def _enclose_way(highs, lows, way, body, box):
    """Write the box that the body stays in, along any arc."""
    radius, low, high = body
    for k in range(2):
        box[k] = min(highs[way, k], lows[way, k]) - radius
        box[k + 3] = max(highs[way, k], lows[way, k]) + radius
    length = math.hypot(lows[way, 0] - highs[way, 0], lows[way, 1] - highs[way, 1])
    box[2] = lows[way, 2] + low
    box[5] = highs[way, 2] + BOUND_SHARE * length + high


@borrowing
def _is_clear(highs, lows, way, arc, points, triangles, boxes, items, count, body, corners):
    """Tell whether the body meets none of some triangles along an arc."""
    radius, low, high = body
    au, av, ah = highs[way, 0], highs[way, 1], highs[way, 2]
    bu, bv, bh = lows[way, 0], lows[way, 1], lows[way, 2]
    if arc == LEGS:
        for i in range(count):
            t = items[i]
            if _piece_meets(
                points, triangles, boxes, t, au, av, bu, bv, radius, ah + low, ah + high, corners
            ) or _piece_meets(
                points, triangles, boxes, t, bu, bv, bu, bv, radius, bh + low, ah + high, corners
            ):
                return False
        return True
    length = math.hypot(bu - au, bv - av)
    top = ah + (LEAP_SHARE if arc == LEAP else BOUND_SHARE) * length
    p, q = math.sqrt(top - ah), math.sqrt(top - bh)
    travel = max(length, (top - ah) + (top - bh))
    pieces = min(max(math.ceil(travel / tol.PIECE), 4), _MOST_PIECES)
    for piece in range(pieces):
        one, two = piece / pieces, (piece + 1) / pieces
        x, y = p - one * (p + q), p - two * (p + q)
        lowest = top - max(x * x, y * y)
        highest = top if x * y <= 0.0 else top - min(x * x, y * y)
        for i in range(count):
            if _piece_meets(
                points, triangles, boxes, items[i],
                au + one * (bu - au), av + one * (bv - av),
                au + two * (bu - au), av + two * (bv - av),
                radius, lowest + low, highest + high, corners,
            ):  # fmt: skip
                return False
    return True


@borrowing
def _piece_meets(points, triangles, boxes, t, au, av, bu, bv, radius, bottom, top, corners):
    """Tell whether a triangle comes close to a piece; first by their boxes."""
    if (
        boxes[t, 2] >= top
        or boxes[t, 5] <= bottom
        or boxes[t, 0] >= max(au, bu) + radius
        or boxes[t, 3] <= min(au, bu) - radius
        or boxes[t, 1] >= max(av, bv) + radius
        or boxes[t, 4] <= min(av, bv) - radius
    ):
        return False
    return _comes_close(points, triangles, t, au, av, bu, bv, radius, bottom, top, corners)


@shared_borrowing
def _comes_close(points, triangles, t, au, av, bu, bv, radius, bottom, top, corners):
    """Tell whether a triangle comes closer to a segment, in plan, than a radius.

    Only the part of the triangle between the heights `bottom` and `top` counts. The ends a and b of
    the segment may be one point. `corners`, (2, 8, 4) float64, is scratch. [Unit: m]
    """
    for k in range(3):
        for axis in range(3):
            corners[0, k, axis] = points[triangles[t, k], axis]
    part, spare = corners[0], corners[1]
    count = clip_to_plane(part, 3, 0.0, 0.0, 1.0, -bottom, True, spare)
    count = clip_to_plane(part, count, 0.0, 0.0, -1.0, top, True, spare)
    if count == 0:
        return False
    square = radius * radius
    left, right = True, True
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        pu, pv = part[i, 0], part[i, 1]
        qu, qv = part[j, 0], part[j, 1]
        if (
            to_segment(au, av, pu, pv, qu, qv)[0] < square
            or to_segment(bu, bv, pu, pv, qu, qv)[0] < square
            or to_segment(pu, pv, au, av, bu, bv)[0] < square
            or cross_of(au, av, bu, bv, pu, pv, qu, qv)
        ):
            return True
        side = turn_of(pu, pv, qu, qv, au, av)
        left, right = left and side > 0.0, right and side < 0.0
    return left or right
