"""Charts: parts of a surface that bend so little that each can be seen whole from one side."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.vectors import dot
from walkmesh.kernels.kernel import kernel


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.FLOAT, kt.OUT_INTS, kt.OUT_INTS)
def grow_charts(normals, mates, seeds, cosine, charts, firsts):
    """Give every triangle to a chart, grown from its first triangle over edges.

    Parameters
    ----------
    normals : (t, 3) float64
        Unit normals of the triangles.
    mates : (3 t,) int32
        The edge across each edge, negative where there is none.
    seeds : (t,) int32
        All triangles, in the order in which charts are begun.
    cosine : float
        Of how far normals may be away from that of the first triangle.
    charts : (t,) int32, output
        The chart of each triangle.
    firsts : (t,) int32, output
        In its first places, the first triangle of each chart.

    Returns
    -------
    int
        How many charts there are.
    """
    queue = np.empty(len(charts), np.int32)
    for t in range(len(charts)):
        charts[t] = -1
    count = 0
    for seed in seeds:
        if charts[seed] >= 0:
            continue
        firsts[count] = seed
        charts[seed] = count
        queue[0] = seed
        first, last = 0, 1
        while first < last:
            t = queue[first]
            first += 1
            for k in range(3):
                mate = mates[3 * t + k]
                if mate < 0:
                    continue
                other = mate // 3
                if charts[other] >= 0:
                    continue
                if dot(normals, seed, normals, other) >= cosine:
                    charts[other] = count
                    queue[last] = other
                    last += 1
        count += 1
    return count
