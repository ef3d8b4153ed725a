"""Laying a path onto the ground: its heights come from the triangles that it crosses."""

import numpy as np

from walkmesh.kernels.kernel import FLOAT, INTS, OUT_POINTS, POINTS, TRIPLES, kernel

# Where no triangle lies under a path, one that is no farther beside it than this does: triangles
# may fall short of their polygon's outline by a little. [Unit: m]
_BESIDE = 3e-5
# A way no longer than this in plan is none. [Unit: m]
_NOWHERE = 1e-9
# A height that is no farther than this from the ground is left as it is. [Unit: m]
_SAME = 1e-6


@kernel(POINTS, INTS, POINTS, TRIPLES, INTS, FLOAT, OUT_POINTS)
def drape(path, polygons, points, triangles, offsets, tolerance, draped):
    """Lay a path onto the triangles of the polygons that it leads through.

    Where the triangles of two polygons meet at different heights, the path has a point on both,
    or one between them if they are no more than the tolerance apart.

    Parameters
    ----------
    path : (g, 3) float64
        The path in the plan frame: start, one point on each gate between two polygons, and goal.
    polygons : (g - 1,) int32
        The polygon from each point to the next.
    points : (n, 3) float64
        Positions of the mesh in the plan frame. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids, counter-clockwise.
    offsets : (p + 1,) int32
        Where the triangles of each polygon start.
    tolerance : float
        How far the path may be from the ground, in height. [Unit: m]
    draped : (k, 3) float64, output
        The path on the ground, as far as there is room: the same points, and in between those
        where it crosses sides of triangles and the ground leaves the straight line.

    Returns
    -------
    int
        How many points the path has; more than k if there was not room for all.
    """
    ways = len(polygons)
    largest = 0
    for polygon in polygons:
        largest = max(largest, offsets[polygon + 1] - offsets[polygon])
    # The ways that have a length, and the heights of the ground where they start and end.
    order = np.empty(ways, np.int32)
    starts = np.empty(ways, np.float64)
    ends = np.empty(ways, np.float64)
    used = 0
    for i in range(ways):
        if _plan_length(path, i) > _NOWHERE:
            first, stop = offsets[polygons[i]], offsets[polygons[i] + 1]
            order[used] = i
            starts[used] = _ground_at(path, i, points, triangles, first, stop)
            ends[used] = _ground_at(path, i + 1, points, triangles, first, stop)
            used += 1
    goal = len(path) - 1
    if used == 0:
        count = _add(draped, 0, path[0, 0], path[0, 1], path[0, 2])
        return _add(draped, count, path[goal, 0], path[goal, 1], path[goal, 2])
    crossings = np.empty((largest, 2), np.float64)
    crossed = np.empty(largest, np.int32)
    # The heights along one way: (part of the way, height).
    profile = np.empty((4 * largest + 8, 2), np.float64)
    kept = np.empty(len(profile), np.uint8)
    stack = np.empty((len(profile), 2), np.int32)
    count = 0
    height = np.nan
    for place in range(used):
        i = order[place]
        arrived = ends[place - 1] if place > 0 else starts[place]
        leaving = starts[place + 1] if place + 1 < used else ends[place]
        start = _meeting(path[i, 2], starts[place], arrived, tolerance)
        end = _meeting(path[i + 1, 2], ends[place], leaving, tolerance)
        u, v = path[i, 0], path[i, 1]
        du, dv = path[i + 1, 0] - u, path[i + 1, 1] - v
        if place == 0:
            count = _add(draped, count, path[0, 0], path[0, 1], start)
        elif start != height:
            count = _add(draped, count, u, v, start)
        first, stop = offsets[polygons[i]], offsets[polygons[i] + 1]
        profile[0, 0], profile[0, 1] = 0.0, start
        heights = _walk(path, i, points, triangles, first, stop, crossings, crossed, profile)
        profile[heights, 0], profile[heights, 1] = 1.0, end
        heights += 1
        _choose(profile, heights, tolerance, kept, stack)
        for k in range(1, heights - 1):
            if kept[k]:
                part = profile[k, 0]
                count = _add(draped, count, u + part * du, v + part * dv, profile[k, 1])
        target = i + 1 if place + 1 < used else goal
        count = _add(draped, count, path[target, 0], path[target, 1], end)
        height = end
    return count


