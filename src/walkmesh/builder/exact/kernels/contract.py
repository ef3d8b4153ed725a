"""Contracting two vertices of a plan mesh into one, where that is safe.

The rules are those of progressive gap closing with safe contractions. Instead of one by one they
are tested on the star of the vertex that would be left:

- no two of its triangles may run through an edge the same way (complex edge);
- its fans must be open, or a single one closed around it (complex vertex);
- where an edge closes the fan of a neighbour, that must be the neighbour's only fan, and have at
  least three triangles (two would be a quad folded over its diagonal);
- no triangle may be turned over in plan, and none moved too far from where it was;
- an edge that something blocks is joined with nothing, and no edge with one too high above it: the
  vertices at its ends may have the heights of a third piece in common.

Triangles that have both vertices vanish. What lay across their two other edges becomes joined, or
where only one of them is shared, that becomes boundary and inherits the kind of the other.
"""

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.fans import (
    AFTER,
    ARRIVING,
    FRESH,
    FRESH_EDGES,
    HEAD,
    HEIGHT,
    HOME_U,
    HOME_V,
    KIND,
    LEAVING,
    MATE,
    NONE,
    SOURCE,
    TRIANGLES,
    VERTEX,
    attach,
    clear_marks,
    detach,
    gather_star,
    is_disc,
    plan_shape,
)
from walkmesh.kernels.kernel import borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.kinds import INNER, OPEN


@borrowing
def contract(mesh, a, b, reach, max_step, steepest):
    """Make one vertex of a and b, if that is safe, and tell whether it was done; a stays.

    It is put where a or b was: where the triangles around have the larger area, and at the other
    place if that turns a triangle over. No corner gets farther than `reach` from its home, and the
    heights of two edges that become one differ by no more than `max_step`. [Unit: m]

    Ground that rises by more than `steepest` for each metre keeps its height when it moves: the
    side of a board that is drawn out to the next one would end far below both. A vertex b on a
    split edge is the last one in ``points``.
    """
    mesh.state[FRESH] = 0
    count, simple = gather_star(mesh, a, b)
    if not (simple and is_disc(mesh, count) and _may_join(mesh, a, b, count, max_step)):
        clear_marks(mesh, count)
        return False
    place = _choose_place(mesh, a, b, count, reach)
    if place < 0:
        clear_marks(mesh, count)
        return False
    u, v = mesh.points[place, 0], mesh.points[place, 1]
    for i in range(count):
        corner = mesh.star[i]
        if (
            mesh.points[mesh.corners[corner, VERTEX], 0] != u
            or mesh.points[mesh.corners[corner, VERTEX], 1] != v
        ):
            mesh.places[corner, HEIGHT] = _height_on_plane(mesh, corner, u, v, steepest)
    _remove_vanishing(mesh, a, b)
    corner = mesh.vertices[b, HEAD]
    while corner >= 0:
        following = mesh.corners[corner, AFTER]
        detach(mesh, corner)
        attach(mesh, corner, a)
        corner = following
    mesh.points[a, 0], mesh.points[a, 1] = u, v
    _join_edges(mesh, count)
    clear_marks(mesh, count)
    return True


@borrowing
def _vanishes(mesh, corner, a, b):
    """Tell whether a corner's triangle has both a and b."""
    found = 0
    for other in (corner, next_of(corner), last_of(corner)):
        if mesh.corners[other, VERTEX] == a or mesh.corners[other, VERTEX] == b:
            found += 1
    return found == 2


@borrowing
def _may_join(mesh, a, b, count, max_step):
    """Tell whether the edges that would be joined may be, and leave the vertices around sound."""
    for i in range(count):
        corner = mesh.star[i]
        x = mesh.corners[next_of(corner), VERTEX]
        if mesh.vertices[x, ARRIVING] < 0:
            continue
        across = last_of(mesh.vertices[x, ARRIVING])
        if mesh.corners[corner, MATE] >= 0 or mesh.corners[across, MATE] >= 0:
            continue  # shared already, or both sides of a triangle that vanishes
        if mesh.corners[corner, KIND] != OPEN or mesh.corners[across, KIND] != OPEN:
            return False
        for here, there in ((corner, next_of(across)), (next_of(corner), across)):
            if abs(mesh.places[here, HEIGHT] - mesh.places[there, HEIGHT]) > max_step:
                return False
        if not _fan_stays_disc(mesh, next_of(corner), a, b):
            return False
    return True


@borrowing
def _fan_stays_disc(mesh, corner, a, b):
    """Tell whether a fan that starts at `corner`, next to a or b, may be joined there.

    If it ends at the other one of a and b, it becomes closed.
    """
    vertex = mesh.corners[corner, VERTEX]
    around = 1
    while mesh.corners[corner, MATE] >= 0 and not _vanishes(mesh, mesh.corners[corner, MATE], a, b):
        corner = next_of(mesh.corners[corner, MATE])
        around += 1
    end = mesh.corners[next_of(corner), VERTEX]
    if end != a and end != b:
        return True
    if around < 3:
        return False
    other = mesh.vertices[vertex, HEAD]
    while other >= 0:
        if not _vanishes(mesh, other, a, b):
            around -= 1
        other = mesh.corners[other, AFTER]
    return around == 0


