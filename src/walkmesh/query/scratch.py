"""Memory that searches write to, kept from one search to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.query.kernels.mesh import GROUND, SCRATCH_FLOATS, SCRATCH_INTS
from walkmesh.query.packed import lay_out, total_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.search_mesh import Mesh


def make_scratch(mesh: Mesh, room: int) -> tuple[Floats, Ids, NDArray[np.int64]]:
    """Make memory for searches of up to `room` nodes.

    Returns
    -------
    floats, ints, layout
        The arrays of :data:`walkmesh.query.kernels.mesh.Scratch`, packed.
    """
    polygons, islands = len(mesh.polygons) - 1, len(mesh.exits) - 1
    facets = int(np.diff(mesh.polygons[:, GROUND]).max(initial=0))
    shapes = {
        "keys": (2 * room,),
        "items": (2 * room,),
        "spans": (room, 7),
        "nodes": (room, 5),
        "best": (2 * len(mesh.points) + len(mesh.jumps), 3),
        "marks": (len(mesh.tops),),
        "gone": (polygons, 3),
        "entries": (polygons,),
        "reached": (islands,),
        "islands": (islands,),
        "steps": (room,),
        "rights": (room + 2, 3),
        "lefts": (room + 2, 3),
        "crossings": (room + 2, 3),
        "ways": (room + 2,),
        "relief": (room + 2, 3),
        "cuts": (facets, 3),
        "profile": (4 * facets + 8, 3),
        "stack": (4 * facets + 8, 2),
        "clock": (1,),
    }
    float_layout = lay_out([shapes[name] for name in SCRATCH_FLOATS])
    int_layout = lay_out([shapes[name] for name in SCRATCH_INTS])
    return (
        np.zeros(total_size(float_layout)),
        np.zeros(total_size(int_layout), dtype=np.int32),
        np.concatenate([float_layout, int_layout]),
    )
