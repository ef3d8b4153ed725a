"""Walls: where upright faces stand on the ground, and what lies beyond the edges of it.

A wall only matters between step and head height above the ground that it stands on. There it is a
line in plan, from which clearance is measured; it takes no ground away by itself.
"""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.kernels.faces import WALL
from walkmesh.builder.kernels.packs import FACES
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(
    kt.POLYGONS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.TREE, kt.FLOAT, kt.FLOAT, kt.OUT_POINTS,
    kt.OUT_LONGS,
)  # fmt: skip
def find_wall_lines(polygons, mates, points, walls, tree, max_step, height, lines, filled):
    """Find the lines in which walls stand on polygons of ground.

    Walls along a boundary edge of their polygon are left out: that edge stands for them.

    Parameters
    ----------
    polygons : POLYGONS
    mates : (c,) int32
        The edge across each edge; negative at a boundary.
    points, walls : (n, 3) float64 and (w, 3) int32
        The triangles of the walls. [Unit: m]
    tree : tuple
        A tree of boxes over the walls.
    max_step, height : float
        The band above the ground in which a wall matters. [Unit: m]
    lines : (l, 6) float64, output
        Both ends (u, v, h) of each line, on the ground. [Unit: m]
    filled : (1,) int64, output
        How many lines there are; more than `lines` has rows if it was too short.
    """
    offsets, corners, planes = polygons
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    span = np.empty(2, np.float64)
    filled[0] = 0
    for polygon in range(len(offsets) - 1):
        _fit_box(offsets, corners, polygon, tol.WALL_ON_EDGE, box)
        box[2] += max_step
        box[5] += height
        count = gather_items(nodes, order, box, stack, found)
        for place in range(count):
            wall = found[place]
            if not touches(boxes, wall, box):
                continue
            a, b, c, length = _plan_extent(points, walls, wall)
            if length < tol.WALL_ON_EDGE:
                continue
            u, v = points[a, 0], points[a, 1]
            du, dv = (points[b, 0] - u) / length, (points[b, 1] - v) / length
            if not _clip_to_polygon(offsets, corners, polygon, u, v, du, dv, length, span):
                continue
            # Seen from the side, the triangle has one edge from a to b and two by way of c: on
            # each side of c it lies between two straight lines.
            middle = (points[c, 0] - u) * du + (points[c, 1] - v) * dv
            base = points[a, 2] + (points[b, 2] - points[a, 2]) * middle / length
            for half in range(2):
                if half == 0:
                    start, stop = 0.0, middle
                    ha, hb, ka, kb = points[a, 2], base, points[a, 2], points[c, 2]
                else:
                    start, stop = middle, length
                    ha, hb, ka, kb = base, points[b, 2], points[c, 2], points[b, 2]
                first, last = max(span[0], start), min(span[1], stop)
                if last - first < tol.SHORT_WALL:
                    continue
                s, t = (first - start) / (stop - start), (last - start) / (stop - start)
                g = planes[polygon, 0] * (u + du * first) + planes[polygon, 1] * (v + dv * first)
                k = planes[polygon, 0] * (u + du * last) + planes[polygon, 1] * (v + dv * last)
                g, k = g + planes[polygon, 2], k + planes[polygon, 2]
                p, q = ha + s * (hb - ha) - g, ka + s * (kb - ka) - g
                x, y = ha + t * (hb - ha) - k, ka + t * (kb - ka) - k
                # Its top is above a step, and its foot below the head.
                low = max_step + tol.WALL_SLACK
                high = height - tol.WALL_SLACK
                begin, end = _positive_part(max(p, q) - low, max(x, y) - low, 0.0, 1.0)
                begin, end = _positive_part(high - min(p, q), high - min(x, y), begin, end)
                if (end - begin) * (last - first) < tol.SHORT_WALL:
                    continue
                first, last = first + (last - first) * begin, first + (last - first) * end
                g, k = g + (k - g) * begin, g + (k - g) * end
                if _along_boundary(
                    offsets, corners, mates, polygon,
                    u + du * first, v + dv * first, u + du * last, v + dv * last,
                ):  # fmt: skip
                    continue
                if filled[0] < len(lines):
                    row = filled[0]
                    lines[row, 0], lines[row, 1], lines[row, 2] = u + du * first, v + dv * first, g
                    lines[row, 3], lines[row, 4], lines[row, 5] = u + du * last, v + dv * last, k
                filled[0] += 1


@kernel
def _fit_box(offsets, corners, polygon, margin, box):
    """Write the box of a polygon, wider in plan by a margin."""
    for k in range(3):
        box[k], box[k + 3] = np.inf, -np.inf
        for i in range(offsets[polygon], offsets[polygon + 1]):
            box[k], box[k + 3] = min(box[k], corners[i, k]), max(box[k + 3], corners[i, k])
    for k in range(2):
        box[k] -= margin
        box[k + 3] += margin


