"""Distances from one point to many, in one search."""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import kernel, shared_borrowing
from walkmesh.kernels.search.heap import heap_pop, heap_push
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.islands import reach_islands
from walkmesh.query.ground.kernels.locate import to_plan
from walkmesh.query.ground.kernels.mesh import unpack_ground, unpack_mesh, unpack_scratch
from walkmesh.query.ground.kernels.paths import AXES, DONE, OUTPUT_FULL, SCRATCH_FULL, TOLERANCE
from walkmesh.query.ground.kernels.polyanya import expand, list_steps, way_through
from walkmesh.query.ground.kernels.steps import FROM_START, NO_ROOM, polygon_after
from walkmesh.query.ground.kernels.trace import measure, trace
from walkmesh.query.kernels import tolerances as tol

# How many nodes are looked at between two looks at how far the farthest goal is.
_NODES_BETWEEN = 256


@kernel(
    kt.POINTS, kt.INT, kt.POINTS, kt.INTS, kt.FLOATS, kt.INTS, kt.OUT_FLOATS, kt.OUT_INTS,
    kt.LONGS_2D, kt.FLOATS, kt.FLOATS, kt.OUT_FLOATS, kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS,
    kt.OUT_LONGS,
)  # fmt: skip
def measure_distances(
    start, polygon, goals, goal_polygons, mesh_floats, mesh_ints, scratch_floats, scratch_ints,
    layout, costs, settings, lengths, path, ways, links, used,
):  # fmt: skip
    """Measure how long the shortest paths from one point to others are.

    The arguments are those of :func:`~walkmesh.query.ground.kernels.paths.find_paths`, but for the
    ends: both are called with the same mesh, scratch and kind of paths.

    Parameters
    ----------
    start, polygon : (1, 3) float64 and int
        World coordinates, and the polygon that they lie on. [Unit: m]
    goals, goal_polygons : (m, 3) float64 and (m,) int32
        Likewise; -1 for a goal that is not on the navmesh.
    mesh_floats, mesh_ints, scratch_floats, scratch_ints, layout, costs, settings
        As for :func:`~walkmesh.query.ground.kernels.paths.find_paths`.
    lengths : (m,) float64, output
        Infinite where there is no way. [Unit: m]
    path, ways, links : scratch
        For one path.
    used : (4,) int64, output
        At its last place, whether there was room for everything.
    """
    mesh = unpack_mesh(mesh_floats, mesh_ints, layout, costs)
    ground = unpack_ground(mesh_floats, mesh_ints, layout)
    scratch = unpack_scratch(scratch_floats, scratch_ints, layout)
    axes, tolerance = settings[AXES : AXES + 9].reshape((3, 3)), settings[TOLERANCE]
    gone = scratch.gone
    scratch.clock[0] += 1.0
    stamp = scratch.clock[0]
    reach_islands(mesh, scratch, stamp, polygon, -1)
    places = np.empty((len(goals), 3), np.float64)
    following = np.empty(len(goals), np.int32)  # the next goal on the same polygon
    shortest = np.full(len(goals), np.inf)
    arrivals = np.full(len(goals), -1, np.int32)  # the node that leads there
    missing = 0
    for k in range(len(goals)):
        goal = goal_polygons[k]
        lengths[k] = np.inf
        if goal < 0 or scratch.reached[mesh.polygons[goal, col.ISLAND]] != stamp:
            continue
        places[k, 0], places[k, 1], places[k, 2] = to_plan(axes, goals, k, 0)
        following[k] = int(gone[goal, 0]) if gone[goal, 1] == stamp else -1
        gone[goal, 0], gone[goal, 1] = k, stamp
        missing += 1
    ends = np.empty((2, 3), np.float64)
    ends[0, 0], ends[0, 1], ends[0, 2] = to_plan(axes, start, 0, 0)
    used[3] = DONE
    if missing == 0:
        return
    found = _spread(
        mesh, scratch, stamp, polygon, ends, places, following, shortest, arrivals, missing
    )
    if not found:
        used[3] = SCRATCH_FULL
        return
    for k in range(len(goals)):
        if arrivals[k] >= 0:
            ends[1, 0], ends[1, 1], ends[1, 2] = places[k, 0], places[k, 1], places[k, 2]
            count = list_steps(scratch.nodes, arrivals[k], scratch.steps)
            used[0], used[1], used[2] = 0, 0, 0
            trace(mesh, ground, scratch, count, polygon, ends, tolerance, path, ways, links, used)
            if used[0] > len(path) or used[1] > len(ways) or used[2] > len(links):
                used[3] = OUTPUT_FULL
                return
            lengths[k] = measure(path, 0, used[0])


@shared_borrowing
def _spread(mesh, scratch, stamp, start, ends, places, following, shortest, arrivals, missing):
    """Search outwards until the shortest way to every goal is known; tell whether there was room.

    Nodes are taken in the order of how near they come to the start, so that all ways shorter than
    that are known.

    It is not inlined, and `expand` is: inside the entry point, its loop lacked registers, and a
    call hands on every array of mesh and scratch. Together, that took as long as all the rest.
    """
    spans, nodes, best, gone = scratch.spans, scratch.nodes, scratch.best, scratch.gone
    nodes[0, col.PARENT], nodes[0, col.STEP], nodes[0, col.ROOT] = -1, FROM_START, -1
    spans[0, col.ROOT_U], spans[0, col.ROOT_V], spans[0, col.GONE] = ends[0, 0], ends[0, 1], 0.0
    heap_push(scratch.keys, scratch.items, 0, 0.0, 0)
    count, waiting, looked = 1, 1, 0
    farthest = np.inf
    while waiting > 0:
        key, node = heap_pop(scratch.keys, scratch.items, waiting)
        waiting -= 1
        if missing == 0:
            if looked % _NODES_BETWEEN == 0:
                farthest = 0.0
                for k in range(len(shortest)):
                    if arrivals[k] >= 0:
                        farthest = max(farthest, shortest[k])
            looked += 1
            if key >= farthest:
                return True
        root = nodes[node, col.ROOT]
        if root >= 0 and spans[node, col.GONE] > best[root, 0] + tol.SAME_POINT:
            continue
        step = nodes[node, col.STEP]
        polygon = start if step == FROM_START else polygon_after(mesh, step)
        if gone[polygon, 1] == stamp:
            k = int(gone[polygon, 0])
            while k >= 0:
                way = spans[node, col.GONE] + way_through(
                    spans, nodes, node, places[k, 0], places[k, 1]
                )
                if way < shortest[k]:
                    if arrivals[k] < 0:
                        missing -= 1
                    shortest[k], arrivals[k] = way, node
                k = following[k]
        before = count
        count = expand(mesh, scratch, stamp, start, node, polygon, count, False)
        if count == NO_ROOM:
            return False
        for new in range(before, count):
            key = spans[new, col.GONE]
            if nodes[new, col.STEP] >= 0:
                square, _ = to_segment(
                    spans[new, col.ROOT_U], spans[new, col.ROOT_V],
                    spans[new, col.LEFT_U], spans[new, col.LEFT_V],
                    spans[new, col.RIGHT_U], spans[new, col.RIGHT_V],
                )  # fmt: skip
                key += math.sqrt(square)
            heap_push(scratch.keys, scratch.items, waiting, key, new)
            waiting += 1
    return True
