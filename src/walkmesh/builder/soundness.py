"""Soundness: a build never hands over what the navmesh's own validation refuses.

The stages before are meant to leave nothing for this to find. What they do leave, in scenes where
rounding decides which side of a line a corner is on, is mended, or else left out and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.ragged import offsets_of
from walkmesh.topology import corner_polygons, plan_points
from walkmesh.triangles import area_vectors
from walkmesh.variants import changed, keep_polygons

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.validate import Violation


def make_valid(navmesh: NavMesh) -> tuple[NavMesh, dict[str, int], float]:
    """Return a navmesh that :meth:`NavMesh.validate` has nothing to say about.

    Triangles that do not make the ground of their polygon are replaced by those that its corners
    alone give. Polygons with anything else wrong are left out, of two that lie over each other the
    smaller.

    Parameters
    ----------
    navmesh : NavMesh
        With the report of its build, whose tolerances count.

    Returns
    -------
    NavMesh
        The same one if nothing was wrong.
    dict of str to int
        Counts: polygons that lost their detail, and polygons and links that were left out.
    float
        The area of the polygons left out. [Unit: m2]
    """
    counts = {"polygons_without_detail": 0, "polygons_left_out": 0, "links_left_out": 0}
    area = 0.0
    plain = np.zeros(navmesh.polygon_count, dtype=bool)
    while wrong := navmesh.validate():
        bent = _about(navmesh, wrong, "triangle") & ~plain
        off = _about(navmesh, wrong, "link")
        if bent.any():
            counts["polygons_without_detail"] += int(np.count_nonzero(bent))
            plain |= bent
            navmesh = _without_detail(navmesh, bent)
        elif off.any():
            stays = ~off[navmesh.links["start_polygon"]] & ~off[navmesh.links["goal_polygon"]]
            counts["links_left_out"] += int(np.count_nonzero(~stays))
            navmesh = changed(navmesh, links=navmesh.links[stays])
        else:
            areas = polygon_areas(navmesh)
            dropped = _unsound(navmesh, wrong, areas)
            counts["polygons_left_out"] += int(np.count_nonzero(dropped))
            area += float(areas[dropped].sum())
            plain = plain[~dropped]
            rest = keep_polygons(navmesh, ~dropped)
            navmesh = changed(rest, neighbors=None, components=None)
    return navmesh, counts, area


def _about(navmesh: NavMesh, wrong: list[Violation], kind: str) -> Bools:
    """(p,) bool: the polygons that violations of a kind are about."""
    chosen = np.zeros(navmesh.polygon_count, dtype=bool)
    chosen[[v.polygon for v in wrong if v.kind == kind and v.polygon is not None]] = True
    return chosen


def _unsound(navmesh: NavMesh, wrong: list[Violation], areas: Floats) -> Bools:
    """(p,) bool: the polygons to leave out; of those that a violation is about, the smallest."""
    dropped = np.zeros(navmesh.polygon_count, dtype=bool)
    for violation in wrong:
        about = [p for p in (violation.polygon, violation.other) if p is not None]
        if about and not dropped[about].any():
            dropped[min(about, key=lambda p: (areas[p], p))] = True
    # What is about no polygon, such as a vertex that is not finite, is about all of them.
    return dropped if dropped.any() else ~dropped


def polygon_areas(navmesh: NavMesh) -> Floats:
    """Return the area of each polygon, (p,) float64. [Unit: m2]."""
    cross = area_vectors(navmesh.vertices[navmesh.triangles])
    sizes = np.linalg.norm(cross, axis=1) / 2.0
    counted = np.bincount(navmesh.triangle_polygons, sizes, minlength=navmesh.polygon_count)
    return np.asarray(counted, dtype=np.float64)


def _without_detail(navmesh: NavMesh, chosen: Bools) -> NavMesh:
    """Return the navmesh with triangles of the chosen polygons (p,) on their corners alone."""
    sizes = np.diff(navmesh.polygon_offsets)[chosen]
    corners = np.ascontiguousarray(navmesh.polygon_vertices[chosen[corner_polygons(navmesh)]])
    own = np.empty((int((sizes - 2).sum()), 3), dtype=np.int32)
    triangulate_convex(plan_points(navmesh), offsets_of(sizes), corners, own)
    stays = ~chosen[navmesh.triangle_polygons]
    triangles = np.concatenate([navmesh.triangles[stays], own])
    owners = np.concatenate(
        [navmesh.triangle_polygons[stays], np.repeat(np.flatnonzero(chosen), sizes - 2)]
    )
    order = np.argsort(owners, kind="stable")
    mended = changed(navmesh, triangles=triangles[order], triangle_polygons=owners[order])
    # Vertices that only the detail had are gone with it.
    return keep_polygons(mended, np.ones(navmesh.polygon_count, dtype=bool))
