"""From start to goal with clearance, and how clear a path is."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.query.clearance.kernels.anchors import triangle_at
from walkmesh.query.clearance.kernels.room import make_room
from walkmesh.query.clearance.kernels.search import find_turns
from walkmesh.query.clearance.kernels.sides import Mesh, nearest_boundary
from walkmesh.query.clearance.kernels.taut import pull_tight
from walkmesh.query.clearance.kernels.widest import widest_root
from walkmesh.query.kernels import tolerances as tol

# What comes instead of a path.
NO_ROOM = -1
NO_WAY = -2
NOT_CLEAR = -3


# Points, corners and mates of the triangulation; and the middles of polygons with the triangles
# that hold them, see `ClearanceMesh`.
TRIANGULATION = kt.packed(kt.POINTS, kt.INTS, kt.INTS)
PLACES = kt.packed(kt.POINTS, kt.INTS)


@kernel(
    TRIANGULATION, kt.packed(kt.INTS, kt.FLOATS), PLACES, kt.POINTS, kt.INT, kt.INT, kt.FLOAT,
    kt.FLOAT, kt.OUT_POINTS, kt.OUT_INTS,
)  # fmt: skip
def find_clear_path(
    triangulation, forest, places, ends, start_polygon, goal_polygon, radius, limit, path, bent
):
    """Find a short path that keeps a distance from the boundary.

    Parameters
    ----------
    triangulation, forest, places : tuples of arrays
        Points, corners and mates; above and widths; centers and anchors: see `ClearanceMesh`.
    ends : (2, 2) float64
        Start and goal, in plan. [Unit: m]
    start_polygon, goal_polygon : int
        The navmesh's polygons that hold them.
    radius : float
        The distance to keep. [Limit: >= 1e-5] [Unit: m]
    limit : float
        How far start and goal may be moved to where there is enough room. [Unit: m]
    path : (capacity, 2) float64, output
        The path. [Unit: m]
    bent : (1,) int32, output
        1 if the path had to be bent around corners that the search did not turn around.

    Returns
    -------
    int
        The number of points, which may be more than the capacity: then nothing is written. Or
        NO_ROOM, if start or goal is too close to the boundary; NO_WAY, if none is wide enough;
        NOT_CLEAR, if none was found that is clear all the way.
    """
    mesh = Mesh(*triangulation)
    stack = np.empty(len(mesh.corners) + 3, np.int32)
    start = triangle_at(mesh, places, start_polygon, ends[0, 0], ends[0, 1])
    goal = triangle_at(mesh, places, goal_polygon, ends[1, 0], ends[1, 1])
    su, sv, start = make_room(mesh, start, ends[0, 0], ends[0, 1], radius, limit, stack)
    gu, gv, goal = make_room(mesh, goal, ends[1, 0], ends[1, 1], radius, limit, stack)
    if start < 0 or goal < 0:
        return NO_ROOM
    width = 2.0 * radius - tol.PASSAGE_SLACK
    if widest_root(*forest, start, width) != widest_root(*forest, goal, width):
        return NO_WAY
    turns, length = find_turns(mesh, radius, su, sv, start, gu, gv, goal)
    if length == np.inf:
        return NO_WAY
    found, is_clear, is_bent = pull_tight(mesh, radius, turns, su, sv, start, gu, gv, stack)
    bent[0] = 1 if is_bent else 0
    if not is_clear:
        return NOT_CLEAR
    if len(found) <= len(path):
        for i in range(len(found)):
            path[i, 0], path[i, 1] = found[i, 0], found[i, 1]
    return len(found)


@kernel(TRIANGULATION, PLACES, kt.POINTS, kt.INTS, kt.OUT_FLOATS)
def measure_room(triangulation, places, points, polygons, distances):
    """Measure how far places are away from the boundary in sight of them.

    Parameters
    ----------
    triangulation, places : tuples of arrays
        Points, corners and mates; centers and anchors: see `ClearanceMesh`.
    points : (n, 2) float64
        In plan. [Unit: m]
    polygons : (n,) int32
        The navmesh's polygons that hold them; -1 for none.
    distances : (n,) float64, output
        How far it is; NaN where there is no polygon. [Unit: m]
    """
    mesh = Mesh(*triangulation)
    stack = np.empty(len(mesh.corners) + 3, np.int32)
    for i in range(len(points)):
        distances[i] = np.nan
        if polygons[i] >= 0:
            u, v = points[i, 0], points[i, 1]
            triangle = triangle_at(mesh, places, polygons[i], u, v)
            distances[i], _, _ = nearest_boundary(mesh, triangle, u, v, u, v, np.inf, stack)
