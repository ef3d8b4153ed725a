"""From the nodes of a search back to the way that it found."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.query.kernels.jumps import END, START
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import unpack_mesh
from walkmesh.query.surface.kernels.sleeve import pull_leg


@kernel(
    kt.FLOATS, kt.INTS, kt.LONGS_2D, kt.POINTS, kt.TRIPLES, kt.TRIPLES, kt.INT, kt.FLOATS, kt.INT,
    kt.OUT_POINTS, kt.OUT_INTS,
)  # fmt: skip
def trace_windows(floats, ints, layout, roots, kinds, nodes, node, goal, triangle, line, ways):
    """List where the way that a search found crosses edges.

    Parameters
    ----------
    floats, ints, layout
        The mesh, packed, see :mod:`walkmesh.query.surface.kernels.mesh`.
    roots, kinds, nodes : arrays
        Those of :func:`~walkmesh.query.surface.kernels.spread.spread_windows`.
    node, goal, triangle : int, (3,) float64 and int
        The node that leads to the goal, the goal, and the triangle that it lies on. [Unit: m]
    line : (k, 3) float64, output
        Places from the start to the goal, in world coordinates. [Unit: m]
    ways : (k,) int32, output
        What the way leads through after each of them: a triangle, or -1 - j for jump j.

    Returns
    -------
    int
        How many places there are; or, if that is more than `k`, how many there must be room for.
    """
    mesh = unpack_mesh(floats, ints, layout)
    halves, jumps = mesh.halves, mesh.jumps
    count, before = 0, node
    while before >= 0:
        count += 1
        before = nodes[before, col.PARENT]
    if len(line) < 2 * count + 2:
        return 2 * count + 2
    # The halves from the goal back to the start, with the roots between them as -1 - r.
    steps = np.empty(count, np.int32)
    for i in range(count):
        steps[i] = nodes[node, col.STEP]
        node = nodes[node, col.PARENT]
    rights, lefts = np.empty((count + 2, 3), np.float64), np.empty((count + 2, 3), np.float64)
    tight, ends = np.empty((count + 2, 3), np.float64), np.empty((2, 3), np.float64)
    for k in range(3):
        ends[0, k] = roots[-1 - steps[count - 1], col.PLACE + k]
    stop, written = count - 1, 0
    while True:
        begin = stop
        while begin > 0 and steps[begin - 1] >= 0:
            begin -= 1
        root = -1 - steps[begin - 1] if begin > 0 else -1
        jump = (
            kinds[root, col.WHERE] if root >= 0 and kinds[root, col.KIND] == col.FROM_JUMP else -1
        )
        for k in range(3):
            ends[1, k] = goal[k] if root < 0 else roots[root, col.PLACE + k]
            if jump >= 0:
                ends[1, k] = jumps[jump, START + k]
        first = triangle if root < 0 else kinds[root, col.THROUGH]
        if stop > begin:
            first = halves[steps[stop - 1], col.MATE] // 3
        written = pull_leg(
            mesh, steps, begin, stop, first, ends, rights, lefts, tight, line, ways, written
        )
        if root < 0:
            return written
        for k in range(3):
            ends[0, k] = roots[root, col.PLACE + k] if jump < 0 else jumps[jump, END + k]
        if jump < 0:
            written -= 1  # the next leg starts there
        else:
            ways[written - 1] = -1 - jump
        stop = begin - 1
