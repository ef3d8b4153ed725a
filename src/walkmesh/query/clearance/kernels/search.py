r"""The shortest way for a disc, but for the rounding of corners.

The search is Polyanya (M. Cui, D. Harabor and A. Grastien, Compromise-free pathfinding on a
navigation mesh): a node is a part of a side that is seen from the last turning point, its root.
Here a side a-b of two vertices is a gate from r beyond a to r before b, since the middle of a disc
of radius r crosses it nowhere else::

     a . . R========L . . b        closed if a-b is shorter than 2 r
            \      /
              root

Turning points are ends of gates. The corner's arc runs through them too, so what is found is the
shortest polyline through gates, and no path of the disc is shorter. With its corners rounded it is
the shortest path, or as good as: among 260 random rooms none was shorter by 1 in 10,000.
"""

import numpy as np

from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import next_of
from walkmesh.kernels.search.hashing import hash_pair
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.clearance.kernels.sides import end_of, start_of
from walkmesh.query.kernels import tolerances as tol

# A search with more nodes than this for each corner goes round in circles, on a mesh that is not
# sound; most have fewer than one.
_MOST_NODES = 100

# Columns of a node's numbers: the root, the length of the way to it, and the part of the gate in
# sight, from right to left.
_ROOT, _LENGTH, _RIGHT, _LEFT = 0, 2, 3, 5
# Columns of a node's ids: the side that is crossed, the node before, on which side of the way the
# corner is that it turned around last (0 if it went on straight), the root's key, and which ends of
# the part in sight are ends of the gate.
_SIDE, _BEFORE, _TURNED, _KEY, _ENDS = 0, 1, 2, 3, 4
_RIGHT_END, _LEFT_END = 1, 2


@kernel
def find_turns(mesh, radius, su, sv, start, gu, gv, goal):
    """Find the corners around which the shortest way of a disc with a radius turns.

    Start and goal both have enough room, and there is a way between their triangles. [Unit: m]

    Returns
    -------
    (k, 4) float64
        The corners in order: their place, 1 if it is to the left of the way and -1 if to the
        right, and the angle between the first and the last side that is crossed close to it.
    float
        The length of the shortest polyline through the gates; infinite if there is none. [Unit: m]
    """
    numbers = np.empty((256, 7), np.float64)
    ids = np.empty((256, 5), np.int64)
    keys = np.empty(256, np.float64)
    items = np.empty(256, np.int64)
    roots = np.full(256, -1, np.int64)
    lengths = np.empty(256, np.float64)
    givers = np.empty(256, np.int64)  # the node that each root was reached from
    known = 0
    nodes = 0
    waiting = 0
    found = -1
    bound = np.inf
    # The first expansion is that of a node that sees all of its triangle.
    node = -1
    while nodes <= _MOST_NODES * len(mesh.corners) + 64:
        if nodes + 8 > len(ids):
            numbers, ids, keys, items = _grown(numbers, ids, keys, items, nodes)
        if 2 * (known + 8) > len(roots):
            roots, lengths, givers = _rehashed(roots, lengths, givers)
        entered = -1
        triangle = start
        if node >= 0:
            entered = mesh.mates[ids[node, _SIDE]]
            triangle = entered // 3
        if triangle == goal:
            length, turned = _last_leg(numbers, ids, node, su, sv, gu, gv)
            if length < np.inf:
                ids[nodes, _SIDE], ids[nodes, _BEFORE], ids[nodes, _TURNED] = -1, node, turned
                ids[nodes, _KEY] = -1
                heap_push(keys, items, waiting, length, nodes)
                nodes += 1
                waiting += 1
        else:
            for k in range(3):
                side = 3 * triangle + k
                if side == entered or mesh.mates[side] < 0:
                    continue
                first = nodes
                if node < 0:
                    nodes = _see_gate(mesh, radius, numbers, ids, nodes, side, su, sv)
                else:
                    nodes = _cross_triangle(mesh, radius, numbers, ids, nodes, node, side)
                kept = first
                for new in range(first, nodes):
                    if ids[new, _TURNED] != 0:
                        key, length = ids[new, _KEY], numbers[new, _LENGTH]
                        more = _note_way(roots, lengths, givers, key, length, node)
                        if more < 0:
                            continue
                        known += more
                    for column in range(7):
                        numbers[kept, column] = numbers[new, column]
                    for column in range(5):
                        ids[kept, column] = ids[new, column]
                    length = numbers[kept, _LENGTH] + _remaining(mesh, numbers, kept, side, gu, gv)
                    heap_push(keys, items, waiting, length, kept)
                    kept += 1
                    waiting += 1
                nodes = kept
        while waiting > 0:
            key, item = heap_pop(keys, items, waiting)
            waiting -= 1
            if ids[item, _SIDE] < 0:
                found, bound = item, key
                break
            root = ids[item, _KEY]
            if root < 0 or numbers[item, _LENGTH] <= lengths[_place(roots, root)] + tol.SAME_POINT:
                node = item
                break
            node = -1
        else:
            break
        if found >= 0:
            break
    return _turns(mesh, numbers, ids, found), bound


