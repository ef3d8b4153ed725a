"""Finding the place on a surface that a point stands on."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import way_between
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, LEAF, box_distance
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.kernels.nearest import nearest_on_triangle
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import unpack_footholds, unpack_mesh


@kernel(
    kt.POINTS, kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.OUT_INTS,
    kt.OUT_POINTS, kt.OUT_FLOATS,
)  # fmt: skip
def locate_points(
    queries, floats, ints, layout, allowed, step, storey, limit, found, places, distances
):
    """Find the place on the surface that each of many points stands on.

    Parameters
    ----------
    queries : (q, 3) float64
        World coordinates. [Unit: m]
    floats, ints, layout
        The mesh, packed, see :mod:`walkmesh.query.surface.kernels.mesh`.
    allowed : (t,) uint8
        1 for the triangles that count; or none, if all do.
    step, storey : float
        A place that has the point deeper behind its back than `step` counts as `storey` farther
        away: the point more likely stands on the other side of a wall. [Unit: m]
    limit : float
        How far away the place may be. [Unit: m]
    found : (q,) int32, output
        The triangle of the place; -1 if it is too far away.
    places, distances : (q, 3) and (q,) float64, output
        The place and how far away it is; the point itself and infinite if it is too far. [Unit: m]
    """
    mesh, holds = unpack_mesh(floats, ints, layout), unpack_footholds(floats, ints, layout)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    for q in range(len(queries)):
        x, y, z = queries[q, 0], queries[q, 1], queries[q, 2]
        triangle, px, py, pz = _nearest_place(mesh, holds, allowed, stack, x, y, z, step, storey)
        distance = math.sqrt((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2)
        found[q], distances[q] = triangle, distance
        if triangle < 0 or not distance <= limit:
            found[q], distances[q] = -1, np.inf
            px, py, pz = x, y, z
        places[q, 0], places[q, 1], places[q, 2] = px, py, pz


@shared_borrowing
def _nearest_place(mesh, holds, allowed, stack, x, y, z, step, storey):
    """Return the triangle and the place on it that is nearest to a point, fronts before backs."""
    points, triangles, normals = mesh.points, mesh.triangles, holds.normals
    boxes, order, nodes = holds.boxes, holds.order, holds.nodes
    leaves = (len(nodes) + 1) // 2
    best, nearest, nx, ny, nz = np.inf, -1, x, y, z
    stack[0] = 0
    depth = 1 if len(order) > 0 else 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if math.sqrt(box_distance(nodes, node, x, y, z)) >= best:
            continue
        if node < leaves - 1:
            near, far = 2 * node + 1, 2 * node + 2
            if box_distance(nodes, far, x, y, z) < box_distance(nodes, near, x, y, z):
                near, far = far, near
            stack[depth], stack[depth + 1] = far, near
            depth += 2
            continue
        start = (node - leaves + 1) * LEAF
        for place in range(start, min(start + LEAF, len(order))):
            i = order[place]
            if len(allowed) > 0 and allowed[i] == 0:
                continue
            if math.sqrt(box_distance(boxes, i, x, y, z)) >= best:
                continue
            px, py, pz = nearest_on_triangle(points, triangles, i, x, y, z)
            dx, dy, dz = x - px, y - py, z - pz
            score = math.sqrt(dx * dx + dy * dy + dz * dz)
            if dx * normals[i, 0] + dy * normals[i, 1] + dz * normals[i, 2] < -step:
                score += storey
            if score < best:
                best, nearest, nx, ny, nz = score, i, px, py, pz
    return nearest, nx, ny, nz


@kernel(kt.POINTS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.INTS, kt.OUT_INTS)
def pin_points(queries, polygons, points, triangles, grounds, found):
    """Find the triangle of a polygon that each of many points lies on.

    Parameters
    ----------
    queries, polygons : (q, 3) float64 and (q,) int32
        World coordinates, and the polygons that they lie on; -1 for none. [Unit: m]
    points, triangles, grounds : (n, 3) float64, (t, 3) and (p + 1,) int32
        The ground, and where the triangles of each polygon start.
    found : (q,) int32, output
        The triangle, -1 for none.
    """
    for q in range(len(queries)):
        x, y, z = queries[q, 0], queries[q, 1], queries[q, 2]
        found[q], best = -1, np.inf
        if polygons[q] < 0:
            continue
        for i in range(grounds[polygons[q]], grounds[polygons[q] + 1]):
            px, py, pz = nearest_on_triangle(points, triangles, i, x, y, z)
            square = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2
            if square < best:
                best, found[q] = square, i


@kernel(kt.POINTS, kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.FLOAT, kt.OUT_BYTES)
def tell_inside(queries, floats, ints, layout, step, inside):
    """Tell which points stand on the surface, no farther from it than a step.

    Parameters
    ----------
    queries : (q, 3) float64
        World coordinates. [Unit: m]
    floats, ints, layout
        The mesh, packed, see :mod:`walkmesh.query.surface.kernels.mesh`.
    step : float
        How far away the ground may be, along its normal; over an edge or a vertex inside the
        surface, between the normals around it. [Unit: m]
    inside : (q,) uint8, output
        1 for those that do.
    """
    mesh, holds = unpack_mesh(floats, ints, layout), unpack_footholds(floats, ints, layout)
    points, triangles, normals = mesh.points, mesh.triangles, holds.normals
    order, nodes = holds.order, holds.nodes
    stack = np.empty(DEPTH_LIMIT, np.int32)
    leaves = (len(nodes) + 1) // 2
    for q in range(len(queries)):
        x, y, z = queries[q, 0], queries[q, 1], queries[q, 2]
        inside[q] = 0
        best, at_boundary = np.inf, True
        stack[0] = 0
        depth = 1 if len(order) > 0 else 0
        while depth > 0 and inside[q] == 0:
            depth -= 1
            node = stack[depth]
            if box_distance(nodes, node, x, y, z) > step * step:
                continue
            if node < leaves - 1:
                stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node + 2
                depth += 2
                continue
            start = (node - leaves + 1) * LEAF
            for place in range(start, min(start + LEAF, len(order))):
                i = order[place]
                px, py, pz = nearest_on_triangle(points, triangles, i, x, y, z)
                dx, dy, dz = x - px, y - py, z - pz
                square = dx * dx + dy * dy + dz * dz
                if square > step * step:
                    continue
                over = dx * normals[i, 0] + dy * normals[i, 1] + dz * normals[i, 2]
                if square - over * over <= tol.BESIDE_SURFACE * tol.BESIDE_SURFACE:
                    inside[q] = 1
                elif square < best - tol.SAME_POINT * tol.SAME_POINT:
                    best = square
                    at_boundary = _is_at_boundary(mesh, i, px, py, pz)
        if best < np.inf and not at_boundary:
            inside[q] = 1


@borrowing
def _is_at_boundary(mesh, i, x, y, z):
    """Tell whether a place on triangle i lies on the boundary of the surface."""
    points, triangles, halves = mesh.points, mesh.triangles, mesh.halves
    for k in range(3):
        half = 3 * i + k
        a, b = triangles[i, k], triangles[i, (k + 1) % 3]
        ex, ey, ez = way_between(points, a, b)
        dx, dy, dz = x - points[a, 0], y - points[a, 1], z - points[a, 2]
        if dx * dx + dy * dy + dz * dz <= tol.SAME_POINT * tol.SAME_POINT:
            first = mesh.fans[halves[half, col.FAN], col.FIRST]
            if halves[first, col.MATE] < 0:
                return True
        if halves[half, col.MATE] < 0:
            square = ex * ex + ey * ey + ez * ez
            along = (dx * ex + dy * ey + dz * ez) / square if square > 0.0 else 0.0
            off = (dx - along * ex) ** 2 + (dy - along * ey) ** 2 + (dz - along * ez) ** 2
            if off <= tol.SAME_POINT * tol.SAME_POINT:
                return True
    return False
