"""Finding a place with enough room, near one that has not."""

import numpy as np

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, shared
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.clearance.kernels.sides import end_of, nearest_boundary, start_of, walk
from walkmesh.query.kernels import tolerances as tol

# How many walls and corners near a place are looked at.
_MOST = 64


@shared
def make_room(mesh, triangle, u, v, radius, limit, stack):
    """Find the nearest place, in straight sight, that is `radius` away from the boundary.

    It lies straight across from a wall or a corner, or at the same distance from two of them, no
    farther from (u, v) in `triangle` than `limit`. Returns the place and its triangle; -1 if there
    is none. `stack`, (3 t,) int32, is scratch. [Unit: m]
    """
    distance, _, _ = nearest_boundary(mesh, triangle, u, v, u, v, radius, stack)
    if distance >= radius - tol.PASSAGE_SLACK:
        return u, v, triangle
    # A corner is a wall that ends where it starts.
    walls = np.empty((_MOST, 5), np.float64)
    views = np.empty((len(stack), 4), np.float64)
    # Walls that are far away matter only if there is no room nearby.
    reach = 1.1 * (radius - distance)
    while True:
        reach = min(reach, limit)
        count = _in_sight(mesh, triangle, u, v, radius + reach, walls, stack, views)
        found_u, found_v, found = _nearest_room(
            mesh, triangle, u, v, radius, reach, walls, count, stack
        )
        if found >= 0 or reach >= limit:
            return found_u, found_v, found
        reach *= 4.0


