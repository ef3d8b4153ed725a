"""Slow twins of the voxel method's kernels: all candidates, one after the other."""

import itertools
import math
from collections import deque

import numpy as np

from tests.checks.exact_checks import faces_of
from walkmesh.builder.voxel.heightfield import Lattice, keep_clear, open_columns
from walkmesh.builder.voxel.kernels import raster
from walkmesh.builder.voxel.kernels.spans import WALKABLE
from walkmesh.builder.voxel.kernels.walls import WAYS

SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


# Ways into the heightfield


def whole(faces, agent, cell, gap, tile=0):
    """Return the lattice of faces."""
    return Lattice.over(faces, agent, cell, gap, tile)


def columns_of(triangles, agent, cell, gap=0.05, lattice=None, tile=(0, 0)):
    """Return faces, lattice and columns of (t, 3, 3) triangles whose up is z."""
    faces = faces_of(triangles, agent)
    lattice = lattice or whole(faces, agent, cell, gap)
    chosen = np.arange(len(faces.triangles), dtype=np.int32)
    return faces, lattice, open_columns(faces, chosen, agent, lattice, tile)


def solid_spans(columns):
    """Return {(row, col): rows of spans, lowest first} of all columns that are not empty."""
    (heads, spans, following, _), result = columns.solid, {}
    row0, col0, _, cols, *_ = columns.window.extent.tolist()
    for column, head in enumerate(heads.tolist()):
        rows = []
        while head >= 0:
            rows.append(spans[head])
            head = following[head]
        if rows:
            row, col = divmod(column, cols)
            result[row + row0, col + col0] = np.array(rows)
    return result


def span_cells(window):
    """Return (n, 2) rows and columns of all open spans, on the lattice."""
    row0, col0, rows, cols, *_ = window.extent.tolist()
    column = np.repeat(np.arange(rows * cols), np.diff(window.first))
    return np.column_stack([column // cols + row0, column % cols + col0])


def walkable_parts(columns):
    """Return the connected sets of walkable spans, the largest first."""
    walkable = columns.kinds == WALKABLE
    return parts(columns.window.neighbors, walkable)


def parts(neighbors, chosen):
    """Return sets of chosen spans that hang together, the largest first."""
    left, result = set(np.flatnonzero(chosen).tolist()), []
    while left:
        queue = deque([left.pop()])
        part = set(queue)
        while queue:
            for n in neighbors[queue.popleft()].tolist():
                if n in left:
                    left.discard(n)
                    part.add(n)
                    queue.append(n)
        result.append(part)
    return sorted(result, key=len, reverse=True)


# Rasterising


def clip_heights(triangle, low, high):
    """Return all heights at the corners of a triangle's part above a rectangle in plan."""
    (u0, v0), (u1, v1) = low, high
    heights = [h for u, v, h in triangle if u0 <= u <= u1 and v0 <= v <= v1]
    for a, b in itertools.pairwise([*triangle, triangle[0]]):
        for axis, line in ((0, u0), (0, u1), (1, v0), (1, v1)):
            if (a[axis] - line) * (b[axis] - line) < 0.0:
                t = (line - a[axis]) / (b[axis] - a[axis])
                p = a + t * (b - a)
                other = 1 - axis
                if low[other] <= p[other] <= high[other]:
                    heights.append(p[2])
    for u, v in itertools.product((u0, u1), (v0, v1)):
        h = height_in(triangle, u, v)
        if h is not None:
            heights.append(h)
    return heights


def height_in(triangle, u, v):
    """Return the height of a triangle at a place, None outside or if it is upright."""
    a, b, c = triangle
    matrix = np.array([b[:2] - a[:2], c[:2] - a[:2]]).T
    if abs(np.linalg.det(matrix)) < 1e-12:
        return None
    s, t = np.linalg.solve(matrix, np.array([u, v]) - a[:2])
    if s < 0.0 or t < 0.0 or s + t > 1.0:
        return None
    return a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2])


def solid_intervals(triangles, cell, row, col, gap):
    """Return the solid intervals of one column, those closer than the gap as one."""
    low, high = (row * cell, col * cell), ((row + 1) * cell, (col + 1) * cell)
    intervals = []
    for triangle in triangles:
        heights = clip_heights(triangle, low, high)
        if heights:
            intervals.append((min(heights), max(heights)))
    result = []
    for bottom, top in sorted(intervals):
        if result and bottom <= result[-1][1] + gap:
            result[-1][1] = max(result[-1][1], top)
        else:
            result.append([bottom, top])
    return np.array(result).reshape(-1, 2)


# Distances


def distances_to_limits(columns, limits):
    """Return how far each walkable span is from the closest of all limits, in cells."""
    cells = span_cells(columns.window) - columns.window.extent[:2]
    starts, ends = limit_ends(limits)
    result = np.full(len(cells), np.inf)
    for s in np.flatnonzero(columns.kinds == WALKABLE):
        middle = cells[s] + 0.5
        along = np.einsum("li,li->l", middle - starts, ends - starts)
        length = np.maximum(np.sum((ends - starts) ** 2, axis=1), 1e-12)
        share = np.clip(along / length, 0.0, 1.0)[:, None]
        away = np.linalg.norm(starts + share * (ends - starts) - middle, axis=1)
        result[s] = away.min(initial=np.inf)
    return result


def limit_ends(limits):
    """Return (l, 2) the two ends of every limit's line, in cells of the window."""
    row, col, way, _ = limits.places.T
    ahead, *ends = limits.lines.astype(np.float64).T
    turn = way * 2.0 * math.pi / WAYS
    onwards = np.column_stack([np.cos(turn), np.sin(turn)])
    left = np.column_stack([-np.sin(turn), np.cos(turn)])
    cell = np.column_stack([row, col])
    return [cell + ahead[:, None] * onwards + end[:, None] * left for end in ends]


def clear_of(triangles, agent, cell, gap=0.05):
    """Return columns, window and limits once the agent's radius is kept."""
    faces, lattice, columns = columns_of(triangles, agent, cell, gap)
    chosen = np.arange(len(faces.triangles), dtype=np.int32)
    window, limits = keep_clear(columns, faces, chosen, agent, lattice, agent.radius)
    return columns, window, limits


# Regions


def chamfer_depths(neighbors, kept):
    """Return the depth of every kept span by relaxing until nothing changes."""
    count = len(kept)
    depth = np.where(kept == 1, 1 << 20, 0).astype(np.int64)
    for s in range(count):
        if kept[s] and any(n < 0 or not kept[n] for n in neighbors[s]):
            depth[s] = 0
    changed = True
    while changed:
        changed = False
        for s in range(count):
            best = depth[s]
            for side in range(4):
                n = neighbors[s, side]
                if n < 0:
                    continue
                best = min(best, depth[n] + 2)
                for turn in (1, 3):
                    across = neighbors[n, (side + turn) % 4]
                    if across >= 0:
                        best = min(best, depth[across] + 3)
            if best < depth[s]:
                depth[s] = best
                changed = True
    return depth


def away_from_loop(point, loop):
    """Return how far a point is from a closed line in plan."""
    best = math.inf
    for a, b in zip(loop, np.roll(loop, -1, axis=0), strict=True):
        along = b - a
        square = along @ along
        t = 0.0 if square == 0.0 else np.clip((point - a) @ along / square, 0.0, 1.0)
        best = min(best, float(np.hypot(*(point - a - t * along))))
    return best


GROUND_FIELDS = (raster.GROUND_LOW, raster.GROUND_HIGH, raster.AREA, raster.MOMENT)
