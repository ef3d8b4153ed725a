"""A sleeve: a row of triangles laid into one plane, and the shortest way through it."""

import math

from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.kernels.meshes.corners import next_of
from walkmesh.query.kernels.funnel import pull_tight
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.mesh import ends_of, in_frame


@shared_borrowing
def pull_leg(
    mesh, steps, begin, stop, triangle, ends, rights, lefts, tight, line, ways, written
):  # fmt: skip
    """Write the shortest way on foot through a row of triangles, from one of `ends` to the other.

    The halves that lead into its triangles are the steps from `begin` to `stop`, the last one
    first, and `triangle` the one before them. `rights`, `lefts` and `tight`, (stop - begin + 2, 3)
    float64, are scratch. `line` and `ways` are those of
    :func:`~walkmesh.query.surface.kernels.trace.trace_windows`, with `written` places before.
    Returns how many places are written. [Unit: m]
    """
    shapes, gates = mesh.shapes, stop - begin
    for k in range(3):
        line[written, k] = ends[0, k]
    ways[written] = triangle
    if gates > 0:
        first = steps[stop - 1]
        length = shapes[first, col.LENGTH]
        x, y = in_frame(mesh, mesh.halves[first, col.MATE], ends[0, 0], ends[0, 1], ends[0, 2])
        _set(rights, 0, length - x, -y)
        _set(lefts, 0, length - x, -y)
        _set(lefts, 1, 0.0, 0.0)
        _set(rights, 1, length, 0.0)
        for gate in range(2, gates + 1):
            half, entry = steps[stop - gate], steps[stop - gate + 1]
            x, y = _unfold(
                mesh, entry, lefts, rights, gate - 1, shapes[entry, col.APEX_X],
                shapes[entry, col.APEX_Y],
            )  # fmt: skip
            _set(lefts, gate, lefts[gate - 1, 0], lefts[gate - 1, 1])
            _set(rights, gate, rights[gate - 1, 0], rights[gate - 1, 1])
            # It leads on to the right of the apex, or to the left.
            _set(lefts if mesh.halves[half, col.MATE] == next_of(entry) else rights, gate, x, y)
        last = steps[begin]
        x, y = in_frame(mesh, last, ends[1, 0], ends[1, 1], ends[1, 2])
        x, y = _unfold(mesh, last, lefts, rights, gates, x, y)
        _set(rights, gates + 1, x, y)
        _set(lefts, gates + 1, x, y)
        pull_tight(rights, lefts, gates + 2, tight)
        for gate in range(1, gates + 1):
            half = steps[stop - gate]
            a, b = ends_of(mesh, half)
            _come_back(lefts, rights, tight, gate)
            ex, ey = rights[gate, 0] - lefts[gate, 0], rights[gate, 1] - lefts[gate, 1]
            part = (tight[gate, 0] - lefts[gate, 0]) * ex + (tight[gate, 1] - lefts[gate, 1]) * ey
            square = ex * ex + ey * ey
            part = part / square if square > 0.0 else 0.0
            for k in range(3):
                line[written + gate, k] = mesh.points[a, k] + part * (
                    mesh.points[b, k] - mesh.points[a, k]
                )
            ways[written + gate] = half // 3
            triangle = half // 3
    for k in range(3):
        line[written + gates + 1, k] = ends[1, k]
    ways[written + gates + 1] = triangle
    return written + gates + 2


@borrowing
def _come_back(lefts, rights, tight, gate):
    """Cross a gate as near to the place before as can be, if that makes the way shorter.

    Where the way leads along a gate, rounding may have it cross anywhere, even behind what follows.
    """
    x, y = tight[gate - 1, 0], tight[gate - 1, 1]
    after_x, after_y = tight[gate + 1, 0], tight[gate + 1, 1]
    _, part = to_segment(
        x, y, lefts[gate, 0], lefts[gate, 1], rights[gate, 0], rights[gate, 1]
    )  # fmt: skip
    near_x = lefts[gate, 0] + part * (rights[gate, 0] - lefts[gate, 0])
    near_y = lefts[gate, 1] + part * (rights[gate, 1] - lefts[gate, 1])
    whole = math.hypot(tight[gate, 0] - x, tight[gate, 1] - y)
    whole += math.hypot(after_x - tight[gate, 0], after_y - tight[gate, 1])
    other = math.hypot(near_x - x, near_y - y) + math.hypot(after_x - near_x, after_y - near_y)
    if other < whole:
        _set(tight, gate, near_x, near_y)


@borrowing
def _set(gates, gate, x, y):
    gates[gate, 0], gates[gate, 1], gates[gate, 2] = x, y, 0.0


@borrowing
def _unfold(mesh, half, lefts, rights, gate, x, y):
    """Return where a place in a half's frame is in the plane that its ends are laid into."""
    length = mesh.shapes[half, col.LENGTH]
    if length == 0.0:
        return lefts[gate, 0] + x, lefts[gate, 1] + y
    ux = (rights[gate, 0] - lefts[gate, 0]) / length
    uy = (rights[gate, 1] - lefts[gate, 1]) / length
    return lefts[gate, 0] + x * ux - y * uy, lefts[gate, 1] + x * uy + y * ux
