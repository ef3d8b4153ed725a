r"""Pulling a path tight around discs.

A path that keeps the distance r is a string around discs of radius r: straight from disc to disc,
along the tangents, and around each disc on an arc. It is written as a polyline of tangents, which
stay outside of their disc however few they are::

          .---x---.            tangents at the arc's begin and end, and between them every few
        x'    _    'x          degrees; x where two of them meet
       /    (   )    \
              c

The corners that the search turned around are almost always all that the path touches. Whatever else
turns out to be too near is added, and what the path need not touch any more is left out, until
every part of it has been looked at and found clear.
"""

import numpy as np

from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.query.clearance.kernels.sides import nearest_boundary, walk
from walkmesh.query.kernels import tolerances as tol

# The largest angle between two tangents of an arc. [rad]
_STEP = 0.06
# How often a path is looked over before it is given up.
_ROUNDS = 100


@kernel
def pull_tight(mesh, radius, turns, su, sv, start, gu, gv, stack):
    """Return the shortest path around corners that keeps `radius` clear of everything.

    The corners are the turns of `find_turns`, (k, 4) float64; `stack`, (3 t,) int32, is scratch.
    Returns the path, (m, 2) float64; whether it is clear; and whether it was bent around corners
    that are not among the turns. [Unit: m]
    """
    count = len(turns)
    discs = np.empty((2 * count + 2, 4), np.float64)
    for i in range(count):
        for column in range(4):
            discs[i, column] = turns[i, column]
    tangents = np.empty((0, 3), np.float64)
    further = 0
    is_bent = False
    for _ in range(_ROUNDS):
        count = _drop_slack(discs, count, radius, su, sv, gu, gv)
        size = _path_size(discs, count, radius, su, sv, gu, gv, further)
        path, owners = np.empty((size, 2), np.float64), np.empty(size, np.int64)
        size = _lay_path(discs, count, radius, su, sv, gu, gv, tangents, further, path, owners)
        lacks = np.empty((size, 3), np.float64)
        parts, is_clear = _look_over(mesh, radius, start, path, size, lacks, stack)
        if is_clear:
            return _without_straight(path, owners, size), True, is_bent
        discs = _with_room(discs, count, 2 * count + 2)
        tangents = _with_room(tangents, further, further + parts)
        more, further_more = _mend(
            discs, count, tangents, further, radius, path, owners, lacks, parts
        )
        if more == count and further_more == further:
            break
        is_bent = is_bent or more > count
        count, further = more, further_more
    return np.empty((0, 2), np.float64), False, is_bent


@borrowing
def _look_over(mesh, radius, start, path, size, lacks, stack):
    """Find what is too near to each part of a path of `size` points.

    `lacks`, (size, 3) float64, gets by how much the part from each point to the next is too near to
    the boundary, 0 if it is not, and the place that it is too near to. Returns the number of parts
    that were looked at, since those after one that leads outside are not; and whether all of them
    are clear. [Unit: m]
    """
    triangle = start
    is_clear = True
    wanted = radius - tol.CLEARANCE_SLACK
    for i in range(size - 1):
        pu, pv, qu, qv = path[i, 0], path[i, 1], path[i + 1, 0], path[i + 1, 1]
        distance, xu, xv = nearest_boundary(mesh, triangle, pu, pv, qu, qv, wanted, stack)
        lacks[i, 0], lacks[i, 1], lacks[i, 2] = max(wanted - distance, 0.0), xu, xv
        triangle, arrived = walk(mesh, triangle, pu, pv, qu, qv)
        is_clear = is_clear and arrived and lacks[i, 0] == 0.0
        if not arrived:
            return i + 1, False
    return size - 1, is_clear


