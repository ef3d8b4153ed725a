r"""Slivers: long thin triangles in one plane are laid out anew, with short edges.

Modelling programs fill a slab with fans of triangles that are tens of metres long and millimetres
wide. Where two such fans lie over each other, every sliver of one crosses all of the other. The
same ground in triangles with short edges has to do with its neighbours only::

         fan from one corner          the same outline
          _______________              _______________
         |\ \ \ \ \ \ \ \|            |  /\/\/\/\/\/\ |
         | \ \ \ \ \ \ \ |            | /____________\|
         |__\_\_\_\_\_\_\|            |/______________|

Triangles of one plane form a *sheet*. Edges inside it are flipped to the shorter diagonal, and a
vertex on a straight line between its two neighbours is dropped. Many edges are flipped at a time,
none of them beside each other, so that a fan of n slivers is halved again and again.
"""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.builder.kernels.faces import WALL
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import join_edges, turn_diagonal

# A sheet is looked at again when it has become wider by this factor, which makes its plane better.
_WIDER = 1.5
# Rounds of flips: a fan of n slivers takes log2 n, and a few more where fans meet.
_MOST_ROUNDS = 64


@kernel(kt.POINTS, kt.TRIPLES, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.OUT_INTS, kt.OUT_FLOATS)
def find_slivers(points, triangles, roles, length, thinness, slivers, turns):
    """Find faces that are long and thin in plan, and return how many there are.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    roles : (m,) uint8
        What each face is, see :mod:`walkmesh.builder.kernels.faces`; walls are none.
    length : float
        How long a sliver is at least. [Unit: m]
    thinness : float
        How many times longer than wide.
    slivers : (m,) int32, output
        Which faces are, from the front on.
    turns : (m,) float64, output
        Twice their area in plan, negative for those that are clockwise. [Unit: m2]
    """
    count = 0
    for t in range(len(triangles)):
        if roles[t] == WALL:
            continue
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        longest = max(
            plan_square(points, a, b), plan_square(points, b, c), plan_square(points, c, a)
        )
        if longest <= length * length:
            continue
        twice = turn(points, a, b, c)
        if longest > thinness * abs(twice):
            slivers[count], turns[count] = t, twice
            count += 1
    return count


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.FLOAT, kt.OUT_INTS)
def find_sheets(points, corners, mates, tolerance, sheets):
    """Find connected triangles that lie in one plane.

    The plane of a sheet goes through the longest edge of its first triangle and the vertex furthest
    from there: that of a sliver alone says little about what lies a metre beside it.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    corners : (3 t,) int32
        Vertex ids of the triangles, counter-clockwise in plan.
    mates : (3 t,) int32
        The edge across each edge; negative where there is none.
    tolerance : float
        How far vertices may lie from the plane, in height. [Unit: m]
    sheets : (t,) int32, output
        The first triangle of each triangle's sheet.
    """
    count = len(sheets)
    members = np.empty(count, np.int32)
    for triangle in range(count):
        sheets[triangle] = -1
    for first in range(count):
        if sheets[first] >= 0:
            continue
        sheets[first] = first
        members[0] = first
        size = 1
        base = _longest_edge(points, corners, first)
        a, b = corners[base], corners[next_of(base)]
        tip, width = corners[last_of(base)], 0.0
        while True:
            furthest = tip
            for member in range(size):
                for k in range(3):
                    v = corners[3 * members[member] + k]
                    if abs(turn(points, a, b, v)) > abs(turn(points, a, b, furthest)):
                        furthest = v
            reached = abs(turn(points, a, b, furthest))
            if reached < _WIDER * width or not _fits(
                points, corners, members, size, a, b, furthest, tolerance
            ):
                break
            tip, width = furthest, reached
            size = _spread(points, corners, mates, sheets, members, size, a, b, tip, tolerance)


@kernel
def _longest_edge(points, corners, triangle):
    """Return the edge of a triangle that is longest in plan."""
    longest, length = 3 * triangle, -1.0
    for edge in range(3 * triangle, 3 * triangle + 3):
        square = plan_square(points, corners[edge], corners[next_of(edge)])
        if square > length:
            longest, length = edge, square
    return longest


@kernel
def _fits(points, corners, members, size, a, b, c, tolerance):
    """Tell whether all triangles of a sheet lie close to the plane through three vertices."""
    for member in range(size):
        for k in range(3):
            v = corners[3 * members[member] + k]
            if not _is_close(points, a, b, c, v, tolerance):
                return False
    return True


@kernel
def _is_close(points, a, b, c, v, tolerance):
    """Tell whether a vertex lies close to the plane through three others, in height."""
    twice = turn(points, a, b, c)
    along, across = turn(points, a, v, c), turn(points, a, b, v)
    rise = along * (points[b, 2] - points[a, 2]) + across * (points[c, 2] - points[a, 2])
    return abs((points[v, 2] - points[a, 2]) * twice - rise) <= tolerance * abs(twice)


