"""Validation: everything that can be wrong with a navmesh, found and named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkmesh.ragged import match_polygons
from walkmesh.validate.ground import GroundPolygons
from walkmesh.validate.shapes import usable_polygons
from walkmesh.validate.surface import Sheets
from walkmesh.validate.topology import (
    bad_links,
    bad_vertices,
    overused_edges,
    repeated_vertices,
    wrong_components,
    wrong_neighbors,
)
from walkmesh.validate.violation import Violation

if TYPE_CHECKING:
    from walkmesh.navmesh import NavMesh

__all__ = ["Violation", "violations"]


def violations(navmesh: NavMesh) -> list[Violation]:
    """List everything that is wrong with a navmesh, kind by kind; nothing if it is sound."""
    found = [*bad_vertices(navmesh), *repeated_vertices(navmesh)]
    usable = usable_polygons(navmesh)
    ground = Sheets.of(navmesh, usable) if navmesh.surface else GroundPolygons.of(navmesh, usable)
    found += ground.wrong
    mates = match_polygons(navmesh.polygon_offsets, navmesh.polygon_vertices)
    found += overused_edges(navmesh, mates)
    found += wrong_neighbors(navmesh, mates)
    found += ground.t_junctions(mates)
    found += ground.overlaps()
    if isinstance(ground, GroundPolygons):  # on a surface, walls are walked on
        found += ground.rises()
    found += wrong_components(navmesh)
    found += bad_links(navmesh, ground.off_ground)
    return found
