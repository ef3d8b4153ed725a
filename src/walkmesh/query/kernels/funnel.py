"""The funnel: the shortest path through a row of gates."""

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.query.kernels import tolerances as tol


@shared_borrowing
def pull_tight(rights, lefts, gates, path):
    """Find the path through a row of gates that is the shortest in plan.

    The ends of the gates, (g, 3) float64 in the plan frame, are as seen when walking through. The
    first and the last gate are the start and the goal, their ends the same point. The path gets one
    point for each gate, where it crosses it. [Unit: m]
    """
    _copy(path, 0, rights, 0)
    apex = 0  # the gate up to which the path is known
    left, right = 0, 0  # the gates whose ends make the sides of the funnel; none at the apex
    gate = 1
    while gate < gates:
        if gate == apex + 1 and _is_on_gate(path, apex, rights, lefts, gate):
            # One stands in the gate already, as at a vertex that several gates share.
            _copy(path, gate, path, apex)
            apex, left, right = gate, gate, gate
            gate += 1
            continue
        open_right, open_left = right == apex, left == apex
        if open_right or _turn(path, apex, rights, right, rights, gate) >= 0.0:
            # The right side moves in; where it meets the left side, the path turns left there.
            if open_left or not _passes(1.0, path, apex, lefts, left, rights, gate):
                right = gate
            else:
                _walk_to(rights, lefts, path, apex, lefts, left)
                apex, right, gate = left, left, left + 1
                continue
        if open_left or _turn(path, apex, lefts, left, lefts, gate) <= 0.0:
            if open_right or not _passes(-1.0, path, apex, rights, right, lefts, gate):
                left = gate
            else:
                _walk_to(rights, lefts, path, apex, rights, right)
                apex, left, gate = right, right, right + 1
                continue
        gate += 1
    _walk_to(rights, lefts, path, apex, rights, gates - 1)


@borrowing
def _is_on_gate(path, apex, rights, lefts, gate):
    """Tell whether the apex lies on a gate."""
    u, v = path[apex, 0], path[apex, 1]
    square, _ = to_segment(u, v, rights[gate, 0], rights[gate, 1], lefts[gate, 0], lefts[gate, 1])
    return square <= tol.SAME_POINT * tol.SAME_POINT


@borrowing
def _passes(sign, path, apex, others, other, ends, end):
    """Tell whether a side of the funnel that moves in to an end passes the other side.

    `sign` is 1 for the right side and -1 for the left. A funnel is closed where a gate lies in line
    with the apex: the farther end of the gate is no obstacle on the way to the nearer one then.
    """
    au, av = others[other, 0] - path[apex, 0], others[other, 1] - path[apex, 1]
    bu, bv = ends[end, 0] - path[apex, 0], ends[end, 1] - path[apex, 1]
    turn = sign * (au * bv - av * bu)
    other_square, end_square = au * au + av * av, bu * bu + bv * bv
    if turn * turn <= tol.SAME_DIRECTION * tol.SAME_DIRECTION * other_square * end_square:
        return au * bu + av * bv > 0.0 and end_square >= other_square
    return turn > 0.0


@borrowing
def _copy(target, i, source, j):
    for k in range(3):
        target[i, k] = source[j, k]


@borrowing
def _turn(a, i, b, j, c, k):
    """Return twice the area of the plan triangle a, b, c: positive for a turn to the left."""
    return turn_of(a[i, 0], a[i, 1], b[j, 0], b[j, 1], c[k, 0], c[k, 1])


@borrowing
def _walk_to(rights, lefts, path, apex, ends, gate):
    """Write the path from the apex straight to the end of a gate, crossing those between."""
    _copy(path, gate, ends, gate)
    for k in range(apex + 1, gate):
        before = _turn(path, apex, path, gate, rights, k)
        after = _turn(path, apex, path, gate, lefts, k)
        if after != before:
            part = min(max(-before / (after - before), 0.0), 1.0)
        else:
            # The way is along the gate, or has no length: it comes to the end nearest to the apex.
            u, v = path[apex, 0], path[apex, 1]
            _, part = to_segment(u, v, rights[k, 0], rights[k, 1], lefts[k, 0], lefts[k, 1])
        for axis in range(3):
            path[k, axis] = rights[k, axis] + part * (lefts[k, axis] - rights[k, axis])
