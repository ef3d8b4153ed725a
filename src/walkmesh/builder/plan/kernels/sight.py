r"""What one vertex of a floor plan sees of another, past the edges of obstacles.

Every ring edge has free space on its left. Around a place, ring edges that leave it open a *fan* of
free space, counter-clockwise, and those that arrive close one::

          \  free  /
    closes \      / opens        what lies between is seen from here
            v    /
             place
"""

from collections import namedtuple

from walkmesh.kernels.geometry.segments import are_parted, cross
from walkmesh.kernels.geometry.turns import along, lies_between, turn
from walkmesh.kernels.kernel import borrowing, shared_borrowing

# points : (m, 2) int64, the distinct places of the vertices
# tails, heads : (c,) int64, the places that ring edges leave and arrive at
# starts : (m + 1,) int64, ragged offsets of the spokes, which are the ring edges at each place
# ends : (2 c,) int64, the place at the other end of each spoke
# leaving : (2 c,) int64, the ring edge, if it leaves the place; -1 if it arrives
Rings = namedtuple("Rings", ["points", "tails", "heads", "starts", "ends", "leaving"])

# What a verdict on a pair of places says, as bits; LEFT and RIGHT as seen from the lower number.
LEFT = 1
RIGHT = 2
JUDGED = 4


@shared_borrowing
def find_fan(plan, a, b):
    """Return the ring edge that opens the fan just left of a -> b, near a; -1 in an obstacle."""
    points = plan.points
    first, first_rank = plan.starts[a], 5
    for spoke in range(plan.starts[a], plan.starts[a + 1]):
        end = plan.ends[spoke]
        # Half turns clockwise from a -> b: the spokes along it come first.
        side = turn(points, a, b, end)
        if side < 0:
            rank = 1
        elif side > 0:
            rank = 3
        elif along(points, a, b, end) > 0:
            rank = 0
        else:
            rank = 2
        if rank == first_rank:
            closer = turn(points, a, plan.ends[first], end)
            # Of two ring edges that run opposite ways, the one that leaves has free space there.
            nearer = closer > 0 or (closer == 0 and plan.leaving[spoke] >= 0)
        else:
            nearer = rank < first_rank
        if nearer:
            first, first_rank = spoke, rank
    return plan.leaving[first]


@shared_borrowing
def judge_edge(plan, a, b, between, blockers):
    """Return the verdict of the obstacles on the edge of two places, a < b, that is no ring edge.

    With `between` 1, edges with a vertex strictly between their ends are refused. `blockers`,
    (m, 2) int64, changed, are the ends of what last crossed an edge from each place. It is tried
    first, since it often crosses the next one too; see `make_triangles`.
    """
    verdict = LEFT + RIGHT
    p = a
    while p != b and verdict != 0:
        q = b if between else _next_on_line(plan, p, b)
        if find_fan(plan, p, q) < 0:
            verdict &= RIGHT
        if find_fan(plan, q, p) < 0:
            verdict &= LEFT
        p = q
    if verdict == 0:
        return JUDGED
    if cross(plan.points, a, b, blockers[a, 0], blockers[a, 1]):
        return JUDGED
    edge = _find_blocker(plan, a, b, between)
    if edge >= 0:
        blockers[a, 0], blockers[a, 1] = plan.tails[edge], plan.heads[edge]
        return JUDGED
    return JUDGED + verdict


@borrowing
def _find_blocker(plan, a, b, between):
    """Return a ring edge that crosses a b, or that leaves a place between a and b; -1 if none."""
    points, tails, heads = plan.points, plan.tails, plan.heads
    q, side_q = tails[0], turn(points, a, b, tails[0])
    for edge in range(len(tails)):
        p, side_p = q, side_q
        if p != tails[edge]:  # another ring begins
            p = tails[edge]
            side_p = turn(points, a, b, p)
        q = heads[edge]
        side_q = turn(points, a, b, q)
        if side_p == 0:
            if between and lies_between(points, a, b, p):
                return edge
        elif ((side_p > 0 and side_q < 0) or (side_p < 0 and side_q > 0)) and are_parted(
            points, p, q, a, b
        ):
            return edge
    return -1


@borrowing
def _next_on_line(plan, a, b):
    """Return the first place that a -> b runs over, which may be b."""
    points = plan.points
    first = b
    for c in range(len(points)):
        if turn(points, a, b, c) == 0 and lies_between(points, a, first, c):
            first = c
    return first
