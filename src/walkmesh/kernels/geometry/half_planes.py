r"""Clipping convex polygons to half planes, and to the half spaces beside planes.

A polygon is an array with a row for each corner: its coordinates, and behind them its *distance*,
which is how far inside the half plane it lies, in any unit. The part inside has the corners whose
distance is positive, and those where edges cross the line (Sutherland and Hodgman 1974)::

       -1     2               here = -1, there = 2:
     a .---|-------. b        the crossing is at here / (here - there) = 1/3
        \  |       |          of the way from a to b
         \ | inside|
"""

import math

from walkmesh.kernels.kernel import borrowing


@borrowing
def clip(polygon, count, columns, on_line, clipped):
    """Write the part of a convex polygon inside a half plane, and return its number of corners.

    The `count` corners have 2 or 3 coordinates, as many as `columns`, and their distances from the
    line in the column after these. With `on_line`, corners on the line itself count as inside;
    otherwise nothing is left of a polygon that only touches the inside, or lies on the line. The
    part comes without distances; corners for which there is no room are left away.
    """
    size = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        here, there = polygon[i, columns], polygon[j, columns]
        if (here > 0.0 or (on_line and here == 0.0)) and size < len(clipped):
            for k in range(columns):
                clipped[size, k] = polygon[i, k]
            size += 1
        if on_line:
            crosses = (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0)
        else:
            crosses = (here > 0.0) != (there > 0.0)
        if crosses and size < len(clipped):
            t = here / (here - there)
            for k in range(columns):
                clipped[size, k] = polygon[i, k] + t * (polygon[j, k] - polygon[i, k])
            size += 1
    return size


@borrowing
def clip_in_place(polygon, count, columns, on_line, spare):
    """Leave of a polygon what :func:`clip` writes; `spare` is scratch of the same shape."""
    size = clip(polygon, count, columns, on_line, spare)
    for i in range(size):
        for k in range(columns):
            polygon[i, k] = spare[i, k]
    return size


@borrowing
def clip_to_plane(polygon, count, nu, nv, nh, offset, on_line, spare):
    """Leave of a polygon (r, 4) what has n . x + offset above 0, and return its corners' number."""
    for i in range(count):
        along = nu * polygon[i, 0] + nv * polygon[i, 1] + nh * polygon[i, 2]
        polygon[i, 3] = along + offset
    return clip_in_place(polygon, count, 3, on_line, spare)


@borrowing
def width_of(polygon, count):
    """Return the width of a polygon in plan: its area over half its outline.

    That is right for a strip, and less than the true width for other shapes.
    """
    area, outline = 0.0, 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        eu, ev = polygon[j, 0] - polygon[i, 0], polygon[j, 1] - polygon[i, 1]
        du, dv = polygon[i, 0] - polygon[0, 0], polygon[i, 1] - polygon[0, 1]
        area += 0.5 * (du * ev - dv * eu)
        outline += math.sqrt(eu * eu + ev * ev)
    return 2.0 * area / outline if outline > 0.0 else 0.0
