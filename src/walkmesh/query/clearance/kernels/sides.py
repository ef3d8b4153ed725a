r"""Triangles seen in plan, and moving straight over them from side to side.

Corners are numbered as in :mod:`walkmesh.kernels.meshes.corners`: side c starts at corner c and has
the triangle on its left. Whoever leaves a triangle through a side sees the start of the side to the
right and its end to the left. All vertices are on the boundary.

Nothing here knows about floors: only what lies across a side is looked at, so a floor above
another is far away unless there is a way to it.
"""

from collections import namedtuple

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.segments import cross_of
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of

# points: (n, 2) float64, plan positions; corners: (3 t,) int32, the vertex of each corner;
# mates: (3 t,) int32, the same side in the next triangle, -1 at the boundary.
Mesh = namedtuple("Mesh", "points corners mates")


@borrowing
def start_of(mesh, side):
    """Return where a side starts."""
    vertex = mesh.corners[side]
    return mesh.points[vertex, 0], mesh.points[vertex, 1]


@borrowing
def end_of(mesh, side):
    """Return where a side ends."""
    return start_of(mesh, next_of(side))


@borrowing
def walk(mesh, triangle, pu, pv, qu, qv):
    """Walk straight from p, in `triangle`, to q.

    Returns the triangle that holds q, or the last before the boundary; and whether the walk came to
    q.
    """
    entered = -1
    for _ in range(len(mesh.corners)):
        leave = -1
        blocked = False
        for k in range(3):
            side = 3 * triangle + k
            if side == entered:
                continue
            au, av = start_of(mesh, side)
            bu, bv = end_of(mesh, side)
            if turn_of(au, av, bu, bv, qu, qv) >= 0.0:
                continue
            # Two sides may have q beyond them; the way goes through the one that it crosses.
            crossed = (
                turn_of(pu, pv, qu, qv, au, av) <= 0.0 and turn_of(pu, pv, qu, qv, bu, bv) >= 0.0
            )
            if mesh.mates[side] < 0:
                blocked = blocked or crossed
            elif leave < 0 or crossed:
                leave = side
                if crossed:
                    blocked = False
                    break
        if blocked:
            return triangle, False
        if leave < 0:
            return triangle, True
        entered = mesh.mates[leave]
        triangle = entered // 3
    return triangle, False


@borrowing
def between_segments(pu, pv, qu, qv, au, av, bu, bv):
    """Return the squared distance of the segments p-q and a-b, and where on a-b it is reached.

    The distance is 0 if they cross. The place is the one on a-b that is nearest to p-q.
    """
    if cross_of(pu, pv, qu, qv, au, av, bu, bv):
        before, after = turn_of(pu, pv, qu, qv, au, av), turn_of(pu, pv, qu, qv, bu, bv)
        t = before / (before - after)
        return 0.0, au + t * (bu - au), av + t * (bv - av)
    best, _ = to_segment(au, av, pu, pv, qu, qv)
    xu, xv = au, av
    square, _ = to_segment(bu, bv, pu, pv, qu, qv)
    if square < best:
        best, xu, xv = square, bu, bv
    for k in range(2):
        eu, ev = pu, pv
        if k == 1:
            eu, ev = qu, qv
        square, t = to_segment(eu, ev, au, av, bu, bv)
        if square < best:
            best, xu, xv = square, au + t * (bu - au), av + t * (bv - av)
    return best, xu, xv


@borrowing
def nearest_boundary(mesh, triangle, pu, pv, qu, qv, limit, stack):
    """Find the boundary that is nearest to the segment p-q, in straight sight of it.

    Vertices are all on the boundary, so no side within the distance looked at ends within it until
    the boundary is found: the sides are like slats, and the triangles between them a tree. Nothing
    has to be remembered but the sides still to look through, in `stack`, (3 t,) int32. What has
    been found ends the sight beyond it, so that walls behind a corner do not count, nor other
    floors.

    The point p lies in `triangle`, and may be q as well. Returns the distance, `limit` if there is
    nothing as near as that, 0 among triangles that are turned over; and the nearest place of the
    boundary. [Unit: m]
    """
    best = limit * limit
    xu, xv = pu, pv
    if best <= 0.0:
        return limit, xu, xv
    waiting = 0
    for k in range(3):
        side = 3 * triangle + k
        au, av = start_of(mesh, side)
        square, _ = to_segment(au, av, pu, pv, qu, qv)
        if square < best:
            best, xu, xv = square, au, av
        stack[waiting] = side
        waiting += 1
    looks = 0
    while waiting > 0:
        looks += 1
        if looks > len(stack) or waiting >= len(stack):
            return 0.0, xu, xv  # no tree: the mesh is not sound here
        waiting -= 1
        side = stack[waiting]
        au, av = start_of(mesh, side)
        bu, bv = end_of(mesh, side)
        square, yu, yv = between_segments(pu, pv, qu, qv, au, av, bu, bv)
        if square >= best:
            continue
        mate = mesh.mates[side]
        if mate < 0:
            best, xu, xv = square, yu, yv
            continue
        # The vertex first: what lies behind it is not in sight.
        wu, wv = start_of(mesh, last_of(mate))
        square, _ = to_segment(wu, wv, pu, pv, qu, qv)
        if square < best:
            best, xu, xv = square, wu, wv
        stack[waiting], stack[waiting + 1] = next_of(mate), last_of(mate)
        waiting += 2
    return best**0.5, xu, xv
