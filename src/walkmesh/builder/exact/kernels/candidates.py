"""Candidates: the nearest contraction of a vertex with a vertex or an edge across a slit."""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.edge_grid import bucket_of, column_of, row_of
from walkmesh.builder.exact.kernels.fans import (
    AFTER,
    HEAD,
    HEIGHT,
    HOME_U,
    HOME_V,
    NONE,
    VERTEX,
    edge_length,
    is_open,
)
from walkmesh.builder.exact.kernels.slits import faces_across_a_slit
from walkmesh.kernels.geometry.plan import to_segment, way_to_segment
from walkmesh.kernels.kernel import borrowing
from walkmesh.kernels.meshes.corners import next_of

# Places in the best contraction of a vertex; see :func:`find_best`.
KEY, CODE, PART = 0, 1, 2


@borrowing
def find_best(mesh, grid, vertex, distance, max_step, banned, banned_code, best):
    """Find the nearest contraction of a vertex that comes after the one it was refused last.

    `best` becomes its key, its code (-1 if there is none; twice the edge, plus one if the edge is
    split though one of its ends is near), and the part of the edge where the vertex goes (-1 for
    its start, 2 for its end).
    """
    best[KEY], best[CODE], best[PART] = np.inf, -1.0, 0.0
    last_u, last_v = np.inf, np.inf
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        # Most corners of a vertex have the same home, and mostly one after the other.
        u, v = mesh.places[corner, HOME_U], mesh.places[corner, HOME_V]
        if u != last_u or v != last_v:
            last_u, last_v = u, v
            reach = distance + tol.SLIT_ROUNDING
            for column in range(column_of(grid, u - reach), column_of(grid, u + reach) + 1):
                for row in range(row_of(grid, v - reach), row_of(grid, v + reach) + 1):
                    entry = grid.buckets[bucket_of(grid, column, row)]
                    while entry >= 0:
                        edge = grid.edges[entry]
                        if is_open(mesh, edge) and _is_near_home(mesh, edge, u, v, reach):
                            try_edge(mesh, vertex, edge, reach, max_step, banned, banned_code, best)
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
def try_edge(mesh, vertex, edge, reach, max_step, banned, banned_code, best):
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
    if rise > max_step + tol.GAP_STEP:
        return
    length = edge_length(mesh, edge)
    along, rest = part * length, (1.0 - part) * length
    # First an end of the edge, if it is near; then the edge, under the same key.
    near_end = min(along, rest) <= max(tol.SNAP_LEAST, tol.SNAP_SHARE * gap)
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
            if near_end and min(along, rest) < tol.END_APART:
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
                best[KEY], best[CODE], best[PART] = key, code, part_taken
                return
            code += 1.0


@borrowing
def _key(gap, rise, max_step):
    """Return a key that goes by the gap first, in steps, and then by the rise."""
    steps = np.floor(gap / tol.GAP_STEP + 0.5)
    return steps + 0.999 * min(rise / max_step, 1.0) if max_step > 0.0 else steps


@borrowing
def _is_better(key, code, banned, banned_code, best):
    """Tell whether a contraction comes after the banned one and before the best so far."""
    if key < banned or (key == banned and code <= banned_code):
        return False
    return key < best[KEY] or (key == best[KEY] and code < best[CODE])


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
