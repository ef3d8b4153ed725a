"""Outlines: the boundary edges of the ground, joined where they run straight on."""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner

# The most edges that become one line; each is held against all before it.
_MOST_JOINED = 64


@kernel(kt.INTS, kt.INTS, kt.POINTS, kt.FLOATS, kt.INTS, kt.OUT_POINTS)
def straighten_outline(offsets, vertices, points, heights, mates, lines):
    """Join the boundary edges that follow each other in a straight line.

    Parameters
    ----------
    offsets, vertices : (p + 1,) and (c,) int32
        Polygons of vertex ids, each vertex with one fan of polygons.
    points : (n, 2) float64
        Positions of the vertices in plan. [Unit: m]
    heights : (c,) float64
        The height of each corner. [Unit: m]
    mates : (c,) int32
        The edge across each edge; negative at a boundary.
    lines : (c, 6) float64, output
        Both ends (u, v, h) of each line, in its first rows; the ground lies to the left. [Unit: m]

    Returns
    -------
    int
        The number of lines.
    """
    count = len(vertices)
    following = np.empty(count, np.int32)  # the corner after each in its polygon
    leaving = np.full(len(points), -1, np.int32)  # the boundary edge that starts at each vertex
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            following[i] = next_corner(offsets, polygon, i)
            if mates[i] < 0:
                leaving[vertices[i]] = i
    entered = np.zeros(len(points), np.uint8)  # vertices that a straight run goes through
    for i in range(count):
        if mates[i] < 0 and _runs_on(vertices, points, heights, following, leaving, i):
            entered[vertices[following[i]]] = 1
    done = np.zeros(count, np.uint8)
    between = np.empty(_MOST_JOINED, np.int32)
    rows = 0
    # First the runs that begin at a bend, then rings without one.
    for turn in range(2):
        for first in range(count):
            if mates[first] >= 0 or done[first] or (turn == 0 and entered[vertices[first]]):
                continue
            start, edge, passed = first, first, 0
            done[first] = 1
            while _runs_on(vertices, points, heights, following, leaving, edge):
                further = leaving[vertices[following[edge]]]
                if done[further]:
                    break
                between[passed] = following[edge]
                passed += 1
                if passed == _MOST_JOINED or not _straight(
                    vertices, points, heights, start, following[further], between, passed
                ):
                    rows = _write_line(
                        vertices, points, heights, start, following[edge], lines, rows
                    )
                    start, passed = further, 0
                edge = further
                done[edge] = 1
            rows = _write_line(vertices, points, heights, start, following[edge], lines, rows)
    return rows


@kernel
def _runs_on(vertices, points, heights, following, leaving, edge):
    """Tell whether the boundary goes straight on at the end of an edge."""
    end = following[edge]
    further = leaving[vertices[end]]
    if further < 0:
        return False
    p, q, r = vertices[edge], vertices[end], vertices[following[further]]
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    fu, fv = points[r, 0] - points[q, 0], points[r, 1] - points[q, 1]
    longer = np.sqrt(max(eu * eu + ev * ev, fu * fu + fv * fv))
    return (
        eu * fu + ev * fv > 0.0
        and abs(eu * fv - ev * fu) <= tol.LINE_SIDEWAYS * longer
        and abs(heights[end] - heights[further]) <= tol.LINE_HEIGHT
    )


@kernel
def _straight(vertices, points, heights, start, end, between, passed):
    """Tell whether the corners between two others lie on the line from one to the other."""
    p, q = vertices[start], vertices[end]
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    square = eu * eu + ev * ev
    if square == 0.0:
        return False
    rise = heights[end] - heights[start]
    for k in range(passed):
        u = points[vertices[between[k]], 0] - points[p, 0]
        v = points[vertices[between[k]], 1] - points[p, 1]
        h = heights[between[k]] - heights[start]
        if abs(eu * v - ev * u) > tol.LINE_SIDEWAYS * np.sqrt(square):
            return False
        if abs(h - rise * (eu * u + ev * v) / square) > tol.LINE_HEIGHT:
            return False
    return True


@kernel
def _write_line(vertices, points, heights, start, end, lines, row):
    p, q = vertices[start], vertices[end]
    lines[row, 0], lines[row, 1], lines[row, 2] = points[p, 0], points[p, 1], heights[start]
    lines[row, 3], lines[row, 4], lines[row, 5] = points[q, 0], points[q, 1], heights[end]
    return row + 1


@kernel(kt.INTS, kt.OUT_INTS, kt.OUT_INTS)
def trace_loops(after, offsets, edges):
    """Follow the boundary around, loop by loop.

    Parameters
    ----------
    after : (c,) int32
        The boundary edge that follows each one; -1 for an edge that is none.
    offsets : (b + 1,) int32, output
        Where each loop starts, for at most b boundary edges.
    edges : (b,) int32, output
        The boundary edges of all loops, in the order they follow each other.

    Returns
    -------
    int
        The number of loops.
    """
    done = np.zeros(len(after), np.uint8)
    loops, count = 0, 0
    offsets[0] = 0
    for first in range(len(after)):
        if after[first] < 0 or done[first]:
            continue
        edge = first
        while edge >= 0 and not done[edge]:
            done[edge] = 1
            edges[count] = edge
            count += 1
            edge = after[edge]
        loops += 1
        offsets[loops] = count
    return loops