@kernel
def _plan_extent(points, triangles, i):
    """Return the two corners furthest apart in plan, the third one, and the distance."""
    a, b, c, longest = 0, 0, 0, -1.0
    for k in range(3):
        p, q = triangles[i, k], triangles[i, (k + 1) % 3]
        square = (points[p, 0] - points[q, 0]) ** 2 + (points[p, 1] - points[q, 1]) ** 2
        if square > longest:
            a, b, c, longest = p, q, triangles[i, (k + 2) % 3], square
    return a, b, c, np.sqrt(longest)


@kernel
def _clip_to_polygon(offsets, corners, polygon, u, v, du, dv, length, span):
    """Write the part of a line that lies in a polygon, or on its edges; False if there is none."""
    span[0], span[1] = 0.0, length
    for i in range(offsets[polygon], offsets[polygon + 1]):
        j = next_corner(offsets, polygon, i)
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        side = np.sqrt(eu * eu + ev * ev)
        if side == 0.0:
            continue
        inside = (eu * (v - corners[i, 1]) - ev * (u - corners[i, 0])) / side + tol.WALL_SLACK
        change = (eu * dv - ev * du) / side
        if abs(change) < tol.ALONG_SIDE:
            if inside < 0.0:
                return False
        elif change > 0.0:
            span[0] = max(span[0], -inside / change)
        else:
            span[1] = min(span[1], -inside / change)
    return span[1] - span[0] >= tol.SHORT_WALL


@kernel
def _positive_part(first, last, begin, end):
    """Cut [begin, end] to where a line from `first` at 0 to `last` at 1 is positive."""
    if first <= 0.0 and last <= 0.0:
        return 0.0, 0.0
    if first < 0.0:
        begin = max(begin, first / (first - last))
    if last < 0.0:
        end = min(end, first / (first - last))
    return begin, end


@kernel
def _along_boundary(offsets, corners, mates, polygon, u, v, x, y):
    """Tell whether a line runs along a boundary edge of a polygon."""
    for i in range(offsets[polygon], offsets[polygon + 1]):
        if mates[i] >= 0:
            continue
        j = next_corner(offsets, polygon, i)
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        side = np.sqrt(eu * eu + ev * ev)
        if side == 0.0:
            continue
        eu, ev = eu / side, ev / side
        ru, rv, su, sv = u - corners[i, 0], v - corners[i, 1], x - corners[i, 0], y - corners[i, 1]
        if max(abs(eu * rv - ev * ru), abs(eu * sv - ev * su)) > tol.WALL_ON_EDGE:
            continue
        r, s = eu * ru + ev * rv, eu * su + ev * sv
        if min(r, s) > -2.0 * tol.WALL_ON_EDGE and max(r, s) < side + 2.0 * tol.WALL_ON_EDGE:
            return True
    return False


@kernel(kt.INTS, kt.POINTS, kt.INTS, FACES, kt.TREE, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES)
def classify_edges(offsets, corners, mates, faces, tree, max_step, height, kinds):
    """Tell what lies beyond each boundary edge, up to a millimetre outside of it.

    Parameters
    ----------
    offsets, corners, mates : arrays
        Polygons of ground, see :func:`find_wall_lines`.
    faces, tree : tuples
        The faces of the scene, and a tree of boxes over all of them.
    max_step, height : float
        The band above the ground that has to be empty. [Unit: m]
    kinds : (c,) uint8, output
        INNER for shared edges; BLOCKED if a face stands in the band; INNER_WALL if that is a wall
        seen from behind; else OPEN.
    """
    points, triangles, _, roles = faces
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            kinds[i] = INNER
            if mates[i] >= 0:
                continue
            kinds[i] = OPEN
            j = next_corner(offsets, polygon, i)
            eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
            length = np.sqrt(eu * eu + ev * ev)
            if length == 0.0:
                continue
            out_u, out_v = ev / length, -eu / length
            for part in (0.5, 0.25, 0.75):
                u = corners[i, 0] + part * eu + tol.WALL_ON_EDGE * out_u
                v = corners[i, 1] + part * ev + tol.WALL_ON_EDGE * out_v
                h = corners[i, 2] + part * (corners[j, 2] - corners[i, 2])
                box[0], box[1], box[2] = u - tol.WALL_ON_EDGE, v - tol.WALL_ON_EDGE, h + max_step
                box[3], box[4], box[5] = u + tol.WALL_ON_EDGE, v + tol.WALL_ON_EDGE, h + height
                count = gather_items(nodes, order, box, stack, found)
                for place in range(count):
                    face = found[place]
                    if not touches(boxes, face, box):
                        continue
                    low, high = h + max_step, h + height
                    if roles[face] == WALL:
                        kind = _wall_kind(
                            points, triangles, face, u, v, out_u, out_v, length, low, high
                        )
                    else:
                        kind = _face_kind(faces, face, u, v, out_u, out_v, low, high)
                    if kind == BLOCKED or kinds[i] == OPEN:
                        kinds[i] = max(kind, kinds[i]) if kind != BLOCKED else BLOCKED
                if kinds[i] == BLOCKED:
                    break


