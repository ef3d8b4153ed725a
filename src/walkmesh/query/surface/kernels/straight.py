"""Walking straight on along a surface, edge after edge unfolded into one plane."""

import math

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import ends_of, in_frame, unpack_footholds, unpack_mesh

# Around a vertex, rounding may lead from edge to edge without coming on; no walk does so for as
# many edges as this.
_MOST_STANDSTILLS = 1000


@kernel(
    kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.POINTS, kt.INTS, kt.POINTS, kt.OUT_POINTS, kt.OUT_INTS,
    kt.OUT_INTS, kt.OUT_BYTES, kt.OUT_FLOATS,
)  # fmt: skip
def walk_straight(
    floats, ints, layout, starts, start_triangles, ends, places, found, edges, hits, distances
):
    """Walk from places straight on until the surface ends, or the way is long enough.

    Parameters
    ----------
    floats, ints, layout
        The mesh, packed, see :mod:`walkmesh.query.surface.kernels.mesh`.
    starts, start_triangles : (q, 3) float64 and (q,) int32
        Where the walks start, and the triangles that these lie on; -1 for none. [Unit: m]
    ends : (q, 3) float64
        Where they would end on flat ground: seen along the normal of the start. [Unit: m]
    places, found : (q, 3) float64 and (q,) int32, output
        Where they end, and the triangles that these lie on.
    edges, hits : (q,) int32 and (q,) uint8, output
        The polygon's corner at the edge that stops it, -1 for none, and 1 if it is stopped.
    distances : (q,) float64, output
        How far it leads. [Unit: m]
    """
    mesh, normals = (
        unpack_mesh(floats, ints, layout),
        unpack_footholds(floats, ints, layout).normals,
    )
    for q in range(len(starts)):
        _walk(
            mesh, normals, starts, start_triangles, ends, q, places, found, edges, hits, distances
        )


@borrowing
def _walk(mesh, normals, starts, start_triangles, ends, q, places, found, edges, hits, distances):
    """Walk from one of the places."""
    points, halves, shapes = mesh.points, mesh.halves, mesh.shapes
    x, y, z = starts[q, 0], starts[q, 1], starts[q, 2]
    triangle = start_triangles[q]
    places[q, 0], places[q, 1], places[q, 2] = x, y, z
    found[q], edges[q], hits[q], distances[q] = triangle, -1, 1, 0.0
    if triangle < 0:
        return
    over = 0.0
    for k in range(3):
        over += (ends[q, k] - starts[q, k]) * normals[triangle, k]
    half = 3 * triangle
    px, py = in_frame(mesh, half, x, y, z)
    dx, dy = _direction(mesh, half, normals, triangle, starts, ends, q, over)
    left = math.sqrt(dx * dx + dy * dy)
    hits[q] = 0
    if left == 0.0:
        return
    dx, dy, whole, standstills = dx / left, dy / left, left, 0
    # At the start all three halves may be left by; later, the one that was entered is behind.
    entered = False
    while True:
        leave, part, ahead = -1, 0.0, math.inf
        side = half
        ax, ay, bx, by = 0.0, 0.0, shapes[half, col.LENGTH], 0.0
        cx, cy = shapes[half, col.APEX_X], shapes[half, col.APEX_Y]
        for k in range(3):
            # A ray leaves by the side that it has the origin to the right of, the end left.
            to_a = dx * (ay - py) - dy * (ax - px)
            to_b = dx * (by - py) - dy * (bx - px)
            if not (entered and k == 0) and to_a <= 0.0 <= to_b and to_a < to_b:
                share = to_a / (to_a - to_b)
                way = (ax + share * (bx - ax) - px) * dx + (ay + share * (by - ay) - py) * dy
                if leave < 0 or way > ahead:
                    leave, part, ahead = side, share, way
            side = next_of(side)
            ax, ay, bx, by, cx, cy = bx, by, cx, cy, ax, ay
        if leave < 0 and entered:
            # Rounding has it pass by the apex: it leaves by the nearer of the two sides there.
            to_c = dx * (shapes[half, col.APEX_Y] - py) - dy * (shapes[half, col.APEX_X] - px)
            leave = next_of(half) if to_c > 0.0 else last_of(half)
            part = 0.0 if leave == next_of(half) else 1.0
            ahead = 0.0
        ahead = max(ahead, 0.0)
        standstills = standstills + 1 if ahead == 0.0 else 0
        if leave < 0 or ahead >= left or standstills > _MOST_STANDSTILLS:
            way = min(left, ahead) if leave >= 0 else 0.0
            _place_at(mesh, half, px + way * dx, py + way * dy, places, q)
            found[q] = half // 3
            left -= way
            break
        left -= ahead
        mate = halves[leave, col.MATE]
        if mate < 0:
            a, b = ends_of(mesh, leave)
            for k in range(3):
                places[q, k] = points[a, k] + part * (points[b, k] - points[a, k])
            found[q], hits[q], edges[q] = leave // 3, 1, halves[leave, col.CORNER]
            break
        # The direction along and across the side that is left by, and then as seen from beyond.
        ux, uy = _along(mesh, half, leave)
        dx, dy = -(dx * ux + dy * uy), -(ux * dy - uy * dx)
        px, py = (1.0 - part) * shapes[leave, col.LENGTH], 0.0
        half, entered = mate, True
    distances[q] = whole - left


@borrowing
def _direction(mesh, half, normals, triangle, starts, ends, q, over):
    """Return the way from a start to its end in a half's frame, seen along the normal."""
    a, b = ends_of(mesh, half)
    length = mesh.shapes[half, col.LENGTH]
    if length == 0.0:
        return 0.0, 0.0
    ex, ey, ez = (
        (mesh.points[b, 0] - mesh.points[a, 0]) / length,
        (mesh.points[b, 1] - mesh.points[a, 1]) / length,
        (mesh.points[b, 2] - mesh.points[a, 2]) / length,
    )
    nx, ny, nz = normals[triangle, 0], normals[triangle, 1], normals[triangle, 2]
    fx, fy, fz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
    wx = ends[q, 0] - starts[q, 0] - over * nx
    wy = ends[q, 1] - starts[q, 1] - over * ny
    wz = ends[q, 2] - starts[q, 2] - over * nz
    return wx * ex + wy * ey + wz * ez, wx * fx + wy * fy + wz * fz


@borrowing
def _along(mesh, half, leave):
    """Return the direction of a half in the frame of another of the same triangle."""
    shapes = mesh.shapes
    if leave == half:
        return 1.0, 0.0
    size = shapes[leave, col.LENGTH]
    x, y = shapes[half, col.APEX_X], shapes[half, col.APEX_Y]
    if leave == next_of(half):
        return (x - shapes[half, col.LENGTH]) / size, y / size
    return -x / size, -y / size


@borrowing
def _place_at(mesh, half, x, y, places, q):
    """Write the world coordinates of a place in a half's frame."""
    a, b = ends_of(mesh, half)
    c = mesh.triangles[half // 3, (half + 2) % 3]
    length = mesh.shapes[half, col.LENGTH]
    apex_x, apex_y = mesh.shapes[half, col.APEX_X], mesh.shapes[half, col.APEX_Y]
    for k in range(3):
        along = (mesh.points[b, k] - mesh.points[a, k]) / length
        up = 0.0
        if apex_y > 0.0:
            up = (mesh.points[c, k] - mesh.points[a, k] - apex_x * along) / apex_y
        places[q, k] = mesh.points[a, k] + x * along + y * up
