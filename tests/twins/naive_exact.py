"""Slow, obvious twins of the kernels of the exact method.

Triangles are (3, 3) arrays of points (u, v, h); regions in plan are shapely polygons.
"""

import itertools
import math

import numpy as np
import shapely

SAME_HEIGHT = 2.5e-6
SAME_SHEET = 1.0005e-4
SAME_LAYER = 1.0005e-2
HEADROOM_SLACK = 1e-4
WALL, LOW, GROUND = 0, 1, 2


# Faces and cutting


def role(triangle, max_slope):
    """Return what a face is, by the angle between its normal and up."""
    normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    plan = shapely.Polygon(triangle[:, :2])
    tilt = math.degrees(math.atan2(math.hypot(normal[0], normal[1]), abs(normal[2])))
    longest = max(math.dist(a, b) for a, b in itertools.combinations(triangle[:, :2], 2))
    steep = tilt > max_slope + 1e-9
    # Twice the area by the longest side is the width of a triangle.
    if plan.area == 0.0 or (steep and 2.0 * plan.area / longest < 1e-3):
        return WALL
    return GROUND if normal[2] > 0.0 and not steep else LOW


def height_on(triangle, u, v):
    """Return the height of a triangle's plane at (u, v)."""
    a, b, c = triangle
    gradient = np.linalg.solve([(b - a)[:2], (c - a)[:2]], [(b - a)[2], (c - a)[2]])
    return a[2] + gradient @ (np.array([u, v]) - a[:2])


def part_above(corners, values):
    """Return the corners of the part of a polygon where values, linear between corners, are > 0."""
    kept = []
    for i in range(len(corners)):
        (p, q), (x, y) = (corners[i - 1], corners[i]), (values[i - 1], values[i])
        if (x > 0.0) != (y > 0.0):
            kept.append(p + (q - p) * x / (x - y))
        if y > 0.0:
            kept.append(q)
    return kept


def blocked(below, above, low, high):
    """Return where one face stands over another, higher than `low` and less than `high`."""
    corners = list(above[:, :2])
    for sign, level in ((1.0, low), (-1.0, high)):
        over = [height_on(above, *p) - height_on(below, *p) for p in corners]
        corners = part_above(corners, [sign * (value - level) for value in over])
        if len(corners) < 3:
            return shapely.Polygon()
    return shapely.Polygon(corners).buffer(0.0)


def free_plan(triangles, roles, index, height):
    """Return what is left of a face, in plan: all of it but what others block."""
    regions = []
    for other in range(len(triangles)):
        if other == index or roles[other] == WALL:
            continue
        first = (-int(roles[other]), other) < (-int(roles[index]), index)
        slack = SAME_HEIGHT
        if roles[other] != roles[index]:
            low = triangles[other if roles[other] < roles[index] else index]
            # A low face that is not steep is one that faces the other way.
            slack = SAME_LAYER if role(low[::-1], 45.0) == GROUND else SAME_SHEET
        low = -slack if first else slack
        regions.append(blocked(triangles[index], triangles[other], low, height - HEADROOM_SLACK))
    plan = shapely.Polygon(triangles[index][:, :2]).buffer(0.0)
    return plan - shapely.union_all(regions, grid_size=1e-9)


# Stitching


def weld(corners, distance):
    """Return the vertex of each corner: the first one that is close enough in plan."""
    places, ids = [], []
    for corner in corners:
        near = [k for k, p in enumerate(places) if math.dist(p, corner[:2]) <= distance]
        if not near:
            near = [len(places)]
            places.append(corner[:2])
        ids.append(near[0])
    return ids


def mates(edges, max_step):
    """Match opposite edges, the nearest in height first.

    Parameters
    ----------
    edges : list of ((vertex, height), (vertex, height))

    Returns
    -------
    list of int, dict
        The mate of each or -1; and for edges refused at one end only, where along them.
    """
    pairs = []
    for i, j in itertools.combinations(range(len(edges)), 2):
        (a, ha), (b, hb) = edges[i]
        (c, hc), (d, hd) = edges[j]
        if (a, b) == (d, c):
            pairs.append((abs(ha + hb - hc - hd), i, j))
    result, used, split = [-1] * len(edges), set(), {}
    for _, i, j in sorted(pairs):
        if used & {i, j}:
            continue
        used |= {i, j}
        first, last = edges[i][0][1] - edges[j][1][1], edges[i][1][1] - edges[j][0][1]
        within = [abs(first) <= max_step, abs(last) <= max_step]
        if all(within):
            result[i], result[j] = j, i
        elif any(within):
            parts = [(level - first) / (last - first) for level in (max_step, -max_step)]
            split[i] = next(part for part in parts if 0.0 < part < 1.0)
            split[j] = 1.0 - split[i]
    return result, split


def fans(offsets, mate_list):
    """Return the corners that belong together as sets: flooded from corner to corner over edges."""
    ahead, behind = {}, {}
    for start, stop in itertools.pairwise(offsets):
        for i in range(start, stop):
            ahead[i] = i + 1 if i + 1 < stop else start
            behind[ahead[i]] = i
    seen, result = set(), set()
    for seed in ahead:
        if seed in seen:
            continue
        fan, stack = set(), [seed]
        while stack:
            corner = stack.pop()
            if corner in fan:
                continue
            fan.add(corner)
            # The edge that leaves a corner arrives, seen from across, at the same place.
            if mate_list[corner] >= 0:
                stack.append(ahead[mate_list[corner]])
            if mate_list[behind[corner]] >= 0:
                stack.append(mate_list[behind[corner]])
        seen |= fan
        result.add(frozenset(fan))
    return result


# Walls and ramps


def wall_matters(wall, u, ground, max_step, height):
    """Tell whether an upright triangle in the plane v = 0 is in the way at u.

    It is where its top is above a step and its foot below the head.
    """
    side_view = shapely.Polygon(wall[:, [0, 2]])
    upright = shapely.LineString([(u, -100.0), (u, 100.0)])
    common = side_view.intersection(upright)
    if common.is_empty:
        return False
    _, low, _, high = common.bounds
    return high > ground + max_step and low < ground + height


def on_ramps(points, heights, lines, widths, rises, window):
    """Return the heights of vertices, raised onto the highest ramp over each."""
    result = []
    for (u, v), h in zip(points, heights, strict=True):
        best = h
        for line, width, ends in zip(lines, widths, rises, strict=True):
            step = shapely.LineString([line[:2], line[3:5]])
            part = step.project(shapely.Point(u, v), normalized=True)
            foot = line[2] + part * (line[5] - line[2])
            rise = ends[0] + part * (ends[1] - ends[0])
            away = step.distance(shapely.Point(u, v))
            if abs(h - foot) <= min(window, rise / 2.0) and away < width:
                best = max(best, foot + rise * (1.0 - away / width))
        result.append(best)
    return result
