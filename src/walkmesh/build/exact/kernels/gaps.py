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

from collections import namedtuple

import numpy as np

from walkmesh.build.exact.kernels.contract import LEAST_ALTITUDE, contract, split_edge, unsplit_edge
from walkmesh.build.exact.kernels.edge_grid import (
    bucket_of,
    column_of,
    insert_edge,
    make_grid,
    most_cells,
    row_of,
)
from walkmesh.build.exact.kernels.slits import faces_across_a_slit
from walkmesh.kernels.geometry.plan import to_segment, way_to_segment
from walkmesh.kernels.kernel import (
    FLOAT,
    INT,
    OUT_LONGS,
    OUT_LONGS_2D,
    OUT_POINTS,
    borrowing,
    kernel,
)
from walkmesh.kernels.meshes.fans import (
    AFTER,
    FRESH,
    FRESH_EDGES,
    HEAD,
    HEIGHT,
    HOME_U,
    HOME_V,
    MATE,
    NONE,
    SOUND,
    TRIANGLES,
    VERTEX,
    edge_length,
    find_fault,
    is_open,
    last_of,
    make_mesh,
    next_of,
)
from walkmesh.kernels.search.heap import heap_pop, heap_push

# What contract_gaps returns; a fault found on the way is FAULT plus its number.
DONE = 0
NO_ROOM = 1
FAULT = 100

# Places in the counts.
VERTEX_CONTRACTIONS = 0
EDGE_CONTRACTIONS = 1
REFUSED = 2
TRIANGLE_COUNT = 3

# A foot this close to an end of the edge, in parts of the gap, is moved there: the way is a tenth
# longer at most. Edges bent by earlier contractions would otherwise leave corners behind.
_SNAP = 0.45
# So is one at this distance, however narrow the gap: of careless corners, in an overlap, the wrong
# sides may be nearest. [m]
_SNAP_LEAST = 0.002
# A vertex made on an edge keeps this far from its ends. [m]
_END = 1e-4
# A slit as wide as the gap distance is no wider than this, with both sides rounded to micrometres.
# [m]
_ROUNDING = 2e-6
# Distances are told apart in steps of this length, then heights decide. [m]
_STEP = 1e-7
# How far a corner may get from its home, in gap distances: across two slits that cross.
_REACH = 2.0
# As often are contractions that were refused tried again.
_ROUNDS = 8

# Places in the best contraction of a vertex; see _find_best.
_KEY = 0
_CODE = 1
_PART = 2

# The key of a vertex that has not looked yet, and that of one which does not wait.
_FIRST = -1.0
_ABSENT = -2.0

# keys, items: a heap. current: for each vertex the key it waits under. first: 1 if it waits, also,
# under _FIRST. waiting: (1,) int64, the number of entries.
Queue = namedtuple("Queue", "keys items current first waiting")


@kernel(OUT_POINTS, OUT_LONGS_2D, OUT_POINTS, FLOAT, FLOAT, FLOAT, INT, OUT_LONGS)
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
    queue = _make_queue(len(points))
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
                _enqueue(queue, _FIRST, vertex)
        while status == DONE and queue.waiting[0] > 0:
            key, vertex = _dequeue(queue)
            if vertex < 0 or not _faces_a_gap(mesh, vertex):
                continue
            _find_best(
                mesh, grid, vertex, distance, max_step, banned[vertex], banned_code[vertex], best
            )
            if best[_CODE] < 0.0:
                continue
            if best[_KEY] > key:
                _enqueue(queue, best[_KEY], vertex)
                continue
            edge = int(best[_CODE]) // 2
            new = NONE
            target = len(points) - 1
            if best[_PART] < 0.0:
                target = mesh.corners[edge, VERTEX]
            elif best[_PART] > 1.0:
                target = mesh.corners[next_of(edge), VERTEX]
            elif 3 * mesh.state[TRIANGLES] + 3 > len(corners):
                status = NO_ROOM
                continue
            else:
                new = split_edge(mesh, edge, best[_PART])
            if not contract(mesh, vertex, target, _REACH * distance, max_step + _STEP, steepest):
                if new >= 0:
                    unsplit_edge(mesh, edge, new)
                banned[vertex], banned_code[vertex] = best[_KEY], int(best[_CODE])
                counts[REFUSED] += 1
                _enqueue(queue, best[_KEY], vertex)
                continue
            counts[EDGE_CONTRACTIONS if new >= 0 else VERTEX_CONTRACTIONS] += 1
            if not _enter_changed(mesh, grid, new):
                status = NO_ROOM
            if check:
                fault = find_fault(mesh, LEAST_ALTITUDE)
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


