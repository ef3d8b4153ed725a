r"""Inserting points into a triangulation, and keeping it Delaunay by flips.

Triangles are three consecutive corners; the edge that starts at a corner has its number, and
`mates` has the matching edge of the next triangle, -1 at the boundary. `start` has one corner of
every point::

                 y
                / ^          corner c is at v; edge c runs from v to x,
               /   \         edge next_of(c) from x to y, edge last_of(c) from y to v
              v --> x
"""

from walkmesh.builder.triangulation.kernels.grid import in_circle
from walkmesh.kernels.geometry.turns import turn, turn_at
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.flips import flip


@shared_borrowing
def locate(points, corners, mates, count, triangle, point):
    """Walk to the triangle that holds a point inside the triangulation's convex outline.

    The walk starts in `triangle`; the point lies at no corner. Returns the triangle, and the edge
    of it that the point lies on; -1 if inside.
    """
    x, y = points[point, 0], points[point, 1]
    came = -1
    for step in range(count + 64):
        on, crossed = -1, -1
        for k in range(3):
            # Starting with another edge each time keeps the walk from going round in circles.
            edge = 3 * triangle + (k + step) % 3
            if edge == came:
                continue
            side = turn_at(points, corners[edge], corners[next_of(edge)], x, y)
            if side < 0:
                crossed = edge
                break
            if side == 0:
                on = edge
        if crossed < 0:
            return triangle, on
        came = mates[crossed]
        triangle = came // 3
    for other in range(count):  # edges that rounding left unflipped can mislead a walk
        on, outside = -1, False
        for edge in range(3 * other, 3 * other + 3):
            side = turn_at(points, corners[edge], corners[next_of(edge)], x, y)
            outside = outside or side < 0
            if side == 0:
                on = edge
        if not outside:
            return other, on
    return -1, -1


@borrowing
def split_triangle(corners, mates, start, count, triangle, point):
    """Make three triangles of one around a point inside; the new ones are `count` and the next."""
    base, one, two = 3 * triangle, 3 * count, 3 * count + 3
    a, b, c = corners[base], corners[base + 1], corners[base + 2]
    beyond_b, beyond_c = mates[base + 1], mates[base + 2]
    corners[base + 2] = point
    corners[one], corners[one + 1], corners[one + 2] = b, c, point
    corners[two], corners[two + 1], corners[two + 2] = c, a, point
    mates[base + 1], mates[base + 2] = one + 2, two + 1
    mates[one], mates[one + 1], mates[one + 2] = beyond_b, two + 2, base + 1
    mates[two], mates[two + 1], mates[two + 2] = beyond_c, base + 2, one + 1
    if beyond_b >= 0:
        mates[beyond_b] = one
    if beyond_c >= 0:
        mates[beyond_c] = two
    start[a], start[b], start[c], start[point] = base, one, two, base + 2


@borrowing
def split_edge(corners, mates, start, count, e, point):
    """Make four triangles of two around a point on the edge e between them."""
    m = mates[e]
    e1, e2, m1 = next_of(e), last_of(e), next_of(m)
    one, two = 3 * count, 3 * count + 3
    p, q = corners[e], corners[m]
    beyond_e, beyond_m = mates[e1], mates[m1]
    corners[one], corners[one + 1], corners[one + 2] = point, q, corners[e2]
    corners[two], corners[two + 1], corners[two + 2] = point, p, corners[last_of(m)]
    corners[e1], corners[m1] = point, point
    mates[one], mates[one + 1], mates[one + 2] = m, beyond_e, e1
    mates[two], mates[two + 1], mates[two + 2] = e, beyond_m, m1
    mates[e], mates[e1], mates[m], mates[m1] = two, one + 2, one, two + 2
    if beyond_e >= 0:
        mates[beyond_e] = one + 1
    if beyond_m >= 0:
        mates[beyond_m] = two + 1
    start[p], start[q], start[point] = e, m, one


@borrowing
def flip_around(points, corners, mates, start, point):
    """Flip the edges across from a new point until its triangles are Delaunay (Lawson).

    The point must have triangles all around. Only triangles at the point change.
    """
    e = next_of(start[point])
    first = corners[e]
    while True:
        m = mates[e]
        if m >= 0 and in_circle(points, corners[e], corners[m], point, corners[last_of(m)]):
            flip(corners, mates, start, e, m)
            continue
        e = next_of(mates[next_of(e)])
        if corners[e] == first:
            break


@borrowing
def insert(points, corners, mates, start, count, triangle, point):
    """Insert a point from `locate`'s walk; return the triangle that the next walk starts at."""
    triangle, edge = locate(points, corners, mates, count, triangle, point)
    if edge >= 0:
        split_edge(corners, mates, start, count, edge, point)
    else:
        split_triangle(corners, mates, start, count, triangle, point)
    flip_around(points, corners, mates, start, point)
    return start[point] // 3


@borrowing
def flips_convex(points, p, q, r, s):
    """Tell whether the diagonal r s of the quadrilateral p, s, q, r lies strictly inside of it."""
    return turn(points, p, s, r) > 0 and turn(points, s, q, r) > 0
