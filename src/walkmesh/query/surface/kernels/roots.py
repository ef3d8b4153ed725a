"""Roots: what is seen from a place, or from a vertex that ways turn at."""

import math

import numpy as np

from walkmesh.kernels.kernel import borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.goals import visit
from walkmesh.query.surface.kernels.mesh import in_frame
from walkmesh.query.surface.kernels.search import known_way
from walkmesh.query.surface.kernels.windows import add_window, reach_fan, touch_boundary


@borrowing
def look_around(mesh, search, root, node, key):
    """Add the windows that are seen from a root."""
    roots, where, far = search.roots, search.kinds[root, col.WHERE], search.roots[root, col.FAR]
    kind, fan, came_from, triangle = search.kinds[root, col.KIND], -1, np.nan, where
    px, py, pz = roots[root, col.PLACE], roots[root, col.PLACE + 1], roots[root, col.PLACE + 2]
    tolerance = search.state[col.TOLERANCE]
    if kind == col.FROM_FAN:
        if far > search.nearest[where, 0] + tolerance:
            return  # there is a shorter way since
        fan, came_from = where, roots[root, col.CAME_FROM]
    else:
        if kind == col.FROM_JUMP:
            if far > search.nearest[len(mesh.fans) + where, 0] + tolerance:
                return
            triangle = mesh.targets[where, col.TO]
        for half in range(3 * triangle, 3 * triangle + 3):
            x, y = in_frame(mesh, half, px, py, pz)
            if x * x + y * y <= tol.SAME_POINT * tol.SAME_POINT:
                fan = mesh.halves[half, col.FAN]
    if fan >= 0:
        if kind != col.FROM_FAN:
            search.nearest[fan, 0] = min(known_way(search, fan), far)
            search.nearest[fan, 1] = search.state[col.STAMP]
        _look_around_vertex(mesh, search, root, node, fan, came_from, key)
        return
    visit(mesh, search, -1 - root, node, triangle, key)
    firm = 1.0 if len(mesh.jumps) == 0 else 0.0
    for half in range(3 * triangle, 3 * triangle + 3):
        x, y = in_frame(mesh, half, px, py, pz)
        came = mesh.shapes[half, col.ANGLE] + math.atan2(y, x)
        way = far + math.sqrt(x * x + y * y)
        reach_fan(mesh, search, mesh.halves[half, col.FAN], way, came, node, triangle, key)
    for half in range(3 * triangle, 3 * triangle + 3):
        x, y = in_frame(mesh, half, px, py, pz)
        mate, length = mesh.halves[half, col.MATE], mesh.shapes[half, col.LENGTH]
        if mate >= 0:
            add_window(mesh, search, mate, 0.0, length, length - x, -y, far, firm, node, key)
        elif search.aim == col.BOUNDARY:
            touch_boundary(search, far, x, y, 0.0, 0.0, length, 0.0)


@borrowing
def _look_around_vertex(mesh, search, root, node, fan, came_from, key):
    """Add the windows that are seen from a vertex, where ways from behind go on to.

    Those keep at least half a turn on both sides: another would be shorter beside the vertex.
    """
    halves, shapes = mesh.halves, mesh.shapes
    gone, turn = search.roots[root, col.FAR], mesh.turns[fan]
    every = came_from != came_from
    half = mesh.fans[fan, col.FIRST]
    for _ in range(mesh.fans[fan, col.COUNT]):
        triangle, across = half // 3, next_of(half)
        visit(mesh, search, -1 - root, node, triangle, key)
        if search.aim == col.BOUNDARY and (
            halves[half, col.MATE] < 0 or halves[last_of(half), col.MATE] < 0
        ):
            search.state[col.BOUND] = min(search.state[col.BOUND], gone)
        if every or mesh.fans[fan, col.TURNS] != col.NEVER:
            # Along both sides of the triangle.
            corner = math.atan2(shapes[across, col.APEX_Y], shapes[across, col.APEX_X])
            reach_fan(
                mesh, search, halves[across, col.FAN], gone + shapes[half, col.LENGTH],
                shapes[across, col.ANGLE] + corner, node, triangle, key,
            )  # fmt: skip
            back = last_of(half)
            reach_fan(
                mesh, search, halves[back, col.FAN], gone + shapes[back, col.LENGTH],
                shapes[back, col.ANGLE], node, triangle, key,
            )  # fmt: skip
            begin = shapes[half, col.ANGLE]
            stop = begin + math.atan2(shapes[half, col.APEX_Y], shapes[half, col.APEX_X])
            if every:
                _look_between(mesh, search, gone, node, half, begin, stop, key)
            else:
                # In a closed fan, one sector, or the same a turn before; in an open one, two.
                low, high = came_from + math.pi, came_from + turn - math.pi
                other_low, other_high = low - turn, high - turn
                if mesh.fans[fan, col.TURNS] != col.SADDLE:
                    high, other_low, other_high = turn, 0.0, came_from - math.pi
                low, other_low = max(low, begin), max(other_low, begin)
                high, other_high = min(high, stop), min(other_high, stop)
                if low < high:
                    _look_between(mesh, search, gone, node, half, low, high, key)
                if other_low < other_high:
                    _look_between(mesh, search, gone, node, half, other_low, other_high, key)
        half = halves[last_of(half), col.MATE]


@borrowing
def _look_between(mesh, search, gone, node, half, low, high, key):
    """Add what is seen from a half's origin between two directions of its fan."""
    across = next_of(half)
    mate, size = mesh.halves[across, col.MATE], mesh.shapes[across, col.LENGTH]
    first, last = low - mesh.shapes[half, col.ANGLE], high - mesh.shapes[half, col.ANGLE]
    begin, stop = _hit(mesh, half, first), _hit(mesh, half, last)
    x, y = mesh.shapes[across, col.APEX_X], mesh.shapes[across, col.APEX_Y]
    if mate >= 0:
        add_window(
            mesh, search, mate, (1.0 - stop) * size, (1.0 - begin) * size, size - x, -y, gone, 1.0,
            node, key,
        )  # fmt: skip
    elif search.aim == col.BOUNDARY:
        touch_boundary(search, gone, x, y, begin * size, 0.0, stop * size, 0.0)


@borrowing
def _hit(mesh, half, angle):
    """Return where a ray from a half's origin meets the side across, 0 at the half's end."""
    shapes = mesh.shapes
    before = math.sin(angle) * shapes[half, col.LENGTH]
    after = math.cos(angle) * shapes[half, col.APEX_Y] - math.sin(angle) * shapes[half, col.APEX_X]
    if before <= 0.0:
        return 0.0
    if after <= 0.0:
        return 1.0
    return before / (before + after)