@borrowing
def _choose_place(mesh, a, b, count, reach):
    """Return which of a and b stays where it is; NONE if either place turns a triangle over."""
    chosen = NONE
    most = 0.0
    for place in (a, b):
        area = _area_around(mesh, count, mesh.points[place, 0], mesh.points[place, 1], reach)
        if area < 0.0:
            continue
        better = area > most
        if chosen >= 0 and abs(area - most) <= tol.SAME_AREA * most:
            du = mesh.points[place, 0] - mesh.points[chosen, 0]
            dv = mesh.points[place, 1] - mesh.points[chosen, 1]
            better = du < 0.0 or (du == 0.0 and dv < 0.0)
        if better or chosen < 0:
            chosen, most = place, area
    return chosen


@borrowing
def _area_around(mesh, count, u, v, reach):
    """Return twice the area of the star with its centre at (u, v); -1 if it must not be there."""
    total = 0.0
    split = len(mesh.points) - 1  # whose triangles are new, and so not known to be sound
    for i in range(count):
        corner = mesh.star[i]
        centre = mesh.corners[corner, VERTEX]
        x, y = mesh.corners[next_of(corner), VERTEX], mesh.corners[last_of(corner), VERTEX]
        area, longest = plan_shape(
            u, v, mesh.points[x, 0], mesh.points[x, 1], mesh.points[y, 0], mesh.points[y, 1]
        )
        moved = mesh.points[centre, 0] != u or mesh.points[centre, 1] != v
        if (moved or centre == split) and area <= tol.LEAST_ALTITUDE * longest:
            return -1.0
        if moved:
            du, dv = u - mesh.places[corner, HOME_U], v - mesh.places[corner, HOME_V]
            if du * du + dv * dv > reach * reach:
                return -1.0
        total += area
    return total


@borrowing
def _height_on_plane(mesh, corner, u, v, steepest):
    """Return the height at (u, v) of the plane of a corner's triangle, if that is ground."""
    n, k = next_of(corner), last_of(corner)
    p, q, r = mesh.corners[corner, VERTEX], mesh.corners[n, VERTEX], mesh.corners[k, VERTEX]
    points, places = mesh.points, mesh.places
    eu, ev, eh = (
        points[q, 0] - points[p, 0],
        points[q, 1] - points[p, 1],
        places[n, HEIGHT] - places[corner, HEIGHT],
    )
    fu, fv, fh = (
        points[r, 0] - points[p, 0],
        points[r, 1] - points[p, 1],
        places[k, HEIGHT] - places[corner, HEIGHT],
    )
    area = eu * fv - ev * fu
    if not area > 0.0:
        return places[corner, HEIGHT]
    slope_u, slope_v = (eh * fv - fh * ev) / area, (fh * eu - eh * fu) / area
    if slope_u * slope_u + slope_v * slope_v > steepest * steepest:
        return places[corner, HEIGHT]
    du, dv = u - points[p, 0], v - points[p, 1]
    return places[corner, HEIGHT] + slope_u * du + slope_v * dv


