r"""The shortest path in plan (Polyanya: Cui, Harabor and Grastien 2017), over floors and links.

A search node is a piece of a side, all of which is seen from one *root*: the start, a corner that
the path turns at, or the end of a link. Behind the side lies a convex polygon; what is seen of its
other sides through the piece are nodes again, and what lies beside that is seen from the ends of
the piece, where those are corners::

              seen from the root
              +--------------+
             /  \          /  \
            /    \        /    \    beside: seen from `left` or `right`
           +------+------+------+
               left \  / right
                    root

Only the plan counts; floors above each other are told apart by what is next to what.
"""

import math

from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.steps import FROM_START, NO_ROOM, NO_WAY, polygon_after, reverse
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.kernels.jumps import COST, END_U, END_V, START_U, START_V

# The parts of a side, in the order in which they come.
_TO_RIGHT, _SEEN, _TO_LEFT = range(3)


@shared_borrowing
def find_shortest(mesh, scratch, stamp, start, u, v, goal, goal_u, goal_v, thrift, pruned):
    """Search the shortest way in plan from a place in one polygon to a place in another.

    Returns the node that enters the goal's polygon, or a code. The `spans`, `nodes`, `best`,
    `marks` and heap of the scratch are used, with a stamp that no search with it had before.
    `thrift` is the least that any link costs for each metre that it leads on, at most 1. If
    `pruned`, only the blocks that are marked with the stamp are searched. [Unit: m]
    """
    spans, nodes, best = scratch.spans, scratch.nodes, scratch.best
    nodes[0, col.PARENT], nodes[0, col.STEP], nodes[0, col.ROOT] = -1, FROM_START, -1
    spans[0, col.ROOT_U], spans[0, col.ROOT_V], spans[0, col.GONE] = u, v, 0.0
    count, waiting = 1, 0
    # Where links save way, one may lead through the goal's polygon and back to it: a node that
    # enters it waits twice then, as a way to the goal and, negated, as a way to elsewhere.
    node, passing = 0, thrift < 1.0
    if passing and start == goal:
        direct = math.sqrt((goal_u - u) ** 2 + (goal_v - v) ** 2)
        heap_push(scratch.keys, scratch.items, 0, direct, 0)
        waiting = 1
    while True:
        root = nodes[node, col.ROOT]
        # A root that was reached by a shorter way since is of no use any more.
        if root < 0 or spans[node, col.GONE] <= best[root, 0] + tol.SAME_POINT:
            step = nodes[node, col.STEP]
            polygon = start if step == FROM_START else polygon_after(mesh, step)
            if polygon == goal and not passing:
                return node
            before = count
            count = expand(mesh, scratch, stamp, start, node, polygon, count, pruned)
            if count == NO_ROOM:
                return NO_ROOM
            if count == before + 1 and polygon_after(mesh, nodes[before, col.STEP]) != goal:
                node = before  # the only way on
                continue
            for new in range(before, count):
                gone = spans[new, col.GONE]
                rest = _least_rest(mesh, spans, nodes, new, goal_u, goal_v)
                elsewhere = polygon_after(mesh, nodes[new, col.STEP]) != goal
                if not elsewhere:
                    heap_push(scratch.keys, scratch.items, waiting, gone + rest, new)
                    waiting += 1
                if elsewhere or thrift < 1.0:
                    key = gone + thrift * rest
                    heap_push(scratch.keys, scratch.items, waiting, key, -1 - new)
                    waiting += 1
        if waiting == 0:
            return NO_WAY
        _, node = heap_pop(scratch.keys, scratch.items, waiting)
        waiting -= 1
        passing = node < 0
        if passing:
            node = -1 - node


