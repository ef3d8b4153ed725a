"""Validation: everything that can be wrong with a navmesh, found and named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.kernels.adjacency import COMPLEX, label_components, match_edges
from walkmesh.kernels.overlap import find_t_junctions
from walkmesh.kernels.reach import measure_reach
from walkmesh.kernels.triangulate import triangulate_convex
from walkmesh.overlaps import overlapping_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh

# How far a polygon may fall short of its convex hull and still count as convex: more than the
# rounding of coordinates in files bends straight sides, far less than matters to anyone.
STRAIGHT = 1e-5  # m
# How much the plan areas of a polygon's triangles may differ from its own, besides what a strip of
# the width `STRAIGHT` along its outline has.
AREA_SHARE = 1e-6
# Closer than this, a vertex lies on an edge; and an overlap no wider than this is none.
TOUCHING = 1e-6  # m
# A polygon narrower than this has no area.
NO_WIDTH = 1e-9  # m
# How far outside of its polygon, in plan, a link may start or end.
LINK_SLACK = 0.01  # m
# Headroom that is short by less than this counts as enough.
HEADROOM_SLACK = 1e-3  # m


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with a navmesh.

    Attributes
    ----------
    kind : str
        One of

        - ``"vertex out of range"``, ``"vertex not finite"``, ``"vertex unused"``,
          ``"vertex repeated"`` (twice in one polygon);
        - ``"winding"`` (clockwise seen from above), ``"no area"``, ``"not convex"``;
        - ``"triangle"`` (a triangle of a vertex or polygon out of range, clockwise seen from
          above, without area or reaching out of its polygon, or triangles that do not add up to
          their polygon; looked at only when they were given, not when they follow from it);
        - ``"edge overused"`` (shared by more than two polygons, or by two that run through it the
          same way);
        - ``"neighbor"`` (out of range, not mutual, or missing where an edge is shared);
        - ``"T-junction"`` (a vertex inside another polygon's edge, at the same height);
        - ``"overlap"`` (two polygons over each other, closer than the agent's height);
        - ``"component"`` (components that do not match the neighbours);
        - ``"link"`` (to a polygon that does not exist, with a place that is not finite or not on
          its polygon, or with a cost that is negative or not finite).
    message : str
        The whole story in one line.
    polygon, edge : int or None
        Where: the polygon, and the edge within it, counted from its first corner.
    """

    kind: str
    message: str
    polygon: int | None = None
    edge: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def violations(navmesh: NavMesh) -> list[Violation]:
    """List everything that is wrong with a navmesh, kind by kind; nothing if it is sound."""
    found = [*_vertices(navmesh), *_repeated_vertices(navmesh)]
    usable = _usable_polygons(navmesh)
    shapes = list(_shapes(navmesh, usable))
    found += shapes
    sound = usable.copy()
    sound[[v.polygon for v in shapes if v.polygon is not None]] = False
    triangles, owners, wrong = _triangles(navmesh, sound)
    found += wrong
    mates = np.empty(len(navmesh.polygon_vertices), dtype=np.int32)
    match_edges(navmesh.polygon_offsets, navmesh.polygon_vertices, mates)
    found += _overused_edges(navmesh, mates)
    found += _neighbors(navmesh, mates)
    found += _t_junctions(navmesh, usable, mates)
    found += _overlaps(navmesh, triangles, owners)
    found += _components(navmesh)
    found += _links(navmesh, triangles, owners)
    return found


def _at_corner(navmesh: NavMesh, kind: str, corner: Any, rest: str) -> Violation:
    """Return a violation at the edge that starts at `corner`."""
    polygon = int(navmesh.corner_polygons[corner])
    edge = int(corner - navmesh.polygon_offsets[polygon])
    return Violation(kind, f"polygon {polygon}, edge {edge}: {rest}", polygon, edge)


