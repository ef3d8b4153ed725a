"""From joined slices to a navmesh: level ground, and links where there are steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.polygons import make_navmesh
from walkmesh.builder.triangulation import triangulate
from walkmesh.builder.voxel.ground import BATCH, Apart
from walkmesh.builder.voxel.kernels.patches import unite_regions
from walkmesh.builder.voxel.kernels.tolerances import ALONG_AXIS
from walkmesh.builder.voxel.slices.kernels.steps import find_edges
from walkmesh.chunks import in_chunks
from walkmesh.navmesh import NavMesh
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.ragged import offsets_of, ranges
from walkmesh.topology import corner_polygons, detail_of, edge_ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.smallest_part import SmallestPart
    from walkmesh.builder.triangulation import Method
    from walkmesh.builder.voxel.slices.contours import SliceContours
    from walkmesh.builder.voxel.slices.join import JoinedSlices
    from walkmesh.frame import Frame


def drop_small_slices(
    joined: JoinedSlices, contours: SliceContours, cell: float, least: SmallestPart
) -> tuple[Bools, dict[str, int]]:
    """Tell which regions stay: those that hang together with enough others, also by steps.

    Parameters
    ----------
    least : SmallestPart
        What connected regions must measure together.

    Returns
    -------
    (r,) bool
        The regions that stay.
    dict of str to int
        Counts: regions that were dropped.
    """
    count = len(joined.levels)
    ring_regions = np.repeat(np.arange(count, dtype=np.int32), np.diff(joined.region_rings))
    owners = np.repeat(ring_regions, np.diff(joined.ring_offsets))
    # Regions that share a vertex follow each other when sorted by vertex.
    order = np.argsort(joined.vertices, kind="stable")
    same = np.flatnonzero(np.diff(joined.vertices[order]) == 0)
    shared = np.stack([owners[order[same]], owners[order[same + 1]]], axis=1)
    steps = np.stack([joined.links.lower, joined.links.upper], axis=1)
    pairs = np.ascontiguousarray(np.concatenate([shared, steps]), dtype=np.int32)
    components = np.empty(count, dtype=np.int32)
    nothing = np.zeros(count + 1, dtype=np.int32)
    unite_regions(pairs, nothing, np.empty(0, dtype=np.int32), components)
    area = np.bincount(components, contours.cells, minlength=count) * cell * cell
    corners = joined.points[joined.vertices] * cell
    stays = least.hold(area, corners, components[owners])[components]
    return stays, {"small_regions": int(np.count_nonzero(~stays))}


def lay_slices(
    joined: JoinedSlices,
    stays: Bools,
    cell: float,
    method: Method,
    frame: Frame,
    workers: int | None,
    on_chunk: Callable[[float], None],
) -> TriangleMesh:
    """Triangulate regions on their own vertices."""
    chosen = np.flatnonzero(stays)

    def run(start: int, stop: int) -> list[Ids]:
        return [
            part
            for low in range(start * BATCH, stop * BATCH, BATCH)
            for part in _lay_regions(joined, chosen[low : low + BATCH], method)
        ]

    triangles: list[Ids] = [np.empty((0, 3), dtype=np.int32)]
    for reached, chunk in in_chunks(-(-len(chosen) // BATCH), run, workers, smallest=1):
        triangles += chunk
        on_chunk(min(1.0, reached * BATCH / len(chosen)))
    points = np.column_stack([joined.points * cell, joined.heights])
    return TriangleMesh(points, np.concatenate(triangles), frame)


def _lay_regions(joined: JoinedSlices, chosen: Indices, method: Method) -> list[Ids]:
    """Return triangles of regions; one array if all can be laid at once."""
    low, high = joined.region_rings[chosen], joined.region_rings[chosen + 1]
    rings = ranges(low, high)
    sizes = np.diff(joined.ring_offsets)[rings]
    starts = joined.ring_offsets[rings]
    corners = joined.vertices[ranges(starts, starts + sizes)]
    ring_owners = np.repeat(np.arange(len(chosen), dtype=np.int32), high - low)
    apart = Apart.of(joined.points, corners, np.repeat(ring_owners, sizes))
    if apart is None:
        middle = len(chosen) // 2
        return [
            *_lay_regions(joined, chosen[:middle], method),
            *_lay_regions(joined, chosen[middle:], method),
        ]
    flat = np.zeros(len(apart.names))
    triangles = triangulate(apart.points, offsets_of(sizes), apart.rings, method, flat)
    return [apart.names[triangles]]


def make_stepped(
    ground: TriangleMesh,
    joined: JoinedSlices,
    stays: Bools,
    agent: Agent,
    cell: float,
    cell_height: float,
) -> NavMesh:
    """Return the navmesh of level regions, with links at their steps."""
    navmesh = make_navmesh(ground, ground, agent, cell_height)
    links = joined.links
    kept = stays[links.lower] & stays[links.upper]
    places = np.ascontiguousarray(np.concatenate([links.low[kept], links.high[kept]]))
    polygons = _polygons_at(navmesh, ground.frame, places, cell, 1.5 * cell_height)
    half = len(polygons) // 2
    found = (polygons[:half] >= 0) & (polygons[half:] >= 0)
    steps = np.zeros(int(np.count_nonzero(found)), dtype=LINK_DTYPE)
    to_world = ground.frame.to_world
    steps["start"] = to_world(places[:half][found])
    steps["goal"] = to_world(places[half:][found])
    steps["start_polygon"] = polygons[:half][found]
    steps["goal_polygon"] = polygons[half:][found]
    steps["two_way"] = True
    across = places[half:][found, :2] - places[:half][found, :2]
    steps["cost"] = np.hypot(across[:, 0], across[:, 1])
    triangles, owners = detail_of(navmesh) or (None, None)
    return NavMesh(
        navmesh.vertices,
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        neighbors=navmesh.neighbors,
        links=steps,
        triangles=triangles,
        triangle_polygons=owners,
        agent=navmesh.agent,
        up=navmesh.up,
    )


def _polygons_at(navmesh: NavMesh, frame: Frame, places: Floats, cell: float, height: float) -> Ids:
    """(n,) int32: the polygon whose boundary each place lies on; -1 if there is none."""
    boundary = np.flatnonzero(navmesh.neighbors < 0)
    points = frame.to_plan(navmesh.vertices)
    # On the lattice again: on the way to world coordinates and back, if these are at an angle to
    # the plan's, edges in one line would get places of their own.
    points[:, :2] = np.round(points[:, :2] / cell) * cell
    starts = points[navmesh.polygon_vertices[boundary]]
    ends = points[edge_ends(navmesh)[boundary]]
    owners = corner_polygons(navmesh)[boundary]
    result = np.full(len(places), -1, dtype=np.int32)
    for axis in (0, 1):  # along which edges run
        across = 1 - axis
        along = np.abs(starts[:, across] - ends[:, across]) < ALONG_AXIS
        edges = np.column_stack(
            [
                starts[along, across],
                np.minimum(starts[along, axis], ends[along, axis]),
                np.maximum(starts[along, axis], ends[along, axis]),
                np.minimum(starts[along, 2], ends[along, 2]),
                np.maximum(starts[along, 2], ends[along, 2]),
            ]
        )
        order = np.lexsort((edges[:, 1], edges[:, 0]))
        find_edges(
            np.ascontiguousarray(edges[order]),
            np.ascontiguousarray(owners[along][order]),
            places,
            axis,
            height,
            result,
        )
    return result
