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

from walkmesh.build.kernels.fragments import (
    OUTPUT_FULL,
    WORKSPACE_FULL,
    make_workspace,
    subtract_regions,
)
from walkmesh.build.surface.kernels.regions import (
    BEND,
    BESIDE,
    HEIGHT,
    MOST_SIDES,
    NARROW,
    RADIUS,
    SAME_PLANE,
    STEP,
    TWO_SIDED,
    clip_to_band,
    widest_reach,
    write_body,
    write_shadow,
)
from walkmesh.build.surface.kernels.tangent import along, dot, write_frame
from walkmesh.kernels.kernel import (
    BYTES,
    FLOATS,
    INT,
    INTS,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    TRIPLES,
    kernel,
)
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches

# Headroom that is short by less than this is enough, and a step higher by less is no higher. [m]
SLACK = 1e-4
# The cosine from which on two normals are the same.
_PARALLEL = 1.0 - 1e-6
# A face this close to upright has no shadow.
_UPRIGHT = 1e-6


@kernel(
    POINTS, TRIPLES, POINTS, INTS, INTS, BYTES, INTS, INT, POINTS, INTS, POINTS, FLOATS,
    OUT_INTS, OUT_POINTS, OUT_INTS, OUT_LONGS,
)  # fmt: skip
def cut_sides(
    points, triangles, normals, mates, backs, walkable, chosen, start, nodes, order, boxes, limits,
    offsets, corners, sources, filled,
):  # fmt: skip
    """Cut faces by everything over them into convex pieces where the agent can stand.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids, counter-clockwise around the normal.
    normals : (m, 3) float64
        Unit normals.
    mates : (3 m,) int32
        The edge across each edge, negative where there is none.
    backs : (m,) int32
        The face with the same corners that faces the other way, -1 for none.
    walkable : (m,) uint8
        1 for faces that can be walked on.
    chosen : (c,) int32
        The faces to cut.
    start : int
        Where in `chosen` to start.
    nodes, order, boxes : arrays
        A tree of boxes over all faces.
    limits : (6,) float64
        The agent's height, radius and highest step, the error of arcs (metres), the cosine of the
        angle by which ground may bend below the agent, and whether faces have two sides.
    offsets, corners, sources, filled : arrays, output
        Pieces: where their corners start (p + 1,), corners (c, 3), the face of each (p,), and how
        many pieces and corners there are (2,).

    Returns
    -------
    int
        Where in `chosen` it stopped because the output was full; the length of it when done.
    """
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    room = 64
    lines, line_counts, region_boxes = _make_regions(room)
    work = make_workspace(256, 4096)
    frame = np.empty((3, 3), np.float64)
    polygon = np.empty((3, 2), np.float64)
    other = np.empty((3, 3), np.float64)
    shadow = np.empty((2, 8, 4), np.float64)
    box = np.empty(6, np.float64)
    flat = np.zeros(3, np.float64)
    seen = np.full(len(triangles), -1, np.int32)
    queue = np.empty(len(triangles), np.int32)
    pieces = (offsets, corners, sources, filled)
    height, radius, step = limits[HEIGHT], limits[RADIUS], limits[STEP]
    high = height - SLACK
    widest = widest_reach(limits)
    for place in range(start, len(chosen)):
        t = chosen[place]
        write_frame(normals, t, frame)
        level = along(frame, 2, points, triangles[t, 0])
        low_u, low_v, high_u, high_v = np.inf, np.inf, -np.inf, -np.inf
        for corner in range(3):
            i = triangles[t, corner]
            u, v = along(frame, 0, points, i), along(frame, 1, points, i)
            polygon[corner, 0], polygon[corner, 1] = u, v
            low_u, high_u = min(low_u, u), max(high_u, u)
            low_v, high_v = min(low_v, v), max(high_v, v)
        regions = 0
        spread, covered = False, False
        # Headroom is looked for straight above the face, room for the body around that, from a
        # step up: on fine and gently curved ground that leaves all faces nearby aside.
        for body in range(2):
            reach = widest if body else 0.0
            bottom = step + SLACK if body else 0.0
            _box_above(points, triangles, t, frame, bottom, height, reach, box)
            for item in range(gather_items(nodes, order, box, stack, found)):
                o = found[item]
                if o == t or not touches(boxes, o, box):
                    continue
                least, most = np.inf, -np.inf
                for corner in range(3):
                    other[corner, 2] = along(frame, 2, points, triangles[o, corner]) - level
                    least, most = min(least, other[corner, 2]), max(most, other[corner, 2])
                low = bottom
                if not body:
                    low = _lowest(normals, backs, walkable, t, o, limits)
                if most <= low or least >= high:
                    continue
                left, right, near, far = np.inf, -np.inf, np.inf, -np.inf
                for corner in range(3):
                    vertex = triangles[o, corner]
                    other[corner, 0] = along(frame, 0, points, vertex)
                    other[corner, 1] = along(frame, 1, points, vertex)
                    left, right = min(left, other[corner, 0]), max(right, other[corner, 0])
                    near, far = min(near, other[corner, 1]), max(far, other[corner, 1])
                if left > high_u + reach or right < low_u - reach:
                    continue
                if near > high_v + reach or far < low_v - reach:
                    continue
                if regions + 1 == room:
                    lines, line_counts, region_boxes = _grow(
                        lines, line_counts, region_boxes, regions, 2 * room
                    )
                    room *= 2
                upright = dot(normals, t, normals, o)
                if not body:
                    if abs(upright) <= _UPRIGHT or _beside(polygon, other):
                        continue
                    line_counts[regions] = write_shadow(other, low, high, lines, regions)
                    region_boxes[regions, 0], region_boxes[regions, 1] = left, near
                    region_boxes[regions, 2], region_boxes[regions, 3] = right, far
                else:
                    # The back of a face that is stepped on is not in the way either.
                    front = backs[o] if upright < 0.0 and backs[o] >= 0 else o
                    if walkable[front] and abs(upright) >= limits[BEND]:
                        if not spread:
                            _spread_out(
                                points, triangles, normals, mates, walkable, t, frame,
                                low_u - radius, low_v - radius, high_u + radius, high_v + radius,
                                limits, seen, queue,
                            )  # fmt: skip
                            spread = True
                        if seen[front] == t:
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
        before = filled[0], filled[1]
        while True:
            status = subtract_regions(
                polygon, 3, lines, line_counts, region_boxes, regions, NARROW, 0, work,
                flat, t, pieces,
            )  # fmt: skip
            if status != WORKSPACE_FULL:
                break
            work = make_workspace(2 * len(work.counts), 4 * len(work.lists))
            filled[0], filled[1] = before
        if status == OUTPUT_FULL:
            filled[0], filled[1] = before
            return place
        for corner in range(before[1], filled[1]):
            u, v = corners[corner, 0], corners[corner, 1]
            for k in range(3):
                corners[corner, k] = u * frame[0, k] + v * frame[1, k] + level * frame[2, k]
    return len(chosen)