def _vertices(navmesh: NavMesh) -> Iterator[Violation]:
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    inside = (corners >= 0) & (corners < count)
    for corner in np.flatnonzero(~inside):
        yield _at_corner(
            navmesh,
            "vertex out of range",
            corner,
            f"starts at vertex {corners[corner]}; there are {count}",
        )
    for vertex in np.flatnonzero(~_finite_vertices(navmesh)):
        place = ", ".join(f"{c:g}" for c in navmesh.vertices[vertex])
        yield Violation("vertex not finite", f"vertex {vertex} is at ({place})")
    used = np.zeros(count, dtype=bool)
    used[corners[inside]] = True
    if navmesh.detail is not None:
        ids = navmesh.detail[0]
        used[ids[(ids >= 0) & (ids < count)]] = True
    for vertex in np.flatnonzero(~used):
        yield Violation("vertex unused", f"vertex {vertex} belongs to no polygon")


def _repeated_vertices(navmesh: NavMesh) -> Iterator[Violation]:
    corners = navmesh.polygon_vertices
    order = np.lexsort((np.arange(len(corners)), corners, navmesh.corner_polygons))
    same = (corners[order[1:]] == corners[order[:-1]]) & (
        navmesh.corner_polygons[order[1:]] == navmesh.corner_polygons[order[:-1]]
    )
    for corner in order[1:][same]:
        yield _at_corner(
            navmesh, "vertex repeated", corner, f"vertex {corners[corner]} comes a second time"
        )


def _finite_vertices(navmesh: NavMesh) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(navmesh.vertices).all(axis=1))


def _usable_polygons(navmesh: NavMesh) -> NDArray[np.bool_]:
    """Tell which polygons have all their corners at finite places."""
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    bad = (corners < 0) | (corners >= count)
    bad[~bad] = ~_finite_vertices(navmesh)[corners[~bad]]
    usable = np.ones(navmesh.polygon_count, dtype=bool)
    usable[navmesh.corner_polygons[bad]] = False
    return usable


def _subset(navmesh: NavMesh, chosen: NDArray[np.bool_]) -> tuple[Ids, Ids, Ids]:
    """Return offsets and corners of the chosen polygons, and the place of each corner."""
    places = np.flatnonzero(chosen[navmesh.corner_polygons]).astype(np.int32)
    counts = np.diff(navmesh.polygon_offsets)[chosen]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return offsets, navmesh.polygon_vertices[places], places


def _finite_plan_points(navmesh: NavMesh) -> Floats:
    """Return the plan points, with zeros for vertices that are not finite."""
    finite = _finite_vertices(navmesh)
    return navmesh.frame.to_plan(np.where(finite[:, None], navmesh.vertices, 0.0))