@borrowing
def _remove_vanishing(mesh, a, b):
    """Remove the triangles that have both a and b, and pass on the kinds of their edges."""
    corner = mesh.vertices[a, HEAD]
    while corner >= 0:
        following = mesh.corners[corner, AFTER]
        if _vanishes(mesh, corner, a, b):
            # The edge between a and b goes; the two others become one.
            short = corner
            while (
                mesh.corners[last_of(short), VERTEX] == a
                or mesh.corners[last_of(short), VERTEX] == b
            ):
                short = next_of(short)
            one, other = next_of(short), last_of(short)
            if mesh.corners[one, MATE] >= 0 and mesh.corners[other, MATE] < 0:
                mesh.corners[mesh.corners[one, MATE], KIND] = mesh.corners[other, KIND]
            if mesh.corners[other, MATE] >= 0 and mesh.corners[one, MATE] < 0:
                mesh.corners[mesh.corners[other, MATE], KIND] = mesh.corners[one, KIND]
            remove_triangle(mesh, corner // 3)
        corner = following


@borrowing
def remove_triangle(mesh, triangle):
    """Take a triangle's corners away from their vertices; the edges across are not changed."""
    for k in range(3):
        detach(mesh, 3 * triangle + k)


@borrowing
def _join_edges(mesh, count):
    """Set the mates of all edges at the centre of the star; note those that become boundary."""
    for i in range(count):
        corner = mesh.star[i]
        leaving = mesh.vertices[mesh.corners[last_of(corner), VERTEX], LEAVING]
        arriving = mesh.vertices[mesh.corners[next_of(corner), VERTEX], ARRIVING]
        _join(mesh, corner, last_of(arriving) if arriving >= 0 else NONE)
        _join(mesh, last_of(corner), leaving)


@borrowing
def _join(mesh, edge, mate):
    """Give an edge its mate, which may be NONE."""
    if mate >= 0:
        mesh.corners[edge, KIND] = INNER
    elif mesh.corners[edge, MATE] >= 0:
        mesh.state[FRESH_EDGES + mesh.state[FRESH]] = edge
        mesh.state[FRESH] += 1
    mesh.corners[edge, MATE] = mate


@borrowing
def split_edge(mesh, edge, part):
    r"""Split a boundary edge, and its triangle, by the last vertex of ``points``.

    The longer part keeps the edge's number, and the triangle across from the rest, for which there
    must be room, is new. The vertex s is at `part` of the edge; the new edge is returned::

                r                        r
               / \                      /|\
              /   \        ->          / | \
             /     \                  /  |  \
            p ----- q                p - s - q
    """
    n, k = next_of(edge), last_of(edge)
    p, q, r = mesh.corners[edge, VERTEX], mesh.corners[n, VERTEX], mesh.corners[k, VERTEX]
    s = len(mesh.points) - 1
    for axis in range(2):
        mesh.points[s, axis] = mesh.points[p, axis] + part * (
            mesh.points[q, axis] - mesh.points[p, axis]
        )
    height = mesh.places[edge, HEIGHT] + part * (mesh.places[n, HEIGHT] - mesh.places[edge, HEIGHT])
    home_u = mesh.places[edge, HOME_U] + part * (mesh.places[n, HOME_U] - mesh.places[edge, HOME_U])
    home_v = mesh.places[edge, HOME_V] + part * (mesh.places[n, HOME_V] - mesh.places[edge, HOME_V])
    new = 3 * mesh.state[TRIANGLES]
    mesh.state[TRIANGLES] += 1
    for corner in range(new, new + 3):
        mesh.corners[corner, SOURCE] = mesh.corners[edge, SOURCE]
    # The old corner that moves to s, the edge there that becomes inner, and the two new corners
    # that take the place of the old corner and of s.
    if part >= 0.5:
        moved, inner, copy, fresh, new_inner, outer = n, n, new + 1, new, new + 2, new + 1
    else:
        moved, inner, copy, fresh, new_inner, outer = edge, k, new, new + 1, new + 1, new + 2
    _copy_corner(mesh, new + 2, k)
    _copy_corner(mesh, copy, moved)
    detach(mesh, moved)
    attach(mesh, moved, s)
    attach(mesh, new + 2, r)
    attach(mesh, copy, q if part >= 0.5 else p)
    attach(mesh, fresh, s)
    for corner in (moved, fresh):
        mesh.places[corner, HEIGHT] = height
        mesh.places[corner, HOME_U], mesh.places[corner, HOME_V] = home_u, home_v
    _hand_over(mesh, inner, outer)
    mesh.corners[new, MATE], mesh.corners[new, KIND] = NONE, mesh.corners[edge, KIND]
    mesh.corners[inner, MATE], mesh.corners[new_inner, MATE] = new_inner, inner
    mesh.corners[inner, KIND], mesh.corners[new_inner, KIND] = INNER, INNER
    return new


@borrowing
def unsplit_edge(mesh, edge, new):
    """Undo the last `split_edge` of an edge."""
    s = len(mesh.points) - 1
    if mesh.corners[new, VERTEX] == s:
        moved, inner, copy, outer = next_of(edge), next_of(edge), new + 1, new + 1
    else:
        moved, inner, copy, outer = edge, last_of(edge), new, new + 2
    vertex = mesh.corners[copy, VERTEX]
    remove_triangle(mesh, new // 3)
    detach(mesh, moved)
    attach(mesh, moved, vertex)
    _copy_corner(mesh, moved, copy)
    _hand_over(mesh, outer, inner)
    mesh.state[TRIANGLES] -= 1


@borrowing
def _copy_corner(mesh, target, source):
    """Give a corner the height and home of another."""
    mesh.places[target, HEIGHT] = mesh.places[source, HEIGHT]
    mesh.places[target, HOME_U], mesh.places[target, HOME_V] = (
        mesh.places[source, HOME_U],
        mesh.places[source, HOME_V],
    )


@borrowing
def _hand_over(mesh, old, new):
    """Put edge `new` in the place of edge `old`: the same mate and kind."""
    mesh.corners[new, MATE], mesh.corners[new, KIND] = (
        mesh.corners[old, MATE],
        mesh.corners[old, KIND],
    )
    if mesh.corners[new, MATE] >= 0:
        mesh.corners[mesh.corners[new, MATE], MATE] = new