@kernel
def _make_queue(vertices):
    """Make an empty queue; there is room for two valid entries of each vertex and one stale."""
    return Queue(
        np.empty(3 * vertices + 16, np.float64),
        np.empty(3 * vertices + 16, np.int64),
        np.full(vertices, _ABSENT, np.float64),
        np.zeros(vertices, np.uint8),
        np.zeros(1, np.int64),
    )


@borrowing
def _enqueue(queue, key, vertex):
    """Let a vertex wait under a key, in place of the one it had; or first of all."""
    if key == _FIRST:
        if queue.first[vertex]:
            return
        queue.first[vertex] = 1
    elif queue.current[vertex] == key:
        return
    else:
        queue.current[vertex] = key
    if queue.waiting[0] == len(queue.keys):
        _drop_stale(queue)
    heap_push(queue.keys, queue.items, queue.waiting[0], key, vertex)
    queue.waiting[0] += 1


@borrowing
def _drop_stale(queue):
    """Take out all entries of vertices that have another key by now."""
    count = queue.waiting[0]
    queue.waiting[0] = 0
    for i in range(count):
        key, item = queue.keys[i], queue.items[i]
        if key == _FIRST or key == queue.current[item]:
            heap_push(queue.keys, queue.items, queue.waiting[0], key, item)
            queue.waiting[0] += 1
            if key != _FIRST:
                queue.current[item] = _ABSENT  # a vertex that came back to a key stays once
    for i in range(queue.waiting[0]):
        if queue.keys[i] != _FIRST:
            queue.current[queue.items[i]] = queue.keys[i]


@borrowing
def _dequeue(queue):
    """Return the first key and its vertex; NONE for the vertex if it has another key by now."""
    key, vertex = heap_pop(queue.keys, queue.items, queue.waiting[0])
    queue.waiting[0] -= 1
    if key == _FIRST:
        queue.first[vertex] = 0
    elif key == queue.current[vertex]:
        queue.current[vertex] = _ABSENT
    else:
        return key, NONE
    return key, vertex


@borrowing
def _look_again(mesh, vertex, queue, banned, banned_code):
    """Let a vertex that was contracted, and those next along the boundary, look first of all."""
    banned[vertex], banned_code[vertex] = -1.0, -1
    _enqueue(queue, _FIRST, vertex)
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        for edge in (corner, last_of(corner)):
            if mesh.corners[edge, MATE] < 0:
                other = next_of(corner) if edge == corner else edge
                neighbour = mesh.corners[other, VERTEX]
                banned[neighbour], banned_code[neighbour] = -1.0, -1
                _enqueue(queue, _FIRST, neighbour)
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
        grid,
        edge,
        mesh.places[edge, HOME_U],
        mesh.places[edge, HOME_V],
        mesh.places[other, HOME_U],
        mesh.places[other, HOME_V],
    )


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


@borrowing
def _find_best(mesh, grid, vertex, distance, max_step, banned, banned_code, best):
    """Find the nearest contraction of a vertex that comes after the one it was refused last.

    `best` becomes its key, its code (-1 if there is none; twice the edge, plus one if the edge is
    split though one of its ends is near), and the part of the edge where the vertex goes (-1 for
    its start, 2 for its end).
    """
    best[_KEY], best[_CODE], best[_PART] = np.inf, -1.0, 0.0
    last_u, last_v = np.inf, np.inf
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        # Most corners of a vertex have the same home, and mostly one after the other.
        u, v = mesh.places[corner, HOME_U], mesh.places[corner, HOME_V]
        if u != last_u or v != last_v:
            last_u, last_v = u, v
            reach = distance + _ROUNDING
            for column in range(column_of(grid, u - reach), column_of(grid, u + reach) + 1):
                for row in range(row_of(grid, v - reach), row_of(grid, v + reach) + 1):
                    entry = grid.buckets[bucket_of(grid, column, row)]
                    while entry >= 0:
                        edge = grid.edges[entry]
                        if is_open(mesh, edge) and _is_near_home(mesh, edge, u, v, reach):
                            _try_edge(
                                mesh, vertex, edge, reach, max_step, banned, banned_code, best
                            )
                        entry = grid.after[entry]
        corner = mesh.corners[corner, AFTER]


