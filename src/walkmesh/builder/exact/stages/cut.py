"""Cutting: ground with too little headroom is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.kernels.cut import cut_faces
from walkmesh.builder.exact.low_faces import close_to_ground
from walkmesh.builder.ground import cut_in_chunks, piece_mesh

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Ids
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import PieceArrays, Pieces
    from walkmesh.builder.stage import Stage


def run(build: ExactBuild) -> Stage:
    """Take away the ground without headroom."""
    pieces = cut(build.faces, build.agent, build.on_part, build.workers)
    build.losses.check_any(pieces.sources)
    build.pieces = pieces
    frame = build.scene.frame
    return build.made(lambda: piece_mesh(pieces, frame), pieces_out=len(pieces.sources))


def cut(
    faces: Faces, agent: Agent, on_chunk: Callable[[float], None], workers: int | None
) -> Pieces:
    """Cut all faces but walls by what stands over them, closer than the agent is high.

    Low faces that are too far from any ground to be stepped over are left out. Of faces in one
    plane exactly one stays. What is left at any place in plan lies an agent's height apart.

    Returns
    -------
    Pieces
        Whose sources are faces.
    """
    tree = faces.sheet_tree
    # In the order of the tree, so that neighbours are cut one after the other.
    ordered = faces.sheets[tree.order]
    useful = close_to_ground(faces.roles[ordered], tree.boxes[tree.order], agent)
    chosen = np.ascontiguousarray(ordered[useful])
    return cut_chosen(faces, faces, chosen, agent.height, on_chunk, workers)


def cut_chosen(
    faces: Faces,
    scene: Faces,
    chosen: Ids,
    height: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Pieces:
    """Cut chosen faces by what stands over them.

    Parameters
    ----------
    faces : Faces
        Those of the scene, and maybe more after them.
    scene : Faces
        Those of the scene, which cut.
    chosen : (n,) int32
        Which to cut; no walls.
    height : float
        The headroom they must have. [Unit: m]
    """
    arrays, tree = faces.arrays, scene.sheet_tree.arrays

    def run(start: int, stop: int, pieces: PieceArrays) -> int:
        done = cut_faces(
            arrays, chosen[:stop], start, tree, scene.sheets, height, faces.steepest, pieces
        )
        return int(done)

    return cut_in_chunks(len(chosen), run, on_chunk, workers)
