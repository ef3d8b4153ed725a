"""Headroom at places on level faces: what lies next above and next below them."""

import math

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.builder.kernels.faces import BACK, GROUND, LOW, WALL
from walkmesh.builder.kernels.packs import FACES
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import kernel

# The fractions of their multiples fill a square evenly, however many there are.
_GOLDEN_P, _GOLDEN_Q = 0.7548776662466927, 0.5698402909980532

# No more faces at one height are counted.
_MOST_LAYERED = 255


@kernel(FACES, kt.INT, kt.FLOAT, kt.OUT_POINTS, kt.OUT_INTS)
def spread_places(faces, role, steepest, places, owners):
    """Spread places over level faces of a role, each for the same area in plan.

    Parameters
    ----------
    faces : FACES
    role : int
        GROUND; or LOW for the backs of level faces.
    steepest : float
        Tangent of the steepest slope that can be stood on.
    places : (p, 3) float64, output
        The places. [Unit: m]
    owners : (p,) int32, output
        The face of each.

    Returns
    -------
    float
        The plan area of all these faces; with none there are no places. [Unit: m2]
    """
    points, triangles, planes, roles = faces
    total = 0.0
    for t in range(len(triangles)):
        if _is_wanted(planes, roles, role, steepest, t):
            total += _plan_area(points, triangles, t)
    if total <= 0.0:
        return 0.0
    count, done, reached = len(places), 0, 0.0
    for t in range(len(triangles)):
        if done == count:
            break
        if not _is_wanted(planes, roles, role, steepest, t):
            continue
        reached += _plan_area(points, triangles, t)
        while done < count and (done + 0.5) / count * total <= reached:
            p, q = (0.5 + done * _GOLDEN_P) % 1.0, (0.5 + done * _GOLDEN_Q) % 1.0
            if p + q > 1.0:
                p, q = 1.0 - p, 1.0 - q
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            for k in range(3):
                places[done, k] = (
                    points[a, k]
                    + p * (points[b, k] - points[a, k])
                    + q * (points[c, k] - points[a, k])
                )
            owners[done] = t
            done += 1
    while done < count:  # what rounding left over is put onto the first place
        for k in range(3):
            places[done, k] = places[0, k]
        owners[done] = owners[0]
        done += 1
    return total


@kernel
def _is_wanted(planes, roles, role, steepest, t):
    """Tell whether a face has a role and is level."""
    if roles[t] != role or role == GROUND:
        return roles[t] == role
    return planes[t, 0] ** 2 + planes[t, 1] ** 2 <= steepest * steepest


@kernel
def _plan_area(points, triangles, t):
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    twice = (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1])
    twice -= (points[b, 1] - points[a, 1]) * (points[c, 0] - points[a, 0])
    return abs(twice) / 2.0


# Places in the cells of a grid. cells: (4,) float64, the lowest (u, v) of the grid, the side of its
# cells [m], and the number of columns; starts, order: (cells + 1,) and (p,) int32, the places of
# each cell, row by row.
_GRID = kt.packed(kt.FLOATS, kt.INTS, kt.INTS)
# What lies above or below places. away: (p,) float64, how far the next face is, infinity for none
# [m]; is_front: (p,) uint8, 1 where it faces up, however steep it is.
_OUT_SEEN = kt.packed(kt.OUT_FLOATS, kt.OUT_BYTES)


@kernel(
    FACES, kt.FLOAT, kt.INT, kt.POINTS, _GRID, kt.FLOAT, _OUT_SEEN, _OUT_SEEN, kt.OUT_BYTES,
    kt.OUT_BYTES,
)  # fmt: skip
def find_nearest_faces(
    faces, steepest, side, places, grid, layer, seen_above, seen_below, grounds, backs
):
    """Find the faces next above and below places.

    The places are in a grid, and every face looks at those in the cells that its box touches: one
    pass over the faces, without a tree.

    Parameters
    ----------
    faces, steepest : tuple and float
        See :func:`spread_places`.
    side : int
        Which side of steep faces is their front: BACK, or that where they are counter-clockwise.
    places : (p, 3) float64
        Where to look up and down. [Unit: m]
    grid : _GRID
        The places in a grid.
    layer : float
        Faces no further above or below than this are at the height of the place. [Unit: m]
    seen_above, seen_below : _OUT_SEEN, output
    grounds, backs : (p,) uint8, output
        How many faces that are ground are at the height of the place, and whether the back of a
        level face is.
    """
    points, triangles, planes, roles = faces
    cells, starts, order = grid
    above, front_above = seen_above
    below, front_below = seen_below
    for i in range(len(places)):
        above[i], below[i] = np.inf, np.inf
        front_above[i], front_below[i], grounds[i], backs[i] = 0, 0, 0, 0
    columns = int(cells[3])
    rows = (len(starts) - 1) // columns
    for t in range(len(triangles)):
        if roles[t] == WALL:
            continue
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        au, av, bu, bv = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        cu, cv = points[c, 0], points[c, 1]
        first_col = max(math.floor((min(au, bu, cu) - cells[0]) / cells[2]), 0)
        last_col = min(math.floor((max(au, bu, cu) - cells[0]) / cells[2]), columns - 1)
        first_row = max(math.floor((min(av, bv, cv) - cells[1]) / cells[2]), 0)
        last_row = min(math.floor((max(av, bv, cv) - cells[1]) / cells[2]), rows - 1)
        if first_col > last_col:
            continue
        turn = 1.0 if (bu - au) * (cv - av) > (bv - av) * (cu - au) else -1.0
        for row in range(first_row, last_row + 1):
            begin, end = starts[row * columns + first_col], starts[row * columns + last_col + 1]
            for index in range(begin, end):
                i = order[index]
                u, v = places[i, 0], places[i, 1]
                if (
                    turn * turn_of(au, av, bu, bv, u, v) < -tol.UNDER_EDGE
                    or turn * turn_of(bu, bv, cu, cv, u, v) < -tol.UNDER_EDGE
                    or turn * turn_of(cu, cv, au, av, u, v) < -tol.UNDER_EDGE
                ):
                    continue
                is_front = roles[t] == GROUND or (turn < 0.0 if side == BACK else turn > 0.0)
                over = planes[t, 0] * u + planes[t, 1] * v + planes[t, 2] - places[i, 2]
                if abs(over) <= layer:
                    if roles[t] == GROUND:
                        grounds[i] = min(grounds[i] + 1, _MOST_LAYERED)
                    elif _is_wanted(planes, roles, LOW, steepest, t):
                        backs[i] = 1
                elif over > 0.0:
                    front_above[i] = _is_front_next(over, above[i], layer, front_above[i], is_front)
                    above[i] = min(above[i], over)
                else:
                    front_below[i] = _is_front_next(
                        -over, below[i], layer, front_below[i], is_front
                    )
                    below[i] = min(below[i], -over)


@kernel
def _is_front_next(distance, nearest, layer, front, is_front):
    """Tell whether the nearest layer has a face that faces up, with one more face in sight."""
    if distance < nearest - layer:
        return is_front
    return front or (distance <= nearest + layer and is_front)
