r"""Bands along the boundary, measured along the surface.

From each edge of the boundary a band as wide as the radius runs over the surface, straight ahead,
and from each corner of it with more than half a turn of surface around it a sector. Where they
come to the edge of a polygon they go on in the next one, which is laid flat beside it for that::

       boundary ______________          what a polygon lets through is a *beam*: from where to
               |      |   |   |         where along the boundary, or between which directions
        band   |  P   | Q | R |         from the corner
               |______|___|___|
                 fold ^   ^ fold

A shortest way from a place to the boundary is a straight line in such a strip of polygons, so all
places closer than the radius are found; except those whose shortest way bends around a saddle.
"""

import numpy as np

from walkmesh.builder.kernels.tolerances import BEYOND_BOUNDARY, NO_TURN
from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.packs import OUT_REGIONS, SHEET
from walkmesh.builder.surface.kernels.tangent import along, write_frame
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner

_MOST_TANGENTS = 30
# No band is followed into more polygons than this.
_MOST_WINDOWS = 20000
# What a beam comes from, and its columns: the place where it starts; the direction along the
# boundary, or the one that angles are counted from; from where to where; and what angle that is.
_BAND, _SECTOR = 0, 1
_U, _V, _DU, _DV, _LOW, _HIGH, _BASE = range(7)


@kernel(SHEET, kt.BYTES, kt.FLOAT, kt.FLOAT, OUT_REGIONS)
def lay_bands(sheet, open_edges, radius, arc_error, output):
    """Write down where bands and sectors run over polygons.

    Parameters
    ----------
    sheet : SHEET
        The polygons.
    open_edges : (c,) uint8
        1 for the edges to stay away from.
    radius, arc_error : float
        How far to stay away, and how far tangents may lie outside an arc. [Unit: m]
    output : OUT_REGIONS
        The regions; their sides are lines (a, b, c), positive inside, in the frame of the polygon.
    """
    offsets, corners, mates, normals, owners = sheet
    _, side_offsets, _, filled = output
    room = 256
    beams = np.empty((room, 7), np.float64)
    entries = np.empty((room, 2), np.int32)  # the polygon, and the edge it is entered by
    frame, other = np.empty((3, 3), np.float64), np.empty((3, 3), np.float64)
    tangents = np.empty(_MOST_TANGENTS + 2, np.float64)
    filled[0], filled[1] = 0, 0
    side_offsets[0] = 0
    for edge in range(len(mates)):
        if not open_edges[edge]:
            continue
        for kind in range(2):
            depth, count = 0, 0
            if kind == _BAND:
                _start_band(sheet, edge, frame, beams)
                entries[0, 0], entries[0, 1] = owners[edge], edge
                depth = 1
            else:
                depth, count = _start_sector(
                    sheet, edge, radius, arc_error, frame, beams, entries, tangents
                )
            windows = 0
            while depth > 0 and windows < _MOST_WINDOWS:
                depth -= 1
                windows += 1
                polygon, entry = entries[depth, 0], entries[depth, 1]
                beam = beams[depth].copy()
                write_frame(normals, polygon, frame)
                if kind == _BAND:
                    _write_band(polygon, beam, radius, entry == edge, output)
                else:
                    _write_sector(polygon, beam, radius, tangents, count, output)
                first, stop = offsets[polygon], offsets[polygon + 1]
                while depth + stop - first > room:
                    beams, entries = _grow(beams, entries, depth)
                    room = len(beams)
                for i in range(first, stop):
                    # A sector starts in the middle of its polygon's corner, not at an edge.
                    if mates[i] < 0 or i == entry:
                        continue
                    j = next_corner(offsets, polygon, i)
                    u, v = along(frame, 0, corners, i), along(frame, 1, corners, i)
                    x, y = along(frame, 0, corners, j), along(frame, 1, corners, j)
                    if kind == _BAND:
                        passes, low, high = _through_band(beam, u, v, x, y, radius)
                    else:
                        passes, low, high = _through_sector(beam, u, v, x, y, radius)
                    if not passes:
                        continue
                    mate = mates[i]
                    beyond = owners[mate]
                    write_frame(normals, beyond, other)
                    k = mate
                    n = next_corner(offsets, beyond, k)
                    _turn_over(
                        beam, u, v, x, y,
                        along(other, 0, corners, n), along(other, 1, corners, n),
                        along(other, 0, corners, k), along(other, 1, corners, k),
                        beams, depth,
                    )  # fmt: skip
                    beams[depth, _LOW], beams[depth, _HIGH] = low, high
                    entries[depth, 0], entries[depth, 1] = beyond, mate
                    depth += 1


@kernel
def _grow(beams, entries, depth):
    """Return more room on the stack."""
    more = np.empty((2 * len(beams), 7), np.float64)
    ids = np.empty((2 * len(beams), 2), np.int32)
    for i in range(depth):
        for k in range(7):
            more[i, k] = beams[i, k]
        for k in range(2):
            ids[i, k] = entries[i, k]
    return more, ids


