"""Walking straight on over the polygons, as far as they go."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.drape import ground_at, lay_down
from walkmesh.query.ground.kernels.locate import to_plan, to_world
from walkmesh.query.ground.kernels.trace import straighten
from walkmesh.query.kernels import tolerances as tol


@borrowing
def leave_polygon(points, polygons, sides, polygon, entry, u, v, du, dv):
    """Find where a straight way leaves a polygon.

    The way starts at (u, v), before or in the polygon, and leads on by (du, dv); `entry` is the
    side that the polygon was entered by, -1 for none. Returns the side, -1 if the way ends in the
    polygon, and the part of the way up to there. [Unit: m]
    """
    left, end, beside = -1, 1.0, 0.0
    far = math.sqrt(du * du + dv * dv)
    slack = tol.SAME_POINT / max(far, tol.SAME_POINT)
    first, stop = polygons[polygon, col.FIRST], polygons[polygon + 1, col.FIRST]
    for side in range(first, stop):
        if side == entry:
            continue
        a = sides[side, col.VERTEX]
        b = sides[side + 1 if side + 1 < stop else first, col.VERTEX]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        gain = eu * dv - ev * du
        if gain >= 0.0:
            continue
        pu, pv = u - points[a, 0], v - points[a, 1]
        part = max((ev * pu - eu * pv) / gain, 0.0)
        # How far the way passes beside the side if it only crosses its line: where sides
        # are in line but for rounding, the line of a wall may come before the side that is left.
        length = math.sqrt(eu * eu + ev * ev)
        along = ((pu + part * du) * eu + (pv + part * dv) * ev) / length
        off = max(-along, along - length, 0.0) * -gain / (length * far)
        better = left < 0 or off < beside - tol.SAME_POINT
        if not better and off <= beside + tol.SAME_POINT:
            # At a vertex, a side with ground behind it comes before a wall.
            opens = sides[left, col.NEIGHBOR] < 0 <= sides[side, col.NEIGHBOR]
            better = part < end - slack or (part <= end + slack and opens)
        if better:
            left, end, beside = side, part, off
    if left < 0 or end >= 1.0 - slack:
        return -1, 1.0
    return left, end


@kernel(
    kt.POINTS, kt.INTS, kt.POINTS, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.TRIPLES, kt.POINTS,
    kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_BYTES,
)  # fmt: skip
def cast_rays(
    starts, start_polygons, ends, points, polygons, sides, triangles, axes,
    places, last_polygons, walls, hits,
):  # fmt: skip
    """Walk straight from points towards others, as seen from above, as far as there is ground.

    Parameters
    ----------
    starts, ends : (n, 3) float64
        World coordinates. [Unit: m]
    start_polygons : (n,) int32
        The polygons that the starts lie on, -1 for none.
    points, polygons, sides, triangles
        See :mod:`walkmesh.query.ground.kernels.mesh`.
    axes : (3, 3) float64
        The unit vectors of the plan frame as rows.
    places : (n, 3) float64, output
        Where the walk ends, in world coordinates; the start if it is on no polygon.
    last_polygons : (n,) int32, output
        The polygon where it ends; -1 if there is none.
    walls : (n,) int32, output
        The side at which it ends; -1 if it comes to its end.
    hits : (n,) uint8, output
        1 if it is stopped by a wall.
    """
    place = np.empty((1, 3), np.float64)
    for q in range(len(starts)):
        polygon, walls[q], hits[q] = start_polygons[q], -1, 0
        last_polygons[q] = polygon
        if polygon < 0:
            hits[q] = 1
            for k in range(3):
                places[q, k] = starts[q, k]
            continue
        u, v, h = to_plan(axes, starts, q, 0)
        eu, ev, _ = to_plan(axes, ends, q, 0)
        entry, end = -1, 1.0
        for _ in range(len(sides)):
            side, end = leave_polygon(points, polygons, sides, polygon, entry, u, v, eu - u, ev - v)
            if side < 0:
                break
            if sides[side, col.NEIGHBOR] < 0:
                walls[q], hits[q] = side, 1
                break
            entry = sides[side, col.MATE]
            polygon = sides[side, col.NEIGHBOR]
        place[0, 0], place[0, 1], place[0, 2] = u + end * (eu - u), v + end * (ev - v), h
        first, stop = polygons[polygon, col.GROUND], polygons[polygon + 1, col.GROUND]
        height = ground_at(place, 0, points, triangles, first, stop)
        to_world(axes, place[0, 0], place[0, 1], height, places, q)
        last_polygons[q] = polygon


@kernel(
    kt.POINTS, kt.INT, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.TRIPLES, kt.TRIPLES, kt.FLOAT,
    kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_POINTS, kt.OUT_LONGS,
)  # fmt: skip
def lay_line(
    line, polygon, points, polygons, sides, triangles, diagonals, tolerance, crossings, ways,
    path, used,
):  # fmt: skip
    """Lay a line, given in plan, onto the ground.

    Parameters
    ----------
    line : (k, 3) float64
        Points in the plan frame, of which only the first has a height. [Unit: m]
    polygon : int
        The polygon that it starts in.
    points, polygons, sides, triangles, diagonals
        See :mod:`walkmesh.query.ground.kernels.mesh`.
    tolerance : float
        How far the path may be from the ground, in height. [Unit: m]
    crossings, ways : (m, 3) float64 and (m,) int32, output
        Its points and those where it crosses sides, and the polygon after each of them.
    path : (n, 3) float64, output
        The path in the plan frame.
    used : (2,) int64, output
        How many places of `crossings` and of `path` are used, or would be if there were as many.

    Returns
    -------
    bool
        Whether all of the line is over the ground.
    """
    count = 1
    for k in range(3):
        crossings[0, k] = line[0, k]
    for i in range(len(line) - 1):
        u, v = line[i, 0], line[i, 1]
        du, dv = line[i + 1, 0] - u, line[i + 1, 1] - v
        entry = -1
        for _ in range(len(sides) + 1):
            side, end = leave_polygon(points, polygons, sides, polygon, entry, u, v, du, dv)
            if side >= 0 and sides[side, col.NEIGHBOR] < 0:
                return False
            if count < len(crossings):
                ways[count - 1] = polygon
                crossings[count, 0], crossings[count, 1] = u + end * du, v + end * dv
                crossings[count, 2] = crossings[count - 1, 2]
                if side < 0:
                    first, stop = polygons[polygon, col.GROUND], polygons[polygon + 1, col.GROUND]
                    height = ground_at(crossings, count, points, triangles, first, stop)
                else:
                    height = _height_on_side(points, sides, side, crossings, count)
                crossings[count, 2] = height
            count += 1
            if side < 0:
                break
            entry = sides[side, col.MATE]
            polygon = sides[side, col.NEIGHBOR]
    used[0], used[1] = count, 0
    if count > len(crossings):
        return True
    largest = 1
    for i in range(count - 1):
        largest = max(largest, polygons[ways[i] + 1, col.GROUND] - polygons[ways[i], col.GROUND])
    relief = np.empty((count, 3), np.float64)
    cuts = np.empty((largest, 3), np.float64)
    profile = np.empty((4 * largest + 8, 3), np.float64)
    stack = np.empty((4 * largest + 8, 2), np.int32)
    ground = (points, triangles, polygons, diagonals)
    scratch = (relief, cuts, profile, stack)
    used[1] = lay_down(crossings, ways, count - 1, ground, tolerance, scratch, path, 0)
    if used[1] <= len(path):
        used[1] = straighten(path, 0, used[1])
    return True


@borrowing
def _height_on_side(points, sides, side, crossings, i):
    """Return the height of a shared side at a place on it."""
    a, b = sides[side, col.VERTEX], sides[sides[side, col.MATE], col.VERTEX]
    _, part = to_segment(
        crossings[i, 0], crossings[i, 1], points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    )
    return points[a, 2] + part * (points[b, 2] - points[a, 2])
