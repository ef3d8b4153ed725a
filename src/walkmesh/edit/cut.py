"""Cutting the polygons of a navmesh along segments in plan; what it connects stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.edit.pieces import CutPieces
from walkmesh.edit.tolerances import PLANAR
from walkmesh.overlaps import vertices_on_edges
from walkmesh.ragged import following_corners, match_polygons, offsets_of
from walkmesh.tolerances import TOUCHING
from walkmesh.topology import corner_polygons, detail_of, plan_points
from walkmesh.variants import changed, without_unused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def cut_polygons(
    navmesh: NavMesh, polygons: NDArray[np.integer], starts: Floats, ends: Floats
) -> NavMesh:
    """Cut polygons along segments, so that none of these runs through the inside of a polygon.

    Polygons, (k,), are given in ascending order, and segments by (m, 2) starts and ends in the plan
    frame, none of them without length. Parts of a polygon take its place in the order; they have
    its area and component. Polygons across the edges that are cut get the new vertices too. The
    ground stays where it is: where a polygon that is not flat changes, the navmesh has detail
    triangles afterwards.
    """
    pairs = _pairs(navmesh, polygons, starts, ends)
    if len(pairs) == 0:
        return navmesh
    crossed, firsts = np.unique(pairs[:, 0], return_index=True)
    beside = navmesh.neighbors[np.isin(corner_polygons(navmesh), crossed)]
    loaded = np.union1d(crossed, beside[beside >= 0])
    pieces = CutPieces(navmesh, loaded)
    of_polygon = np.searchsorted(loaded, crossed)
    for piece, segments in zip(of_polygon, np.split(pairs[:, 1], firsts[1:]), strict=True):
        pieces.cut(int(piece), starts[segments], ends[segments])
    return navmesh if len(pieces.rings) == len(loaded) else _assemble(navmesh, pieces)


def _pairs(
    navmesh: NavMesh, polygons: NDArray[np.integer], starts: Floats, ends: Floats
) -> NDArray[np.intp]:
    """(k, 2) int: pairs of a polygon and a segment that meets its box, polygon by polygon."""
    import shapely

    low, high = plan_boxes(navmesh, polygons)
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    segments = shapely.linestrings(np.stack([starts, ends], axis=1))
    segment, place = shapely.STRtree(boxes).query(segments, predicate="intersects")
    order = np.lexsort((segment, place))
    return np.stack([polygons[place[order]], segment[order]], axis=1)


def plan_boxes(navmesh: NavMesh, polygons: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Return the lowest and the highest u and v of some polygons, (k, 2) float64 each."""
    places, starts = (
        plan_points(navmesh)[navmesh.polygon_vertices, :2],
        navmesh.polygon_offsets[:-1],
    )
    low, high = (reduce.reduceat(places, starts) for reduce in (np.minimum, np.maximum))
    return low[polygons], high[polygons]


def _assemble(navmesh: NavMesh, pieces: CutPieces) -> NavMesh:
    """Return the navmesh with its polygons replaced by their pieces."""
    order = np.argsort(pieces.origins, kind="stable")
    replaced = np.array(pieces.origins)[order]
    parts = np.bincount(replaced, minlength=navmesh.polygon_count)
    parts[parts == 0] = 1
    origin = np.repeat(np.arange(navmesh.polygon_count), parts)
    numbers = np.flatnonzero(np.isin(origin, replaced))

    def in_place(values: Ids, offsets: Ids, rows: list[Ids]) -> tuple[Ids, NDArray[np.integer]]:
        """Return ragged values with those of the pieces, and how many each polygon has."""
        counts = np.diff(offsets)[origin]
        counts[numbers] = [len(row) for row in rows]
        return _replaced(values, offsets, replaced, rows), counts

    rings = [np.array(pieces.rings[i], dtype=np.int32) for i in order]
    corners, sizes = in_place(navmesh.polygon_vertices, navmesh.polygon_offsets, rings)
    count = len(navmesh.vertices)
    points, corners, sizes = _share_with_strangers(pieces.places.points, corners, sizes, count)
    offsets = offsets_of(sizes)
    arrays: dict[str, Any] = {
        "polygon_offsets": offsets,
        "neighbors": None,
        "areas": navmesh.areas[origin],
        "components": navmesh.components[origin],
        "links": _relocated(navmesh, parts, points, offsets, corners),
    }
    ids = [corners]
    if detail_of(navmesh) is not None or not _all_flat(navmesh, origin, sizes, parts):
        grounds = [pieces.grounds[i] for i in order]
        triangles, owned = in_place(navmesh.triangles, navmesh.triangle_offsets, grounds)
        arrays["triangle_polygons"] = np.repeat(np.arange(len(origin)), owned)
        ids.append(_welded(points, triangles, corners, count))
    new = navmesh.frame.to_world(points[count:])
    vertices, ids = without_unused(np.concatenate([navmesh.vertices, new]), *ids)
    arrays |= zip(("polygon_vertices", "triangles"), ids, strict=False)
    return changed(navmesh, vertices=vertices, **arrays)


