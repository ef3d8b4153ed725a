"""Cutting: what stands over a face, closer than the agent is high, takes ground away from it.

Over a face t, another face o blocks the plan region

    proj(o)  and  low < height of o over t < agent's height,

which is convex: three sides of the triangle and, since both faces are flat, up to two straight
lines of equal height. `low` is a hair above zero, or a hair below it for a face that goes first:
ground before low faces, then the lower index. So of two faces in one plane exactly one stays, and
where two planes cross both are cut along the same line. Ground also goes before the back of a level
face up to a centimetre above it: such a sheet has nothing to stand on, and is not in the way.

Low faces are cut as well, since what lies on both sides of them may be a step apart.
"""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.kernels import fragments
from walkmesh.builder.kernels.faces import LOW
from walkmesh.builder.kernels.packs import FACES
from walkmesh.builder.kernels.tolerances import NO_OVERLAP
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items


@kernel(FACES, kt.INTS, kt.INT, kt.TREE, kt.INTS, kt.FLOAT, kt.FLOAT, kt.OUT_PIECES)
def cut_faces(faces, chosen, start, tree, items, height, steepest, pieces):
    """Cut faces by everything above them into convex pieces with headroom.

    Parameters
    ----------
    faces : FACES
    chosen : (c,) int32
        The faces to cut; no walls.
    start : int
        Where in `chosen` to start.
    tree : tuple
        A tree of boxes over the faces that are no walls.
    items : (i,) int32
        The face of each item of the tree.
    height : float
        The agent's height. [Unit: m]
    steepest : float
        Tangent of the steepest slope that can be stood on.
    pieces : OUT_PIECES, output
        The source of each is its face.

    Returns
    -------
    int
        Where in `chosen` it stopped because the output was full; the length of it when done.
    """
    points, triangles, planes, roles = faces
    boxes, order, nodes = tree
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    lines, line_counts, region_boxes = fragments.region_room(64, 5)
    work = fragments.make_workspace()
    polygon = np.empty((3, 2), np.float64)
    box = np.empty(6, np.float64)
    for place in range(start, len(chosen)):
        t = chosen[place]
        for k in range(3):
            box[k], box[k + 3] = np.inf, -np.inf
            for corner in range(3):
                x = points[triangles[t, corner], k]
                box[k], box[k + 3] = min(box[k], x), max(box[k + 3], x)
        _lay_out(points, triangles, t, polygon)
        box[2] -= tol.SAME_SHELL
        box[5] += height
        count = gather_items(nodes, order, box, stack, found)
        regions = 0
        for i in range(count):
            item = found[i]
            o = items[item]
            if o == t or not _reaches(boxes, item, box):
                continue
            first = roles[o] > roles[t] or (roles[o] == roles[t] and o < t)
            slack = tol.SAME_PLANE
            if roles[o] != roles[t]:
                other = o if roles[o] == LOW else t
                slack = tol.SAME_SHELL if _is_level(planes, other, steepest) else tol.SAME_SHEET
            low = -slack if first else slack
            high = height - tol.CUT_HEADROOM_SLACK
            if not _stands_over(faces, t, o, low, high):
                continue
            if _lie_beside(points, triangles, t, o):
                continue
            if regions + 1 == len(line_counts):
                lines, line_counts, region_boxes = fragments.more_regions(
                    lines, line_counts, region_boxes, regions
                )
            _block(faces, t, o, low, high, lines, line_counts, regions)
            for k in range(2):
                region_boxes[regions, k] = boxes[item, k]
                region_boxes[regions, k + 2] = boxes[item, k + 3]
            regions += 1
        blocked = lines, line_counts, region_boxes
        while True:
            status = fragments.append_fragments(
                polygon, 3, blocked, regions, NO_OVERLAP, 0, work, planes[t], t, pieces
            )
            if status != fragments.WORKSPACE_FULL:
                break
            work = fragments.more_workspace(work)
        if status == fragments.OUTPUT_FULL:
            return place
    return len(chosen)


@borrowing
def _is_level(planes, face, steepest):
    """Tell whether a face is no steeper than can be stood on."""
    return planes[face, 0] ** 2 + planes[face, 1] ** 2 <= steepest * steepest


