"""Charts: a surface cut into parts that can be seen whole, laid out beside each other.

In its chart a part of the surface is ground like any other: it has a plan, and heights over it. So
what simplifies ground and merges it into polygons serves for surfaces as well. What lies between
two charts, the seam, stays as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.simplify import simplify_around
from walkmesh.builder.surface.kernels.charts import grow_charts
from walkmesh.frame import Frame
from walkmesh.polygon_planes import frames_of
from walkmesh.triangles import area_vectors, compact, match_triangles

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids

# How far normals may be away from that of the chart's first triangle. [degrees]
_WIDEST = 40.0
# Charts are laid out so far apart, more than any passage is wide. [m]
_APART = 20.0
# No side of a passage moves by more than this share of its width.
_WIDTH_SHARE = 0.1
# How often collapses and flips take turns.
_ROUNDS = 2
# The share of the tolerances that is for all but the first seams, which are few.
_FIRST_SHARE = 0.75


@dataclass(frozen=True)
class Charts:
    """Triangles laid out in charts."""

    mesh: TriangleMesh  # their plan: every chart has its own vertices
    vertices: Ids  # (n,): the vertex of the surface that each of its vertices is; -1 for new ones
    seam: Bools  # (n,): which of them lie between charts
    starts: Floats  # (k + 1,): where along u each chart begins [m]
    origins: Floats  # (k, 3): the place of the surface that each chart's corner stands for [m]
    axes: Floats  # (k, 3, 3): the unit vectors u, v and h of each chart as rows

    def simplified(
        self, height_tolerance: float, boundary_tolerance: float, level_height: float
    ) -> tuple[Charts, dict[str, int]]:
        """Return it with fewer triangles; what lies between charts stays."""
        less, old, counts = simplify_around(
            self.mesh, self.seam, height_tolerance, boundary_tolerance, _WIDTH_SHARE, level_height,
            _ROUNDS,
        )  # fmt: skip
        seam = self.seam[old]
        vertices = np.where(seam, self.vertices[old], -1).astype(np.int32)
        return Charts(less, vertices, seam, self.starts, self.origins, self.axes), counts

    def surface(self, points: Floats) -> tuple[Floats, Ids]:
        """Return the places of all vertices on the surface, and the vertex of each of the mesh's.

        Parameters
        ----------
        points : (m, 3) float64
            The vertices of the surface before. [Unit: m]

        Returns
        -------
        (k, 3) float64, (n,) int32
        """
        chart = np.searchsorted(self.starts, self.mesh.points[:, 0], side="right") - 1
        local = self.mesh.points.copy()
        local[:, 0] -= self.starts[chart]
        places = self.origins[chart] + np.einsum("nj,njk->nk", local, self.axes[chart])
        old = self.vertices >= 0
        ids = self.vertices.copy()
        ids[~old] = len(points) + np.arange(int(np.count_nonzero(~old)))
        return np.concatenate([points, places[~old]]), ids


def lay_out(
    points: Floats, triangles: Ids, backwards: bool = False, widest: float = _WIDEST
) -> Charts:
    """Cut a surface into charts and lay them out.

    Parameters
    ----------
    points, triangles : (n, 3) float64 and (t, 3) int32
        The surface, whose triangles share vertices where they hang together.
    backwards : bool, default False
        Whether to begin charts at the last triangles instead of the first, so that other seams are
        made.
    widest : float, default 40
        How far the normals of a chart's triangles may be away from that of its first one.
        [Unit: degrees]
    """
    normals = area_vectors(points[triangles])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    mates = match_triangles(triangles)
    seeds = np.arange(len(triangles), dtype=np.int32)
    if backwards:
        seeds = np.ascontiguousarray(seeds[::-1])
    charts, firsts = np.empty(len(triangles), np.int32), np.empty(len(triangles), np.int32)
    count = grow_charts(normals, mates, seeds, math.cos(math.radians(widest)), charts, firsts)
    h = normals[firsts[:count]]
    u, v = frames_of(h)
    axes = np.stack([u, v, h], axis=1)

    # Every chart has its own copy of each vertex.
    keys = np.repeat(charts.astype(np.int64), 3) * len(points) + triangles.ravel()
    unique, corners = np.unique(keys, return_inverse=True)
    owners, vertices = unique // len(points), (unique % len(points)).astype(np.int32)
    shared = (mates >= 0) & (charts[np.maximum(mates, 0) // 3] != np.repeat(charts, 3))
    seam = np.zeros(len(unique), dtype=bool)
    following = np.roll(corners.reshape(-1, 3), -1, axis=1).ravel()
    seam[corners[shared]] = True
    seam[following[shared]] = True

    bounds = np.searchsorted(owners, np.arange(count + 1))
    local = np.einsum("nk,njk->nj", points[vertices], axes[owners])
    low = np.minimum.reduceat(local, bounds[:-1])
    width = np.maximum.reduceat(local, bounds[:-1])[:, 0] - low[:, 0]
    local -= low[owners]
    starts = np.concatenate([[0.0], np.cumsum(width + _APART)])
    # Each begins in the middle of the space before it, so that rounding takes none into another.
    local[:, 0] += starts[owners] + 0.5 * _APART
    origins = np.einsum("kj,kjl->kl", low, axes) - 0.5 * _APART * u
    mesh = TriangleMesh(
        np.ascontiguousarray(local),
        np.ascontiguousarray(corners.reshape(-1, 3), dtype=np.int32),
        Frame((0.0, 0.0, 1.0)),
    )
    return Charts(mesh, vertices, seam, starts, origins, axes)


def simplify_surface(
    points: Floats,
    triangles: Ids,
    height_tolerance: float,
    boundary_tolerance: float,
    level_height: float,
) -> tuple[Floats, Ids, dict[str, int]]:
    """Take away vertices that a surface and its outline do not need.

    Twice, with other seams the second time, so that what was a seam is simplified as well; each
    time within its share of the tolerances.
    """
    totals: dict[str, int] = {}
    for backwards, share in ((False, _FIRST_SHARE), (True, 1.0 - _FIRST_SHARE)):
        charts = lay_out(points, triangles, backwards)
        less, counts = charts.simplified(
            share * height_tolerance, share * boundary_tolerance, level_height
        )
        points, ids = less.surface(points)
        points, triangles = compact(points, ids[less.mesh.triangles])
        totals = {name: totals.get(name, 0) + count for name, count in counts.items()}
    return points, triangles, totals
