"""Where on a surface a point is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.query.locate import STOREY_HEIGHTS, Located
from walkmesh.query.surface.kernels.locate import locate_points, tell_inside

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.surface.mesh import SurfaceMesh

_ALL = np.empty(0, dtype=np.uint8)


class Places(NamedTuple):
    """Places on a surface.

    Attributes
    ----------
    points : (n, 3) float64
        World coordinates. [Unit: m]
    triangles : (n,) int32
        The triangles that they lie on, -1 for none.
    distances : (n,) float64
        How far what was looked for is away; infinite for none. [Unit: m]
    """

    points: Floats
    triangles: Ids
    distances: Floats

    def located(self, surface: SurfaceMesh) -> Located:
        """Return them by their polygons."""
        polygons = surface.polygons_of(self.triangles)
        return Located(polygons=polygons, points=self.points, distances=self.distances)

    def chosen(self, which: NDArray[np.intp] | slice) -> Places:
        """Return some of them."""
        return Places(self.points[which], self.triangles[which], self.distances[which])


def find_places(
    surface: SurfaceMesh,
    agent: Agent,
    points: Floats,
    max_snap: float,
    allowed: NDArray[np.uint8] = _ALL,
) -> Places:
    """Find the place that each of (n, 3) points stands on, of all triangles or those `allowed`."""
    count, mesh, tree = len(points), surface.mesh, surface.tree
    found = Places(np.empty((count, 3)), np.empty(count, dtype=np.int32), np.empty(count))
    locate_points(
        points, mesh.points, mesh.triangles, surface.normals, tree.boxes, tree.order, tree.nodes,
        allowed, agent.max_step, STOREY_HEIGHTS * agent.height, max_snap, found.triangles,
        found.points, found.distances,
    )  # fmt: skip
    return found


def stand_inside(surface: SurfaceMesh, agent: Agent, points: Floats) -> NDArray[np.bool_]:
    """Tell which of (n, 3) points stand on the surface, no farther from it than a step."""
    inside, mesh, tree = np.empty(len(points), dtype=np.uint8), surface.mesh, surface.tree
    tell_inside(
        points, mesh.points, mesh.triangles, mesh.halves, mesh.fans, surface.normals, tree.order,
        tree.nodes, agent.max_step, inside,
    )  # fmt: skip
    return inside.astype(np.bool_)
