"""Closing gaps: contract boundary vertices with what faces them across a slit, nearest first.

A vertex on the boundary is contracted with a vertex or an edge of the boundary. An edge is split at
the foot of the perpendicular, and the vertex contracted with the one made there. What counts as a
slit is measured twice: on the mesh as it is, and from where its corners were to begin with (their
*homes*). Otherwise an edge bent over to one vertex comes nearer to the next, and a wedge would
close from its tip to its mouth, however wide that is.

Vertices wait in a heap. One that comes out is given its best contraction; if that is farther away
than the key it waited with, it goes back under the right key. So nothing needs to be told when the
mesh changes: everybody looks again when it is their turn.
"""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.candidates import CODE, KEY, PART, find_best
from walkmesh.builder.exact.kernels.contract import contract, split_edge, unsplit_edge
from walkmesh.builder.exact.kernels.edge_grid import (
    insert_edge,
    make_grid,
    most_cells,
)
from walkmesh.builder.exact.kernels.fans import (
    AFTER,
    FRESH,
    FRESH_EDGES,
    HEAD,
    HOME_U,
    HOME_V,
    MATE,
    NONE,
    SOUND,
    TRIANGLES,
    VERTEX,
    find_fault,
    is_open,
    make_mesh,
)
from walkmesh.builder.exact.kernels.waiting import FIRST, dequeue, enqueue, make_queue
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of

# What contract_gaps returns; a fault found on the way is FAULT plus its number.
DONE = 0
NO_ROOM = 1
FAULT = 100

# Places in the counts.
VERTEX_CONTRACTIONS = 0
EDGE_CONTRACTIONS = 1
REFUSED = 2
TRIANGLE_COUNT = 3

# How far a corner may get from its home, in gap distances: across two slits that cross.
_REACH = 2.0
# As often are contractions that were refused tried again.
_ROUNDS = 8


@kernel(
    kt.OUT_POINTS, kt.OUT_LONGS_2D, kt.OUT_POINTS, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.INT,
    kt.OUT_LONGS,
)  # fmt: skip
def contract_gaps(points, corners, places, distance, max_step, steepest, check, counts):
    """Close the slits of a mesh.

    All arrays are changed in place. Those for corners have room for more triangles than there are.

    Parameters
    ----------
    points : (n + 1, 2) float64, in and out
        Plan positions; the last is room to work in. [Unit: m]
    corners : (3 m, 5) int64, in and out
        For each corner of the triangles, counter-clockwise: its vertex (-1 if the triangle is
        gone), the matching edge of its edge (-1 at the boundary), and the edge's kind; and two
        columns of room to work in.
    places : (3 m, 3) float64, in and out
        For each corner its height, and where in plan it was to begin with. [Unit: m]
    distance : float
        The widest slit to close, in plan. [Unit: m]
    max_step : float
        The largest difference in height across a slit. [Unit: m]
    steepest : float
        The steepest ground, as rise over run.
    check : int
        Whether to look over the whole mesh after each contraction.
    counts : (4,) int64, in and out
        Contractions of two vertices, of a vertex and an edge, contractions refused (all three are
        added to), and the number of triangles.

    Returns
    -------
    int
        DONE; NO_ROOM if another call with more room has to go on; or FAULT plus what is wrong.
    """
    mesh = make_mesh(points, corners, places, counts[TRIANGLE_COUNT])
    grid = _fill_grid(mesh, distance)
    queue = make_queue(len(points))
    # The contraction each vertex was refused last in this round; it only goes on to later ones.
    banned = np.empty(len(points), np.float64)
    banned_code = np.empty(len(points), np.int64)
    best = np.empty(3, np.float64)
    status = DONE
    for _ in range(_ROUNDS):
        done_before = counts[VERTEX_CONTRACTIONS] + counts[EDGE_CONTRACTIONS]
        for vertex in range(len(points) - 1):
            banned[vertex], banned_code[vertex] = -1.0, -1
            if _faces_a_gap(mesh, vertex):
                enqueue(queue, FIRST, vertex)
        while status == DONE and queue.waiting[0] > 0:
            key, vertex = dequeue(queue)
            if vertex < 0 or not _faces_a_gap(mesh, vertex):
                continue
            find_best(
                mesh, grid, vertex, distance, max_step, banned[vertex], banned_code[vertex], best
            )
            if best[CODE] < 0.0:
                continue
            if best[KEY] > key:
                enqueue(queue, best[KEY], vertex)
                continue
            edge = int(best[CODE]) // 2
            new = NONE
            target = len(points) - 1
            if best[PART] < 0.0:
                target = mesh.corners[edge, VERTEX]
            elif best[PART] > 1.0:
                target = mesh.corners[next_of(edge), VERTEX]
            elif 3 * mesh.state[TRIANGLES] + 3 > len(corners):
                status = NO_ROOM
                continue
            else:
                new = split_edge(mesh, edge, best[PART])
            if not contract(
                mesh, vertex, target, _REACH * distance, max_step + tol.GAP_STEP, steepest
            ):
                if new >= 0:
                    unsplit_edge(mesh, edge, new)
                banned[vertex], banned_code[vertex] = best[KEY], int(best[CODE])
                counts[REFUSED] += 1
                enqueue(queue, best[KEY], vertex)
                continue
            counts[EDGE_CONTRACTIONS if new >= 0 else VERTEX_CONTRACTIONS] += 1
            if not _enter_changed(mesh, grid, new):
                status = NO_ROOM
            if check:
                fault = find_fault(mesh, tol.LEAST_ALTITUDE)
                if fault != SOUND:
                    status = FAULT + fault
            _look_again(mesh, vertex, queue, banned, banned_code)
        if status != DONE or (
            counts[VERTEX_CONTRACTIONS] + counts[EDGE_CONTRACTIONS] == done_before
        ):
            break
    counts[TRIANGLE_COUNT] = mesh.state[TRIANGLES]
    return status


