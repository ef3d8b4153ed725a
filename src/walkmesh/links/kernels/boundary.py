"""Places along the boundary of a navmesh, at even distances however its edges are cut.

Edges are followed in chains, each with the ground to its left. A long edge gets places of its own;
short ones, as around a curve, share one after a while, or where the boundary turns::

        long edge: at even distances          curve: one for many edges
        ---x---------x---------x---           -.-.-x-.-.
                                                        ' .
                                                           x  <- and where it turns
"""

import math

import numpy as np

from walkmesh.kernels.kernel import FLOAT, INTS, OUT_INTS, OUT_POINTS, POINTS, kernel

# An edge whose direction differs from that of the last place by more than 45 degrees turns.
_TURN = math.sqrt(0.5)
# After a turn a place comes so much earlier.
_SOONER = 0.25


@kernel(POINTS, INTS, INTS, INTS, INTS, FLOAT, OUT_POINTS, OUT_INTS)
def sample_boundary(points, tails, heads, first, beside, step, places, edges):
    """Lay places along the chains of a boundary.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    tails, heads : (m,) int32
        The points where each edge starts and ends; the ground is to its left.
    first : (n,) int32
        An edge that starts at each point, -1 where none does.
    beside : (m,) int32
        Another edge that starts where each does, -1 after the last.
    step : float
        How far apart places are, about. [Unit: m]
    places : (k, 5) float64, output
        Place and outward direction: u, v, h and the unit vector in plan.
    edges : (k,) int32, output
        The edge that each place lies on.

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
                    _put(points, tails, heads, edge, (i + 0.5) / parts, du, dv, places, edges, count)
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
                    _put(points, tails, heads, edge, 0.5, along_u, along_v, places, edges, count)
                    count += 1
                    run, along_u, along_v = 0.0, 0.0, 0.0
                    last_u, last_v = du / length, dv / length
            edge = _next_edge(heads[edge], first, beside, used)
        if longest >= 0 and count == before:  # all of it is shorter than a step
            du = points[heads[longest], 0] - points[tails[longest], 0]
            dv = points[heads[longest], 1] - points[tails[longest], 1]
            _put(points, tails, heads, longest, 0.5, du, dv, places, edges, count)
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
def _put(points, tails, heads, edge, share, du, dv, places, edges, count):
    """Write a place on an edge that looks out to the right of a direction."""
    for k in range(3):
        tail = points[tails[edge], k]
        places[count, k] = tail + share * (points[heads[edge], k] - tail)
    length = math.sqrt(du * du + dv * dv)
    places[count, 3], places[count, 4] = dv / length, -du / length
    edges[count] = edge