@kernel
def _add(draped, count, u, v, h):
    """Write one point if there is room, and return the new count."""
    if count < len(draped):
        draped[count, 0], draped[count, 1], draped[count, 2] = u, v, h
    return count + 1


@kernel
def _plan_length(path, i):
    return np.sqrt((path[i + 1, 0] - path[i, 0]) ** 2 + (path[i + 1, 1] - path[i, 1]) ** 2)


@kernel
def _meeting(known, here, there, tolerance):
    """Return the height at which a way starts or ends that goes on at another height."""
    if abs(here - known) <= _SAME and abs(there - known) <= _SAME:
        return known
    if abs(here - there) <= tolerance:
        return 0.5 * (here + there)
    return here


@kernel
def _ground_at(path, i, points, triangles, first, stop):
    """Return the height of the ground under a point, its own if there is none."""
    height = path[i, 2]
    best = _BESIDE * _BESIDE
    for k in range(first, stop):
        distance, found = nearest_in_plan(points, triangles, k, path[i, 0], path[i, 1])
        if distance < best:
            best, height = distance, found
            if best == 0.0:
                break
    return height


@kernel
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


@kernel
def _nearest_on_side(au, av, ah, bu, bv, bh):
    """Return how far the origin is from a side in plan, squared, and the height nearest to it."""
    eu, ev = bu - au, bv - av
    squared = eu * eu + ev * ev
    part = 0.0
    if squared > 0.0:
        part = min(max(-(au * eu + av * ev) / squared, 0.0), 1.0)
    u, v = au + part * eu, av + part * ev
    return u * u + v * v, ah + part * (bh - ah)


@kernel
def _crossing(path, i, points, triangles, k, beside):
    """Return the parts of a way at which it enters and leaves a triangle grown by `beside`."""
    u, v = path[i, 0], path[i, 1]
    du, dv = path[i + 1, 0] - u, path[i + 1, 1] - v
    enters, leaves = 0.0, 1.0
    for side in range(3):
        a, b = triangles[k, side], triangles[k, (side + 1) % 3]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        inside = eu * (v - points[a, 1]) - ev * (u - points[a, 0])
        inside += beside * np.sqrt(eu * eu + ev * ev)
        gain = eu * dv - ev * du
        if gain > 0.0:
            enters = max(enters, -inside / gain)
        elif gain < 0.0:
            leaves = min(leaves, -inside / gain)
        elif inside < 0.0:
            return 1.0, 0.0
    return enters, leaves


@kernel
def _walk(path, i, points, triangles, first, stop, crossings, crossed, profile):
    """Write the heights along a way, from the second place of `profile` on.

    Returns
    -------
    int
        The first place that is free; there is at least one.
    """
    step = _NOWHERE / _plan_length(path, i)
    found = 0
    for k in range(first, stop):
        enters, leaves = _crossing(path, i, points, triangles, k, 0.0)
        if leaves - enters > step:
            crossings[found, 0], crossings[found, 1] = enters, leaves
            crossed[found] = k
            found += 1
    reached = 0.0
    count = 1
    while reached < 1.0 - step and count + 3 <= len(profile):
        # Of the triangles under the place that is reached, the one that leads farthest; where
        # there is none, one beside it, as far as the next one that is under the way.
        under, end, following = -1, reached + step, 1.0
        for j in range(found):
            if crossings[j, 0] > reached + step:
                following = min(following, crossings[j, 0])
            elif crossings[j, 1] > end:
                under, end = crossed[j], crossings[j, 1]
        if under < 0:
            for k in range(first, stop):
                enters, leaves = _crossing(path, i, points, triangles, k, _BESIDE)
                leaves = min(leaves, following)
                if enters <= reached + step and leaves > end:
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


@kernel
def _choose(profile, count, tolerance, kept, stack):
    """Mark the places of a profile that keep a line through them within the tolerance.

    The place farthest from the straight line is kept, and then those of both halves (Douglas and
    Peucker), with distances in height alone.
    """
    for k in range(count):
        kept[k] = 0
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
            kept[farthest] = 1
            stack[depth, 0], stack[depth, 1] = a, farthest
            stack[depth + 1, 0], stack[depth + 1, 1] = farthest, b
            depth += 2
