"""Ways over low faces: from ground to ground, along the gradient, also across slits."""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.march import MOST_AT_A_PLACE, MOST_CROSSED, leave_polygon
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items

# Polygons of ground with low ones among them: (offsets, corners, mates, owners, planes, low).
# Where the corners of each start (p + 1,), corners (c, 3), the edge across each edge (c,), negative
# where there is none, the polygon of each corner (c,), and planes (p, 3); low (p,) is 1 for a low
# polygon, RUBBLE if it is part of something small, 0 for one to stand on.
GROUND_AND_LOW = kt.packed(kt.INTS, kt.POINTS, kt.INTS, kt.INTS, kt.POINTS, kt.BYTES)
# The highest step, the widest thing that can be stepped over, and the widest slit that may lie
# between it and the ground on its sides. [m]
LIMITS = kt.packed(kt.FLOAT, kt.FLOAT, kt.FLOAT)

# What a low polygon is that is part of something small, in the arrays that have 1 for all others.
RUBBLE = 2
# Ways to try over a face, within half a turn.
WAYS = 16
# What comes of a way: it ends before it comes to ground, reaches it, or goes on for too long.
ENDED, REACHED, TOO_WIDE = 0, 1, 2
# What lies between grounds no further apart than this is passed whichever way one goes. [m]
BESIDE = 0.3
# Ground is out of reach of any walk if it is further up or down than this many steps, and than
# rubble is high. [1, m]
_HIGHER = 3.0
_RUBBLE_HEIGHT = 0.5
# Columns of a way; see :func:`_go`.
LOWEST, HIGHEST, LENGTH, GROUND, OUTCOME = range(5)


@kernel
def make_tree(boxes):
    """Return a tree of boxes around polygons, with room to look things up in it."""
    _, order, nodes = boxes
    stack, found = np.empty(DEPTH_LIMIT, np.int32), np.empty(len(order) + 1, np.int32)
    return nodes, order, stack, found, np.empty(6, np.float64)


@kernel
def no_tree():
    """Return a tree that finds nothing, for ways that cross no slit."""
    none = np.empty((0, 6), np.float64)
    return make_tree((none, np.empty(0, np.int32), none))


@borrowing
def middle_of(corners, first, last):
    """Return the mean (u, v, h) of corners `first` to `last`."""
    u, v, h = 0.0, 0.0, 0.0
    for i in range(first, last):
        u += corners[i, 0] / (last - first)
        v += corners[i, 1] / (last - first)
        h += corners[i, 2] / (last - first)
    return u, v, h


@borrowing
def is_passable(ground, tree, limits, polygon, u, v, h, reach):
    """Tell whether one can walk over a low polygon at a place (u, v, h) of it, along its gradient.

    And any way, if it has next to none. `reach` (5,) becomes the lowest and the highest place on
    the way, its length, and the lowest and the highest of the grounds at its ends. [Unit: m]
    """
    along_u, along_v, steep = along_gradient(ground[4], polygon)
    for way in range(1 if steep else WAYS):
        du, dv = turned(along_u, along_v, way)
        start_at(h, reach)
        outcome = REACHED
        for turn in (1.0, -1.0):
            if outcome == REACHED:
                outcome = reach_ground(
                    ground, tree, limits, polygon, u, v, turn * du, turn * dv, reach
                )
        if outcome == REACHED:
            return True
    return False


@borrowing
def is_passable_aside(ground, tree, limits, polygon, u, v, h, reach, halves, contacts, edges):
    """Tell whether one can walk over a low polygon at a place of it in any direction at all.

    `contacts` (n, 4) are the edges (u, v, u, v) at which ways come to ground, as far as they are
    known; all ways are tried if there are more `edges` than that.
    """
    max_step, widest, _ = limits
    along_u, along_v, _ = along_gradient(ground[4], polygon)
    for way in range(WAYS):
        du, dv = turned(along_u, along_v, way)
        if edges <= len(contacts) and not _meets_both(contacts, edges, u, v, du, dv, widest):
            continue
        for turn in range(2):
            # Uphill first, where most ways end.
            half = way if (turn == 0) == (2 * way < WAYS) else way + WAYS
            _go(ground, tree, limits, polygon, u, v, h, half, reach, halves)
            if halves[half, OUTCOME] != REACHED:
                halves[opposite(half), OUTCOME] = ENDED
                break
        if _passes(halves, way, max_step, widest) or _passes(halves, way + WAYS, max_step, widest):
            return True
    return False


