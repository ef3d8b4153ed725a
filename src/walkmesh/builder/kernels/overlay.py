"""Overlay: the ground inside each polygon, cut from a finer mesh of triangles."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_in_place
from walkmesh.kernels.kernel import kernel

# The ground. points: (n, 3) float64, in the plan frame [m]; triangles: (m, 3) int32, vertex ids,
# counter-clockwise; mates: (3 m,) int32, the edge across each edge, negative where there is none;
# bands: (m, 2) float64, where it lies above each triangle that stands for it, at least and at
# most [m].
_GROUND = kt.packed(kt.POINTS, kt.TRIPLES, kt.INTS, kt.POINTS)
# Triangles that are cut. corners: (t, 9) float64, in order of their polygons [m]; owners, sources:
# (t,) int32, the polygon of each, and the triangle of the ground that it is part of; filled: (1,)
# int64, how many there are, also if there was not enough room for them.
_OUT_DETAIL = kt.packed(kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_LONGS)


@kernel(_GROUND, kt.POLYGONS, kt.INTS, kt.INTS, kt.FLOAT, kt.OUT_BYTES, _OUT_DETAIL)
def lay_detail(ground, polygons, seed_offsets, seeds, tolerance, flat, output):
    """Cut the triangles of the ground to each polygon.

    From the triangles at a corner of the polygon the search goes on to neighbours as long as they
    touch it, so it never leaves the storey that the polygon belongs to. Through the tip of a
    triangle too: it may be the only way to what lies behind it.

    Parameters
    ----------
    ground : _GROUND
    polygons : POLYGONS
    seed_offsets, seeds : (p + 1,) and (s,) int32
        Triangles to start from, for each polygon.
    tolerance : float
        A polygon whose ground stays this close to its plane is flat. [Unit: m]
    flat : (p,) uint8, output
        1 for a flat polygon.
    output : _OUT_DETAIL, output
    """
    points, triangles, mates, bands = ground
    offsets, corners, planes = polygons
    detail, owners, sources, filled = output
    count = len(triangles)
    longest = 3
    for polygon in range(len(offsets) - 1):
        longest = max(longest, offsets[polygon + 1] - offsets[polygon])
    current = np.empty((longest + 8, 4), np.float64)
    clipped = np.empty((longest + 8, 4), np.float64)
    visited = np.full(count, -1, np.int32)
    stack = np.empty(count + 1, np.int32)
    filled[0] = 0
    for polygon in range(len(offsets) - 1):
        flat[polygon] = 1
        depth = 0
        for place in range(seed_offsets[polygon], seed_offsets[polygon + 1]):
            if visited[seeds[place]] != polygon:
                visited[seeds[place]] = polygon
                stack[depth] = seeds[place]
                depth += 1
        while depth > 0:
            depth -= 1
            t = stack[depth]
            size = _cut_to_polygon(
                points, triangles, t, offsets, corners, polygon, current, clipped
            )
            if size == 0:
                continue
            for i in range(size):
                h = planes[polygon, 0] * current[i, 0] + planes[polygon, 1] * current[i, 1]
                above = h + planes[polygon, 2] - current[i, 2]
                if max(above - bands[t, 0], bands[t, 1] - above) > tolerance:
                    flat[polygon] = 0
            for i in range(1, size - 1):
                if filled[0] < len(owners):
                    row = filled[0]
                    owners[row], sources[row] = polygon, t
                    for k in range(3):
                        detail[row, k] = current[0, k]
                        detail[row, 3 + k] = current[i, k]
                        detail[row, 6 + k] = current[i + 1, k]
                filled[0] += 1
            for edge in range(3 * t, 3 * t + 3):
                if mates[edge] >= 0 and visited[mates[edge] // 3] != polygon:
                    visited[mates[edge] // 3] = polygon
                    stack[depth] = mates[edge] // 3
                    depth += 1


@kernel
def _cut_to_polygon(points, triangles, t, offsets, corners, polygon, current, clipped):
    """Write the part of a triangle inside a polygon.

    Returns
    -------
    int
        The number of its corners; negative if it has no width, 0 if there is none.
    """
    size = 3
    for i in range(3):
        for k in range(3):
            current[i, k] = points[triangles[t, i], k]
    start, stop = offsets[polygon], offsets[polygon + 1]
    for i in range(start, stop):
        j = i + 1 if i + 1 < stop else start
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        length = np.sqrt(eu * eu + ev * ev)
        if length == 0.0:
            continue
        for p in range(size):
            current[p, 3] = _inside(current, p, corners, i, eu, ev, length)
        size = clip_in_place(current, size, 3, True, clipped)
        if size < 3:
            return 0
    twice, outline = 0.0, 0.0
    for p in range(size):
        q = p + 1 if p + 1 < size else 0
        u, v = current[p, 0] - current[0, 0], current[p, 1] - current[0, 1]
        x, y = current[q, 0] - current[0, 0], current[q, 1] - current[0, 1]
        twice += u * y - v * x
        outline += np.sqrt((x - u) ** 2 + (y - v) ** 2)
    return size if twice > tol.NO_DETAIL_WIDTH * outline else -size


@kernel
def _inside(polygon, p, corners, i, eu, ev, length):
    """Return how far a corner lies to the left of a side; 0 if it is on it."""
    across = eu * (polygon[p, 1] - corners[i, 1]) - ev * (polygon[p, 0] - corners[i, 0])
    return 0.0 if abs(across) <= tol.ON_POLYGON_SIDE * length else across / length
