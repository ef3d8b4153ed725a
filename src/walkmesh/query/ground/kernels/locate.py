"""Finding the ground that a point stands on."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, LEAF, box_distance
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.mesh import unpack_ground
from walkmesh.query.ground.kernels.prepare import cell_at
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.kernels.nearest import nearest_on_triangle


@kernel(
    kt.POINTS, kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.POINTS, kt.FLOAT, kt.FLOAT, kt.FLOAT,
    kt.OUT_INTS, kt.OUT_POINTS, kt.OUT_FLOATS,
)  # fmt: skip
def locate_points(
    queries, floats, ints, layout, axes, step, storey, limit, polygons, places, distances
):
    """Find the place on the ground that each of many points stands on.

    Parameters
    ----------
    queries : (q, 3) float64
        World coordinates. [Unit: m]
    floats, ints, layout
        The ground, packed, see :mod:`walkmesh.query.ground.kernels.mesh`.
    axes : (3, 3) float64
        The unit vectors of the plan frame as rows.
    step, storey : float
        See :func:`nearest_place`. [Unit: m]
    limit : float
        How far away the ground may be. [Unit: m]
    polygons : (q,) int32, output
        The polygon of the place; -1 if it is too far away.
    places : (q, 3) float64, output
        The place in world coordinates; the point itself if it is too far away.
    distances : (q,) float64, output
        How far away it is; infinite if too far. [Unit: m]
    """
    ground = unpack_ground(floats, ints, layout)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    anywhere, nothing = np.empty(0, np.float64), np.empty((0, 7), np.int32)
    for q in range(len(queries)):
        u, v, h = to_plan(axes, queries, q, 0)
        triangle, cu, cv, ch = nearest_place(
            ground, stack, nothing, anywhere, 0.0, u, v, h, step, storey
        )
        distance = math.sqrt((cu - u) ** 2 + (cv - v) ** 2 + (ch - h) ** 2)
        if triangle >= 0 and distance <= limit:
            polygons[q], distances[q] = ground.owners[triangle], distance
            to_world(axes, cu, cv, ch, places, q)
        else:
            polygons[q], distances[q] = -1, np.inf
            for k in range(3):
                places[q, k] = queries[q, k]


@kernel(kt.POINTS, kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.POINTS, kt.OUT_INTS, kt.OUT_FLOATS)
def measure_heights(queries, floats, ints, layout, axes, polygons, heights):
    """Measure how high points are over the ground that is straight below or above them.

    Parameters
    ----------
    queries : (q, 3) float64
        World coordinates. [Unit: m]
    floats, ints, layout
        The ground, packed, see :mod:`walkmesh.query.ground.kernels.mesh`.
    axes : (3, 3) float64
        The unit vectors of the plan frame as rows.
    polygons : (q,) int32, output
        The polygon whose ground is nearest in height; -1 if there is none.
    heights : (q,) float64, output
        How high the point is over it, negative below. [Unit: m]
    """
    ground = unpack_ground(floats, ints, layout)
    for q in range(len(queries)):
        u, v, h = to_plan(axes, queries, q, 0)
        polygons[q], heights[q] = -1, np.inf
        if len(ground.triangles) == 0:
            continue
        cell = _cell_under(ground.grid, u, v)
        for place in range(ground.starts[cell], ground.starts[cell + 1]):
            i = ground.members[place]
            over = h - _height_over(ground.points, ground.triangles, i, u, v)
            if abs(over) < abs(heights[q]):
                polygons[q], heights[q] = ground.owners[i], over


@borrowing
def _cell_under(grid, u, v):
    """Return the cell that a place lies in, or the nearest one."""
    columns = int(grid[3])
    return cell_at(grid, v, 1, int(grid[4])) * columns + cell_at(grid, u, 0, columns)


@borrowing
def to_plan(axes, world, i, column):
    """Return the world point in row i from a column on as (u, v, h)."""
    x, y, z = world[i, column], world[i, column + 1], world[i, column + 2]
    return (
        axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z,
        axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z,
        axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z,
    )


@borrowing
def to_world(axes, u, v, h, world, i):
    """Write a point of the plan in world coordinates."""
    for k in range(3):
        world[i, k] = axes[0, k] * u + axes[1, k] * v + axes[2, k] * h


@shared_borrowing
def nearest_place(ground, stack, polygons, reached, stamp, u, v, h, step, storey):
    """Find the nearest place on the ground, with the floor below before the one above.

    A place higher than `step` above the point (u, v, h) counts as `storey` farther away: it is more
    likely a ceiling than a floor that the point has sunk into. Of the mesh' polygons only those of
    islands that have the stamp in `reached` count, or all if that is empty. Returns the triangle,
    -1 if there is none, and the place. [Unit: m]
    """
    leaves = (len(ground.nodes) + 1) // 2
    nearest, nu, nv, nh = -1, u, v, h
    if len(ground.triangles) == 0:
        return nearest, nu, nv, nh
    # Most points stand on the ground, or over it.
    best = np.inf
    cell = _cell_under(ground.grid, u, v)
    for place in range(ground.starts[cell], ground.starts[cell + 1]):
        i = ground.members[place]
        if len(reached) > 0 and reached[polygons[ground.owners[i], col.ISLAND]] != stamp:
            continue
        height = _height_over(ground.points, ground.triangles, i, u, v)
        score = abs(height - h)  # NaN beside the triangle
        if height > h + step:
            score += storey
        if score < best:
            best, nearest, nu, nv, nh = score, i, u, v, height
    if best <= tol.ON_GROUND:
        return nearest, nu, nv, nh
    stack[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if _least_score(ground.nodes, node, u, v, h, step, storey) >= best:
            continue
        if node < leaves - 1:
            near, far = 2 * node + 1, 2 * node + 2
            # The nearer child is looked at first: it goes on top.
            one = _least_score(ground.nodes, near, u, v, h, step, storey)
            two = _least_score(ground.nodes, far, u, v, h, step, storey)
            if two < one:
                near, far, one, two = far, near, two, one
            if two < best:
                stack[depth] = far
                depth += 1
            if one < best:
                stack[depth] = near
                depth += 1
            continue
        start = (node - leaves + 1) * LEAF
        for place in range(start, min(start + LEAF, len(ground.order))):
            i = ground.order[place]
            if _least_score(ground.boxes, i, u, v, h, step, storey) >= best:
                continue
            if len(reached) > 0 and reached[polygons[ground.owners[i], col.ISLAND]] != stamp:
                continue
            cu, cv, ch = nearest_on_triangle(ground.points, ground.triangles, i, u, v, h)
            score = math.sqrt((cu - u) ** 2 + (cv - v) ** 2 + (ch - h) ** 2)
            if ch > h + step:
                score += storey
            if score < best:
                best, nearest, nu, nv, nh = score, i, cu, cv, ch
    return nearest, nu, nv, nh


@borrowing
def _height_over(points, triangles, i, u, v):
    """Return the height of a triangle at a place in plan; NaN beside it."""
    a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
    au, av = points[a, 0] - u, points[a, 1] - v
    bu, bv = points[b, 0] - u, points[b, 1] - v
    cu, cv = points[c, 0] - u, points[c, 1] - v
    beside_a, beside_b, beside_c = bu * cv - bv * cu, cu * av - cv * au, au * bv - av * bu
    whole = beside_a + beside_b + beside_c
    if not (beside_a >= 0.0 and beside_b >= 0.0 and beside_c >= 0.0 and whole > 0.0):
        return np.nan
    ah = points[a, 2]
    return ah + (beside_b * (points[b, 2] - ah) + beside_c * (points[c, 2] - ah)) / whole


@borrowing
def _least_score(boxes, i, u, v, h, step, storey):
    """Return a lower bound of how far a place in a box counts."""
    score = math.sqrt(box_distance(boxes, i, u, v, h))
    return score + storey if boxes[i, 2] > h + step else score
