r"""Where a link from a place on the boundary may lead to.

From a place one looks outwards, for the nearest places on other boundary edges that look back, and
for lower ground, straight ahead and to both sides, as near as the body comes down past the ledge::

        side view   ____|<-- way -->|____         ____|<-- way
                   ledge             across      ledge   '-.
                                                       _____x_____ lower ground

Candidates are of four classes: about as high or lower, on the same island or on another. Of each
class the nearest few are kept, in order.
"""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches
from walkmesh.links.kernels import tolerances as tol

CLASSES = 4
KEPT = 6
_LOWER, _SAME = 1, 2  # flags of a class

# Ways more than 70 degrees off the outward direction of either edge lead along it.
_FACING = math.cos(math.radians(70.0))
# Directions in which lower ground is looked for, and how many places along each.
_ASIDE = math.radians(40.0)
_AHEAD_COUNT, _ASIDE_COUNT = 5, 2


# The boundary: (m, 8) float64, u, v, h of both ends of each edge, and the outward unit vector in
# plan [m]; (m,) int32, the connected set of each; and the tree of boxes over them.
BOUNDARY = kt.packed(kt.POINTS, kt.INTS, kt.TREE)
# The ground: (p, 3) float64, points [m]; (t, 3) int32, its triangles, counter-clockwise; (t,)
# int32, the connected set of each; and the tree of boxes over them.
GROUND = kt.packed(kt.POINTS, kt.TRIPLES, kt.INTS, kt.TREE)


