"""Laying a path onto the ground: its heights come from the triangles that it crosses."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.kernels import tolerances as tol


@kernel(kt.POINTS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.TRIPLES, kt.FLOAT, kt.OUT_POINTS)
def drape(path, ways, points, triangles, polygons, diagonals, tolerance, draped):
    """Lay a path onto the triangles of the polygons that it leads through.

    The arguments are those of :func:`lay_down`, with `draped` from its first place on.

    Returns
    -------
    int
        How many points the path has; more than there are places if there was not room for all.
    """
    largest = 0
    for polygon in ways:
        largest = max(largest, polygons[polygon + 1, col.GROUND] - polygons[polygon, col.GROUND])
    relief = np.empty((len(ways), 3), np.float64)
    cuts = np.empty((largest, 3), np.float64)
    profile = np.empty((4 * largest + 8, 3), np.float64)
    stack = np.empty((4 * largest + 8, 2), np.int32)
    ground = (points, triangles, polygons, diagonals)
    return lay_down(
        path, ways, len(ways), ground, tolerance, (relief, cuts, profile, stack), draped, 0
    )


@shared_borrowing
def lay_down(path, ways, count, ground, tolerance, scratch, draped, used):
    """Lay a path onto the triangles of the polygons that it leads through.

    Where the triangles of two polygons meet at different heights, the path has a point on both,
    or one between them if they are no more than the tolerance apart.

    Parameters
    ----------
    path, ways : (w + 1, 3) float64 and (w,) int32
        The path in the plan frame: start, one point on each gate between two polygons, and goal;
        and the polygon from each point to the next, `count` of them.
    ground : tuple of (n, 3) float64, and of (t, 3), (p + 1, 7) and (d, 2) int32
        Points in the plan frame, triangles as vertex ids, counter-clockwise, and polygons and
        diagonals, see :mod:`walkmesh.query.ground.kernels.mesh`. [Unit: m]
    tolerance : float
        How far the path may be from the ground, in height. [Unit: m]
    scratch : tuple of (w, 3), (l, 3) and (4 l + 8, 3) float64, and (4 l + 8, 2) int32
        Relief, cuts, profile and stack, for up to l triangles in one polygon.
    draped : (k, 3) float64, output
        The path on the ground, as far as there is room: the same points, and in between those
        where it crosses sides of triangles and the ground leaves the straight line.
    used : int
        How many places of `draped` are taken already.

    Returns
    -------
    int
        How many are taken now, or would be if there were as many.
    """
    points, triangles, polygons, diagonals = ground
    relief, cuts, profile, stack = scratch
    flat = True
    for i in range(count):
        flat = flat and polygons[ways[i], col.RELIEF] == col.PLANE
    if flat:
        for i in range(count + 1):
            used = _add(draped, used, path[i, 0], path[i, 1], path[i, 2])
        return used
    # The ways that have a length, and the heights of the ground where they start and end.
    long = 0
    for i in range(count):
        if _plan_length(path, i) > tol.SAME_POINT:
            polygon = ways[i]
            relief[long, 0] = i
            relief[long, 1], relief[long, 2] = path[i, 2], path[i + 1, 2]
            if polygons[polygon, col.RELIEF] == col.BROKEN:
                first, stop = polygons[polygon, col.GROUND], polygons[polygon + 1, col.GROUND]
                relief[long, 1] = ground_at(path, i, points, triangles, first, stop)
                relief[long, 2] = ground_at(path, i + 1, points, triangles, first, stop)
            long += 1
    if long == 0:
        used = _add(draped, used, path[0, 0], path[0, 1], path[0, 2])
        return _add(draped, used, path[count, 0], path[count, 1], path[count, 2])
    height = math.nan
    for place in range(long):
        i = int(relief[place, 0])
        arrived = relief[place - 1, 2] if place > 0 else relief[place, 1]
        leaving = relief[place + 1, 1] if place + 1 < long else relief[place, 2]
        start = _meeting(path[i, 2], relief[place, 1], arrived, tolerance)
        end = _meeting(path[i + 1, 2], relief[place, 2], leaving, tolerance)
        u, v = path[i, 0], path[i, 1]
        du, dv = path[i + 1, 0] - u, path[i + 1, 1] - v
        if place == 0:
            used = _add(draped, used, path[0, 0], path[0, 1], start)
        elif start != height:
            used = _add(draped, used, u, v, start)
        if polygons[ways[i], col.RELIEF] != col.PLANE:
            first, stop = polygons[ways[i], col.GROUND], polygons[ways[i] + 1, col.GROUND]
            profile[0, 0], profile[0, 1] = 0.0, start
            if polygons[ways[i], col.RELIEF] == col.FACETED:
                heights = _cross_diagonals(path, i, points, polygons, diagonals, ways[i], profile)
            else:
                heights = _walk(path, i, points, triangles, first, stop, cuts, profile)
            profile[heights, 0], profile[heights, 1] = 1.0, end
            heights += 1
            _choose(profile, heights, tolerance, stack)
            for k in range(1, heights - 1):
                if profile[k, 2] > 0.0:
                    part = profile[k, 0]
                    used = _add(draped, used, u + part * du, v + part * dv, profile[k, 1])
        target = i + 1 if place + 1 < long else count
        used = _add(draped, used, path[target, 0], path[target, 1], end)
        height = end
    return used


@borrowing
def _add(draped, count, u, v, h):
    """Write one point if there is room, and return the new count."""
    if count < len(draped):
        draped[count, 0], draped[count, 1], draped[count, 2] = u, v, h
    return count + 1


@borrowing
def _plan_length(path, i):
    return math.sqrt((path[i + 1, 0] - path[i, 0]) ** 2 + (path[i + 1, 1] - path[i, 1]) ** 2)


@borrowing
def _meeting(known, here, there, tolerance):
    """Return the height at which a way starts or ends that goes on at another height."""
    if abs(here - known) <= tol.ON_GROUND and abs(there - known) <= tol.ON_GROUND:
        return known
    if abs(here - there) <= tolerance:
        return 0.5 * (here + there)
    return here


@borrowing
def ground_at(path, i, points, triangles, first, stop):
    """Return the height of the ground under a point, its own if there is none."""
    height = path[i, 2]
    best = tol.BESIDE_TRIANGLE * tol.BESIDE_TRIANGLE
    for k in range(first, stop):
        distance, found = nearest_in_plan(points, triangles, k, path[i, 0], path[i, 1])
        if distance < best:
            best, height = distance, found
            if best == 0.0:
                break
    return height


@borrowing
def nearest_in_plan(points, triangles, k, u, v):
    """Return how far a place is from a triangle in plan, squared, and the height nearest to it."""
    a, b, c = triangles[k, 0], triangles[k, 1], triangles[k, 2]
    au, av, ah = points[a, 0] - u, points[a, 1] - v, points[a, 2]
    bu, bv, bh = points[b, 0] - u, points[b, 1] - v, points[b, 2]
    cu, cv, ch = points[c, 0] - u, points[c, 1] - v, points[c, 2]
    beside_a = bu * cv - bv * cu
    beside_b = cu * av - cv * au
    beside_c = au * bv - av * bu
    if beside_a >= 0.0 and beside_b >= 0.0 and beside_c >= 0.0:
        whole = beside_a + beside_b + beside_c
        if whole > 0.0:
            return 0.0, ah + (beside_b * (bh - ah) + beside_c * (ch - ah)) / whole
    best, height = _nearest_on_side(au, av, ah, bu, bv, bh)
    distance, found = _nearest_on_side(bu, bv, bh, cu, cv, ch)
    if distance < best:
        best, height = distance, found
    distance, found = _nearest_on_side(cu, cv, ch, au, av, ah)
    if distance < best:
        best, height = distance, found
    return best, height


@borrowing
def _nearest_on_side(au, av, ah, bu, bv, bh):
    """Return how far the origin is from a side in plan, squared, and the height nearest to it."""
    square, part = to_segment(0.0, 0.0, au, av, bu, bv)
    return square, ah + part * (bh - ah)


@borrowing
def _crossing(path, i, points, triangles, k, beside):
    """Return the parts of a way at which it enters and leaves a triangle grown by `beside`."""
    u, v = path[i, 0], path[i, 1]
    du, dv = path[i + 1, 0] - u, path[i + 1, 1] - v
    enters, leaves = 0.0, 1.0
    if beside > 0.0:
        # A pointed triangle that grows on all sides would reach far beyond its tip.
        squared = du * du + dv * dv
        low, high = math.inf, -math.inf
        for corner in range(3):
            a = triangles[k, corner]
            along = ((points[a, 0] - u) * du + (points[a, 1] - v) * dv) / squared
            low, high = min(low, along), max(high, along)
        margin = beside / math.sqrt(squared)
        enters, leaves = max(enters, low - margin), min(leaves, high + margin)
    for side in range(3):
        a, b = triangles[k, side], triangles[k, side + 1 if side < 2 else 0]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        inside = eu * (v - points[a, 1]) - ev * (u - points[a, 0])
        if beside > 0.0:
            inside += beside * math.sqrt(eu * eu + ev * ev)
        gain = eu * dv - ev * du
        if gain > 0.0:
            enters = max(enters, -inside / gain)
        elif gain < 0.0:
            leaves = min(leaves, -inside / gain)
        elif inside < 0.0:
            return 1.0, 0.0
        if enters >= leaves:
            break
    return enters, leaves


@borrowing
def _cross_diagonals(path, i, points, polygons, diagonals, polygon, profile):
    """Write the heights along a way where it crosses diagonals, from the second place on.

    Returns
    -------
    int
        The first place that is free.
    """
    u, v = path[i, 0], path[i, 1]
    du, dv = path[i + 1, 0] - u, path[i + 1, 1] - v
    square = du * du + dv * dv
    count = 1
    # The numbers of corners count where those of a polygon start: there are three fewer of each.
    first = polygons[polygon, col.FIRST] - 3 * polygon
    stop = polygons[polygon + 1, col.FIRST] - 3 * (polygon + 1)
    for k in range(first, stop):
        a, b = diagonals[k, 0], diagonals[k, 1]
        au, av, bu, bv = points[a, 0] - u, points[a, 1] - v, points[b, 0] - u, points[b, 1] - v
        before, after = du * av - dv * au, du * bv - dv * bu
        if (before < 0.0) == (after < 0.0):
            continue
        share = before / (before - after)
        part = ((au + share * (bu - au)) * du + (av + share * (bv - av)) * dv) / square
        if not 0.0 < part < 1.0:
            continue
        # They come in the order of the polygon, not in that of the way.
        place = count
        while place > 1 and profile[place - 1, 0] > part:
            profile[place, 0], profile[place, 1] = profile[place - 1, 0], profile[place - 1, 1]
            place -= 1
        profile[place, 0] = part
        profile[place, 1] = points[a, 2] + share * (points[b, 2] - points[a, 2])
        count += 1
    return count


@borrowing
def _walk(path, i, points, triangles, first, stop, cuts, profile):
    """Write the heights along a way, from the second place of `profile` on.

    Returns
    -------
    int
        The first place that is free; there is at least one.
    """
    step = tol.SAME_POINT / _plan_length(path, i)
    found = 0
    for k in range(first, stop):
        enters, leaves = _crossing(path, i, points, triangles, k, 0.0)
        if leaves - enters > step:
            cuts[found, 0], cuts[found, 1], cuts[found, 2] = enters, leaves, k
            found += 1
    reached = 0.0
    count = 1
    while reached < 1.0 - step and count + 3 <= len(profile):
        # Of the triangles under the place that is reached, the one that leads farthest; where
        # there is none, one beside it, as far as the next one that is under the way.
        under, end, following = -1, reached + step, 1.0
        for j in range(found):
            if cuts[j, 0] > reached + step:
                following = min(following, cuts[j, 0])
            elif cuts[j, 1] > end:
                under, end = int(cuts[j, 2]), cuts[j, 1]
        if under < 0:
            for k in range(first, stop):
                enters, leaves = _crossing(path, i, points, triangles, k, tol.BESIDE_TRIANGLE)
                leaves = min(leaves, following)
                if (
                    enters <= reached + step
                    and leaves > end
                    and _is_beside(path, i, reached, points, triangles, k)
                    and _is_beside(path, i, leaves, points, triangles, k)
                ):
                    under, end = k, leaves
        if under < 0:
            reached = following
            continue
        for part in (reached, end):
            u = path[i, 0] + part * (path[i + 1, 0] - path[i, 0])
            v = path[i, 1] + part * (path[i + 1, 1] - path[i, 1])
            _, height = nearest_in_plan(points, triangles, under, u, v)
            profile[count, 0], profile[count, 1] = part, height
            count += 1
        reached = end
    return count


@borrowing
def _is_beside(path, i, part, points, triangles, k):
    """Tell whether a triangle is under a part of a way, or close beside it."""
    u = path[i, 0] + part * (path[i + 1, 0] - path[i, 0])
    v = path[i, 1] + part * (path[i + 1, 1] - path[i, 1])
    distance, _ = nearest_in_plan(points, triangles, k, u, v)
    return distance <= 4.0 * tol.BESIDE_TRIANGLE * tol.BESIDE_TRIANGLE


@borrowing
def _choose(profile, count, tolerance, stack):
    """Mark the places of a profile that keep a line through them within the tolerance.

    The place farthest from the straight line is kept, and then those of both halves (Douglas and
    Peucker), with distances in height alone.
    """
    for k in range(count):
        profile[k, 2] = 0.0
    stack[0, 0], stack[0, 1] = 0, count - 1
    depth = 1
    while depth > 0:
        depth -= 1
        a, b = stack[depth, 0], stack[depth, 1]
        length = profile[b, 0] - profile[a, 0]
        if b - a < 2 or length <= 0.0:
            continue
        farthest, most = -1, tolerance
        for k in range(a + 1, b):
            part = (profile[k, 0] - profile[a, 0]) / length
            line = profile[a, 1] + part * (profile[b, 1] - profile[a, 1])
            off = abs(profile[k, 1] - line)
            if off > most:
                farthest, most = k, off
        if farthest >= 0:
            profile[farthest, 2] = 1.0
            stack[depth, 0], stack[depth, 1] = a, farthest
            stack[depth + 1, 0], stack[depth + 1, 1] = farthest, b
            depth += 2
