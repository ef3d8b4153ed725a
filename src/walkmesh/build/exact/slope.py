"""The slope filter: which faces of the scene can be stood on at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import TriangleMesh, compact
from walkmesh.errors import BuildError
from walkmesh.kernels.soup import mark_gentle

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.scene import Scene

# A face of exactly the steepest slope counts as walkable whatever its rotation rounds to.
_COSINE_ROUNDING = 1e-12


def filter_slope(scene: Scene, agent: Agent) -> TriangleMesh:
    """Keep the faces that face up and are no steeper than the agent's `max_slope`.

    Normals come from the positions; those that a file may hold are never looked at.

    Raises
    ------
    BuildError
        When no face is left, which mostly means that `up` is wrong.
    """
    points, triangles = compact(scene.frame.to_plan(_finite(scene)), scene.faces)
    gentle = np.empty(len(triangles), dtype=np.uint8)
    lowest_cosine = math.cos(math.radians(agent.max_slope)) - _COSINE_ROUNDING
    mark_gentle(points, triangles, lowest_cosine, gentle)
    if not gentle.any():
        raise BuildError(
            f"none of the {len(triangles)} triangles is walkable: no face lies within "
            f"{agent.max_slope:g} degrees of up = {scene.up}; is that the right up for this scene?"
        )
    points, triangles = compact(points, triangles[gentle == 1])
    return TriangleMesh(points, triangles, scene.frame)


def _finite(scene: Scene) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the vertices with zeros for those that are not finite, which no face uses."""
    return np.nan_to_num(scene.vertices, nan=0.0, posinf=0.0, neginf=0.0)
