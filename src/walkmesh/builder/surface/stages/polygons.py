"""From the triangles of a surface to a navmesh: flat convex polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import check_any
from walkmesh.builder.polygons import merge_triangles
from walkmesh.builder.soundness import polygon_areas
from walkmesh.builder.surface.charts import lay_out
from walkmesh.builder.surface.kernels.tolerances import FLAT_POLYGON, NO_AREA, STRAIGHT_LINE, TILT
from walkmesh.builder.surface.stages.stitch import find_on_edges, new_to_polygons
from walkmesh.kernels.meshes.adjacency import COMPLEX
from walkmesh.navmesh import NavMesh
from walkmesh.polygon_layers import SurfacePolygons
from walkmesh.polygon_planes import normals_of
from walkmesh.ragged import (
    following_corners,
    match_polygons,
    offsets_keeping,
    offsets_of,
    offsets_with,
    owners_of,
)
from walkmesh.tolerances import SAME_WAY, TOUCHING
from walkmesh.triangles import compact

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.state import SurfaceBuild
    from walkmesh.frame import Frame

# Vertices made corners can lie on further edges, and edges parted from others be shared again.
_SHARING_ROUNDS = 3


def run(build: SurfaceBuild) -> Stage:
    """Merge triangles into polygons, and make the navmesh of them."""
    mesh = build.mesh
    navmesh, doubled = make_navmesh(mesh.points, mesh.triangles, build.agent, mesh.frame)
    check_any(navmesh.areas, build.agent)
    return build.made(
        lambda: navmesh,
        triangles_in=len(mesh.triangles),
        polygons_out=navmesh.polygon_count,
        **doubled,
    )


def make_navmesh(
    points: Floats, triangles: Ids, agent: Agent, frame: Frame
) -> tuple[NavMesh, dict[str, int]]:
    """Merge triangles into flat convex polygons, and turn them into a navmesh.

    Returns
    -------
    NavMesh
    dict of str to int
        How many polygons were left out because they had no area or lay on others.
    """
    charts = lay_out(points, triangles, widest=TILT)
    offsets, corners = merge_triangles(charts.mesh, FLAT_POLYGON)
    places, ids = charts.surface(points)
    offsets, corners = _straighten(places, offsets, ids[corners])
    for _ in range(_SHARING_ROUNDS):
        offsets, corners = _share_vertices(places, offsets, corners)
        places, offsets, corners = _part_edges(places, offsets, corners)
    dropped = 0
    for _ in range(_SHARING_ROUNDS):
        places, corners = compact(places, corners)
        navmesh = NavMesh(
            frame.to_world(places), offsets, corners, agent=agent, up=frame.up, surface=True
        )
        doubled = _useless(navmesh)
        if not doubled.any():
            break
        dropped += int(np.count_nonzero(doubled))
        sizes = np.diff(offsets)
        corners = corners[np.repeat(~doubled, sizes)]
        offsets = offsets_of(sizes[~doubled])
    return navmesh, {"polygons_dropped": dropped}


def _useless(navmesh: NavMesh) -> Bools:
    """(p,) bool: polygons without area, and the smaller one of those that lie on each other.

    Moving vertices within the tolerances can fold a narrow strip over its neighbour.
    """
    areas = polygon_areas(navmesh)
    every = np.ones(navmesh.polygon_count, dtype=bool)
    pairs = SurfacePolygons.of(navmesh, every).layers()
    smaller = np.where(areas[pairs[:, 0]] < areas[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
    useless = areas < NO_AREA
    useless[smaller] = True
    return useless


def _share_vertices(points: Floats, offsets: Ids, corners: Ids) -> tuple[Ids, Ids]:
    """Make vertices that lie on the edge of a polygon corners of it.

    But only those of polygons that face the same way: what stands on an edge is not part of the
    surface around it.
    """
    normals = normals_of(offsets, points[corners])
    for _ in range(_SHARING_ROUNDS):
        owners = owners_of(offsets)
        edges = corners, corners[following_corners(offsets)]
        found = find_on_edges(points, *edges, np.full(len(corners), -1, dtype=np.int32), TOUCHING)
        if found is None:
            break
        places, inserted = found
        keep, _ = new_to_polygons(owners, corners, places, inserted, len(points))
        keep &= _face_alike(owners, corners, normals, places, inserted)
        if not keep.any():
            break
        places, inserted = places[keep], inserted[keep]
        corners = np.insert(corners, places + 1, inserted).astype(np.int32)
        offsets = offsets_with(offsets, places)
    return offsets, corners


def _face_alike(
    owners: Ids, corners: Ids, normals: Floats, places: Indices, inserted: Ids
) -> Bools:
    """Tell which vertices belong to a polygon that faces the way of the edge's polygon."""
    order = np.argsort(corners, kind="stable")
    first = np.searchsorted(corners, inserted, side="left", sorter=order)
    last = np.searchsorted(corners, inserted, side="right", sorter=order)
    alike = np.zeros(len(places), dtype=bool)
    for i in range(len(places)):
        around = owners[order[first[i] : last[i]]]
        alike[i] = (normals[around] @ normals[owners[places[i]]] > SAME_WAY).any()
    return alike


