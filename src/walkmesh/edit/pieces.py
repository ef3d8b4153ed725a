"""Polygons under the knife: pieces that know who lies across each of their edges.

A cut goes straight through a convex piece, along the line of a segment that enters it, so that both
halves are convex again::

        +-------m-------+        m, n: where the line crosses the outline of the piece, new corners
        |      /        |        of the two halves and of the pieces across those edges
        |     * end     |
        |    /          |        the segment ends inside: beyond its end the cut goes on, because
        +---n-----------+        a half with a slit in it would not be convex

Where a corner lies close to the line the cut goes through the corner instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from walkmesh.edit.ground import PointStore, height_at, split_triangles
from walkmesh.edit.tolerances import ON_CUT
from walkmesh.tolerances import STRAIGHT
from walkmesh.topology import plan_points
from walkmesh.triangles import plan_cross

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh

Item = TypeVar("Item")


class CutPieces:
    """Some polygons of a navmesh, whole at first, and their ground.

    Parameters
    ----------
    navmesh : NavMesh
        Where the polygons are from.
    polygons : (k,) int
        Those that will be cut, and all that lie across their edges.

    Attributes
    ----------
    places : PointStore
        The navmesh's vertices in the plan frame, and the new ones.
    rings : list of list of int
        The corners of each piece.
    grounds : list of (t, 3) int32
        The triangles of each piece.
    origins : list of int
        The polygon that each piece is a part of.
    """

    def __init__(self, navmesh: NavMesh, polygons: NDArray[np.integer]) -> None:
        self.places = PointStore(plan_points(navmesh))
        self.rings: list[list[int]] = []
        self.grounds: list[Ids] = []
        self.origins: list[int] = []
        self._owners: dict[tuple[int, int], int] = {}
        for polygon in polygons:
            start, stop = navmesh.polygon_offsets[polygon : polygon + 2]
            first, last = navmesh.triangle_offsets[polygon : polygon + 2]
            ring = navmesh.polygon_vertices[start:stop].tolist()
            self._add(ring, navmesh.triangles[first:last], int(polygon))

    def _add(self, ring: list[int], ground: Ids, origin: int) -> int:
        self.rings.append(ring)
        self.grounds.append(ground)
        self.origins.append(origin)
        piece = len(self.rings) - 1
        self._own(piece)
        return piece

    def _own(self, piece: int) -> None:
        ring = self.rings[piece]
        for edge in zip(ring, ring[1:] + ring[:1], strict=True):
            self._owners[edge] = piece

    def cut(self, piece: int, starts: Floats, ends: Floats) -> None:
        """Cut a piece along all the (m, 2) segments that enter it, in plan."""
        waiting = [(piece, np.arange(len(starts)))]
        while waiting:
            piece, segments = waiting.pop()
            corners = self.places.points[self.rings[piece], :2]
            enters, through = _entering(corners, starts[segments], ends[segments])
            segments, through = segments[enters], through[enters]
            if len(segments) == 0:
                continue
            # One that goes all the way through first: beyond its ends it cuts nothing.
            chosen = int(through.argmax())
            half = self._halve(piece, starts[segments[chosen]], ends[segments[chosen]])
            segments = np.delete(segments, chosen)
            waiting.append((piece, segments))
            if half is not None:
                waiting.append((half, segments))

    def _halve(self, piece: int, start: Floats, end: Floats) -> int | None:
        """Cut a piece along a line: it becomes the right half; return the left one.

        None, and no cut, if a half would be too narrow.
        """
        ring = self.rings[piece]
        corners = self.places.points[ring, :2]
        way = (end - start) / np.hypot(*(end - start))
        off = plan_cross(way, corners - start)
        turns = _turns(off)
        if turns is None:
            return None
        # From the right to the left half, and back; later places first, so that the earlier hold.
        outline = list(corners)
        for i, new in sorted(turns, reverse=True):
            if new:
                outline.insert(i + 1, _between(corners, off, i))
        into, back = (i + new + sum(other for j, other in turns if j < i) for i, new in turns)
        if min(_width(_run(outline, into, back)), _width(_run(outline, back, into))) < ON_CUT:
            return None
        for i, new in sorted(turns, reverse=True):
            if new:
                self._insert(piece, i, _between(corners, off, i))
        left, right = _run(ring, into, back), _run(ring, back, into)
        grounds = split_triangles(self.places, self.grounds[piece], ring[back], ring[into])
        self.rings[piece] = right
        self.grounds[piece] = grounds[1]
        self._own(piece)
        return self._add(left, grounds[0], self.origins[piece])

    def _insert(self, piece: int, i: int, place: Floats) -> None:
        """Make a new vertex on the edge from corner i a corner of the pieces on both sides."""
        ring = self.rings[piece]
        a, b = ring[i], ring[(i + 1) % len(ring)]
        twin = self._owners.get((b, a))
        height = None
        if twin is not None and self.origins[twin] == self.origins[piece]:
            height = height_at(self.places.points, self.grounds[piece], place[0], place[1])
        if height is None:
            # On an edge of the polygon it has the edge's height, which both sides agree on.
            start, end = self.places.points[[a, b]]
            share = np.hypot(*(place - start[:2])) / np.hypot(*(end - start)[:2])
            height = start[2] + share * (end[2] - start[2])
        vertex = int(self.places.add(np.array([[*place, height]]))[0])
        self._put_between(piece, a, b, vertex)
        if twin is not None:
            self._put_between(twin, b, a, vertex)

    def _put_between(self, piece: int, a: int, b: int, vertex: int) -> None:
        ring = self.rings[piece]
        i = next(i for i in range(len(ring)) if ring[i] == a and ring[(i + 1) % len(ring)] == b)
        ring.insert(i + 1, vertex)
        self._owners.pop((a, b), None)
        self._owners[a, vertex] = self._owners[vertex, b] = piece


def _entering(
    corners: Floats, starts: Floats, ends: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which segments enter a convex polygon by more than `ON_CUT`, and which go through it.

    The polygon has (k, 2) corners. One of the (m, 2) segments goes through if all of its line that
    is in the polygon is in the segment.
    """
    length = np.hypot(*(ends - starts).T)
    way = (ends - starts) / length[:, None]
    to_corners = corners - starts[:, None]
    off = plan_cross(way[:, None], to_corners)
    along = (way[:, None] * to_corners).sum(axis=2)
    next_off, next_along = np.roll(off, -1, axis=1), np.roll(along, -1, axis=1)
    crossed = (off > 0.0) != (next_off > 0.0)
    share = np.divide(off, off - next_off, out=np.zeros_like(off), where=crossed)
    at = along + share * (next_along - along)
    first = np.where(crossed, at, np.inf).min(axis=1)
    last = np.where(crossed, at, -np.inf).max(axis=1)
    begin, finish = np.maximum(first, 0.0), np.minimum(last, length)
    enters = (off.max(axis=1) > ON_CUT) & (off.min(axis=1) < -ON_CUT) & (finish > begin)
    # The deepest place of a straight way through a convex polygon is at most twice as deep as the
    # middle of the way.
    half_way = (begin[enters] + finish[enters]) / 2.0
    middle = starts[enters] + way[enters] * half_way[:, None]
    enters[enters] = _depth(corners, middle) > ON_CUT
    return enters, (begin <= first + ON_CUT) & (finish >= last - ON_CUT)


