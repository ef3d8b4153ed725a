r"""Cutting faces at any angle: what stands over a face takes it away, in the face's own plane.

Over a face t, another face o blocks two convex regions of t's plane::

      headroom                                 body
            o                                    |  o
      _____/                                     |
          /        part of o between a hair      |     part of o between the highest step and the
         /         above t and the agent's       |     agent's height, made wider by the radius
    ____/___ t     height, straight down      ___|____ t
       ^^^^^                                   ^^^^^

The first is what nobody can stand under. The second is where a body as wide as the agent would
reach into o, with what can be stepped over left aside. A face of the surface that bends away
gently and hangs together with t is ground to step on, not an obstacle.
"""

import numpy as np

from walkmesh.builder.kernels import fragments
from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.packs import SIDES
from walkmesh.builder.surface.kernels.regions import (
    BEND,
    HEIGHT,
    MOST_SIDES,
    RADIUS,
    STEP,
    TWO_SIDED,
    clip_to_band,
    widest_reach,
    write_body,
    write_shadow,
)
from walkmesh.builder.surface.kernels.tangent import along, lift, write_frame
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import dot
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(SIDES, kt.INTS, kt.INT, kt.TREE, kt.FLOATS, kt.OUT_PIECES)
def cut_sides(faces, chosen, start, tree, limits, pieces):
    """Cut faces by everything over them into convex pieces where the agent can stand.

    Parameters
    ----------
    faces : SIDES
        All of them.
    chosen : (c,) int32
        The faces to cut.
    start : int
        Where in `chosen` to start.
    tree : TREE
        Over all faces.
    limits : (6,) float64
        The agent's height, radius and highest step, the error of arcs (metres), the cosine of the
        angle by which ground may bend below the agent, and whether faces have two sides.
    pieces : OUT_PIECES
        What is left; the source is the face.

    Returns
    -------
    int
        Where in `chosen` it stopped because the output was full; the length of it when done.
    """
    points, triangles, normals, _, backs, walkable = faces
    boxes, order, nodes = tree
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    lines, line_counts, region_boxes = fragments.region_room(64, MOST_SIDES)
    work = fragments.make_workspace()
    frame = np.empty((3, 3), np.float64)
    polygon, spare = np.empty((3, 2), np.float64), np.empty((3, 2), np.float64)
    other = np.empty((3, 3), np.float64)
    shadow = np.empty((2, 8, 4), np.float64)
    box = np.empty(6, np.float64)
    flat = np.zeros(3, np.float64)
    seen = np.full(len(triangles), -1, np.int32)
    queue = np.empty(len(triangles), np.int32)
    filled = pieces[3]
    height, radius, step = limits[HEIGHT], limits[RADIUS], limits[STEP]
    high = height - tol.HEIGHT_SLACK
    widest = widest_reach(limits)
    for place in range(start, len(chosen)):
        t = chosen[place]
        write_frame(normals, t, frame)
        level = along(frame, 2, points, triangles[t, 0])
        window = _write_plan(points, triangles, t, frame, polygon)
        regions = 0
        covered = False
        # Headroom is looked for straight above the face, room for the body around that, from a
        # step up: on fine and gently curved ground that leaves all faces nearby aside.
        for body in range(2):
            reach = widest if body else 0.0
            bottom = step + tol.HEIGHT_SLACK if body else 0.0
            _box_above(points, triangles, t, frame, bottom, height, reach, box)
            for item in range(gather_items(nodes, order, box, stack, found)):
                o = found[item]
                if o == t or not touches(boxes, o, box):
                    continue
                least, most = _write_heights(points, triangles, o, frame, level, other)
                low = bottom
                if not body:
                    low = _lowest(normals, backs, walkable, t, o, limits)
                if most <= low or least >= high:
                    continue
                around = _write_plan(points, triangles, o, frame, other)
                if not _overlap(window, around, reach):
                    continue
                if regions + 1 == len(line_counts):
                    lines, line_counts, region_boxes = fragments.more_regions(
                        lines, line_counts, region_boxes, regions
                    )
                upright = dot(normals, t, normals, o)
                if not body:
                    if abs(upright) <= tol.UPRIGHT or _beside(polygon, other):
                        continue
                    line_counts[regions] = write_shadow(other, low, high, lines, regions)
                    for k in range(4):
                        region_boxes[regions, k] = around[k]
                else:
                    if _is_stepped_on(faces, t, o, frame, window, limits, seen, queue, spare):
                        continue
                    size = clip_to_band(other, low, high, shadow)
                    if size == 0 or not _is_close(polygon, shadow[0], size, widest):
                        continue
                    line_counts[regions] = write_body(
                        shadow[0], size, radius, limits, lines, regions
                    )
                    _box_around(shadow[0], size, widest, region_boxes, regions)
                if line_counts[regions] > 0:
                    regions += 1
                    if _covers(lines, regions - 1, line_counts[regions - 1], polygon):
                        covered = True
                        break
            if covered:
                break
        if covered:
            continue
        first = filled[1]
        blocked = lines, line_counts, region_boxes
        while True:
            status = fragments.append_fragments(
                polygon, 3, blocked, regions, tol.NARROW_OVERLAP, 0, work, flat, t, pieces
            )
            if status != fragments.WORKSPACE_FULL:
                break
            work = fragments.more_workspace(work)
        if status == fragments.OUTPUT_FULL:
            return place
        lift(frame, level, pieces[1], first, filled[1])
    return len(chosen)


