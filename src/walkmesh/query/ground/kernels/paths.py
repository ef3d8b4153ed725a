"""Many paths, one after the other: where they start and end, the search, and the way on foot."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.blocks import mark_blocks
from walkmesh.query.ground.kernels.corridor import find_corridor, list_corridor
from walkmesh.query.ground.kernels.islands import reach_islands
from walkmesh.query.ground.kernels.locate import nearest_place, to_plan, to_world
from walkmesh.query.ground.kernels.mesh import unpack_ground, unpack_mesh, unpack_scratch
from walkmesh.query.ground.kernels.polyanya import find_shortest, list_steps
from walkmesh.query.ground.kernels.steps import NO_ROOM, NO_WAY
from walkmesh.query.ground.kernels.trace import measure, trace

# How a path came out.
COMPLETE, PARTIAL, UNREACHABLE = range(3)
# Columns of `results`: how it came out; where its points, polygons and links end; its length and
# cost; and 1 if no way costs less, 0 for the way of a corridor.
STATUS, POINTS_END, WAYS_END, LINKS_END, LENGTH, COST, IS_OPTIMAL = range(7)
RESULT_COLUMNS = 7
# Why no more paths were searched: all are done, the scratch is too small, or the output is full.
DONE, SCRATCH_FULL, OUTPUT_FULL = range(3)
# Places of `settings`: a step up, a storey (see `nearest_place`), how far away the ground may be
# from start and goal, how far a path may be from the ground, the least that a metre costs, the most
# nodes of a search for the shortest path, and the unit vectors of the plan frame, nine numbers.
STEP, STOREY, LIMIT, TOLERANCE, THRIFT, MOST_NODES, AXES = range(7)
# Bits of `flags`: to take the shortest path, not that of the corridor; to go as near to the goal as
# can be; and to search only in the blocks between start and goal.
OPTIMAL, PARTLY, PRUNED = 1, 2, 4


@kernel(
    kt.POINTS, kt.TRIPLES, kt.FLOATS, kt.INTS, kt.OUT_FLOATS, kt.OUT_INTS, kt.LONGS_2D, kt.FLOATS,
    kt.FLOATS, kt.INT, kt.INT, kt.OUT_POINTS, kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_LONGS,
)  # fmt: skip
def find_paths(
    ends, end_polygons, mesh_floats, mesh_ints, scratch_floats, scratch_ints, layout, costs,
    settings, flags, first, results, path, ways, links, used,
):  # fmt: skip
    """Find paths between pairs of points.

    The arguments have four owners: the mesh, the scratch, the kind of paths and the answers, each
    of which is packed already and kept from call to call.

    Parameters
    ----------
    ends : (q, 6) float64
        Start and goal of each, in world coordinates. [Unit: m]
    end_polygons : (q, 2) int32
        The polygons that these lie on, -1 for none; or empty, if that is to be found.
    mesh_floats, mesh_ints, scratch_floats, scratch_ints, layout
        What to search on and with, see :mod:`walkmesh.query.ground.kernels.mesh`.
    costs : (p,) float64
        What a metre costs on each polygon.
    settings : (15,) float64
    flags, first : int
        What to do, and the first query to answer.
    results : (q, RESULT_COLUMNS) float64, output
    path, ways, links : (k, 3) float64, (w,) and (l,) int32, output
        Points in world coordinates, polygons and links of all paths, end to end.
    used : (4,) int64, output
        How many places of these three are used, and why no more paths were searched.

    Returns
    -------
    int
        The first query that is not answered.
    """
    mesh = unpack_mesh(mesh_floats, mesh_ints, layout, costs)
    ground = unpack_ground(mesh_floats, mesh_ints, layout)
    scratch = unpack_scratch(scratch_floats, scratch_ints, layout)
    axes = settings[AXES : AXES + 9].reshape((3, 3))
    branches = np.empty(DEPTH_LIMIT, np.int32)
    places = np.empty((2, 3), np.float64)
    found = np.empty(2, np.int32)
    everywhere = np.empty(0, np.float64)
    if first == 0:
        used[0], used[1], used[2] = 0, 0, 0
    used[3] = DONE
    for q in range(first, len(ends)):
        points_before, ways_before, links_before = used[0], used[1], used[2]
        for end in range(2):
            _locate(
                mesh, ground, branches, everywhere, ends, end_polygons, q, end, axes, settings,
                places, found,
            )  # fmt: skip
        start, goal = found[0], found[1]
        scratch.clock[0] += 1.0
        stamp = scratch.clock[0]
        status, cost, is_optimal = UNREACHABLE, np.inf, True
        if start >= 0:
            if reach_islands(mesh, scratch, stamp, start, goal):
                status = COMPLETE
            elif flags & PARTLY:
                status = PARTIAL
                u, v, h = to_plan(axes, ends, q, 3)
                triangle, u, v, h = nearest_place(
                    ground, branches, mesh.polygons, scratch.reached, stamp, u, v, h,
                    settings[STEP], settings[STOREY],
                )  # fmt: skip
                goal = ground.owners[triangle]
                places[1, 0], places[1, 1], places[1, 2] = u, v, h
        if status != UNREACHABLE:
            count, is_optimal = _search(mesh, scratch, stamp, start, goal, places, settings, flags)
            if count == NO_ROOM:
                used[3] = SCRATCH_FULL
                return q
            if count == NO_WAY:
                status = UNREACHABLE
            else:
                cost = trace(
                    mesh, ground, scratch, count, start, places, settings[TOLERANCE], path, ways,
                    links, used,
                )  # fmt: skip
                if used[0] > len(path) or used[1] > len(ways) or used[2] > len(links):
                    used[0], used[1], used[2] = points_before, ways_before, links_before
                    used[3] = OUTPUT_FULL
                    return q
        results[q, LENGTH], results[q, COST] = np.inf, cost
        if status != UNREACHABLE:
            results[q, LENGTH] = measure(path, points_before, used[0])
        for i in range(points_before, used[0]):
            to_world(axes, path[i, 0], path[i, 1], path[i, 2], path, i)
        results[q, STATUS] = status
        results[q, POINTS_END], results[q, WAYS_END] = used[0], used[1]
        results[q, LINKS_END] = used[2]
        results[q, IS_OPTIMAL] = 1.0 if is_optimal else 0.0
    return len(ends)


@borrowing
def _locate(
    mesh, ground, branches, everywhere, ends, polygons, q, end, axes, settings, places, found
):  # fmt: skip
    """Find the polygon that a query starts (end 0) or ends (end 1) on, -1 for none, and where."""
    u, v, h = to_plan(axes, ends, q, 3 * end)
    cu, cv, ch = u, v, h
    if len(polygons) > 0:
        found[end] = polygons[q, end]
    else:
        triangle, cu, cv, ch = nearest_place(
            ground, branches, mesh.polygons, everywhere, 0.0, u, v, h, settings[STEP],
            settings[STOREY],
        )  # fmt: skip
        far = (cu - u) ** 2 + (cv - v) ** 2 + (ch - h) ** 2
        found[end] = -1
        if triangle >= 0 and far <= settings[LIMIT] * settings[LIMIT]:
            found[end] = ground.owners[triangle]
    places[end, 0], places[end, 1], places[end, 2] = cu, cv, ch


@borrowing
def _search(mesh, scratch, stamp, start, goal, ends, settings, flags):
    """Search a way between polygons; return its number of steps or a code, and if it is optimal."""
    u, v, goal_u, goal_v = ends[0, 0], ends[0, 1], ends[1, 0], ends[1, 1]
    pruned, thrift = flags & PRUNED != 0, settings[THRIFT]
    if pruned and mesh.polygons[start, col.ISLAND] == mesh.polygons[goal, col.ISLAND]:
        mark_blocks(mesh, scratch.marks, stamp, start, goal)
    else:
        pruned = False
    if flags & OPTIMAL:
        node = find_shortest(
            mesh, scratch, stamp, start, u, v, goal, goal_u, goal_v, thrift, pruned
        )
        if node >= 0:
            return list_steps(scratch.nodes, node, scratch.steps), True
        if node == NO_ROOM and len(scratch.nodes) < settings[MOST_NODES]:
            return NO_ROOM, False
        # What is seen depends on places, and rounding may close a gap; what is next to what does
        # not, so the corridor finds a way if there is one. It also does where shortest paths take
        # more memory than there should be: each of thousands of links is a place to look from.
    polygon = find_corridor(mesh, scratch, stamp, start, u, v, goal, goal_u, goal_v, thrift, pruned)
    if polygon < 0:
        return polygon, False
    return list_corridor(mesh, scratch.entries, polygon, scratch.steps), False
