"""Triangles of simple shapes in the plan frame, collected into one scene.

Two shapes are enough to build a house: a *sheet* is a horizontal polygon that faces up, and a
*prism* is a polygon drawn out along an axis, such as a wall's elevation across its thickness or
the side view of a staircase across its width. Faces run counter-clockwise seen from their front,
which is the outside of a prism.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import shapely

from walkmesh.arguments import read_number
from walkmesh.errors import SettingsError
from walkmesh.frame import Frame, up_vector
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from walkmesh.arrays import Floats

# Coordinates are rounded to a tenth of a millimetre, so that points that are meant to be equal are
# equal to the last bit, however they were computed.
DECIMALS = 4


class Soup:
    """Triangles that are still being collected; each shape brings its own vertices."""

    def __init__(self) -> None:
        self._triangles: list[Floats] = []

    def sheet(self, polygon: shapely.Polygon | shapely.MultiPolygon, height: float) -> None:
        """Add a horizontal polygon in (u, v) that faces up; its triangles use just its vertices."""
        self._triangles.append(_at(_triangulate(polygon), height))

    def prism(
        self,
        polygon: shapely.Polygon,
        low: float,
        high: float,
        along: Literal["u", "v", "h"] = "h",
        *,
        top: bool = True,
    ) -> None:
        """Add the closed solid that a polygon sweeps from `low` to `high` along an axis.

        It is in (u, v) when drawn out along h, in (v, h) along u, in (u, h) along v. The end at
        `high` is left open without a `top`.
        """
        flat = _triangulate(polygon)
        pieces = [_at(flat[:, ::-1], low), _sides(polygon, low, high)]
        if top:
            pieces.append(_at(flat, high))
        triangles = np.concatenate(pieces)
        if along == "u":
            triangles = triangles[:, :, [2, 0, 1]]
        elif along == "v":
            # Swapping two axes turns every face inside out, so turn them back.
            triangles = triangles[:, ::-1, [0, 2, 1]]
        self._triangles.append(triangles)

    def box(self, low: Sequence[float], high: Sequence[float]) -> None:
        """Add a closed box between two opposite corners (u, v, h)."""
        self.prism(shapely.box(low[0], low[1], high[0], high[1]), low[2], high[2])

    def curtain(self, line: Sequence[Sequence[float]] | Floats, low: float, high: float) -> None:
        """Add upright faces without thickness along an (n, 2) line in (u, v), facing its right."""
        self._triangles.append(_upright(np.asarray(line, dtype=np.float64), low, high))

    def add(self, triangles: Floats) -> None:
        """Add any (t, 3, 3) triangles of points (u, v, h)."""
        self._triangles.append(np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3))

    def turn(self, degrees: float) -> None:
        """Turn everything added so far about the upright axis through the origin.

        Positive angles turn u towards v. Rounding then moves points by up to 0.07 mm, all points
        at one place alike.
        """
        turned = turn_plan(self.triangles().reshape(-1, 3), degrees)
        self._triangles = [turned.reshape(-1, 3, 3)]

    def triangles(self) -> Floats:
        """Return all (t, 3, 3) triangles added so far, not rounded yet."""
        return np.concatenate(self._triangles)

    def scene(self, up: str | Sequence[float]) -> Scene:
        """Return all triangles as a scene with the given up direction."""
        points = np.round(self.triangles().reshape(-1, 3), DECIMALS)
        faces = np.arange(len(points)).reshape(-1, 3)
        return Scene(Frame(up_vector(up)).to_world(points), faces, up)


def turn_plan(points: Floats, degrees: float) -> Floats:
    """Return (n, 3) points (u, v, h) turned about the upright axis through the origin."""
    degrees = read_number("angle", degrees, unit="degrees", minimum=-360.0, maximum=360.0)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    u, v, h = points.T
    return np.column_stack([cosine * u - sine * v, sine * u + cosine * v, h])


def _triangulate(polygon: shapely.Polygon | shapely.MultiPolygon) -> Floats:
    """Return (t, 3, 2) float64 triangles, counter-clockwise, that share edges exactly."""
    try:
        with np.errstate(over="raise"):
            parts = shapely.constrained_delaunay_triangles(polygon)
    except (shapely.errors.ShapelyError, FloatingPointError):
        raise SettingsError("the lengths of the sample differ by too much to be drawn") from None
    # Every ring is closed, so the fourth point of each triangle repeats the first.
    rings = shapely.get_coordinates(parts)
    triangles: Floats = rings.reshape(-1, 4, 2)[:, :3].copy()
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    ab, ac = b - a, c - a
    clockwise = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0] < 0.0
    triangles[clockwise] = triangles[clockwise, ::-1]
    return triangles


def _at(flat: Floats, height: float) -> Floats:
    """Return (t, 3, 2) triangles as (t, 3, 3) at one height."""
    return np.concatenate([flat, np.full((*flat.shape[:2], 1), height)], axis=2)


def _sides(polygon: shapely.Polygon, low: float, high: float) -> Floats:
    """Return the (t, 3, 3) triangles of the upright faces below a polygon's rings."""
    # With the interior to the left of every ring, outlines and holes are treated alike.
    oriented = shapely.orient_polygons(polygon)
    rings = (oriented.exterior, *oriented.interiors)
    return np.concatenate([_upright(shapely.get_coordinates(ring), low, high) for ring in rings])


def _upright(line: Floats, low: float, high: float) -> Floats:
    """Return the (t, 3, 3) triangles of the upright faces along an (n, 2) line, front right."""
    bottom = np.column_stack([line, np.full(len(line), low)])
    top = np.column_stack([line, np.full(len(line), high)])
    corners = np.stack([bottom[:-1], bottom[1:], top[1:], top[:-1]], axis=1)
    return np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
