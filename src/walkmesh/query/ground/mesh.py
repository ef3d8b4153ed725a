"""The navmesh as the search kernels take it, made once and kept with the navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.kernels.warmup import prepare
from walkmesh.query.connections import PolygonConnections, tree_over
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.blocks import find_blocks
from walkmesh.query.ground.kernels.drape import drape
from walkmesh.query.ground.kernels.mesh import MESH_FLOATS, MESH_INTS
from walkmesh.query.ground.kernels.prepare import (
    fill_cells,
    find_corners,
    find_planes,
    list_diagonals,
)
from walkmesh.query.kernels.tolerances import (
    GROUND_TOLERANCE,
    NARROW_GRID_PART,
    NARROWEST_GRID,
    PLANE_TOLERANCE,
)
from walkmesh.query.packed import pack_both
from walkmesh.topology import check_usable, corner_polygons, detail_of, plan_points

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh

# The grid has so many cells for each triangle, as long as there are no more entries in it than so
# many for each.
_CELLS = 2.0
_MOST_ENTRIES = 12


class GroundMesh:
    """What searches know of a navmesh of ground; arrays are read-only.

    Attributes
    ----------
    points, polygons, sides, jumps, targets, diagonals
        See :mod:`walkmesh.query.ground.kernels.mesh`, which has more of them.
    triangles, owners : (t, 3) and (t,) int32
        The ground, and its polygons.
    floats, ints, layout : (n,) float64, (m,) int32 and (k, 3) int64
        All arrays as kernels take them: packed, and where each of them lies.
    axes : (3, 3) float64
        The unit vectors of the plan frame as rows.
    connections : PolygonConnections
        With islands and jumps.
    """

    points: Floats
    polygons: Ids
    sides: Ids
    jumps: Floats
    targets: Ids
    tops: Ids
    exits: Ids
    diagonals: Ids
    triangles: Ids
    owners: Ids

    def __init__(self, navmesh: NavMesh, barred: NDArray[np.bool_] | None) -> None:
        """Make it; polygons that are `barred`, (p,) bool, are neither entered nor stood on."""
        check_usable(navmesh)
        prepare("walkmesh.query", "walkmesh.query.ground")
        points, triangles = plan_points(navmesh), navmesh.triangles
        self.axes = np.ascontiguousarray(navmesh.frame.axes)
        self.connections = PolygonConnections.of(navmesh, navmesh.frame.to_plan, barred)
        free = None
        if barred is not None:
            free = np.flatnonzero(~barred[navmesh.triangle_polygons]).astype(np.int32)
        tree = tree_over(points, triangles, free)
        arrays: dict[str, NDArray[Any]] = {
            "points": points,
            "triangles": triangles,
            "owners": navmesh.triangle_polygons,
            "boxes": tree.boxes,
            "order": tree.order,
            "nodes": tree.nodes,
            **_make_grid(points, triangles, free),
            **_connect(navmesh, self.connections),
        }
        self.floats, self.ints, self.layout, kept = pack_both(arrays, MESH_FLOATS, MESH_INTS)
        vars(self).update(kept)

    def on_ground(self, points: Floats, polygons: ArrayLike) -> Floats:
        """Return a path with its heights from the triangles, and further points as needed.

        Given are its start, one point on each edge that is crossed, and its goal, (g, 3), and the
        polygon from each point to the next. No point of the line through those returned, (k, 3), is
        farther than `GROUND_TOLERANCE` from the ground in height. All are in the plan frame.
        [Unit: m]
        """
        ways = read_only(polygons, np.int32)
        draped = np.empty((2 * len(points) + 64, 3), dtype=np.float64)
        while True:
            count = drape(
                points, ways, self.points, self.triangles, self.polygons, self.diagonals,
                GROUND_TOLERANCE, draped,
            )  # fmt: skip
            if count <= len(draped):
                return draped[:count]
            draped = np.empty((count, 3), dtype=np.float64)


def _connect(navmesh: NavMesh, connections: PolygonConnections) -> dict[str, NDArray[Any]]:
    """Return how polygons, sides and jumps hang together, by the names of the arrays."""
    points, count = plan_points(navmesh), navmesh.polygon_count
    offsets, vertices = navmesh.polygon_offsets, navmesh.polygon_vertices
    triangles, grounds = navmesh.triangles, navmesh.triangle_offsets
    links, islands, derived = connections.jumps, connections.islands, detail_of(navmesh) is None
    corners = np.zeros(len(points), dtype=np.int32)
    find_corners(points, offsets, vertices, connections.mates, corners)
    planes = np.empty(count, dtype=np.uint8)
    find_planes(points, offsets, vertices, triangles, grounds, PLANE_TOLERANCE, planes)
    polygons = np.zeros((count + 1, 7), dtype=np.int32)
    polygons[:, col.FIRST] = offsets
    polygons[:, col.GROUND] = grounds
    polygons[:, col.JUMPS] = np.searchsorted(links.origins, np.arange(count + 1))
    polygons[:-1, col.RELIEF] = np.where(planes, col.PLANE, col.FACETED if derived else col.BROKEN)
    polygons[:-1, col.ISLAND] = islands.labels
    sides = np.empty((len(vertices), 4), dtype=np.int32)
    sides[:, col.VERTEX] = vertices
    sides[:, col.NEIGHBOR] = connections.neighbors
    sides[:, col.MATE] = connections.mates
    targets = np.empty((len(links.origins), 4), dtype=np.int32)
    targets[:, col.POLYGON] = links.ends
    targets[:, col.ORIGIN] = links.origins
    targets[:, col.LINK] = links.links
    diagonals = np.empty((len(vertices) - 3 * count if derived else 0, 2), dtype=np.int32)
    if derived:
        list_diagonals(offsets, triangles, diagonals)
    return {
        "polygons": polygons,
        "sides": sides,
        "corners": corners,
        "tops": _find_blocks(corner_polygons(navmesh), polygons, sides, targets),
        "jumps": links.places,
        "targets": targets,
        "exits": islands.exits,
        "shores": islands.shores,
        "diagonals": diagonals,
    }


def _find_blocks(owners: Ids, polygons: Ids, sides: Ids, targets: Ids) -> Ids:
    """Fill in the blocks of polygons, sides and jumps, and return the tops of blocks."""
    shared = np.flatnonzero(sides[:, col.MATE] > np.arange(len(sides)))
    froms = np.concatenate([owners[shared], targets[:, col.ORIGIN]])
    tos = np.concatenate([sides[shared, col.NEIGHBOR], targets[:, col.POLYGON]])
    count = len(polygons) - 1
    both = np.concatenate([froms, tos])
    order = np.argsort(both, kind="stable")
    offsets = np.searchsorted(both[order], np.arange(count + 1)).astype(np.int32)
    others = np.concatenate([tos, froms])[order].astype(np.int32)
    connections = np.tile(np.arange(len(froms), dtype=np.int32), 2)[order]
    blocks = np.full(len(froms), -1, dtype=np.int32)
    tops = np.empty(len(froms), dtype=np.int32)
    up, depths = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    found = find_blocks(offsets, others, connections, blocks, tops, up, depths)
    polygons[:-1, col.UP] = up
    polygons[:-1, col.DEPTH] = depths
    sides[:, col.BLOCK] = -1
    sides[shared, col.BLOCK] = blocks[: len(shared)]
    sides[sides[shared, col.MATE], col.BLOCK] = blocks[: len(shared)]
    targets[:, col.JUMP_BLOCK] = blocks[len(shared) :]
    return tops[:found].copy()


def _make_grid(points: Floats, triangles: Ids, free: Ids | None) -> dict[str, NDArray[Any]]:
    """Put triangles, all or those in `free`, under a grid in plan.

    See :data:`walkmesh.query.ground.kernels.mesh.Ground`.
    """
    if free is not None:
        triangles = triangles[free]
    if len(triangles) == 0:
        return {
            "grid": np.array([0.0, 0.0, 1.0, 1.0, 1.0]),
            "starts": np.zeros(2, dtype=np.int32),
            "members": np.empty(0, dtype=np.int32),
        }
    places = points[triangles, :2]
    lows, highs = places.min(axis=1), places.max(axis=1)
    low, extent = lows.min(axis=0), np.ptp(places.reshape(-1, 2), axis=0)
    extent = np.maximum(extent, NARROW_GRID_PART * extent.max() + NARROWEST_GRID)
    cell = float(np.sqrt(extent[0] * extent[1] / (_CELLS * len(triangles))))
    while True:
        spans = np.floor((highs - low) / cell) - np.floor((lows - low) / cell) + 1.0
        if spans.prod(axis=1).sum() <= _MOST_ENTRIES * len(triangles):
            break
        cell *= 1.5
    columns, rows = np.ceil(extent / cell) + 1.0
    grid = np.array([*low, 1.0 / cell, columns, rows])
    starts = np.zeros(int(columns * rows) + 1, dtype=np.int32)
    fill_cells(points, triangles, grid, starts, np.empty(0, dtype=np.int32), 0)
    starts = np.cumsum(starts, dtype=np.int32)
    members = np.empty(starts[-1], dtype=np.int32)
    fill_cells(points, triangles, grid, starts[:-1].copy(), members, 1)
    if free is not None:
        members = free[members]
    return {"grid": grid, "starts": starts, "members": members}