def _shapes(navmesh: NavMesh, usable: NDArray[np.bool_]) -> Iterator[Violation]:
    """Find polygons that are wound the wrong way, have no area, or are not convex."""
    offsets, corners, places = _subset(navmesh, usable)
    if len(corners) == 0:
        return
    polygons = np.flatnonzero(usable)
    starts, counts = offsets[:-1], np.diff(offsets)
    here = _finite_plan_points(navmesh)[corners, :2]
    local = here - np.repeat(here[starts], counts, axis=0)
    following = np.arange(1, len(corners) + 1)
    following[offsets[1:] - 1] = starts
    preceding = np.empty_like(following)
    preceding[following] = np.arange(len(corners))
    after, before = here[following] - here, here - here[preceding]
    area = np.add.reduceat(_cross(local, local[following]), starts) / 2.0
    outline = np.add.reduceat(np.hypot(*after.T), starts)
    width = np.divide(area, outline / 2.0, out=np.zeros_like(area), where=outline > 0.0)
    turn, forward = _cross(before, after), (before * after).sum(axis=1)
    reflex = (turn < 0.0) | ((turn == 0.0) & (forward <= 0.0))
    angle = np.arctan2(turn, forward)
    rounds = np.add.reduceat(angle, starts) / (2.0 * np.pi)
    # Half the outline is more than a polygon is wide, so with all its reflex turns together this
    # is more than it falls short of its hull; only where that is much is it worth a closer look.
    bend = np.add.reduceat(np.where(reflex, np.abs(angle), 0.0), starts)
    bent = bend * outline / 2.0 > STRAIGHT
    for p in np.flatnonzero(bent & (width >= NO_WIDTH)):
        bent[p] = _misses_hull(local[offsets[p] : offsets[p + 1]], area[p], outline[p])
    owner = np.repeat(np.arange(len(polygons)), counts)
    first_reflex = np.full(len(polygons), -1)
    first_reflex[owner[reflex][::-1]] = np.flatnonzero(reflex)[::-1]
    for p in np.flatnonzero((width < NO_WIDTH) | bent | (rounds > 1.5)):
        polygon = int(polygons[p])
        if width[p] <= -NO_WIDTH:
            yield Violation("winding", f"polygon {polygon} is clockwise seen from above", polygon)
        elif width[p] < NO_WIDTH:
            yield Violation(
                "no area", f"polygon {polygon} has an area of {abs(area[p]):.3g} m2", polygon
            )
        elif bent[p]:
            corner = places[first_reflex[p]]
            yield _at_corner(navmesh, "not convex", corner, "starts at a reflex corner")
        else:
            yield Violation("not convex", f"polygon {polygon} winds around more than once", polygon)


def _misses_hull(corners: NDArray[np.float64], area: float, outline: float) -> bool:
    """Tell whether a polygon of (k, 2) corners falls short of its convex hull."""
    import shapely

    hull = shapely.MultiPoint(corners).convex_hull
    deepest = shapely.distance(hull.boundary, shapely.points(corners)).max()
    # A polygon that crosses itself may have all corners on its hull, but not all of its area.
    return bool(deepest > STRAIGHT or hull.area - area > STRAIGHT * outline / 2.0)


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _overused_edges(navmesh: NavMesh, mates: Ids) -> Iterator[Violation]:
    starts, ends = navmesh.polygon_vertices, navmesh.edge_ends
    users: dict[tuple[int, int], list[int]] = {}
    for corner in np.flatnonzero(mates == COMPLEX):
        a, b = int(starts[corner]), int(ends[corner])
        users.setdefault((min(a, b), max(a, b)), []).append(int(corner))
    for (a, b), corners in users.items():
        polygons = navmesh.corner_polygons[corners].tolist()
        how = "the same way" if len(corners) == 2 else "too many"
        yield _at_corner(
            navmesh,
            "edge overused",
            corners[0],
            f"between vertices {a} and {b}, is shared by polygons {polygons} ({how})",
        )


def _neighbors(navmesh: NavMesh, mates: Ids) -> Iterator[Violation]:
    """Find neighbours that are not those of the shared edges."""
    shared = mates >= 0
    expected = np.where(shared, navmesh.corner_polygons[np.where(shared, mates, 0)], -1)
    said = navmesh.neighbors
    for corner in np.flatnonzero(said != expected):
        neighbor = int(said[corner])
        if not -1 <= neighbor < navmesh.polygon_count:
            rest = f"neighbor {neighbor} is out of range; there are {navmesh.polygon_count}"
        elif neighbor < 0:
            rest = f"has no neighbor, but polygon {expected[corner]} shares the edge"
        elif expected[corner] >= 0:
            rest = f"neighbor is {neighbor}, but polygon {expected[corner]} shares the edge"
        else:
            rest = f"neighbor {neighbor} does not share the edge: not mutual"
        yield _at_corner(navmesh, "neighbor", corner, rest)


