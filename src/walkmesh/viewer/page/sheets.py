"""Sheets that face anywhere: lifted off the scene along their own normals instead of up.

What is above another layer of the page must be so on walls and ceilings too. Along a fold, where
two sheets meet, a line is lifted by the mitre of both normals: as high above the one as above the
other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.polygon_planes import Planes
from walkmesh.topology import corner_polygons, edge_ends
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh

_KINDS = {"open": OPEN, "blocked": BLOCKED, "inner_wall": INNER_WALL}
# At a sharper fold than this allows, the mitre would be long: 1 plus the cosine of the angle.
_SHARPEST = 0.25


def lifted_triangles(points: Floats, triangles: Ids, height: float) -> tuple[Floats, Ids]:
    """Return triangles, each moved along its normal by some metres; they no longer share points."""
    corners = points[triangles] + height * _normals(points, triangles)[:, None]
    return corners.reshape(-1, 3), np.arange(triangles.size, dtype=np.int32).reshape(-1, 3)


def triangle_edges(
    points: Floats, triangles: Ids, kinds: NDArray[np.uint8], height: float
) -> dict[str, Floats]:
    """Return the edges of triangles, (k, 2, 3) float64, lifted by some metres, by kind.

    What lies beyond each is in `kinds`, as :attr:`walkmesh.builder.mesh.TriangleMesh.edge_kinds`
    says. "shared" have ground beyond, once where two triangles share vertices; "open", "blocked"
    and "inner_wall" have none.
    """
    mates = match_triangles(triangles)
    normals = _normals(points, triangles)
    ends = np.stack([triangles.ravel(), triangles[:, [1, 2, 0]].ravel()], axis=1)
    here = np.arange(len(mates), dtype=np.int32)
    matched = _lifted_edges(points, normals, ends, here // 3, mates // 3, height)
    outer = kinds.ravel()[mates < 0]
    alone = matched["boundary"]
    edges = {name: alone[outer == kind] for name, kind in _KINDS.items()}
    return {"shared": np.concatenate([matched["shared"], alone[outer == INNER]]), **edges}


def polygon_edges(navmesh: NavMesh, points: Floats, height: float) -> dict[str, Floats]:
    """Return the edges of a navmesh, lifted by some metres: "shared", each once, and "boundary".

    `points` are its vertices in a plan frame.
    """
    planes = Planes.of(points, navmesh.polygon_offsets, navmesh.polygon_vertices)
    ends = np.stack([navmesh.polygon_vertices, edge_ends(navmesh)], axis=1)
    return _lifted_edges(
        points, planes.normals, ends, corner_polygons(navmesh), navmesh.neighbors, height
    )


def normal_at(navmesh: NavMesh, place: Floats) -> Floats | None:
    """Return where up is at a place, a (3,) unit vector of the world; None if up is everywhere."""
    if not navmesh.surface:
        return None
    normal: Floats = normals_at(navmesh, np.asarray(place, dtype=np.float64)[None])[0]
    return normal


def normals_at(navmesh: NavMesh, places: Floats) -> Floats:
    """Return (n, 3) float64 normals of the polygons of a surface nearest to (n, 3) places."""
    polygons = navmesh.nearest(places).polygons
    planes = Planes.of(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
    return np.where((polygons >= 0)[:, None], planes.normals[polygons], np.array(navmesh.up))


def lifts_along(navmesh: NavMesh, points: Floats) -> Floats | None:
    """Return (k, 3) float64: where (k, 3) points of a line on a surface are moved to lie above it.

    For one metre above; None if that is up everywhere.
    """
    if not navmesh.surface:
        return None
    if len(points) < 2:
        return normals_at(navmesh, points)
    # The middle of a piece tells which polygon it is on; its ends may be on folds.
    normals = normals_at(navmesh, (points[:-1] + points[1:]) / 2.0)
    return _mitres(np.concatenate([normals[:1], normals]), np.concatenate([normals, normals[-1:]]))


def _lifted_edges(
    points: Floats, normals: Floats, ends: Ids, owners: Ids, others: Ids, height: float
) -> dict[str, Floats]:
    """Return edges by kind; `others` are the sheets beyond those of `owners`, negative for none."""
    alone, once = others < 0, others > owners
    outer = normals[owners[alone]]
    inner = _mitres(normals[owners[once]], normals[others[once]])
    return {
        "shared": points[ends[once]] + height * inner[:, None],
        "boundary": points[ends[alone]] + height * outer[:, None],
    }


def _mitres(one: Floats, other: Floats) -> Floats:
    """Return (n, 3) vectors that are one high above two planes with (n, 3) unit normals."""
    facing = 1.0 + np.einsum("ij,ij->i", one, other)
    mitres: Floats = (one + other) / np.maximum(facing, _SHARPEST)[:, None]
    return mitres


def _normals(points: Floats, triangles: Ids) -> Floats:
    offsets = np.arange(0, triangles.size + 1, 3, dtype=np.int32)
    return Planes.of(points, offsets, triangles.reshape(-1)).normals
