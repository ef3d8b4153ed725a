"""The navmesh as searches see it: what is looked at together lies together.

A *side* is the edge of a polygon that starts at a corner, and has the corner's number. A *jump* is
a link in one direction, see :mod:`walkmesh.query.kernels.jumps`. *Blocks* are explained in
:mod:`walkmesh.query.ground.kernels.blocks`, *islands* in :mod:`walkmesh.query.kernels.islands`.
"""

from collections import namedtuple

from walkmesh.kernels.kernel import kernel
from walkmesh.query.kernels.packed import row, table

# points: (n, 3) float64, the vertices in the plan frame. [m]
# polygons: (p + 1, 7) int32; sides: (c, 4) int32; jumps: (j, 7) float64; targets: (j, 4) int32.
# corners: (n,) int32, 1 for the vertices that a shortest path may turn at.
# tops: (b,) int32, the polygon at the top of each block.
# exits: (i + 1,) int32, where those of each island start in shores: (e,) int32, the islands that
# one-way links lead to.
# diagonals: (c - 3 p, 2) int32, the vertices of those that polygons without detail are cut along,
# three fewer than corners for each; or none, if there is detail.
# costs: (p,) float64, what a metre costs on each polygon.
Mesh = namedtuple(
    "Mesh", "points polygons sides corners tops jumps targets exits shores diagonals costs"
)

# The ground. points: as above; triangles: (t, 3) int32; owners: (t,) int32, their polygons.
# boxes, order, nodes: the box tree over them.
# grid: (5,) float64, the corner (u, v) of a grid in plan, cells for a metre, columns and rows.
# starts: (cells + 1,) int32, where those of each cell start in members: (e,) int32, the triangles.
Ground = namedtuple("Ground", "points triangles owners boxes order nodes grid starts members")

# What searches write to, so that none of them clears more memory than it uses: stamps, which are
# counted up by clock: (1,) float64, tell what was written by the search at hand.
# keys, items: (2 m,) float64 and int32, a heap.
# spans, nodes: (m, 7) float64 and (m, 5) int32, of the shortest-path search.
# best: (2 n + j, 3) float64, the shortest known way to each root: its length, stamp and node.
# marks: (b,) float64, stamps of blocks.
# gone: (p, 3) float64, of the corridor search: the way to each polygon, its stamp, and the stamp
# once it is final; entries: (p,) int32, the step to each polygon.
# reached, islands: (i,) float64 and int32, stamps of islands, and a stack of them.
# steps: (m,) int32, the way that was found.
# rights, lefts, crossings: (m + 2, 3) float64, the gates that it leads through, and where.
# ways: (m + 2,) int32, the polygons before the gates.
# relief, cuts, profile, stack: see `lay_down`.
Scratch = namedtuple(
    "Scratch",
    "keys items spans nodes best marks gone entries reached islands "
    "steps rights lefts crossings ways relief cuts profile stack clock",
)

# The order in which the arrays above are packed: of mesh and ground those of float64 and those of
# int32, and then of the scratch likewise. The numbers below are places in this order.
MESH_FLOATS = ["points", "jumps", "boxes", "nodes", "grid"]
MESH_INTS = [
    "polygons", "sides", "corners", "tops", "targets", "exits", "shores", "triangles", "owners",
    "order", "starts", "members", "diagonals",
]  # fmt: skip
SCRATCH_FLOATS = [
    "spans", "best", "gone", "rights", "lefts", "crossings", "relief", "cuts", "profile", "keys",
    "marks", "reached", "clock",
]  # fmt: skip
SCRATCH_INTS = ["nodes", "stack", "items", "entries", "islands", "steps", "ways"]


@kernel
def unpack_mesh(floats, ints, layout, costs):
    """Return the mesh that was packed, see :mod:`walkmesh.query.packed`."""
    return Mesh(
        table(floats, layout, 0), table(ints, layout, 5), table(ints, layout, 6),
        row(ints, layout, 7), row(ints, layout, 8), table(floats, layout, 1),
        table(ints, layout, 9), row(ints, layout, 10), row(ints, layout, 11),
        table(ints, layout, 17), costs,
    )  # fmt: skip


@kernel
def unpack_ground(floats, ints, layout):
    """Return the ground that was packed."""
    return Ground(
        table(floats, layout, 0), table(ints, layout, 12), row(ints, layout, 13),
        table(floats, layout, 2), row(ints, layout, 14), table(floats, layout, 3),
        row(floats, layout, 4), row(ints, layout, 15), row(ints, layout, 16),
    )  # fmt: skip


@kernel
def unpack_scratch(floats, ints, layout):
    """Return the scratch that was packed."""
    return Scratch(
        row(floats, layout, 27), row(ints, layout, 33), table(floats, layout, 18),
        table(ints, layout, 31), table(floats, layout, 19), row(floats, layout, 28),
        table(floats, layout, 20), row(ints, layout, 34), row(floats, layout, 29),
        row(ints, layout, 35), row(ints, layout, 36), table(floats, layout, 21),
        table(floats, layout, 22), table(floats, layout, 23), row(ints, layout, 37),
        table(floats, layout, 24), table(floats, layout, 25), table(floats, layout, 26),
        table(ints, layout, 32), row(floats, layout, 30),
    )  # fmt: skip
