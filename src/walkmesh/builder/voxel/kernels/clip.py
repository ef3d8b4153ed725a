"""Clipping convex polygons to strips of the lattice.

Every strip is cut from the whole triangle, never from what an earlier cut left over: what a cell
holds then does not depend on where a tile begins, to the last bit.
"""

from walkmesh.kernels.kernel import borrowing

# A triangle cut to a strip has up to 5 corners, and that cut to a cell up to 7. If rounding makes
# it cross a line more than twice, each of the 5 edges leaves no more than two.
MOST_CORNERS = 10


@borrowing
def clip_strip(polygon, count, axis, low, high, strip):
    """Cut a convex polygon to low <= coordinate <= high, and return how many corners are left.

    Corners are (u, v, h), with room for MOST_CORNERS in `strip`; it is cut along u for axis 0, and
    along v for axis 1.
    """
    kept = 0
    last = count - 1
    before = polygon[last, axis]
    for i in range(count):
        here = polygon[i, axis]
        # Up to two crossings between the last corner and this one, in their order on the way.
        if before < low:
            if here > low:
                _cross(polygon, last, i, axis, low, strip, kept)
                kept += 1
            if here > high:
                _cross(polygon, last, i, axis, high, strip, kept)
                kept += 1
        elif before > high:
            if here < high:
                _cross(polygon, i, last, axis, high, strip, kept)
                kept += 1
            if here < low:
                _cross(polygon, i, last, axis, low, strip, kept)
                kept += 1
        elif here > high and before < high:
            _cross(polygon, last, i, axis, high, strip, kept)
            kept += 1
        elif here < low and before > low:
            _cross(polygon, i, last, axis, low, strip, kept)
            kept += 1
        if low <= here <= high:
            for k in range(3):
                strip[kept, k] = polygon[i, k]
            kept += 1
        last, before = i, here
    return kept


@borrowing
def _cross(polygon, below, above, axis, line, strip, at):
    """Write down where an edge crosses a line, from the end below it, whichever way it runs."""
    other = 1 - axis
    start = polygon[below, axis]
    t = (line - start) / (polygon[above, axis] - start)
    strip[at, axis] = line
    strip[at, other] = polygon[below, other] + t * (polygon[above, other] - polygon[below, other])
    strip[at, 2] = polygon[below, 2] + t * (polygon[above, 2] - polygon[below, 2])
