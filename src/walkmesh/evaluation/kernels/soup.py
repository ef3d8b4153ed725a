"""Triangles of a scene in plan, under a grid: which lie over a place, and which are around it."""

import math
from collections import namedtuple

from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# What a triangle is.
GROUND_FACE, OTHER_FACE, UPRIGHT_FACE = 0, 1, 2

# corners: (t, 3, 3) float64, (u, v, h) with h up. kinds: (t,) uint8, what each triangle is.
# circles: (t, 3) float64, centre (u, v) and radius of a circle around each triangle's plan.
# heights: (t, 2) float64, lowest and highest h. grid: (4,) float64, the corner (u, v) of the grid,
# the size of a cell, and the number of columns. starts: (cells + 1,) int64, where each cell's
# triangles start in members, row by row. members: (n,) int32. [m]
Soup = namedtuple("Soup", "corners kinds circles heights grid starts members")
SOUP = kt.packed(kt.CUBES, kt.BYTES, kt.POINTS, kt.POINTS, kt.FLOATS, kt.LONGS, kt.INTS)


@kernel(kt.CUBES, kt.FLOATS, kt.INT, kt.OUT_LONGS, kt.OUT_INTS, kt.INT)
def fill_grid(corners, grid, rows, starts, members, filling):
    """Count the triangles of every cell into `starts`, or fill them into `members`."""
    columns = int(grid[3])
    size = grid[2]
    for t in range(len(corners)):
        low_u = min(corners[t, 0, 0], corners[t, 1, 0], corners[t, 2, 0]) - tol.PLAN_SLACK
        low_v = min(corners[t, 0, 1], corners[t, 1, 1], corners[t, 2, 1]) - tol.PLAN_SLACK
        high_u = max(corners[t, 0, 0], corners[t, 1, 0], corners[t, 2, 0]) + tol.PLAN_SLACK
        high_v = max(corners[t, 0, 1], corners[t, 1, 1], corners[t, 2, 1]) + tol.PLAN_SLACK
        first_i = max(0, int((low_u - grid[0]) / size))
        first_j = max(0, int((low_v - grid[1]) / size))
        last_i = min(columns - 1, int((high_u - grid[0]) / size))
        last_j = min(rows - 1, int((high_v - grid[1]) / size))
        wide = last_i > first_i and last_j > first_j
        for j in range(first_j, last_j + 1):
            for i in range(first_i, last_i + 1):
                u = grid[0] + i * size - tol.PLAN_SLACK
                v = grid[1] + j * size - tol.PLAN_SLACK
                if wide and _apart(corners, t, u, v, size + 2 * tol.PLAN_SLACK):
                    continue
                cell = j * columns + i
                if filling:
                    members[starts[cell]] = t
                    starts[cell] += 1
                else:
                    starts[cell + 1] += 1


@kernel
def _apart(corners, t, u, v, size):
    """Return whether a triangle's plan and the square cell at (u, v) lie apart along an edge."""
    for i in range(3):
        j = (i + 1) % 3
        nu = corners[t, j, 1] - corners[t, i, 1]
        nv = corners[t, i, 0] - corners[t, j, 0]
        low = math.inf
        high = -math.inf
        for k in range(3):
            along = nu * (corners[t, k, 0] - u) + nv * (corners[t, k, 1] - v)
            low = min(low, along)
            high = max(high, along)
        # Generously, as being in too many cells does no harm.
        if low > (max(nu, 0.0) + max(nv, 0.0)) * size * (1 + tol.CELL_SHARE) + tol.CELL_SLACK:
            return True
        if high < (min(nu, 0.0) + min(nv, 0.0)) * size * (1 + tol.CELL_SHARE) - tol.CELL_SLACK:
            return True
    return False


@kernel
def height_at(corners, t, u, v, slack):
    """Return the height of a triangle's plane at a place, or NaN further than slack outside."""
    ab_u, ab_v = corners[t, 1, 0] - corners[t, 0, 0], corners[t, 1, 1] - corners[t, 0, 1]
    ac_u, ac_v = corners[t, 2, 0] - corners[t, 0, 0], corners[t, 2, 1] - corners[t, 0, 1]
    area = ab_u * ac_v - ac_u * ab_v
    if area == 0.0:
        return math.nan
    sign = 1.0 if area > 0.0 else -1.0
    weights = 0.0
    total = 0.0
    for i in range(3):
        j = (i + 1) % 3
        edge_u, edge_v = corners[t, j, 0] - corners[t, i, 0], corners[t, j, 1] - corners[t, i, 1]
        across = sign * (edge_u * (v - corners[t, i, 1]) - edge_v * (u - corners[t, i, 0]))
        if across < -slack * math.hypot(edge_u, edge_v):
            return math.nan
        total += across * corners[t, (i + 2) % 3, 2]
        weights += across
    return total / weights


@kernel
def pile(soup, u, v, heights, grounds):
    """Write the heights of all faces over a place, and which are ground; return their number."""
    columns = int(soup.grid[3])
    rows = (len(soup.starts) - 1) // columns
    i = math.floor((u - soup.grid[0]) / soup.grid[2])
    j = math.floor((v - soup.grid[1]) / soup.grid[2])
    if i < 0 or j < 0 or i >= columns or j >= rows:
        return 0
    count = 0
    for k in range(soup.starts[j * columns + i], soup.starts[j * columns + i + 1]):
        t = soup.members[k]
        if soup.kinds[t] != UPRIGHT_FACE:
            h = height_at(soup.corners, t, u, v, tol.PLAN_SLACK)
            if h == h:
                heights[count] = h
                grounds[count] = soup.kinds[t] == GROUND_FACE
                count += 1
    return count


@kernel
def gather(soup, u, v, reach, low, high, found, count, seen, stamp):
    """Write the triangles around a place behind the `count` found before; return their number.

    `seen` holds the stamp of every triangle that is among them already.
    """
    columns = int(soup.grid[3])
    rows = (len(soup.starts) - 1) // columns
    size = soup.grid[2]
    first_i = max(0, math.floor((u - reach - soup.grid[0]) / size))
    first_j = max(0, math.floor((v - reach - soup.grid[1]) / size))
    last_i = min(columns - 1, math.floor((u + reach - soup.grid[0]) / size))
    last_j = min(rows - 1, math.floor((v + reach - soup.grid[1]) / size))
    for j in range(first_j, last_j + 1):
        for i in range(first_i, last_i + 1):
            for k in range(soup.starts[j * columns + i], soup.starts[j * columns + i + 1]):
                t = soup.members[k]
                if seen[t] == stamp or soup.heights[t, 1] < low or soup.heights[t, 0] > high:
                    continue
                away = math.hypot(soup.circles[t, 0] - u, soup.circles[t, 1] - v)
                if away - soup.circles[t, 2] > reach:
                    continue
                seen[t] = stamp
                found[count] = t
                count += 1
    return count