def _t_junctions(navmesh: NavMesh, usable: NDArray[np.bool_], mates: Ids) -> Iterator[Violation]:
    # Of an edge that two polygons share, one side is enough.
    once = (mates < np.arange(len(mates))) & usable[navmesh.corner_polygons]
    corners = np.flatnonzero(once)
    if len(corners) == 0:
        return
    edges = np.stack([navmesh.polygon_vertices, navmesh.edge_ends], axis=1)[corners]
    points = _finite_plan_points(navmesh)
    used = np.zeros(len(points), dtype=bool)
    used[edges] = True
    # A vertex that no usable polygon has is moved onto an edge's end, where it is on no inside.
    points[~used] = points[edges[0, 0]]
    tree = BoxTree.over(points, edges)
    pairs = np.empty((1024, 2), dtype=np.int32)
    count = find_t_junctions(points, edges, tree.order, tree.nodes, TOUCHING, pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), dtype=np.int32)
        find_t_junctions(points, edges, tree.order, tree.nodes, TOUCHING, pairs)
    pairs = pairs[:count]
    for vertex, edge in pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))]:
        corner = corners[edge]
        # A corner of the polygons on both sides only shows how thin they are.
        beside = [corner] if mates[corner] < 0 else [corner, mates[corner]]
        if not any(vertex in _polygon_at(navmesh, side) for side in beside):
            yield _at_corner(navmesh, "T-junction", corner, f"has vertex {vertex} inside it")


def _polygon_at(navmesh: NavMesh, corner: int) -> Ids:
    """Return the vertices of the polygon that a corner belongs to."""
    polygon = navmesh.corner_polygons[corner]
    start, stop = navmesh.polygon_offsets[polygon], navmesh.polygon_offsets[polygon + 1]
    return navmesh.polygon_vertices[start:stop]


def _triangles(navmesh: NavMesh, sound: NDArray[np.bool_]) -> tuple[Ids, Ids, list[Violation]]:
    """Find triangles that do not make the ground of their polygons.

    Returns
    -------
    triangles, owners : (t, 3) and (t,) int32
        Those of sound polygons that have nothing wrong with them.
    wrong : list of Violation
    """
    if navmesh.detail is None:
        offsets, corners, _ = _subset(navmesh, sound)
        cut = np.empty((len(corners) - 2 * (len(offsets) - 1), 3), dtype=np.int32)
        triangulate_convex(_finite_plan_points(navmesh), offsets, corners, cut)
        polygons = np.flatnonzero(sound).astype(np.int32)
        return cut, np.repeat(polygons, np.diff(offsets) - 2), []
    triangles, owners = navmesh.detail
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
    usable[usable] = _finite_vertices(navmesh)[triangles[usable]].all(axis=1)
    # A polygon with a triangle that has no place cannot add up.
    complete = sound.copy()
    complete[owners[owned & ~usable]] = False

    chosen = np.flatnonzero(usable)
    points = _finite_plan_points(navmesh)
    a, b, c = (points[triangles[chosen, k], :2] for k in range(3))
    area = _cross(b - a, c - a) / 2.0
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
    assert navmesh.detail is not None
    polygon = int(navmesh.detail[1][triangle])
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
    offsets, corners, _ = _subset(navmesh, complete)
    if len(corners) == 0:
        return
    here = points[corners, :2]
    local = here - np.repeat(here[offsets[:-1]], np.diff(offsets), axis=0)
    following = np.arange(1, len(corners) + 1)
    following[offsets[1:] - 1] = offsets[:-1]
    area = np.add.reduceat(_cross(local, local[following]), offsets[:-1]) / 2.0
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


def _overlaps(navmesh: NavMesh, triangles: Ids, owners: Ids) -> Iterator[Violation]:
    """Find polygons over each other, among those that have triangles."""
    if len(triangles) == 0:
        return
    points = _finite_plan_points(navmesh)
    height = max(navmesh.agent.height - HEADROOM_SLACK, navmesh.agent.height / 2.0)
    pairs = overlapping_pairs(points, triangles, owners, height, TOUCHING)
    for lower, higher in np.unique(pairs, axis=0):
        # Triangles may reach out of their polygons by a little, and then over each other.
        if navmesh.detail is not None and not _share_ground(navmesh, points, lower, higher):
            continue
        yield Violation(
            "overlap",
            f"polygons {lower} and {higher} lie over each other, closer than the agent's height "
            f"of {navmesh.agent.height:g} m",
            int(lower),
        )


