r"""Making an edge between two points appear in a triangulation, by flipping what it crosses.

The triangles between a and b that the segment runs through are a strip. Of an edge in it, one end
lies to the left of a -> b and one to the right::

          q ------- s
         / \       /          the edge p q is crossed; r and s are
    a   r   \     /    b      the corners across from it
         \   \   /
          --- p -

An edge is flipped if its quadrilateral is strictly convex, and the new one, r s, is no longer
crossed, or its left end comes before q in the order of distances from a b (those of the same
distance in the order along a b). There always is such an edge: let q be the last left end in that
order. Its neighbours in the chain of left ends come before it, so the strip's angle at q is less
than a half turn. The corners of the strip across from q, all to the right of a b, cannot all be
reflex, since then they would lie in the triangle of q and its neighbours. Every flip makes the
number of crossed edges less, or leaves it and puts an earlier left end in place of another, so
this always ends.
"""

from walkmesh.builder.triangulation.kernels.insertion import flips_convex
from walkmesh.kernels.geometry.turns import along, turn
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import flip

# What can be wrong, as negative numbers.
CROSSING = -1
VERTEX_ON_EDGE = -2
TWICE = -3
LOST = -4
ZERO_LENGTH = -5
WRONG_SIDE = -6


@shared_borrowing
def recover_edge(points, corners, mates, marks, start, a, b):
    """Return the edge that runs from a to b, after flips; or what is wrong.

    Both points have triangles all around and are at different places. Edges with other marks than 0
    must stay; CROSSING is returned if one is in the way.
    """
    while True:
        e = _leave(points, corners, mates, start[a], a, b)
        if e < 0 or corners[e] == a:
            return e
        flipped = False
        while True:
            m = mates[e]
            if marks[e] != 0 or marks[m] != 0:
                return CROSSING
            s = corners[last_of(m)]
            side = turn(points, a, b, s)
            if side == 0 and s != b:
                return VERTEX_ON_EDGE
            # Seen from before the edge, the strip goes on across p s or s q.
            onward = next_of(m) if side > 0 else last_of(m)
            if _helps(points, corners, e, m, side, a, b):
                flip_marked(corners, mates, marks, start, e, m)
                flipped = True
                onward = e if side > 0 else last_of(m)
            if s == b:
                break
            e = onward
        if not flipped:
            return LOST


@borrowing
def _leave(points, corners, mates, first, a, b):
    """Return the edge from a to b, or the edge across from a that a -> b crosses first."""
    c = first
    while True:
        p, q = corners[next_of(c)], corners[last_of(c)]
        if p == b:
            return c
        side = turn(points, a, b, p)
        if side == 0 and along(points, a, b, p) > 0:
            return VERTEX_ON_EDGE
        if side < 0 and q != b and turn(points, a, b, q) > 0:
            return next_of(c)
        c = mates[last_of(c)]
        if c == first:
            return LOST


@borrowing
def _helps(points, corners, e, m, side, a, b):
    """Tell whether to flip the crossed edge e, whose far corner has the turn `side` from a b."""
    p, q, r, s = corners[e], corners[m], corners[last_of(e)], corners[last_of(m)]
    if not flips_convex(points, p, q, r, s):
        return False
    near_side = turn(points, a, b, r)
    if near_side > 0 and side < 0:
        left, distance = r, near_side
    elif near_side < 0 and side > 0:
        left, distance = s, side
    else:
        return True
    old = turn(points, a, b, q)
    return distance < old or (
        distance == old and along(points, a, b, left) < along(points, a, b, q)
    )


@shared_borrowing
def flip_marked(corners, mates, marks, start, e, m):
    """Flip the edge e with its mate m, and move the marks of the edges around along."""
    e1, m1 = next_of(e), next_of(m)
    marks[e], marks[m] = marks[m1], marks[e1]
    marks[e1], marks[m1] = 0, 0
    flip(corners, mates, start, e, m)
