r"""The surface as searches see it: triangles, their halves of edges, and the fans around vertices.

Triangle t has the *halves* 3 t, 3 t + 1 and 3 t + 2: edges in its own direction, each from one of
its corners to the next one counter-clockwise. The half has a frame of its own, in which everything
that happens around the edge is flat::

               apex
              /    \
             /      \          y is up into the triangle,
            /        \         x along the half from its origin
        (0, 0) ----- (length, 0)

The triangle across is laid down at negative y. A *fan* is the row of triangles around a vertex,
each sharing a side with the next; where a vertex joins parts that share no more than itself, each
of them has a fan of its own, and there is no way from one to the other. A *jump* is a link in one
direction.
"""

from collections import namedtuple

from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.query.kernels.packed import row, table
from walkmesh.query.surface.kernels import columns as col

# points: (n, 3) float64, vertices in world coordinates. [m]
# triangles: (t, 3) int32; halves: (3 t, 3) int32; shapes: (3 t, 4) float64.
# fans: (f, 4) int32; turns: (f,) float64, how much ground there is around each. [radians]
# jumps: (j, 7) float64; targets: (j, 3) int32, by the triangle where they start; departures:
# (t + 1,) int32, where those of each triangle start.
HalfMesh = namedtuple(
    "HalfMesh", "points triangles halves shapes fans turns jumps targets departures"
)

# The ground to stand on. normals: (t, 3) float64, which way the triangles face; boxes, order,
# nodes: the box tree over those that can be stood on.
Footholds = namedtuple("Footholds", "normals boxes order nodes")

# The order in which the arrays are packed: those of float64 and those of int32. The numbers below
# are places in this order. owners: (t,) int32, the polygon of each triangle.
MESH_FLOATS = ["points", "shapes", "turns", "jumps", "normals", "boxes", "nodes"]
MESH_INTS = ["triangles", "halves", "fans", "targets", "departures", "owners", "order"]


@kernel
def unpack_mesh(floats, ints, layout):
    """Return the mesh that was packed, see :mod:`walkmesh.query.packed`."""
    return HalfMesh(
        table(floats, layout, 0), table(ints, layout, 7), table(ints, layout, 8),
        table(floats, layout, 1), table(ints, layout, 9), row(floats, layout, 2),
        table(floats, layout, 3), table(ints, layout, 10), row(ints, layout, 11),
    )  # fmt: skip


@kernel
def unpack_footholds(floats, ints, layout):
    """Return the ground to stand on that was packed."""
    return Footholds(
        table(floats, layout, 4), table(floats, layout, 5), row(ints, layout, 13),
        table(floats, layout, 6),
    )  # fmt: skip


@kernel
def unpack_owners(ints, layout):
    """Return the polygons of the triangles that were packed."""
    return row(ints, layout, 12)


@borrowing
def ends_of(mesh, half):
    """Return the vertices that a half leads from and to."""
    triangle, k = half // 3, half % 3
    return mesh.triangles[triangle, k], mesh.triangles[triangle, (k + 1) % 3]


@borrowing
def in_frame(mesh, half, x, y, z):
    """Return where a place on a half's triangle is in the half's frame."""
    a, b = ends_of(mesh, half)
    c = mesh.triangles[half // 3, (half + 2) % 3]
    points, shapes = mesh.points, mesh.shapes
    length, apex_x, apex_y = (
        shapes[half, col.LENGTH],
        shapes[half, col.APEX_X],
        shapes[half, col.APEX_Y],
    )
    if length == 0.0:
        return 0.0, 0.0
    along, over = 0.0, 0.0
    for k in range(3):
        place = x if k == 0 else (y if k == 1 else z)
        direction = (points[b, k] - points[a, k]) / length
        along += (place - points[a, k]) * direction
        if apex_y > 0.0:
            upward = (points[c, k] - points[a, k] - apex_x * direction) / apex_y
            over += (place - points[a, k]) * upward
    return along, max(over, 0.0)
