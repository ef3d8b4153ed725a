"""Regions of a face's plane that what stands over it blocks, as the lines around them.

A line ``a u + b v + c`` has a unit normal and is positive inside of its region; u and v are those
of the face's own frame, see :mod:`walkmesh.builder.surface.kernels.tangent`.
"""

import numpy as np

from walkmesh.builder.kernels.fragments import limit_height
from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.kernels.geometry.half_planes import clip_to_plane
from walkmesh.kernels.kernel import kernel

# The most sides of a region, and of those the most that stand for arcs.
MOST_SIDES = 40
_MOST_TANGENTS = 24
# Places of `limits`: the agent's height, radius and highest step, the error of arcs, the cosine of
# the angle by which ground may bend below the agent, and whether faces have two sides.
HEIGHT, RADIUS, STEP, ARC_ERROR, BEND, TWO_SIDED = range(6)


@kernel
def write_shadow(other, low, high, lines, region):
    """Write the sides of a face's shadow, where it is between two heights; return how many."""
    au, av = other[1, 0] - other[0, 0], other[1, 1] - other[0, 1]
    bu, bv = other[2, 0] - other[0, 0], other[2, 1] - other[0, 1]
    ah, bh = other[1, 2] - other[0, 2], other[2, 2] - other[0, 2]
    twice = au * bv - av * bu
    if twice == 0.0:
        return 0
    sign = 1.0 if twice > 0.0 else -1.0
    count = 0
    for i in range(3):
        j = (i + 1) % 3
        du, dv = other[j, 0] - other[i, 0], other[j, 1] - other[i, 1]
        length = np.sqrt(du * du + dv * dv)
        if length < tol.SHADOW_CORNER:
            continue
        a, b = -sign * dv / length, sign * du / length
        lines[region, count, 0], lines[region, count, 1] = a, b
        lines[region, count, 2] = -(a * other[i, 0] + b * other[i, 1])
        count += 1
    gu, gv = (ah * bv - bh * av) / twice, (bh * au - ah * bu) / twice
    gc = other[0, 2] - gu * other[0, 0] - gv * other[0, 1]
    least = min(other[0, 2], other[1, 2], other[2, 2])
    most = max(other[0, 2], other[1, 2], other[2, 2])
    return limit_height(gu, gv, gc, least, most, low, high, lines, region, count)


@kernel
def clip_to_band(other, low, high, shadow):
    """Write the part of a face between two heights as `shadow[0]`; return how many corners."""
    for i in range(3):
        for k in range(3):
            shadow[0, i, k] = other[i, k]
    count = clip_to_plane(shadow[0], 3, 0.0, 0.0, 1.0, -low, True, shadow[1])
    return clip_to_plane(shadow[0], count, 0.0, 0.0, -1.0, high, True, shadow[1])


@kernel
def write_body(shadow, size, radius, limits, lines, region):
    """Write the sides of a shadow made wider by the radius; return how many.

    Its arcs are replaced by tangents, which touch them where the straight sides begin.
    """
    size = _without_repeats(shadow, size)
    area = 0.0
    for i in range(1, size - 1):
        area += (shadow[i, 0] - shadow[0, 0]) * (shadow[i + 1, 1] - shadow[0, 1])
        area -= (shadow[i, 1] - shadow[0, 1]) * (shadow[i + 1, 0] - shadow[0, 0])
    if size > 2 and abs(area) < tol.NO_AREA:
        size = _to_segment(shadow, size)
    elif area < 0.0:
        for i in range(size // 2):
            for k in range(2):
                j = size - 1 - i
                shadow[i, k], shadow[j, k] = shadow[j, k], shadow[i, k]
    arc = 2.0 * np.arccos(radius / (radius + limits[ARC_ERROR]))
    arc = max(arc, 2.0 * np.pi / _MOST_TANGENTS)
    count = 0
    if size == 1:
        steps = max(int(np.ceil(2.0 * np.pi / arc - tol.NEARLY_WHOLE)), 6)
        for k in range(steps):
            angle = 2.0 * np.pi * k / steps
            count = _write_side(
                np.cos(angle), np.sin(angle), shadow, 0, radius, lines, region, count
            )
        return count
    for i in range(size):
        j, h = (i + 1) % size, (i + size - 1) % size
        before = np.arctan2(shadow[i, 1] - shadow[h, 1], shadow[i, 0] - shadow[h, 0])
        after = np.arctan2(shadow[j, 1] - shadow[i, 1], shadow[j, 0] - shadow[i, 0])
        turn = after - before
        turn -= 2.0 * np.pi * np.floor(turn / (2.0 * np.pi))
        if turn > 1.5 * np.pi:
            turn = 0.0  # rounding bent a straight side inwards
        # An even number, so that towards what lies straight ahead there is no corner; and the same
        # in every frame, however angles round there.
        steps = 2 * int(np.ceil(0.5 * turn / arc - tol.NEARLY_WHOLE))
        # A shadow that rounding folds over turns by more than once around. With fewer tangents the
        # region is larger, never smaller. Every corner after this one needs at least one side.
        steps = min(steps, MOST_SIDES - count - (size - 1 - i))
        for k in range(1, steps):
            angle = before + turn * k / steps - 0.5 * np.pi
            count = _write_side(
                np.cos(angle), np.sin(angle), shadow, i, radius, lines, region, count
            )
        count = _write_side(np.sin(after), -np.cos(after), shadow, i, radius, lines, region, count)
    return count


@kernel
def _write_side(a, b, shadow, i, radius, lines, region, count):
    """Write the side that is a radius away from corner i in the direction (a, b)."""
    lines[region, count, 0], lines[region, count, 1] = -a, -b
    lines[region, count, 2] = a * shadow[i, 0] + b * shadow[i, 1] + radius
    return count + 1


@kernel
def _without_repeats(shadow, size):
    """Drop corners that come twice, one after the other; return how many are left."""
    count = 0
    for i in range(size):
        if count > 0:
            du, dv = shadow[i, 0] - shadow[count - 1, 0], shadow[i, 1] - shadow[count - 1, 1]
            if du * du + dv * dv < tol.SHADOW_CORNER * tol.SHADOW_CORNER:
                continue
        shadow[count, 0], shadow[count, 1] = shadow[i, 0], shadow[i, 1]
        count += 1
    if count > 1:
        du, dv = shadow[0, 0] - shadow[count - 1, 0], shadow[0, 1] - shadow[count - 1, 1]
        if du * du + dv * dv < tol.SHADOW_CORNER * tol.SHADOW_CORNER:
            count -= 1
    return count


@kernel
def _to_segment(shadow, size):
    """Leave the two corners of an upright face's shadow that are farthest apart."""
    one, two, longest = 0, 0, -1.0
    for i in range(size):
        for j in range(i + 1, size):
            du, dv = shadow[j, 0] - shadow[i, 0], shadow[j, 1] - shadow[i, 1]
            if du * du + dv * dv > longest:
                one, two, longest = i, j, du * du + dv * dv
    au, av, bu, bv = shadow[one, 0], shadow[one, 1], shadow[two, 0], shadow[two, 1]
    shadow[0, 0], shadow[0, 1], shadow[1, 0], shadow[1, 1] = au, av, bu, bv
    return 2


@kernel
def widest_reach(limits):
    """Return how far from a shadow the corners of the tangents around it may be."""
    radius = limits[RADIUS]
    most = max(radius + limits[ARC_ERROR], radius / np.cos(np.pi / _MOST_TANGENTS))
    return min(most, 1.5 * radius) + tol.FACE_PLANE
