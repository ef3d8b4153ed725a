r"""Shortest ways along a surface, by unfolding it (Chen and Han 1990; Xin and Wang 2009).

A *window* is a piece of a half, all of which is seen in a straight line from one *root*: the start,
a vertex that the way turns at, or the end of a link. What lies between is laid into the plane of
the half's frame, where the root is below the half and the triangle that is looked into above. What
is seen of the triangle's other two sides are windows again::

                 apex
                 / \
                /   \
        left   /  .  \   right
              / .   . \
            b0 ------- b1      the piece of the half
               \     /
                \   /
                root

Shortest ways only turn at vertices with more than a full turn of ground around them (saddles), or
more than half a turn at the boundary; those become roots once the way there is known.

Windows would be too many, but most of them have no use. A way that leads over a vertex of the last
two triangles is often shorter for all of a window, and of all windows that see an apex through the
same half, only the nearest has to go on at both sides of it. With links that holds only where the
nearest has a vertex as root: around a root inside a triangle, others see something at both sides.
"""

import math
from collections import namedtuple

import numpy as np

from walkmesh.kernels.heap import heap_pop, heap_push
from walkmesh.kernels.kernel import (
    FLOATS,
    INT,
    INTS,
    OUT_FLOATS,
    OUT_INTS,
    OUT_POINTS,
    OUT_TRIPLES,
    POINTS,
    TRIPLES,
    borrowing,
    kernel,
    shared_borrowing,
)
from walkmesh.kernels.plan import to_segment
from walkmesh.query.surface.kernels.mesh import (
    ANGLE,
    APEX_X,
    APEX_Y,
    COST,
    COUNT,
    END,
    FAN,
    FIRST,
    LENGTH,
    MATE,
    NEVER,
    SADDLE,
    START,
    TO,
    TURNS,
    VERTEX,
    Mesh,
    ends_of,
    following,
    in_frame,
    preceding,
)

# Columns of `spans`: a window's piece of its half, the root in the half's frame, how far the root
# is from the start, and whether no other root can be seen to both sides of it.
B0, B1, ROOT_X, ROOT_Y, GONE, FIRM = range(6)
# Columns of `roots`: where it is in the world, how far from the start, and the direction in its fan
# that it was reached from, NaN for a start in all directions.
PLACE, FAR, CAME_FROM = 0, 3, 4
# Columns of `kinds`: what a root is; its triangle, fan or jump; the triangle that the way to it
# leads through; and its node.
KIND, WHERE, THROUGH, NODE = range(4)
FROM_POINT, FROM_FAN, FROM_JUMP = range(3)
# Columns of `nodes`, which tell how a search came where it is: the half that a window looks
# through, or -1 - r for root r; the node before, or of one that is free, the next free one; and how
# many use it: nodes and goals that it leads to, and its window or root while that waits.
STEP, PARENT, USERS = range(3)

# What a search ends with: all there is to find, or not enough room.
DONE, NO_ROOM = 0, -1
# Places closer than this are one. [m]
SAME = 1e-9
# A window narrower than this part of its half is none: what is seen through it is next to what is
# seen through others.
_NARROW = 1e-12

# Places of `state`: how many nodes, windows and roots there are, -1 nodes if there is no room for
# more, and how many windows and roots wait; the first free node and the first free window; the
# search's stamp; what counts as the same length [m]; the least that a metre costs, on foot or by
# link; how long ways may be that are still of use; and how many goals have not been seen.
NODES, WINDOWS, ROOTS, WAITING, FREE_NODE, FREE_WINDOW = range(6)
STAMP, TOLERANCE, THRIFT, BOUND, MISSING, STATE_SIZE = range(6, 12)
# What a search is for: one goal, which it heads for; many goals; or the boundary.
ONE_GOAL, MANY_GOALS, BOUNDARY = range(3)
# How many windows are looked at between two looks at how far the farthest goal is.
_LOOKS_BETWEEN = 256

