"""Which bridges make a navmesh unsound.

Bridges share vertices with the ground at places that are equal on a grid of 0.01 mm. Ground that is
narrower than that, as scenes of needles have it, can come to touch itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Ids
    from walkmesh.navmesh import NavMesh


def unsound_bridges(navmesh: NavMesh, bridged: NavMesh, triangles: Ids, polygons: Ids) -> Bools:
    """Tell which bridges to leave out for a navmesh to be as sound as it was without them.

    Parameters
    ----------
    navmesh, bridged : NavMesh
        Before, and with the polygons of bridges at the end. What is wrong in both is not the fault
        of the bridges.
    triangles : (t, 3) int32
        The vertices of `bridged` that the bridges have; -1 for those that no polygon needs.
    polygons : (t, 3) int32
        The polygons of `navmesh` that the corners of the bridges lie on.

    Returns
    -------
    (t,) bool
        At least one if anything is wrong, so that leaving out comes to an end.
    """
    wrong = bridged.validate()
    if wrong:
        before = {(v.kind, v.polygon, v.other) for v in navmesh.validate()}
        wrong = [v for v in wrong if (v.kind, v.polygon, v.other) not in before]
    if not wrong:
        return np.zeros(len(triangles), dtype=bool)
    bad = np.zeros(bridged.polygon_count, dtype=bool)
    bad[[p for v in wrong for p in (v.polygon, v.other) if p is not None]] = True
    corners = np.zeros(len(bridged.vertices) + 1, dtype=bool)
    corners[bridged.polygon_vertices[bad[corner_polygons(bridged)]]] = True
    corners[-1] = True
    # The triangles that a bridge was merged from have all their corners among its own. Ground that
    # is wrong loses the bridges beside it.
    for chosen in (
        corners[triangles].all(axis=1) | bad[polygons].any(axis=1),
        corners[triangles].any(axis=1),
    ):
        if chosen.any():
            return np.asarray(chosen)
    return np.ones(len(triangles), dtype=bool)
