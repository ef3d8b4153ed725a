"""Polygons of the exact method: few of them, but with no more detail than the scene has.

Polygons as large as can be have sides that cross the triangles of the ground, and each crossing
adds two triangles. On rough ground that is more than the scene had. There polygons are made of the
triangles themselves: more polygons, whose sides are edges of the ground and cross nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.polygons import Partition
from walkmesh.builder.simplify import simplify_around
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.builder.stage import Stage
    from walkmesh.navmesh import NavMesh

# So few triangles are never too many: 20,000 take a megabyte, while paths cross every polygon.
FEW = 20_000
# Polygons are chosen for this share of the triangles that are to go. What is left is cut anew, in
# other ways.
_MORE = 1.0
# A polygon with no more than this many times the triangles it would have whole. [1]
_HARDLY = 1.05


def run(build: ExactBuild) -> Stage:
    """Make polygons, and with them the navmesh."""
    level = build.method.height_tolerance / 2.0
    navmesh = make_polygons(build.mesh, build.agent, level, len(build.scene.faces))
    return build.made(lambda: navmesh, polygons_out=navmesh.polygon_count)


def make_polygons(
    ground: TriangleMesh, agent: Agent, height_tolerance: float, most: int
) -> NavMesh:
    """Turn the simplified ground into a navmesh.

    Parameters
    ----------
    ground : TriangleMesh
        What stands for the ground within its `bands`.
    height_tolerance : float
        Where the ground stays this close to a plane a polygon needs no detail. [Unit: m]
    most : int
        How many triangles the navmesh should have at most, if more than `FEW`. It has no more than
        that, or than `ground` where that has more already.
    """
    count = len(ground.triangles)
    most = max(most, FEW)
    if count < most or not _is_rough(ground):
        most = max(most, count)
        partition = _coarse(ground, height_tolerance, np.zeros(count, dtype=bool))
        if partition.sizes.sum() <= most:
            return partition.navmesh(agent, ground.frame)
        kept = _crossed(partition, count, most)
        if not kept.all():
            partition = _coarse(ground, height_tolerance, kept)
            if partition.sizes.sum() <= most:
                return partition.navmesh(agent, ground.frame)
    return Partition.of(ground, ground, height_tolerance).navmesh(agent, ground.frame)


def _is_rough(ground: TriangleMesh) -> bool:
    """Tell whether most triangles are there for vertices inside, each of which makes two more."""
    outer = int(np.count_nonzero(match_triangles(ground.triangles) < 0))
    return 4 * (len(ground.points) - outer) > len(ground.triangles)


def _coarse(ground: TriangleMesh, height_tolerance: float, kept: Bools) -> Partition:
    """Return polygons as large as can be, around triangles that are kept as they are."""
    none = np.zeros(len(ground.points), dtype=bool)
    coarse, _, _ = simplify_around(ground, none, np.inf, 0.0, 0.1, 1.0, 2, kept)
    return Partition.of(ground, coarse, height_tolerance)


def _crossed(partition: Partition, count: int, most: int) -> Bools:
    """(count,) bool: the triangles of the ground that should not be cut.

    They are those of the polygons that hold the fewest: of as few polygons as will do. The search
    for paths crosses the large ones, and takes longest where these are many.
    """
    sizes, owners, sources = partition.sizes, partition.owners, partition.sources
    polygons = len(sizes)
    # Each pair of a triangle and a polygon it lies in.
    pairs = np.unique(sources.astype(np.int64) * polygons + owners)
    triangle, polygon = pairs // polygons, pairs % polygons
    touched = np.bincount(triangle, minlength=count)
    share = np.bincount(polygon, weights=1.0 / touched[triangle], minlength=polygons)
    # Those that are hardly crossed come last.
    order = np.lexsort((share, sizes <= _HARDLY * share))
    rank = np.empty(polygons, dtype=np.int64)
    rank[order] = np.arange(polygons)
    # A triangle is kept once all its polygons are among the first.
    last = np.zeros(count, dtype=np.int64)
    np.maximum.at(last, triangle, rank[polygon])
    pieces = np.bincount(rank, weights=sizes, minlength=polygons)
    whole = np.bincount(last[touched > 0], minlength=polygons)
    cut = ~partition.flat[owners]
    freed = np.bincount(last[sources[cut]], minlength=polygons)
    flat = np.bincount(rank, weights=np.where(partition.flat, sizes, 0), minlength=polygons)
    left = pieces.sum() + np.cumsum(whole - freed - flat)
    goal = pieces.sum() - _MORE * (pieces.sum() - most)
    enough = np.flatnonzero(left <= goal)
    first = int(enough[0]) if len(enough) else polygons
    return np.asarray((last <= first) & (touched > 0))