@kernel(kt.POINTS, kt.INTS, BOUNDARY, GROUND, kt.FLOATS, kt.OUT_POINTS, kt.OUT_INTS)
def list_candidates(places, islands, boundary, ground, limits, goals, counts):
    """List where links from places on the boundary may lead to.

    Parameters
    ----------
    places : (n, 5) float64
        Places with their outward directions, see :func:`sample_boundary`.
    islands : (n,) int32
        The connected set of ground of each.
    boundary, ground : BOUNDARY and GROUND
    limits : (8,) float64
        How long ways may be at least, about level, and down; how high a step is, and how far down
        ways lead; where looking for lower ground starts, and how far apart its places are; and how
        far apart candidates of a class are. [Unit: m]
    goals : (n * CLASSES * KEPT, 4) float64, output
        Where they lead, u, v, h, and how long the way is in plan.
    counts : (n * CLASSES,) int32, output
        How many of each class there are.
    """
    edges, edge_islands, (edge_boxes, edge_order, edge_nodes) = boundary
    points, triangles, triangle_islands, (boxes, order, nodes) = ground
    least, level_reach, reach = limits[0], limits[1], limits[2]
    step, down, ahead, stride, apart = limits[3], limits[4], limits[5], limits[6], limits[7]
    far = max(level_reach, reach)
    found = np.empty(max(len(edge_order), len(order)) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    box = np.empty(6, np.float64)
    for i in range(len(places)):
        u, v, h = places[i, 0], places[i, 1], places[i, 2]
        out_u, out_v = places[i, 3], places[i, 4]
        for c in range(CLASSES):
            counts[i * CLASSES + c] = 0
        box[0], box[1], box[2] = u - far, v - far, h - max(down, step)
        box[3], box[4], box[5] = u + far, v + far, h + step
        count = gather_items(edge_nodes, edge_order, box, stack, found)
        for k in range(count):
            e = found[k]
            if not touches(edge_boxes, e, box):
                continue
            square, t = to_segment(u, v, edges[e, 0], edges[e, 1], edges[e, 3], edges[e, 4])
            distance = math.sqrt(square)
            if distance < least or distance > far:
                continue
            du = edges[e, 0] + t * (edges[e, 3] - edges[e, 0]) - u
            dv = edges[e, 1] + t * (edges[e, 4] - edges[e, 1]) - v
            goal_h = edges[e, 2] + t * (edges[e, 5] - edges[e, 2])
            if (
                du * out_u + dv * out_v < _FACING * distance
                or du * edges[e, 6] + dv * edges[e, 7] > -_FACING * distance
            ):
                continue
            kind = _class_of(goal_h - h, step, down, edge_islands[e] == islands[i])
            limit = reach if kind & _LOWER else level_reach
            if kind >= 0 and distance <= limit:
                goal_u, goal_v = (
                    u + du - tol.INSIDE_BOUNDARY * edges[e, 6],
                    v + dv - tol.INSIDE_BOUNDARY * edges[e, 7],
                )
                _insert(goals, counts, i * CLASSES + kind, goal_u, goal_v, goal_h, distance, apart)
        if down <= step:
            continue
        for direction in range(3):
            angle = 0.0 if direction == 0 else (_ASIDE if direction == 1 else -_ASIDE)
            du = math.cos(angle) * out_u - math.sin(angle) * out_v
            dv = math.sin(angle) * out_u + math.cos(angle) * out_v
            for k in range(_AHEAD_COUNT if direction == 0 else _ASIDE_COUNT):
                distance = ahead / math.cos(angle) + k * stride
                if distance > reach:
                    break
                gu, gv = u + distance * du, v + distance * dv
                box[0], box[1], box[2] = gu, gv, h - down
                box[3], box[4], box[5] = gu, gv, h - step
                count = gather_items(nodes, order, box, stack, found)
                t, goal_h = _highest(points, triangles, boxes, box, found, count, gu, gv)
                if t < 0:
                    continue
                kind = _class_of(goal_h - h, step, down, triangle_islands[t] == islands[i])
                if kind >= 0:
                    _insert(goals, counts, i * CLASSES + kind, gu, gv, goal_h, distance, apart)


@borrowing
def _class_of(rise, step, down, same):
    """Return the class of a goal that is higher by `rise`; -1 if it is too high or too low."""
    kind = _SAME if same else 0
    if rise < -step:
        kind |= _LOWER
        if rise < -down:
            kind = -1
    elif rise > step:
        kind = -1
    return kind


@borrowing
def _highest(points, triangles, boxes, box, items, count, u, v):
    """Return the highest of some triangles over a place within a box, and how high it is there."""
    best, best_h = -1, -np.inf
    for k in range(count):
        t = items[k]
        if not touches(boxes, t, box):
            continue
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        au, av = points[a, 0] - u, points[a, 1] - v
        bu, bv = points[b, 0] - u, points[b, 1] - v
        cu, cv = points[c, 0] - u, points[c, 1] - v
        beside_a, beside_b, beside_c = bu * cv - bv * cu, cu * av - cv * au, au * bv - av * bu
        whole = beside_a + beside_b + beside_c
        if beside_a >= 0.0 and beside_b >= 0.0 and beside_c >= 0.0 and whole > 0.0:
            ah = points[a, 2]
            h = ah + (beside_b * (points[b, 2] - ah) + beside_c * (points[c, 2] - ah)) / whole
            if box[2] <= h < box[5] and h > best_h:
                best, best_h = t, h
    return best, best_h


@shared_borrowing
def _insert(goals, counts, group, u, v, h, distance, apart):
    """Put a candidate among the nearest of its class, unless one is as near and beside it."""
    first, count = group * KEPT, counts[group]
    for i in range(count):
        row = first + i
        if (
            abs(goals[row, 0] - u) < apart
            and abs(goals[row, 1] - v) < apart
            and abs(goals[row, 2] - h) < apart
        ):
            if goals[row, 3] <= distance + tol.EQUAL:
                return
            for k in range(i + 1, count):  # it goes, for the nearer one
                for axis in range(4):
                    goals[first + k - 1, axis] = goals[first + k, axis]
            count -= 1
            break
    place = count
    while place > 0 and goals[first + place - 1, 3] > distance + tol.EQUAL:
        place -= 1
    if place < KEPT:
        count = min(count + 1, KEPT)
        for k in range(count - 1, place, -1):
            for axis in range(4):
                goals[first + k, axis] = goals[first + k - 1, axis]
        row = first + place
        goals[row, 0], goals[row, 1], goals[row, 2], goals[row, 3] = u, v, h, distance
    counts[group] = count
