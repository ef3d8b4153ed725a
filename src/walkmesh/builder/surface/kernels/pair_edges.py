r"""Which edges of the boundary face each other across something that an agent gets over.

Three things part a surface that can still be walked on as one::

        corner                     step                       slit

          | f   what is left         ____ f   no higher than   ____ e   f ____
          |     of both sides       |         a step, and          no wider than
         .      of a corner      ___|         beside each          the gap distance
     __.        sharper than      e           other
     e          the body allows

A corner's edges know each other: each is blocked by the other's face, or lies in its plane.
"""

import numpy as np

from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.packs import EDGES
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import dot
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches

# What lies between two edges: a slit or an upright step; a corner; or a step with a slope, which is
# one only where the scene has it.
SLIT, CORNER, BEVEL = 0.0, 1.0, 2.0
# Places of `limits`.
HEIGHT, RADIUS, STEP, GAP, BEND, CONCAVE = range(6)
TOO_MANY_NEAR = -1


@kernel(
    EDGES, kt.INTS, kt.POINTS, kt.FLOATS, kt.TREE, kt.FLOATS, kt.INT, kt.OUT_TRIPLES, kt.OUT_POINTS
)
def pair_edges(edges, blockers, face_normals, face_levels, tree, limits, most, pairs, spans):
    """Find pairs of boundary edges to be joined.

    Parameters
    ----------
    edges : EDGES
        Of the boundary.
    blockers : (b,) int32
        What stands beyond each, see :func:`.blockers.find_blockers`.
    face_normals, face_levels : (m, 3) and (m,) float64
        Normals of the scene's faces, and how far along them the faces are. [Unit: m]
    tree : TREE
        Over the edges.
    limits : (6,) float64
        The agent's height, radius and step, the gap distance (metres), the cosine of the angle by
        which ground may bend below the agent, and the cosine of the largest turn into a corner.
    most : int
        How many edges near others are looked at, in all.
    pairs : (k, 2) int32, output
        Edges that belong together, as many as there is room for.
    spans : (k, 4) float64, output
        How far apart they are, and from where to where along the first edge, in metres; and what
        they are: SLIT, CORNER or BEVEL.

    Returns
    -------
    int
        How many pairs there are; TOO_MANY_NEAR if more edges are near others than are looked at.
    """
    starts, ends, normals = edges
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order) + 1, np.int32)
    box = np.empty(6, np.float64)
    way = np.empty((1, 3), np.float64)
    span = np.empty(4, np.float64)
    count, looked = 0, 0
    for e in range(len(starts)):
        length = 0.0
        for k in range(3):
            way[0, k] = ends[e, k] - starts[e, k]
            length += way[0, k] * way[0, k]
        length = np.sqrt(length)
        if length < tol.SHORT_SIDE:
            continue
        for k in range(3):
            way[0, k] /= length
        reach = 1.5 * limits[STEP] + limits[GAP]
        if blockers[e] >= 0:
            turn = dot(normals, e, face_normals, blockers[e])
            if turn < limits[CONCAVE] - tol.TURN_SLACK:
                continue
            reach = 2.0 * _corner_reach(turn, limits)
        for k in range(3):
            box[k] = min(starts[e, k], ends[e, k]) - reach
            box[k + 3] = max(starts[e, k], ends[e, k]) + reach
        found = gather_items(nodes, order, box, stack, near)
        looked += found
        if looked > most:
            return TOO_MANY_NEAR
        for place in range(found):
            f = near[place]
            # What nothing blocks is paired with what nothing blocks, once.
            if f == e or (blockers[e] < 0 and (f < e or blockers[f] >= 0)):
                continue
            if not touches(boxes, f, box):
                continue
            corner = _may_be_corner(
                starts, ends, normals, blockers, face_normals, face_levels, e, f, limits
            )
            if not corner and (f < e or blockers[e] >= 0 or blockers[f] >= 0):
                continue
            if not _overlap(starts, ends, e, f, way, length, span):
                continue
            if corner:
                span[3] = CORNER
                fits = _fits_corner(starts, ends, normals, e, f, way, span, limits)
            else:
                fits = _fits_step(starts, ends, normals, e, f, way, span, limits)
            if fits:
                if count < len(pairs):
                    pairs[count, 0], pairs[count, 1] = e, f
                    for k in range(3):
                        spans[count, k] = span[k]
                    spans[count, 3] = span[3]
                count += 1
    return count


@kernel
def _corner_reach(cosine, limits):
    """Return how far from a corner its sides are cut, for the cosine of the turn."""
    reach = limits[RADIUS] + tol.CORNER_SLACK
    if cosine < 0.0:  # the other side leans over this one
        reach += (
            limits[HEIGHT] * -cosine / np.sqrt(max(1.0 - cosine * cosine, tol.LEAST_SQUARE_SINE))
        )
    return reach