@borrowing
def _is_near_home(mesh, edge, u, v, reach):
    """Tell whether a point is within reach of an edge where it was to begin with."""
    other = next_of(edge)
    pu, pv = mesh.places[edge, HOME_U], mesh.places[edge, HOME_V]
    square, _ = to_segment(u, v, pu, pv, mesh.places[other, HOME_U], mesh.places[other, HOME_V])
    return square <= reach * reach


@borrowing
def _try_edge(mesh, vertex, edge, reach, max_step, banned, banned_code, best):
    """Make the contraction of a vertex with an edge the best one, if it is allowed and better."""
    points = mesh.points
    p, q = mesh.corners[edge, VERTEX], mesh.corners[next_of(edge), VERTEX]
    if p == vertex or q == vertex:
        return
    u, v = points[vertex, 0], points[vertex, 1]
    part, du, dv = way_to_segment(u, v, points[p, 0], points[p, 1], points[q, 0], points[q, 1])
    gap = across = np.sqrt(du * du + dv * dv)
    if gap > reach:
        return
    rise = _least_rise(mesh, vertex, edge, part)
    if rise > max_step + _STEP:
        return
    length = edge_length(mesh, edge)
    along, rest = part * length, (1.0 - part) * length
    # First an end of the edge, if it is near; then the edge, under the same key.
    near_end = min(along, rest) <= max(_SNAP_LEAST, _SNAP * gap)
    code = 2.0 * edge
    for to_edge in range(2):
        end = NONE
        if to_edge == 0:
            if not near_end:
                continue
            end, part_taken = (p, -1.0) if along <= rest else (q, 2.0)
            du, dv = points[end, 0] - u, points[end, 1] - v
            gap = np.sqrt(du * du + dv * dv)
        else:
            if near_end and min(along, rest) < _END:
                continue
            if gap > reach:  # the end that is near is still too far away
                gap = across
            part_taken = part
            du = points[p, 0] + part * (points[q, 0] - points[p, 0]) - u
            dv = points[p, 1] + part * (points[q, 1] - points[p, 1]) - v
        if gap <= reach:
            key = _key(gap, rise, max_step)
            if _is_better(key, code, banned, banned_code, best) and faces_across_a_slit(
                mesh, vertex, edge, end, du, dv, along, rest, reach
            ):
                best[_KEY], best[_CODE], best[_PART] = key, code, part_taken
                return
            code += 1.0


@borrowing
def _key(gap, rise, max_step):
    """Return a key that goes by the gap first, in steps, and then by the rise."""
    steps = np.floor(gap / _STEP + 0.5)
    return steps + 0.999 * min(rise / max_step, 1.0) if max_step > 0.0 else steps


@borrowing
def _is_better(key, code, banned, banned_code, best):
    """Tell whether a contraction comes after the banned one and before the best so far."""
    if key < banned or (key == banned and code <= banned_code):
        return False
    return key < best[_KEY] or (key == best[_KEY] and code < best[_CODE])


@borrowing
def _least_rise(mesh, vertex, edge, part):
    """Return the smallest difference between a vertex's heights and that of an edge at a place."""
    height = mesh.places[edge, HEIGHT] + part * (
        mesh.places[next_of(edge), HEIGHT] - mesh.places[edge, HEIGHT]
    )
    least = np.inf
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        least = min(least, abs(mesh.places[corner, HEIGHT] - height))
        corner = mesh.corners[corner, AFTER]
    return least
