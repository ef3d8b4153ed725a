"""Spheres of triangles: an icosahedron, every triangle of which is cut into four repeatedly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids


def icosphere(subdivisions: int) -> tuple[Floats, Ids]:
    """Return the (n, 3) unit vectors and the (m, 3) triangles, seen from outside, of a sphere."""
    points, faces = _icosahedron()
    for _ in range(subdivisions):
        points, faces = refined(points, faces)
        points /= np.linalg.norm(points, axis=1)[:, None]
    return points, faces


def refined(points: Floats, faces: Ids) -> tuple[Floats, Ids]:
    """Return points and triangles with a point in the middle of every edge: four for each one."""
    sides = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ends, middles = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    ab, bc, ca = (middles.reshape(-1, 3) + len(points)).T
    a, b, c = faces.T
    corners = [a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]
    four = np.stack(corners, axis=1).reshape(-1, 3).astype(np.int32)
    return np.concatenate([points, points[ends].mean(axis=1)]), four


def largest_turn(points: Floats, faces: Ids) -> float:
    """Return the largest turn, in degrees, of an edge that is convex seen from outside.

    It is the angle between the normals of the two faces that meet there.
    """
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    # Sorted by their ends, the two sides of every edge follow each other.
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    first, second = np.lexsort(sides.T).reshape(-1, 2).T
    opposite = corners[:, [2, 0, 1]].reshape(-1, 3)
    one, other = normals[first // 3], normals[second // 3]
    convex = np.einsum("ij,ij->i", one, opposite[second] - points[sides[first, 0]]) < 0.0
    cosine = np.einsum("ij,ij->i", one, other)[convex].min(initial=1.0)
    return math.degrees(math.acos(cosine))


def _icosahedron() -> tuple[Floats, Ids]:
    """Return the 12 corners, as unit vectors, and the 20 triangles, seen from outside."""
    golden = (1.0 + math.sqrt(5.0)) / 2.0
    signs = [(s, t) for s in (-1.0, 1.0) for t in (-golden, golden)]
    points = np.array(
        [(0.0, s, t) for s, t in signs]
        + [(s, t, 0.0) for s, t in signs]
        + [(t, 0.0, s) for s, t in signs]
    )
    # Edges are 2 long, all other distances are longer; so three corners 2 apart are a triangle.
    near = np.linalg.norm(points[:, None] - points, axis=2) < 2.1
    faces = [
        (a, b, c)
        for a in range(12)
        for b in range(a + 1, 12)
        for c in range(b + 1, 12)
        if near[a, b] and near[b, c] and near[c, a]
    ]
    outwards = [face if np.linalg.det(points[list(face)]) > 0.0 else face[::-1] for face in faces]
    return points / math.hypot(1.0, golden), np.array(outwards, dtype=np.int32)
