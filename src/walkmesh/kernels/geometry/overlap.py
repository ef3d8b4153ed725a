"""What must not be in a navmesh: triangles above each other, and vertices on foreign edges."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_in_place, width_of
from walkmesh.kernels.geometry.plan import gradient
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items

# A triangle cut by three edges and two planes has at most 3 + 5 corners, and some more where
# rounding makes it cross a line more than twice; what has no room is left away.
_MOST_CORNERS = 24


@kernel(
    kt.POINTS, kt.TRIPLES, kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.INT, kt.INT, kt.FLOAT,
    kt.FLOAT, kt.OUT_TRIPLES,
)  # fmt: skip
def find_overlaps(
    points, triangles, owners, boxes, order, nodes, start, stop, height, width, found
):  # fmt: skip
    """Find pairs of triangles of different polygons that lie over each other, too close in height.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids, counter-clockwise.
    owners : (m,) int32
        The polygon of each triangle.
    boxes, order, nodes
        The box tree over the triangles.
    start, stop : int
        Of each pair, the triangle with the smaller id is one of these.
    height : float
        How far apart in height they must be. [Unit: m]
    width : float
        An overlap no wider than this in plan is none. [Unit: m]
    found : (k, 2) int32, output
        Pairs of polygons, as many as there is room for; a pair comes once for each pair of its
        triangles.

    Returns
    -------
    int
        How many pairs there are; more than k if there was not room for all.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(triangles), np.int32)
    around = np.empty(6, np.float64)
    polygon = np.empty((_MOST_CORNERS, 3), np.float64)
    spare = np.empty((_MOST_CORNERS, 3), np.float64)
    count = 0
    for i in range(start, stop):
        for place in range(_gather_near(boxes, i, order, nodes, height, around, stack, near)):
            j = near[place]
            if j <= i or owners[i] == owners[j] or not _boxes_close(boxes, i, boxes, j, height):
                continue
            if _edge_between(points, triangles, i, j) or _edge_between(points, triangles, j, i):
                continue
            if overlap_width(points, triangles, i, j, height, polygon, spare) > width:
                if count < len(found):
                    found[count, 0] = min(owners[i], owners[j])
                    found[count, 1] = max(owners[i], owners[j])
                count += 1
    return count


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.TRIPLES, kt.INTS, kt.OUT_POINTS)
def fit_polygon_boxes(points, offsets, corners, triangles, owners, boxes):
    """Write the boxes of polygons: of their corners in plan, and of their triangles in height.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        Polygons of vertex ids.
    triangles, owners : (t, 3) and (t,) int32
        Their triangles, and the polygon of each.
    boxes : (p, 6) float64, output
        Lowest and highest u, v, h; of a polygon without triangles, nothing. [Unit: m]
    """
    for polygon in range(len(boxes)):
        for k in range(3):
            boxes[polygon, k], boxes[polygon, k + 3] = np.inf, -np.inf
    for i in range(len(triangles)):
        polygon = owners[i]
        for k in range(3):
            h = points[triangles[i, k], 2]
            boxes[polygon, 2] = min(boxes[polygon, 2], h)
            boxes[polygon, 5] = max(boxes[polygon, 5], h)
    for polygon in range(len(boxes)):
        if boxes[polygon, 2] == np.inf:
            for k in range(6):
                boxes[polygon, k] = 0.0
            continue
        for i in range(offsets[polygon], offsets[polygon + 1]):
            for k in range(2):
                x = points[corners[i], k]
                boxes[polygon, k] = min(boxes[polygon, k], x)
                boxes[polygon, k + 3] = max(boxes[polygon, k + 3], x)


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.OUT_TRIPLES
)
def find_close_polygons(points, offsets, corners, boxes, order, nodes, height, width, found):
    """Find pairs of polygons that no edge keeps apart in plan, and whose boxes are close in height.

    Polygons of which triangles lie over each other are among them.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        Polygons of vertex ids, convex but for rounding.
    boxes, order, nodes
        The box tree over the polygons.
    height : float
        How far apart in height they must be. [Unit: m]
    width : float
        An overlap no wider than this in plan is none. [Unit: m]
    found : (k, 2) int32, output
        Pairs of polygons, the smaller first, as many as there is room for.

    Returns
    -------
    int
        How many pairs there are; more than k if there was not room for all.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(boxes), np.int32)
    around = np.empty(6, np.float64)
    count = 0
    for i in range(len(boxes)):
        for place in range(_gather_near(boxes, i, order, nodes, height, around, stack, near)):
            j = near[place]
            if j <= i or not _boxes_close(boxes, i, boxes, j, height):
                continue
            if _are_apart(points, offsets, corners, i, j, width):
                continue
            if _are_apart(points, offsets, corners, j, i, width):
                continue
            if count < len(found):
                found[count, 0], found[count, 1] = i, j
            count += 1
    return count


@kernel
def _gather_near(boxes, i, order, nodes, height, around, stack, near):
    """Find what may be less than `height` above or below box i, and return how many there are."""
    for k in range(6):
        around[k] = boxes[i, k]
    around[2] -= height
    around[5] += height
    return gather_items(nodes, order, around, stack, near)


@kernel
def _are_apart(points, offsets, corners, i, j, width):
    """Tell whether polygons i and j share no more than `width` across some edge of i."""
    start, stop = offsets[i], offsets[i + 1]
    for k in range(start, stop):
        a, b = corners[k], corners[k + 1 if k + 1 < stop else start]
        u, v = points[a, 0], points[a, 1]
        eu, ev = points[b, 0] - u, points[b, 1] - v
        most = width * np.sqrt(eu * eu + ev * ev)
        # How far j reaches in, and i, which is convex but for rounding, out.
        inwards = -np.inf
        for n in range(offsets[j], offsets[j + 1]):
            p = corners[n]
            inwards = max(inwards, eu * (points[p, 1] - v) - ev * (points[p, 0] - u))
            if inwards > most:
                break
        if inwards > most:
            continue
        outwards = 0.0
        for n in range(start, stop):
            p = corners[n]
            outwards = max(outwards, ev * (points[p, 0] - u) - eu * (points[p, 1] - v))
        if inwards + outwards <= most and most > 0.0:
            return True
    return False


@kernel
def _boxes_close(boxes, i, others, j, height):
    """Tell whether two boxes overlap in plan and are less than `height` apart."""
    for k in range(2):
        if boxes[i, k] >= others[j, k + 3] or others[j, k] >= boxes[i, k + 3]:
            return False
    return boxes[i, 2] < others[j, 5] + height and others[j, 2] < boxes[i, 5] + height


@kernel
def _edge_between(points, triangles, i, j):
    """Tell whether all of triangle i lies beyond one edge of triangle j, or on it.

    Nearly all triangles that are close share an edge or a corner and are told apart by this.
    """
    for k in range(3):
        a, b = triangles[j, k], triangles[j, (k + 1) % 3]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        beyond = True
        for n in range(3):
            p = triangles[i, n]
            if eu * (points[p, 1] - points[a, 1]) > ev * (points[p, 0] - points[a, 0]):
                beyond = False
        if beyond:
            return True
    return False


@kernel
def overlap_width(points, triangles, i, j, height, polygon, spare):
    """Return the width, in plan, of what two triangles share where they are closer than `height`.

    The width of a region is that of :func:`width_of`.
    """
    for k in range(3):
        polygon[k, 0] = points[triangles[i, k], 0]
        polygon[k, 1] = points[triangles[i, k], 1]
    count = 3
    for k in range(3):
        a, b = triangles[j, k], triangles[j, (k + 1) % 3]
        eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        count = _clip(polygon, count, -ev, eu, points[a, 0], points[a, 1], 0.0, spare)
        if count < 3:
            return 0.0
    iu, iv, _ = gradient(points, triangles[i, 0], triangles[i, 1], triangles[i, 2])
    ju, jv, _ = gradient(points, triangles[j, 0], triangles[j, 1], triangles[j, 2])
    ih, jh = points[triangles[i, 0], 2], points[triangles[j, 0], 2]
    u0, v0 = points[triangles[i, 0], 0], points[triangles[i, 0], 1]
    # The gap in height is linear; heights of both planes are taken at the first corner of i.
    gap = (
        jh + ju * (u0 - points[triangles[j, 0], 0]) + jv * (v0 - points[triangles[j, 0], 1])
    ) - ih
    gu, gv = ju - iu, jv - iv
    count = _clip(polygon, count, gu, gv, u0, v0, gap + height, spare)
    count = _clip(polygon, count, -gu, -gv, u0, v0, height - gap, spare)
    if count < 3:
        return 0.0
    return width_of(polygon, count)


@kernel
def _clip(polygon, count, nu, nv, u0, v0, offset, spare):
    """Cut a convex polygon down to n . (p - p0) + offset >= 0, and return its new corner count."""
    for k in range(count):
        polygon[k, 2] = nu * (polygon[k, 0] - u0) + nv * (polygon[k, 1] - v0) + offset
    return clip_in_place(polygon, count, 2, True, spare)


@kernel(kt.POINTS, kt.TRIPLES, kt.INTS, kt.POINTS, kt.FLOAT, kt.OUT_TRIPLES)
def find_t_junctions(points, edges, order, nodes, distance, found):
    """Find vertices that lie on the inside of an edge they do not belong to.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    edges : (m, 2) int32
        The vertices of each edge.
    order, nodes
        The box tree over the edges.
    distance : float
        How close a vertex must be to lie on the edge. [Unit: m]
    found : (k, 2) int32, output
        Pairs of vertex and edge, as many as there is room for.

    Returns
    -------
    int
        How many pairs there are; more than k if there was not room for all.
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(edges), np.int32)
    around = np.empty(6, np.float64)
    count = 0
    for i in range(len(points)):
        for k in range(3):
            around[k], around[k + 3] = points[i, k] - distance, points[i, k] + distance
        for place in range(gather_items(nodes, order, around, stack, near)):
            if lies_inside_edge(points, i, edges, near[place], distance):
                if count < len(found):
                    found[count, 0], found[count, 1] = i, near[place]
                count += 1
    return count


@kernel
def lies_inside_edge(points, vertex, edges, edge, distance):
    """Tell whether a vertex lies on an edge, further than `distance` from both its ends."""
    a, b = edges[edge, 0], edges[edge, 1]
    if vertex in (a, b):
        return False
    along, length = 0.0, 0.0
    for k in range(3):
        e = points[b, k] - points[a, k]
        length += e * e
        along += e * (points[vertex, k] - points[a, k])
    if length == 0.0:
        return False
    part = along / length
    margin = distance / np.sqrt(length)
    if part <= margin or part >= 1.0 - margin:
        return False
    off = 0.0
    for k in range(3):
        rest = points[vertex, k] - points[a, k] - part * (points[b, k] - points[a, k])
        off += rest * rest
    return off <= distance * distance