@borrowing
def _write_plan(points, triangles, t, frame, corners):
    """Write where the corners of a face are in a frame's plane; return the box around them."""
    left, near, right, far = np.inf, np.inf, -np.inf, -np.inf
    for corner in range(3):
        vertex = triangles[t, corner]
        u, v = along(frame, 0, points, vertex), along(frame, 1, points, vertex)
        corners[corner, 0], corners[corner, 1] = u, v
        left, right, near, far = min(left, u), max(right, u), min(near, v), max(far, v)
    return left, near, right, far


@borrowing
def _write_heights(points, triangles, t, frame, level, corners):
    """Write how high the corners of a face are over a level; return the least and the most."""
    least, most = np.inf, -np.inf
    for corner in range(3):
        corners[corner, 2] = along(frame, 2, points, triangles[t, corner]) - level
        least, most = min(least, corners[corner, 2]), max(most, corners[corner, 2])
    return least, most


@borrowing
def _overlap(window, around, reach):
    """Tell whether two boxes in a plane overlap if one is larger by a reach."""
    if around[0] > window[2] + reach or around[2] < window[0] - reach:
        return False
    return around[1] <= window[3] + reach and around[3] >= window[1] - reach


@kernel
def _box_above(points, triangles, t, frame, bottom, top, radius, box):
    """Write the box around what is between two heights over a face, and so far around it."""
    for k in range(3):
        low, high = bottom * frame[2, k], top * frame[2, k]
        low, high = min(low, high), max(low, high)
        a, b, c = points[triangles[t, 0], k], points[triangles[t, 1], k], points[triangles[t, 2], k]
        # How far a disc of the radius reaches along each axis.
        reach = radius * np.sqrt(max(1.0 - frame[2, k] * frame[2, k], 0.0)) + tol.FACE_PLANE
        box[k] = min(a, b, c) + low - reach
        box[k + 3] = max(a, b, c) + high + reach


@kernel
def _covers(lines, region, count, polygon):
    """Tell whether a region covers all of a triangle."""
    for side in range(count):
        a, b, c = lines[region, side, 0], lines[region, side, 1], lines[region, side, 2]
        for corner in range(3):
            if a * polygon[corner, 0] + b * polygon[corner, 1] + c < 0.0:
                return False
    return True


@kernel
def _box_around(shadow, size, margin, boxes, region):
    """Write the box around the corners of a shadow, and so far around it."""
    for k in range(2):
        boxes[region, k], boxes[region, k + 2] = np.inf, -np.inf
        for corner in range(size):
            boxes[region, k] = min(boxes[region, k], shadow[corner, k] - margin)
            boxes[region, k + 2] = max(boxes[region, k + 2], shadow[corner, k] + margin)


