"""Goals and links of the triangles that a search comes to."""

import math

import numpy as np

from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.query.kernels.jumps import COST, END, START
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.bounds import crossing, least_rest, way_over
from walkmesh.query.surface.kernels.mesh import in_frame
from walkmesh.query.surface.kernels.search import add_root, known_way, release


@borrowing
def place_goals(mesh, search, goal_triangles):
    """Enter the goals in their triangles, and the fans from which a way may lead straight there."""
    stamp, wanted = search.state[col.STAMP], search.wanted
    for k in range(len(search.best)):
        search.best[k], search.arrivals[k] = np.inf, -1
    for k in range(len(goal_triangles)):
        triangle = goal_triangles[k]
        if triangle < 0:
            continue
        search.chain[k] = int(wanted[triangle, 0]) if wanted[triangle, 1] == stamp else -1
        wanted[triangle, 0], wanted[triangle, 1] = k, stamp
        search.state[col.MISSING] += 1.0
        _watch(mesh, search, triangle)
    for j in range(len(mesh.jumps)):
        _watch(mesh, search, mesh.targets[j, 0])


@borrowing
def _watch(mesh, search, triangle):
    """Mark the fans at the corners of a triangle in which something is wanted."""
    for half in range(3 * triangle, 3 * triangle + 3):
        search.nearest[mesh.halves[half, col.FAN], 2] = search.state[col.STAMP]


@shared_borrowing
def visit(mesh, search, item, node, triangle, least):
    """Note the ways to the goals and jumps of a triangle that a window or a root looks into."""
    stamp = search.state[col.STAMP]
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
        if not way < known_way(search, place) - search.state[col.TOLERANCE]:
            continue
        nearest[place, 0], nearest[place, 1] = way, stamp
        x, y, z = jumps[j, END], jumps[j, END + 1], jumps[j, END + 2]
        key = max(way + least_rest(search, x, y, z), least)
        if key < search.state[col.BOUND]:
            add_root(search, col.FROM_JUMP, node, j, triangle, x, y, z, way, np.nan, key)


@borrowing
def _arrive(search, k, way, node):
    """Note a shorter way to a goal."""
    before = search.arrivals[k]
    search.best[k], search.arrivals[k] = way, node
    search.nodes[node, col.USERS] += 1
    if before < 0:
        search.state[col.MISSING] -= 1.0
    else:
        search.nodes[before, col.USERS] -= 1
        if before != node:
            release(search, before)
    if search.aim == col.ONE_GOAL:
        search.state[col.BOUND] = way


@borrowing
def _way_to(mesh, search, item, node, x, y, z):
    """Return the length of the way over a window or a root to a place that is seen from there."""
    if item < 0:
        roots, root = search.roots, -1 - item
        square = (roots[root, col.PLACE] - x) ** 2 + (roots[root, col.PLACE + 1] - y) ** 2
        return roots[root, col.FAR] + math.sqrt(square + (roots[root, col.PLACE + 2] - z) ** 2)
    spans = search.spans
    to_x, to_y = in_frame(mesh, search.nodes[node, col.STEP], x, y, z)
    root_x, root_y = spans[item, col.ROOT_X], spans[item, col.ROOT_Y]
    at = crossing(root_x, root_y, to_x, to_y, spans[item, col.B0], spans[item, col.B1])
    return spans[item, col.GONE] + way_over(root_x, root_y, at, to_x, to_y)