def _depth(corners: Floats, places: Floats) -> Floats:
    """(m,) float64: how far places are from the outline of a polygon (k, 2)."""
    edges = np.roll(corners, -1, axis=0) - corners
    square = (edges * edges).sum(axis=1)
    to_places = places[:, None] - corners
    along = (to_places * edges).sum(axis=2)
    share = np.divide(along, square, out=np.zeros_like(along), where=square > 0.0)
    off = to_places - np.clip(share, 0.0, 1.0)[..., None] * edges
    return np.asarray(np.hypot(off[..., 0], off[..., 1]).min(axis=1))


def _turns(off: Floats) -> list[tuple[int, bool]] | None:
    """Find where a line enters its left side of a convex polygon, and where it leaves that again.

    Each corner is `off`, (k,) metres, to the left of the line. A place is a corner that the line
    goes through, and False; or a corner whose edge it crosses, and True. None if the line does not
    part the polygon in two.
    """
    # A side that counts as straight may cross a line several times that runs along it.
    for close in (ON_CUT, 2.0 * STRAIGHT):
        clear = np.flatnonzero(np.abs(off) > close)
        left = off[clear] > 0.0
        turning = np.flatnonzero(left != np.roll(left, -1))
        if len(turning) == 2:
            break
    else:
        return None
    turns = []
    # From right to left is the first of the two.
    for k in turning if not left[turning[0]] else turning[::-1]:
        before, after = clear[k], clear[(k + 1) % len(clear)]
        on_line = np.arange(before + 1, after + (len(off) if after <= before else 0)) % len(off)
        if len(on_line):
            turns.append((int(on_line[np.abs(off[on_line]).argmin()]), False))
        else:
            turns.append((int(before), True))
    return turns


def _between(corners: Floats, off: Floats, i: int) -> Floats:
    """Return where the edge from corner i crosses the line that its ends are `off` from."""
    j = (i + 1) % len(corners)
    return np.asarray(corners[i] + off[i] / (off[i] - off[j]) * (corners[j] - corners[i]))


def _run(ring: list[Item], first: int, last: int) -> list[Item]:
    """Return the part of a ring from one place around to another, both included."""
    return ring[first : last + 1] if first <= last else ring[first:] + ring[: last + 1]


def _width(outline: list[Floats]) -> float:
    """Return the area of a polygon over half its outline."""
    corners = np.array(outline)
    local = corners - corners[0]
    following = np.roll(local, -1, axis=0)
    return float(plan_cross(local, following).sum() / np.hypot(*(following - local).T).sum())
