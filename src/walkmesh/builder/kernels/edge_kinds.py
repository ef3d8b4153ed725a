r"""What lies beyond an edge of the ground, for meshes of any stage of a build.

From a place on the edge one looks outwards, over the band between a step and the agent's height::

      up |   . . . . . . . . .  height
         |   .      |        .
         |   .      | face   .
         |   . . . .|. . . . .  a step
         p-----------------------> out
         0                 reach

What cuts the band stands in the way. Up is each edge's own, so that it works on walls too.
"""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(
    kt.POINTS, kt.POINTS, kt.TRIPLES, kt.TREE, kt.POINTS, kt.TRIPLES, kt.TREE, kt.FLOAT, kt.FLOAT,
    kt.FLOAT, kt.OUT_BYTES,
)  # fmt: skip
def look_beyond(
    probes, points, triangles, tree, face_points, faces, face_tree, max_step, height, reach, kinds
):
    """Tell what lies beyond places on edges.

    Parameters
    ----------
    probes : (n, 9) float64
        Places, and the directions outwards and up there, both of length 1. [Unit: m]
    points, triangles, tree : arrays and tuple
        The ground itself, and a tree of boxes over its triangles.
    face_points, faces, face_tree : arrays and tuple
        The faces of the scene, likewise.
    max_step, height : float
        The band above the ground that has to be empty. [Unit: m]
    reach : float
        How far away something may stand and still be what the edge ends at. [Unit: m]
    kinds : (n,) uint8, output
        INNER where the ground goes on; BLOCKED if a face stands in the band; INNER_WALL if that is
        a wall seen from behind; else OPEN.
    """
    boxes, order, nodes = tree
    face_boxes, face_order, face_nodes = face_tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(max(len(order), len(face_order)) + 1, np.int32)
    box = np.empty(6, np.float64)
    place, out, up = np.empty(3), np.empty(3), np.empty(3)
    span = np.empty(4)
    step = max_step + tol.BAND_SLACK
    for n in range(len(probes)):
        for k in range(3):
            place[k], out[k], up[k] = probes[n, k], probes[n, 3 + k], probes[n, 6 + k]
        kinds[n] = OPEN
        _fill_box(place, out, up, 0.0, 2.0 * tol.BESIDE_EDGE, -step, step, box)
        for i in range(gather_items(nodes, order, box, stack, found)):
            item = found[i]
            if touches(boxes, item, box) and _cut(points, triangles, item, place, out, up, span):
                low, high = _heights_at(span, tol.BESIDE_EDGE)
                if low <= step and high >= -step:
                    kinds[n] = INNER
                    break
        if kinds[n] == INNER:
            continue
        _fill_box(place, out, up, 0.0, reach, max_step, height, box)
        blocked, behind = np.inf, np.inf
        for i in range(gather_items(face_nodes, face_order, box, stack, found)):
            item = found[i]
            if not touches(face_boxes, item, box):
                continue
            if not _cut(face_points, faces, item, place, out, up, span):
                continue
            away = _first_in_band(span, reach, step, height - tol.BAND_SLACK)
            if away == np.inf:
                continue
            if _is_behind(face_points, faces, item, out, up):
                behind = min(behind, away)
            else:
                blocked = min(blocked, away)
        if blocked < np.inf and blocked <= behind + tol.SAME_WALL:
            kinds[n] = BLOCKED
        elif behind < np.inf:
            kinds[n] = INNER_WALL


@kernel
def _fill_box(place, out, up, near, far, low, high, box):
    """Write the box around a rectangle from `near` to `far` outwards and from `low` to `high`."""
    for k in range(3):
        first, last = min(near * out[k], far * out[k]), max(near * out[k], far * out[k])
        below, above = min(low * up[k], high * up[k]), max(low * up[k], high * up[k])
        box[k] = place[k] + first + below - tol.BAND_SLACK
        box[k + 3] = place[k] + last + above + tol.BAND_SLACK


@kernel
def _cut(points, triangles, item, place, out, up, span):
    """Cut a triangle by the plane of a band; write the ends as (s, h, s, h), the nearer first."""
    side_u = out[1] * up[2] - out[2] * up[1]
    side_v = out[2] * up[0] - out[0] * up[2]
    side_h = out[0] * up[1] - out[1] * up[0]
    ends = 0
    for i in range(3):
        a, b = triangles[item, i], triangles[item, (i + 1) % 3]
        p = (points[a, 0] - place[0]) * side_u + (points[a, 1] - place[1]) * side_v
        p += (points[a, 2] - place[2]) * side_h
        q = (points[b, 0] - place[0]) * side_u + (points[b, 1] - place[1]) * side_v
        q += (points[b, 2] - place[2]) * side_h
        if (p < 0.0) == (q < 0.0):
            continue
        share = p / (p - q)
        s, h = 0.0, 0.0
        for k in range(3):
            along = points[a, k] + share * (points[b, k] - points[a, k]) - place[k]
            s += along * out[k]
            h += along * up[k]
        span[2 * ends], span[2 * ends + 1] = s, h
        ends += 1
        if ends == 2:
            break
    if ends < 2:
        return False
    if span[0] > span[2]:
        span[0], span[1], span[2], span[3] = span[2], span[3], span[0], span[1]
    return True


@kernel
def _heights_at(span, s):
    """Return the heights of a cut at a distance, lowest and highest; none if it is not there."""
    if span[0] > s or span[2] < s:
        return np.inf, -np.inf
    if span[2] - span[0] < tol.NO_CUT:
        return min(span[1], span[3]), max(span[1], span[3])
    h = span[1] + (s - span[0]) / (span[2] - span[0]) * (span[3] - span[1])
    return h, h


@kernel
def _first_in_band(span, reach, low, high):
    """Return where a cut first runs through the band, or infinity."""
    begin, end = max(span[0], -tol.BAND_SLACK), min(span[2], reach)
    if begin > end or low > high:
        return np.inf
    length = span[2] - span[0]
    first, last = span[1], span[3]
    if length > tol.NO_CUT:
        slope = (last - first) / length
        first, last = first + slope * (begin - span[0]), first + slope * (end - span[0])
    if max(first, last) < low or min(first, last) > high:
        return np.inf
    if low <= first <= high or length <= tol.NO_CUT:
        return begin
    edge = low if first < low else high
    return begin + (edge - first) / (last - first) * (end - begin)


@kernel
def _is_behind(points, triangles, item, out, up):
    """Tell whether a face is a wall that faces away from the ground."""
    a, b, c = triangles[item, 0], triangles[item, 1], triangles[item, 2]
    eu, ev = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    fu, fv = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
    eh, fh = points[b, 2] - points[a, 2], points[c, 2] - points[a, 2]
    nu, nv, nh = ev * fh - eh * fv, eh * fu - eu * fh, eu * fv - ev * fu
    length = np.sqrt(nu * nu + nv * nv + nh * nh)
    upward = abs(nu * up[0] + nv * up[1] + nh * up[2])
    return upward <= tol.UPRIGHT_EDGE * length and nu * out[0] + nv * out[1] + nh * out[2] > 0.0