@borrowing
def expand(mesh, scratch, stamp, start, node, polygon, count, pruned):
    """Add all nodes that follow a node in the polygon that it leads to.

    None leads back to the polygon that its root lies in, where everything is seen from the root:
    around a root on a vertex, there would be no end of nodes. Returns the new number of nodes, or
    `NO_ROOM`.
    """
    corners = mesh.polygons[polygon + 1, col.FIRST] - mesh.polygons[polygon, col.FIRST]
    jumps = mesh.polygons[polygon + 1, col.JUMPS] - mesh.polygons[polygon, col.JUMPS]
    if count + 3 * corners + jumps > len(scratch.nodes):
        return NO_ROOM
    root = scratch.nodes[node, col.ROOT]
    home = start if root < 0 else -1
    if root >= 2 * len(mesh.points):
        home = mesh.targets[root - 2 * len(mesh.points), col.POLYGON]
    if scratch.nodes[node, col.STEP] >= 0:
        count = _look_through(mesh, scratch, stamp, home, node, polygon, count, pruned)
    else:
        count = _look_around(mesh, scratch, stamp, node, polygon, count, pruned)
    if jumps > 0:
        count = _jump(mesh, scratch, stamp, node, polygon, count, pruned)
    return count


@borrowing
def list_steps(nodes, node, steps):
    """Write the steps (sides and jumps) that lead to a node, in order, and return how many."""
    count = 0
    while nodes[node, col.PARENT] >= 0:
        steps[count] = nodes[node, col.STEP]
        count += 1
        node = nodes[node, col.PARENT]
    reverse(steps, count)
    return count


@borrowing
def _look_around(mesh, scratch, stamp, node, polygon, count, pruned):
    """Add the sides of the polygon that a node's root lies in; return the new number of nodes."""
    spans, points = scratch.spans, mesh.points
    u, v, gone = spans[node, col.ROOT_U], spans[node, col.ROOT_V], spans[node, col.GONE]
    root = scratch.nodes[node, col.ROOT]
    first, stop = mesh.polygons[polygon, col.FIRST], mesh.polygons[polygon + 1, col.FIRST]
    a = mesh.sides[stop - 1, col.VERTEX]
    side = stop - 1
    for corner in range(first, stop):
        b = mesh.sides[corner, col.VERTEX]
        count = _add(
            mesh, scratch, stamp, node, side, count, pruned, (u, v, root, gone),
            (b, points[b, 0], points[b, 1]), (a, points[a, 0], points[a, 1]),
        )  # fmt: skip
        side, a = corner, b
    return count


@borrowing
def _look_through(mesh, scratch, stamp, home, node, polygon, count, pruned):
    """Add what is seen through a node's piece of a side; return the new number of nodes.

    Counter-clockwise from the piece, the other sides of the polygon pass from the right to the
    left. The ray from the root over the right end cuts one of them, and the ray over the left end
    the same or a later one; so a side has up to three parts, right of what is seen, seen, and left
    of it.
    """
    spans, nodes, points, sides = scratch.spans, scratch.nodes, mesh.points, mesh.sides
    u, v, gone = spans[node, col.ROOT_U], spans[node, col.ROOT_V], spans[node, col.GONE]
    left_u, left_v = spans[node, col.LEFT_U], spans[node, col.LEFT_V]
    right_u, right_v = spans[node, col.RIGHT_U], spans[node, col.RIGHT_V]
    left, right, root = nodes[node, col.LEFT], nodes[node, col.RIGHT], nodes[node, col.ROOT]
    # From a root on the side itself, all of the polygon is seen.
    on_side = _is_in_line(u, v, right_u, right_v, left_u, left_v)
    turns_left = left >= 0 and mesh.corners[left] and not on_side
    turns_right = right >= 0 and mesh.corners[right] and not on_side
    first, stop = mesh.polygons[polygon, col.FIRST], mesh.polygons[polygon + 1, col.FIRST]
    entry = sides[nodes[node, col.STEP], col.MATE]
    side = entry + 1 if entry + 1 < stop else first
    a = sides[side, col.VERTEX]
    au, av = points[a, 0], points[a, 1]
    # How far corner a is to the left of either ray; 0 on it.
    a_right = min(turn_of(u, v, right_u, right_v, au, av), 0.0)
    a_left = min(turn_of(u, v, left_u, left_v, au, av), 0.0)
    part = _SEEN if on_side else _TO_RIGHT
    while side != entry:
        following = side + 1 if side + 1 < stop else first
        b = sides[following, col.VERTEX]
        bu, bv = points[b, 0], points[b, 1]
        b_right = turn_of(u, v, right_u, right_v, bu, bv)
        b_left = -1.0 if on_side else turn_of(u, v, left_u, left_v, bu, bv)
        c, cu, cv = a, au, av  # where the part at hand starts
        while True:
            # Where it ends: at the ray that cuts the side, or with the side.
            d, du, dv = b, bu, bv
            cut = (part == _TO_RIGHT and b_right > 0.0) or (part == _SEEN and b_left > 0.0)
            if cut:
                if part == _TO_RIGHT:
                    share = a_right / (a_right - b_right)
                else:
                    share = a_left / (a_left - b_left)
                d, du, dv = _cut(a, au, av, b, bu, bv, share)
            # Where both rays cut the side in nearly the same place, rounding must not turn what is
            # seen around.
            long = (du - cu) * (bu - au) + (dv - cv) * (bv - av) > 0.0
            wanted = part == _SEEN or (turns_right if part == _TO_RIGHT else turns_left)
            if part == _SEEN and sides[side, col.NEIGHBOR] == home:
                wanted = False
            if long and wanted and sides[side, col.NEIGHBOR] >= 0:
                new_u, new_v, new_root, new_gone = u, v, root, gone
                if part == _TO_RIGHT:
                    new_u, new_v, new_root = right_u, right_v, 2 * right
                elif part == _TO_LEFT:
                    new_u, new_v, new_root = left_u, left_v, 2 * left + 1
                if part != _SEEN:
                    new_gone += math.sqrt((new_u - u) ** 2 + (new_v - v) ** 2)
                count = _add(
                    mesh, scratch, stamp, node, side, count, pruned,
                    (new_u, new_v, new_root, new_gone), (d, du, dv), (c, cu, cv),
                )  # fmt: skip
            if long:
                c, cu, cv = d, du, dv
            if not cut:
                break
            part += 1
        side, a, au, av, a_right, a_left = following, b, bu, bv, b_right, b_left
    return count


