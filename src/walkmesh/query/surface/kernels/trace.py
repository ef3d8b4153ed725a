"""From the rows of a search back to the way that it found."""

from walkmesh.kernels.kernel import (
    FLOATS,
    INT,
    INTS,
    OUT_INTS,
    OUT_POINTS,
    POINTS,
    TRIPLES,
    borrowing,
    kernel,
)
from walkmesh.query.surface.kernels.mesh import (
    APEX_X,
    APEX_Y,
    LENGTH,
    MATE,
    START,
    Mesh,
    ends_of,
    following,
    in_frame,
)
from walkmesh.query.surface.kernels.windows import (
    B0,
    B1,
    FROM_FAN,
    FROM_JUMP,
    HALF,
    PARENT,
    PLACE,
    ROOT_X,
    ROOT_Y,
    THROUGH,
    crossing,
)


@kernel(
    POINTS, TRIPLES, TRIPLES, POINTS, TRIPLES, FLOATS, POINTS, TRIPLES, INTS, POINTS, TRIPLES,
    INT, FLOATS, INT, OUT_POINTS, OUT_INTS,
)  # fmt: skip
def trace_windows(
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures, spans, rows, row,
    goal, triangle, line, ways,
):  # fmt: skip
    """List where the way that a search found crosses edges.

    Parameters
    ----------
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures
        The mesh, see :mod:`walkmesh.query.surface.kernels.mesh`.
    spans, rows : arrays
        Those of :func:`~walkmesh.query.surface.kernels.windows.spread_windows`.
    row, goal, triangle : int, (3,) float64 and int
        The row that leads to the goal, the goal, and the triangle that it lies on. [Unit: m]
    line : (k, 3) float64, output
        Places from the start to the goal, in world coordinates, if there is room. [Unit: m]
    ways : (k,) int32, output
        What the way leads through after each of them: a triangle, or -1 - j for jump j.

    Returns
    -------
    int
        How many places there are.
    """
    mesh = Mesh(points, triangles, halves, shapes, fans, turns, jumps, targets, departures)
    count = _write(line, ways, 0, goal[0], goal[1], goal[2], triangle)
    x, y = 0.0, 0.0  # the place before, in the frame of the row's half
    if rows[row, HALF] >= 0:
        x, y = in_frame(mesh, rows[row, HALF], goal[0], goal[1], goal[2])
    while True:
        half, parent = rows[row, HALF], rows[row, PARENT]
        if half >= 0:
            at = crossing(
                spans[row, ROOT_X], spans[row, ROOT_Y], x, y, spans[row, B0], spans[row, B1]
            )
            a, b = ends_of(mesh, half)
            part = at / shapes[half, LENGTH]
            count = _write(
                line, ways, count, points[a, 0] + part * (points[b, 0] - points[a, 0]),
                points[a, 1] + part * (points[b, 1] - points[a, 1]),
                points[a, 2] + part * (points[b, 2] - points[a, 2]), triangle,
            )  # fmt: skip
            triangle = halves[half, MATE] // 3
            entry = rows[parent, HALF]
            if entry >= 0:
                x, y = shapes[entry, APEX_X], shapes[entry, APEX_Y]
                if halves[half, MATE] == following(entry):  # this half starts at the apex
                    x, y = x + part * (shapes[entry, LENGTH] - x), y - part * y
                else:
                    x, y = part * x, part * y
        else:
            count = _write(line, ways, count, spans[row, 0], spans[row, 1], spans[row, 2], triangle)
            if parent < 0:
                break
            triangle = rows[row, THROUGH]
            sx, sy, sz = spans[row, 0], spans[row, 1], spans[row, 2]
            if half == FROM_JUMP:
                jump = rows[row, PLACE]
                sx, sy, sz = jumps[jump, START], jumps[jump, START + 1], jumps[jump, START + 2]
                count = _write(line, ways, count, sx, sy, sz, -1 - jump)
            entry = rows[parent, HALF]
            if entry >= 0 and half == FROM_FAN:
                x, y = shapes[entry, APEX_X], shapes[entry, APEX_Y]
            elif entry >= 0:
                x, y = in_frame(mesh, entry, sx, sy, sz)
        row = parent
    _reverse(line, ways, count)
    return count


@borrowing
def _write(line, ways, count, x, y, z, way):
    """Write a place as far as there is room, and return the new number of places."""
    if count < len(line):
        line[count, 0], line[count, 1], line[count, 2] = x, y, z
        ways[count] = way
    return count + 1


@borrowing
def _reverse(line, ways, count):
    """Reverse the places, if all of them were written."""
    if count > len(line):
        return
    for i in range(count // 2):
        j = count - 1 - i
        for k in range(3):
            line[i, k], line[j, k] = line[j, k], line[i, k]
        ways[i], ways[j] = ways[j], ways[i]