@borrowing
def _start_band(sheet, edge, frame, beams):
    """Put the beam of an edge's band on the stack."""
    offsets, corners, _, normals, owners = sheet
    polygon = owners[edge]
    write_frame(normals, polygon, frame)
    j = next_corner(offsets, polygon, edge)
    u, v = along(frame, 0, corners, edge), along(frame, 1, corners, edge)
    du, dv = along(frame, 0, corners, j) - u, along(frame, 1, corners, j) - v
    length = np.sqrt(du * du + dv * dv)
    beams[0, _U], beams[0, _V] = u, v
    beams[0, _DU], beams[0, _DV] = du / length, dv / length
    beams[0, _LOW], beams[0, _HIGH], beams[0, _BASE] = 0.0, length, 0.0


@borrowing
def _start_sector(sheet, edge, radius, arc_error, frame, beams, entries, tangents):
    """Put the beams of the sector at the start of a boundary edge on the stack.

    Returns
    -------
    int, int
        How many there are, one for each polygon around the corner, and how many tangents.
    """
    offsets, _, mates, _, owners = sheet
    total, around = 0.0, 0
    current = edge
    while current >= 0 and around < 200:
        total += _corner_angle(sheet, current, frame)[0]
        around += 1
        before = _before(offsets, owners, current)
        current = mates[before]
    turn = total - np.pi
    if turn <= NO_TURN or current >= 0:
        return 0, 0
    arc = 2.0 * np.arccos(radius / (radius + arc_error))
    # An even number, so that towards what lies straight ahead there is no corner.
    steps = 2 * int(np.ceil(0.5 * turn / arc - tol.NEARLY_WHOLE))
    steps = min(max(steps, 2), _MOST_TANGENTS)
    for k in range(steps + 1):
        tangents[k] = 0.5 * np.pi + turn * k / steps
    depth = 0
    passed = 0.0
    current = edge
    while current >= 0 and depth < len(beams):
        angle, u, v, du, dv = _corner_angle(sheet, current, frame)
        low, high = max(passed, 0.5 * np.pi), min(passed + angle, total - 0.5 * np.pi)
        if high - low > tol.NARROW_BEAM:
            # Angles are counted from the middle of the polygon's corner.
            half = 0.5 * angle
            beams[depth, _U], beams[depth, _V] = u, v
            beams[depth, _DU] = du * np.cos(half) - dv * np.sin(half)
            beams[depth, _DV] = dv * np.cos(half) + du * np.sin(half)
            beams[depth, _BASE] = passed + half
            beams[depth, _LOW], beams[depth, _HIGH] = low - passed - half, high - passed - half
            entries[depth, 0], entries[depth, 1] = owners[current], -1
            depth += 1
        passed += angle
        current = mates[_before(offsets, owners, current)]
    return depth, steps + 1


@borrowing
def _before(offsets, owners, corner):
    """Return the corner before one in its polygon."""
    polygon = owners[corner]
    return corner - 1 if corner > offsets[polygon] else offsets[polygon + 1] - 1


@borrowing
def _corner_angle(sheet, corner, frame):
    """Return the angle at a corner, its place, and the direction of the edge that starts there."""
    offsets, corners, _, normals, owners = sheet
    polygon = owners[corner]
    write_frame(normals, polygon, frame)
    after = next_corner(offsets, polygon, corner)
    before = _before(offsets, owners, corner)
    u, v = along(frame, 0, corners, corner), along(frame, 1, corners, corner)
    au, av = along(frame, 0, corners, after) - u, along(frame, 1, corners, after) - v
    bu, bv = along(frame, 0, corners, before) - u, along(frame, 1, corners, before) - v
    length = np.sqrt(au * au + av * av)
    angle = np.arctan2(au * bv - av * bu, au * bu + av * bv)
    return abs(angle), u, v, au / length, av / length


@borrowing
def _turn_over(beam, u, v, x, y, p, q, r, s, beams, row):
    """Write a beam in the frame of the next polygon, where (u, v) - (x, y) is (p, q) - (r, s)."""
    eu, ev, fu, fv = x - u, y - v, r - p, s - q
    scale = np.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    cosine, sine = (eu * fu + ev * fv) / scale, (eu * fv - ev * fu) / scale
    du, dv = beam[_U] - u, beam[_V] - v
    beams[row, _U] = p + cosine * du - sine * dv
    beams[row, _V] = q + sine * du + cosine * dv
    beams[row, _DU] = cosine * beam[_DU] - sine * beam[_DV]
    beams[row, _DV] = sine * beam[_DU] + cosine * beam[_DV]
    beams[row, _BASE] = beam[_BASE]


