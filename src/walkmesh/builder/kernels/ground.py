"""Polygons that share vertices in plan: choosing some, and where their corners are."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner


@kernel(
    kt.INTS, kt.INTS, kt.FLOATS, kt.INTS, kt.POINTS, kt.BYTES, kt.OUT_INTS, kt.OUT_POINTS,
    kt.OUT_FLOATS, kt.OUT_INTS,
)  # fmt: skip
def choose_polygons(
    offsets, vertices, heights, mates, points, chosen, out_offsets, places, out_heights, out_mates
):
    """Write down the chosen polygons alone.

    Parameters
    ----------
    offsets, vertices, heights, mates, points : arrays
        See :class:`walkmesh.builder.ground.Ground`.
    chosen : (p,) uint8
        1 for those to keep.
    out_offsets : (k + 1,) int32, output
        Where the corners of each start.
    places, out_heights : (d, 2) and (d,) float64, output
        Positions of their corners in plan, and heights. [Unit: m]
    out_mates : (d,) int32, output
        The edge across each edge; -1 where there is none, or was one of another polygon.
    """
    renumbered = np.empty(len(mates), np.int32)
    polygon, corner = 0, 0
    out_offsets[0] = 0
    for p in range(len(offsets) - 1):
        if not chosen[p]:
            for i in range(offsets[p], offsets[p + 1]):
                renumbered[i] = -1
            continue
        for i in range(offsets[p], offsets[p + 1]):
            renumbered[i] = corner
            places[corner, 0], places[corner, 1] = points[vertices[i], 0], points[vertices[i], 1]
            out_heights[corner] = heights[i]
            corner += 1
        polygon += 1
        out_offsets[polygon] = corner
    for i in range(len(mates)):
        if renumbered[i] >= 0:
            out_mates[renumbered[i]] = renumbered[mates[i]] if mates[i] >= 0 else -1


@kernel(kt.INTS, kt.POINTS, kt.OUT_POINTS)
def place_vertices(vertices, places, points):
    """Give each vertex the place of the first of its corners.

    Parameters
    ----------
    vertices : (c,) int32
        The vertex of each corner; they are numbered in the order of their first corners.
    places : (c, 2) float64
        The place of each corner. [Unit: m]
    points : (n, 2) float64, output
        The place of each vertex. [Unit: m]
    """
    count = 0
    for i in range(len(vertices)):
        if vertices[i] == count:
            points[count, 0], points[count, 1] = places[i, 0], places[i, 1]
            count += 1


@kernel(kt.INTS, kt.FLOATS, kt.POINTS, kt.OUT_POINTS)
def place_corners(vertices, heights, points, corners):
    """Write the positions of corners, whose vertices have places in plan.

    Parameters
    ----------
    vertices : (c,) int32
        The vertex of each corner.
    heights : (c,) float64
        The height of each corner. [Unit: m]
    points : (n, 2) float64
        The place of each vertex in plan. [Unit: m]
    corners : (c, 3) float64, output
        Positions as (u, v, h). [Unit: m]
    """
    for i in range(len(vertices)):
        corners[i, 0], corners[i, 1] = points[vertices[i], 0], points[vertices[i], 1]
        corners[i, 2] = heights[i]


@kernel(kt.INTS, kt.POINTS, kt.OUT_POINTS)
def fit_around(offsets, corners, boxes):
    """Fit a box around each polygon.

    Parameters
    ----------
    offsets, corners : (p + 1,) int32 and (c, 3) float64
        Polygons. [Unit: m]
    boxes : (p, 6) float64, output
        Lowest u, v, h and highest u, v, h. [Unit: m]
    """
    for polygon in range(len(boxes)):
        for axis in range(3):
            low, high = np.inf, -np.inf
            for i in range(offsets[polygon], offsets[polygon + 1]):
                low, high = min(low, corners[i, axis]), max(high, corners[i, axis])
            boxes[polygon, axis], boxes[polygon, axis + 3] = low, high


@kernel(kt.INTS, kt.POINTS, kt.OUT_FLOATS)
def cross_corners(offsets, corners, cross):
    """Write the cross product of the ways to each corner and the next; their sum is twice the area.

    Parameters
    ----------
    offsets, corners : (p + 1,) int32 and (c, 3) float64
        Polygons. [Unit: m]
    cross : (c,) float64, output
        From the first corner of each polygon, so that no digits are lost far away. [Unit: m2]
    """
    for polygon in range(len(offsets) - 1):
        first = offsets[polygon]
        u, v = corners[first, 0], corners[first, 1]
        for i in range(first, offsets[polygon + 1]):
            j = next_corner(offsets, polygon, i)
            pu, pv = corners[i, 0] - u, corners[i, 1] - v
            cross[i] = pu * (corners[j, 1] - v) - pv * (corners[j, 0] - u)


@kernel(kt.INTS, kt.POINTS, kt.INTS, kt.POINTS, kt.TRIPLES, kt.OUT_FLOATS)
def measure_outside(offsets, corners, sources, points, triangles, outside):
    """Measure how far polygons reach out of the faces that they come from, in plan.

    Parameters
    ----------
    offsets, corners : (p + 1,) int32 and (c, 3) float64
        Polygons. [Unit: m]
    sources : (p,) int32
        The face of each.
    points, triangles : (n, 3) float64 and (m, 3) int32
        Faces. [Unit: m]
    outside : (p,) float64, output
        How far the corner that is furthest away lies outside of a side of the face. [Unit: m]
    """
    for polygon in range(len(sources)):
        face = sources[polygon]
        a, b, c = triangles[face, 0], triangles[face, 1], triangles[face, 2]
        twice = (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1])
        twice -= (points[b, 1] - points[a, 1]) * (points[c, 0] - points[a, 0])
        sign = 1.0 if twice > 0.0 else (-1.0 if twice < 0.0 else 0.0)
        furthest = 0.0
        for p, q in ((a, b), (b, c), (c, a)):
            eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
            length = np.sqrt(eu * eu + ev * ev)
            if length == 0.0:
                length = 1.0
            for i in range(offsets[polygon], offsets[polygon + 1]):
                across = ev * (corners[i, 0] - points[p, 0]) - eu * (corners[i, 1] - points[p, 1])
                furthest = max(furthest, sign * across / length)
        outside[polygon] = furthest
