"""Rises: how high the ground climbs where it is too steep to be walked on."""

import numpy as np

from walkmesh.kernels.kernel import FLOAT, INTS, OUT_FLOATS, POINTS, TRIPLES, kernel
from walkmesh.kernels.plan import gradient

# No rise goes on over more triangles than this.
_MOST_CROSSED = 256
# What runs along an edge does not leave through it.
_ALONG = 1e-12


@kernel(POINTS, TRIPLES, INTS, FLOAT, OUT_FLOATS)
def measure_rises(points, triangles, mates, steepest, rises):
    """Find how far the ground rises without a break along the gradient of each steep triangle.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids, counter-clockwise from above.
    mates : (3 t,) int32
        The edge across each edge; negative where there is none.
    steepest : float
        Rise over run that is not steep yet.
    rises : (t,) float64, output
        The rise up and down from the middle of each; 0 for those that are not steep. [Unit: m]
    """
    for t in range(len(triangles)):
        rises[t] = 0.0
        gu, gv, _ = gradient(points, triangles[t, 0], triangles[t, 1], triangles[t, 2])
        slope = np.sqrt(gu * gu + gv * gv)
        if slope <= steepest:
            continue
        u, v = 0.0, 0.0
        for k in range(3):
            u += points[triangles[t, k], 0] / 3.0
            v += points[triangles[t, k], 1] / 3.0
        for turn in (1.0, -1.0):
            rises[t] += _rise(
                points, triangles, mates, t, u, v, gu / slope, gv / slope, turn, steepest
            )


@kernel
def _rise(points, triangles, mates, t, u, v, du, dv, turn, steepest):
    """Return the rise from (u, v) along turn * (du, dv), as long as (du, dv) is steep."""
    total, entry = 0.0, -1
    for _ in range(_MOST_CROSSED):
        gu, gv, _ = gradient(points, triangles[t, 0], triangles[t, 1], triangles[t, 2])
        slope = gu * du + gv * dv
        if slope <= steepest:
            return total
        edge, nearest = -1, np.inf
        for k in range(3):
            p, q = triangles[t, k], triangles[t, (k + 1) % 3]
            eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
            leaving = turn * (du * ev - dv * eu)
            if 3 * t + k == entry or leaving <= _ALONG:
                continue
            way = ((points[p, 0] - u) * ev - (points[p, 1] - v) * eu) / leaving
            if way < nearest:
                edge, nearest = 3 * t + k, way
        if edge < 0:
            return total
        nearest = max(nearest, 0.0)
        total += slope * nearest
        u, v = u + turn * du * nearest, v + turn * dv * nearest
        entry = mates[edge]
        if entry < 0:
            return total
        t = entry // 3
    return total