@borrowing
def _through_band(beam, u, v, x, y, radius):
    """Return whether a band goes out through an edge, and from where to where."""
    du, dv = beam[_DU], beam[_DV]
    # Straight ahead is to the left of the boundary.
    if -dv * (y - v) - du * (x - u) <= tol.NARROW_BEAM:
        return False, 0.0, 0.0
    a, b = du * (u - beam[_U]) + dv * (v - beam[_V]), du * (x - beam[_U]) + dv * (y - beam[_V])
    far_a = du * (v - beam[_V]) - dv * (u - beam[_U])
    far_b = du * (y - beam[_V]) - dv * (x - beam[_U])
    first, last = 0.0, 1.0
    first, last = _clip(first, last, a - beam[_LOW], b - beam[_LOW])
    first, last = _clip(first, last, beam[_HIGH] - a, beam[_HIGH] - b)
    first, last = _clip(first, last, radius - far_a, radius - far_b)
    first, last = _clip(first, last, far_a + BEYOND_BOUNDARY, far_b + BEYOND_BOUNDARY)
    if last <= first:
        return False, 0.0, 0.0
    low, high = a + first * (b - a), a + last * (b - a)
    low, high = min(low, high), max(low, high)
    return high - low > tol.NARROW_BEAM, low, high


@borrowing
def _clip(first, last, here, there):
    """Return the part of a stretch where a value that changes evenly is positive."""
    if here < 0.0 and there < 0.0:
        return 1.0, 0.0
    if here < 0.0:
        first = max(first, here / (here - there))
    elif there < 0.0:
        last = min(last, here / (here - there))
    return first, last


@borrowing
def _through_sector(beam, u, v, x, y, radius):
    """Return whether a sector goes out through an edge, and between which angles."""
    au, av, bu, bv = u - beam[_U], v - beam[_V], x - beam[_U], y - beam[_V]
    eu, ev = bu - au, bv - av
    length = np.sqrt(eu * eu + ev * ev)
    away = au * ev - av * eu
    if away <= tol.NARROW_BEAM * length or away >= radius * length:
        return False, 0.0, 0.0
    du, dv = beam[_DU], beam[_DV]
    low = np.arctan2(du * av - dv * au, du * au + dv * av)
    high = np.arctan2(du * bv - dv * bu, du * bu + dv * bv)
    low, high = max(low, beam[_LOW]), min(high, beam[_HIGH])
    if high - low <= tol.NARROW_BEAM:
        return False, 0.0, 0.0
    # The nearest place of the edge between both directions must be within the radius.
    near = np.inf
    for k in range(3):
        if k == 0:
            angle = low
        elif k == 1:
            angle = high
        else:
            angle = np.arctan2(-(du * eu + dv * ev), du * ev - dv * eu)
            if angle < low or angle > high:
                continue
        cu = du * np.cos(angle) - dv * np.sin(angle)
        cv = dv * np.cos(angle) + du * np.sin(angle)
        across = cu * ev - cv * eu
        if across > 0.0:
            near = min(near, away / across)
    return near < radius, low, high


@borrowing
def _write_side(a, b, c, output):
    sides, filled = output[2], output[3]
    if filled[1] < len(sides):
        sides[filled[1], 0], sides[filled[1], 1], sides[filled[1], 2] = a, b, c
    filled[1] += 1


@borrowing
def _finish(polygon, output):
    polygons, side_offsets, filled = output[0], output[1], output[3]
    if filled[0] < len(polygons):
        polygons[filled[0]] = polygon
        side_offsets[filled[0] + 1] = filled[1]
    filled[0] += 1


@borrowing
def _write_band(polygon, beam, radius, first, output):
    """Write the part of a band that runs over a polygon."""
    u, v, du, dv = beam[_U], beam[_V], beam[_DU], beam[_DV]
    ahead, aside = du * v - dv * u, du * u + dv * v
    # The far side first: what lies beyond it stays in one piece.
    _write_side(dv, -du, radius + ahead, output)
    _write_side(-dv, du, (BEYOND_BOUNDARY if first else 0.0) - ahead, output)
    _write_side(du, dv, -beam[_LOW] - aside, output)
    _write_side(-du, -dv, beam[_HIGH] + aside, output)
    _finish(polygon, output)


@borrowing
def _write_sector(polygon, beam, radius, tangents, count, output):
    """Write the part of a sector that runs over a polygon."""
    u, v, du, dv = beam[_U], beam[_V], beam[_DU], beam[_DV]
    for k in range(count):
        angle = tangents[k] - beam[_BASE]
        a = du * np.cos(angle) - dv * np.sin(angle)
        b = dv * np.cos(angle) + du * np.sin(angle)
        _write_side(-a, -b, radius + a * u + b * v, output)
    for end in range(2):
        angle = beam[_LOW] if end == 0 else beam[_HIGH]
        a = du * np.cos(angle) - dv * np.sin(angle)
        b = dv * np.cos(angle) + du * np.sin(angle)
        sign = 1.0 if end == 0 else -1.0
        _write_side(-sign * b, sign * a, sign * (b * u - a * v), output)
    _finish(polygon, output)
