"""The surface as the search kernels take it, made once and kept with the navmesh."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.kernels.warmup import prepare
from walkmesh.polygon_planes import normals_of
from walkmesh.query.jumps import Jumps, label_islands
from walkmesh.query.kernels.islands import compare_islands
from walkmesh.query.kernels.mesh import END_U, ISLAND, START_U
from walkmesh.query.kernels.prepare import find_mates
from walkmesh.query.surface.kernels.locate import pin_points
from walkmesh.query.surface.kernels.mesh import FROM, LINK, MATE, TO
from walkmesh.query.surface.kernels.prepare import measure_halves, pair_halves
from walkmesh.topology import check_usable, corner_polygons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.surface.desk import Desk

# Ways whose lengths differ by less than this part of the navmesh's size are equally long.
_SAME_LENGTH = 1e-12
# So many meshes without some areas are kept.
_MOST_VARIANTS = 8


class Mesh(NamedTuple):
    """Triangles, halves, fans and jumps; see :data:`walkmesh.query.surface.kernels.mesh.Mesh`."""

    points: Floats
    triangles: Ids
    halves: Ids
    shapes: Floats
    fans: Ids
    turns: Floats
    jumps: Floats
    targets: Ids
    departures: Ids


@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """What searches know of a navmesh of a surface.

    Attributes
    ----------
    mesh : Mesh
    owners : (t,) int32
        The polygon of each triangle.
    grounds : (p + 1,) int32
        Where the triangles of each polygon start.
    normals : (t, 3) float64
        Which way the triangles face.
    tree : BoxTree
        Over the triangles that can be stood on.
    islands : (p + 1, 7) int32
        As searches in plan have polygons, with nothing but their islands.
    exits, shores : (i + 1,) and (e,) int32
        Where one-way links lead from each island, see :func:`walkmesh.query.jumps.label_islands`.
    bounded : (i,) bool
        Which islands have a boundary.
    link_price : float
        The least that any link costs for each metre that it leads on.
    both_ways : bool
        Whether every link can be taken back.
    tolerance : float
        What counts as the same length. [Unit: m]
    desks : list of Desk
        Those that are free.
    """

    mesh: Mesh
    owners: Ids
    grounds: Ids
    normals: Floats
    tree: BoxTree
    islands: Ids
    exits: Ids
    shores: Ids
    bounded: NDArray[np.bool_]
    link_price: float
    both_ways: bool
    tolerance: float
    desks: list[Desk] = field(default_factory=list)
    _variants: dict[bytes, SurfaceMesh] = field(default_factory=dict)

    def without(self, navmesh: NavMesh, areas: NDArray[np.bool_]) -> SurfaceMesh:
        """Return the mesh without the polygons of some areas, (256,) bool."""
        barred = areas[navmesh.areas]
        if not barred.any():
            return self
        key = areas.tobytes()
        found = self._variants.get(key)
        if found is None:
            found = SurfaceMesh.of(navmesh, barred)
            if len(self._variants) >= _MOST_VARIANTS:
                self._variants.clear()
            self._variants[key] = found
        return found

    def pin(self, points: Floats, polygons: Ids) -> Ids:
        """Return the triangles of (n,) polygons that (n, 3) points on them lie on."""
        return _pin(points, polygons, self.mesh.points, self.mesh.triangles, self.grounds)

    def reaches(self, starts: Ids, goals: Ids) -> NDArray[np.bool_]:
        """Tell whether there are ways from (n,) triangles to those beside them, -1 for none."""
        result, count = np.empty(len(starts), dtype=np.uint8), len(self.exits) - 1
        compare_islands(
            self.polygons_of(starts), self.polygons_of(goals), self.islands, self.exits,
            self.shores, np.zeros(count), np.empty(count, dtype=np.int32), result,
        )  # fmt: skip
        return result.astype(np.bool_)

    def within_reach(self, triangle: int) -> NDArray[np.uint8]:
        """(t,) uint8: 1 for the triangles to which there are ways from one."""
        labels = self.islands[self.owners, ISLAND]
        reached = np.zeros(len(self.exits) - 1, dtype=np.uint8)
        waiting = [labels[triangle]]
        while waiting:
            island = waiting.pop()
            if not reached[island]:
                reached[island] = 1
                waiting.extend(self.shores[self.exits[island] : self.exits[island + 1]])
        return np.asarray(reached[labels])

    def polygons_of(self, triangles: Ids) -> Ids:
        """Return the polygons of triangles, -1 for none."""
        if len(self.owners) == 0:
            return triangles
        return np.where(triangles >= 0, self.owners[triangles], -1).astype(np.int32)

    @classmethod
    def of(cls, navmesh: NavMesh, barred: NDArray[np.bool_] | None = None) -> SurfaceMesh:
        """Make it; polygons that are `barred`, (p,) bool, are neither entered nor stood on."""
        check_usable(navmesh)
        prepare("walkmesh.query", "walkmesh.query.surface")
        offsets, vertices = navmesh.polygon_offsets, navmesh.polygon_vertices
        points, neighbors = navmesh.vertices, navmesh.neighbors
        triangles, owners = navmesh.triangles, navmesh.triangle_polygons
        grounds, links = navmesh.triangle_offsets, Jumps.of(navmesh, np.asarray)
        tree = BoxTree.over(points, triangles)
        if barred is not None:
            across = barred[np.maximum(neighbors, 0)] & (neighbors >= 0)
            closed = barred[corner_polygons(navmesh)] | across
            neighbors = np.where(closed, -1, neighbors).astype(np.int32)
            links = links.chosen(~(barred[links.origins] | barred[links.ends]))
            free = np.flatnonzero(~barred[owners]).astype(np.int32)
            part = BoxTree.around(tree.boxes[free])
            tree = BoxTree(tree.boxes, free[part.order], part.nodes)
        mates = np.empty(len(vertices), dtype=np.int32)
        find_mates(offsets, vertices, neighbors, mates)
        neighbors = np.where(mates >= 0, neighbors, -1).astype(np.int32)
        halves, shapes, fans, turns = _measure(navmesh, mates)
        labels, exits, shores = label_islands(offsets, neighbors, links)
        islands = np.zeros((navmesh.polygon_count + 1, ISLAND + 1), dtype=np.int32)
        islands[:-1, ISLAND] = labels
        bounded = np.zeros(len(exits) - 1, dtype=np.bool_)
        bounded[labels[owners[np.flatnonzero(halves[:, MATE] < 0) // 3]]] = True
        jumps, targets = _pin_jumps(links, points, triangles, grounds)
        departures = np.searchsorted(targets[:, FROM], np.arange(len(triangles) + 1))
        size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
        mesh = Mesh(
            points, triangles, halves, shapes, fans, turns, jumps, targets,
            departures.astype(np.int32),
        )  # fmt: skip
        return cls(
            mesh,
            owners,
            grounds,
            np.ascontiguousarray(normals_of(offsets, points[vertices])[owners]),
            tree,
            islands,
            exits,
            shores,
            bounded,
            links.price(3),
            bool(links.both_ways.all()),
            _SAME_LENGTH * size,
        )


def _measure(navmesh: NavMesh, mates: Ids) -> tuple[Ids, Floats, Ids, Floats]:
    """Return halves, shapes, fans and turns of a navmesh, for the mates of its sides."""
    triangles = navmesh.triangles
    count = 3 * len(triangles)
    halves, shapes = np.empty((count, 3), dtype=np.int32), np.empty((count, 4))
    fans, turns = np.empty((count, 4), dtype=np.int32), np.empty(count)
    pair_halves(
        navmesh.polygon_offsets, navmesh.polygon_vertices, mates, navmesh.triangle_offsets,
        triangles, halves,
    )  # fmt: skip
    found = measure_halves(navmesh.vertices, triangles, halves, shapes, fans, turns)
    return halves, shapes, fans[:found].copy(), turns[:found].copy()


def _pin_jumps(links: Jumps, points: Floats, triangles: Ids, grounds: Ids) -> tuple[Floats, Ids]:
    """Return jumps and targets in the order of the triangles where they start."""
    targets = np.empty((len(links.origins), 3), dtype=np.int32)
    targets[:, LINK] = links.links
    for column, start, polygons in ((FROM, START_U, links.origins), (TO, END_U, links.ends)):
        places = np.ascontiguousarray(links.places[:, start : start + 3])
        targets[:, column] = _pin(places, polygons, points, triangles, grounds)
    order = np.argsort(targets[:, FROM], kind="stable")
    return np.ascontiguousarray(links.places[order]), np.ascontiguousarray(targets[order])


def _pin(places: Floats, polygons: Ids, points: Floats, triangles: Ids, grounds: Ids) -> Ids:
    """Return the triangles of polygons that places lie on, -1 for no polygon."""
    found = np.empty(len(places), dtype=np.int32)
    pin_points(places, polygons, points, triangles, grounds, found)
    return found
