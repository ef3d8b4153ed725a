"""From the places where a way crosses edges to the path: its corners, polygons, length and cost."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.kernels.jumps import COST
from walkmesh.query.surface.kernels import columns as col


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.FLOATS, kt.POINTS, kt.TRIPLES, kt.OUT_POINTS, kt.OUT_INTS,
    kt.OUT_INTS, kt.OUT_LONGS, kt.OUT_FLOATS,
)  # fmt: skip
def lay_path(line, ways, owners, prices, jumps, targets, path, polygons, links, counts, sums):
    """Make a path of the places where a way crosses edges.

    Parameters
    ----------
    line, ways : (k, 3) float64 and (k,) int32
        See :func:`~walkmesh.query.surface.kernels.trace.trace_windows`.
    owners, prices : (t,) int32 and (p,) float64
        The polygon of each triangle, and what a metre costs on each polygon.
    jumps, targets : arrays
        See :mod:`walkmesh.query.surface.kernels.mesh`.
    path, polygons, links : (k, 3) float64, (k,) and (k,) int32, output
        Corners and places where the plane changes; polygons and links that are passed.
    counts, sums : (3,) int64 and (2,) float64, output
        How many there are of each; the length of the path, and its cost.
    """
    kept = np.zeros(len(line), np.uint8)
    stack = np.empty((len(line) + 1, 2), np.int32)
    last = len(line) - 1
    kept[0], kept[last] = 1, 1
    counts[1], counts[2], sums[1] = 0, 0, 0.0
    for i in range(last):
        way = ways[i]
        if way < 0:
            kept[i], kept[i + 1] = 1, 1
            links[counts[2]] = targets[-1 - way, col.LINK]
            counts[2] += 1
            sums[1] += jumps[-1 - way, COST]
            continue
        owner = owners[way]
        sums[1] += prices[owner] * _length(line, i, i + 1)
        after_jump = i > 0 and ways[i - 1] < 0
        if counts[1] == 0 or polygons[counts[1] - 1] != owner or after_jump:
            polygons[counts[1]] = owner
            counts[1] += 1
    if last == 0 or ways[last - 1] < 0:  # it ends where a link does, or where it starts
        polygons[counts[1]] = owners[ways[last]]
        counts[1] += 1
    first = 0
    for i in range(1, last + 1):
        if kept[i]:
            _keep_bends(line, ways, owners, first, i, kept, stack)
            first = i
    counts[0], sums[0] = 0, 0.0
    for i in range(len(line)):
        if kept[i]:
            for k in range(3):
                path[counts[0], k] = line[i, k]
            if counts[0] > 0:
                sums[0] += _length(path, counts[0] - 1, counts[0])
            counts[0] += 1


@borrowing
def _length(line, i, j):
    return math.sqrt(
        (line[j, 0] - line[i, 0]) ** 2
        + (line[j, 1] - line[i, 1]) ** 2
        + (line[j, 2] - line[i, 2]) ** 2
    )


@borrowing
def _keep_bends(line, ways, owners, first, last, kept, stack):
    """Mark the places between two others without which the line would leave the ground.

    The farthest from the straight line is kept, and the parts before and after it are looked at
    likewise (Douglas and Peucker). Inside a polygon nothing counts, which is one plane.
    """
    stack[0, 0], stack[0, 1] = first, last
    depth = 1
    while depth > 0:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        length = _length(line, low, high)
        farthest, place = tol.STRAIGHT_WAY * tol.STRAIGHT_WAY, -1
        for i in range(low + 1, high):
            if owners[ways[i]] == owners[ways[i - 1]]:
                continue
            part = 0.0
            if length > 0.0:
                for k in range(3):
                    part += (line[i, k] - line[low, k]) * (line[high, k] - line[low, k])
                part = min(max(part / (length * length), 0.0), 1.0)
            off = 0.0
            for k in range(3):
                off += (line[low, k] + part * (line[high, k] - line[low, k]) - line[i, k]) ** 2
            if off > farthest:
                farthest, place = off, i
        if place >= 0:
            kept[place] = 1
            stack[depth, 0], stack[depth, 1] = low, place
            stack[depth + 1, 0], stack[depth + 1, 1] = place, high
            depth += 2
