r"""Which edges of the boundary are ledges: where the scene itself ends or turns away.

Where a polygon has no neighbour, the scene may still go on: what lies beyond was only cut away for
something that stands there, and that has been kept away from already. Faces at the middle of the
edge are the pages of a book, as in :mod:`walkmesh.builder.surface.kernels.match_sides`.
"""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.look_up import is_near
from walkmesh.builder.surface.kernels.packs import EDGES
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items


@kernel(EDGES, kt.INTS, kt.TRIANGLES, kt.BYTES, kt.TREE, kt.FLOAT, kt.OUT_BYTES)
def find_open_edges(edges, sources, faces, walkable, tree, max_turn, is_open):
    """Tell which boundary edges are open.

    Parameters
    ----------
    edges : EDGES
        Of the boundary.
    sources : (b,) int32
        The face that the polygon is part of.
    faces, tree : TRIANGLES and TREE
        The faces of the scene with their normals, and a tree over them.
    walkable : (m,) uint8
        1 for faces that can be walked on.
    max_turn : float
        The largest turn around an edge. [radians]
    is_open : (b,) uint8, output
        1 where no face goes on within this turn.
    """
    starts, ends, edge_normals = edges
    points, triangles, normals = faces
    _, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    middle, way, into = np.empty(3), np.empty(3), np.empty(3)
    ahead, place = np.empty(3), np.empty(3)
    for e in range(len(starts)):
        length = 0.0
        for k in range(3):
            middle[k] = 0.5 * (starts[e, k] + ends[e, k])
            way[k] = ends[e, k] - starts[e, k]
            length += way[k] * way[k]
            box[k], box[k + 3] = middle[k] - tol.ON_FACE, middle[k] + tol.ON_FACE
        length = np.sqrt(length)
        for k in range(3):
            way[k] /= length
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            into[k] = edge_normals[e, i] * way[j] - edge_normals[e, j] * way[i]
        nearest, front = 3.0 * np.pi, False
        for item in range(gather_items(nodes, order, box, stack, near)):
            f = near[item]
            if f == sources[e] or not is_near(points, triangles, normals, f, middle, tol.ON_FACE):
                continue
            for side in range(2):
                # To the right of the edge its back would be shown, to the left its front.
                sign = -1.0 if side == 0 else 1.0
                up, inwards = 0.0, 0.0
                for k in range(3):
                    i, j = (k + 1) % 3, (k + 2) % 3
                    ahead[k] = sign * (normals[f, i] * way[j] - normals[f, j] * way[i])
                    place[k] = middle[k] + tol.AHEAD * ahead[k]
                    up += ahead[k] * edge_normals[e, k]
                    inwards += ahead[k] * into[k]
                if not is_near(points, triangles, normals, f, place, tol.ON_FACE):
                    continue
                angle = np.arctan2(up, inwards)
                if angle < tol.SAME_PAGE:
                    angle += 2.0 * np.pi
                shows = side == 0 and walkable[f] == 1
                if angle < nearest - tol.SAME_PAGE or (angle < nearest + tol.SAME_PAGE and shows):
                    nearest, front = angle, shows
        # What rises from the edge, and was not kept away from before, can be stepped on.
        rises = nearest < np.pi - tol.SAME_PAGE
        is_open[e] = 0 if rises or (front and nearest - np.pi <= max_turn) else 1