def _share_ground(navmesh: NavMesh, points: Floats, *polygons: int) -> bool:
    """Tell whether two polygons lie over each other in plan."""
    import shapely

    shapes = [
        shapely.make_valid(
            shapely.Polygon(points[_polygon_at(navmesh, navmesh.polygon_offsets[p]), :2])
        )
        for p in polygons
    ]
    shared = shapely.intersection(*shapes)
    return bool(shared.area > TOUCHING * shared.length / 2.0)


def _components(navmesh: NavMesh) -> Iterator[Violation]:
    """Find neighbours in different components, and components that do not hang together."""
    said, count = navmesh.components, navmesh.polygon_count
    valid = (navmesh.neighbors >= 0) & (navmesh.neighbors < count)
    across = said[np.where(valid, navmesh.neighbors, 0)] if count else said
    for corner in np.flatnonzero(valid & (across != said[navmesh.corner_polygons])):
        polygon = navmesh.corner_polygons[corner]
        yield _at_corner(
            navmesh,
            "component",
            corner,
            f"is in component {said[polygon]}, its neighbor {navmesh.neighbors[corner]} in "
            f"{across[corner]}",
        )
    labels = np.empty(count, dtype=np.int32)
    label_components(navmesh.polygon_offsets, navmesh.neighbors, labels)
    _, firsts = np.unique(labels, return_index=True)
    seen: dict[int, int] = {}
    for polygon in np.sort(firsts):
        first = seen.setdefault(int(said[polygon]), int(polygon))
        if first != polygon:
            yield Violation(
                "component",
                f"polygon {polygon} is in component {said[polygon]} like polygon {first}, but "
                "neighbors do not connect them",
                int(polygon),
            )


def _links(navmesh: NavMesh, triangles: Ids, owners: Ids) -> Iterator[Violation]:
    """Find links that lead nowhere, from nowhere, or at an impossible cost."""
    points = _finite_plan_points(navmesh)
    for i, link in enumerate(navmesh.links):
        for end in ("start", "goal"):
            polygon = int(link[f"{end}_polygon"])
            exists = 0 <= polygon < navmesh.polygon_count
            if not exists:
                yield Violation(
                    "link", f"link {i}: its {end} is on polygon {polygon}, which does not exist"
                )
            if not np.isfinite(link[end]).all():
                yield Violation("link", f"link {i}: its {end} is not finite", polygon)
            elif exists:
                first, last = np.searchsorted(owners, [polygon, polygon + 1])
                place = navmesh.frame.to_plan(link[end][None])[0]
                away = _off_ground(points[triangles[first:last]], place)
                if away[0] > LINK_SLACK:
                    rest = f"{away[0]:.3g} m outside of its polygon, {polygon}"
                    yield Violation("link", f"link {i}: its {end} is {rest}", polygon)
                elif away[1] > navmesh.agent.max_step + TOUCHING:
                    rest = f"{away[1]:.3g} m above or below its polygon, {polygon}"
                    yield Violation("link", f"link {i}: its {end} is {rest}", polygon)
        if not 0.0 <= link["cost"] < np.inf:
            yield Violation("link", f"link {i}: its cost is {link['cost']:g}; that is no length")


def _off_ground(corners: Floats, place: Floats) -> tuple[float, float]:
    """Return how far a place is from some triangles (t, 3, 3) in plan, and there in height.

    Both are 0 where there are no triangles, of which other violations tell.
    """
    if len(corners) == 0:
        return 0.0, 0.0
    local = corners - place
    following = np.roll(local, -1, axis=1)
    across = local[..., 0] * following[..., 1] - local[..., 1] * following[..., 0]
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
