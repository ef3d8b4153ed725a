"""The ground inside polygons as seen from above: triangles, overlaps, rises and ends of links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.kernels.meshes.rises import measure_rises
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.overlaps import close_polygons, overlapping_pairs
from walkmesh.polygon_shapes import Shapes, finite_points, finite_vertices, subset
from walkmesh.ragged import following_corners
from walkmesh.tolerances import (
    AREA_SHARE,
    LINK_SLACK,
    NO_WIDTH,
    RISE_SLACK,
    STRAIGHT,
    TOUCHING,
    headroom,
    steepest_ramp,
)
from walkmesh.topology import corner_polygons, detail_of
from walkmesh.triangles import match_triangles, plan_cross
from walkmesh.validate.kernels.reach import measure_reach
from walkmesh.validate.shapes import bad_shapes, polygon_at, without
from walkmesh.validate.t_junctions import t_junctions
from walkmesh.validate.violation import Violation, overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class GroundPolygons:
    """The polygons of a navmesh as seen from above.

    Attributes
    ----------
    navmesh : NavMesh
    usable : (p,) bool
        Which polygons have all their corners at finite places.
    points : (n, 3) float64
        The vertices in the plan frame. [Unit: m]
    triangles, owners : (t, 3) and (t,) int32
        Those of sound polygons that have nothing wrong with them.
    wrong : list of Violation
        Of shapes and triangles.
    """

    navmesh: NavMesh
    usable: NDArray[np.bool_]
    points: Floats
    triangles: Ids
    owners: Ids
    wrong: list[Violation]

    @classmethod
    def of(cls, navmesh: NavMesh, usable: NDArray[np.bool_]) -> GroundPolygons:
        """Look at the polygons of a navmesh."""
        points = navmesh.frame.to_plan(finite_points(navmesh))
        offsets, corners, places = subset(navmesh, usable)
        shapes = Shapes.of(offsets, points[corners, :2])
        misshapen = list(bad_shapes(navmesh, usable, shapes, places))
        sound = without(usable, misshapen)
        triangles, owners, wrong = _triangles(navmesh, sound, points)
        return cls(navmesh, usable, points, triangles, owners, misshapen + wrong)

    def t_junctions(self, mates: Ids) -> Iterator[Violation]:
        """Find vertices inside edges at the same height."""
        return t_junctions(self.navmesh, self.usable, mates, self.points)

    def overlaps(self) -> Iterator[Violation]:
        """Find polygons over each other, among those that have triangles."""
        if len(self.triangles) == 0:
            return
        navmesh, points, height = self.navmesh, self.points, headroom(self.navmesh.agent)
        corners = np.where(self.usable[corner_polygons(navmesh)], navmesh.polygon_vertices, 0)
        close = close_polygons(
            points,
            navmesh.polygon_offsets,
            corners.astype(np.int32),
            self.triangles,
            self.owners,
            height,
            TOUCHING,
        )
        if len(close) == 0:
            return
        near = np.isin(self.owners, close)
        pairs = overlapping_pairs(points, self.triangles[near], self.owners[near], height, TOUCHING)
        for lower, higher in np.unique(pairs, axis=0):
            # Triangles may reach out of their polygons by a little, and then over each other.
            if detail_of(navmesh) is None or _share_ground(navmesh, points, lower, higher):
                yield overlap(navmesh, lower, higher)

    def rises(self) -> Iterator[Violation]:
        """Find polygons whose ground rises by more than a step where it is too steep to walk up."""
        if len(self.triangles) == 0:
            return
        agent, triangles = self.navmesh.agent, np.ascontiguousarray(self.triangles, dtype=np.int32)
        rises = np.empty(len(triangles), dtype=np.float64)
        mates = match_triangles(triangles)
        measure_rises(self.points, triangles, mates, steepest_ramp(agent), 0, rises)
        highest = np.zeros(self.navmesh.polygon_count)
        np.maximum.at(highest, self.owners, rises)
        for polygon in np.flatnonzero(highest > agent.max_step + RISE_SLACK):
            yield Violation(
                "rise",
                f"polygon {polygon} rises by {highest[polygon]:.3g} m where it is steeper than any "
                f"stairs; the agent's highest step is {agent.max_step:g} m",
                int(polygon),
            )

    def off_ground(self, place: Floats, polygon: int) -> str | None:
        """Tell how far a place in world coordinates is off a polygon; None if it is on it."""
        first, last = np.searchsorted(self.owners, [polygon, polygon + 1])
        here = self.navmesh.frame.to_plan(place[None])[0]
        away = _off_ground(self.points[self.triangles[first:last]], here)
        if away[0] > LINK_SLACK:
            return f"{away[0]:.3g} m outside of"
        if away[1] > self.navmesh.agent.max_step + TOUCHING:
            return f"{away[1]:.3g} m above or below"
        return None


def _triangles(
    navmesh: NavMesh, sound: NDArray[np.bool_], points: Floats
) -> tuple[Ids, Ids, list[Violation]]:
    """Find triangles that do not make the ground of their polygons.

    Returns those of sound polygons that have nothing wrong with them, (t, 3), the polygons that
    they belong to, and what is wrong with the others.
    """
    detail = detail_of(navmesh)
    if detail is None:
        offsets, corners, _ = subset(navmesh, sound)
        cut = np.empty((len(corners) - 2 * (len(offsets) - 1), 3), dtype=np.int32)
        triangulate_convex(points, offsets, corners, cut)
        polygons = np.flatnonzero(sound).astype(np.int32)
        return cut, np.repeat(polygons, np.diff(offsets) - 2), []
    triangles, owners = detail
    count = len(navmesh.vertices)
    wrong: list[Violation] = []
    inside = (triangles >= 0) & (triangles < count)
    for t, k in np.argwhere(~inside):
        wrong.append(_at_triangle(navmesh, t, f"has vertex {triangles[t, k]}; there are {count}"))
    owned = (owners >= 0) & (owners < navmesh.polygon_count)
    for t in np.flatnonzero(~owned):
        rest = f"belongs to polygon {owners[t]}; there are {navmesh.polygon_count}"
        wrong.append(Violation("triangle", f"triangle {t} {rest}"))
    usable = inside.all(axis=1) & owned
    usable[usable] = finite_vertices(navmesh)[triangles[usable]].all(axis=1)
    # A polygon with a triangle that has no place cannot add up.
    complete = sound.copy()
    complete[owners[owned & ~usable]] = False

    chosen = np.flatnonzero(usable)
    a, b, c = (points[triangles[chosen, k], :2] for k in range(3))
    area = plan_cross(b - a, c - a) / 2.0
    outline = sum(np.hypot(*(end - start).T) for start, end in ((a, b), (b, c), (c, a)))
    width = np.divide(area, outline / 2.0, out=np.zeros_like(area), where=outline > 0.0)
    for place in np.flatnonzero(width < NO_WIDTH):
        if width[place] <= -NO_WIDTH:
            rest = "is clockwise seen from above"
        else:
            rest = f"has an area of {abs(area[place]):.3g} m2 seen from above"
        wrong.append(_at_triangle(navmesh, chosen[place], rest))
    complete[owners[chosen[width < NO_WIDTH]]] = False

    fine = (width >= NO_WIDTH) & sound[owners[chosen]]
    chosen, area = chosen[fine], area[fine]
    reach = np.empty(len(chosen), dtype=np.float64)
    measure_reach(
        points,
        triangles[chosen],
        owners[chosen],
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        reach,
    )
    for place in np.flatnonzero(reach > STRAIGHT):
        rest = f"reaches {reach[place]:.3g} m out of it"
        wrong.append(_at_triangle(navmesh, chosen[place], rest))
    complete[owners[chosen[reach > STRAIGHT]]] = False
    sums = np.zeros(navmesh.polygon_count)
    np.add.at(sums, owners[chosen], area)
    wrong += _sums(navmesh, points, sums, complete)
    chosen = chosen[reach <= STRAIGHT]
    return triangles[chosen], owners[chosen], wrong


def _at_triangle(navmesh: NavMesh, triangle: Any, rest: str) -> Violation:
    """Return a violation of a triangle, which belongs to a polygon if that exists."""
    detail = detail_of(navmesh)
    assert detail is not None
    polygon = int(detail[1][triangle])
    exists = 0 <= polygon < navmesh.polygon_count
    return Violation(
        "triangle",
        f"triangle {triangle} of polygon {polygon} {rest}",
        polygon if exists else None,
    )


def _sums(
    navmesh: NavMesh, points: Floats, sums: NDArray[np.float64], complete: NDArray[np.bool_]
) -> Iterator[Violation]:
    """Find polygons to whose plan area the (p,) sums of their triangles do not add up."""
    offsets, corners, _ = subset(navmesh, complete)
    if len(corners) == 0:
        return
    here = points[corners, :2]
    local = here - np.repeat(here[offsets[:-1]], np.diff(offsets), axis=0)
    following = following_corners(offsets)
    area = np.add.reduceat(plan_cross(local, local[following]), offsets[:-1]) / 2.0
    outline = np.add.reduceat(np.hypot(*(local[following] - local).T), offsets[:-1])
    allowed = AREA_SHARE * area + STRAIGHT * outline
    polygons = np.flatnonzero(complete)
    for p in np.flatnonzero(np.abs(sums[polygons] - area) > allowed):
        polygon = int(polygons[p])
        yield Violation(
            "triangle",
            f"the triangles of polygon {polygon} cover {sums[polygon]:.6g} m2 of its "
            f"{area[p]:.6g} m2 seen from above",
            polygon,
        )


def _share_ground(navmesh: NavMesh, points: Floats, *polygons: int) -> bool:
    """Tell whether two polygons lie over each other in plan."""
    import shapely

    shapes = [
        shapely.make_valid(
            shapely.Polygon(points[polygon_at(navmesh, navmesh.polygon_offsets[p]), :2])
        )
        for p in polygons
    ]
    shared = shapely.intersection(*shapes)
    return bool(shared.area > TOUCHING * shared.length / 2.0)


def _off_ground(corners: Floats, place: Floats) -> tuple[float, float]:
    """Return how far a place is from some triangles (t, 3, 3) in plan, and there in height.

    Both are 0 where there are no triangles, of which other violations tell.
    """
    if len(corners) == 0:
        return 0.0, 0.0
    local = corners - place
    following = np.roll(local, -1, axis=1)
    across = plan_cross(local, following)
    whole = across.sum(axis=1)
    inside = (across >= 0.0).all(axis=1) & (whole > 0.0)
    if inside.any():
        # Opposite to the edge from each corner to the next is the third one.
        opposite = np.roll(local[inside, :, 2], 1, axis=1)
        heights = (across[inside] * opposite).sum(axis=1) / whole[inside]
        return 0.0, float(np.abs(heights).min())
    edges = following - local
    square = (edges[..., :2] ** 2).sum(axis=2)
    along = -(local[..., :2] * edges[..., :2]).sum(axis=2)
    share = np.divide(along, square, out=np.zeros_like(along), where=square > 0.0)
    nearest = local + np.clip(share, 0.0, 1.0)[..., None] * edges
    distances = np.hypot(nearest[..., 0], nearest[..., 1])
    t, k = np.unravel_index(distances.argmin(), distances.shape)
    return float(distances[t, k]), float(abs(nearest[t, k, 2]))
