"""Ramps: where steps get one, and how high the ground is on it.

The ground at a step has two heights. On the navmesh it gets the upper one, and below it a ramp::

        ____________                        ____________
                    |                                   `.   ramp
                    |________________                     `.______________
                    ^ step                                 ^ foot

A tread gets no foot: the whole of it becomes a part of one ramp from the edge of this tread to the
edge of the next.
"""

import numpy as np

from walkmesh.builder.exact.kernels.march import MOST_CROSSED, leave_polygon
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items


@kernel(kt.INTS, kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.FLOATS, kt.FLOAT, kt.OUT_BYTES)
def find_treads(offsets, corners, mates, owners, steps, depths, level, tread):
    """Tell which steps rise from a tread, which ends in another step down.

    Parameters
    ----------
    offsets, corners : (p + 1,) int32 and (c, 3) float64
        Polygons. [Unit: m]
    mates, owners : (c,) int32
        The edge across each edge, negative where there is none; and the polygon of each.
    steps : (s,) int32
        Edges on the lower side of a step.
    depths : (s,) float64
        How deep the tread below each may be. [Unit: m]
    level : float
        Smaller differences in height are no step. [Unit: m]
    tread : (s,) uint8, output
        1 where the ground below a step is a tread.
    """
    for s in range(len(steps)):
        edge = steps[s]
        polygon = owners[edge]
        end = next_corner(offsets, polygon, edge)
        eu, ev = corners[end, 0] - corners[edge, 0], corners[end, 1] - corners[edge, 1]
        length = np.sqrt(eu * eu + ev * ev)
        u = 0.5 * (corners[edge, 0] + corners[end, 0])
        v = 0.5 * (corners[edge, 1] + corners[end, 1])
        tread[s] = 0
        if length > 0.0:
            tread[s] = _steps_down(
                offsets, corners, mates, owners, level, edge, polygon, u, v, -ev / length,
                eu / length, depths[s],
            )  # fmt: skip


@kernel
def _steps_down(offsets, corners, mates, owners, level, entry, polygon, u, v, du, dv, depth):
    """Return 1 if the way from (u, v) along (du, dv) comes to a step down within `depth`."""
    walked = 0.0
    for _ in range(MOST_CROSSED):
        exit_edge, way = leave_polygon(offsets, corners, polygon, entry, u, v, du, dv)
        if exit_edge < 0:
            return 0
        walked += way
        if walked > depth or mates[exit_edge] < 0:
            return 0
        u, v = u + du * way, v + dv * way
        j = next_corner(offsets, polygon, exit_edge)
        entry = mates[exit_edge]
        polygon = owners[entry]
        k = next_corner(offsets, polygon, entry)
        here, there = corners[exit_edge, 2] + corners[j, 2], corners[entry, 2] + corners[k, 2]
        if here - there > 2.0 * level:
            return 1
        if there - here > 2.0 * level:
            return 0
    return 0


@kernel(kt.POINTS, kt.POINTS, kt.FLOATS, kt.POINTS, kt.POINTS, kt.INTS, kt.FLOAT, kt.OUT_FLOATS)
def raise_to_ramps(points, lines, widths, rises, nodes, order, window, heights):
    """Raise the vertices that lie under a ramp onto it.

    Parameters
    ----------
    points : (n, 2) float64
        Positions of the vertices in plan. [Unit: m]
    lines : (s, 6) float64
        Both ends (u, v, h) of the lower side of each step. [Unit: m]
    widths : (s,) float64
        How wide the ramp is. [Unit: m]
    rises : (s, 2) float64
        How high the step is at both ends of the line. [Unit: m]
    nodes, order : arrays
        A tree of boxes around the ramps.
    window : float
        Vertices further above or below a step than this have nothing to do with it. [Unit: m]
    heights : (n,) float64, output
        Heights of the vertices, raised where need be. [Unit: m]
    """
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    for vertex in range(len(points)):
        u, v, h = points[vertex, 0], points[vertex, 1], heights[vertex]
        box[0], box[1], box[2], box[3], box[4], box[5] = u, v, h - window, u, v, h + window
        for place in range(gather_items(nodes, order, box, stack, found)):
            s = found[place]
            du, dv = lines[s, 3] - lines[s, 0], lines[s, 4] - lines[s, 1]
            square = du * du + dv * dv
            if square == 0.0:
                continue
            t = ((u - lines[s, 0]) * du + (v - lines[s, 1]) * dv) / square
            t = min(max(t, 0.0), 1.0)
            foot = lines[s, 2] + t * (lines[s, 5] - lines[s, 2])
            rise = rises[s, 0] + t * (rises[s, 1] - rises[s, 0])
            eu, ev = u - lines[s, 0] - t * du, v - lines[s, 1] - t * dv
            # Ground above the foot by more than half the step is the upper side of it, and ground
            # as far below is none that this step rises from.
            if abs(h - foot) > min(window, 0.5 * rise):
                continue
            part = 1.0 - np.sqrt(eu * eu + ev * ev) / widths[s]
            if part > 0.0:
                heights[vertex] = max(heights[vertex], foot + part * rise)