@borrowing
def _cut(a, au, av, b, bu, bv, part):
    """Return the vertex (-1 for none) and the place where a side is cut."""
    eu, ev = bu - au, bv - av
    length = math.sqrt(eu * eu + ev * ev)
    if part * length <= tol.SAME_POINT:
        return a, au, av
    if (1.0 - part) * length <= tol.SAME_POINT:
        return b, bu, bv
    return -1, au + part * eu, av + part * ev


@borrowing
def _add(mesh, scratch, stamp, node, side, count, pruned, seen_from, left_end, right_end):
    """Add a node for a piece of a side, if it leads anywhere; return the new number of nodes.

    It is seen from a root: (u, v, row, how long the way there is). Its ends are (vertex, u, v), -1
    for none.
    """
    u, v, root, gone = seen_from
    left, left_u, left_v = left_end
    right, right_u, right_v = right_end
    if mesh.sides[side, col.NEIGHBOR] < 0:
        return count
    if pruned and scratch.marks[mesh.sides[side, col.BLOCK]] != stamp:
        return count
    best = scratch.best
    if _is_in_line(u, v, right_u, right_v, left_u, left_v):
        # Unless the root is on the side, one goes along it, and turns at its nearer end.
        eu, ev = left_u - right_u, left_v - right_v
        along = (u - right_u) * eu + (v - right_v) * ev
        end, end_u, end_v, row = -1, u, v, root
        if along < 0.0:
            end, end_u, end_v, row = right, right_u, right_v, 2 * right
        elif along > eu * eu + ev * ev:
            end, end_u, end_v, row = left, left_u, left_v, 2 * left + 1
        far = (end_u - u) ** 2 + (end_v - v) ** 2
        if far > 0.0:
            if end < 0 or not mesh.corners[end]:
                return count
            gone += math.sqrt(far)
            u, v, root = end_u, end_v, row
    if root >= 0 and root != scratch.nodes[node, col.ROOT]:
        # A new root: of several ways to it, the first of the shortest is enough. It leads on over
        # several sides, which come one after the other.
        known = best[root, 1] == stamp
        if known and (gone > best[root, 0] or (gone == best[root, 0] and best[root, 2] != node)):
            return count
        best[root, 0], best[root, 1], best[root, 2] = gone, stamp, node
    spans, nodes = scratch.spans, scratch.nodes
    spans[count, col.LEFT_U], spans[count, col.LEFT_V] = left_u, left_v
    spans[count, col.RIGHT_U], spans[count, col.RIGHT_V] = right_u, right_v
    spans[count, col.ROOT_U], spans[count, col.ROOT_V], spans[count, col.GONE] = u, v, gone
    nodes[count, col.PARENT], nodes[count, col.STEP] = node, side
    nodes[count, col.LEFT], nodes[count, col.RIGHT], nodes[count, col.ROOT] = left, right, root
    return count + 1


