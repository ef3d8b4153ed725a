r"""A triangle mesh that can change: triangles seen in plan, with the fans around every vertex.

Corners are numbered ``3 * triangle + k``; the edge that starts at a corner has the corner's number,
and runs to the next corner of the triangle, with the triangle on its left::

                 y
                / ^          corner c is at v; edge c runs from v to x,
               /   \          edge next_of(c) from x to y, edge last_of(c) from y to v
              v --> x

The corners at a vertex are a doubly linked list, in no order. A *fan* is a run of triangles around
a vertex, each sharing an edge with the next; a vertex may have several fans that touch only there,
or one that closes around it. The *link* of a vertex is what its triangles have across from it: an
edge x -> y for each of them. Fans are paths and cycles of the link.

Two boundary edges never join the same two vertices the opposite way: they are one shared edge.
"""

from collections import namedtuple

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.kinds import OPEN

NONE = -1

# What can be wrong with a mesh, as told by find_fault.
SOUND = 0
BAD_MATE = 1
COMPLEX_EDGE = 2
UNJOINED_EDGES = 3
COMPLEX_VERTEX = 4
LOST_CORNER = 5
TURNED_OVER = 6

# Places in Mesh.state.
TRIANGLES = 0  # how many triangles there are, gone ones included
FRESH = 1  # how many edges became boundary by the last contraction; they follow
FRESH_EDGES = 2

# Columns of Mesh.corners: the vertex of a corner, NONE if its triangle is gone; the matching edge
# of its edge, NONE at the boundary; the edge's kind; the next and the last corner at the vertex;
# and what its triangle was made from.
VERTEX = 0
MATE = 1
KIND = 2
AFTER = 3
BEFORE = 4
SOURCE = 5

# Columns of Mesh.places: the height of a corner, and where in plan it was to begin with.
HEIGHT = 0
HOME_U = 1
HOME_V = 2

# Columns of Mesh.vertices: the first corner; and, while a star is at work, the corner of it whose
# triangle runs from the star's centre to this vertex, and that of the one that runs back.
HEAD = 0
LEAVING = 1
ARRIVING = 2

# points: (n + 1, 2) float64, plan positions; the last is for a vertex on an edge being split.
# corners: (3 m, 5) int64, places: (3 m, 3) float64, vertices: (n + 1, 3) int64, see above.
# star: (3 m,) int64, corners around the vertices at work. state: (8,) int64, counters.
# Few wide arrays, not many narrow ones: every array handed on costs compile time.
Mesh = namedtuple("Mesh", "points corners places vertices star state")


@kernel
def make_mesh(points, corners, places, triangles):
    """Make the lists of corners for `triangles` triangles; the arrays may have room for more."""
    mesh = Mesh(
        points,
        corners,
        places,
        np.full((len(points), 3), NONE, np.int64),
        np.empty(len(corners), np.int64),
        np.zeros(8, np.int64),
    )
    mesh.state[TRIANGLES] = triangles
    for corner in range(3 * triangles):
        if corners[corner, VERTEX] >= 0:
            attach(mesh, corner, corners[corner, VERTEX])
    return mesh


@borrowing
def attach(mesh, corner, vertex):
    """Put a corner at a vertex."""
    head = mesh.vertices[vertex, HEAD]
    mesh.corners[corner, VERTEX] = vertex
    mesh.corners[corner, AFTER], mesh.corners[corner, BEFORE] = head, NONE
    if head >= 0:
        mesh.corners[head, BEFORE] = corner
    mesh.vertices[vertex, HEAD] = corner


@borrowing
def detach(mesh, corner):
    """Take a corner away from its vertex."""
    before, after = mesh.corners[corner, BEFORE], mesh.corners[corner, AFTER]
    if before >= 0:
        mesh.corners[before, AFTER] = after
    else:
        mesh.vertices[mesh.corners[corner, VERTEX], HEAD] = after
    if after >= 0:
        mesh.corners[after, BEFORE] = before
    mesh.corners[corner, VERTEX] = NONE


@borrowing
def is_open(mesh, edge):
    """Tell whether an edge is an open boundary."""
    return (
        mesh.corners[edge, VERTEX] >= 0
        and mesh.corners[edge, MATE] < 0
        and mesh.corners[edge, KIND] == OPEN
    )


@borrowing
def next_boundary(mesh, edge):
    """Return the boundary edge that follows a boundary edge, around the gap to the right of it.

    It is one of the same fan, unless several share the vertex and another is first across the gap.
    """
    vertex = mesh.corners[next_of(edge), VERTEX]
    start = mesh.corners[edge, VERTEX]
    best, least = NONE, np.inf
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        if mesh.corners[corner, MATE] < 0:
            turn = _turn_left(mesh, vertex, start, mesh.corners[next_of(corner), VERTEX])
            if turn < least:
                best, least = corner, turn
        corner = mesh.corners[corner, AFTER]
    return best


@borrowing
def last_boundary(mesh, edge):
    """Return the boundary edge before a boundary edge, around the gap to the right of it."""
    vertex = mesh.corners[edge, VERTEX]
    end = mesh.corners[next_of(edge), VERTEX]
    best, least = NONE, np.inf
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        arriving = last_of(corner)
        if mesh.corners[arriving, MATE] < 0:
            turn = _turn_left(mesh, vertex, mesh.corners[arriving, VERTEX], end)
            if turn < least:
                best, least = arriving, turn
        corner = mesh.corners[corner, AFTER]
    return best