@borrowing
def _faces_a_gap(mesh, vertex):
    """Tell whether a vertex has an open edge."""
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        if is_open(mesh, corner) or is_open(mesh, last_of(corner)):
            return True
        corner = mesh.corners[corner, AFTER]
    return False


@borrowing
def _look_again(mesh, vertex, queue, banned, banned_code):
    """Let a vertex that was contracted, and those next along the boundary, look first of all."""
    banned[vertex], banned_code[vertex] = -1.0, -1
    enqueue(queue, FIRST, vertex)
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        for edge in (corner, last_of(corner)):
            if mesh.corners[edge, MATE] < 0:
                other = next_of(corner) if edge == corner else edge
                neighbour = mesh.corners[other, VERTEX]
                banned[neighbour], banned_code[neighbour] = -1.0, -1
                enqueue(queue, FIRST, neighbour)
        corner = mesh.corners[corner, AFTER]


@kernel
def _fill_grid(mesh, distance):
    """Make a grid over the homes of all open edges."""
    edges = 0
    total = 0.0
    low_u, low_v = np.inf, np.inf
    for edge in range(3 * mesh.state[TRIANGLES]):
        if is_open(mesh, edge):
            other = next_of(edge)
            edges += 1
            total += abs(mesh.places[edge, HOME_U] - mesh.places[other, HOME_U])
            total += abs(mesh.places[edge, HOME_V] - mesh.places[other, HOME_V])
            low_u, low_v = (
                min(low_u, mesh.places[edge, HOME_U]),
                min(low_v, mesh.places[edge, HOME_V]),
            )
    # Four cells along the average edge keep the grid in proportion to the mesh; one cell is wide
    # enough that a vertex looks into four at most.
    cell = max(4.0 * distance, 0.25 * total / max(edges, 1))
    entries = len(mesh.points)
    for edge in range(3 * mesh.state[TRIANGLES]):
        if is_open(mesh, edge):
            other = next_of(edge)
            entries += most_cells(
                mesh.places[edge, HOME_U],
                mesh.places[edge, HOME_V],
                mesh.places[other, HOME_U],
                mesh.places[other, HOME_V],
                cell,
            )
    # Two cells to spare, so that no vertex looks into cells of negative number.
    grid = make_grid(entries, 3 * entries + 1024, low_u - 2.0 * cell, low_v - 2.0 * cell, cell)
    for edge in range(3 * mesh.state[TRIANGLES]):
        if is_open(mesh, edge):
            _enter(mesh, grid, edge)
    return grid


@borrowing
def _enter(mesh, grid, edge):
    """Enter an edge into the grid, where its home is; False if there is no room."""
    other = next_of(edge)
    return insert_edge(
        grid, edge, mesh.places[edge, HOME_U], mesh.places[edge, HOME_V],
        mesh.places[other, HOME_U], mesh.places[other, HOME_V],
    )  # fmt: skip


@borrowing
def _enter_changed(mesh, grid, new):
    """Enter the edges of a new triangle, and those that the last contraction left open."""
    entered = True
    for i in range(mesh.state[FRESH] + (3 if new >= 0 else 0)):
        edge = new + i - mesh.state[FRESH]
        if i < mesh.state[FRESH]:
            edge = mesh.state[FRESH_EDGES + i]
        if is_open(mesh, edge) and not _enter(mesh, grid, edge):
            entered = False
    return entered