@borrowing
def _mend(discs, count, tangents, further, radius, path, owners, lacks, parts):
    """Add what is too near to the discs, or further tangents to arcs.

    What is too near to parts that follow each other is mostly the same, so only the worst of a run
    of them is added. Returns how many discs and tangents there are now.

    Parameters
    ----------
    discs : (m, 4) float64, changed
        The first `count` are the discs, as the turns are given to `pull_tight`, with room for twice
        as many and two more.
    tangents : (l, 3) float64, changed
        The first `further` are the tangents that arcs need where the other side is as near as can
        be: the centre of the arc and the direction from there. There is room for one more for each
        part.
    radius : float
        The distance to keep from the boundary. [Unit: m]
    path, owners, lacks, parts
        As `_lay_path` wrote them and `_look_over` found them.
    """
    shift = 0
    worst, place, side = 0.0, 0, 0.0
    xu, xv = 0.0, 0.0
    for i in range(parts + 1):
        lack, owner = 0.0, 0
        if i < parts:
            lack, owner = lacks[i, 0], owners[i + 1]
        disc = owner // 2 + shift
        if lack > 0.0 and owner % 2 == 1:
            cu, cv = lacks[i, 1] - discs[disc, 0], lacks[i, 2] - discs[disc, 1]
            if cu * cu + cv * cv > (2.0 * radius - 4.0 * tol.CLEARANCE_SLACK) ** 2:
                # The point where two tangents meet is too near to what the arc just passes.
                tangents[further, 0], tangents[further, 1] = discs[disc, 0], discs[disc, 1]
                tangents[further, 2] = np.arctan2(cv, cu)
                further += 1
                continue
        if lack > worst:
            worst, place, xu, xv = lack, disc, lacks[i, 1], lacks[i, 2]
            du, dv = path[i + 1, 0] - path[i, 0], path[i + 1, 1] - path[i, 1]
            if owner % 2 == 1:
                side = discs[disc, 2]
                if (xu - discs[disc, 0]) * du + (xv - discs[disc, 1]) * dv > 0.0:
                    place += 1
            else:
                side = 1.0 if du * (xv - path[i, 1]) - dv * (xu - path[i, 0]) > 0.0 else -1.0
        elif worst > 0.0 and lack == 0.0 and owner % 2 == 0:
            worst = 0.0
            if not _is_there(discs, count, place, xu, xv, side):
                _insert(discs, count, place, xu, xv, side)
                count += 1
                shift += 1
    return count, further


@borrowing
def _is_there(discs, count, place, u, v, side):
    """Tell whether one of the discs around a place in the order is the same."""
    for i in range(max(place - 1, 0), min(place + 1, count)):
        if (
            discs[i, 2] == side
            and (discs[i, 0] - u) ** 2 + (discs[i, 1] - v) ** 2 < tol.SAME_POINT**2
        ):
            return True
    return False


@borrowing
def _insert(discs, count, place, u, v, side):
    """Put a disc between those of a path; there must be room."""
    for i in range(count, place, -1):
        for column in range(4):
            discs[i, column] = discs[i - 1, column]
    discs[place, 0], discs[place, 1], discs[place, 2], discs[place, 3] = u, v, side, 0.0


@borrowing
def _link(discs, count, radius, su, sv, gu, gv, i):
    """Return the straight part that leads to disc i, or to the goal: from, to, and its direction.

    With n the normal to the left of the direction, the string runs at a - s_a r n and b - s_b r n,
    where s is 1 for a disc to its left and -1 for one to its right; the way between is square to n.
    """
    au, av, bu, bv = su, sv, gu, gv
    off_a, off_b = 0.0, 0.0
    if i > 0:
        au, av, off_a = discs[i - 1, 0], discs[i - 1, 1], -discs[i - 1, 2] * radius
    if i < count:
        bu, bv, off_b = discs[i, 0], discs[i, 1], -discs[i, 2] * radius
    du, dv = bu - au, bv - av
    length = np.sqrt(du * du + dv * dv)
    if length == 0.0:
        return au, av, bu, bv, 1.0, 0.0
    du, dv = du / length, dv / length
    sine = min(max((off_b - off_a) / length, -1.0), 1.0)
    cosine = np.sqrt(1.0 - sine * sine)
    eu, ev = du * cosine - dv * sine, du * sine + dv * cosine
    return au - off_a * ev, av + off_a * eu, bu - off_b * ev, bv + off_b * eu, eu, ev