@kernel
def _spread(points, corners, mates, sheets, members, size, a, b, c, tolerance):
    """Add what is connected to a sheet and close to its plane; return its number of triangles."""
    sheet = members[0]
    head = 0
    while head < size:
        for edge in range(3 * members[head], 3 * members[head] + 3):
            mate = mates[edge]
            if mate < 0 or sheets[mate // 3] >= 0:
                continue
            if _is_close(points, a, b, c, corners[last_of(mate)], tolerance):
                sheets[mate // 3] = sheet
                members[size] = mate // 3
                size += 1
        head += 1
    return size


@kernel(kt.POINTS, kt.FLOAT, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_BYTES)
def shorten_edges(points, straight, corners, mates, changed):
    """Flip edges to the shorter diagonal, and drop vertices on straight lines.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    straight : float
        How far a vertex may lie from the line between its neighbours to be dropped, and at least
        how wide new triangles are. [Unit: m]
    corners, mates : (3 t,) int32, changed
        Triangles of vertex ids, counter-clockwise in plan, and the edge across each edge within its
        sheet, negative where there is none. Corners of a triangle that is gone become -1.
    changed : (t,) uint8, output
        1 for triangles that are not what they were.
    """
    count = len(changed)
    for triangle in range(count):
        changed[triangle] = 0
    last_round = np.full(count, -1, np.int32)  # in which each triangle changed last
    bends = np.zeros(len(corners), np.float64)  # how far dropped vertices lie from each edge
    at_rim = True
    for now in range(_MOST_ROUNDS):
        changes = 0
        for e in range(len(corners)):
            m = mates[e]
            if m < e or last_round[e // 3] == now or last_round[m // 3] == now:
                continue
            if _can_flip(points, corners, e, m, straight):
                _flip(corners, mates, bends, e, m)
            elif _can_drop(points, corners, mates, bends, e, m, straight, at_rim):
                _drop(points, corners, mates, bends, e, m)
            elif _can_drop(points, corners, mates, bends, m, e, straight, at_rim):
                _drop(points, corners, mates, bends, m, e)
            else:
                continue
            for triangle in (e // 3, m // 3):
                last_round[triangle], changed[triangle] = now, 1
            changes += 1
        if changes == 0 and not at_rim:
            break
        # Inside a sheet dropping a vertex ends the flips there, so that comes last.
        at_rim = changes > 0


@kernel
def _can_flip(points, corners, e, m, straight):
    r"""Tell whether the other diagonal of two triangles is shorter and lies inside of them.

    ::

            r                    r
          /   \                / | \
         p --e-> q     ->     p  |  q
          \   /                \ | /
            s                    s
    """
    p, q, r, s = corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]
    if plan_square(points, r, s) >= tol.SHORTER * plan_square(points, p, q):
        return False
    return _is_wide(points, p, s, r, straight) and _is_wide(points, s, q, r, straight)


@kernel
def _is_wide(points, p, q, r, width):
    """Tell whether a triangle is counter-clockwise, and wider than `width`."""
    longest = max(plan_square(points, p, q), plan_square(points, q, r), plan_square(points, r, p))
    twice = turn(points, p, q, r)
    return twice > 0.0 and twice * twice > width * width * longest


@kernel
def _flip(corners, mates, bends, e, m):
    """Turn the edge between two triangles into the other diagonal, see :func:`_can_flip`."""
    e1, m1 = next_of(e), next_of(m)
    turn_diagonal(corners, mates, e, m)
    bends[e], bends[m] = bends[m1], bends[e1]
    bends[e1], bends[m1] = 0.0, 0.0


@kernel
def _can_drop(points, corners, mates, bends, e, m, straight, at_rim):
    r"""Tell whether the first vertex of edge e lies on a straight line between its neighbours.

    Only two triangles have it on this side of the line; those beyond may keep it.

    ::

              q                    q
            / ^ \                /   \
           s--p--r       ->      s-----r
    """
    p, q, r, s = corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]
    if at_rim and (mates[last_of(e)] >= 0 or mates[next_of(m)] >= 0):
        return False
    square = plan_square(points, r, s)
    if max(plan_square(points, p, s), plan_square(points, p, r)) >= square:
        return False
    off = abs(turn(points, s, r, p)) / np.sqrt(square)
    if off + max(bends[last_of(e)], bends[next_of(m)]) > straight:
        return False
    return _is_wide(points, s, q, r, straight)


@kernel
def _drop(points, corners, mates, bends, e, m):
    """Make one triangle of two without the first vertex of edge e, see :func:`_can_drop`."""
    closing, opening, side = last_of(e), next_of(m), last_of(m)
    p, r, s = corners[e], corners[closing], corners[side]
    off = abs(turn(points, s, r, p)) / np.sqrt(plan_square(points, r, s))
    bends[closing] = off + max(bends[closing], bends[opening])
    for edge in (closing, opening):
        if mates[edge] >= 0:
            mates[mates[edge]] = -1
            mates[edge] = -1
    corners[e] = s
    join_edges(mates, e, mates[side])
    bends[e] = bends[side]
    gone = 3 * (m // 3)
    for edge in range(gone, gone + 3):
        corners[edge], mates[edge] = -1, -1
