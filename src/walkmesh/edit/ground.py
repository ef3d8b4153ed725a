"""The ground inside polygons while they are cut: points that grow, and triangles on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.edit.tolerances import NARROWEST, TRIANGLE_ON_CUT
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids


class PointStore:
    """Points in the plan frame, to which more can be added."""

    def __init__(self, points: Floats) -> None:
        self._room = points.copy()
        self.count = len(points)

    @property
    def points(self) -> Floats:
        """(n, 3) float64: all points so far."""
        return self._room[: self.count]

    def add(self, points: Floats) -> Ids:
        """Add (k, 3) points and return their ids."""
        first, self.count = self.count, self.count + len(points)
        if self.count > len(self._room):
            # Twice the room, so that adding takes no more time the more there are.
            more = np.empty((self.count + len(self._room), 3), dtype=np.float64)
            more[:first] = self._room[:first]
            self._room = more
        self._room[first : self.count] = points
        return np.arange(first, self.count, dtype=np.int32)


def height_at(points: Floats, triangles: Ids, u: float, v: float) -> float | None:
    """Return the height of the (t, 3) triangles at a place in them; None if there are none."""
    a, b, c = (points[triangles[:, k]] - (u, v, 0.0) for k in range(3))
    at_a, at_b, at_c = plan_cross(b, c), plan_cross(c, a), plan_cross(a, b)
    whole = at_a + at_b + at_c
    solid = whole > 0.0
    if not solid.any():
        return None
    # The triangle that the place lies in, or that it reaches out of least.
    inside = np.full(len(triangles), -np.inf)
    np.divide(np.minimum(np.minimum(at_a, at_b), at_c), whole, out=inside, where=solid)
    t = int(inside.argmax())
    rise = at_b[t] * (b[t, 2] - a[t, 2]) + at_c[t] * (c[t, 2] - a[t, 2])
    return float(a[t, 2] + rise / whole[t])


def split_triangles(places: PointStore, triangles: Ids, start: int, end: int) -> tuple[Ids, Ids]:
    """Cut (t, 3) triangles along the line through two points.

    Where the line crosses their sides, points are added to `places`. Returns what lies to the left
    and to the right of the line from `start` to `end`, (l, 3) and (r, 3).
    """
    way = places.points[end, :2] - places.points[start, :2]
    off = plan_cross(way / np.hypot(*way), places.points[triangles, :2] - places.points[start, :2])
    off[np.abs(off) <= TRIANGLE_ON_CUT] = 0.0
    lowest, highest = off.min(axis=1, initial=0.0), off.max(axis=1, initial=0.0)
    crossed = (lowest < 0.0) & (highest > 0.0)
    parts = [triangles[~crossed]]
    is_left = [highest[~crossed] > 0.0]
    # The corner that the cut goes through, or else the one that is alone on its side, comes first.
    positive = (off[crossed] > 0.0).sum(axis=1)
    has_zero = (off[crossed] == 0.0).any(axis=1)
    alone = np.where(
        has_zero[:, None],
        off[crossed] == 0.0,
        (off[crossed] > 0.0) == (positive == 1)[:, None],
    ).argmax(axis=1)
    turned = (alone[:, None] + np.arange(3)) % 3
    rows = np.arange(len(turned))[:, None]
    ids, off = triangles[crossed][rows, turned], off[crossed][rows, turned]

    # Through a corner: two triangles.
    (p, q, r), (_, off_q, off_r) = ids[has_zero].T, off[has_zero].T
    m = _crossing(places, q, r, off_q, off_r)
    parts += [np.column_stack([p, q, m]), np.column_stack([p, m, r])]
    is_left += [off_q > 0.0, off_r > 0.0]
    # Past a corner: a triangle, and two of the rest.
    (p, q, r), (off_p, off_q, off_r) = ids[~has_zero].T, off[~has_zero].T
    m, n = _crossing(places, p, q, off_p, off_q), _crossing(places, p, r, off_p, off_r)
    parts += [np.column_stack(part) for part in ([p, m, n], [m, q, r], [m, r, n])]
    is_left += [off_p > 0.0, off_p < 0.0, off_p < 0.0]

    every, left = np.concatenate(parts), np.concatenate(is_left)
    wide = _width(places.points, every) >= NARROWEST
    wide[: len(parts[0])] = True  # what was there before stays
    return every[wide & left], every[wide & ~left]


def _crossing(
    places: PointStore, starts: Ids, ends: Ids, off_starts: Floats, off_ends: Floats
) -> Ids:
    """Add the points where sides cross the cut, from their ends' distances to it."""
    share = (off_starts / (off_starts - off_ends))[:, None]
    points = places.points
    return places.add(points[starts] + share * (points[ends] - points[starts]))


def _width(points: Floats, triangles: Ids) -> Floats:
    """(t,) float64: the plan area of triangles over half of their outline."""
    a, b, c = (points[triangles[:, k], :2] for k in range(3))
    outline = sum(np.hypot(*(q - p).T) for p, q in ((a, b), (b, c), (c, a)))
    twice = plan_cross(b - a, c - a)
    return np.asarray(np.divide(twice, outline, out=np.zeros_like(twice), where=outline > 0.0))