@kernel
def _may_be_corner(starts, ends, normals, blockers, face_normals, face_levels, e, f, limits):
    """Tell whether two edges are blocked by each other's sides, or one by the other's.

    An edge that nothing blocks may lie in the plane of the other one, such as that of a tread at
    the foot of a riser of which only the top is free.
    """
    cosine = dot(normals, e, normals, f)
    if cosine < limits[CONCAVE] or cosine > tol.NO_CORNER or blockers[e] < 0:
        return False
    if dot(normals, f, face_normals, blockers[e]) < tol.SAME_SIDE:
        return False
    if blockers[f] < 0:
        off = 0.0
        for k in range(3):
            off += normals[e, k] * (0.5 * (starts[f, k] + ends[f, k]) - starts[e, k])
        return abs(off) < tol.IN_PLANE
    if e > f or dot(normals, e, face_normals, blockers[f]) < tol.SAME_SIDE:
        return False
    return _is_beside(starts, ends, face_normals, face_levels, blockers[e], f, limits) and (
        _is_beside(starts, ends, face_normals, face_levels, blockers[f], e, limits)
    )


@kernel
def _is_beside(starts, ends, face_normals, face_levels, o, f, limits):
    """Tell whether edge f is close to the plane of face o, as on a side that bends a little."""
    level = -face_levels[o]
    for k in range(3):
        level += face_normals[o, k] * 0.5 * (starts[f, k] + ends[f, k])
    return abs(level) < 0.5 * limits[RADIUS] + tol.IN_PLANE


@kernel
def _overlap(starts, ends, e, f, way, length, span):
    """Write from where to where an edge runs beside another one the other way."""
    across = 0.0
    first, last = 0.0, 0.0
    for k in range(3):
        across += (ends[f, k] - starts[f, k]) ** 2
        first += way[0, k] * (ends[f, k] - starts[e, k])
        last += way[0, k] * (starts[f, k] - starts[e, k])
    if first - last > tol.OPPOSITE_EDGE * np.sqrt(across):
        return False
    span[1], span[2] = max(first, 0.0), min(last, length)
    return span[2] - span[1] > tol.SHORT_SIDE


@kernel
def _gap(starts, ends, e, f, way, at, gap):
    """Write the way from a place along edge e straight across to edge f; return its length."""
    first, last = 0.0, 0.0
    for k in range(3):
        first += way[0, k] * (ends[f, k] - starts[e, k])
        last += way[0, k] * (starts[f, k] - starts[e, k])
    share = (at - first) / (last - first)
    square = 0.0
    for k in range(3):
        there = ends[f, k] + share * (starts[f, k] - ends[f, k])
        gap[0, k] = there - starts[e, k] - at * way[0, k]
        square += gap[0, k] * gap[0, k]
    return np.sqrt(square)


@kernel
def _outwards(normals, e, way, gap):
    """Return how far a gap leads away from the polygon of an edge, in its plane."""
    result = 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        result += gap[0, k] * (way[0, i] * normals[e, j] - way[0, j] * normals[e, i])
    return result


@kernel
def _fits_corner(starts, ends, normals, e, f, way, span, limits):
    """Tell whether two edges are what is left of a corner, as near to it as the body allows."""
    gap = np.empty((1, 3), np.float64)
    cosine = dot(normals, e, normals, f)
    sine = np.sqrt(max(1.0 - cosine * cosine, tol.LEAST_SQUARE_SINE))
    reach = _corner_reach(cosine, limits)
    span[0] = 0.0
    for end in range(2):
        span[0] += 0.5 * _gap(starts, ends, e, f, way, span[1 + end], gap)
        rise, fall = dot(gap, 0, normals, e), -dot(gap, 0, normals, f)
        if (
            rise < -tol.BEHIND
            or fall < -tol.BEHIND
            or _outwards(normals, e, way, gap) < -tol.BEHIND
        ):
            return False
        if rise > reach * sine + tol.CORNER_SLACK or fall > reach * sine + tol.CORNER_SLACK:
            return False
    return True


@kernel
def _fits_step(starts, ends, normals, e, f, way, span, limits):
    """Tell whether two edges lie across a slit or a step; shorten the span to where they do."""
    if dot(normals, e, normals, f) < limits[BEND]:
        return False
    gap = np.empty((1, 3), np.float64)
    up = np.empty((1, 3), np.float64)
    size = 0.0
    for k in range(3):
        up[0, k] = normals[e, k] + normals[f, k]
        size += up[0, k] * up[0, k]
    for k in range(3):
        up[0, k] /= np.sqrt(size)
    rises = np.empty(2, np.float64)
    span[0], span[3] = 0.0, SLIT
    for end in range(2):
        long = _gap(starts, ends, e, f, way, span[1 + end], gap)
        span[0] += 0.5 * long
        rises[end] = dot(gap, 0, up, 0)
        beside = np.sqrt(max(long * long - rises[end] * rises[end], 0.0))
        if _outwards(normals, e, way, gap) < -tol.BEHIND:
            return False
        if beside > limits[GAP] + tol.BEHIND:
            if beside > abs(rises[end]) + limits[GAP]:
                return False
            span[3] = BEVEL
    most = limits[STEP] + tol.HEIGHT_SLACK
    low, high = span[1], span[2]
    change = rises[1] - rises[0]
    for sign in (1.0, -1.0):
        if sign * rises[0] > most and sign * rises[1] > most:
            return False
        if sign * rises[0] > most:
            span[1] = max(span[1], low + (high - low) * (sign * most - rises[0]) / change)
        elif sign * rises[1] > most:
            span[2] = min(span[2], low + (high - low) * (sign * most - rises[0]) / change)
    return span[2] - span[1] > tol.SHORT_SIDE