@borrowing
def _note_way(roots, lengths, givers, key, length, node):
    """Note a way to a root; return 1 if the root is new, -1 if a way as short was known before."""
    place = _place(roots, key)
    # Of several ways to a root that are as long, the first is enough.
    known_before = roots[place] == key and givers[place] != node
    if known_before and lengths[place] <= length + 0.5 * tol.SAME_POINT:
        return -1
    is_new = roots[place] < 0
    if is_new:
        roots[place] = key
    lengths[place], givers[place] = length, node
    return 1 if is_new else 0


@borrowing
def gate(mesh, radius, side):
    """Return the right and the left end of a gate, and whether it is open."""
    au, av = start_of(mesh, side)
    bu, bv = end_of(mesh, side)
    length = np.sqrt((bu - au) ** 2 + (bv - av) ** 2)
    if length < 2.0 * radius - tol.PASSAGE_SLACK or length == 0.0:
        return au, av, bu, bv, False
    inset = min(radius / length, 0.5)
    du, dv = inset * (bu - au), inset * (bv - av)
    return au + du, av + dv, bu - du, bv - dv, True


@borrowing
def _see_gate(mesh, radius, numbers, ids, nodes, side, su, sv):
    """Add the node of a gate of the first triangle, and return how many nodes there are."""
    ru, rv, lu, lv, is_open = gate(mesh, radius, side)
    if not is_open:
        return nodes
    numbers[nodes, _ROOT], numbers[nodes, _ROOT + 1], numbers[nodes, _LENGTH] = su, sv, 0.0
    numbers[nodes, _RIGHT], numbers[nodes, _RIGHT + 1] = ru, rv
    numbers[nodes, _LEFT], numbers[nodes, _LEFT + 1] = lu, lv
    ids[nodes, _SIDE], ids[nodes, _BEFORE], ids[nodes, _TURNED] = side, -1, 0
    ids[nodes, _KEY], ids[nodes, _ENDS] = -1, _RIGHT_END | _LEFT_END
    return nodes + 1


