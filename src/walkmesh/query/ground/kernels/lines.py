"""Lines on the ground of given polygons: how high places are, and how long lines are."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.drape import ground_at, lay_down
from walkmesh.query.ground.kernels.trace import measure


@kernel(kt.POINTS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.OUT_FLOATS)
def find_heights(places, owners, points, triangles, polygons, heights):
    """Find how high the ground of given polygons is.

    Parameters
    ----------
    places : (n, 3) float64
        In the plan frame. [Unit: m]
    owners : (n,) int32
        The polygon on whose ground each of them is.
    points, triangles, polygons : (v, 3) float64, (t, 3) and (p + 1, 7) int32
        See :mod:`walkmesh.query.ground.kernels.mesh`.
    heights : (n,) float64, output
        The height of the place itself where there is no ground. [Unit: m]
    """
    for i in range(len(places)):
        first, stop = polygons[owners[i], col.GROUND], polygons[owners[i] + 1, col.GROUND]
        heights[i] = ground_at(places, i, points, triangles, first, stop)


@kernel(kt.POINTS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.TRIPLES, kt.FLOAT, kt.OUT_FLOATS)
def measure_lines(lines, owners, points, triangles, polygons, diagonals, tolerance, lengths):
    """Measure lines that are straight in plan along the ground.

    Parameters
    ----------
    lines : (n, 6) float64
        Where each starts and ends, in the plan frame. [Unit: m]
    owners : (n,) int32
        The polygon that each of them crosses.
    points, triangles, polygons, diagonals, tolerance
        As for :func:`~walkmesh.query.ground.kernels.drape.lay_down`.
    lengths : (n,) float64, output
        [Unit: m]
    """
    largest = 0
    for i in range(len(lines)):
        largest = max(
            largest, polygons[owners[i] + 1, col.GROUND] - polygons[owners[i], col.GROUND]
        )
    line, way = np.empty((2, 3), np.float64), np.empty(1, np.int32)
    relief, cuts = np.empty((1, 3), np.float64), np.empty((largest, 3), np.float64)
    profile = np.empty((4 * largest + 8, 3), np.float64)
    stack = np.empty((4 * largest + 8, 2), np.int32)
    draped = np.empty((4 * largest + 8, 3), np.float64)
    for i in range(len(lines)):
        way[0] = owners[i]
        for k in range(3):
            line[0, k], line[1, k] = lines[i, k], lines[i, 3 + k]
        ground = (points, triangles, polygons, diagonals)
        scratch = (relief, cuts, profile, stack)
        count = lay_down(line, way, 1, ground, tolerance, scratch, draped, 0)
        lengths[i] = measure(draped, 0, count)
