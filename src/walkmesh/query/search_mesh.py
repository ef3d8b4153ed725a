"""The navmesh as the search kernels take it, made once and kept with the navmesh."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.kernels.warmup import prepare
from walkmesh.query.drape import GROUND_TOLERANCE
from walkmesh.query.jumps import Jumps, label_islands
from walkmesh.query.kernels.blocks import find_blocks
from walkmesh.query.kernels.mesh import (
    BLOCK,
    BROKEN,
    DEPTH,
    FACETED,
    FIRST,
    GROUND,
    ISLAND,
    JUMP_BLOCK,
    JUMPS,
    LINK,
    MATE,
    MESH_FLOATS,
    MESH_INTS,
    NEIGHBOR,
    ORIGIN,
    PLANE,
    POLYGON,
    RELIEF,
    UP,
    VERTEX,
)
from walkmesh.query.kernels.prepare import (
    fill_cells,
    find_corners,
    find_mates,
    find_planes,
    list_diagonals,
)
from walkmesh.query.packed import pack
from walkmesh.topology import check_usable, corner_polygons, detail_of, plan_points

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.ask import Question
    from walkmesh.query.desk import Desk

# A polygon whose ground is nowhere farther from a plane than this counts as one: a straight line
# between two places on it is off the ground by no more than twice as much.
_PLANE = GROUND_TOLERANCE / 2.0
# The grid has so many cells for each triangle, as long as there are no more entries in it than so
# many for each.
_CELLS = 2.0
_MOST_ENTRIES = 12
# So many meshes without some areas are kept.
_MOST_VARIANTS = 8


class Mesh(NamedTuple):
    """Polygons, sides and links; see :data:`walkmesh.query.kernels.mesh.Mesh`."""

    points: Floats
    polygons: Ids
    sides: Ids
    corners: Ids
    tops: Ids
    jumps: Floats
    targets: Ids
    exits: Ids
    shores: Ids
    diagonals: Ids


class Ground(NamedTuple):
    """Triangles under a box tree; see :data:`walkmesh.query.kernels.mesh.Ground`."""

    triangles: Ids
    owners: Ids
    boxes: Floats
    order: Ids
    nodes: Floats
    grid: Floats
    starts: Ids
    members: Ids

    @classmethod
    def over(
        cls, points: Floats, triangles: Ids, owners: Ids, free: NDArray[np.bool_] | None
    ) -> Ground:
        """Put triangles, all or those that are `free`, (t,) bool, under a tree and a grid."""
        tree = BoxTree.over(points, triangles)
        if free is None:
            grid, starts, members = _make_grid(points, triangles)
            return cls(triangles, owners, tree.boxes, tree.order, tree.nodes, grid, starts, members)
        chosen = np.flatnonzero(free).astype(np.int32)
        grid, starts, members = _make_grid(points, triangles[chosen])
        part = BoxTree.around(tree.boxes[chosen])
        order = chosen[part.order]
        return cls(triangles, owners, tree.boxes, order, part.nodes, grid, starts, chosen[members])


@dataclass(frozen=True, eq=False)
class SearchMesh:
    """What searches know of a navmesh.

    Attributes
    ----------
    mesh : Mesh
    ground : Ground
    axes : (3, 3) float64
        The unit vectors of the plan frame as rows.
    link_price : float
        The least that any link costs for each metre that it leads on in plan.
    desks : list of Desk
        Those that are free.
    questions : dict
        Those that were asked lately, see :class:`walkmesh.query.ask.Question`.
    """

    mesh: Mesh
    ground: Ground
    axes: Floats
    link_price: float
    desks: list[Desk] = field(default_factory=list)
    questions: dict[tuple[bool, float, bool], Question] = field(default_factory=dict)
    _variants: dict[bytes, SearchMesh] = field(default_factory=dict)

    @cached_property
    def packed(self) -> tuple[Floats, Ids, NDArray[np.int64]]:
        """Mesh and ground as the path kernels take them: floats, ints and their layout."""
        arrays = {**self.ground._asdict(), **self.mesh._asdict()}
        floats, float_layout = pack([arrays[name] for name in MESH_FLOATS])
        ints, int_layout = pack([arrays[name] for name in MESH_INTS])
        return floats, ints, np.concatenate([float_layout, int_layout])

    @property
    def has_one_way_links(self) -> bool:
        """Whether any link leads one way only."""
        return len(self.mesh.jumps) != 2 * len(np.unique(self.mesh.targets[:, LINK]))

    @cached_property
    def even_costs(self) -> Floats:
        """(p,) float64: what a metre costs on each polygon, which is 1."""
        return np.ones(len(self.mesh.polygons) - 1)

    def without(self, navmesh: NavMesh, areas: NDArray[np.bool_]) -> SearchMesh:
        """Return the mesh without the polygons of some areas, (256,) bool."""
        barred = areas[navmesh.areas]
        if not barred.any():
            return self
        key = areas.tobytes()
        found = self._variants.get(key)
        if found is None:
            found = SearchMesh.of(navmesh, barred)
            if len(self._variants) >= _MOST_VARIANTS:
                self._variants.clear()
            self._variants[key] = found
        return found

    @classmethod
    def of(cls, navmesh: NavMesh, barred: NDArray[np.bool_] | None = None) -> SearchMesh:
        """Make it; polygons that are `barred`, (p,) bool, are neither entered nor stood on."""
        check_usable(navmesh)
        prepare("walkmesh.query")
        offsets, vertices = navmesh.polygon_offsets, navmesh.polygon_vertices
        points, count = plan_points(navmesh), navmesh.polygon_count
        owners, neighbors = corner_polygons(navmesh), navmesh.neighbors
        triangles, triangle_owners = navmesh.triangles, navmesh.triangle_polygons
        links, free = Jumps.of(navmesh, navmesh.frame.to_plan), None
        if barred is not None:
            across = barred[np.maximum(neighbors, 0)] & (neighbors >= 0)
            neighbors = np.where(barred[owners] | across, -1, neighbors).astype(np.int32)
            free = ~barred[triangle_owners]
            links = links.chosen(~(barred[links.origins] | barred[links.ends]))
        mates = np.empty(len(vertices), dtype=np.int32)
        find_mates(offsets, vertices, neighbors, mates)
        neighbors = np.where(mates >= 0, neighbors, -1).astype(np.int32)

        corners = np.zeros(len(points), dtype=np.int32)
        find_corners(points, offsets, vertices, mates, corners)
        planes = np.empty(count, dtype=np.uint8)
        grounds = navmesh.triangle_offsets
        find_planes(points, offsets, vertices, triangles, grounds, _PLANE, planes)

        polygons = np.zeros((count + 1, 7), dtype=np.int32)
        polygons[:, FIRST] = offsets
        polygons[:, GROUND] = grounds
        polygons[:, JUMPS] = np.searchsorted(links.origins, np.arange(count + 1))
        polygons[:-1, RELIEF] = np.where(
            planes, PLANE, FACETED if detail_of(navmesh) is None else BROKEN
        )
        sides = np.empty((len(vertices), 4), dtype=np.int32)
        sides[:, VERTEX] = vertices
        sides[:, NEIGHBOR] = neighbors
        sides[:, MATE] = mates
        targets = np.empty((len(links.origins), 4), dtype=np.int32)
        targets[:, POLYGON] = links.ends
        targets[:, ORIGIN] = links.origins
        targets[:, LINK] = links.links
        without_detail = len(vertices) - 3 * count if detail_of(navmesh) is None else 0
        diagonals = np.empty((without_detail, 2), dtype=np.int32)
        if detail_of(navmesh) is None:
            list_diagonals(offsets, triangles, diagonals)
        tops = _connect(owners, polygons, sides, targets)
        polygons[:-1, ISLAND], exits, shores = label_islands(offsets, neighbors, links)
        return cls(
            Mesh(
                points,
                polygons,
                sides,
                corners,
                tops,
                links.places,
                targets,
                exits,
                shores,
                diagonals,
            ),
            Ground.over(points, triangles, triangle_owners, free),
            np.ascontiguousarray(navmesh.frame.axes),
            links.price(2),
        )


def _connect(owners: Ids, polygons: Ids, sides: Ids, targets: Ids) -> Ids:
    """Fill in the blocks of polygons, sides and jumps, and return the tops of blocks."""
    shared = np.flatnonzero(sides[:, MATE] > np.arange(len(sides)))
    froms = np.concatenate([owners[shared], targets[:, ORIGIN]])
    tos = np.concatenate([sides[shared, NEIGHBOR], targets[:, POLYGON]])
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
    polygons[:-1, UP] = up
    polygons[:-1, DEPTH] = depths
    sides[:, BLOCK] = -1
    sides[shared, BLOCK] = blocks[: len(shared)]
    sides[sides[shared, MATE], BLOCK] = blocks[: len(shared)]
    targets[:, JUMP_BLOCK] = blocks[len(shared) :]
    return tops[:found].copy()


def _make_grid(points: Floats, triangles: Ids) -> tuple[Floats, Ids, Ids]:
    """Put triangles under a grid in plan; see :data:`walkmesh.query.kernels.mesh.Ground`."""
    if len(triangles) == 0:
        return (
            np.array([0.0, 0.0, 1.0, 1.0, 1.0]),
            np.zeros(2, dtype=np.int32),
            np.empty(0, np.int32),
        )
    places = points[triangles, :2]
    lows, highs = places.min(axis=1), places.max(axis=1)
    low, extent = lows.min(axis=0), np.ptp(places.reshape(-1, 2), axis=0)
    extent = np.maximum(extent, 1e-6 * extent.max() + 1e-9)
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
    return grid, starts, members
