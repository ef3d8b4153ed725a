"""Soundness: triangles that lie over others, by a hair, or that no agent climbs, are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.kernels.tolerances import SHORT_EDGE
from walkmesh.builder.kernels.tolerances import NO_PATCH
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.rises import are_climbed
from walkmesh.overlaps import overlapping_pairs
from walkmesh.tolerances import NO_WIDTH, TOUCHING, headroom
from walkmesh.triangles import label_parts, match_triangles, plan_measures

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids, Indices
    from walkmesh.builder.smallest_part import SmallestPart

# Flips that concern the same triangle take turns; and a flip may leave another sliver to flip.
_FLIP_ROUNDS = 4


def make_sound(
    mesh: TriangleMesh, agent: Agent, least: SmallestPart, workers: int | None = None
) -> tuple[TriangleMesh, dict[str, int]]:
    """Leave out triangles without area, the smaller of two over each other, and impossible rises.

    Stitching moves vertices by less than a millimetre, which can turn a sliver over or push it
    under its neighbour. Left out, a long one would part the ground on both sides of it, so its
    longest edge is flipped, or its shortest one collapsed, if that helps. What is lost by this is
    next to nothing in area; specks that come apart by it are left out too.

    Where two steps follow each other within a hand's breadth, as on a sliver of ground between low
    and high ground, their ramps are one rise that is higher than a step. Its triangles are left
    out, so that the ground ends there and goes on beside it.

    Returns
    -------
    TriangleMesh
        Without them.
    dict of str to int
        Counts: slivers flipped and collapsed, triangles without area, triangles over others, those
        that rise too high, and those in specks.
    """
    mesh, flipped = _flip_slivers(mesh)
    mesh, collapsed = _collapse_slivers(mesh)
    area, width = _plan_area(mesh.points, mesh.triangles)
    solid = width > 2.0 * NO_WIDTH
    triangles = np.ascontiguousarray(mesh.triangles[solid])
    owners = np.arange(len(triangles), dtype=np.int32)
    pairs = overlapping_pairs(
        mesh.points, triangles, owners, headroom(agent), TOUCHING / 2.0, workers
    )
    area = area[solid]
    smaller = np.where(area[pairs[:, 0]] < area[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
    kept = np.ones(len(triangles), dtype=bool)
    kept[smaller] = False
    triangles, area = np.ascontiguousarray(triangles[kept]), area[kept]
    climbed = are_climbed(mesh.points, triangles, agent)
    triangles, area = triangles[climbed], area[climbed]
    patches = label_parts(triangles)
    total = np.bincount(patches, weights=area)
    places = mesh.points[triangles.ravel(), :2]
    large = ((total >= NO_PATCH) & least.hold(total, places, np.repeat(patches, 3)))[patches]
    counts = {
        "slivers_flipped": flipped,
        "slivers_collapsed": collapsed,
        "triangles_without_area": int(np.count_nonzero(~solid)),
        "triangles_over_others": int(np.count_nonzero(~kept)),
        "triangles_too_high": int(np.count_nonzero(~climbed)),
        "triangles_in_specks": int(np.count_nonzero(~large)),
    }
    return TriangleMesh(mesh.points, np.ascontiguousarray(triangles[large]), mesh.frame), counts


def _flip_slivers(mesh: TriangleMesh) -> tuple[TriangleMesh, int]:
    """Flip the longest edges of triangles without area, where both new ones have some; count them.

    ::

        a ----- c ----- b        a ----- c ----- b
          `.         .'            `.    |    .'         c is on the edge, or a hair beyond it
            `.     .'                `.  |  .'
               `d'                      `d'
    """
    triangles = mesh.triangles.copy()
    count = 0
    for _ in range(_FLIP_ROUNDS):
        slivers = np.flatnonzero(_plan_area(mesh.points, triangles)[1] <= 2.0 * NO_WIDTH)
        if len(slivers) == 0:
            break
        corners = mesh.points[triangles[slivers], :2]
        lengths = np.hypot(*(np.roll(corners, -1, axis=1) - corners).transpose(2, 0, 1))
        edges = 3 * slivers + lengths.argmax(axis=1)
        mates = match_triangles(triangles)[edges]
        inner = mates >= 0
        edges, mates = edges[inner], mates[inner]
        corner = triangles.ravel()
        a, b, c, d = (
            corner[edge - edge % 3 + (edge + k) % 3]
            for edge, k in ((edges, 0), (edges, 1), (edges, 2), (mates, 2))
        )
        new = np.stack([np.stack([c, a, d], axis=1), np.stack([d, b, c], axis=1)], axis=1)
        wide = _plan_area(mesh.points, new.reshape(-1, 3))[1]
        good = (wide > 2.0 * NO_WIDTH).reshape(-1, 2).all(axis=1)
        # Of flips that concern the same triangle, the first.
        pairs = np.stack([edges // 3, mates // 3], axis=1)[good]
        _, first, which = np.unique(pairs, return_index=True, return_inverse=True)
        free = (first[which].reshape(-1, 2) // 2 == np.arange(len(pairs))[:, None]).all(axis=1)
        if not free.any():
            break
        triangles[pairs[free]] = new[good][free]
        count += int(np.count_nonzero(free))
    return TriangleMesh(mesh.points, triangles, mesh.frame), count


def _collapse_slivers(mesh: TriangleMesh) -> tuple[TriangleMesh, int]:
    """Collapse short edges of triangles without area, where all around keep theirs; count them."""
    slivers = np.flatnonzero(_plan_area(mesh.points, mesh.triangles)[1] <= 2.0 * NO_WIDTH)
    if len(slivers) == 0:
        return mesh, 0
    triangles = mesh.triangles.copy()
    fans = _fans(triangles, np.unique(triangles[slivers]))
    gone = np.zeros(len(triangles), dtype=bool)
    count = 0
    for sliver in slivers:
        corners = triangles[sliver]
        places = mesh.points[corners]
        along = np.roll(places, -1, axis=0) - places
        k = int(np.hypot(along[:, 0], along[:, 1]).argmin())
        if gone[sliver] or np.linalg.norm(along[k]) > SHORT_EDGE:
            continue
        ends = int(corners[k]), int(corners[(k + 1) % 3])
        for leaving, staying in (ends, ends[::-1]):
            around = fans[leaving]
            moved = np.where(triangles[around] == leaving, staying, triangles[around])
            flat = (np.sort(moved, axis=1)[:, :-1] == np.sort(moved, axis=1)[:, 1:]).any(axis=1)
            width = _plan_area(mesh.points, moved[~flat])[1]
            if (width <= 2.0 * NO_WIDTH).any() or not _stays_manifold(triangles, fans, ends):
                continue
            lost = around[flat]
            for vertex in triangles[lost].ravel().tolist():
                if vertex in fans:
                    fans[vertex] = np.setdiff1d(fans[vertex], lost)
            triangles[around] = moved
            gone[lost] = True
            fans[staying] = np.union1d(fans[staying], around[~flat])
            fans[leaving] = around[:0]
            count += 1
            break
    return TriangleMesh(mesh.points, triangles[~gone], mesh.frame), count


def _fans(triangles: Ids, vertices: Ids) -> dict[int, Indices]:
    """Return the triangles around each of some vertices."""
    around, corner = np.nonzero(np.isin(triangles, vertices))
    owners = triangles[around, corner]
    around = around[np.argsort(owners, kind="stable")]
    starts = np.cumsum(np.unique(owners, return_counts=True)[1])[:-1]
    return dict(zip(vertices.tolist(), np.split(around, starts), strict=True))


def _stays_manifold(triangles: Ids, fans: dict[int, Indices], ends: tuple[int, int]) -> bool:
    """Tell whether the ends of an edge have no common neighbours but across its triangles."""
    first, last = (triangles[fans[end]] for end in ends)
    both = first[np.isin(first, ends[1]).any(axis=1)]
    common = np.setdiff1d(np.intersect1d(first, last), ends)
    return len(common) == len(np.setdiff1d(both, ends)) == len(both)


def _plan_area(points: Floats, triangles: Ids) -> tuple[Floats, Floats]:
    """Return the area of each triangle in plan, and its width: the area by half the outline."""
    twice, outlines = plan_measures(points[triangles])
    return twice / 2.0, twice / np.maximum(outlines, np.finfo(np.float64).tiny)
