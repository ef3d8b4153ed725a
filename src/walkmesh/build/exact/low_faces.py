"""Low faces: steep ones that can be stepped over stay, the others go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.kernels.box_tree import find_close
from walkmesh.kernels.faces import GROUND, LOW
from walkmesh.kernels.low_faces import find_near_ground, find_passable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build.exact.ground import Ground
    from walkmesh.build.exact.slope import Faces


# Wider things, of nothing but low faces, cannot be stepped over. [m]
_WIDEST_STEP = 0.6
# What is higher than a step by less than this may yet be one. [m]
_BOX_SLACK = 2e-3


def close_to_ground(roles: NDArray[np.uint8], boxes: Floats, agent: Agent) -> NDArray[np.bool_]:
    """Tell which faces are ground, or close enough to ground to be stepped over.

    Parameters
    ----------
    roles : (n,) uint8
        LOW or GROUND.
    boxes : (n, 6) float64
        The box of each face. [Unit: m]
    """
    useful = np.asarray(roles == GROUND)
    low = np.ascontiguousarray(boxes[~useful])
    ground = BoxTree.around(boxes[useful])
    close = np.empty(len(low), dtype=np.uint8)
    find_close(
        low,
        ground.boxes,
        ground.order,
        ground.nodes,
        _WIDEST_STEP,
        agent.max_step + _BOX_SLACK,
        close,
    )
    useful[~useful] = close == 1
    return useful


def drop_far_from_ground(
    ground: Ground, faces: Faces, agent: Agent
) -> tuple[Ground, dict[str, int]]:
    """Drop low faces that are more than a step above or below the ground that they hang on."""
    low = (faces.roles[ground.sources] == LOW).astype(np.uint8)
    near = np.empty(len(low), dtype=np.uint8)
    find_near_ground(
        ground.offsets, ground.heights, ground.mates, ground.owners, low, agent.max_step, near
    )
    return ground.keep(near == 1), {"low_far_from_ground": int(np.count_nonzero(near == 0))}


def drop_impassable(ground: Ground, faces: Faces, agent: Agent) -> tuple[Ground, dict[str, int]]:
    """Drop low faces, unless standable ground lies on both sides of them within a step.

    Returns
    -------
    Ground
        What can be stood on or stepped over.
    dict of str to int
        Counts: low polygons kept and dropped.
    """
    low = (faces.roles[ground.sources] == LOW).astype(np.uint8)
    passable = np.empty(len(low), dtype=np.uint8)
    planes = np.ascontiguousarray(faces.planes[ground.sources])
    find_passable(
        ground.offsets, ground.vertices, ground.points, ground.heights, ground.mates,
        ground.owners, planes, low, agent.max_step, _WIDEST_STEP, passable,
    )  # fmt: skip
    dropped = int(np.count_nonzero(passable == 0))
    counts = {"low_kept": int(np.count_nonzero(low)) - dropped, "low_dropped": dropped}
    return ground.keep(passable == 1), counts
