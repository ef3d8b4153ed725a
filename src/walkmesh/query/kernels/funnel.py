"""The funnel: the shortest path through a row of gates."""

from walkmesh.kernels.kernel import borrowing, shared_borrowing


@shared_borrowing
def pull_tight(rights, lefts, gates, path):
    """Find the path through a row of gates that is the shortest in plan.

    Parameters
    ----------
    rights, lefts : (g, 3) float64
        The ends of the gates in the plan frame, as seen when walking through. The first and the
        last gate are the start and the goal, their ends the same point. [Unit: m]
    gates : int
        How many there are.
    path : (g, 3) float64, output
        One point for each gate: where the path crosses it.
    """
    _copy(path, 0, rights, 0)
    apex = 0  # the gate up to which the path is known
    left, right = 0, 0  # the gates whose ends make the sides of the funnel; none at the apex
    gate = 1
    while gate < gates:
        # A side whose end is the apex itself (gates around one vertex share it) is no side either.
        no_right = right == apex or _same_place(path, apex, rights, right)
        no_left = left == apex or _same_place(path, apex, lefts, left)
        if no_right or _turn(path, apex, rights, right, rights, gate) >= 0.0:
            # The right side moves in; where it meets the left side, the path turns left there.
            if no_left or no_right or _turn(path, apex, lefts, left, rights, gate) < 0.0:
                right = gate
                no_right = _same_place(path, apex, rights, right)
            else:
                _walk_to(rights, lefts, path, apex, lefts, left)
                apex, right, gate = left, left, left + 1
                continue
        if no_left or _turn(path, apex, lefts, left, lefts, gate) <= 0.0:
            if no_left or no_right or _turn(path, apex, rights, right, lefts, gate) > 0.0:
                left = gate
            else:
                _walk_to(rights, lefts, path, apex, rights, right)
                apex, left, gate = right, right, right + 1
                continue
        gate += 1
    _walk_to(rights, lefts, path, apex, rights, gates - 1)


@borrowing
def _copy(target, i, source, j):
    for k in range(3):
        target[i, k] = source[j, k]


@borrowing
def _same_place(a, i, b, j):
    """Tell whether two points have the same place in plan."""
    return a[i, 0] == b[j, 0] and a[i, 1] == b[j, 1]


@borrowing
def _turn(a, i, b, j, c, k):
    """Return twice the area of the plan triangle a, b, c: positive for a turn to the left."""
    return (b[j, 0] - a[i, 0]) * (c[k, 1] - a[i, 1]) - (b[j, 1] - a[i, 1]) * (c[k, 0] - a[i, 0])


@borrowing
def _walk_to(rights, lefts, path, apex, ends, gate):
    """Write the path from the apex straight to the end of a gate, crossing those between."""
    _copy(path, gate, ends, gate)
    for k in range(apex + 1, gate):
        before = _turn(path, apex, path, gate, rights, k)
        after = _turn(path, apex, path, gate, lefts, k)
        part = 0.5
        if after != before:
            part = min(max(-before / (after - before), 0.0), 1.0)
        for axis in range(3):
            path[k, axis] = rights[k, axis] + part * (lefts[k, axis] - rights[k, axis])
