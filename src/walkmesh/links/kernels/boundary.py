"""The boundary of a navmesh: how high the ground is along it, and places at even distances.

An edge of a polygon is straight, but the ground under it goes up and down with the polygon's
triangles. Its profile is the heights at all their vertices along it.

For places, edges are followed in chains, each with the ground to its left. A long edge gets places
of its own; short ones, as around a curve, share one after a while, or where the boundary turns::

        long edge: at even distances          curve: one for many edges
        ---x---------x---------x---           -.-.-x-.-.
                                                        ' .
                                                           x  <- and where it turns
"""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import kernel
from walkmesh.links.kernels import tolerances as tol

# An edge whose direction differs from that of the last place by more than 45 degrees turns.
_TURN = math.sqrt(0.5)
# After a turn a place comes so much earlier.
_SOONER = 0.25


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.TRIPLES, kt.INTS, kt.OUT_INTS, kt.OUT_POINTS)
def trace_profiles(points, tails, heads, polygons, triangles, triangle_offsets, offsets, profiles):
    """Find how high the ground is along edges of polygons.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    tails, heads, polygons : (m,) int32
        The points where each edge starts and ends, and its polygon.
    triangles, triangle_offsets : (t, 3) and (p + 1,) int32
        The ground, and where the triangles of each polygon start.
    offsets : (m + 1,) int32, output
        Where each profile starts.
    profiles : (k, 2) float64, output
        How much of the edge lies before each vertex, from 0 to 1, ascending; and its height.

    Returns
    -------
    int
        How many vertices there are; only so many as fit are written.
    """
    filled = 0
    for e in range(len(tails)):
        offsets[e] = filled
        a, b = tails[e], heads[e]
        first = filled
        filled = _note(profiles, first, filled, 0.0, points[a, 2])
        filled = _note(profiles, first, filled, 1.0, points[b, 2])
        for t in range(triangle_offsets[polygons[e]], triangle_offsets[polygons[e] + 1]):
            for k in range(3):
                vertex = triangles[t, k]
                if vertex in (a, b):
                    continue
                square, share = to_segment(
                    points[vertex, 0], points[vertex, 1],
                    points[a, 0], points[a, 1], points[b, 0], points[b, 1],
                )  # fmt: skip
                if square <= tol.VERTEX_AT_EDGE * tol.VERTEX_AT_EDGE:
                    filled = _note(profiles, first, filled, share, points[vertex, 2])
    offsets[len(tails)] = filled
    return filled


@kernel
def _note(profiles, first, filled, share, height):
    """Put a vertex into the profile that starts at `first`, and return where that ends then."""
    if filled >= len(profiles):  # count on, if not exactly
        return filled + 1
    place = filled
    while place > first and profiles[place - 1, 0] > share - tol.SAME_SHARE:
        place -= 1
    if place < filled and profiles[place, 0] < share + tol.SAME_SHARE:
        return filled
    for i in range(filled, place, -1):
        profiles[i, 0], profiles[i, 1] = profiles[i - 1, 0], profiles[i - 1, 1]
    profiles[place, 0], profiles[place, 1] = share, height
    return filled + 1


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.POINTS, kt.INTS, kt.INTS, kt.FLOAT, kt.OUT_POINTS)
def sample_boundary(points, tails, heads, offsets, profiles, first, beside, step, places):
    """Lay places along the chains of a boundary.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    tails, heads : (m,) int32
        The points where each edge starts and ends; the ground is to its left.
    offsets, profiles : (m + 1,) int32 and (k, 2) float64
        How high the ground is along them, see :func:`trace_profiles`.
    first : (n,) int32
        An edge that starts at each point, -1 where none does.
    beside : (m,) int32
        Another edge that starts where each does, -1 after the last.
    step : float
        How far apart places are, about. [Unit: m]
    places : (k, 5) float64, output
        Place and outward direction: u, v, h and the unit vector in plan.

    Returns
    -------
    int
        How many places there are; no more than one for each edge and each step of length.
    """
    used = np.zeros(len(tails), np.uint8)
    count = 0
    for seed in range(len(tails)):
        edge = seed if used[seed] == 0 else -1
        before = count
        run, along_u, along_v = 0.0, 0.0, 0.0
        last_u, last_v = 0.0, 0.0
        longest, most = -1, 0.0
        while edge >= 0:
            used[edge] = 1
            du = points[heads[edge], 0] - points[tails[edge], 0]
            dv = points[heads[edge], 1] - points[tails[edge], 1]
            length = math.sqrt(du * du + dv * dv)
            if length > most:
                longest, most = edge, length
            if length >= step:
                parts = int(length / step)
                for i in range(parts):
                    _put(
                        points, tails, heads, offsets, profiles, edge, (i + 0.5) / parts, du, dv,
                        places, count,
                    )  # fmt: skip
                    count += 1
                run, along_u, along_v = 0.0, 0.0, 0.0
                last_u, last_v = du / length, dv / length
            elif length > 0.0:
                run += length
                along_u, along_v = along_u + du, along_v + dv
                turned = (du * last_u + dv * last_v) < _TURN * length
                if run >= step or (turned and run >= _SOONER * step):
                    if along_u == 0.0 and along_v == 0.0:
                        along_u, along_v = du, dv
                    _put(
                        points, tails, heads, offsets, profiles, edge, 0.5, along_u, along_v,
                        places, count,
                    )  # fmt: skip
                    count += 1
                    run, along_u, along_v = 0.0, 0.0, 0.0
                    last_u, last_v = du / length, dv / length
            edge = _next_edge(heads[edge], first, beside, used)
        if longest >= 0 and count == before:  # all of it is shorter than a step
            du = points[heads[longest], 0] - points[tails[longest], 0]
            dv = points[heads[longest], 1] - points[tails[longest], 1]
            _put(points, tails, heads, offsets, profiles, longest, 0.5, du, dv, places, count)
            count += 1
    return count


@kernel
def _next_edge(point, first, beside, used):
    """Return an edge that starts at a point and is not used yet; -1 if there is none."""
    edge = first[point]
    while edge >= 0 and used[edge] != 0:
        edge = beside[edge]
    return edge


@kernel
def _put(points, tails, heads, offsets, profiles, edge, share, du, dv, places, count):
    """Write a place on an edge that looks out to the right of a direction."""
    length = math.sqrt(du * du + dv * dv)
    places[count, 3], places[count, 4] = dv / length, -du / length
    for k in range(2):
        tail = points[tails[edge], k]
        along = share * (points[heads[edge], k] - tail)
        places[count, k] = tail + along - tol.INSIDE_BOUNDARY * places[count, k + 3]
    row = offsets[edge]
    while profiles[row + 1, 0] < share:
        row += 1
    rise = profiles[row + 1, 1] - profiles[row, 1]
    part = (share - profiles[row, 0]) / (profiles[row + 1, 0] - profiles[row, 0])
    places[count, 2] = profiles[row, 1] + part * rise