def _replaced(values: Ids, offsets: Ids, polygons: NDArray[np.integer], rows: list[Ids]) -> Ids:
    """Return ragged values with those of some polygons, ascending, replaced by one row or more."""
    parts, last = [], 0
    for polygon, row in zip(polygons, rows, strict=True):
        # Of further rows for the same polygon there is nothing left before it.
        parts += [values[last : offsets[polygon]], row]
        last = offsets[polygon + 1]
    return np.concatenate([*parts, values[last:]])


def _share_with_strangers(
    points: Floats, corners: Ids, sizes: NDArray[np.integer], count: int
) -> tuple[Floats, Ids, NDArray[np.integer]]:
    """Give new vertices to polygons that only lie beside others, without sharing vertices.

    A new vertex inside an edge of theirs would be a T-junction. They get vertices of their own at
    the same places, so that they stay unconnected. Of the points, those from `count` on are new;
    polygons have their corners end to end, (c,), and (p,) sizes. Returns all three anew.
    """
    offsets = offsets_of(sizes)
    mates = match_polygons(offsets, corners)
    ends = corners[following_corners(offsets)]
    new = np.unique(corners[corners >= count])
    if len(new) == 0:
        return points, corners, sizes
    low, high = points[new].min(axis=0) - TOUCHING, points[new].max(axis=0) + TOUCHING
    a, b = points[corners], points[ends]
    near = ((np.maximum(a, b) >= low) & (np.minimum(a, b) <= high)).all(axis=1)
    edges = np.flatnonzero((mates < 0) & near)
    if len(edges) == 0:
        return points, corners, sizes
    # The new vertices first, then the ends of the edges, so that the kernel looks at no others.
    places = np.concatenate([points[new], points[corners[edges]], points[ends[edges]]])
    ends_of = len(new) + np.arange(2 * len(edges), dtype=np.int32).reshape(2, -1).T
    pairs = vertices_on_edges(places, np.ascontiguousarray(ends_of), TOUCHING)
    pairs = pairs[pairs[:, 0] < len(new)]
    vertices, edges = new[pairs[:, 0]], edges[pairs[:, 1]]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    # Not one that the polygon has already: that only shows how thin it is.
    keys = len(points) * owners[edges].astype(np.int64) + vertices
    strange = ~np.isin(keys, len(points) * owners + corners)
    vertices, edges = vertices[strange], edges[strange]
    way = points[vertices] - points[corners[edges]]
    order = np.lexsort(((way * way).sum(axis=1), edges))
    vertices, edges = vertices[order], edges[order]
    own = np.arange(len(points), len(points) + len(vertices), dtype=np.int32)
    sizes = sizes + np.bincount(owners[edges], minlength=len(sizes))
    return np.concatenate([points, points[vertices]]), np.insert(corners, edges + 1, own), sizes


def _relocated(
    navmesh: NavMesh, parts: NDArray[np.integer], points: Floats, offsets: Ids, corners: Ids
) -> NDArray[np.void]:
    """Return the links with the polygons that they are on now, of those that have `parts` (p,)."""
    import shapely

    links = navmesh.links.copy()
    firsts = offsets_of(parts)
    for end in ("start", "goal"):
        # Links to polygons that do not exist stay that way, for validate() to tell.
        exist = np.flatnonzero(
            (links[f"{end}_polygon"] >= 0) & (links[f"{end}_polygon"] < len(parts))
        )
        before = links[f"{end}_polygon"][exist]
        after = firsts[before]
        places = navmesh.frame.to_plan(links[end][exist])
        for i in np.flatnonzero(parts[before] > 1):
            candidates = [
                shapely.Polygon(points[corners[offsets[part] : offsets[part + 1]], :2])
                for part in range(firsts[before[i]], firsts[before[i] + 1])
            ]
            after[i] += shapely.distance(candidates, shapely.Point(places[i, :2])).argmin()
        links[f"{end}_polygon"][exist] = after
    return links


def _all_flat(
    navmesh: NavMesh,
    origin: NDArray[np.integer],
    sizes: NDArray[np.integer],
    parts: NDArray[np.integer],
) -> bool:
    """Tell whether every polygon that was cut or has new corners was flat."""
    altered = (parts[origin] > 1) | (sizes != np.diff(navmesh.polygon_offsets)[origin])
    for polygon in np.unique(origin[altered]):
        start, stop = navmesh.polygon_offsets[polygon : polygon + 2]
        corners = plan_points(navmesh)[navmesh.polygon_vertices[start:stop]]
        local = corners - corners.mean(axis=0)
        plane = np.linalg.lstsq(local[:, :2], local[:, 2], rcond=None)[0]
        if np.abs(local[:, :2] @ plane - local[:, 2]).max() > PLANAR:
            return False
    return True


def _welded(points: Floats, triangles: Ids, corners: Ids, count: int) -> Ids:
    """Return triangles that share the vertices from `count` on that only they have."""
    own = np.ones(len(points), dtype=bool)
    own[:count] = False
    own[corners] = False
    ids = np.flatnonzero(own)
    _, first, same = np.unique(points[ids], axis=0, return_index=True, return_inverse=True)
    shared = np.arange(len(points), dtype=np.int32)
    shared[ids] = ids[first[same.ravel()]]
    return shared[triangles]
