"""Curves as lines: ellipses and Bézier curves, to a tolerance."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.io.drawing import check_coordinates

if TYPE_CHECKING:
    from walkmesh.arrays import Floats

# How far a line may be from its curve: a millimetre, or less than can be told apart in a drawing
# of that size. The second also bounds the number of points, to 2300 for a circle.
TOLERANCE = 1e-3  # [Unit: m]
RELATIVE_TOLERANCE = 1e-6

_FEWEST_PIECES = 8  # of a full turn
# Curves may reach farther than drawings: an arc's centre does. Squares must be finite. [Unit: m]
_SQUARABLE = 1e150


def ellipse_points(
    centre: Floats, first_axis: Floats, second_axis: Floats, start: float, sweep: float
) -> Floats:
    """Return (n, 2) points of ``centre + cos(t) first_axis + sin(t) second_axis``, with both ends.

    The axes are conjugate half axes, equally long and at a right angle for a circle, in metres; t
    goes from `start` on by `sweep`, in radians.
    """
    axes = np.array([first_axis, second_axis], dtype=np.float64)
    check_coordinates(axes, _SQUARABLE)
    radius = float(np.linalg.norm(axes, 2))
    if radius == 0.0:
        return np.array([centre, centre], dtype=np.float64)
    ratio = min(max(TOLERANCE / radius, RELATIVE_TOLERANCE * min(abs(sweep), 1.0)), 1.0)
    most = min(2.0 * math.acos(1.0 - ratio), 2.0 * math.pi / _FEWEST_PIECES)
    pieces = max(math.ceil(abs(sweep) / most - 1e-9), 1)
    if abs(sweep) == 2.0 * math.pi:  # whose extremes are then among the points
        pieces = math.ceil(pieces / 4) * 4
    t = start + sweep * np.linspace(0.0, 1.0, pieces + 1)
    points: Floats = np.asarray(centre) + np.column_stack([np.cos(t), np.sin(t)]) @ axes
    return points


def bezier_points(control: Floats) -> Floats:
    """Return points of a Bézier curve of (3, 2) or (4, 2) control points, with both ends."""
    tolerance = tolerance_of(control)
    degree = len(control) - 1
    bends = np.diff(control, 2, axis=0)
    # Wang's formula: how many equal steps of the parameter keep the distance to the chords.
    bend = float(np.linalg.norm(bends, axis=1).max())
    pieces = max(math.ceil(math.sqrt(degree * (degree - 1) / 8.0 * bend / tolerance)), 2)
    t = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    points = [*control]
    for _ in range(degree):  # de Casteljau, for all t at once
        points = [(1.0 - t) * a + t * b for a, b in pairwise(points)]
    curve: Floats = points[0]
    curve[0], curve[-1] = control[0], control[-1]
    return curve


def bulge_points(start: Floats, end: Floats, bulge: float) -> Floats:
    """Return points of an arc, with both ends.

    Its bulge is the tangent of a quarter of its angle, positive if it turns counter-clockwise, as
    DXF has it.
    """
    chord = end - start
    check_coordinates(np.append(chord, bulge), _SQUARABLE)
    if abs(bulge) < RELATIVE_TOLERANCE or not chord.any():
        return np.array([start, end])
    across = np.array([-chord[1], chord[0]])
    centre = (start + end) / 2.0 + across * ((1.0 / bulge - bulge) / 4.0)
    to_start = start - centre
    points = ellipse_points(
        centre, to_start, np.array([-to_start[1], to_start[0]]), 0.0, 4.0 * math.atan(bulge)
    )
    points[0], points[-1] = start, end
    return points


def tolerance_of(control: Floats) -> float:
    """Return how far lines may be from a curve with these (n, 2) control points. In metres."""
    check_coordinates(control, _SQUARABLE)
    size = float(np.ptp(control, axis=0).max()) if len(control) else 0.0
    return max(TOLERANCE, RELATIVE_TOLERANCE * size)
