"""Clipping convex polygons to strips of the lattice.

Every strip is cut from the whole triangle, never from what an earlier cut left over: what a cell
holds then does not depend on where a tile begins, to the last bit.
"""

from walkmesh.kernels.kernel import borrowing

# A triangle cut to a strip has up to 5 corners, and that cut to a cell up to 7; one to spare.
MOST_CORNERS = 8


@borrowing
def clip_strip(polygon, count, axis, low, high, half, strip):
    """Cut a convex polygon to low <= coordinate <= high, and return how many corners are left.

    Parameters
    ----------
    polygon : (>= count, 3) float64
        Corners (u, v, h).
    count : int
        Their number.
    axis : int
        0 to cut along u, 1 along v.
    low, high : float
        The strip. [Unit: m]
    half : (MOST_CORNERS, 3) float64, scratch
        What is above `low`.
    strip : (MOST_CORNERS, 3) float64, output
        The corners left.
    """
    kept = _clip_half(polygon, count, axis, low, 1.0, half)
    return _clip_half(half, kept, axis, high, -1.0, strip)


@borrowing
def _clip_half(polygon, count, axis, line, side, result):
    """Cut to side * (coordinate - line) >= 0, and return how many corners are left."""
    kept = 0
    if count == 0:
        return 0
    last = count - 1
    before = side * (polygon[last, axis] - line)
    for i in range(count):
        here = side * (polygon[i, axis] - line)
        if (here < 0.0) != (before < 0.0) and here != 0.0 and before != 0.0:
            # From the side below to the side above, so that both ways give the same point.
            t = before / (before - here)
            for k in range(3):
                result[kept, k] = polygon[last, k] + t * (polygon[i, k] - polygon[last, k])
            result[kept, axis] = line
            kept += 1
        if here >= 0.0:
            for k in range(3):
                result[kept, k] = polygon[i, k]
            kept += 1
        last, before = i, here
    return kept
