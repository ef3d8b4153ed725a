"""Low faces: nothing to stand on, but some can be stepped over."""

import numpy as np

from walkmesh.builder.exact.kernels import low_ways
from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.adjacency import next_corner
from walkmesh.kernels.search.box_tree import gather_items

# What find_passable tells of a polygon: it stops whoever walks, can be walked over, or is a low one
# that can and lies in a slit, below the ground on both sides, such as the side of a board.
IMPASSABLE, PASSABLE, SUNKEN = 0, 1, 2
# How far inwards from the middle of an edge a way starts, as a part of the way to the centre.
_INWARDS = 0.01


@kernel(kt.INTS, kt.FLOATS, kt.INTS, kt.INTS, kt.BYTES, kt.FLOAT, kt.OUT_BYTES)
def find_near_ground(offsets, heights, mates, owners, low, max_step, near):
    """Tell which polygons are ground, or low ones within a step of ground that they hang on.

    Of cliffs, walls that lean and the like this leaves the foot and the rim, which is all that can
    matter; what is left of them need not be looked at in the stages that follow.

    Parameters
    ----------
    offsets, mates, owners, low : arrays
        See :func:`find_passable`.
    heights : (c,) float64
        The height of each corner. [Unit: m]
    max_step : float
        The highest step. [Unit: m]
    near : (p,) uint8, output
        1 for ground, and for low polygons within a step of it.
    """
    count = len(offsets) - 1
    queue = np.empty(count, np.int32)
    base = np.empty(len(mates), np.float64)  # the height of the ground that each edge was left from
    entries = np.empty(count, np.int32)
    tail = 0
    for polygon in range(count):
        near[polygon] = 0 if low[polygon] else 1
    for polygon in range(count):
        if low[polygon]:
            continue
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0:
                tail = _enter_low(
                    offsets, heights, mates, owners, i, heights[i], max_step, near, base, entries,
                    queue, tail,
                )  # fmt: skip
    head = 0
    while head < tail:
        polygon = queue[head]
        head += 1
        for i in range(offsets[polygon], offsets[polygon + 1]):
            if mates[i] >= 0:
                tail = _enter_low(
                    offsets, heights, mates, owners, i, base[entries[polygon]], max_step, near,
                    base, entries, queue, tail,
                )  # fmt: skip


@kernel
def _enter_low(
    offsets, heights, mates, owners, edge, ground, max_step, near, base, entries, queue, tail
):
    """Mark the low polygon across an edge if any of it is within a step of the ground."""
    entry = mates[edge]
    polygon = owners[entry]
    if near[polygon]:
        return tail
    lowest, highest = np.inf, -np.inf
    for i in range(offsets[polygon], offsets[polygon + 1]):
        lowest, highest = min(lowest, heights[i]), max(highest, heights[i])
    if lowest > ground + max_step + tol.STEP_SLACK or highest < ground - max_step - tol.STEP_SLACK:
        return tail
    near[polygon] = 1
    base[entry] = ground
    entries[polygon] = entry
    queue[tail] = polygon
    return tail + 1


@kernel(low_ways.GROUND_AND_LOW, low_ways.LIMITS, kt.OUT_BYTES)
def find_passable(ground, limits, passable):
    """Tell which polygons one can walk over.

    Low ones count where standable ground follows both up and down their gradient, and everything
    on the way from one to the other stays within a step: a bevelled kerb does, and a stone that
    lies on the floor; a skirting board does not, since the wall follows it.

    Parameters
    ----------
    ground, limits : GROUND_AND_LOW and LIMITS
        The last limit is the widest slit that polygons may lie in.
    passable : (p,) uint8, output
        IMPASSABLE, PASSABLE or SUNKEN.
    """
    reach, halves = np.empty(5, np.float64), np.empty((2 * low_ways.WAYS, 5), np.float64)
    contacts = np.empty((0, 4), np.float64)
    offsets, corners, _, _, _, low = ground
    max_step, widest, slit = limits
    tree, within = low_ways.no_tree(), (max_step, widest, 0.0)
    for polygon in range(len(offsets) - 1):
        passable[polygon] = PASSABLE
        if not low[polygon]:
            continue
        u, v, h = low_ways.middle_of(corners, offsets[polygon], offsets[polygon + 1])
        passable[polygon] = IMPASSABLE
        if low_ways.is_passable(ground, tree, within, polygon, u, v, h, reach):
            # Whoever walks over a wider ditch does step down into it.
            in_slit = reach[0] < reach[3] - tol.STEP_SLACK and reach[2] <= slit + tol.ASIDE
            passable[polygon] = SUNKEN if in_slit else PASSABLE
        elif low[polygon] == low_ways.RUBBLE and low_ways.is_passable_aside(
            ground, tree, within, polygon, u, v, h, reach, halves, contacts, 1
        ):
            passable[polygon] = PASSABLE


