"""What lies below a bridge: ground on which the agent has room."""

import numpy as np

from walkmesh.builder.bridges.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches

# Of the rim near a place, no more directions than this are looked at.
_MOST_DIRECTIONS = 64


@kernel(
    kt.POINTS, kt.POLYGONS, kt.TREE, kt.POINTS, kt.TREE, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.FLOAT,
    kt.OUT_BYTES,
)  # fmt: skip
def find_room_below(places, ground, tree, rim, rim_tree, height, radius, distance, rise, has_room):
    """Tell over which places there is not enough room above ground that has its own.

    The ground right below a gap lies between two rims, those below the sides of the gap, and is too
    narrow for the agent. What is wider, or has a rim on one side only, is open ground.

    Parameters
    ----------
    places : (k, 3) float64
        Places (u, v, h) on bridges. [Unit: m]
    ground, tree : POLYGONS and TREE
        Convex polygons of ground with their planes, and a tree over them.
    rim, rim_tree : (n, 6) float64 and TREE
        The rim of the ground, and a tree over it.
    height : float
        How far below a bridge ground matters. [Unit: m]
    radius : float
        How far from the rim, in plan, the agent has room. [Unit: m]
    distance, rise : float
        How far from each other both rims may be, in plan and in height. [Unit: m]
    has_room : (k,) uint8, output
        1 where there is such ground below.
    """
    offsets, corners, planes = ground
    _, order, nodes = tree
    boxes, edge_order, edge_nodes = rim_tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    near = np.empty(len(edge_order) + 4, np.int32)
    box = np.empty(6, np.float64)
    directions = np.empty((_MOST_DIRECTIONS, 2), np.float64)
    for i in range(len(places)):
        u, v, h = places[i, 0], places[i, 1], places[i, 2]
        has_room[i] = 0
        box[0], box[1], box[2] = u, v, h - height
        box[3], box[4], box[5] = u, v, h
        count = gather_items(nodes, order, box, stack, found)
        for k in range(count):
            polygon = found[k]
            level = planes[polygon, 0] * u + planes[polygon, 1] * v + planes[polygon, 2]
            if level >= h - tol.UNDER_BRIDGE or level <= h - height:
                continue
            if not _holds(offsets, corners, polygon, u, v):
                continue
            box[0], box[1], box[2] = u - distance, v - distance, level - rise
            box[3], box[4], box[5] = u + distance, v + distance, level + rise
            count_near = gather_items(edge_nodes, edge_order, box, stack, near)
            if not _is_in_gap(rim, boxes, near, count_near, box, u, v, radius, directions):
                has_room[i] = 1
                break


@borrowing
def _holds(offsets, corners, polygon, u, v):
    """Tell whether a polygon holds a place in plan."""
    for i in range(offsets[polygon], offsets[polygon + 1]):
        j = next_corner(offsets, polygon, i)
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        if eu * (v - corners[i, 1]) - ev * (u - corners[i, 0]) < 0.0:
            return False
    return True


@borrowing
def _is_in_gap(edges, boxes, near, count, box, u, v, radius, directions):
    """Tell whether a place is closer to an edge than a radius, and has edges on both sides."""
    nearest, known = np.inf, 0
    opposite = False
    for k in range(count):
        e = near[k]
        if not touches(boxes, e, box):
            continue
        square, share = to_segment(u, v, edges[e, 0], edges[e, 1], edges[e, 3], edges[e, 4])
        nearest = min(nearest, square)
        away = np.sqrt(square)
        if opposite or away == 0.0 or away > box[3] - u:
            continue
        du = (edges[e, 0] + share * (edges[e, 3] - edges[e, 0]) - u) / away
        dv = (edges[e, 1] + share * (edges[e, 4] - edges[e, 1]) - v) / away
        for i in range(known):
            if du * directions[i, 0] + dv * directions[i, 1] < tol.OPPOSITE_SIDE:
                opposite = True
        if known < _MOST_DIRECTIONS:
            directions[known, 0], directions[known, 1] = du, dv
            known += 1
    return opposite and nearest < radius * radius
