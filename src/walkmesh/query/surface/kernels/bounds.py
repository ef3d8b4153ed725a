"""Lengths of ways through a window: where they cross it, and what they take at least."""

import math

from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import ends_of
from walkmesh.query.surface.kernels.search import known_way


@borrowing
def crossing(x, y, to_x, to_y, b0, b1):
    """Return where the way from a root to a place above a half crosses its piece.

    Where the straight line misses the piece, the way leads over the nearer end of it.
    """
    across = to_y - y
    at = x + (to_x - x) * (-y / across) if across > 0.0 else x
    return min(max(at, b0), b1)


@borrowing
def way_over(x, y, at, to_x, to_y):
    """Return the length of the way from a root over a place of the half to a place above."""
    return math.sqrt((at - x) ** 2 + y * y) + math.sqrt((to_x - at) ** 2 + to_y * to_y)


@borrowing
def least_rest(search, x, y, z):
    """Return the least that it takes from a place to the goal, if there is one."""
    if search.aim != col.ONE_GOAL:
        return 0.0
    goals = search.goals
    square = (goals[0, 0] - x) ** 2 + (goals[0, 1] - y) ** 2 + (goals[0, 2] - z) ** 2
    return search.state[col.THRIFT] * math.sqrt(square)


@borrowing
def least_way(mesh, search, half, b0, b1, x, y):
    """Return a lower bound of all ways from a root through a window to the goal.

    The goal is turned around the half's line into its plane, which leaves it as far from all of the
    half as it is.
    """
    near = min(max(x, b0), b1)
    if search.aim != col.ONE_GOAL:
        return math.sqrt((near - x) ** 2 + y * y)
    a, b = ends_of(mesh, half)
    along, square = 0.0, 0.0
    for k in range(3):
        away = search.goals[0, k] - mesh.points[a, k]
        along += away * (mesh.points[b, k] - mesh.points[a, k])
        square += away * away
    along /= mesh.shapes[half, col.LENGTH]
    over = math.sqrt(max(square - along * along, 0.0))
    thrift = search.state[col.THRIFT]
    if thrift >= 1.0:
        return way_over(x, y, crossing(x, y, along, over, b0, b1), along, over)
    nearer = min(max(along, b0), b1)
    return math.sqrt((near - x) ** 2 + y * y) + thrift * math.sqrt((nearer - along) ** 2 + over**2)


@shared_borrowing
def is_beaten(mesh, search, half, b0, b1, x, y, gone):
    """Tell whether ways over a vertex of the triangle before are shorter for all of a window.

    If the way over an end of the half is shorter to the farther end of the piece, it is to all of
    it. The same holds for the third vertex of the triangle before, where its way to one end of the
    piece crosses the root's way to the other.
    """
    shapes, halves = mesh.shapes, mesh.halves
    mate, length = halves[half, col.MATE], shapes[half, col.LENGTH]
    to_b0 = gone + math.sqrt((b0 - x) ** 2 + y * y) - search.state[col.TOLERANCE]
    to_b1 = gone + math.sqrt((b1 - x) ** 2 + y * y) - search.state[col.TOLERANCE]
    if known_way(search, halves[half, col.FAN]) + b1 < to_b1:
        return True
    if known_way(search, halves[mate, col.FAN]) + length - b0 < to_b0:
        return True
    third = known_way(search, halves[last_of(mate), col.FAN])
    if third < max(to_b0, to_b1):
        cx, cy = length - shapes[mate, col.APEX_X], -shapes[mate, col.APEX_Y]
        to_left = (b0 - x) * (cy - y) + y * (cx - x) >= 0.0
        to_right = (b1 - x) * (cy - y) + y * (cx - x) <= 0.0
        if to_left and (b1 - cx) * (y - cy) + cy * (x - cx) < 0.0:
            return third + math.sqrt((b1 - cx) ** 2 + cy * cy) < to_b1
        if to_right and (b0 - cx) * (y - cy) + cy * (x - cx) > 0.0:
            return third + math.sqrt((b0 - cx) ** 2 + cy * cy) < to_b0
    return False