# What a search keeps in mind. spans, holders: (w, 6) float64 and (w,) int32, the windows that wait
# and their nodes; those that were looked at are free for others.
# roots, kinds: (r, 5) float64 and (r, 4) int32.
# nodes: (m, 3) int32.
# keys, items: (w + r,) float64 and int32, a heap of windows and, as -1 - r, roots.
# nearest: (f + j, 3) float64, the shortest known way to each fan or over each jump, its stamp, and
# the stamp if a goal or a jump starts in a triangle of the fan.
# splits: (3 t, 3) float64, of the window that sees an apex from nearest: how far that is, where its
# ray crosses the half, and the stamp.
# wanted: (t, 2) float64, the first goal in each triangle, and the stamp.
# goals, chain, best, arrivals: (g, 3) float64, (g,) int32, (g,) float64 and (g,) int32: places, the
# next goal in the same triangle, the shortest known way and the node that leads there.
# state: (STATE_SIZE,) float64.
Search = namedtuple(
    "Search",
    "spans holders roots kinds nodes keys items nearest splits wanted goals chain best arrivals "
    "state aim",
)


@kernel(
    POINTS, TRIPLES, TRIPLES, POINTS, TRIPLES, FLOATS, POINTS, TRIPLES, INTS, FLOATS, INT, POINTS,
    INTS, INT, OUT_POINTS, OUT_INTS, OUT_POINTS, OUT_TRIPLES, OUT_TRIPLES, OUT_FLOATS, OUT_INTS,
    OUT_POINTS, OUT_POINTS, OUT_POINTS, OUT_FLOATS, OUT_INTS, OUT_FLOATS,
)  # fmt: skip
def spread_windows(
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures, start, triangle,
    goals, goal_triangles, aim, spans, holders, roots, kinds, nodes, keys, items, nearest, splits,
    wanted, best, arrivals, state,
):  # fmt: skip
    """Search the shortest ways from a place to others, or to the boundary.

    Parameters
    ----------
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures
        The mesh, see :mod:`walkmesh.query.surface.kernels.mesh`.
    start, triangle : (3,) float64 and int
        Where to start, and the triangle that it lies on. [Unit: m]
    goals, goal_triangles : (g, 3) float64 and (g,) int32
        Likewise; -1 for a goal that cannot be reached.
    aim : int
        What is searched.
    spans, holders, roots, kinds, nodes, keys, items, nearest, splits, wanted : scratch
    best, arrivals : (g,) float64 and int32, output
        How far each goal is, infinite if it was not reached, and the node that leads there. For the
        boundary, one for it. [Unit: m]
    state : (STATE_SIZE,) float64
        With the stamp of the last search, the tolerance and the thrift filled in.

    Returns
    -------
    int
        How it ended.
    """
    mesh = Mesh(points, triangles, halves, shapes, fans, turns, jumps, targets, departures)
    chain = np.empty(len(goals), np.int32)
    search = Search(
        spans, holders, roots, kinds, nodes, keys, items, nearest, splits, wanted, goals, chain,
        best, arrivals, state, aim,
    )  # fmt: skip
    state[STAMP] += 1.0
    for k in range(NODES, WAITING + 1):
        state[k] = 0.0
    state[FREE_NODE], state[FREE_WINDOW] = -1.0, -1.0
    state[BOUND], state[MISSING] = np.inf, 0.0
    _place_goals(mesh, search, goal_triangles)
    if aim != BOUNDARY and state[MISSING] == 0.0:
        return DONE
    _add_root(
        search, FROM_POINT, -1, triangle, triangle, start[0], start[1], start[2], 0.0, np.nan, 0.0
    )
    looked = 0
    while state[WAITING] > 0.0:
        key, item = heap_pop(keys, items, int(state[WAITING]))
        state[WAITING] -= 1.0
        if aim == MANY_GOALS and state[MISSING] == 0.0:
            if looked % _LOOKS_BETWEEN == 0:
                farthest = 0.0
                for k in range(len(goals)):
                    if arrivals[k] >= 0:
                        farthest = max(farthest, best[k])
                state[BOUND] = farthest
            looked += 1
        if key >= state[BOUND]:
            break
        if item >= 0:
            node = holders[item]
            _look_through(mesh, search, item, node, key)
            holders[item] = int(state[FREE_WINDOW])
            state[FREE_WINDOW] = item
        else:
            node = kinds[-1 - item, NODE]
            _look_around(mesh, search, -1 - item, node, key)
        if state[NODES] < 0.0:
            return NO_ROOM
        nodes[node, USERS] -= 1
        _release(search, node)
    if aim == BOUNDARY:
        best[0] = state[BOUND]
    return DONE