@kernel(low_ways.GROUND_AND_LOW, kt.TREE, low_ways.LIMITS, kt.OUT_BYTES)
def find_misfits(ground, boxes, limits, misfit):
    """Tell which boundary edges of low polygons must not be joined to what is near them.

    A low polygon is no place to rest on the way up. What is within a step of it, but not of the
    ground on its own sides, is the top of a wall whose foot the polygon is.

    Parameters
    ----------
    ground, boxes, limits : tuples
        See :func:`find_passable`; a tree of boxes around the polygons; the last limit is how far
        away edges are that may be joined.
    misfit : (c,) uint8, output
        1 for such an edge.
    """
    reach = np.empty(5, np.float64)
    box = np.empty(6, np.float64)
    offsets, corners, mates, _, planes, low = ground
    max_step, _, gap = limits
    tree = low_ways.make_tree(boxes)
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            misfit[i] = 0
            if mates[i] >= 0 or not low[polygon]:
                continue
            j = next_corner(offsets, polygon, i)
            for k in range(3):
                around = gap if k < 2 else max_step
                box[k] = min(corners[i, k], corners[j, k]) - around
                box[k + 3] = max(corners[i, k], corners[j, k]) + around
            # Most edges have none near them, whatever the ways over their polygons are like.
            reach[0], reach[1], reach[3], reach[4] = -np.inf, np.inf, np.inf, -np.inf
            if not _joins_any_too_much(ground, tree, box, i, j, gap, max_step, reach):
                continue
            u, v, h = _inside(offsets, corners, polygon, i)
            slope = np.sqrt(planes[polygon, 0] ** 2 + planes[polygon, 1] ** 2)
            low_ways.start_at(h, reach)
            for turn in (1.0, -1.0):
                if slope > tol.NO_GRADIENT:
                    du, dv = turn * planes[polygon, 0] / slope, turn * planes[polygon, 1] / slope
                    reach[2] = 0.0
                    low_ways.reach_ground(ground, tree, limits, polygon, u, v, du, dv, reach)
            if _joins_any_too_much(ground, tree, box, i, j, gap, max_step, reach):
                misfit[i] = 1


@borrowing
def _joins_any_too_much(ground, tree, box, i, j, gap, max_step, reach):
    """Tell whether any polygon near edge i joins too much, see :func:`_joins_too_much`."""
    for place in range(gather_items(tree[0], tree[1], box, tree[2], tree[3])):
        if _joins_too_much(ground, tree[3][place], i, j, gap, max_step, reach):
            return True
    return False


@kernel
def _inside(offsets, corners, polygon, edge):
    """Return a place (u, v, h) in a polygon, close to the middle of an edge of it."""
    j = next_corner(offsets, polygon, edge)
    u = 0.5 * (corners[edge, 0] + corners[j, 0])
    v = 0.5 * (corners[edge, 1] + corners[j, 1])
    h = 0.5 * (corners[edge, 2] + corners[j, 2])
    count = offsets[polygon + 1] - offsets[polygon]
    mu, mv, mh = 0.0, 0.0, 0.0
    for i in range(offsets[polygon], offsets[polygon + 1]):
        mu += (corners[i, 0] - u) / count
        mv += (corners[i, 1] - v) / count
        mh += (corners[i, 2] - h) / count
    return u + _INWARDS * mu, v + _INWARDS * mv, h + _INWARDS * mh


@borrowing
def _joins_too_much(ground, polygon, i, j, gap, max_step, reach):
    """Tell whether a boundary edge of a polygon is close to edge i, and too far from its ground.

    `reach` holds the heights on the way over the low polygon of edge i.
    """
    offsets, corners, mates, _, _, _ = ground
    for k in range(offsets[polygon], offsets[polygon + 1]):
        if mates[k] >= 0 or k == i:
            continue
        n = next_corner(offsets, polygon, k)
        # The nearest places of two edges are at an end of one of them.
        for end in range(4):
            if end < 2:
                c, x, y = (i if end == 0 else j), k, n
            else:
                c, x, y = (k if end == 2 else n), i, j
            square, t = to_segment(
                corners[c, 0], corners[c, 1], corners[x, 0], corners[x, 1], corners[y, 0],
                corners[y, 1],
            )  # fmt: skip
            if square > (gap + tol.ASIDE) ** 2:
                continue
            along = corners[x, 2] + t * (corners[y, 2] - corners[x, 2])
            here, there = (corners[c, 2], along) if end < 2 else (along, corners[c, 2])
            spread = max(reach[1], reach[4], there) - min(reach[0], reach[3], there)
            if abs(here - there) <= max_step + tol.STEP_SLACK < spread:
                return True
    return False
