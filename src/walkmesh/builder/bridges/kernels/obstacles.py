"""Obstacles: what of the scene stands in the way of someone who walks over a bridge."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_to_plane
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches

# A triangle cut by nine planes has no more corners than this, and some more where rounding makes it
# cross a plane more than twice; what has no room is left away.
_MOST_CORNERS = 12


@kernel(
    kt.CUBES, kt.POINTS, kt.POINTS, kt.TRIPLES, kt.TREE, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.OUT_INTS,
    kt.OUT_POINTS,
)  # fmt: skip
def find_obstacles(bridges, margins, points, faces, tree, reach, low, high, hit, places):
    """Find the parts of faces in the room above bridges.

    Parameters
    ----------
    bridges : (t, 3, 3) float64
        Triangles, corners (u, v, h) counter-clockwise. [Unit: m]
    margins : (t, 3) float64
        How far inside the edge that starts at each corner the room begins. [Unit: m]
    points, faces : (n, 3) float64 and (m, 3) int32
        The triangles of the scene.
    tree : TREE
        Over them.
    reach : float
        How far in plan the room reaches out of the box of a bridge at most. [Unit: m]
    low, high : float
        From where to where the room reaches above the bridge. [Unit: m]
    hit : (capacity,) int32, output
        The bridge that each obstacle stands on.
    places : (capacity, 24) float64, output
        The corners (u, v) of the part of a face, in plan; the last one is repeated. [Unit: m]

    Returns
    -------
    int
        The number of obstacles; if it is more than the capacity, the rest is missing.
    """
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    cut, spare = np.empty((_MOST_CORNERS, 4)), np.empty((_MOST_CORNERS, 4))
    count = 0
    for t in range(len(bridges)):
        for k in range(3):
            a, b, c = bridges[t, 0, k], bridges[t, 1, k], bridges[t, 2, k]
            margin = reach if k < 2 else 0.0
            box[k], box[k + 3] = min(a, b, c) - margin, max(a, b, c) + margin
        box[2] += low
        box[5] += high
        near = gather_items(nodes, order, box, stack, found)
        for i in range(near):
            if not touches(boxes, found[i], box):
                continue
            corners = _part_above(
                bridges, margins, t, points, faces, found[i], box, low, high, cut, spare
            )
            if corners == 0:
                continue
            if count < len(hit):
                hit[count] = t
                for k in range(_MOST_CORNERS):
                    corner = min(k, corners - 1)
                    places[count, 2 * k], places[count, 2 * k + 1] = cut[corner, 0], cut[corner, 1]
            count += 1
    return count


@borrowing
def _part_above(bridges, margins, t, points, faces, face, box, low, high, cut, spare):
    """Write the part of a face in the room above a bridge, and return how many corners it has."""
    for k in range(3):
        for axis in range(3):
            cut[k, axis] = points[faces[face, k], axis]
    count = 3
    au, av, ah = bridges[t, 0, 0], bridges[t, 0, 1], bridges[t, 0, 2]
    eu, ev, eh = bridges[t, 1, 0] - au, bridges[t, 1, 1] - av, bridges[t, 1, 2] - ah
    fu, fv, fh = bridges[t, 2, 0] - au, bridges[t, 2, 1] - av, bridges[t, 2, 2] - ah
    area = eu * fv - ev * fu
    if area <= 0.0:
        return 0
    slope_u, slope_v = (eh * fv - fh * ev) / area, (fh * eu - eh * fu) / area
    ground = ah - slope_u * au - slope_v * av
    for k in range(3):
        pu, pv = bridges[t, k, 0], bridges[t, k, 1]
        du, dv = bridges[t, (k + 1) % 3, 0] - pu, bridges[t, (k + 1) % 3, 1] - pv
        length = np.sqrt(du * du + dv * dv)
        count = clip_to_plane(
            cut, count, -dv / length, du / length, 0.0,
            (dv * pu - du * pv) / length - margins[t, k], False, spare,
        )  # fmt: skip
    # Rooms that reach out of a bridge end before the tips of its offset sides.
    count = clip_to_plane(cut, count, 1.0, 0.0, 0.0, -box[0], False, spare)
    count = clip_to_plane(cut, count, -1.0, 0.0, 0.0, box[3], False, spare)
    count = clip_to_plane(cut, count, 0.0, 1.0, 0.0, -box[1], False, spare)
    count = clip_to_plane(cut, count, 0.0, -1.0, 0.0, box[4], False, spare)
    count = clip_to_plane(cut, count, -slope_u, -slope_v, 1.0, -ground - low, False, spare)
    return clip_to_plane(cut, count, slope_u, slope_v, -1.0, ground + high, False, spare)
