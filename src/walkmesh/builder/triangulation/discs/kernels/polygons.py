"""Triangulating regions with holes by other means, from their Delaunay triangulation.

Each part whose triangles share edges becomes a disc: as many edges as needed, the shortest first,
are cut open to join its rings. So a cut never crosses anything, and where rings touch is known.
"""

import numpy as np

from walkmesh.builder.triangulation.discs.kernels.discs import clip_ears, minimize_area
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.union_find import find_root
from walkmesh.kernels.search.heap import heap_pop, heap_push


@kernel(kt.LONGS_2D, kt.FLOATS, kt.TRIPLES, kt.OUT_LONGS, kt.INT, kt.OUT_TRIPLES)
def retriangulate(points, heights, delaunay, mates, limit, triangles):
    """Triangulate every part anew, by ears or with the least surface.

    Parameters
    ----------
    points, heights : (n, 2) int64 and (n,) float64
        The vertices.
    delaunay : (t, 3) int32
        Vertex ids of the triangulation.
    mates : (3 t,) int64, changed
        Its matching edges; those that are cut become -1.
    limit : int
        Parts of at most so many corners get the least surface, and others keep their triangles;
        0 clips ears instead, of all.
    triangles : (t, 3) int32, output
        Vertex ids.

    Returns
    -------
    int
        The number of triangles; negative if a part could not be triangulated.
    """
    count = len(delaunay)
    members, loops = np.empty(count, np.int64), np.full(3 * count, -1, np.int64)
    seen = np.zeros(count, np.uint8)
    parents = np.empty(3 * count, np.int64)
    keys, items = np.empty(3 * count, np.float64), np.empty(3 * count, np.int64)
    row = 0
    for seed in range(count):
        if seen[seed]:
            continue
        size = _gather(mates, seen, members, seed)
        corners = size + 2
        if limit > 0 and corners > limit:
            for i in range(size):
                for k in range(3):
                    triangles[row + i, k] = delaunay[members[i], k]
            row += size
            continue
        first = _cut_open(points, delaunay, mates, members, size, loops, parents, keys, items)
        places, above = np.empty((corners, 2), np.int64), np.empty(corners, np.float64)
        vertices = np.empty(corners, np.int32)
        before, after = np.empty(corners, np.int64), np.empty(corners, np.int64)
        edge = first
        for i in range(corners):
            vertex = np.int64(delaunay[edge // 3, edge % 3])
            vertices[i], above[i] = vertex, heights[vertex]
            places[i, 0], places[i, 1] = points[vertex, 0], points[vertex, 1]
            edge = _follow(mates, edge)
        if edge != first:
            return -1
        if limit > 0:
            least = np.empty((corners, corners), np.float64)
            thirds = np.empty((corners, corners), np.int64)
            row = minimize_area(
                places, above, vertices, before, after, least, thirds, triangles, row
            )
        else:
            ears = np.empty(corners, np.uint8)
            row = clip_ears(places, vertices, before, after, ears, triangles, row)
        if row < 0:
            return -1
    return row


@shared_borrowing
def _gather(mates, seen, members, seed):
    """List the triangles that share edges with a first one, and return how many there are."""
    members[0] = seed
    seen[seed] = 1
    size, done = 1, 0
    while done < size:
        for edge in range(3 * members[done], 3 * members[done] + 3):
            other = mates[edge] // 3
            if mates[edge] >= 0 and not seen[other]:
                seen[other] = 1
                members[size] = other
                size += 1
        done += 1
    return size


@shared_borrowing
def _follow(mates, edge):
    """Return the boundary edge after a boundary edge, around the triangles at its end."""
    edge = next_of(edge)
    while mates[edge] >= 0:
        edge = next_of(mates[edge])
    return edge


@shared_borrowing
def _cut_open(points, triangles, mates, members, size, loops, parents, keys, items):
    """Cut edges until one loop of boundary edges is left, and return an edge of it."""
    first, count = -1, 0
    for i in range(size):
        for edge in range(3 * members[i], 3 * members[i] + 3):
            if mates[edge] >= 0 or loops[edge] >= 0:
                continue
            first = edge
            count += 1
            parents[edge] = edge
            e = edge
            while True:
                _label_fan(mates, loops, e, edge)
                e = _follow(mates, e)
                if e == edge:
                    break
    waiting = 0
    if count > 1:
        for i in range(size):
            for edge in range(3 * members[i], 3 * members[i] + 3):
                if mates[edge] > edge and loops[edge] != loops[next_of(edge)]:
                    heap_push(keys, items, waiting, _square(points, triangles, edge), edge)
                    waiting += 1
    while count > 1:
        _, edge = heap_pop(keys, items, waiting)
        waiting -= 1
        a, b = find_root(parents, loops[edge]), find_root(parents, loops[next_of(edge)])
        if a != b:
            parents[a] = b
            mate = mates[edge]
            mates[edge], mates[mate] = -1, -1
            count -= 1
    return first


@borrowing
def _label_fan(mates, loops, corner, loop):
    """Label the corners of the triangles around a vertex, from a boundary edge to the next."""
    while corner >= 0:
        loops[corner] = loop
        corner = mates[last_of(corner)]


@borrowing
def _square(points, triangles, edge):
    a, b = triangles[edge // 3, edge % 3], triangles[edge // 3, next_of(edge) % 3]
    return float(points[b, 0] - points[a, 0]) ** 2 + float(points[b, 1] - points[a, 1]) ** 2