@borrowing
def _lay_out(points, triangles, t, polygon):
    """Write the corners of a face in plan, counter-clockwise."""
    p, q, r = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    turn = (points[q, 0] - points[p, 0]) * (points[r, 1] - points[p, 1])
    turn -= (points[q, 1] - points[p, 1]) * (points[r, 0] - points[p, 0])
    if turn < 0.0:
        q, r = r, q
    for k in range(2):
        polygon[0, k], polygon[1, k], polygon[2, k] = points[p, k], points[q, k], points[r, k]


@borrowing
def _reaches(boxes, item, box):
    """Tell whether the box of an item and another have more than their sides in common."""
    reaches = True
    for k in range(3):
        reaches = reaches and boxes[item, k] < box[k + 3] and boxes[item, k + 3] > box[k]
    return reaches


@borrowing
def _stands_over(faces, t, o, low, high):
    """Tell whether any of face o is between `low` and `high` over the plane of face t."""
    points, triangles, planes, _ = faces
    least, most = np.inf, -np.inf
    for corner in range(3):
        v = triangles[o, corner]
        over = points[v, 2] - planes[t, 0] * points[v, 0] - planes[t, 1] * points[v, 1]
        over -= planes[t, 2]
        least, most = min(least, over), max(most, over)
    return most > low and least < high


@borrowing
def _lie_beside(points, triangles, t, o):
    """Tell whether a side of one face separates both in plan."""
    return _separates(points, triangles, t, o) or _separates(points, triangles, o, t)


@borrowing
def _separates(points, triangles, x, y):
    """Tell whether a side of face x has all of face y on its other side."""
    for k in range(3):
        i, j, opposite = triangles[x, k], triangles[x, (k + 1) % 3], triangles[x, (k + 2) % 3]
        nu, nv = points[i, 1] - points[j, 1], points[j, 0] - points[i, 0]
        length = np.sqrt(nu * nu + nv * nv)
        if length < tol.FACES_BESIDE:
            continue
        inwards = nu * (points[opposite, 0] - points[i, 0])
        inwards += nv * (points[opposite, 1] - points[i, 1])
        if inwards < 0.0:
            nu, nv = -nu, -nv
        furthest = -np.inf
        for corner in range(3):
            v = triangles[y, corner]
            distance = nu * (points[v, 0] - points[i, 0]) + nv * (points[v, 1] - points[i, 1])
            furthest = max(furthest, distance)
        if furthest <= tol.FACES_BESIDE * length:
            return True
    return False


@borrowing
def _block(faces, t, o, low, high, lines, line_counts, region):
    """Write the sides of the region that face o blocks on face t."""
    points, triangles, planes, _ = faces
    i, j, k = triangles[o, 0], triangles[o, 1], triangles[o, 2]
    twice = (points[j, 0] - points[i, 0]) * (points[k, 1] - points[i, 1])
    twice -= (points[j, 1] - points[i, 1]) * (points[k, 0] - points[i, 0])
    turn = 1.0 if twice > 0.0 else -1.0
    count = 0
    for corner in range(3):
        i, j = triangles[o, corner], triangles[o, (corner + 1) % 3]
        # Always from the smaller id, so that both faces at an edge get exactly the same line.
        sign = turn if i < j else -turn
        i, j = min(i, j), max(i, j)
        du, dv = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
        length = np.sqrt(du * du + dv * dv)
        if length < tol.FACES_BESIDE:
            continue
        a, b = -sign * dv / length, sign * du / length
        lines[region, count, 0], lines[region, count, 1] = a, b
        lines[region, count, 2] = -(a * points[i, 0] + b * points[i, 1])
        count += 1
    gu, gv = planes[o, 0] - planes[t, 0], planes[o, 1] - planes[t, 1]
    gc = planes[o, 2] - planes[t, 2]
    least, most = np.inf, -np.inf
    for corner in range(3):
        v = triangles[o, corner]
        over = gu * points[v, 0] + gv * points[v, 1] + gc
        least, most = min(least, over), max(most, over)
    line_counts[region] = fragments.limit_height(
        gu, gv, gc, least, most, low, high, lines, region, count
    )
