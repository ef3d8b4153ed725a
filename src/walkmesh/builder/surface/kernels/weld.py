"""Welding in space: places that rounding took apart, and vertices in the middle of edges."""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items
from walkmesh.kernels.search.hash_grid import enter_cube, first_in_cube, make_hash_grid


@kernel(kt.POINTS, kt.FLOAT, kt.OUT_INTS)
def weld_places(points, distance, first):
    """Find, for every place, the first one within a distance of it.

    Only places that are the first themselves count, so that welding does not lead along a row of
    places from one to the next.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    distance : float
        How far apart places may be. [Unit: m]
    first : (n,) int32, output
        The first place close to each; itself if there is none.
    """
    n = len(points)
    grid = make_hash_grid(n)
    cell = 2.0 * distance
    for i in range(n):
        best, nearest = -1, distance * distance
        x, y, z = points[i, 0] / cell, points[i, 1] / cell, points[i, 2] / cell
        cx, cy, cz = int(np.floor(x)), int(np.floor(y)), int(np.floor(z))
        # Half a cell is as far as places may be apart: two cells along each axis are enough.
        sx = 1 if x - cx >= 0.5 else -1
        sy = 1 if y - cy >= 0.5 else -1
        sz = 1 if z - cz >= 0.5 else -1
        for k in range(8):
            j = first_in_cube(
                grid,
                cx + (sx if k & 1 else 0),
                cy + (sy if k & 2 else 0),
                cz + (sz if k & 4 else 0),
            )
            while j >= 0:
                square = (points[i, 0] - points[j, 0]) ** 2 + (points[i, 1] - points[j, 1]) ** 2
                square += (points[i, 2] - points[j, 2]) ** 2
                if square < nearest or (square == nearest and (best < 0 or j < best)):
                    best, nearest = j, square
                j = grid.links[j]
        if best >= 0:
            first[i] = best
            continue
        first[i] = i
        enter_cube(grid, i, cx, cy, cz)


@kernel(kt.POINTS, kt.INTS, kt.TRIPLES, kt.TREE, kt.FLOAT, kt.OUT_TRIPLES)
def find_junctions(points, vertices, edges, tree, distance, found):
    """Find vertices that lie inside of edges.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    vertices : (v,) int32
        The vertices to look at.
    edges : (e, 2) int32
        The vertices at the ends of each edge.
    tree : TREE
        Over the edges, which may have one in several boxes.
    distance : float
        How far from an edge a vertex may lie. [Unit: m]
    found : (k, 2) int32, output
        Pairs of a vertex and an edge, as many as there is room for.

    Returns
    -------
    int
        How many there are, or more if there was not room for all.
    """
    _, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    count = 0
    for v in vertices:
        first = count
        for k in range(3):
            box[k], box[k + 3] = points[v, k] - distance, points[v, k] + distance
        for place in range(gather_items(nodes, order, box, stack, near)):
            edge = near[place]
            a, b = edges[edge, 0], edges[edge, 1]
            if v in (a, b):
                continue
            square, way, off = 0.0, 0.0, 0.0
            for k in range(3):
                square += (points[b, k] - points[a, k]) ** 2
                way += (points[b, k] - points[a, k]) * (points[v, k] - points[a, k])
                off += (points[v, k] - points[a, k]) ** 2
            length = np.sqrt(square)
            # Close to an end it is another vertex all the same, or it would have been welded.
            if (
                way <= tol.END_SHARE * distance * length
                or way >= square - tol.END_SHARE * distance * length
            ):
                continue
            if off - way * way / square > distance * distance:
                continue
            if _has_pair(found, first, count, edge):
                continue
            if count < len(found):
                found[count, 0], found[count, 1] = v, edge
            count += 1
    return count


@kernel
def _has_pair(found, first, count, edge):
    """Tell whether one of the pairs that were found from `first` on is with an edge."""
    here = False
    for pair in range(first, min(count, len(found))):
        here = here or found[pair, 1] == edge
    return here
