"""Joining the triangles of convex polygons to one mesh."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner


@kernel(kt.INTS, kt.INTS, kt.INTS, kt.TRIPLES, kt.OUT_INTS)
def join_triangles(offsets, vertices, neighbors, triangles, mates):
    """Find, for every side of a triangle, the same side in the next triangle.

    Parameters
    ----------
    offsets, vertices, neighbors : (p + 1,), (c,) and (c,) int32
        The navmesh's polygons.
    triangles : (c - 2 p, 3) int32
        The polygons cut into triangles by `triangulate_convex`.
    mates : (3 (c - 2 p),) int32, output
        The matching side; -1 at the boundary.
    """
    for polygon in range(len(offsets) - 1):
        first, stop = offsets[polygon] - 2 * polygon, offsets[polygon + 1] - 2 * (polygon + 1)
        for triangle in range(first, stop):
            for k in range(3):
                a, b = triangles[triangle, k], triangles[triangle, (k + 1) % 3]
                across = polygon
                for i in range(offsets[polygon], offsets[polygon + 1]):
                    if vertices[i] == a and vertices[next_corner(offsets, polygon, i)] == b:
                        across = neighbors[i]
                mates[3 * triangle + k] = -1
                if across >= 0:
                    mates[3 * triangle + k] = _side(offsets, triangles, across, b, a)
    # A navmesh that is not sound may have neighbours that do not agree.
    for side in range(len(mates)):
        if mates[side] >= 0 and mates[mates[side]] != side:
            mates[side] = -1


@kernel
def _side(offsets, triangles, polygon, a, b):
    """Return the side of a polygon's triangles that runs from a to b; -1 if none does."""
    for triangle in range(offsets[polygon] - 2 * polygon, offsets[polygon + 1] - 2 * (polygon + 1)):
        for k in range(3):
            if triangles[triangle, k] == a and triangles[triangle, (k + 1) % 3] == b:
                return 3 * triangle + k
    return -1