@borrowing
def _place_goals(mesh, search, goal_triangles):
    """Enter the goals in their triangles, and the fans from which a way may lead straight there."""
    stamp, wanted = search.state[STAMP], search.wanted
    for k in range(len(search.best)):
        search.best[k], search.arrivals[k] = np.inf, -1
    for k in range(len(goal_triangles)):
        triangle = goal_triangles[k]
        if triangle < 0:
            continue
        search.chain[k] = int(wanted[triangle, 0]) if wanted[triangle, 1] == stamp else -1
        wanted[triangle, 0], wanted[triangle, 1] = k, stamp
        search.state[MISSING] += 1.0
        _watch(mesh, search, triangle)
    for j in range(len(mesh.jumps)):
        _watch(mesh, search, mesh.targets[j, 0])


@borrowing
def _watch(mesh, search, triangle):
    """Mark the fans at the corners of a triangle in which something is wanted."""
    for half in range(3 * triangle, 3 * triangle + 3):
        search.nearest[mesh.halves[half, FAN], 2] = search.state[STAMP]


@borrowing
def _new_node(search, step, parent):
    """Return a new node after another, or -1 and leave the mark of a search that has no room."""
    nodes, state = search.nodes, search.state
    node = int(state[FREE_NODE])
    if node >= 0:
        state[FREE_NODE] = nodes[node, PARENT]
    else:
        node = int(state[NODES])
        if node < 0 or node >= len(nodes):
            state[NODES] = -1.0
            return -1
        state[NODES] = node + 1.0
    nodes[node, STEP], nodes[node, PARENT], nodes[node, USERS] = step, parent, 1
    if parent >= 0:
        nodes[parent, USERS] += 1
    return node


@borrowing
def _release(search, node):
    """Free a node that nothing uses any more, and those before it likewise."""
    nodes = search.nodes
    while node >= 0 and nodes[node, USERS] == 0:
        parent = nodes[node, PARENT]
        nodes[node, PARENT] = int(search.state[FREE_NODE])
        search.state[FREE_NODE] = node
        node = parent
        if node >= 0:
            nodes[node, USERS] -= 1


@shared_borrowing
def _add_root(search, kind, parent, where, through, x, y, z, far, came_from, key):
    """Add a root that waits to be looked around from."""
    root, roots, kinds = int(search.state[ROOTS]), search.roots, search.kinds
    if root >= len(roots):
        search.state[NODES] = -1.0
        return
    node = _new_node(search, -1 - root, parent)
    if node < 0:
        return
    search.state[ROOTS] += 1.0
    roots[root, PLACE], roots[root, PLACE + 1], roots[root, PLACE + 2] = x, y, z
    roots[root, FAR], roots[root, CAME_FROM] = far, came_from
    kinds[root, KIND], kinds[root, WHERE] = kind, where
    kinds[root, THROUGH], kinds[root, NODE] = through, node
    _push(search, key, -1 - root)


@borrowing
def _push(search, key, item):
    heap_push(search.keys, search.items, int(search.state[WAITING]), key, item)
    search.state[WAITING] += 1.0


@borrowing
def _rest(search, x, y, z):
    """Return the least that it takes from a place to the goal, if there is one."""
    if search.aim != ONE_GOAL:
        return 0.0
    goals = search.goals
    square = (goals[0, 0] - x) ** 2 + (goals[0, 1] - y) ** 2 + (goals[0, 2] - z) ** 2
    return search.state[THRIFT] * math.sqrt(square)


@borrowing
def crossing(x, y, to_x, to_y, b0, b1):
    """Return where the way from a root to a place above a half crosses its piece.

    Where the straight line misses the piece, the way leads over the nearer end of it.
    """
    across = to_y - y
    at = x + (to_x - x) * (-y / across) if across > 0.0 else x
    return min(max(at, b0), b1)


@borrowing
def _way_over(x, y, at, to_x, to_y):
    """Return the length of the way from a root over a place of the half to a place above."""
    return math.sqrt((at - x) ** 2 + y * y) + math.sqrt((to_x - at) ** 2 + to_y * to_y)