@borrowing
def _nearest_room(mesh, triangle, u, v, radius, limit, walls, count, stack):
    """Return the nearest place that is far enough away from walls, and its triangle, or -1."""
    best, found_u, found_v, found = limit, u, v, -1
    # Mostly a place across from a single wall is the one; places between two are tried last.
    for pairs in range(2):
        for i in range(count):
            if walls[i, 4] > (best + radius) ** 2:
                break
            for j in range(2 * i if pairs else 1):
                if pairs:
                    xu, xv, is_place = _between(walls, i, j // 2, radius, j % 2)
                else:
                    xu, xv, is_place = _across(walls, i, u, v, radius)
                away = np.sqrt((xu - u) ** 2 + (xv - v) ** 2)
                if not is_place or away > best or (found >= 0 and away == best):
                    continue
                if not _is_clear(walls, count, xu, xv, radius):
                    continue
                there, arrived = walk(mesh, triangle, u, v, xu, xv)
                if not arrived:
                    continue
                distance, _, _ = nearest_boundary(mesh, there, xu, xv, xu, xv, radius, stack)
                if distance >= radius - tol.PASSAGE_SLACK:
                    best, found_u, found_v, found = away, xu, xv, there
    return found_u, found_v, found


@borrowing
def _in_sight(mesh, triangle, u, v, limit, walls, stack, views):
    """Collect the walls and corners in sight, the nearest first, and return how many they are.

    A row of `walls` has the start and the end of a wall, or a corner twice, and its distance.
    """
    count = 0
    waiting = 0
    for k in range(3):
        side = 3 * triangle + k
        au, av = start_of(mesh, side)
        bu, bv = end_of(mesh, side)
        count = _add(walls, count, limit, u, v, au, av, au, av)
        stack[waiting] = side
        views[waiting, 0], views[waiting, 1] = au, av
        views[waiting, 2], views[waiting, 3] = bu, bv
        waiting += 1
    looks = 0
    while waiting > 0 and looks < len(stack):
        looks += 1
        waiting -= 1
        side = stack[waiting]
        ru, rv, lu, lv = views[waiting, 0], views[waiting, 1], views[waiting, 2], views[waiting, 3]
        au, av = start_of(mesh, side)
        bu, bv = end_of(mesh, side)
        square, _ = to_segment(u, v, au, av, bu, bv)
        if square >= limit * limit:
            continue
        mate = mesh.mates[side]
        if mate < 0:
            count = _add(walls, count, limit, u, v, au, av, bu, bv)
            continue
        wu, wv = start_of(mesh, last_of(mate))
        beyond_right, beyond_left = turn_of(u, v, ru, rv, wu, wv), turn_of(u, v, lu, lv, wu, wv)
        if beyond_right >= 0.0 and beyond_left <= 0.0:
            count = _add(walls, count, limit, u, v, wu, wv, wu, wv)
        if beyond_right > 0.0 and waiting < len(stack):
            stack[waiting] = next_of(mate)
            views[waiting, 0], views[waiting, 1] = ru, rv
            views[waiting, 2], views[waiting, 3] = lu, lv
            if beyond_left < 0.0:
                views[waiting, 2], views[waiting, 3] = wu, wv
            waiting += 1
        if beyond_left < 0.0 and waiting < len(stack):
            stack[waiting] = last_of(mate)
            views[waiting, 0], views[waiting, 1] = ru, rv
            views[waiting, 2], views[waiting, 3] = lu, lv
            if beyond_right > 0.0:
                views[waiting, 0], views[waiting, 1] = wu, wv
            waiting += 1
    return count


@borrowing
def _add(walls, count, limit, u, v, au, av, bu, bv):
    """Add a wall or a corner to those in sight, unless it is known or too far away."""
    square, _ = to_segment(u, v, au, av, bu, bv)
    if square >= limit * limit or (count == len(walls) and square >= walls[count - 1, 4]):
        return count
    for i in range(count):
        if walls[i, 0] == au and walls[i, 1] == av and walls[i, 2] == bu and walls[i, 3] == bv:
            return count
    place = min(count, len(walls) - 1)
    while place > 0 and walls[place - 1, 4] > square:
        for column in range(5):
            walls[place, column] = walls[place - 1, column]
        place -= 1
    walls[place, 0], walls[place, 1], walls[place, 2], walls[place, 3] = au, av, bu, bv
    walls[place, 4] = square
    return min(count + 1, len(walls))


@borrowing
def _is_clear(walls, count, u, v, radius):
    """Tell whether a place is far enough away from all walls that are known."""
    for i in range(count):
        square, _ = to_segment(u, v, walls[i, 0], walls[i, 1], walls[i, 2], walls[i, 3])
        if square < (radius - tol.PASSAGE_SLACK) ** 2:
            return False
    return True


@borrowing
def _across(walls, i, u, v, radius):
    """Return the nearest place at a distance from wall i, and whether there is one."""
    au, av, bu, bv = walls[i, 0], walls[i, 1], walls[i, 2], walls[i, 3]
    if au == bu and av == bv:
        length = np.sqrt((u - au) ** 2 + (v - av) ** 2)
        if length == 0.0:
            return u, v, False
        return au + radius * (u - au) / length, av + radius * (v - av) / length, True
    du, dv = bu - au, bv - av
    length = np.sqrt(du * du + dv * dv)
    off = radius - turn_of(au, av, bu, bv, u, v) / length
    return u - off * dv / length, v + off * du / length, True


@borrowing
def _between(walls, i, j, radius, k):
    """Return one of two places at a distance from walls i and j, and whether it is there."""
    i_is_corner = walls[i, 0] == walls[i, 2] and walls[i, 1] == walls[i, 3]
    j_is_corner = walls[j, 0] == walls[j, 2] and walls[j, 1] == walls[j, 3]
    if i_is_corner and not j_is_corner:
        i, j = j, i
        i_is_corner, j_is_corner = False, True
    au, av = walls[i, 0], walls[i, 1]
    bu, bv = walls[j, 0], walls[j, 1]
    sign = 1.0 - 2.0 * k
    if i_is_corner:
        du, dv = bu - au, bv - av
        length = np.sqrt(du * du + dv * dv)
        if length == 0.0 or length > 2.0 * radius:
            return au, av, False
        up = sign * np.sqrt(radius * radius - 0.25 * length * length) / length
        return au + 0.5 * du - up * dv, av + 0.5 * dv + up * du, True
    du, dv = walls[i, 2] - au, walls[i, 3] - av
    length = np.sqrt(du * du + dv * dv)
    du, dv = du / length, dv / length
    au, av = au - radius * dv, av + radius * du
    if j_is_corner:
        along = (bu - au) * du + (bv - av) * dv
        off = (bv - av) * du - (bu - au) * dv
        if abs(off) > radius:
            return au, av, False
        along += sign * np.sqrt(radius * radius - off * off)
        return au + along * du, av + along * dv, True
    eu, ev = walls[j, 2] - bu, walls[j, 3] - bv
    length = np.sqrt(eu * eu + ev * ev)
    eu, ev = eu / length, ev / length
    bu, bv = bu - radius * ev, bv + radius * eu
    sine = du * ev - dv * eu
    if k == 1 or abs(sine) < tol.PARALLEL:
        return au, av, False
    along = ((bu - au) * ev - (bv - av) * eu) / sine
    return au + along * du, av + along * dv, True