@borrowing
def _turn_left(mesh, centre, x, y):
    """Return the angle from x to y around a vertex, counter-clockwise, from 0 to a full turn."""
    points = mesh.points
    xu, xv = points[x, 0] - points[centre, 0], points[x, 1] - points[centre, 1]
    yu, yv = points[y, 0] - points[centre, 0], points[y, 1] - points[centre, 1]
    angle = np.arctan2(xu * yv - xv * yu, xu * yu + xv * yv)
    return angle if angle >= -tol.NO_ANGLE else angle + 2.0 * np.pi


@borrowing
def edge_length(mesh, edge):
    """Return the length of an edge in plan."""
    a, b = mesh.corners[edge, VERTEX], mesh.corners[next_of(edge), VERTEX]
    du, dv = mesh.points[b, 0] - mesh.points[a, 0], mesh.points[b, 1] - mesh.points[a, 1]
    return np.sqrt(du * du + dv * dv)


@borrowing
def plan_shape(au, av, bu, bv, cu, cv):
    """Return twice the area of a plan triangle (negative if clockwise), and its longest side."""
    eu, ev, fu, fv = bu - au, bv - av, cu - au, cv - av
    gu, gv = fu - eu, fv - ev
    longest = max(eu * eu + ev * ev, max(fu * fu + fv * fv, gu * gu + gv * gv))
    return eu * fv - ev * fu, np.sqrt(longest)


@borrowing
def triangle_shape(mesh, triangle):
    """Return twice the plan area of a triangle, and its longest side."""
    a, b, c = (
        mesh.corners[3 * triangle, VERTEX],
        mesh.corners[3 * triangle + 1, VERTEX],
        mesh.corners[3 * triangle + 2, VERTEX],
    )
    points = mesh.points
    return plan_shape(
        points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]
    )


@borrowing
def gather_star(mesh, a, b):
    """Collect the corners at a and b that would be left if both were one vertex.

    Triangles that have both vanish and are left out. `leaving` and `arriving` are filled in.
    Returns the number of corners in `star`, and whether no two of them run through an edge the same
    way (that edge would be complex).
    """
    count = 0
    simple = True
    for vertex in (a, b):
        corner = mesh.vertices[vertex, HEAD]
        while corner >= 0:
            x, y = mesh.corners[next_of(corner), VERTEX], mesh.corners[last_of(corner), VERTEX]
            if x != a and x != b and y != a and y != b:
                if mesh.vertices[x, LEAVING] >= 0 or mesh.vertices[y, ARRIVING] >= 0:
                    simple = False
                mesh.vertices[x, LEAVING], mesh.vertices[y, ARRIVING] = corner, corner
                mesh.star[count] = corner
                count += 1
            corner = mesh.corners[corner, AFTER]
        if a == b:
            break
    return count, simple


@borrowing
def clear_marks(mesh, count):
    """Forget the `leaving` and `arriving` of a star of `count` corners."""
    for i in range(count):
        corner = mesh.star[i]
        mesh.vertices[mesh.corners[next_of(corner), VERTEX], LEAVING] = NONE
        mesh.vertices[mesh.corners[last_of(corner), VERTEX], ARRIVING] = NONE


@borrowing
def is_disc(mesh, count):
    """Tell whether the star at work is a set of open fans, or one fan that closes around.

    A fan that closes with other fans beside it makes a complex vertex.
    """
    on_paths = 0
    for i in range(count):
        corner = mesh.star[i]
        if (
            mesh.vertices[mesh.corners[next_of(corner), VERTEX], ARRIVING] < 0
        ):  # nothing before it: a fan starts
            while corner >= 0:
                on_paths += 1
                corner = mesh.vertices[mesh.corners[last_of(corner), VERTEX], LEAVING]
    if on_paths == count:
        return True
    if on_paths > 0 or count < 3:
        return False
    around = 1
    corner = mesh.vertices[mesh.corners[last_of(mesh.star[0]), VERTEX], LEAVING]
    while corner != mesh.star[0]:
        around += 1
        corner = mesh.vertices[mesh.corners[last_of(corner), VERTEX], LEAVING]
    return around == count


@borrowing
def find_fault(mesh, least_altitude):
    """Look over the whole mesh, and return what is wrong with it, or SOUND.

    A triangle with a smaller altitude than `least_altitude`, in metres, counts as turned over.
    """
    alive = 0
    for corner in range(3 * mesh.state[TRIANGLES]):
        if mesh.corners[corner, VERTEX] < 0:
            continue
        alive += 1
        mate = mesh.corners[corner, MATE]
        if mate >= 0 and (
            mesh.corners[mate, MATE] != corner
            or mesh.corners[mate, VERTEX] != mesh.corners[next_of(corner), VERTEX]
            or mesh.corners[next_of(mate), VERTEX] != mesh.corners[corner, VERTEX]
        ):
            return BAD_MATE
        if corner % 3 == 0:
            area, longest = triangle_shape(mesh, corner // 3)
            if area <= least_altitude * longest:
                return TURNED_OVER
    for vertex in range(len(mesh.points)):
        count, simple = gather_star(mesh, vertex, vertex)
        alive -= count
        fault = SOUND
        if not simple:
            fault = COMPLEX_EDGE
        elif not is_disc(mesh, count):
            fault = COMPLEX_VERTEX
        for i in range(count):
            corner = mesh.star[i]
            across = mesh.vertices[mesh.corners[next_of(corner), VERTEX], ARRIVING]
            if fault == SOUND and mesh.corners[corner, MATE] != (
                last_of(across) if across >= 0 else NONE
            ):
                fault = UNJOINED_EDGES
        clear_marks(mesh, count)
        if fault != SOUND:
            return fault
    return SOUND if alive == 0 else LOST_CORNER
