"""Windows: what is seen of the next triangle through a piece of a half."""

import math

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.bounds import (
    crossing,
    is_beaten,
    least_rest,
    least_way,
    way_over,
)
from walkmesh.query.surface.kernels.goals import visit
from walkmesh.query.surface.kernels.search import add_root, known_way, new_node, push


@shared_borrowing
def add_window(mesh, search, half, b0, b1, x, y, gone, firm, parent, least):
    """Add a window, unless it is of no use; the ways through it are at least `least` long."""
    if b1 - b0 <= tol.NO_WINDOW_PART * mesh.shapes[half, col.LENGTH]:
        return
    y = min(y, 0.0)
    if is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    key = max(gone + least_way(mesh, search, half, b0, b1, x, y), least)
    if key >= search.state[col.BOUND]:
        return
    spans, holders, state = search.spans, search.holders, search.state
    window = int(state[col.FREE_WINDOW])
    if window < 0 and state[col.WINDOWS] >= len(spans):
        state[col.NODES] = -1.0
        return
    node = new_node(search, half, parent)
    if node < 0:
        return
    if window >= 0:
        state[col.FREE_WINDOW] = holders[window]
    else:
        window = int(state[col.WINDOWS])
        state[col.WINDOWS] += 1.0
    spans[window, col.B0], spans[window, col.B1], spans[window, col.GONE] = b0, b1, gone
    spans[window, col.ROOT_X], spans[window, col.ROOT_Y], spans[window, col.FIRM] = x, y, firm
    holders[window] = node
    push(search, key, window)
    apex_x, apex_y = mesh.shapes[half, col.APEX_X], mesh.shapes[half, col.APEX_Y]
    at = crossing(x, y, apex_x, apex_y, b0, b1)
    way = gone + way_over(x, y, at, apex_x, apex_y)
    if firm > 0.0 and b0 < at < b1:
        splits, stamp = search.splits, search.state[col.STAMP]
        if splits[half, 2] != stamp or way < splits[half, 0]:
            splits[half, 0], splits[half, 1], splits[half, 2] = way, at, stamp
    left = last_of(half)
    fan = mesh.halves[left, col.FAN]
    if way < known_way(search, fan) - search.state[col.TOLERANCE]:
        # The direction back: from the left end of the half on, counter-clockwise.
        turn = math.atan2(apex_y * at, apex_x * (apex_x - at) + apex_y * apex_y)
        reach_fan(
            mesh, search, fan, way, mesh.shapes[left, col.ANGLE] + turn, node, half // 3, key
        )  # fmt: skip


@shared_borrowing
def reach_fan(mesh, search, fan, way, came_from, parent, through, least):
    """Note a way to a vertex, and make a root of it if ways lead on from there."""
    nearest, stamp = search.nearest, search.state[col.STAMP]
    if not way < known_way(search, fan) - search.state[col.TOLERANCE]:
        return
    nearest[fan, 0], nearest[fan, 1] = way, stamp
    if mesh.fans[fan, col.TURNS] == col.NEVER and nearest[fan, 2] != stamp:
        return
    vertex = mesh.fans[fan, col.VERTEX]
    x, y, z = mesh.points[vertex, 0], mesh.points[vertex, 1], mesh.points[vertex, 2]
    key = max(way + least_rest(search, x, y, z), least)
    if key >= search.state[col.BOUND]:
        return
    add_root(search, col.FROM_FAN, parent, fan, through, x, y, z, way, came_from, key)


@borrowing
def look_through(mesh, search, window, node, key):
    """Add the windows that are seen through a window."""
    spans, splits, shapes, halves = search.spans, search.splits, mesh.shapes, mesh.halves
    half = search.nodes[node, col.STEP]
    b0, b1, gone = spans[window, col.B0], spans[window, col.B1], spans[window, col.GONE]
    x, y, firm = spans[window, col.ROOT_X], spans[window, col.ROOT_Y], spans[window, col.FIRM]
    if is_beaten(mesh, search, half, b0, b1, x, y, gone):
        return
    visit(mesh, search, window, node, half // 3, key)
    length = shapes[half, col.LENGTH]
    apex_x, apex_y = shapes[half, col.APEX_X], shapes[half, col.APEX_Y]
    # How far the apex is to the left of the rays over either end of the piece.
    of_left = (b0 - x) * (apex_y - y) + y * (apex_x - x)
    of_right = (b1 - x) * (apex_y - y) + y * (apex_x - x)
    to_left, to_right = of_left < 0.0, of_right > 0.0
    if to_left and to_right:
        at = crossing(x, y, apex_x, apex_y, b0, b1)
        way = gone + way_over(x, y, at, apex_x, apex_y)
        nearest, nearest_at, stamp = splits[half, 0], splits[half, 1], splits[half, 2]
        if stamp == search.state[col.STAMP] and way > nearest + search.state[col.TOLERANCE]:
            to_left, to_right = at <= nearest_at, at >= nearest_at
    if to_right:
        # From the half's end, at 0, to the apex, at 1.
        end = -(b1 - x) * y + y * (length - x)
        begin = end / (end - of_right) if end < of_right else 0.0
        stop = 1.0
        if of_left >= 0.0:
            end = -(b0 - x) * y + y * (length - x)
            stop = end / (end - of_left) if end < of_left else 1.0
        mate, size = halves[next_of(half), col.MATE], shapes[next_of(half), col.LENGTH]
        if mate >= 0:
            ux, uy = (length - apex_x) / size, -apex_y / size
            rx, ry = x - apex_x, y - apex_y
            add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                rx * ux + ry * uy, ux * ry - uy * rx, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == col.BOUNDARY:
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
        mate, size = halves[last_of(half), col.MATE], shapes[last_of(half), col.LENGTH]
        if mate >= 0:
            ux, uy = apex_x / size, apex_y / size
            add_window(
                mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size,
                x * ux + y * uy, ux * y - uy * x, gone, firm, node, key,
            )  # fmt: skip
        elif search.aim == col.BOUNDARY:
            touch_boundary(
                search, gone, x, y, (1.0 - begin) * apex_x, (1.0 - begin) * apex_y,
                (1.0 - stop) * apex_x, (1.0 - stop) * apex_y,
            )  # fmt: skip


@borrowing
def touch_boundary(search, gone, x, y, ax, ay, bx, by):
    """Note how far it is from a root at (x, y) to a piece of the boundary from a to b."""
    square, _ = to_segment(x, y, ax, ay, bx, by)
    search.state[col.BOUND] = min(search.state[col.BOUND], gone + math.sqrt(square))