@borrowing
def _least_way(mesh, search, half, b0, b1, x, y):
    """Return a lower bound of all ways from a root through a window to the goal.

    The goal is turned around the half's line into its plane, which leaves it as far from all of the
    half as it is.
    """
    near = min(max(x, b0), b1)
    if search.aim != ONE_GOAL:
        return math.sqrt((near - x) ** 2 + y * y)
    a, b = ends_of(mesh, half)
    along, square = 0.0, 0.0
    for k in range(3):
        away = search.goals[0, k] - mesh.points[a, k]
        along += away * (mesh.points[b, k] - mesh.points[a, k])
        square += away * away
    along /= mesh.shapes[half, LENGTH]
    over = math.sqrt(max(square - along * along, 0.0))
    thrift = search.state[THRIFT]
    if thrift >= 1.0:
        return _way_over(x, y, crossing(x, y, along, over, b0, b1), along, over)
    nearer = min(max(along, b0), b1)
    return math.sqrt((near - x) ** 2 + y * y) + thrift * math.sqrt((nearer - along) ** 2 + over**2)


@borrowing
def _known_way(search, fan):
    """Return how far a fan is known to be."""
    return search.nearest[fan, 0] if search.nearest[fan, 1] == search.state[STAMP] else np.inf


@shared_borrowing
def _is_beaten(mesh, search, half, b0, b1, x, y, gone):
    """Tell whether ways over a vertex of the triangle before are shorter for all of a window.

    If the way over an end of the half is shorter to the farther end of the piece, it is to all of
    it. The same holds for the third vertex of the triangle before, where its way to one end of the
    piece crosses the root's way to the other.
    """
    shapes, halves = mesh.shapes, mesh.halves
    mate, length = halves[half, MATE], shapes[half, LENGTH]
    to_b0 = gone + math.sqrt((b0 - x) ** 2 + y * y) - search.state[TOLERANCE]
    to_b1 = gone + math.sqrt((b1 - x) ** 2 + y * y) - search.state[TOLERANCE]
    if _known_way(search, halves[half, FAN]) + b1 < to_b1:
        return True
    if _known_way(search, halves[mate, FAN]) + length - b0 < to_b0:
        return True
    third = _known_way(search, halves[preceding(mate), FAN])
    if third < max(to_b0, to_b1):
        cx, cy = length - shapes[mate, APEX_X], -shapes[mate, APEX_Y]
        to_left = (b0 - x) * (cy - y) + y * (cx - x) >= 0.0
        to_right = (b1 - x) * (cy - y) + y * (cx - x) <= 0.0
        if to_left and (b1 - cx) * (y - cy) + cy * (x - cx) < 0.0:
            return third + math.sqrt((b1 - cx) ** 2 + cy * cy) < to_b1
        if to_right and (b0 - cx) * (y - cy) + cy * (x - cx) > 0.0:
            return third + math.sqrt((b0 - cx) ** 2 + cy * cy) < to_b0
    return False


@shared_borrowing
def _add_window(mesh, search, half, b0, b1, x, y, gone, firm, parent, least):
    """Add a window, unless it is of no use; the ways through it are at least `least` long."""
    if b1 - b0 <= _NARROW * mesh.shapes[half, LENGTH]:
        return
    y = min(y, 0.0)
    if _is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    key = max(gone + _least_way(mesh, search, half, b0, b1, x, y), least)
    if key >= search.state[BOUND]:
        return
    spans, holders, state = search.spans, search.holders, search.state
    window = int(state[FREE_WINDOW])
    if window < 0 and state[WINDOWS] >= len(spans):
        state[NODES] = -1.0
        return
    node = _new_node(search, half, parent)
    if node < 0:
        return
    if window >= 0:
        state[FREE_WINDOW] = holders[window]
    else:
        window = int(state[WINDOWS])
        state[WINDOWS] += 1.0
    spans[window, B0], spans[window, B1], spans[window, GONE] = b0, b1, gone
    spans[window, ROOT_X], spans[window, ROOT_Y], spans[window, FIRM] = x, y, firm
    holders[window] = node
    _push(search, key, window)
    apex_x, apex_y = mesh.shapes[half, APEX_X], mesh.shapes[half, APEX_Y]
    at = crossing(x, y, apex_x, apex_y, b0, b1)
    way = gone + _way_over(x, y, at, apex_x, apex_y)
    if firm > 0.0 and b0 < at < b1:
        splits, stamp = search.splits, search.state[STAMP]
        if splits[half, 2] != stamp or way < splits[half, 0]:
            splits[half, 0], splits[half, 1], splits[half, 2] = way, at, stamp
    left = preceding(half)
    fan = mesh.halves[left, FAN]
    if way < _known_way(search, fan) - search.state[TOLERANCE]:
        # The direction back: from the left end of the half on, counter-clockwise.
        turn = math.atan2(apex_y * at, apex_x * (apex_x - at) + apex_y * apex_y)
        _reach_fan(
            mesh, search, fan, way, mesh.shapes[left, ANGLE] + turn, node, half // 3, key
        )  # fmt: skip


