"""Layers of a surface: polygons that face the same way and lie over each other.

Above a polygon is where its normal n points. What of polygon j lies above polygon i is j, seen
along n, cut by the edges of i and by two planes parallel to it::

        ----------------- j        n
        :   above i     :          |
        +---------------+ i        +--- u

A surface whose normals are all within less than 90 degrees of n has one height over the plane of i
at every place, however it is curved; so neighbours, also those across a fold, only touch.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip_to_plane, width_of
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.box_sweep import gather_along, touches_along
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT

# Ragged polygons, convex and counter-clockwise around their normals: (n, 3) float64, points [m];
# (p + 1,) and (c,) int32, offsets and corners; (p, 3) float64, unit normals, and a point of the
# plane of each; (p,) float64, how far corners are from that, and from the plane, at most [m].
FLAT_POLYGONS = kt.packed(kt.POINTS, kt.INTS, kt.INTS, kt.POINTS, kt.POINTS, kt.FLOATS, kt.FLOATS)


@kernel(
    FLAT_POLYGONS, kt.TREE, kt.INT, kt.INT, kt.FLOATS, kt.FLOAT, kt.FLOAT, kt.INT, kt.OUT_TRIPLES,
    rare=True,
)  # fmt: skip
def find_layers(polygons, tree, start, stop, heights, cosine, width, least, found):
    """Find pairs of polygons that face the same way and lie over each other, too close.

    Parameters
    ----------
    polygons, tree : FLAT_POLYGONS and TREE
        The tree is over the polygons.
    start, stop : int
        Of each pair, the lower polygon is one of these.
    heights : (p,) float64
        How far above each polygon others must be, along its normal. [Unit: m]
    cosine : float
        Of the largest angle between normals that face the same way. [Limit: > 0]
    width : float
        An overlap no wider than this is none; where polygons are bent, their outlines may be wrong
        by more, and that counts as well. [Unit: m]
    least : int
        Of each pair, one polygon at least has this number or a higher one.
    found : (k, 2) int32, output
        Pairs of the lower and the higher polygon, as many as there is room for.

    Returns
    -------
    int
        How many pairs there are; more than k if there was not room for all.
    """
    points, offsets, corners, normals, middles, radii, bends = polygons
    boxes, order, nodes = tree
    longest = 3
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    # Every cut adds at most one corner, and some more where rounding makes it cross twice; what has
    # no room is left away.
    part = np.empty((4 * longest + 8, 4), np.float64)
    spare = np.empty((4 * longest + 8, 4), np.float64)
    axes = np.empty((3, 3), np.float64)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    near = np.empty(len(order), np.int32)
    around, way = np.empty(6, np.float64), np.empty(3, np.float64)
    # Seen at an angle, what is off a plane by some way is off its place by the tangent of that.
    tangent = np.sqrt(1.0 - cosine * cosine) / cosine
    most_bent = 0.0
    for i in range(len(bends)):
        most_bent = max(most_bent, bends[i])
    count = 0
    for i in range(start, stop):
        height = heights[i]
        _set_axes(normals, i, axes)
        # All that is over polygon i: its box, drawn out along the normal. The corners are off the
        # plane by its bend, and others may reach below it by that and their own.
        depth = bends[i] + most_bent + width
        for k in range(3):
            around[k] = boxes[i, k] - bends[i] - depth * normals[i, k]
            around[k + 3] = boxes[i, k + 3] + bends[i] - depth * normals[i, k]
            way[k] = (depth + height) * normals[i, k]
        for place in range(gather_along(nodes, order, around, way, stack, near)):
            j = near[place]
            if j == i or max(i, j) < least or not touches_along(boxes, j, around, way):
                continue
            if not _may_be_over(normals, middles, radii, i, j, height, cosine):
                continue
            bend = bends[i] + bends[j]
            found_width = _width_over(
                points, offsets, corners, middles, axes, i, j, -bend - width, height, part, spare
            )
            if found_width > width + tangent * bend:
                if count < len(found):
                    found[count, 0], found[count, 1] = i, j
                count += 1
    return count


@kernel
def _set_axes(normals, i, axes):
    """Set the rows of `axes` to unit vectors u and v in the plane of polygon i, and its normal."""
    smallest = 0
    for k in range(1, 3):
        if abs(normals[i, k]) < abs(normals[i, smallest]):
            smallest = k
    length = np.sqrt(1.0 - normals[i, smallest] * normals[i, smallest])
    for k in range(3):
        along = 1.0 if k == smallest else 0.0
        axes[0, k] = (along - normals[i, smallest] * normals[i, k]) / length
        axes[2, k] = normals[i, k]
    for k in range(3):
        a, b = (k + 1) % 3, (k + 2) % 3
        axes[1, k] = axes[2, a] * axes[0, b] - axes[2, b] * axes[0, a]


@kernel
def _may_be_over(normals, middles, radii, i, j, height, cosine):
    """Tell whether polygons face the same way and the ball around j reaches over that around i."""
    facing, away, over = 0.0, 0.0, 0.0
    for k in range(3):
        d = middles[j, k] - middles[i, k]
        facing += normals[i, k] * normals[j, k]
        away += d * d
        over += d * normals[i, k]
    reach = radii[i] + radii[j]
    return (
        facing > cosine
        and away - over * over < reach * reach
        and over - radii[j] < height
        and over + reach > 0.0
    )


@kernel
def _width_over(points, offsets, corners, middles, axes, i, j, low, height, part, spare):
    """Return how wide the part of polygon j is that lies between two heights over polygon i.

    The width of a region is that of :func:`width_of`.
    """
    count = offsets[j + 1] - offsets[j]
    for n in range(count):
        for k in range(3):
            part[n, k] = _along(points, corners[offsets[j] + n], middles, i, axes, k)
    last = corners[offsets[i + 1] - 1]
    au = _along(points, last, middles, i, axes, 0)
    av = _along(points, last, middles, i, axes, 1)
    for n in range(offsets[i], offsets[i + 1]):
        bu = _along(points, corners[n], middles, i, axes, 0)
        bv = _along(points, corners[n], middles, i, axes, 1)
        eu, ev = bu - au, bv - av
        count = clip_to_plane(part, count, -ev, eu, 0.0, ev * au - eu * av, True, spare)
        if count < 3:
            return 0.0
        au, av = bu, bv
    count = clip_to_plane(part, count, 0.0, 0.0, 1.0, -low, True, spare)
    count = clip_to_plane(part, count, 0.0, 0.0, -1.0, height, True, spare)
    if count < 3:
        return 0.0
    return width_of(part, count)


@kernel
def _along(points, point, middles, i, axes, k):
    """Return one coordinate of a point in the frame of polygon i."""
    total = 0.0
    for c in range(3):
        total += (points[point, c] - middles[i, c]) * axes[k, c]
    return total
