"""Rises: how high the ground climbs where it is too steep to be walked on."""

import numpy as np

from walkmesh.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import gradient
from walkmesh.kernels.kernel import kernel

# No rise goes on over more triangles than this.
_MOST_CROSSED = 256
# Where in a triangle rises are measured, if not in its middle alone: corners by their shares. Those
# at corners and sides are a little inside, so that what crosses the triangle there is crossed too.
_INSIDE = 0.02


@kernel(kt.POINTS, kt.TRIPLES, kt.INTS, kt.FLOAT, kt.INT, kt.OUT_FLOATS)
def measure_rises(points, triangles, mates, steepest, everywhere, rises):
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
    everywhere : int
        1 to measure through the corners and sides of each triangle as well, and take the highest,
        which no triangle that is cut out of it exceeds by much; 0 for its middle alone.
    rises : (t,) float64, output
        The rise up and down from there; 0 for those that are not steep. [Unit: m]
    """
    for t in range(len(triangles)):
        rises[t] = 0.0
        gu, gv, _ = gradient(points, triangles[t, 0], triangles[t, 1], triangles[t, 2])
        slope = np.sqrt(gu * gu + gv * gv)
        if slope <= steepest:
            continue
        for start in range(7 if everywhere else 1):
            u, v = 0.0, 0.0
            for k in range(3):
                share = 1.0 / 3.0
                if start > 3:
                    share = _INSIDE if start - 4 == k else 0.5 - _INSIDE / 2.0
                elif start > 0:
                    share = 1.0 - 2.0 * _INSIDE if start - 1 == k else _INSIDE
                u += share * points[triangles[t, k], 0]
                v += share * points[triangles[t, k], 1]
            rise = 0.0
            for turn in (1.0, -1.0):
                rise += _rise(
                    points, triangles, mates, t, u, v, gu / slope, gv / slope, turn, steepest
                )
            rises[t] = max(rises[t], rise)


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
            if 3 * t + k == entry or leaving <= tol.RUNS_ALONG:
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