@borrowing
def _meets_both(contacts, edges, u, v, du, dv, widest):
    """Tell whether a line through a place meets edges on both sides of it, not too far apart."""
    ahead, behind = np.inf, np.inf
    for k in range(edges):
        pu, pv = contacts[k, 0] - u, contacts[k, 1] - v
        qu, qv = contacts[k, 2] - u, contacts[k, 3] - v
        p, q = pu * dv - pv * du, qu * dv - qv * du
        # What touches one end of an edge meets it.
        if (p > tol.ASIDE and q > tol.ASIDE) or (p < -tol.ASIDE and q < -tol.ASIDE):
            continue
        share = p / (p - q) if p != q else 0.0
        share = min(max(share, 0.0), 1.0)
        x = (pu + share * (qu - pu)) * du + (pv + share * (qv - pv)) * dv
        if x >= 0.0:
            ahead = min(ahead, x)
        else:
            behind = min(behind, -x)
    return ahead + behind <= widest + 4.0 * tol.ASIDE


@borrowing
def find_barred_ways(ground, tree, limits, polygon, u, v, h, reach, halves):
    """Find the directions in which a walk that comes to a low polygon at a place of it ends there.

    Returns a bit for each way, the lowest for the first, that is set where a walk from ground ends.
    `halves` are the ways from that place, (2 * WAYS, 5) float64; see :func:`_go`.
    """
    for way in range(2 * WAYS):
        _go(ground, tree, limits, polygon, u, v, h, way, reach, halves)
    max_step, widest, _ = limits
    step = max_step + tol.STEP_SLACK
    barred = 0
    for way in range(2 * WAYS):
        back = opposite(way)
        if halves[back, OUTCOME] != REACHED:
            continue
        before, beyond = halves[back, GROUND], halves[way, GROUND]
        ends = abs(before - h) > step
        if halves[way, OUTCOME] == REACHED and halves[way, LENGTH] <= tol.LOW_END:
            ends = ends or abs(before - beyond) > step
        if ends or not (
            _passes(halves, way, max_step, widest) or _lies_between(halves, before, max_step)
        ):
            barred |= 1 << way
    return barred


@borrowing
def _go(ground, tree, limits, polygon, u, v, h, way, reach, halves):
    """Go from a place of a low polygon until there is ground, however high or low that is.

    The row of the way becomes the lowest and highest place of low polygons on it, its length, the
    height of the ground, and its outcome.
    """
    max_step, widest, gap = limits
    higher = (max(_HIGHER * max_step, _RUBBLE_HEIGHT), widest, gap)
    along_u, along_v, _ = along_gradient(ground[4], polygon)
    du, dv = turned(along_u, along_v, way)
    start_at(h, reach)
    halves[way, OUTCOME] = reach_ground(ground, tree, higher, polygon, u, v, du, dv, reach)
    halves[way, LOWEST], halves[way, HIGHEST] = reach[0], reach[1]
    halves[way, LENGTH], halves[way, GROUND] = reach[2], reach[3]


@kernel
def _passes(halves, way, max_step, widest):
    """Tell whether a walk in one direction passes a place, from ground to ground."""
    back = opposite(way)
    if halves[way, OUTCOME] != REACHED or halves[back, OUTCOME] != REACHED:
        return False
    return halves[way, LENGTH] + halves[back, LENGTH] <= widest and _is_within(
        halves, way, halves[back, GROUND], max_step
    )


@kernel
def _lies_between(halves, ground, max_step):
    """Tell whether a place lies between grounds close by, for who comes from ground of a height."""
    for way in range(WAYS):
        if (
            _passes(halves, way, np.inf, BESIDE)
            and _is_within(halves, way, ground, max_step)
            and _is_within(halves, way + WAYS, ground, max_step)
            and abs(halves[way, GROUND] - halves[way + WAYS, GROUND]) <= max_step + tol.STEP_SLACK
        ):
            return True
    return False


@kernel
def _is_within(halves, way, ground, max_step):
    """Tell whether a way, both halves of it, and its end are within a step of ground."""
    back = opposite(way)
    lowest = min(halves[way, LOWEST], halves[back, LOWEST], halves[way, GROUND])
    highest = max(halves[way, HIGHEST], halves[back, HIGHEST], halves[way, GROUND])
    return (
        highest - ground <= max_step + tol.STEP_SLACK
        and ground - lowest <= max_step + tol.STEP_SLACK
    )


@kernel
def opposite(way):
    """Return the way in the opposite direction."""
    return way - WAYS if way >= WAYS else way + WAYS


@kernel
def turned(du, dv, way):
    """Return a direction turned by a number of ways."""
    cosine, sine = np.cos(way * np.pi / WAYS), np.sin(way * np.pi / WAYS)
    return cosine * du - sine * dv, sine * du + cosine * dv


