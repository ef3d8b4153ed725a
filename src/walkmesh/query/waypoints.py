"""Placing path nodes on a navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.kernels.meshes.union_find import unite_pairs
from walkmesh.query.finders import backend_of
from walkmesh.query.kernels.mates import find_mates
from walkmesh.ragged import following_corners
from walkmesh.topology import corner_polygons, edge_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


class SharedSides(NamedTuple):
    """The sides that two polygons share, each of them once.

    Attributes
    ----------
    firsts, seconds : (s,) int
        The corners where they start, in one polygon and in the other, the other way round.
    polygons : (s, 2) int32
        These polygons.
    middles : (s, 3) float64
        World coordinates, on the ground of the first polygon. [Unit: m]
    """

    firsts: NDArray[np.intp]
    seconds: Ids
    polygons: Ids
    middles: Floats

    @classmethod
    def of(cls, navmesh: NavMesh) -> SharedSides:
        """Return those of a navmesh, in the order of their corners."""
        offsets, corners = navmesh.polygon_offsets, navmesh.polygon_vertices
        mates = np.empty(len(corners), dtype=np.int32)
        find_mates(offsets, corners, navmesh.neighbors, mates)
        firsts = np.flatnonzero(mates > np.arange(len(mates)))
        seconds = mates[firsts]
        polygons = corner_polygons(navmesh)[np.stack([firsts, seconds], axis=1)]
        a, b = (navmesh.vertices[ends[firsts]] for ends in (corners, edge_ends(navmesh)))
        middles = backend_of(navmesh).onto_sides(a + (b - a) / 2, polygons[:, 0])
        return cls(firsts, seconds, polygons, middles)


class Placed(NamedTuple):
    """Nodes of one kind.

    Attributes
    ----------
    positions : (n, 3) float64
        World coordinates, on the ground. [Unit: m]
    nodes, polygons : (k,) int
        Pairs: a node and a polygon that it belongs to.
    """

    positions: Floats
    nodes: NDArray[np.integer]
    polygons: NDArray[np.integer]


def place_centers(navmesh: NavMesh) -> Placed:
    """Place a node at the centroid of each polygon."""
    owners, triangles = navmesh.triangle_polygons, navmesh.triangles
    # From one vertex of each polygon, so that one far from the origin loses no digits.
    origins = navmesh.vertices[navmesh.polygon_vertices[navmesh.polygon_offsets[:-1]]]
    a, b, c = (navmesh.vertices[triangles[:, k]] - origins[owners] for k in range(3))
    normals = np.cross(b - a, c - a)
    backend = backend_of(navmesh)
    areas = backend.face_areas(normals)
    count = navmesh.polygon_count
    whole = np.bincount(owners, areas, count)
    # One without area still has a middle: that of its triangles, each of which counts as much.
    areas = np.where(whole[owners] > 0.0, areas, 1.0)
    whole = np.maximum(np.bincount(owners, areas, count), np.finfo(np.float64).tiny)
    moments = (areas / (3.0 * whole[owners]))[:, None] * (a + b + c)
    local = np.stack([np.bincount(owners, moments[:, k], count) for k in range(3)], axis=1)
    polygons = np.arange(count, dtype=np.int32)
    return Placed(backend.onto_ground(origins + local, polygons), polygons, polygons)


def place_midpoints(sides: SharedSides) -> Placed:
    """Place a node in the middle of each side that two polygons share."""
    nodes = np.repeat(np.arange(len(sides.middles)), 2)
    return Placed(sides.middles, nodes, sides.polygons.ravel())


def place_corners(navmesh: NavMesh, sides: SharedSides) -> Placed:
    """Place a node at each vertex that is a corner of a polygon.

    Where sets of polygons have nothing but a vertex in common, there is a node for each of them:
    nobody can walk from one to the other.
    """
    offsets, corners = navmesh.polygon_offsets, navmesh.polygon_vertices
    following = following_corners(offsets)
    starts = np.stack([sides.firsts, following[sides.seconds]], axis=1)
    ends = np.stack([following[sides.firsts], sides.seconds], axis=1)
    labels = np.empty(len(corners), dtype=np.int32)
    unite_pairs(np.concatenate([starts, ends]).astype(np.int32), labels)
    fans, nodes = np.unique(labels, return_inverse=True)
    owners = corner_polygons(navmesh)
    positions = backend_of(navmesh).onto_sides(navmesh.vertices[corners[fans]], owners[fans])
    return Placed(positions, nodes, owners)


def place_link_ends(navmesh: NavMesh) -> Placed:
    """Place a node at each end of each link: that of its start, and then that of its goal."""
    links = navmesh.links
    positions = np.stack([links["start"], links["goal"]], axis=1).reshape(-1, 3)
    polygons = np.stack([links["start_polygon"], links["goal_polygon"]], axis=1).ravel()
    return Placed(positions, np.arange(len(polygons)), polygons)