@borrowing
def _cross_triangle(mesh, radius, numbers, ids, nodes, node, side):
    """Add the nodes of a gate as seen through a node, and return how many nodes there are.

    There are up to three: what the root sees; what is seen from the node's left end, further left;
    and from its right end, further right.
    """
    pu, pv, qu, qv, is_open = gate(mesh, radius, side)
    if not is_open:
        return nodes
    ou, ov = numbers[node, _ROOT], numbers[node, _ROOT + 1]
    ru, rv = numbers[node, _RIGHT], numbers[node, _RIGHT + 1]
    lu, lv = numbers[node, _LEFT], numbers[node, _LEFT + 1]
    length, ends = numbers[node, _LENGTH], ids[node, _ENDS]
    # Where the rays along both ends of the view meet the gate, from 0 at its right to 1.
    p_right, q_right = _beside(ou, ov, ru, rv, pu, pv), _beside(ou, ov, ru, rv, qu, qv)
    p_left, q_left = _beside(ou, ov, lu, lv, pu, pv), _beside(ou, ov, lu, lv, qu, qv)
    from_right, to_left = 0.0, 1.0
    if q_right < 0.0:
        from_right = 1.0
    elif p_right < 0.0:
        from_right = p_right / (p_right - q_right)
    if p_left > 0.0:
        to_left = 0.0
    elif q_left > 0.0:
        to_left = p_left / (p_left - q_left)
    for k in range(3):
        turned, key, kept = 0, ids[node, _KEY], 0
        nu, nv, begin, end = ou, ov, from_right, to_left
        if k == 0:
            if q_right < 0.0 or p_left > 0.0:
                continue
            if begin > end:
                # Both rays pass through one place, but for rounding.
                if (begin - end) * np.sqrt((qu - pu) ** 2 + (qv - pv) ** 2) > tol.SAME_POINT:
                    continue
                begin = end
            if p_right >= 0.0:
                kept |= _RIGHT_END
            if q_left <= 0.0:
                kept |= _LEFT_END
        elif k == 1:
            if q_left <= 0.0 or not ends & _LEFT_END:
                continue
            turned, nu, nv, begin, end = 1, lu, lv, to_left, 1.0
            kept = _LEFT_END if p_left <= 0.0 else _LEFT_END | _RIGHT_END
            key = _root_key(mesh, ids[node, _SIDE], 1)
        else:
            if p_right >= 0.0 or not ends & _RIGHT_END:
                continue
            turned, nu, nv, begin, end = -1, ru, rv, 0.0, from_right
            kept = _RIGHT_END if q_right >= 0.0 else _LEFT_END | _RIGHT_END
            key = _root_key(mesh, ids[node, _SIDE], 0)
        numbers[nodes, _ROOT], numbers[nodes, _ROOT + 1] = nu, nv
        numbers[nodes, _LENGTH] = length + np.sqrt((nu - ou) ** 2 + (nv - ov) ** 2)
        numbers[nodes, _RIGHT] = pu + begin * (qu - pu)
        numbers[nodes, _RIGHT + 1] = pv + begin * (qv - pv)
        numbers[nodes, _LEFT] = pu + end * (qu - pu)
        numbers[nodes, _LEFT + 1] = pv + end * (qv - pv)
        ids[nodes, _SIDE], ids[nodes, _BEFORE], ids[nodes, _TURNED] = side, node, turned
        ids[nodes, _KEY], ids[nodes, _ENDS] = key, kept
        nodes += 1
    return nodes


@borrowing
def _beside(au, av, bu, bv, cu, cv):
    """Tell on which side of the ray from a over b a place c is; 0 if on it, but for rounding.

    What is in line must be so from every root: else each leaves it to the other to turn there.
    """
    across = turn_of(au, av, bu, bv, cu, cv)
    if across * across <= tol.SAME_POINT * tol.SAME_POINT * ((bu - au) ** 2 + (bv - av) ** 2):
        return 0.0
    return across


@borrowing
def _root_key(mesh, side, left):
    """Return a number for the right or left end of a gate, the same seen from both triangles."""
    mate = mesh.mates[side]
    if mate < side:
        return 2 * mate + 1 - left
    return 2 * side + left


@borrowing
def _last_leg(numbers, ids, node, su, sv, gu, gv):
    """Return the length of the way through a node to the goal, and on which side it turns."""
    if node < 0:
        return np.sqrt((gu - su) ** 2 + (gv - sv) ** 2), 0
    ou, ov = numbers[node, _ROOT], numbers[node, _ROOT + 1]
    length = numbers[node, _LENGTH]
    for left in range(2):
        column = _LEFT if left else _RIGHT
        eu, ev = numbers[node, column], numbers[node, column + 1]
        beyond = turn_of(ou, ov, eu, ev, gu, gv)
        if (left and beyond > 0.0) or (not left and beyond < 0.0):
            if not ids[node, _ENDS] & (_LEFT_END if left else _RIGHT_END):
                return np.inf, 0
            length += np.sqrt((eu - ou) ** 2 + (ev - ov) ** 2)
            return length + np.sqrt((gu - eu) ** 2 + (gv - ev) ** 2), 2 * left - 1
    return length + np.sqrt((gu - ou) ** 2 + (gv - ov) ** 2), 0