@kernel
def start_at(h, reach):
    """Begin a way at a height."""
    reach[0], reach[1], reach[2], reach[3], reach[4] = h, h, 0.0, np.inf, -np.inf


@kernel
def along_gradient(planes, polygon):
    """Return the direction, of length 1, in which a polygon rises, and whether it does."""
    slope = np.sqrt(planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2)
    if slope <= tol.NO_GRADIENT:
        return 1.0, 0.0, False
    return planes[polygon, 0] / slope, planes[polygon, 1] / slope, True


@borrowing
def reach_ground(ground, tree, limits, polygon, u, v, du, dv, reach):
    """Return whether the way from (u, v) along (du, dv) comes to standable ground within a step."""
    offsets, corners, mates, owners, _, low = ground
    max_step, widest, gap = limits
    entry, walked, at_a_place = -1, 0.0, 0
    for _ in range(MOST_CROSSED):
        exit_edge, way = leave_polygon(offsets, corners, polygon, entry, u, v, du, dv)
        at_a_place = at_a_place + 1 if way < tol.NO_ADVANCE else 0
        if exit_edge < 0 or at_a_place > MOST_AT_A_PLACE:
            return ENDED
        walked = 0.0 if low[polygon] else walked + way
        if walked > tol.NARROW_GROUND:
            return REACHED
        i, j = exit_edge, next_corner(offsets, polygon, exit_edge)
        u, v = u + du * way, v + dv * way
        reach[2] += way
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        t = ((u - corners[i, 0]) * eu + (v - corners[i, 1]) * ev) / (eu * eu + ev * ev)
        t = min(max(t, 0.0), 1.0)
        h = corners[i, 2] + t * (corners[j, 2] - corners[i, 2])
        if low[polygon]:
            reach[0], reach[1] = min(reach[0], h), max(reach[1], h)
        entry = mates[exit_edge]
        if entry < 0 and gap > 0.0:
            entry, t, way = _cross_slit(ground, tree, limits, u, v, du, dv, reach)
            u, v = u + du * way, v + dv * way
            reach[2] += way
        if entry < 0:
            return ENDED
        if walked > 0.0 and low[owners[entry]]:
            return REACHED
        polygon = owners[entry]
        j = next_corner(offsets, polygon, entry)
        h = corners[j, 2] + t * (corners[entry, 2] - corners[j, 2])
        if low[polygon]:
            reach[0], reach[1] = min(reach[0], h), max(reach[1], h)
        else:
            reach[3], reach[4] = min(reach[3], h), max(reach[4], h)
        if max(reach[1], reach[4]) - min(reach[0], reach[3]) > max_step + tol.STEP_SLACK:
            return ENDED
        if reach[2] > widest:
            return TOO_WIDE
    return ENDED


@borrowing
def _cross_slit(ground, tree, limits, u, v, du, dv, reach):
    """Find the boundary edge at which a way goes on across a slit, no more than a step from it.

    Returns the edge, -1 if there is none; the part of it, from its end, where the way meets it; and
    how many metres away that is.
    """
    offsets, corners, mates, _, _, _ = ground
    max_step, _, gap = limits
    nodes, order, stack, found, box = tree
    nearest, entry, part = gap + tol.ASIDE, -1, 0.0
    box[0], box[3] = min(u, u + gap * du) - tol.ASIDE, max(u, u + gap * du) + tol.ASIDE
    box[1], box[4] = min(v, v + gap * dv) - tol.ASIDE, max(v, v + gap * dv) + tol.ASIDE
    lowest, highest = min(reach[0], reach[3]), max(reach[1], reach[4])
    box[2], box[5] = highest - max_step - tol.STEP_SLACK, lowest + max_step + tol.STEP_SLACK
    for place in range(gather_items(nodes, order, box, stack, found)):
        polygon = found[place]
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0:
                continue
            j = next_corner(offsets, polygon, i)
            eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
            entering = dv * eu - du * ev
            if entering <= tol.PARALLEL_WAY:
                continue
            au, av = corners[i, 0] - u, corners[i, 1] - v
            way = (av * eu - au * ev) / entering
            if way < -tol.ASIDE or way >= nearest:
                continue
            t = (av * du - au * dv) / entering
            slack = tol.ASIDE / np.sqrt(eu * eu + ev * ev)
            if t < -slack or t > 1.0 + slack:
                continue
            t = min(max(t, 0.0), 1.0)
            h = corners[i, 2] + t * (corners[j, 2] - corners[i, 2])
            if max(highest, h) - min(lowest, h) <= max_step + tol.STEP_SLACK:
                nearest, entry, part = way, i, 1.0 - t
    return entry, part, max(nearest, 0.0)
