"""How wide and steep the triangles of bridges are; and those that are too steep made level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Indices


def plan_widths(corners: Floats) -> Floats:
    """(t,) float64: how wide triangles (t, 3, 3) are across their longest side, in plan. [m]."""
    sides = np.roll(corners[..., :2], -1, axis=1) - corners[..., :2]
    twice = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    longest = np.hypot(sides[..., 0], sides[..., 1]).max(axis=1)
    return np.asarray(twice / np.maximum(longest, np.finfo(np.float64).tiny))


def slopes(corners: Floats) -> Floats:
    """(t,) float64: the tangent of the slope of triangles (t, 3, 3); inf without area in plan."""
    normal = area_vectors(corners)
    run = np.maximum(normal[:, 2], np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        return np.asarray(np.hypot(normal[:, 0], normal[:, 1]) / run)


def rises(corners: Floats, at_rim: Bools) -> tuple[Floats, Indices]:
    """Return how far triangles rise from one side to the corner across; and which side that is.

    It is the first side at the rim. A triangle without one rises from its lowest corner to its
    highest, and its side is -1.
    """
    rows = np.arange(len(corners))
    side = np.where(at_rim.any(axis=1), at_rim.argmax(axis=1), -1)
    a, b, c = (corners[rows, (side + k) % 3] for k in range(3))
    way = b[:, :2] - a[:, :2]
    share = ((c - a)[:, :2] * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-300)
    rise = c[:, 2] - a[:, 2] - share * (b - a)[:, 2]
    whole = corners[:, :, 2].max(axis=1) - corners[:, :, 2].min(axis=1)
    return np.where(side >= 0, rise, whole), side


def levelled(corners: Floats, at_rim: Bools, steepest: float) -> Floats:
    """Return triangles (t, 3, 3) of which those that are too steep were made level.

    Each is level with its side at the rim or the corner across from that, whichever is higher.

    Parameters
    ----------
    at_rim : (t, 3) bool
        Sides that run along the rim.
    steepest : float
        The tangent of the steepest slope that stays.
    """
    steep = np.flatnonzero(slopes(corners) > steepest)
    laid = corners.copy()
    rise, side = rises(corners[steep], at_rim[steep])
    a, b, c = ((side + k) % 3 for k in range(3))
    free = side < 0
    laid[steep[free], :, 2] = corners[steep[free], :, 2].max(axis=1, keepdims=True)
    # Either the side at the rim is lower and comes up, or the corner across from it does.
    up = ~free & (rise > 0.0)
    laid[steep[up], a[up], 2] += rise[up]
    laid[steep[up], b[up], 2] += rise[up]
    down = ~free & (rise < 0.0)
    laid[steep[down], c[down], 2] -= rise[down]
    return laid