@borrowing
def _remaining(mesh, numbers, node, side, gu, gv):
    """Return how long the way from a node's root through its part of a side is at least."""
    au, av = start_of(mesh, side)
    bu, bv = end_of(mesh, side)
    ou, ov = numbers[node, _ROOT], numbers[node, _ROOT + 1]
    if turn_of(au, av, bu, bv, gu, gv) > 0.0:
        # The goal is on this side: its mirror image is as far from every place on the side.
        du, dv = bu - au, bv - av
        off = 2.0 * turn_of(au, av, bu, bv, gu, gv) / (du * du + dv * dv)
        gu, gv = gu + off * dv, gv - off * du
    for left in range(2):
        column = _LEFT if left else _RIGHT
        eu, ev = numbers[node, column], numbers[node, column + 1]
        beyond = turn_of(ou, ov, eu, ev, gu, gv)
        if (left and beyond > 0.0) or (not left and beyond < 0.0):
            return np.sqrt((eu - ou) ** 2 + (ev - ov) ** 2) + np.sqrt(
                (gu - eu) ** 2 + (gv - ev) ** 2
            )
    return np.sqrt((gu - ou) ** 2 + (gv - ov) ** 2)


@borrowing
def _place(roots, key):
    """Return where in the table a root is, or would be."""
    place = hash_pair(key & 0x7FFFFFFF, key >> 31, len(roots) - 1)
    while roots[place] >= 0 and roots[place] != key:
        place = (place + 1) & (len(roots) - 1)
    return place


@kernel
def _rehashed(roots, lengths, givers):
    """Return a table of roots with twice as much room."""
    more = np.full(2 * len(roots), -1, np.int64)
    more_lengths, more_givers = np.empty(len(more), np.float64), np.empty(len(more), np.int64)
    for i in range(len(roots)):
        if roots[i] >= 0:
            place = _place(more, roots[i])
            more[place], more_lengths[place] = roots[i], lengths[i]
            more_givers[place] = givers[i]
    return more, more_lengths, more_givers


@kernel
def _grown(numbers, ids, keys, items, count):
    """Return the arrays of nodes with twice as much room."""
    size = 2 * len(ids)
    more_numbers, more_ids = np.empty((size, 7), np.float64), np.empty((size, 5), np.int64)
    more_keys, more_items = np.empty(size, np.float64), np.empty(size, np.int64)
    for i in range(count):
        for column in range(7):
            more_numbers[i, column] = numbers[i, column]
        for column in range(5):
            more_ids[i, column] = ids[i, column]
        more_keys[i], more_items[i] = keys[i], items[i]
    return more_numbers, more_ids, more_keys, more_items


@kernel
def _turns(mesh, numbers, ids, last):
    """Return the corners on the way to a node, from first to last, see `find_turns`."""
    count = 0
    node = last
    while node >= 0:
        if ids[node, _TURNED] != 0:
            count += 1
        node = ids[node, _BEFORE]
    turns = np.empty((count, 4), np.float64)
    first = count
    vertex = -1
    au, av = 0.0, 0.0
    node = last
    while node >= 0:
        turned = ids[node, _TURNED]
        before = ids[node, _BEFORE]
        if turned != 0:
            side = ids[before, _SIDE]
            corner = mesh.corners[next_of(side)] if turned > 0 else mesh.corners[side]
            column = _LEFT if turned > 0 else _RIGHT
            eu = numbers[before, column] - mesh.points[corner, 0]
            ev = numbers[before, column + 1] - mesh.points[corner, 1]
            if corner == vertex and turns[first, 2] == turned:
                turns[first, 3] += abs(np.arctan2(eu * av - ev * au, eu * au + ev * av))
            else:
                first -= 1
                turns[first, 0], turns[first, 1] = mesh.points[corner, 0], mesh.points[corner, 1]
                turns[first, 2], turns[first, 3] = turned, 0.0
            vertex, au, av = corner, eu, ev
        node = before
    for i in range(first, count):
        for column in range(4):
            turns[i - first, column] = turns[i, column]
    return turns[: count - first]
