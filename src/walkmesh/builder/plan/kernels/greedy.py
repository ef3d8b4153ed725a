"""The greedy triangulation of a floor plan: any three vertices that make a triangle are one."""

import numpy as np

from walkmesh.builder.plan.kernels.sight import (
    JUDGED,
    LEFT,
    RIGHT,
    Rings,
    find_fan,
    judge_edge,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.segments import cross
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import borrowing, kernel, shared_borrowing


@kernel(kt.LONGS_2D, kt.LONGS, kt.LONGS, kt.INTS, kt.INT, kt.OUT_TRIPLES)
def make_triangles(points, tails, heads, vertices, between, triangles):
    """Triangulate what lies to the left of all ring edges.

    Candidates are all triples of places i < j < k. Their edges are judged before they are, and a
    triple is abandoned with its first edge that fails. Verdicts only ever become worse, so a triple
    that was refused once is refused for good, and one pass over all is exhaustive.

    Parameters
    ----------
    points : (m, 2) int64
        The distinct places of the vertices, counted from zero.
    tails, heads : (c,) int64
        The places that each ring edge leaves and arrives at.
    vertices : (c,) int32
        The vertex that it leaves.
    between : int
        1 to refuse edges with a vertex strictly between their ends.
    triangles : (2 c, 3) int32, output
        Vertex ids, counter-clockwise. Triangles on m places that do not overlap are fewer than 2 m.

    Returns
    -------
    int
        The number of triangles.
    """
    count = len(points)
    starts = np.zeros(count + 2, np.int64)
    ends, leaving = np.empty(2 * len(tails), np.int64), np.empty(2 * len(tails), np.int64)
    _gather_spokes(tails, heads, starts, ends, leaving)
    plan = Rings(points, tails, heads, starts, ends, leaving)
    # The hash table of edges. A matrix of bytes serves: most pairs of places are met, and a byte
    # is less than a key alone would take.
    verdicts = np.zeros((count, count), np.uint8)
    _admit_ring_edges(tails, heads, verdicts)
    made = np.empty((len(triangles), 3), np.int64)
    # Trying first what blocked the last edge: 2000 vertices on a circle took 10 s without, and
    # take 0.2 s.
    blockers = np.zeros((count, 2), np.int64)
    rows = _try_all(plan, between, verdicts, blockers, made)
    for row in range(rows):
        for corner in range(3):
            fan = find_fan(plan, made[row, corner], made[row, (corner + 1) % 3])
            triangles[row, corner] = vertices[fan]
    return rows


@borrowing
def _gather_spokes(tails, heads, starts, ends, leaving):
    """Write the ring edges at each place, leaving and arriving, in ragged order."""
    # Counted two places ahead, since filling in moves every offset on to the next.
    for edge in range(len(tails)):
        starts[tails[edge] + 2] += 1
        starts[heads[edge] + 2] += 1
    for place in range(2, len(starts)):
        starts[place] += starts[place - 1]
    for edge in range(len(tails)):
        spoke = starts[tails[edge] + 1]
        ends[spoke], leaving[spoke] = heads[edge], edge
        starts[tails[edge] + 1] += 1
        spoke = starts[heads[edge] + 1]
        ends[spoke], leaving[spoke] = tails[edge], -1
        starts[heads[edge] + 1] += 1


@borrowing
def _admit_ring_edges(tails, heads, verdicts):
    """Mark the edges of obstacles, which are valid on the side of free space."""
    for edge in range(len(tails)):
        a, b = tails[edge], heads[edge]
        if a < b:
            verdicts[a, b] |= JUDGED + LEFT
        else:
            verdicts[b, a] |= JUDGED + RIGHT


@shared_borrowing
def _try_all(plan, between, verdicts, blockers, made):
    """Write the triangles, as places, and return how many there are."""
    points = plan.points
    rows = 0
    for i in range(len(points) - 2):
        for j in range(i + 1, len(points) - 1):
            if _verdict(plan, between, verdicts, blockers, i, j) == JUDGED:
                continue
            for k in range(j + 1, len(points)):
                if _verdict(plan, between, verdicts, blockers, i, k) == JUDGED:
                    continue
                if _verdict(plan, between, verdicts, blockers, j, k) == JUDGED:
                    continue
                area = turn(points, i, j, k)
                if area == 0:
                    continue
                near, far = (LEFT, RIGHT) if area > 0 else (RIGHT, LEFT)
                # On a side that is closed there is an obstacle, be it the same triangle, or a
                # triangle that was made before.
                if not (verdicts[i, j] & near and verdicts[j, k] & near and verdicts[i, k] & far):
                    continue
                b, c = (j, k) if area > 0 else (k, j)
                if not _overlaps_made(
                    points, made, rows, verdicts, blockers, i, b, c
                ) and not _holds_obstacle(plan, i, b, c):
                    made[rows, 0], made[rows, 1], made[rows, 2] = i, b, c
                    rows += 1
                    verdicts[i, j] ^= near
                    verdicts[j, k] ^= near
                    verdicts[i, k] ^= far
                if verdicts[i, j] == JUDGED:
                    break
    return rows


@borrowing
def _verdict(plan, between, verdicts, blockers, a, b):
    """Return the verdict on an edge, a < b, from the table if it is there; JUDGED alone is no."""
    if verdicts[a, b] == 0:
        verdicts[a, b] = judge_edge(plan, a, b, between, blockers)
    return verdicts[a, b]


@shared_borrowing
def _overlaps_made(points, made, rows, verdicts, blockers, a, b, c):
    """Tell whether a triangle overlaps one that was made, and close its edges that cross that."""
    low_x = min(points[a, 0], points[b, 0], points[c, 0])
    low_y = min(points[a, 1], points[b, 1], points[c, 1])
    high_x = max(points[a, 0], points[b, 0], points[c, 0])
    high_y = max(points[a, 1], points[b, 1], points[c, 1])
    for row in range(rows):
        d, e, f = made[row, 0], made[row, 1], made[row, 2]
        if (
            max(points[d, 0], points[e, 0], points[f, 0]) <= low_x
            or min(points[d, 0], points[e, 0], points[f, 0]) >= high_x
            or max(points[d, 1], points[e, 1], points[f, 1]) <= low_y
            or min(points[d, 1], points[e, 1], points[f, 1]) >= high_y
        ):
            continue
        if _has_beyond(points, a, b, c, d, e, f) or _has_beyond(points, d, e, f, a, b, c):
            continue
        _close_crossing(points, made, row, verdicts, blockers, a, b)
        _close_crossing(points, made, row, verdicts, blockers, b, c)
        _close_crossing(points, made, row, verdicts, blockers, c, a)
        return True
    return False


@borrowing
def _has_beyond(points, a, b, c, d, e, f):
    """Tell whether three points lie on or beyond the same edge of a triangle a, b, c.

    Triangles that do not overlap are parted by the line of an edge of one of them.
    """
    return (
        (turn(points, a, b, d) <= 0 and turn(points, a, b, e) <= 0 and turn(points, a, b, f) <= 0)
        or (
            turn(points, b, c, d) <= 0 and turn(points, b, c, e) <= 0 and turn(points, b, c, f) <= 0
        )
        or (
            turn(points, c, a, d) <= 0 and turn(points, c, a, e) <= 0 and turn(points, c, a, f) <= 0
        )
    )


@borrowing
def _close_crossing(points, made, row, verdicts, blockers, a, b):
    """Close both sides of an edge that crosses one of a triangle that was made."""
    a, b = min(a, b), max(a, b)
    for corner in range(3):
        p, q = made[row, corner], made[row, (corner + 1) % 3]
        if cross(points, a, b, p, q):
            verdicts[a, b] = JUDGED
            blockers[a, 0], blockers[a, 1] = p, q


@shared_borrowing
def _holds_obstacle(plan, a, b, c):
    """Tell whether a ring edge runs through the inside of a triangle."""
    points, tails, heads = plan.points, plan.tails, plan.heads
    for edge in range(len(tails)):
        p, q = tails[edge], heads[edge]
        if not (
            (turn(points, a, b, p) <= 0 and turn(points, a, b, q) <= 0)
            or (turn(points, b, c, p) <= 0 and turn(points, b, c, q) <= 0)
            or (turn(points, c, a, p) <= 0 and turn(points, c, a, q) <= 0)
        ):
            one, two, three = turn(points, p, q, a), turn(points, p, q, b), turn(points, p, q, c)
            if min(one, two, three) < 0 and max(one, two, three) > 0:
                return True
    return False
