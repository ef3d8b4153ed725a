r"""Ways around a link: whether there may be a short one, without searching for it.

Whoever walks from s to g and no farther than a limit stays where the distances to both add up to
no more: inside an ellipse. So from the polygon of s one spreads over edges that reach into it::

             ____                          what is reached only outside of the ellipse is too far
        .-' link '-.  |
       (  s ---- g  ) |  wall, and a long way around its end
        '-.______.-'  |
"""

import math

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import kernel


@kernel(
    kt.POINTS, kt.INTS, kt.INTS, kt.INTS, kt.POINTS, kt.INTS, kt.INTS, kt.POINTS, kt.TRIPLES,
    kt.FLOATS, kt.OUT_BYTES,
)  # fmt: skip
def find_short_ways(
    points, offsets, corners, neighbors, jumps, jump_offsets, jump_goals, ends, polygons, limits,
    short,
):  # fmt: skip
    """Tell between which places there may be a way no longer than a limit.

    Parameters
    ----------
    points : (n, 3) float64
        The vertices of the navmesh in the plan frame. [Unit: m]
    offsets, corners, neighbors : (p + 1,), (c,) and (c,) int32
        Its polygons.
    jumps : (k, 4) float64
        Where its links, by the polygon that they start from, start and end in plan; none is cheaper
        than it is long. [Unit: m]
    jump_offsets, jump_goals : (p + 1,) and (k,) int32
        Where those of each polygon start, and which polygons they lead to.
    ends : (m, 4) float64
        The places in plan. [Unit: m]
    polygons : (m, 2) int32
        Their polygons.
    limits : (m,) float64
        How long ways may be, in plan. [Unit: m]
    short : (m,) uint8, output
        0 where every way is longer.
    """
    reached = np.zeros(len(offsets), np.int32)
    stack = np.empty(len(offsets), np.int32)
    for i in range(len(ends)):
        stamp = i + 1
        su, sv, gu, gv = ends[i, 0], ends[i, 1], ends[i, 2], ends[i, 3]
        goal = polygons[i, 1]
        stack[0] = polygons[i, 0]
        reached[polygons[i, 0]] = stamp
        depth = 1
        while depth > 0 and reached[goal] != stamp:
            depth -= 1
            p = stack[depth]
            first, stop = offsets[p], offsets[p + 1]
            for corner in range(first, stop):
                other = neighbors[corner]
                if other < 0 or reached[other] == stamp:
                    continue
                a, b = corners[corner], corners[corner + 1 if corner + 1 < stop else first]
                one, _ = to_segment(su, sv, points[a, 0], points[a, 1], points[b, 0], points[b, 1])
                two, _ = to_segment(gu, gv, points[a, 0], points[a, 1], points[b, 0], points[b, 1])
                if math.sqrt(one) + math.sqrt(two) <= limits[i]:
                    reached[other] = stamp
                    stack[depth] = other
                    depth += 1
            for k in range(jump_offsets[p], jump_offsets[p + 1]):
                other = jump_goals[k]
                if reached[other] == stamp:
                    continue
                before = math.hypot(jumps[k, 0] - su, jumps[k, 1] - sv)
                behind = math.hypot(jumps[k, 2] - gu, jumps[k, 3] - gv)
                if before + behind <= limits[i]:
                    reached[other] = stamp
                    stack[depth] = other
                    depth += 1
        short[i] = 1 if reached[goal] == stamp else 0