@shared_borrowing
def _reach_fan(mesh, search, fan, way, came_from, parent, through, least):
    """Note a way to a vertex, and make a root of it if ways lead on from there."""
    nearest, stamp = search.nearest, search.state[STAMP]
    if not way < _known_way(search, fan) - search.state[TOLERANCE]:
        return
    nearest[fan, 0], nearest[fan, 1] = way, stamp
    if mesh.fans[fan, TURNS] == NEVER and nearest[fan, 2] != stamp:
        return
    vertex = mesh.fans[fan, VERTEX]
    x, y, z = mesh.points[vertex, 0], mesh.points[vertex, 1], mesh.points[vertex, 2]
    key = max(way + _rest(search, x, y, z), least)
    if key >= search.state[BOUND]:
        return
    _add_root(search, FROM_FAN, parent, fan, through, x, y, z, way, came_from, key)


@borrowing
def _look_through(mesh, search, window, node, key):
    """Add the windows that are seen through a window."""
    spans, splits, shapes, halves = search.spans, search.splits, mesh.shapes, mesh.halves
    half = search.nodes[node, STEP]
    b0, b1, gone = spans[window, B0], spans[window, B1], spans[window, GONE]
    x, y, firm = spans[window, ROOT_X], spans[window, ROOT_Y], spans[window, FIRM]
    if _is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    _visit(mesh, search, window, node, half // 3, key)
    length = shapes[half, LENGTH]
    apex_x, apex_y = shapes[half, APEX_X], shapes[half, APEX_Y]
    # How far the apex is to the left of the rays over either end of the piece.
    of_left = (b0 - x) * (apex_y - y) + y * (apex_x - x)
    of_right = (b1 - x) * (apex_y - y) + y * (apex_x - x)
    to_left, to_right = of_left < 0.0, of_right > 0.0
    if to_left and to_right:
        at = crossing(x, y, apex_x, apex_y, b0, b1)
        way = gone + _way_over(x, y, at, apex_x, apex_y)
        nearest, nearest_at, stamp = splits[half, 0], splits[half, 1], splits[half, 2]
        if stamp == search.state[STAMP] and way > nearest + search.state[TOLERANCE]:
            to_left, to_right = at <= nearest_at, at >= nearest_at
    if to_right:
        # From the half's end, at 0, to the apex, at 1.
        end = -(b1 - x) * y + y * (length - x)
        begin = end / (end - of_right) if end < of_right else 0.0
        stop = 1.0
        if of_left >= 0.0:
            end = -(b0 - x) * y + y * (length - x)
            stop = end / (end - of_left) if end < of_left else 1.0
        mate, size = halves[following(half), MATE], shapes[following(half), LENGTH]
        if mate >= 0:
            ux, uy = (length - apex_x) / size, -apex_y / size
            rx, ry = x - apex_x, y - apex_y
            _add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                rx * ux + ry * uy, ux * ry - uy * rx, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == BOUNDARY:
            _touch_boundary(
                search, gone, x, y, length + begin * (apex_x - length), begin * apex_y,
                length + stop * (apex_x - length), stop * apex_y,
            )  # fmt: skip
    if to_left:
        # From the apex, at 0, to the half's origin, at 1.
        origin = -(b0 - x) * y - y * x
        stop = of_left / (of_left - origin) if of_left < origin else 1.0
        begin = 0.0
        if of_right <= 0.0:
            origin = -(b1 - x) * y - y * x
            begin = of_right / (of_right - origin) if of_right < origin else 0.0
        mate, size = halves[preceding(half), MATE], shapes[preceding(half), LENGTH]
        if mate >= 0:
            ux, uy = apex_x / size, apex_y / size
            _add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                x * ux + y * uy, ux * y - uy * x, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == BOUNDARY:
            _touch_boundary(
                search, gone, x, y, (1.0 - begin) * apex_x, (1.0 - begin) * apex_y,
                (1.0 - stop) * apex_x, (1.0 - stop) * apex_y,
            )  # fmt: skip


@borrowing
def _touch_boundary(search, gone, x, y, ax, ay, bx, by):
    """Note how far it is from a root at (x, y) to a piece of the boundary from a to b."""
    square, _ = to_segment(x, y, ax, ay, bx, by)
    search.state[BOUND] = min(search.state[BOUND], gone + math.sqrt(square))


@shared_borrowing
def _visit(mesh, search, item, node, triangle, least):
    """Note the ways to the goals and jumps of a triangle that a window or a root looks into."""
    stamp = search.state[STAMP]
    if search.wanted[triangle, 1] == stamp:
        k = int(search.wanted[triangle, 0])
        goals = search.goals
        while k >= 0:
            way = _way_to(mesh, search, item, node, goals[k, 0], goals[k, 1], goals[k, 2])
            if way < search.best[k]:
                _arrive(search, k, way, node)
            k = search.chain[k]
    nearest, jumps = search.nearest, mesh.jumps
    for j in range(mesh.departures[triangle], mesh.departures[triangle + 1]):
        way = jumps[j, COST] + _way_to(
            mesh, search, item, node, jumps[j, START], jumps[j, START + 1], jumps[j, START + 2]
        )
        place = len(mesh.fans) + j
        if not way < _known_way(search, place) - search.state[TOLERANCE]:
            continue
        nearest[place, 0], nearest[place, 1] = way, stamp
        x, y, z = jumps[j, END], jumps[j, END + 1], jumps[j, END + 2]
        key = max(way + _rest(search, x, y, z), least)
        if key < search.state[BOUND]:
            _add_root(search, FROM_JUMP, node, j, triangle, x, y, z, way, np.nan, key)


@borrowing
def _arrive(search, k, way, node):
    """Note a shorter way to a goal."""
    before = search.arrivals[k]
    search.best[k], search.arrivals[k] = way, node
    search.nodes[node, USERS] += 1
    if before < 0:
        search.state[MISSING] -= 1.0
    else:
        search.nodes[before, USERS] -= 1
        if before != node:
            _release(search, before)
    if search.aim == ONE_GOAL:
        search.state[BOUND] = way


@borrowing
def _way_to(mesh, search, item, node, x, y, z):
    """Return the length of the way over a window or a root to a place that is seen from there."""
    if item < 0:
        roots, root = search.roots, -1 - item
        square = (roots[root, PLACE] - x) ** 2 + (roots[root, PLACE + 1] - y) ** 2
        return roots[root, FAR] + math.sqrt(square + (roots[root, PLACE + 2] - z) ** 2)
    spans = search.spans
    to_x, to_y = in_frame(mesh, search.nodes[node, STEP], x, y, z)
    root_x, root_y = spans[item, ROOT_X], spans[item, ROOT_Y]
    at = crossing(root_x, root_y, to_x, to_y, spans[item, B0], spans[item, B1])
    return spans[item, GONE] + _way_over(root_x, root_y, at, to_x, to_y)


@borrowing
def _look_around(mesh, search, root, node, key):
    """Add the windows that are seen from a root."""
    roots, where, far = search.roots, search.kinds[root, WHERE], search.roots[root, FAR]
    kind, fan, came_from, triangle = search.kinds[root, KIND], -1, np.nan, where
    px, py, pz = roots[root, PLACE], roots[root, PLACE + 1], roots[root, PLACE + 2]
    tolerance = search.state[TOLERANCE]
    if kind == FROM_FAN:
        if far > search.nearest[where, 0] + tolerance:
            return  # there is a shorter way since
        fan, came_from = where, roots[root, CAME_FROM]
    else:
        if kind == FROM_JUMP:
            if far > search.nearest[len(mesh.fans) + where, 0] + tolerance:
                return
            triangle = mesh.targets[where, TO]
        for half in range(3 * triangle, 3 * triangle + 3):
            x, y = in_frame(mesh, half, px, py, pz)
            if x * x + y * y <= SAME * SAME:
                fan = mesh.halves[half, FAN]
    if fan >= 0:
        if kind != FROM_FAN:
            search.nearest[fan, 0] = min(_known_way(search, fan), far)
            search.nearest[fan, 1] = search.state[STAMP]
        _look_around_vertex(mesh, search, root, node, fan, came_from, key)
        return
    _visit(mesh, search, -1 - root, node, triangle, key)
    firm = 1.0 if len(mesh.jumps) == 0 else 0.0
    for half in range(3 * triangle, 3 * triangle + 3):
        x, y = in_frame(mesh, half, px, py, pz)
        came = mesh.shapes[half, ANGLE] + math.atan2(y, x)
        way = far + math.sqrt(x * x + y * y)
        _reach_fan(mesh, search, mesh.halves[half, FAN], way, came, node, triangle, key)
    for half in range(3 * triangle, 3 * triangle + 3):
        x, y = in_frame(mesh, half, px, py, pz)
        mate, length = mesh.halves[half, MATE], mesh.shapes[half, LENGTH]
        if mate >= 0:
            _add_window(mesh, search, mate, 0.0, length, length - x, -y, far, firm, node, key)
        elif search.aim == BOUNDARY:
            _touch_boundary(search, far, x, y, 0.0, 0.0, length, 0.0)


@borrowing
def _look_around_vertex(mesh, search, root, node, fan, came_from, key):
    """Add the windows that are seen from a vertex, where ways from behind go on to.

    Those keep at least half a turn on both sides: another would be shorter beside the vertex.
    """
    halves, shapes = mesh.halves, mesh.shapes
    gone, turn = search.roots[root, FAR], mesh.turns[fan]
    every = came_from != came_from
    half = mesh.fans[fan, FIRST]
    for _ in range(mesh.fans[fan, COUNT]):
        triangle, across = half // 3, following(half)
        _visit(mesh, search, -1 - root, node, triangle, key)
        if search.aim == BOUNDARY and (halves[half, MATE] < 0 or halves[preceding(half), MATE] < 0):
            search.state[BOUND] = min(search.state[BOUND], gone)
        if every or mesh.fans[fan, TURNS] != NEVER:
            # Along both sides of the triangle.
            corner = math.atan2(shapes[across, APEX_Y], shapes[across, APEX_X])
            _reach_fan(
                mesh, search, halves[across, FAN], gone + shapes[half, LENGTH],
                shapes[across, ANGLE] + corner, node, triangle, key,
            )  # fmt: skip
            back = preceding(half)
            _reach_fan(
                mesh, search, halves[back, FAN], gone + shapes[back, LENGTH], shapes[back, ANGLE],
                node, triangle, key,
            )  # fmt: skip
            begin = shapes[half, ANGLE]
            stop = begin + math.atan2(shapes[half, APEX_Y], shapes[half, APEX_X])
            if every:
                _look_between(mesh, search, gone, node, half, begin, stop, key)
            else:
                # In a closed fan, one sector, or the same a turn before; in an open one, two.
                low, high = came_from + math.pi, came_from + turn - math.pi
                other_low, other_high = low - turn, high - turn
                if mesh.fans[fan, TURNS] != SADDLE:
                    high, other_low, other_high = turn, 0.0, came_from - math.pi
                low, other_low = max(low, begin), max(other_low, begin)
                high, other_high = min(high, stop), min(other_high, stop)
                if low < high:
                    _look_between(mesh, search, gone, node, half, low, high, key)
                if other_low < other_high:
                    _look_between(mesh, search, gone, node, half, other_low, other_high, key)
        half = halves[preceding(half), MATE]


@borrowing
def _look_between(mesh, search, gone, node, half, low, high, key):
    """Add what is seen from a half's origin between two directions of its fan."""
    across = following(half)
    mate, size = mesh.halves[across, MATE], mesh.shapes[across, LENGTH]
    first, last = low - mesh.shapes[half, ANGLE], high - mesh.shapes[half, ANGLE]
    begin, stop = _hit(mesh, half, first), _hit(mesh, half, last)
    x, y = mesh.shapes[across, APEX_X], mesh.shapes[across, APEX_Y]
    if mate >= 0:
        _add_window(
            mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size, size - x, -y, gone, 1.0,
            node, key,
        )  # fmt: skip
    elif search.aim == BOUNDARY:
        _touch_boundary(search, gone, x, y, begin * size, 0.0, stop * size, 0.0)


@borrowing
def _hit(mesh, half, angle):
    """Return where a ray from a half's origin meets the side across, 0 at the half's end."""
    shapes = mesh.shapes
    before = math.sin(angle) * shapes[half, LENGTH]
    after = math.cos(angle) * shapes[half, APEX_Y] - math.sin(angle) * shapes[half, APEX_X]
    if before <= 0.0:
        return 0.0
    if after <= 0.0:
        return 1.0
    return before / (before + after)