@borrowing
def _angle(discs, count, radius, su, sv, gu, gv, i):
    """Return the angle of the arc around disc i; negative if the string does not touch it."""
    _, _, _, _, au, av = _link(discs, count, radius, su, sv, gu, gv, i)
    _, _, _, _, bu, bv = _link(discs, count, radius, su, sv, gu, gv, i + 1)
    angle = discs[i, 2] * np.arctan2(au * bv - av * bu, au * bu + av * bv)
    # More than half a turn is told from less than none by the sides crossed near the corner.
    over = angle - discs[i, 3]
    return discs[i, 3] + over - 2.0 * np.pi * np.round(over / (2.0 * np.pi))


@borrowing
def _drop_slack(discs, count, radius, su, sv, gu, gv):
    """Leave out the discs that a tight string does not touch, and return how many are left."""
    i = 0
    while i < count:
        if _angle(discs, count, radius, su, sv, gu, gv, i) >= tol.SAME_TURN:
            i += 1
            continue
        for j in range(i, count - 1):
            for column in range(4):
                discs[j, column] = discs[j + 1, column]
        count -= 1
        i = max(i - 1, 0)
    return count


@borrowing
def _path_size(discs, count, radius, su, sv, gu, gv, further):
    """Return how many points a path has at most."""
    size = 2 + further
    for i in range(count):
        size += 4 + int(_angle(discs, count, radius, su, sv, gu, gv, i) / _STEP)
    return size


@borrowing
def _lay_path(discs, count, radius, su, sv, gu, gv, tangents, further, path, owners):
    """Write the path, and what each part of it belongs to, and return the number of points.

    The part that ends at point k is an arc around disc i for ``owners[k] == 2 i + 1``, and the
    straight part before disc i for ``2 i``.
    """
    path[0, 0], path[0, 1], owners[0] = su, sv, 0
    size = 1
    for i in range(count):
        _, _, tu, tv, eu, ev = _link(discs, count, radius, su, sv, gu, gv, i)
        angle = _angle(discs, count, radius, su, sv, gu, gv, i)
        cu, cv, side = discs[i, 0], discs[i, 1], discs[i, 2]
        path[size, 0], path[size, 1], owners[size] = tu, tv, 2 * i
        size += 1
        first = np.arctan2(-side * eu, side * ev)  # the direction from the centre to the tangent
        done = 0.0
        while done < angle:
            following = angle
            steps = int(np.ceil((angle - done) / _STEP))
            if steps > 1:
                following = done + (angle - done) / steps
            for j in range(further):
                if (
                    abs(tangents[j, 0] - cu) < tol.SAME_POINT
                    and abs(tangents[j, 1] - cv) < tol.SAME_POINT
                ):
                    ahead = side * (tangents[j, 2] - first)
                    ahead -= 2.0 * np.pi * np.floor((ahead - done) / (2.0 * np.pi))
                    if ahead > done + tol.ARC_AHEAD and ahead < following:
                        following = ahead
            middle = first + side * 0.5 * (done + following)
            reach = radius / np.cos(0.5 * (following - done))
            path[size, 0], path[size, 1] = cu + reach * np.cos(middle), cv + reach * np.sin(middle)
            owners[size] = 2 * i + 1
            size += 1
            done = following
        au, av, _, _, _, _ = _link(discs, count, radius, su, sv, gu, gv, i + 1)
        path[size, 0], path[size, 1], owners[size] = au, av, 2 * i + 1
        size += 1
    path[size, 0], path[size, 1], owners[size] = gu, gv, 2 * count
    return size + 1


@kernel
def _with_room(rows, count, capacity):
    """Return an array with the first rows of another, and room for more."""
    if capacity <= len(rows):
        return rows
    more = np.empty((capacity, rows.shape[1]), np.float64)
    for i in range(count):
        for column in range(rows.shape[1]):
            more[i, column] = rows[i, column]
    return more


@kernel
def _without_straight(path, owners, size):
    """Return the path without the points in which it touches discs: they lie on tangents."""
    result = np.empty((size, 2), np.float64)
    kept = 0
    for i in range(size):
        if 0 < i < size - 1 and owners[i] % 2 != owners[i + 1] % 2:
            continue
        result[kept, 0], result[kept, 1] = path[i, 0], path[i, 1]
        kept += 1
    return result[:kept]
