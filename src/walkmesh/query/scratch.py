"""Memory that searches write to, kept from one search to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.query.kernels.mesh import GROUND

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.search_mesh import Mesh


class Scratch(NamedTuple):
    """What searches write to; see :data:`walkmesh.query.kernels.mesh.Scratch`."""

    keys: Floats
    items: Ids
    spans: Floats
    nodes: Ids
    best: Floats
    marks: Floats
    gone: Floats
    entries: Ids
    reached: Floats
    islands: Ids
    steps: Ids
    rights: Floats
    lefts: Floats
    crossings: Floats
    ways: Ids
    relief: Floats
    cuts: Floats
    profile: Floats
    stack: Ids
    clock: Floats

    @classmethod
    def make(cls, mesh: Mesh, room: int) -> Scratch:
        """Make one for searches of up to `room` nodes."""
        polygons, islands = len(mesh.polygons) - 1, len(mesh.exits) - 1
        facets = int(np.diff(mesh.polygons[:, GROUND]).max(initial=0))
        return cls(
            keys=np.empty(2 * room),
            items=np.empty(2 * room, dtype=np.int32),
            spans=np.empty((room, 7)),
            nodes=np.empty((room, 5), dtype=np.int32),
            best=np.zeros((2 * len(mesh.points) + len(mesh.jumps), 3)),
            marks=np.zeros(len(mesh.tops)),
            gone=np.zeros((polygons, 3)),
            entries=np.empty(polygons, dtype=np.int32),
            reached=np.zeros(islands),
            islands=np.empty(islands, dtype=np.int32),
            steps=np.empty(room, dtype=np.int32),
            rights=np.empty((room + 2, 3)),
            lefts=np.empty((room + 2, 3)),
            crossings=np.empty((room + 2, 3)),
            ways=np.empty(room + 2, dtype=np.int32),
            relief=np.empty((room + 2, 3)),
            cuts=np.empty((facets, 3)),
            profile=np.empty((4 * facets + 8, 3)),
            stack=np.empty((4 * facets + 8, 2), dtype=np.int32),
            clock=np.zeros(1),
        )