@kernel
def _wall_kind(points, triangles, face, u, v, out_u, out_v, edge, low, high):
    """Return what a wall is to an edge beside it, whose outside lies at (out_u, out_v).

    It stands in the way if any of it beside the edge is between two heights. The side of a ramp has
    parts above both ends of that band, but is below it where the ramp is. A wall that crosses the
    edge, which is so long, tells nothing about the rest of it.
    """
    a, b, c, length = _plan_extent(points, triangles, face)
    if length == 0.0:
        return OPEN
    du, dv = (points[b, 0] - points[a, 0]) / length, (points[b, 1] - points[a, 1]) / length
    if abs(du * out_u + dv * out_v) * edge > tol.CROSSES_EDGE:
        return OPEN
    along = (u - points[a, 0]) * du + (v - points[a, 1]) * dv
    if abs((u - points[a, 0]) * dv - (v - points[a, 1]) * du) > 2.0 * tol.WALL_ON_EDGE:
        return OPEN
    if along < -tol.WALL_ON_EDGE or along > length + tol.WALL_ON_EDGE:
        return OPEN
    middle = (points[c, 0] - points[a, 0]) * du + (points[c, 1] - points[a, 1]) * dv
    lowest, highest = _upright_span(
        points[a, 2], points[b, 2], points[c, 2], length, middle, min(max(along, 0.0), length)
    )
    if highest <= low + tol.WALL_SLACK or lowest >= high - tol.WALL_SLACK:
        return OPEN
    # The normal in plan, from the winding in space.
    p, q, r = triangles[face, 0], triangles[face, 1], triangles[face, 2]
    ev, eh = points[q, 1] - points[p, 1], points[q, 2] - points[p, 2]
    fv, fh = points[r, 1] - points[p, 1], points[r, 2] - points[p, 2]
    eu, fu = points[q, 0] - points[p, 0], points[r, 0] - points[p, 0]
    facing = (ev * fh - eh * fv) * out_u + (eh * fu - eu * fh) * out_v
    return BLOCKED if facing <= 0.0 else INNER_WALL


@kernel
def _upright_span(first, last, third, length, middle, along):
    """Return the lowest and highest place of an upright triangle at a part of its extent in plan.

    One side runs from height `first` to `last` over the whole length, the two others meet at
    `third`, in the middle.
    """
    side = first + (last - first) * along / length
    if along < middle:
        other = first + (third - first) * along / middle
    elif middle < length:
        other = third + (last - third) * (along - middle) / (length - middle)
    else:
        other = third
    return min(side, other), max(side, other)


@borrowing
def _face_kind(faces, face, u, v, out_u, out_v, low, high):
    """Return BLOCKED if a face is between two heights on the way from an edge to (u, v), else OPEN.

    A steep one may rise through that band within less than the way, whose end it is above.
    """
    points, triangles, planes, _ = faces
    h = planes[face, 0] * u + planes[face, 1] * v + planes[face, 2]
    rise = (planes[face, 0] * out_u + planes[face, 1] * out_v) * tol.WALL_ON_EDGE
    if max(h, h - rise) <= low or min(h, h - rise) >= high:
        return OPEN
    # The part of the way, from 1 at the edge to 0, that the triangle lies over.
    first, last = 0.0, 1.0
    p, q, r = triangles[face, 0], triangles[face, 1], triangles[face, 2]
    turn = (points[q, 0] - points[p, 0]) * (points[r, 1] - points[p, 1])
    turn -= (points[q, 1] - points[p, 1]) * (points[r, 0] - points[p, 0])
    for k in range(3):
        p, q = triangles[face, k], triangles[face, (k + 1) % 3]
        eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
        if turn < 0.0:
            eu, ev = -eu, -ev
        inside = eu * (v - points[p, 1]) - ev * (u - points[p, 0])
        change = (ev * out_u - eu * out_v) * tol.WALL_ON_EDGE
        if change > 0.0:
            first = max(first, -inside / change)
        elif change < 0.0:
            last = min(last, -inside / change)
        elif inside < 0.0:
            return OPEN
    # What only touches the edge itself, or the end of the way, does not stand beyond it.
    if last - first <= tol.TOUCHES_EDGE:
        return OPEN
    lowest, highest = h - max(rise * first, rise * last), h - min(rise * first, rise * last)
    return BLOCKED if highest > low and lowest < high else OPEN
