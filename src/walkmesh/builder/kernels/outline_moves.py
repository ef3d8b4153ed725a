"""Moves of the outline: how far they take it from the old one, which it must stay close to."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.builder.kernels.ring import SHRINK
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import next_of

# An edge of the boundary stands for at most this many old ones.
_LONGEST_WALK = 100


@kernel
def chord_shift(points, a, b, c):
    """Return how far the boundary a-b-c moves, inwards and outwards, when it becomes a-c."""
    square, _ = to_segment(
        points[b, 0], points[b, 1], points[a, 0], points[a, 1], points[c, 0], points[c, 1]
    )
    if turn(points, a, b, c) >= 0.0:
        return np.sqrt(square), 0.0
    return 0.0, np.sqrt(square)


@kernel
def meeting_point(points, a, b, c, d):
    """Return where the boundary edges before and after b-c meet, and how far the boundary moves.

    Where they do not meet inside the mesh, or only beyond a or d, the move is infinite.
    """
    e1u, e1v = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    e2u, e2v = points[c, 0] - points[b, 0], points[c, 1] - points[b, 1]
    e3u, e3v = points[d, 0] - points[c, 0], points[d, 1] - points[c, 1]
    turn_b = e1u * e2v - e1v * e2u
    turn_c = e2u * e3v - e2v * e3u
    turn = e1u * e3v - e1v * e3u
    if a == d or turn == 0.0 or (turn_b >= 0.0 and turn_c >= 0.0):
        return 0.0, 0.0, np.inf
    s, t = turn_c / turn, -turn_b / turn
    xu, xv = points[b, 0] + s * e1u, points[b, 1] + s * e1v
    bu, bv, cu, cv = points[b, 0], points[b, 1], points[c, 0], points[c, 1]
    if turn_b < 0.0 and turn_c < 0.0:
        if s < 0.0 or t > 0.0:
            return 0.0, 0.0, np.inf
        square, _ = to_segment(xu, xv, bu, bv, cu, cv)
    elif turn_b < 0.0:  # c bulges outwards: x cuts the edge after it
        if s < 0.0 or t < 0.0 or t > 0.99:
            return 0.0, 0.0, np.inf
        xu, xv = cu + t * e3u, cv + t * e3v
        square, _ = to_segment(cu, cv, bu, bv, xu, xv)
    else:  # b bulges outwards: x cuts the edge before it
        if s > 0.0 or s < -0.99 or t > 0.0:
            return 0.0, 0.0, np.inf
        square, _ = to_segment(bu, bv, xu, xv, cu, cv)
    return xu, xv, np.sqrt(square)


@kernel
def measure_move(points, corners, start, outline, chain, first, choice, u, spread, tips, apex):
    """Tell whether a move keeps the boundary close to the old one, and where a shrunk edge goes.

    The old vertices must be close to the new edges, and the new vertex to the old edges. Returns
    where the old edge starts that is nearest to the new vertex (any, without one); -1 if the
    boundary would move too far.
    """
    previous, following = tips[spread], tips[0]
    shrink = choice == SHRINK
    end = following
    au, av = points[previous, 0], points[previous, 1]
    if shrink:
        end = corners[next_of(start[following])]
        xu, xv, _ = meeting_point(points, previous, u, following, end)
        apex[0], apex[1] = xu, xv
    else:
        xu, xv = points[end, 0], points[end, 1]
    du, dv = points[end, 0], points[end, 1]
    old, last = first[previous], first[end]
    at = old
    room, slack, farthest, nearest = np.inf, 0.0, 0.0, np.inf
    for _ in range(_LONGEST_WALK):
        ou, ov = outline[old, 0], outline[old, 1]
        square, _ = to_segment(ou, ov, au, av, xu, xv)
        if shrink:
            other, _ = to_segment(ou, ov, xu, xv, du, dv)
            square = min(square, other)
        farthest = max(farthest, square)
        if old == last:
            break
        room, slack = min(room, outline[old, 2]), max(slack, outline[old, 3])
        after = chain[old]
        if shrink:
            square, _ = to_segment(xu, xv, ou, ov, outline[after, 0], outline[after, 1])
            if square < nearest:
                nearest, at = square, old
        old = after
    if shrink:
        farthest = max(farthest, nearest)
    return at if old == last and np.sqrt(farthest) + slack <= room else -1


@kernel
def insert_foot(outline, chain, old, last, at, foot, xu, xv):
    """Make the point of the old boundary that is nearest to a new vertex a vertex of its own.

    Feet of vertices that are gone leave the chain; they lie on straight lines.
    """
    vertices = len(outline) // 2
    while old != last:
        after = chain[old]
        if after >= vertices and after != last:
            chain[old] = chain[after]
            if at == after:
                at = old
        else:
            old = after
    after = chain[at]
    pu, pv = outline[at, 0], outline[at, 1]
    eu, ev = outline[after, 0] - pu, outline[after, 1] - pv
    _, t = to_segment(xu, xv, pu, pv, pu + eu, pv + ev)
    outline[foot, 0], outline[foot, 1] = pu + t * eu, pv + t * ev
    outline[foot, 2], outline[foot, 3] = outline[at, 2], outline[at, 3]
    chain[at], chain[foot] = foot, after


@kernel
def shorten_chain(outline, chain, one, three):
    """Forget the old vertex between two others if it hardly matters, so that walks stay short."""
    two = chain[one]
    if chain[two] != three:
        return
    square, _ = to_segment(
        outline[two, 0], outline[two, 1],
        outline[one, 0], outline[one, 1],
        outline[three, 0], outline[three, 1],
    )  # fmt: skip
    slack = max(outline[one, 3], outline[two, 3]) + np.sqrt(square)
    room = min(outline[one, 2], outline[two, 2])
    if slack <= tol.FORGOTTEN_SHARE * room:
        chain[one] = three
        outline[one, 2], outline[one, 3] = room, slack