def _part_edges(points: Floats, offsets: Ids, corners: Ids) -> tuple[Floats, Ids, Ids]:
    """Give pairs of polygons an edge of their own where more have the same.

    All get a vertex in the middle of it; pairs that are nearest to one plane get the same.
    """
    for _ in range(_SHARING_ROUNDS):
        mates = match_polygons(offsets, corners)
        crowded = np.flatnonzero(mates == COMPLEX)
        if len(crowded) == 0:
            break
        owners = owners_of(offsets)
        ends = corners[following_corners(offsets)]
        normals = normals_of(offsets, points[corners])
        edges: dict[tuple[int, int], list[int]] = {}
        for corner in crowded.tolist():
            key = sorted((int(corners[corner]), int(ends[corner])))
            edges.setdefault((key[0], key[1]), []).append(corner)
        places: list[int] = []
        inserted: list[int] = []
        middles: list[Floats] = []
        for (a, b), users in edges.items():
            pairs = [
                (-float(normals[owners[i]] @ normals[owners[j]]), i, j)
                for i in users
                for j in users
                if i < j and corners[i] == ends[j]
            ]
            groups: list[tuple[int, ...]] = []
            left = set(users)
            for _, i, j in sorted(pairs):
                if i in left and j in left:
                    groups.append((i, j))
                    left -= {i, j}
            for group in [*groups, *((user,) for user in sorted(left))]:
                places += group
                inserted += [len(points) + len(middles)] * len(group)
                middles.append(0.5 * (points[a] + points[b]))
        order = np.argsort(places, kind="stable")
        at = np.array(places)[order]
        corners = np.insert(corners, at + 1, np.array(inserted)[order]).astype(np.int32)
        offsets = offsets_with(offsets, at)
        points = np.concatenate([points, middles])
    return points, offsets, corners


def _straighten(points: Floats, offsets: Ids, corners: Ids) -> tuple[Ids, Ids]:
    """Drop vertices in the middle of straight lines between two polygons and no others."""
    following = following_corners(offsets)
    preceding = np.empty_like(following)
    preceding[following] = np.arange(len(corners), dtype=np.int32)
    before, after = points[corners[preceding]], points[corners[following]]
    chord = after - before
    square = np.maximum((chord * chord).sum(axis=1), 1e-300)
    way = points[corners] - before
    share = (way * chord).sum(axis=1) / square
    off = np.linalg.norm(way - share[:, None] * chord, axis=1)
    straight = (off <= STRAIGHT_LINE) & (share > 0.0) & (share < 1.0)
    # In both polygons the same line, run through the other way.
    order = np.argsort(corners, kind="stable")
    vertices, first, counts = np.unique(corners[order], return_index=True, return_counts=True)
    two = counts == 2
    a, b = order[first[two]], order[first[two] + 1]
    same = (corners[preceding[a]] == corners[following[b]]) & (
        corners[following[a]] == corners[preceding[b]]
    )
    useless = np.zeros(len(points), dtype=bool)
    useless[vertices[two][same & straight[a] & straight[b]]] = True
    owners = owners_of(offsets)
    stays = ~useless[corners]
    # A polygon keeps three corners.
    few = np.bincount(owners[stays], minlength=len(offsets) - 1) < 3
    useless[corners[few[owners]]] = False
    stays = ~useless[corners]
    return offsets_keeping(offsets, stays), np.ascontiguousarray(corners[stays], dtype=np.int32)
