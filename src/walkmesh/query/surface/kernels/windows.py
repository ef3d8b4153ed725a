"""Windows: what is seen of the next triangle through a piece of a half."""

import math

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.query.kernels.tolerances import NO_WINDOW_PART
from walkmesh.query.surface.kernels.bounds import (
    crossing,
    is_beaten,
    least_rest,
    least_way,
    way_over,
)
from walkmesh.query.surface.kernels.goals import visit
from walkmesh.query.surface.kernels.mesh import (
    ANGLE,
    APEX_X,
    APEX_Y,
    FAN,
    LENGTH,
    MATE,
    NEVER,
    TURNS,
    VERTEX,
    following,
    preceding,
)
from walkmesh.query.surface.kernels.search import (
    B0,
    B1,
    BOUND,
    BOUNDARY,
    FIRM,
    FREE_WINDOW,
    FROM_FAN,
    GONE,
    NODES,
    ROOT_X,
    ROOT_Y,
    STAMP,
    STEP,
    TOLERANCE,
    WINDOWS,
    add_root,
    known_way,
    new_node,
    push,
)


@shared_borrowing
def add_window(mesh, search, half, b0, b1, x, y, gone, firm, parent, least):
    """Add a window, unless it is of no use; the ways through it are at least `least` long."""
    if b1 - b0 <= NO_WINDOW_PART * mesh.shapes[half, LENGTH]:
        return
    y = min(y, 0.0)
    if is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    key = max(gone + least_way(mesh, search, half, b0, b1, x, y), least)
    if key >= search.state[BOUND]:
        return
    spans, holders, state = search.spans, search.holders, search.state
    window = int(state[FREE_WINDOW])
    if window < 0 and state[WINDOWS] >= len(spans):
        state[NODES] = -1.0
        return
    node = new_node(search, half, parent)
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
    push(search, key, window)
    apex_x, apex_y = mesh.shapes[half, APEX_X], mesh.shapes[half, APEX_Y]
    at = crossing(x, y, apex_x, apex_y, b0, b1)
    way = gone + way_over(x, y, at, apex_x, apex_y)
    if firm > 0.0 and b0 < at < b1:
        splits, stamp = search.splits, search.state[STAMP]
        if splits[half, 2] != stamp or way < splits[half, 0]:
            splits[half, 0], splits[half, 1], splits[half, 2] = way, at, stamp
    left = preceding(half)
    fan = mesh.halves[left, FAN]
    if way < known_way(search, fan) - search.state[TOLERANCE]:
        # The direction back: from the left end of the half on, counter-clockwise.
        turn = math.atan2(apex_y * at, apex_x * (apex_x - at) + apex_y * apex_y)
        reach_fan(
            mesh, search, fan, way, mesh.shapes[left, ANGLE] + turn, node, half // 3, key
        )  # fmt: skip


@shared_borrowing
def reach_fan(mesh, search, fan, way, came_from, parent, through, least):
    """Note a way to a vertex, and make a root of it if ways lead on from there."""
    nearest, stamp = search.nearest, search.state[STAMP]
    if not way < known_way(search, fan) - search.state[TOLERANCE]:
        return
    nearest[fan, 0], nearest[fan, 1] = way, stamp
    if mesh.fans[fan, TURNS] == NEVER and nearest[fan, 2] != stamp:
        return
    vertex = mesh.fans[fan, VERTEX]
    x, y, z = mesh.points[vertex, 0], mesh.points[vertex, 1], mesh.points[vertex, 2]
    key = max(way + least_rest(search, x, y, z), least)
    if key >= search.state[BOUND]:
        return
    add_root(search, FROM_FAN, parent, fan, through, x, y, z, way, came_from, key)


@borrowing
def look_through(mesh, search, window, node, key):
    """Add the windows that are seen through a window."""
    spans, splits, shapes, halves = search.spans, search.splits, mesh.shapes, mesh.halves
    half = search.nodes[node, STEP]
    b0, b1, gone = spans[window, B0], spans[window, B1], spans[window, GONE]
    x, y, firm = spans[window, ROOT_X], spans[window, ROOT_Y], spans[window, FIRM]
    if is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    visit(mesh, search, window, node, half // 3, key)
    length = shapes[half, LENGTH]
    apex_x, apex_y = shapes[half, APEX_X], shapes[half, APEX_Y]
    # How far the apex is to the left of the rays over either end of the piece.
    of_left = (b0 - x) * (apex_y - y) + y * (apex_x - x)
    of_right = (b1 - x) * (apex_y - y) + y * (apex_x - x)
    to_left, to_right = of_left < 0.0, of_right > 0.0
    if to_left and to_right:
        at = crossing(x, y, apex_x, apex_y, b0, b1)
        way = gone + way_over(x, y, at, apex_x, apex_y)
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
            add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                rx * ux + ry * uy, ux * ry - uy * rx, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == BOUNDARY:
            touch_boundary(
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
            add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                x * ux + y * uy, ux * y - uy * x, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == BOUNDARY:
            touch_boundary(
                search, gone, x, y, (1.0 - begin) * apex_x, (1.0 - begin) * apex_y,
                (1.0 - stop) * apex_x, (1.0 - stop) * apex_y,
            )  # fmt: skip


@borrowing
def touch_boundary(search, gone, x, y, ax, ay, bx, by):
    """Note how far it is from a root at (x, y) to a piece of the boundary from a to b."""
    square, _ = to_segment(x, y, ax, ay, bx, by)
    search.state[BOUND] = min(search.state[BOUND], gone + math.sqrt(square))