@borrowing
def _jump(mesh, scratch, stamp, node, polygon, count, pruned):
    """Add the jumps that start in the polygon a node leads to; return the new number of nodes."""
    spans, nodes, best, jumps = scratch.spans, scratch.nodes, scratch.best, mesh.jumps
    step = nodes[node, col.STEP]
    taken = mesh.targets[FROM_START - 1 - step, col.LINK] if step < FROM_START else -1
    for j in range(mesh.polygons[polygon, col.JUMPS], mesh.polygons[polygon + 1, col.JUMPS]):
        if pruned and scratch.marks[mesh.targets[j, col.JUMP_BLOCK]] != stamp:
            continue
        if mesh.targets[j, col.LINK] == taken:
            continue  # straight back
        way = way_through(spans, nodes, node, jumps[j, START_U], jumps[j, START_V])
        gone = spans[node, col.GONE] + way + jumps[j, COST]
        root = 2 * len(mesh.points) + j
        if best[root, 1] == stamp and gone >= best[root, 0]:
            continue
        best[root, 0], best[root, 1] = gone, stamp
        spans[count, col.ROOT_U], spans[count, col.ROOT_V] = jumps[j, END_U], jumps[j, END_V]
        spans[count, col.GONE] = gone
        nodes[count, col.PARENT], nodes[count, col.STEP] = node, FROM_START - 1 - j
        nodes[count, col.ROOT] = root
        count += 1
    return count


@borrowing
def way_through(spans, nodes, node, u, v):
    """Return how far it is from a node's root through its piece to a place behind."""
    root_u, root_v = spans[node, col.ROOT_U], spans[node, col.ROOT_V]
    if nodes[node, col.STEP] >= 0:
        left_u, left_v = spans[node, col.LEFT_U], spans[node, col.LEFT_V]
        right_u, right_v = spans[node, col.RIGHT_U], spans[node, col.RIGHT_V]
        if not _is_in_line(root_u, root_v, right_u, right_v, left_u, left_v):
            if turn_of(root_u, root_v, right_u, right_v, u, v) < 0.0:
                return _around(root_u, root_v, right_u, right_v, u, v)
            if turn_of(root_u, root_v, left_u, left_v, u, v) > 0.0:
                return _around(root_u, root_v, left_u, left_v, u, v)
    return math.sqrt((u - root_u) ** 2 + (v - root_v) ** 2)


@borrowing
def _least_rest(mesh, spans, nodes, node, u, v):
    """Return a lower bound of the way from a node's root to the goal, exact behind its side."""
    if nodes[node, col.STEP] >= 0:
        # A goal on the root's side of the line is as far away as its mirror image.
        a = mesh.sides[nodes[node, col.STEP], col.VERTEX]
        b = mesh.sides[mesh.sides[nodes[node, col.STEP], col.MATE], col.VERTEX]
        eu, ev = mesh.points[b, 0] - mesh.points[a, 0], mesh.points[b, 1] - mesh.points[a, 1]
        across = eu * (v - mesh.points[a, 1]) - ev * (u - mesh.points[a, 0])
        if across > 0.0:
            share = 2.0 * across / (eu * eu + ev * ev)
            u += share * ev
            v -= share * eu
    return way_through(spans, nodes, node, u, v)


@borrowing
def _is_in_line(u, v, au, av, bu, bv):
    """Tell whether a place lies on the line through a and b."""
    eu, ev = bu - au, bv - av
    across = (u - au) * ev - (v - av) * eu
    return across * across <= tol.SAME_POINT * tol.SAME_POINT * (eu * eu + ev * ev)


@borrowing
def _around(au, av, bu, bv, cu, cv):
    """Return the length of the way from a over b to c."""
    return math.sqrt((bu - au) ** 2 + (bv - av) ** 2) + math.sqrt((cu - bu) ** 2 + (cv - bv) ** 2)
