"""What searches need to know of a navmesh, found once."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.query.kernels import tolerances as tol


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.OUT_INTS)
def find_corners(points, offsets, corners, mates, turns):
    """Find the vertices that a shortest path may turn at.

    These are the ends of boundary sides with ground on more than half of all sides around them.
    A vertex in the middle of a straight boundary counts as well: rounding may have bent it.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    offsets, corners, mates : (p + 1,), (c,) and (c,) int32
        Polygons and their sides' mates.
    turns : (n,) int32, output
        1 for these vertices; cleared before.
    """
    angles = np.zeros(len(points))
    for polygon in range(len(offsets) - 1):
        before = corners[offsets[polygon + 1] - 1]
        for i in range(offsets[polygon], offsets[polygon + 1]):
            here, after = corners[i], corners[next_corner(offsets, polygon, i)]
            au, av = points[after, 0] - points[here, 0], points[after, 1] - points[here, 1]
            bu, bv = points[before, 0] - points[here, 0], points[before, 1] - points[here, 1]
            angles[here] += abs(math.atan2(au * bv - av * bu, au * bu + av * bv))
            if mates[i] < 0:
                turns[here] = 1
                turns[after] = 1
            before = here
    for vertex in range(len(points)):
        if angles[vertex] < math.pi - tol.HALF_TURN_SLACK:
            turns[vertex] = 0


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.TRIPLES, kt.INTS, kt.FLOAT, kt.OUT_BYTES)
def find_planes(points, offsets, corners, triangles, grounds, tolerance, planes):
    """Find the polygons whose corners and triangles all lie in one plane.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        Ragged polygons.
    triangles, grounds : (t, 3) and (p + 1,) int32
        Triangles, and where those of each polygon start.
    tolerance : float
        How far from the plane a vertex may be, in height. [Unit: m]
    planes : (p,) uint8, output
        1 for these polygons.
    """
    for polygon in range(len(offsets) - 1):
        planes[polygon] = 0
        # The plane of the largest triangle.
        largest, au, av, ah, rise_u, rise_v = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for t in range(grounds[polygon], grounds[polygon + 1]):
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
            fu, fv = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
            area = eu * fv - ev * fu
            if area > largest:
                eh, fh = points[b, 2] - points[a, 2], points[c, 2] - points[a, 2]
                largest, au, av, ah = area, points[a, 0], points[a, 1], points[a, 2]
                rise_u, rise_v = (eh * fv - fh * ev) / area, (fh * eu - eh * fu) / area
        if largest == 0.0:
            continue
        off = 0.0
        for t in range(grounds[polygon], grounds[polygon + 1]):
            for k in range(3):
                i = triangles[t, k]
                plane = ah + rise_u * (points[i, 0] - au) + rise_v * (points[i, 1] - av)
                off = max(off, abs(points[i, 2] - plane))
        for k in range(offsets[polygon], offsets[polygon + 1]):
            i = corners[k]
            plane = ah + rise_u * (points[i, 0] - au) + rise_v * (points[i, 1] - av)
            off = max(off, abs(points[i, 2] - plane))
        if off <= tolerance:
            planes[polygon] = 1


@kernel(kt.INTS, kt.TRIPLES, kt.OUT_TRIPLES)
def list_diagonals(offsets, triangles, diagonals):
    """List the diagonals that polygons are cut along into triangles between their own corners.

    Parameters
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    triangles : (c - 2 p, 3) int32
        Two fewer than corners for each polygon.
    diagonals : (c - 3 p, 2) int32, output
        The vertices at their ends: three fewer than corners for each polygon.
    """
    count = 0
    for polygon in range(len(offsets) - 1):
        first, stop = offsets[polygon] - 2 * polygon, offsets[polygon + 1] - 2 * (polygon + 1)
        for i in range(first, stop):
            for side in range(3):
                a, b = triangles[i, side], triangles[i, side + 1 if side < 2 else 0]
                # Each lies between two triangles, which run through it either way.
                for j in range(i + 1, stop):
                    for other in range(3):
                        end = triangles[j, other + 1 if other < 2 else 0]
                        if triangles[j, other] == b and end == a and count < len(diagonals):
                            diagonals[count, 0], diagonals[count, 1] = a, b
                            count += 1
    # A polygon with a vertex twice may have fewer; a diagonal of one place is never crossed.
    for i in range(count, len(diagonals)):
        diagonals[i, 0], diagonals[i, 1] = 0, 0


@kernel(kt.POINTS, kt.TRIPLES, kt.FLOATS, kt.OUT_INTS, kt.OUT_INTS, kt.INT)
def fill_cells(points, triangles, grid, starts, members, filling):
    """Count the triangles over every cell of a grid, or write them down.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids.
    grid : (5,) float64
        See :data:`walkmesh.query.ground.kernels.mesh.Ground`.
    starts : (cells + 1,) int32, output
        When counting, the triangles of each cell are added to the place after it. When filling,
        where each cell's start in `members`, and at last where they stop.
    members : (e,) int32, output
        The triangles whose bounds touch each cell.
    filling : int
        Whether to write them down.
    """
    columns, rows = int(grid[3]), int(grid[4])
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        low_u = min(points[a, 0], points[b, 0], points[c, 0])
        high_u = max(points[a, 0], points[b, 0], points[c, 0])
        low_v = min(points[a, 1], points[b, 1], points[c, 1])
        high_v = max(points[a, 1], points[b, 1], points[c, 1])
        first, last = cell_at(grid, low_v, 1, rows), cell_at(grid, high_v, 1, rows)
        for row in range(first, last + 1):
            left, right = cell_at(grid, low_u, 0, columns), cell_at(grid, high_u, 0, columns)
            for cell in range(row * columns + left, row * columns + right + 1):
                if filling:
                    members[starts[cell]] = t
                    starts[cell] += 1
                else:
                    starts[cell + 1] += 1


@borrowing
def cell_at(grid, place, axis, count):
    """Return the column (axis 0) or row (axis 1) of a place, the nearest one outside the grid."""
    return int(min(max((place - grid[axis]) * grid[2], 0.0), count - 1.0))
