"""The planes that polygons lie in, on navmeshes of surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh


def polygon_normals(navmesh: NavMesh) -> Floats:
    """(p, 3) float64: the unit vectors that polygons are counter-clockwise around.

    They are sums over all corners (Newell), so that nearly straight ones do no harm. Zero for
    polygons without area.
    """
    corners, starts = navmesh.polygon_vertices, navmesh.polygon_offsets[:-1]
    if len(starts) == 0:
        return np.empty((0, 3))
    # From each polygon's first corner, so that far from the origin no digits are lost.
    firsts = navmesh.vertices[corners[starts]][navmesh.corner_polygons]
    here = navmesh.vertices[corners] - firsts
    there = navmesh.vertices[navmesh.edge_ends] - firsts
    sums = np.add.reduceat(np.cross(here, there), starts, axis=0)
    lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
    return np.asarray(sums / np.where(lengths > 0.0, lengths, 1.0))


def flat_corners(navmesh: NavMesh) -> Floats:
    """(c, 3) float64: the corner points of polygons, each in a frame of its own plane."""
    normals = polygon_normals(navmesh)
    owners = navmesh.corner_polygons
    # Along the axis that the normal has least of, nothing is nearly parallel to it.
    axes = np.eye(3)[np.argmin(np.abs(normals), axis=1)] if len(normals) else np.empty((0, 3))
    u = np.cross(axes, normals)
    lengths = np.sqrt((u * u).sum(axis=1, keepdims=True))
    u /= np.where(lengths > 0.0, lengths, 1.0)
    v = np.cross(normals, u)
    firsts = navmesh.polygon_vertices[navmesh.polygon_offsets[:-1]]
    points = navmesh.vertices[navmesh.polygon_vertices] - navmesh.vertices[firsts][owners]
    along = [(points * axis[owners]).sum(axis=1) for axis in (u, v, normals)]
    return np.stack(along, axis=1)
