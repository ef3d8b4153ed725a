"""Finding the triangle nearest to a point."""

import numpy as np

from walkmesh.kernels.box_tree import DEPTH_LIMIT, LEAF, box_distance
from walkmesh.kernels.kernel import FLOAT, INTS, OUT_INTS, OUT_POINTS, POINTS, TRIPLES, kernel


@kernel(POINTS, POINTS, TRIPLES, POINTS, INTS, POINTS, FLOAT, OUT_INTS, OUT_POINTS)
def find_nearest(queries, points, triangles, boxes, order, nodes, limit, nearest, places):
    """Find, for every query point, the nearest triangle and the nearest place on it.

    Parameters
    ----------
    queries : (q, 3) float64
        Points in the plan frame. [Unit: m]
    points : (n, 3) float64
        Positions of the mesh. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    boxes, order, nodes
        The box tree over the triangles.
    limit : float
        How far away a triangle may be. [Unit: m]
    nearest : (q,) int32, output
        The triangle, the first of them if several are equally near; -1 if none is near enough.
    places : (q, 3) float64, output
        The nearest place on it, or the query point itself.
    """
    leaves = (len(nodes) + 1) // 2
    stack = np.empty(DEPTH_LIMIT, np.int32)
    for q in range(len(queries)):
        u, v, h = queries[q, 0], queries[q, 1], queries[q, 2]
        nearest[q] = -1
        places[q, 0], places[q, 1], places[q, 2] = u, v, h
        best = limit * limit
        stack[0] = 0
        depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if box_distance(nodes, node, u, v, h) > best:
                continue
            if node < leaves - 1:
                left, right = 2 * node + 1, 2 * node + 2
                # The nearer child is looked at first: it goes on top.
                if box_distance(nodes, left, u, v, h) < box_distance(nodes, right, u, v, h):
                    left, right = right, left
                stack[depth], stack[depth + 1] = left, right
                depth += 2
                continue
            start = (node - leaves + 1) * LEAF
            for place in range(start, min(start + LEAF, len(order))):
                i = order[place]
                if box_distance(boxes, i, u, v, h) > best:
                    continue
                cu, cv, ch = nearest_on_triangle(points, triangles, i, u, v, h)
                distance = (cu - u) ** 2 + (cv - v) ** 2 + (ch - h) ** 2
                if distance < best or (distance == best and (nearest[q] < 0 or i < nearest[q])):
                    best = distance
                    nearest[q] = i
                    places[q, 0], places[q, 1], places[q, 2] = cu, cv, ch


@kernel
def nearest_on_triangle(points, triangles, i, u, v, h):
    """Return the place on triangle i that is nearest to (u, v, h).

    The regions around a triangle are told apart by the projections onto its sides (C. Ericson,
    Real-Time Collision Detection, 5.1.5).
    """
    a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    au, av, ah = points[a, 0], points[a, 1], points[a, 2]
    bu, bv, bh = points[b, 0] - au, points[b, 1] - av, points[b, 2] - ah
    cu, cv, ch = points[c, 0] - au, points[c, 1] - av, points[c, 2] - ah
    pu, pv, ph = u - au, v - av, h - ah
    d1 = bu * pu + bv * pv + bh * ph
    d2 = cu * pu + cv * pv + ch * ph
    if d1 <= 0.0 and d2 <= 0.0:
        return au, av, ah
    d3 = d1 - (bu * bu + bv * bv + bh * bh)
    d4 = d2 - (bu * cu + bv * cv + bh * ch)
    if d3 >= 0.0 and d4 <= d3:
        return points[b, 0], points[b, 1], points[b, 2]
    d5 = d1 - (bu * cu + bv * cv + bh * ch)
    d6 = d2 - (cu * cu + cv * cv + ch * ch)
    if d6 >= 0.0 and d5 <= d6:
        return points[c, 0], points[c, 1], points[c, 2]
    beside_c = d1 * d4 - d3 * d2
    if beside_c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return au + s * bu, av + s * bv, ah + s * bh
    beside_b = d5 * d2 - d1 * d6
    if beside_b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return au + t * cu, av + t * cv, ah + t * ch
    beside_a = d3 * d6 - d5 * d4
    if beside_a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        s = 1.0 - t
    else:
        whole = beside_a + beside_b + beside_c
        s, t = beside_b / whole, beside_c / whole
    return au + s * bu + t * cu, av + s * bv + t * cv, ah + s * bh + t * ch
