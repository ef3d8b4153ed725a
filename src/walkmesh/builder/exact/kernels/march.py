"""Marching: straight ways over polygons, from edge to edge."""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner

# A way crosses no more polygons than this: it is about half a metre long, and stitching leaves no
# vertices closer than a quarter of a millimetre.
MOST_CROSSED = 1 << 14
# A way that comes no further across so many polygons is led in circles by rounding.
MOST_AT_A_PLACE = 64


@kernel
def leave_polygon(offsets, corners, polygon, entry, u, v, du, dv):
    """Find the edge through which a way leaves a convex polygon.

    The way is at (u, v), in the direction (du, dv) of length 1. It came in through the edge
    `entry`, -1 if it starts inside. Of several edges in one line it is the one that the way
    crosses. Returns the edge, -1 if there is none, and how far away it is.
    """
    edge, nearest, crossed = -1, np.inf, False
    for i in range(offsets[polygon], offsets[polygon + 1]):
        j = next_corner(offsets, polygon, i)
        eu, ev = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        leaving = du * ev - dv * eu
        if i == entry or leaving <= tol.PARALLEL_WAY:
            continue
        pu, pv = corners[i, 0] - u, corners[i, 1] - v
        way = (pu * ev - pv * eu) / leaving
        part = (pu * dv - pv * du) / leaving
        crosses = -tol.PAST_END <= part <= 1.0 + tol.PAST_END
        if (crosses and not crossed) or (crosses == crossed and way < nearest):
            edge, nearest, crossed = i, way, crosses
    return edge, max(nearest, 0.0)
