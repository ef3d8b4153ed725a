"""The surface as the search kernels take it, made once and kept with the navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.kernels.warmup import prepare
from walkmesh.polygon_planes import normals_of
from walkmesh.query.connections import PolygonConnections, tree_over
from walkmesh.query.kernels.jumps import END, START
from walkmesh.query.kernels.tolerances import SAME_LENGTH_PART
from walkmesh.query.packed import pack_both
from walkmesh.query.surface.kernels import columns as col
from walkmesh.query.surface.kernels.locate import pin_points
from walkmesh.query.surface.kernels.mesh import MESH_FLOATS, MESH_INTS
from walkmesh.query.surface.kernels.prepare import measure_halves, pair_halves
from walkmesh.topology import check_usable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.jumps import Jumps


class SurfaceMesh:
    """What searches know of a navmesh of a surface; arrays are read-only.

    Attributes
    ----------
    points, triangles, halves, shapes, fans, turns, jumps, targets, departures
        See :mod:`walkmesh.query.surface.kernels.mesh`.
    owners : (t,) int32
        The polygon of each triangle.
    grounds : (p + 1,) int32
        Where the triangles of each polygon start.
    floats, ints, layout : (n,) float64, (m,) int32 and (k, 3) int64
        All arrays as kernels take them: packed, and where each of them lies.
    connections : PolygonConnections
        With islands and jumps.
    bounded : (i,) bool
        Which islands have a boundary.
    tolerance : float
        What counts as the same length. [Unit: m]
    """

    points: Floats
    triangles: Ids
    halves: Ids
    shapes: Floats
    fans: Ids
    turns: Floats
    jumps: Floats
    targets: Ids
    departures: Ids
    owners: Ids

    def __init__(self, navmesh: NavMesh, barred: NDArray[np.bool_] | None) -> None:
        """Make it; polygons that are `barred`, (p,) bool, are neither entered nor stood on."""
        check_usable(navmesh)
        prepare("walkmesh.query", "walkmesh.query.surface")
        points, triangles, owners = navmesh.vertices, navmesh.triangles, navmesh.triangle_polygons
        self.grounds = navmesh.triangle_offsets
        self.connections = PolygonConnections.of(navmesh, np.asarray, barred)
        free = None if barred is None else np.flatnonzero(~barred[owners]).astype(np.int32)
        tree = tree_over(points, triangles, free)
        halves, shapes, fans, turns = _measure(navmesh, self.connections.mates)
        islands, links = self.connections.islands, self.connections.jumps
        self.bounded = np.zeros(len(islands.exits) - 1, dtype=np.bool_)
        self.bounded[islands.labels[owners[np.flatnonzero(halves[:, col.MATE] < 0) // 3]]] = True
        jumps, targets = _pin_jumps(links, points, triangles, self.grounds)
        departures = np.searchsorted(targets[:, col.FROM], np.arange(len(triangles) + 1))
        size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
        self.tolerance = SAME_LENGTH_PART * size
        offsets, corners = navmesh.polygon_offsets, points[navmesh.polygon_vertices]
        arrays: dict[str, NDArray[Any]] = {
            "points": points,
            "shapes": shapes,
            "turns": turns,
            "jumps": jumps,
            "normals": normals_of(offsets, corners)[owners],
            "boxes": tree.boxes,
            "nodes": tree.nodes,
            "triangles": triangles,
            "halves": halves,
            "fans": fans,
            "targets": targets,
            "departures": departures.astype(np.int32),
            "owners": owners,
            "order": tree.order,
        }
        self.floats, self.ints, self.layout, kept = pack_both(arrays, MESH_FLOATS, MESH_INTS)
        vars(self).update(kept)


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
    targets[:, col.LINK] = links.links
    for column, start, polygons in ((col.FROM, START, links.origins), (col.TO, END, links.ends)):
        places = np.ascontiguousarray(links.places[:, start : start + 3])
        targets[:, column] = pin(places, polygons, points, triangles, grounds)
    order = np.argsort(targets[:, col.FROM], kind="stable")
    return np.ascontiguousarray(links.places[order]), np.ascontiguousarray(targets[order])


def pin(places: Floats, polygons: Ids, points: Floats, triangles: Ids, grounds: Ids) -> Ids:
    """Return the triangles of polygons that places lie on, -1 for no polygon."""
    found = np.empty(len(places), dtype=np.int32)
    pin_points(places, polygons, points, triangles, grounds, found)
    return found