@kernel
def _make_regions(room):
    return (
        np.empty((room, MOST_SIDES, 3), np.float64),
        np.empty(room, np.int32),
        np.empty((room, 4), np.float64),
    )


@kernel
def _grow(lines, line_counts, region_boxes, regions, room):
    """Return room for more regions, with those there are."""
    more = _make_regions(room)
    for region in range(regions):
        more[1][region] = line_counts[region]
        for k in range(4):
            more[2][region, k] = region_boxes[region, k]
        for side in range(line_counts[region]):
            for k in range(3):
                more[0][region, side, k] = lines[region, side, k]
    return more


@kernel
def _box_above(points, triangles, t, frame, bottom, top, radius, box):
    """Write the box around what is between two heights over a face, and so far around it."""
    for k in range(3):
        low, high = bottom * frame[2, k], top * frame[2, k]
        low, high = min(low, high), max(low, high)
        a, b, c = points[triangles[t, 0], k], points[triangles[t, 1], k], points[triangles[t, 2], k]
        # How far a disc of the radius reaches along each axis.
        reach = radius * np.sqrt(max(1.0 - frame[2, k] * frame[2, k], 0.0)) + SAME_PLANE
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
    if abs(cosine) < _PARALLEL:
        return 0.0
    if cosine > 0.0:
        return -SAME_PLANE if o < t and walkable[o] else SAME_PLANE
    if limits[TWO_SIDED] == 0.0 and backs[t] != o:
        return -SAME_PLANE
    return SAME_PLANE


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
        if length < BESIDE:
            continue
        furthest = -np.inf
        for i in range(3):
            furthest = max(furthest, nu * (two[i, 0] - one[k, 0]) + nv * (two[i, 1] - one[k, 1]))
        if furthest <= BESIDE * length:
            return True
    return False


@kernel
def _spread_out(points, triangles, normals, mates, walkable, t, frame,
                low_u, low_v, high_u, high_v, limits, seen, queue):  # fmt: skip
    """Mark the faces around face t that hang together with it and bend gently.

    They are marked with t in `seen`; what lies outside of the window in t's plane is left out.
    """
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
            left, right, near, far = np.inf, -np.inf, np.inf, -np.inf
            for corner in range(3):
                u = along(frame, 0, points, triangles[g, corner])
                v = along(frame, 1, points, triangles[g, corner])
                left, right, near, far = min(left, u), max(right, u), min(near, v), max(far, v)
            if left > high_u or right < low_u or near > high_v or far < low_v:
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