@kernel
def _lowest(normals, backs, walkable, t, o, limits):
    """Return from which height on face o blocks face t.

    Of faces in one plane that face the same way the first one stays. Where the sides of two solids
    touch, neither does; but a sheet may have both its sides.
    """
    cosine = dot(normals, t, normals, o)
    if abs(cosine) < tol.SAME_NORMAL:
        return 0.0
    if cosine > 0.0:
        return -tol.FACE_PLANE if o < t and walkable[o] else tol.FACE_PLANE
    if limits[TWO_SIDED] == 0.0 and backs[t] != o:
        return -tol.FACE_PLANE
    return tol.FACE_PLANE


@kernel
def _beside(polygon, other):
    """Tell whether a side of one face separates its shadow from the other face."""
    return _separates(polygon, other) or _separates(other, polygon)


@kernel
def _separates(one, two):
    """Tell whether a side of triangle `one` has all of triangle `two` on its other side."""
    turn = (one[1, 0] - one[0, 0]) * (one[2, 1] - one[0, 1])
    turn -= (one[1, 1] - one[0, 1]) * (one[2, 0] - one[0, 0])
    sign = 1.0 if turn > 0.0 else -1.0
    for k in range(3):
        j = (k + 1) % 3
        nu, nv = sign * (one[k, 1] - one[j, 1]), sign * (one[j, 0] - one[k, 0])
        length = np.sqrt(nu * nu + nv * nv)
        if length < tol.SHADOW_CORNER:
            continue
        furthest = -np.inf
        for i in range(3):
            furthest = max(furthest, nu * (two[i, 0] - one[k, 0]) + nv * (two[i, 1] - one[k, 1]))
        if furthest <= tol.SHADOW_CORNER * length:
            return True
    return False


@borrowing
def _is_stepped_on(faces, t, o, frame, window, limits, seen, queue, corners):
    """Tell whether face o, or the face it is the back of, is ground that goes on from face t."""
    _, _, normals, _, backs, walkable = faces
    upright = dot(normals, t, normals, o)
    front = backs[o] if upright < 0.0 and backs[o] >= 0 else o
    if not walkable[front] or abs(upright) < limits[BEND]:
        return False
    if seen[t] != t:
        _spread_out(faces, t, frame, window, limits, seen, queue, corners)
    return seen[front] == t


@borrowing
def _spread_out(faces, t, frame, window, limits, seen, queue, corners):
    """Mark the faces around face t that hang together with it and bend gently.

    They are marked with t in `seen`; what lies farther than the radius from the window in t's plane
    is left out.
    """
    points, triangles, normals, mates, _, walkable = faces
    seen[t] = t
    queue[0] = t
    first, last = 0, 1
    while first < last:
        f = queue[first]
        first += 1
        for k in range(3):
            mate = mates[3 * f + k]
            if mate < 0:
                continue
            g = mate // 3
            if seen[g] == t or not walkable[g] or dot(normals, t, normals, g) < limits[BEND]:
                continue
            around = _write_plan(points, triangles, g, frame, corners)
            if not _overlap(window, around, limits[RADIUS]):
                continue
            seen[g] = t
            queue[last] = g
            last += 1


@kernel
def _is_close(polygon, shadow, size, radius):
    """Tell whether no side of a triangle has all of a shadow beyond it by the radius or more."""
    for k in range(3):
        j = (k + 1) % 3
        nu, nv = polygon[k, 1] - polygon[j, 1], polygon[j, 0] - polygon[k, 0]
        length = np.sqrt(nu * nu + nv * nv)
        furthest = -np.inf
        for i in range(size):
            inwards = nu * (shadow[i, 0] - polygon[k, 0]) + nv * (shadow[i, 1] - polygon[k, 1])
            furthest = max(furthest, inwards)
        if furthest <= -radius * length:
            return False
    return True
